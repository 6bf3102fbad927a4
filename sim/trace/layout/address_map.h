// A piecewise mapping of the addresses of a trace to another memory layout.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sim/base/types.h"
#include "sim/trace/access.h"
#include "sim/trace/region.h"

namespace whorl::sim {

/// Another order of the bytes of an array: its elements transposed, or tile after tile, or each field of its elements
/// in an array of its own. Bytes after the last whole element stay in place, so that the array keeps its size.
class ElementOrder {
  public:
    /// Transposes rows * columns elements: (i, j) moves to the place of (j, i) in an array of `columns` rows.
    static ElementOrder transposed(std::uint64_t rows, std::uint64_t columns, std::uint64_t element);
    /// Stores an array in square tiles of `tile` rows: from left to right, then from top to bottom, each by rows. Those
    /// at the right and at the bottom are smaller where `tile` divides no side.
    static ElementOrder blocked(std::uint64_t rows, std::uint64_t columns, std::uint64_t element, std::uint64_t tile);
    /// Splits elements into fields: the first field of all elements comes first, then the second of all. Bytes between
    /// fields are moved like fields, so that all addresses stay aligned; overlapping fields, as in a union, stay
    /// together.
    static ElementOrder split(std::uint64_t elements, std::uint64_t element, const std::vector<StructField>& fields);
    /// Splits elements whose fields all have `field` bytes.
    static ElementOrder split(std::uint64_t elements, std::uint64_t element, std::uint64_t field);

    bool isTransposed() const { return columns_ != 0 && tile_ == 0; }
    bool isSplit() const { return columns_ == 0; }
    std::uint64_t element() const { return element_; }
    std::uint64_t rows() const { return rows_; }
    std::uint64_t columns() const { return columns_; }  ///< 0 if it is split

    /// The new offset of a byte of the array.
    std::uint64_t of(std::uint64_t offset) const;
    /// The inverse of of().
    std::uint64_t before(std::uint64_t offset) const;
    /// Whether the bytes [from, to) stay adjacent.
    bool keepsTogether(std::uint64_t from, std::uint64_t to) const;

  private:
    struct Part {
        std::uint64_t offset = 0;
        std::uint64_t size = 0;
    };
    ElementOrder(std::uint64_t rows, std::uint64_t columns, std::uint64_t element)
        : rows_(rows), columns_(columns), element_(element) {}
    Part partAt(std::uint64_t within) const;
    std::uint64_t inTiles(std::uint64_t number) const;
    std::uint64_t inRows(std::uint64_t number) const;

    std::uint64_t rows_;      ///< elements if the order is split
    std::uint64_t columns_;   ///< 0: split
    std::uint64_t element_;   ///< bytes
    std::uint64_t tile_ = 0;  ///< rows of a tile; 0: not in tiles
    std::uint64_t field_ = 0;
    std::vector<Part> parts_;  ///< parts of an element, without gaps; empty: all but the last have `field_` bytes
};

class Relocation;

/// A relocation of objects, if any, and then a sequence of steps. Each step divides the whole address space into
/// pieces, which keep their order and do not overlap afterwards. Without both it is the identity.
class AddressMap {
  public:
    /// The addresses from `from` up to the next piece.
    struct Piece {
        std::uint64_t from = 0;
        std::uint64_t to = 0;       ///< the new address of `from`
        std::uint64_t element = 0;  ///< bytes; 0: the piece moves as a whole
        std::uint64_t stride = 0;   ///< bytes from one element to the next after the move
        /// The order of the piece's elements; null: unchanged. Requires `element`.
        std::shared_ptr<const ElementOrder> order = nullptr;
        bool operator==(const Piece&) const = default;
    };
    /// Sorted by `from`; the first piece starts at 0.
    using Step = std::vector<Piece>;

    /// Appends a step, unless it is the identity.
    void add(Step step) {
        if (step != Step(1)) steps_.push_back(std::move(step));
    }
    const std::vector<Step>& steps() const { return steps_; }
    /// Relocates objects, too, by their addresses before all steps and relocations.
    void add(const Relocation& relocation);
    const std::shared_ptr<const Relocation>& relocation() const { return relocation_; }
    /// By site, whether its accesses keep their order where that of elements changes, as if to memory that stays: those
    /// of functions that fill or copy memory, whatever lies there.
    void keepInOrder(std::vector<bool> sites) {
        inOrder_ = std::make_shared<const std::vector<bool>>(std::move(sites));
    }

    /// The address after the steps.
    ByteAddress of(ByteAddress address) const;
    /// Maps consecutive accesses in place, of which the first is that of a tick. Each access moves as a whole, by its
    /// first byte. Those to several fields that are split stay: mostly they belong to a walk over all of the memory.
    void apply(std::span<PackedAccess> accesses, Tick first) const;

  private:
    std::shared_ptr<const Relocation> relocation_;
    std::shared_ptr<const std::vector<bool>> inOrder_;  ///< null: no site
    std::vector<Step> steps_;
};

/// The way back through a map, for the addresses of one range before it. The map must outlive it.
class WayBack {
  public:
    /// `map`: null is the identity. `from` and `last`: the first and the last byte of the range.
    WayBack(const AddressMap* map, ByteAddress from, ByteAddress last);

    /// The address in the range that the map moves to this one; nothing if there is none.
    std::optional<ByteAddress> of(ByteAddress address) const;

  private:
    /// The pieces of a step that hold the range, as it lies before the step.
    struct Span {
        const AddressMap::Step* step;
        std::size_t first;
        std::size_t last;
    };
    ByteAddress from_;
    ByteAddress last_;
    std::vector<Span> spans_;
};

/// The piece of a step that holds an address.
const AddressMap::Piece& pieceAt(const AddressMap::Step& step, std::uint64_t address);

/// The address after a step.
std::uint64_t moved(const AddressMap::Step& step, std::uint64_t address);

}  // namespace whorl::sim
