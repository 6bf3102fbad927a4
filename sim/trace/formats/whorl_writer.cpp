#include "sim/trace/formats/whorl_writer.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/trace/address_dictionary.h"
#include "sim/trace/formats/whorl_sections.h"
#include "sim/trace/pack_codec.h"

namespace whorl::sim {

namespace {

template <class T>
std::string_view bytesOf(const T& value) {
    return {reinterpret_cast<const char*>(&value), sizeof value};
}

}  // namespace

Expected<void> BlockWriter::append(std::string_view bytes) {
    offset_ += bytes.size();
    return append_(bytes);
}

Expected<void> BlockWriter::begin(std::uint32_t extras) {
    FileHead head;
    head.extras = extras_ = extras;
    kWhorlMagic.copy(head.magic.data(), head.magic.size());
    return append(bytesOf(head));
}

Expected<void> BlockWriter::block(const BlockHead& head, std::string_view bytes) {
    index_.push_back({.offset = offset_, .first = head.first, .kind = head.kind, .accesses = head.accesses});
    return append(bytesOf(head)).and_then([&] { return append(bytes); });
}

Expected<void> BlockWriter::pack(std::string_view pack) {
    const std::uint32_t accesses = packHead(pack).accesses;
    const BlockHead head = headOf(BlockKind::pack, pack, accesses_, accesses);
    accesses_ += accesses;
    return block(head, pack);
}

Expected<void> BlockWriter::sections(const Trace& trace) {
    for (const WhorlSection& section : whorlSections()) {
        if (!section.isIn(extras_)) continue;
        const std::string bytes = packedSection(section, trace.parts());
        WHORL_TRY(block(headOf(section.kind, bytes), bytes));
    }
    return {};
}

Expected<void> BlockWriter::end() {
    Trailer trailer;
    trailer.index = offset_;
    kTrailerMagic.copy(trailer.magic.data(), trailer.magic.size());
    const std::string_view index(reinterpret_cast<const char*>(index_.data()), index_.size() * sizeof(BlockEntry));
    return append(bytesOf(headOf(BlockKind::index, index))).and_then([&] { return append(index); }).and_then([&] {
        return append(bytesOf(trailer));
    });
}

void BlockWriter::forgetFrom(std::uint64_t offset) {
    while (!index_.empty() && index_.back().offset >= offset) index_.pop_back();
    offset_ = offset;
}

namespace {

/// A part of a trace, packed.
struct PackedBatch {
    std::string dictionary;  ///< a dictionary that must precede the packs and has the next number; or empty
    std::vector<std::string> packs;
};

/// Packs the accesses of a trace for a file, as small as possible. Divides the trace into stretches; tries each without
/// a dictionary, with that of the stretches before it and, unless that one still serves well, with its own.
class TracePacker {
  public:
    explicit TracePacker(const Trace& trace) : trace_(&trace), cursor_(trace) {}

    bool done() const { return next_ == trace_->accesses().chunks(); }
    /// Packs the next stretch; nothing if it was cancelled. Progress advances by its accesses.
    std::optional<PackedBatch> next(Progress& progress);

  private:
    struct Attempt;
    struct Batch;
    struct Way;

    const Trace* trace_;
    TraceCursor cursor_;
    std::size_t next_ = 0;  ///< index of the next chunk
    AddressDictionary dictionary_;
    std::uint32_t number_ = 0;   ///< number of the dictionary; 0: none
    double bytesPerAccess_ = 0;  ///< with this dictionary, in the stretch that it was made for

    Batch taken(std::size_t chunks);
    static std::optional<PackedBatch> finished(Attempt& attempt, std::string dictionary, Progress& progress);
    static bool consider(const Way& way, const Batch& batch, std::optional<Attempt>& best, const Progress& progress);
    bool considerKnown(const Batch& batch, std::optional<Attempt>& best, const Progress& progress);
};

/// The length of a stretch, large enough that addresses that recur within 500,000 accesses recur in one stretch; its
/// accesses take 32 MB. A stretch is shorter if a dictionary for all of it would be too large; that of a stretch of one
/// pack never is.
constexpr std::size_t kBatchChunks = 4 * kMaxPackChunks;
static_assert(kMaxPackChunks * kMaxChunk <= 2 * AddressDictionary::kMaxEntries);
/// With fewer bytes per access than this, a stretch is regular: no other way would make it much smaller.
constexpr double kRegular = 0.03;
/// A dictionary serves well while packs are at most this many times as large as those that it was made for.
constexpr double kStillWell = 1.02;
/// With a dictionary and more bytes per access than this, decoding waits for memory and takes up to 3 ms a chunk. Packs
/// must then be small, so that a jump to any tick decodes few chunks.
constexpr double kSlow = 0.25;
constexpr std::size_t kSlowPackChunks = 2;

/// Consecutive accesses.
struct TracePacker::Batch {
    std::vector<PackedAccess> accesses;
    std::vector<std::uint64_t> stamps;  ///< one per access, or empty

    double size() const { return static_cast<double>(accesses.size()); }
    /// Adds the chunk that starts at an access. Returns the start of the next chunk.
    std::size_t addChunk(PackEncoder& encoder, std::size_t from) const {
        const std::size_t size = std::min(kMaxChunk, accesses.size() - from);
        encoder.add(std::span(accesses).subspan(from, size),
                    stamps.empty() ? std::span<const std::uint64_t>() : std::span(stamps).subspan(from, size));
        return from + size;
    }
};

/// A way to pack a stretch.
struct TracePacker::Way {
    const AddressDictionary* dictionary = nullptr;
    std::uint32_t number = 0;
    bool absolute = false;
    std::size_t dictionaryBytes = 0;  ///< size of a dictionary that is not in the file yet
};

/// A stretch quickly packed in one way.
struct TracePacker::Attempt {
    Way way;
    std::vector<PackEncoder> packs;
    std::size_t bytes = 0;

    std::size_t total() const { return bytes + way.dictionaryBytes; }
    /// Returns nothing if it was cancelled.
    static std::optional<Attempt> of(const Batch& batch, const Way& way, const Progress& progress) {
        std::optional<Attempt> attempt = of(batch, way, kMaxPackChunks, progress);
        const bool isSlow = attempt && way.dictionary != nullptr && attempt->isLarger(kSlow, batch);
        return isSlow ? of(batch, way, kSlowPackChunks, progress) : std::move(attempt);
    }
    bool isLarger(double bytesPerAccess, const Batch& batch) const {
        return static_cast<double>(bytes) > bytesPerAccess * batch.size();
    }

  private:
    static std::optional<Attempt> of(const Batch& batch, const Way& way, std::size_t packChunks,
                                     const Progress& progress) {
        Attempt attempt{.way = way, .packs = {}};
        std::optional<AddressFinder> finder;
        if (way.dictionary != nullptr) finder.emplace(way.dictionary->entries());
        for (std::size_t at = 0; at < batch.accesses.size();) {
            if (progress.cancelled()) return std::nullopt;
            PackEncoder& encoder = attempt.packs.emplace_back();
            encoder.start({.dictionary = way.dictionary, .finder = finder ? &*finder : nullptr, .number = way.number},
                          way.absolute);
            for (std::size_t c = 0; c < packChunks && at < batch.accesses.size(); ++c) {
                at = batch.addChunk(encoder, at);
            }
            attempt.bytes += encoder.finish(Effort::quick).size();
        }
        return attempt;
    }
};

TracePacker::Batch TracePacker::taken(std::size_t chunks) {
    Batch batch;
    const std::size_t end = std::min(next_ + chunks, trace_->accesses().chunks());
    for (; next_ < end; ++next_) {
        const auto stamps = cursor_.stamps(next_);
        // Chunks without stamps may precede chunks with stamps.
        if (!stamps.empty()) batch.stamps.resize(batch.accesses.size());
        batch.stamps.insert(batch.stamps.end(), stamps.begin(), stamps.end());
        const auto accesses = cursor_.chunk(next_);
        batch.accesses.insert(batch.accesses.end(), accesses.begin(), accesses.end());
    }
    if (!batch.stamps.empty()) batch.stamps.resize(batch.accesses.size());
    return batch;
}

/// Tries a way, and keeps the result if it is smaller than the best one so far. False if it was cancelled.
bool TracePacker::consider(const Way& way, const Batch& batch, std::optional<Attempt>& best, const Progress& progress) {
    std::optional<Attempt> attempt = Attempt::of(batch, way, progress);
    if (!attempt) return false;
    if (!best || attempt->total() < best->total()) best = std::move(attempt);
    return true;
}

/// Tries the ways without a new dictionary. False if it was cancelled.
bool TracePacker::considerKnown(const Batch& batch, std::optional<Attempt>& best, const Progress& progress) {
    if (!consider({}, batch, best, progress)) return false;
    if (!best->isLarger(kRegular, batch)) return true;
    if (!consider({.absolute = true}, batch, best, progress)) return false;
    return number_ == 0 ||
           consider({.dictionary = &dictionary_, .number = number_, .absolute = true}, batch, best, progress);
}

std::optional<PackedBatch> TracePacker::next(Progress& progress) {
    const std::size_t from = next_;
    for (std::size_t chunks = kBatchChunks;; chunks /= 2) {
        next_ = from;
        const Batch batch = taken(chunks);
        std::optional<Attempt> best;
        if (!considerKnown(batch, best, progress)) return std::nullopt;
        if (!best->isLarger(std::max(kRegular, kStillWell * bytesPerAccess_), batch)) {
            return finished(*best, {}, progress);
        }
        AddressDictionary fresh = AddressDictionary::of(batch.accesses);
        if (fresh.entries().size() > AddressDictionary::kMaxEntries) continue;
        const Way way{.dictionary = &fresh,
                      .number = number_ + 1,
                      .absolute = true,
                      .dictionaryBytes = fresh.packed(Effort::quick).size()};
        if (!consider(way, batch, best, progress)) return std::nullopt;
        if (best->way.dictionary != &fresh) return finished(*best, {}, progress);
        dictionary_ = std::move(fresh);
        ++number_;
        bytesPerAccess_ = static_cast<double>(best->bytes) / batch.size();
        return finished(*best, dictionary_.packed(Effort::thorough), progress);
    }
}

/// Packs the stretch thoroughly in the chosen way.
std::optional<PackedBatch> TracePacker::finished(Attempt& attempt, std::string dictionary, Progress& progress) {
    PackedBatch out{.dictionary = std::move(dictionary), .packs = {}};
    for (PackEncoder& pack : attempt.packs) {
        if (progress.cancelled()) return std::nullopt;
        out.packs.push_back(pack.finish(Effort::thorough));
        progress.advance(packHead(out.packs.back()).accesses);
    }
    return out;
}

class WhorlWriter {
  public:
    WhorlWriter(const Trace& trace, ByteSink& sink, Progress& progress)
        : trace_(trace), progress_(progress), blocks_([&sink](std::string_view bytes) { return sink.write(bytes); }) {}

    Expected<void> write() {
        // Sections come before the accesses, so that a truncated file still has them.
        return blocks_.begin(extrasOf(trace_.parts()))
            .and_then([this] { return blocks_.sections(trace_); })
            .and_then([this] { return writeAccesses(); })
            .and_then([this] { return blocks_.end(); });
    }

  private:
    const Trace& trace_;
    Progress& progress_;
    BlockWriter blocks_;
    std::uint64_t dictionaries_ = 0;

    Expected<void> writeAccesses() {
        progress_.start(trace_.size());
        for (TracePacker packer(trace_); !packer.done();) {
            const auto batch = packer.next(progress_);
            if (!batch) return tl::unexpected(Error::byUser());
            WHORL_TRY(writeDictionary(batch->dictionary));
            for (const std::string& pack : batch->packs) {
                WHORL_TRY(blocks_.pack(pack));
            }
        }
        return {};
    }

    Expected<void> writeDictionary(const std::string& dictionary) {
        if (dictionary.empty()) return {};
        return blocks_.block(headOf(BlockKind::dictionary, dictionary, ++dictionaries_), dictionary);
    }
};

}  // namespace

Expected<void> writeWhorl(const Trace& trace, ByteSink& sink, Progress& progress) {
    return WhorlWriter(trace, sink, progress).write();
}

Expected<std::unique_ptr<MappedFile>> MappedFile::create(const std::string& path) {
    const auto target = WHORL_TRY(outputTarget(path));
    if (target.kind != OutputTarget::Kind::file) {
        return fail(target.name, "this is not a file", "name a file that can be read while it is written");
    }
    auto part = WHORL_TRY(PartFile::forTarget(target));
    std::unique_ptr<MappedFile> made(new MappedFile(std::move(part), target.name));
    // Reserve many addresses: they cost nothing, but a limited process may have to settle for fewer.
    for (std::uint64_t room = std::uint64_t{1} << 40; room >= std::uint64_t{1} << 28; room /= 4) {
        void* const mapped = mmap(nullptr, room, PROT_READ, MAP_SHARED | MAP_NORESERVE, made->file_->descriptor(), 0);
        if (mapped == MAP_FAILED) continue;
        made->bytes_ = static_cast<const char*>(mapped);
        made->room_ = room;
        return made;
    }
    return fail(target.name, "it cannot be mapped into memory", "allow the process more addresses (ulimit -v)");
}

MappedFile::~MappedFile() {
    if (bytes_ != nullptr) munmap(const_cast<char*>(bytes_), room_);
}

Expected<std::string_view> MappedFile::append(std::string_view bytes) {
    if (bytes.size() > room_ - size_) return fail(name_, "the file is longer than this process can map");
    for (std::size_t done = 0; done < bytes.size();) {
        const ssize_t n =
            pwrite(file_->descriptor(), bytes.data() + done, bytes.size() - done, static_cast<off_t>(size_ + done));
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) {
            const std::string why = whyNotWritten(errno);
            WHORL_TRY(truncate(size_));
            return fail(name_, why);
        }
        done += static_cast<std::size_t>(n);
    }
    size_ += bytes.size();
    return std::string_view(bytes_ + size_ - bytes.size(), bytes.size());
}

Expected<void> MappedFile::truncate(std::uint64_t size) {
    if (ftruncate(file_->descriptor(), static_cast<off_t>(size)) != 0) return fail(name_, whyNotWritten(errno));
    size_ = size;
    return {};
}

void MappedFile::forget() const {
    madvise(const_cast<char*>(bytes_), size_, MADV_DONTNEED);
}

WhorlStream::WhorlStream(std::unique_ptr<MappedFile> file)
    : file_(std::move(file)), blocks_([this](std::string_view bytes) {
          return file_->append(bytes).map([this](std::string_view where) { written_ = where; });
      }) {}

Expected<std::shared_ptr<WhorlStream>> WhorlStream::create(const std::string& path, bool ofWindows) {
    auto file = WHORL_TRY(MappedFile::create(path));
    std::shared_ptr<WhorlStream> made(new WhorlStream(std::move(file)));
    std::uint32_t extras =
        sectionOf(BlockKind::names).bit | sectionOf(BlockKind::syncs).bit | sectionOf(BlockKind::calls).bit;
    if (ofWindows) extras |= sectionOf(BlockKind::windows).bit;
    WHORL_TRY(made->blocks_.begin(extras));
    return made;
}

std::string_view WhorlStream::keep(std::string_view pack) {
    const std::uint64_t before = blocks_.offset();
    if (auto kept = blocks_.pack(pack); !kept) {
        failure_ = kept.error();
        blocks_.forgetFrom(before);
        if (auto undone = file_->truncate(before); !undone) failure_ = undone.error();
        return {};
    }
    return written_;
}

Expected<void> WhorlStream::writeKnown(const Trace& trace) {
    return blocks_.sections(trace).and_then([this] { return blocks_.end(); });
}

Expected<std::uint64_t> WhorlStream::finish(const Trace& trace) {
    std::uint64_t end = blocks_.offset();
    std::uint64_t kept = trace.size();
    auto written = writeKnown(trace);
    while (!written) {
        blocks_.forgetFrom(end);
        // Drop the last pack to make room.
        const std::uint64_t last = blocks_.lastBlock();
        if (last >= end) return tl::unexpected(written.error());
        end = last;
        blocks_.forgetFrom(end);
        kept -= std::min<std::uint64_t>(kept, kept % kMaxChunk == 0 ? kMaxChunk : kept % kMaxChunk);
        WHORL_TRY(file_->truncate(end));
        written = writeKnown(trace);
    }
    return file_->publish().map([&] { return kept; });
}

}  // namespace whorl::sim
