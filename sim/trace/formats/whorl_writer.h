// Writes Whorl's binary file format, .whorl; its layout is in whorl_format.h: at once, from a trace, or while the trace
// is recorded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/byte_sink.h"
#include "sim/base/error.h"
#include "sim/base/output_file.h"
#include "sim/base/progress.h"
#include "sim/trace/formats/trace_packer.h"
#include "sim/trace/formats/whorl_format.h"
#include "sim/trace/packed_accesses.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// Writes the parts of a .whorl file one after the other.
class BlockWriter {
  public:
    using Append = std::function<Expected<void>(std::string_view)>;

    explicit BlockWriter(Append append) : append_(std::move(append)) {}

    /// Writes the head of the file; `extras` as in FileHead.
    Expected<void> begin(std::uint32_t extras);
    Expected<void> block(const BlockHead& head, std::string_view bytes);
    /// Writes a pack with the next accesses.
    Expected<void> pack(std::string_view pack);
    /// Writes all sections that `extras` selects.
    Expected<void> sections(const Trace& trace);
    /// Writes the index and the end of the file.
    Expected<void> end();

    /// Bytes written so far.
    std::uint64_t offset() const { return offset_; }
    /// Forgets the blocks from an offset on, after the file was truncated there.
    void forgetFrom(std::uint64_t offset);
    /// The offset of the last block, or of the end if there is none.
    std::uint64_t lastBlock() const { return index_.empty() ? offset_ : index_.back().offset; }

  private:
    Append append_;
    std::uint32_t extras_ = 0;
    std::uint64_t offset_ = 0;
    std::uint64_t accesses_ = 0;
    std::vector<BlockEntry> index_;

    Expected<void> append(std::string_view bytes);
};

/// Writes a trace with everything known about it; reading the file gives an equal trace. Packs the accesses again.
Expected<void> writeWhorl(const Trace& trace, ByteSink& sink, Progress& progress, const WhorlPacking& packing = {});

/// A file that grows while its earlier bytes are read: they are mapped, and do not count as memory of the process.
class MappedFile {
  public:
    /// Creates a file that gets its name when it is published. Fails if it cannot be written or mapped, or if the path
    /// is that of something else than a regular file.
    static Expected<std::unique_ptr<MappedFile>> create(const std::string& path);
    ~MappedFile();
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    /// Appends bytes, all or none. Returns them as mapped in the file, valid while this object lives and the file is
    /// not truncated.
    Expected<std::string_view> append(std::string_view bytes);
    std::uint64_t size() const { return size_; }
    /// Shortens the file to its first `size` bytes.
    Expected<void> truncate(std::uint64_t size);
    /// Tells the system that the file will not be read for a while.
    void forget() const;
    /// Gives the file its name. It can still be read, but not written.
    Expected<void> publish() { return file_->publish(); }

  private:
    MappedFile(std::unique_ptr<PartFile> file, std::string name) : file_(std::move(file)), name_(std::move(name)) {}

    std::unique_ptr<PartFile> file_;
    std::string name_;
    const char* bytes_ = nullptr;
    std::uint64_t room_ = 0;  ///< bytes mapped or reserved
    std::uint64_t size_ = 0;
};

/// A .whorl file that is written while its trace is recorded, so that its accesses are on the disk, not in memory. A
/// builder stores its packs in it; finish() adds the sections. The packs come first in the file.
class WhorlStream final : public PackStore {
  public:
    /// Begins a file, which gets its name in finish(). `ofWindows`: the trace will consist of windows. Errors are those
    /// of MappedFile.
    static Expected<std::shared_ptr<WhorlStream>> create(const std::string& path, bool ofWindows = false);

    std::string_view keep(std::string_view pack) override;
    /// Why a pack could not be kept; nothing if all packs were kept.
    const std::optional<Error>& failure() const { return failure_; }

    /// Completes the file with a trace whose accesses are the kept ones. If the disk is full, drops as many of the last
    /// packs as the sections need space. Returns the number of accesses in the file.
    Expected<std::uint64_t> finish(const Trace& trace);

  private:
    explicit WhorlStream(std::unique_ptr<MappedFile> file);
    Expected<void> writeKnown(const Trace& trace);

    std::unique_ptr<MappedFile> file_;
    BlockWriter blocks_;
    std::string_view written_;  ///< bytes appended last, as mapped
    std::optional<Error> failure_;
};

}  // namespace whorl::sim
