// Columns: strings of bytes of one kind, each compressed by zstd. A group of columns is stored as the sizes of all,
// then the compressed bytes of all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace whorl::sim {

/// The time that compression may take.
enum class Effort : std::uint8_t {
    quick,     ///< several hundred megabytes a second
    moderate,  ///< tens of megabytes a second, on columns that can gain from it
    thorough   ///< a few megabytes a second, on columns that can gain from it
};

/// Compresses columns.
class ColumnPacker {
  public:
    ColumnPacker();
    ~ColumnPacker();
    ColumnPacker(ColumnPacker&&) noexcept;
    ColumnPacker& operator=(ColumnPacker&&) noexcept;

    /// A column compressed, or the column itself if it would not become smaller.
    std::string packed(std::string_view column, Effort effort);
    /// A column compressed; `quickly` is what Effort::quick makes of it.
    std::string packed(std::string_view column, std::string quickly, Effort effort);
    /// A group of columns as stored.
    std::string packedGroup(std::span<const std::string> columns, Effort effort);

  private:
    struct State;
    std::unique_ptr<State> state_;

    std::string packedAt(std::string_view column, int level);
};

/// A group of columns as stored; each packed as its body.
std::string storedGroup(std::span<const std::string_view> columns, std::span<const std::string> bodies);

/// A column in a stored group.
struct PackedColumn {
    std::size_t plainBytes = 0;
    std::string_view bytes;
    bool compressed = true;  ///< if not, `bytes` is the column itself
};

/// Finds the columns of a group that fills all of `bytes`. False if it does not have columns.size() columns.
bool columnsOf(std::string_view bytes, std::span<PackedColumn> columns);

/// Decompresses columns.
class ColumnUnpacker {
  public:
    ColumnUnpacker();
    ~ColumnUnpacker();
    ColumnUnpacker(ColumnUnpacker&&) noexcept;
    ColumnUnpacker& operator=(ColumnUnpacker&&) noexcept;

    /// Decompresses a column to the start of `to`, which gets `slack` more bytes than the column has. False if the
    /// column is invalid or larger than `most`. Never shrinks `to`.
    bool unpack(const PackedColumn& column, std::size_t most, std::vector<char>& to, std::size_t slack = 0);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace whorl::sim
