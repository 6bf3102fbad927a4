#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

#include "sim/trace/formats/whorl_file.h"
#include "sim/trace/formats/whorl_format.h"
#include "sim/trace/timing_filter.h"

namespace whorl::sim {
namespace {

/// Ranges of lost accesses listed individually.
constexpr std::size_t kRangesTold = 8;

/// An intact chunk.
struct FoundChunk {
    std::uint64_t first = 0;
    std::uint32_t accesses = 0;
    std::string_view bytes;

    std::uint64_t end() const { return first + accesses; }
};

/// Scans the blocks of a file and collects the intact ones.
class WhorlFile {
  public:
    WhorlFile(std::string_view file, std::uint32_t extras) : file_(file), extras_(extras) {}

    void find() {
        std::size_t at = sizeof(FileHead);
        while (at < file_.size()) {
            BlockHead head;
            if (!readHead(file_.substr(at), head)) {
                // The trailer or damage: search for the sync bytes of the next head.
                at = nextHead(at + 1);
                continue;
            }
            const std::string_view bytes = file_.substr(at + sizeof head).substr(0, head.bytes);
            const bool whole = bytes.size() == head.bytes && checksumOf(bytes) == head.checksum;
            if (whole) addBlock(head, bytes);
            // A damaged block may have lost bytes, so its length is not reliable.
            at = whole ? at + sizeof head + bytes.size() : nextHead(at + 1);
        }
        std::sort(chunks_.begin(), chunks_.end(),
                  [](const FoundChunk& a, const FoundChunk& b) { return a.first < b.first; });
        readSections();
        dropOverlaps();
    }

    const std::vector<FoundChunk>& chunks() const { return chunks_; }
    TraceParts& parts() { return parts_; }
    bool has(BlockKind section) const { return has_[indexOf(section)]; }
    /// Whether nothing is missing and the chunks have the sizes that Trace requires.
    bool whole() const {
        for (std::size_t i = 0; i < kSections; ++i) {
            if (isMissing(i)) return false;
        }
        if (parts_.regions.empty()) return false;
        for (std::size_t i = 0; i < chunks_.size(); ++i) {
            if (chunks_[i].first != i * Trace::kChunk) return false;
        }
        return !chunks_.empty() && chunks_.back().end() == parts_.size;
    }
    /// Removes a chunk with valid checksums that cannot be decoded.
    void drop(std::size_t chunk) { chunks_.erase(chunks_.begin() + static_cast<std::ptrdiff_t>(chunk)); }

    /// Adds what is lost to the parts' losses.
    void tellLosses();

    /// The new tick of a point in time when the lost accesses are left out.
    Tick movedUp(Tick t) const {
        std::uint64_t before = 0;
        for (const FoundChunk& c : chunks_) {
            if (c.first >= t.value) break;
            before += std::min<std::uint64_t>(t.value - c.first, c.accesses);
        }
        return Tick{before};
    }

  private:
    static constexpr std::size_t kSections =
        static_cast<std::size_t>(kLastSection) - static_cast<std::size_t>(kFirstSection) + 1;

    std::string_view file_;
    std::uint32_t extras_;  ///< from the file's head
    std::vector<FoundChunk> chunks_;
    std::array<std::string_view, kSections> sections_;
    std::array<bool, kSections> has_{};
    TraceParts parts_;

    static std::size_t indexOf(BlockKind section) {
        return static_cast<std::size_t>(section) - static_cast<std::size_t>(kFirstSection);
    }

    static BlockKind sectionAt(std::size_t index) {
        return static_cast<BlockKind>(static_cast<std::size_t>(kFirstSection) + index);
    }
    /// Whether a section that the file should have could not be read.
    bool isMissing(std::size_t index) const {
        const std::uint32_t bit = extraBit(sectionAt(index));
        return !has_[index] && (bit == 0 || (extras_ & bit) != 0);
    }

    std::size_t nextHead(std::size_t from) const {
        const std::uint32_t sync = BlockHead{}.sync;
        char text[sizeof sync];
        std::memcpy(text, &sync, sizeof sync);
        return std::min(file_.find(std::string_view(text, sizeof text), from), file_.size());
    }

    void addBlock(const BlockHead& head, std::string_view bytes) {
        if (head.kind == BlockKind::chunk) {
            const std::uint32_t accesses = chunkHead(bytes).accesses;
            if (accesses == 0 || accesses != head.accesses || head.first > ~std::uint64_t{0} - accesses) return;
            chunks_.push_back({.first = head.first, .accesses = accesses, .bytes = bytes});
        } else if (head.kind >= kFirstSection && head.kind <= kLastSection) {
            sections_[indexOf(head.kind)] = bytes;
        }
    }

    void readSections() {
        for (std::size_t i = 0; i < kSections; ++i) {
            has_[i] = readSection(sectionAt(i), sections_[i], parts_);
        }
    }

    void dropOverlaps() {
        std::uint64_t end = 0;
        std::erase_if(chunks_, [&](const FoundChunk& c) {
            if (c.first < end) return true;
            end = c.end();
            return false;
        });
    }
};

void WhorlFile::tellLosses() {
    std::vector<std::string>& told = parts_.losses;
    for (std::size_t i = 0; i < kSections; ++i) {
        if (!isMissing(i)) continue;
        const BlockKind kind = sectionAt(i);
        const bool foundAgain = kind == BlockKind::regions || kind == BlockKind::footprint;
        told.push_back(
            fmt::format("{} of the file {}", nameOf(kind),
                        foundAgain ? "could not be read: recomputed from the accesses" : "could not be read"));
    }
    std::uint64_t next = 0;
    std::size_t ranges = 0;
    for (const FoundChunk& c : chunks_) {
        if (c.first > next && ++ranges <= kRangesTold) {
            told.push_back(
                fmt::format("accesses {} to {} are lost; the accesses after them move up", next, c.first - 1));
        }
        next = c.end();
    }
    if (ranges > kRangesTold) told.push_back(fmt::format("{} more ranges of accesses are lost", ranges - kRangesTold));
    if (has(BlockKind::about) && next < parts_.size) {
        told.push_back(fmt::format("the last {} of {} accesses are lost", parts_.size - next, parts_.size));
    } else if (!has(BlockKind::about)) {
        told.push_back("it is unknown whether accesses are lost at the end");
    }
}

Expected<WhorlFile> opened(std::string_view file, const std::string& name) {
    FileHead head;
    std::memcpy(&head, file.data(), std::min(sizeof head, file.size()));
    if (file.size() >= sizeof head && head.version != kWhorlVersion) {
        return fail(
            name, fmt::format("this is a .whorl file of version {}", head.version),
            fmt::format("this version of Whorl reads version {}; record the program again, or use a newer Whorl",
                        kWhorlVersion));
    }
    WhorlFile found(file, head.extras);
    found.find();
    return found;
}

tl::unexpected<Error> nothingWhole(const std::string& name) {
    return fail(name, "there are no intact accesses in it", "the file is damaged or incomplete");
}

/// Decodes the remaining chunks and rebuilds the trace: the chunks of a damaged file do not have the required sizes.
Expected<Trace> rebuilt(WhorlFile& file, const std::string& name) {
    TraceBuilder builder(name);
    ChunkDecoder decoder;
    TimingFilter timing(file.parts().timing);
    for (std::size_t i = 0; i < file.chunks().size();) {
        const FoundChunk& chunk = file.chunks()[i];
        const auto accesses = decoder.decode(chunk.bytes, ~std::uint32_t{0});
        if (accesses.empty()) {
            file.drop(i);
            continue;
        }
        const auto stamps = decoder.decodeStamps(chunk.bytes);
        for (std::size_t a = 0; a < accesses.size(); ++a) {
            Access access = accesses[a].unpack();
            if (access.site.value >= file.parts().sites.size()) access.site = SiteId{};
            timing.keep(Tick{chunk.first + a}, access.cpu, Tick{builder.size()});
            if (stamps.empty()) {
                builder.add(access);
            } else {
                builder.add(access, stamps[a]);
            }
        }
        ++i;
    }
    if (builder.size() == 0) return nothingWhole(name);
    file.tellLosses();
    TraceParts parts = std::move(file.parts());
    parts.timing = timing.take();
    parts.instructions = 0;  // those of the lost accesses are unknown
    if (!file.has(BlockKind::about)) parts.name = name;
    for (Mark& m : parts.marks) m.at = file.movedUp(m.at);
    for (Object& o : parts.objects) {
        o.born = file.movedUp(o.born);
        if (o.died.value != ~std::uint64_t{0}) o.died = file.movedUp(o.died);
    }
    const bool regionsKnown = file.has(BlockKind::regions) && !parts.regions.empty();
    std::vector<Region> regions = std::move(parts.regions);
    builder.adopt(std::move(parts));
    return regionsKnown ? builder.finishWith(std::move(regions)) : builder.finish();
}

}  // namespace

bool likeWhorl(std::string_view bytes) {
    return bytes.starts_with(kWhorlMagic);
}

Expected<Trace> traceOf(std::string_view bytes, const std::string& name) {
    auto file = opened(bytes, name);
    if (!file) return tl::unexpected(file.error());
    if (file->chunks().empty()) return nothingWhole(name);
    if (!file->whole()) return rebuilt(*file, name);
    TraceParts parts = std::move(file->parts());
    std::vector<std::string> chunks;
    chunks.reserve(file->chunks().size());
    for (const FoundChunk& c : file->chunks()) chunks.emplace_back(c.bytes);
    parts.chunks = std::make_shared<const std::vector<std::string>>(std::move(chunks));
    return Trace(std::move(parts));
}

Expected<std::vector<std::string>> streamWhorl(std::string_view bytes, const std::string& name, TraceBuilder& builder,
                                               const Progress& progress) {
    auto file = opened(bytes, name);
    if (!file) return tl::unexpected(file.error());
    ChunkDecoder decoder;
    for (std::size_t i = 0; i < file->chunks().size();) {
        if (progress.cancelled()) return tl::unexpected(Error::byUser());
        const auto accesses = decoder.decode(file->chunks()[i].bytes, ~std::uint32_t{0});
        for (const PackedAccess& a : accesses) {
            const bool isKnown = a.site().value < file->parts().sites.size();
            builder.add(isKnown ? a : PackedAccess(a.address(), SiteId{}, a.rest()));
        }
        if (accesses.empty()) {
            file->drop(i);
        } else {
            ++i;
        }
    }
    if (builder.size() == 0) return nothingWhole(name);
    builder.keep(std::move(file->parts().timing));
    if (file->whole()) builder.instructions(file->parts().instructions);
    if (!file->whole()) file->tellLosses();
    return std::move(file->parts().losses);
}

}  // namespace whorl::sim
