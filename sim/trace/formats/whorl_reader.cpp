#include "sim/trace/formats/whorl_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <new>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/trace/formats/reading.h"
#include "sim/trace/formats/trace_formats.h"
#include "sim/trace/formats/whorl_format.h"
#include "sim/trace/formats/whorl_sections.h"
#include "sim/trace/timing.h"
#include "sim/trace/trace_passes.h"

namespace whorl::sim {
namespace {

/// The maximum number of ranges of lost accesses that are listed individually.
constexpr std::size_t kMaxRangesNamed = 8;

/// An intact pack.
struct FoundPack {
    std::uint64_t first = 0;
    std::uint32_t accesses = 0;
    std::uint32_t dictionary = 0;  ///< number of the dictionary that it needs; 0: none
    std::uint64_t before = 0;      ///< accesses decoded from the packs before it, once all are decoded
    std::string_view bytes;

    std::uint64_t end() const { return first + accesses; }
};

/// Checksums of many parts of a file. In a damaged file, bytes that look like block heads may claim any size, so that
/// computing each checksum separately would take quadratic time.
class RangeChecksums {
  public:
    explicit RangeChecksums(std::string_view file) : file_(file) {}

    /// The checksum of a part of the file. If `isOneOfMany`, sums for the whole file are computed first, once.
    std::uint32_t of(std::string_view part, bool isOneOfMany) {
        if (!isOneOfMany || part.size() <= 2 * kStep) return checksumOf(part);
        const auto from = static_cast<std::size_t>(part.data() - file_.data());
        return checksumAfter(upTo(from), upTo(from + part.size()), part.size());
    }

  private:
    static constexpr std::size_t kStep = 512;  ///< bytes

    std::string_view file_;
    std::vector<std::uint32_t> sums_;  ///< by n: checksum of the first n steps of the file

    /// The checksum of the first bytes of the file.
    std::uint32_t upTo(std::size_t end) {
        if (sums_.empty()) {
            sums_.reserve(file_.size() / kStep + 1);
            sums_.push_back(checksumOf({}));
            for (std::size_t at = 0; at + kStep <= file_.size(); at += kStep) {
                sums_.push_back(checksumOf(file_.substr(at, kStep), sums_.back()));
            }
        }
        const std::size_t whole = end / kStep;
        return checksumOf(file_.substr(whole * kStep, end % kStep), sums_[whole]);
    }
};

/// Scans the blocks of a file and collects the intact ones.
class WhorlFile {
  public:
    WhorlFile(std::string_view file, std::uint32_t extras, MemoryBudget& budget)
        : file_(file), extras_(extras), budget_(budget), checksums_(file) {
        for (const WhorlSection& section : whorlSections()) sections_[section.kind] = {};
    }

    void find() {
        std::size_t at = sizeof(FileHead);
        bool isDamaged = false;
        while (at < file_.size()) {
            BlockHead head;
            if (!readHead(file_.substr(at), head)) {
                // The trailer or damage: search for the sync bytes of the next head.
                at = nextHead(at + 1);
                continue;
            }
            const std::string_view bytes = file_.substr(at + sizeof head).substr(0, head.bytes);
            const bool whole = bytes.size() == head.bytes && checksums_.of(bytes, isDamaged) == head.checksum;
            if (whole) addBlock(head, bytes);
            isDamaged = isDamaged || !whole;
            // A damaged block may have lost bytes, so its length is not reliable.
            at = whole ? at + sizeof head + bytes.size() : nextHead(at + 1);
        }
        std::stable_sort(packs_.begin(), packs_.end(),
                         [](const FoundPack& a, const FoundPack& b) { return a.first < b.first; });
        readSections();
        dropWithoutDictionary();
        dropOverlaps();
    }

    const std::vector<FoundPack>& packs() const { return packs_; }
    /// The number of accesses in all packs.
    std::uint64_t accesses() const {
        return std::accumulate(packs_.begin(), packs_.end(), std::uint64_t{0},
                               [](std::uint64_t sum, const FoundPack& p) { return sum + p.accesses; });
    }
    TraceParts& parts() { return parts_; }
    bool has(BlockKind section) const { return read_.contains(section); }
    /// Whether nothing is missing and the packs have the sizes that Trace requires.
    bool whole() const {
        if (std::any_of(whorlSections().begin(), whorlSections().end(),
                        [&](const WhorlSection& s) { return isMissing(s); })) {
            return false;
        }
        if (parts_.regions.empty()) return false;
        if (!dictionaries_.empty() && dictionaries_.rbegin()->first != dictionaries_.size()) return false;
        std::uint64_t next = 0;
        for (const FoundPack& p : packs_) {
            if (p.first != next || next % Trace::kChunk != 0) return false;
            next = p.end();
        }
        return next > 0 && next == parts_.size;
    }
    /// The intact packs with their dictionaries, if the file is whole.
    PackedAccesses packed() const;
    /// Decodes all packs, calling f(Tick, accesses, stamps) for each chunk until it returns false. A pack that has
    /// valid checksums but cannot be decoded is shortened to the chunks that can. False if f returned false.
    template <class F>
    bool decode(F&& f);

    /// Whether all packs decode to the number of accesses that they declare: a checksum may be right although the
    /// content is not.
    bool decodes(Progress& progress);

    /// Adds a description of what is lost to the parts' losses.
    void tellLosses();

    /// The new tick of a point in time when the lost accesses are left out.
    Tick movedUp(Tick t) const {
        const auto above = std::upper_bound(packs_.begin(), packs_.end(), t.value,
                                            [](std::uint64_t tick, const FoundPack& p) { return tick < p.first; });
        if (above == packs_.begin()) return Tick{0};
        const FoundPack& p = *std::prev(above);
        return Tick{p.before + std::min<std::uint64_t>(t.value - p.first, p.accesses)};
    }

  private:
    std::string_view file_;
    std::uint32_t extras_;  ///< from the file's head
    MemoryBudget& budget_;
    RangeChecksums checksums_;
    std::vector<FoundPack> packs_;
    std::map<std::uint64_t, std::string_view> dictionaries_;  ///< by number
    std::map<BlockKind, std::string_view> sections_;
    std::set<BlockKind> read_;  ///< sections read
    TraceParts parts_;

    /// Whether a section that the file should have was not read.
    bool isMissing(const WhorlSection& section) const { return section.isIn(extras_) && !has(section.kind); }

    std::size_t nextHead(std::size_t from) const {
        const std::uint32_t sync = BlockHead{}.sync;
        char text[sizeof sync];
        std::memcpy(text, &sync, sizeof sync);
        return std::min(file_.find(std::string_view(text, sizeof text), from), file_.size());
    }

    std::optional<AddressDictionary> dictionary(std::uint32_t number) const {
        const auto found = dictionaries_.find(number);
        return found == dictionaries_.end() ? std::nullopt : AddressDictionary::unpacked(found->second);
    }

    void addBlock(const BlockHead& head, std::string_view bytes) {
        if (head.kind == BlockKind::pack) {
            const auto [accesses, dictionary, stamped] = packHead(bytes);
            if (accesses == 0 || accesses != head.accesses || head.first > ~std::uint64_t{0} - accesses) return;
            packs_.push_back({.first = head.first, .accesses = accesses, .dictionary = dictionary, .bytes = bytes});
        } else if (head.kind == BlockKind::dictionary) {
            if (head.first > 0) dictionaries_.emplace(head.first, bytes);
        } else if (const auto section = sections_.find(head.kind); section != sections_.end()) {
            section->second = bytes;
        }
    }

    void readSections() {
        for (const WhorlSection& section : whorlSections()) {
            if (readSection(section, sections_[section.kind], parts_, budget_)) read_.insert(section.kind);
        }
    }

    /// Drops packs whose dictionary is lost, and packs that refer to an earlier dictionary than a pack before them:
    /// Whorl never writes such a pack, and unpacking dictionaries back and forth would take excessive time.
    void dropWithoutDictionary() {
        std::uint32_t last = 0;
        std::erase_if(packs_, [&](const FoundPack& p) {
            if (p.dictionary == 0) return false;
            if (p.dictionary < last || dictionaries_.find(p.dictionary) == dictionaries_.end()) return true;
            last = p.dictionary;
            return false;
        });
    }

    void dropOverlaps() {
        std::uint64_t end = 0;
        std::erase_if(packs_, [&](const FoundPack& c) {
            if (c.first < end) return true;
            end = c.end();
            return false;
        });
    }
};

PackedAccesses WhorlFile::packed() const {
    PackedAccesses packed;
    for (const auto& [number, bytes] : dictionaries_) packed.addDictionary(std::string(bytes));
    for (const FoundPack& p : packs_) packed.add(std::string(p.bytes));
    return packed;
}

template <class F>
bool WhorlFile::decode(F&& f) {
    PackDecoder decoder;
    std::uint32_t number = 0;
    std::uint64_t before = 0;
    std::optional<AddressDictionary> known;
    for (FoundPack& pack : packs_) {
        if (pack.dictionary != 0 && pack.dictionary != std::exchange(number, pack.dictionary)) {
            known = dictionary(number);
        }
        const auto stamps = decoder.decodeStamps(pack.bytes);
        const bool opened =
            decoder.open(pack.bytes, ~std::uint32_t{0}, kMaxCpus, pack.dictionary != 0 && known ? &*known : nullptr);
        std::uint32_t decoded = 0;
        while (opened) {
            const auto accesses = decoder.next();
            if (accesses.empty()) break;
            const auto theirs = stamps.empty() ? stamps : stamps.subspan(decoded, accesses.size());
            if (!f(Tick{pack.first + decoded}, accesses, theirs)) return false;
            decoded += static_cast<std::uint32_t>(accesses.size());
        }
        pack.accesses = decoded;
        pack.before = std::exchange(before, before + decoded);
    }
    std::erase_if(packs_, [](const FoundPack& p) { return p.accesses == 0; });
    return true;
}

bool WhorlFile::decodes(Progress& progress) {
    std::uint64_t decoded = 0;
    progress.start(accesses());
    decode([&](Tick, std::span<const PackedAccess> accesses, auto) {
        decoded += accesses.size();
        progress.setDone(decoded);
        return !progress.cancelled();
    });
    return decoded == parts_.size;
}

void WhorlFile::tellLosses() {
    std::vector<std::string>& losses = parts_.losses;
    for (const WhorlSection& section : whorlSections()) {
        if (!isMissing(section)) continue;
        losses.push_back(fmt::format(
            "{} of the file {}", section.content,
            section.isFoundAgain ? "could not be read: recomputed from the accesses" : "could not be read"));
    }
    std::uint64_t next = 0;
    std::size_t ranges = 0;
    for (const FoundPack& p : packs_) {
        if (p.first > next && ++ranges <= kMaxRangesNamed) {
            losses.push_back(
                fmt::format("accesses {} to {} are lost; the accesses after them move up", next, p.first - 1));
        }
        next = p.end();
    }
    if (ranges > kMaxRangesNamed)
        losses.push_back(fmt::format("{} more ranges of accesses are lost", ranges - kMaxRangesNamed));
    if (has(BlockKind::about) && next < parts_.size) {
        losses.push_back(fmt::format("the last {} of {} accesses are lost", parts_.size - next, parts_.size));
    } else if (!has(BlockKind::about)) {
        losses.push_back("it is unknown whether accesses are lost at the end");
    }
}

Expected<WhorlFile> opened(std::string_view file, const std::string& name, MemoryBudget& budget) {
    FileHead head;
    std::memcpy(&head, file.data(), std::min(sizeof head, file.size()));
    if (file.size() >= sizeof head && (head.version == 0 || head.version > kWhorlVersion)) {
        return fail(
            name, fmt::format("this is a .whorl file of version {}", head.version),
            fmt::format("this version of Whorl reads versions 1 to {}; record the program again, or use a newer Whorl",
                        kWhorlVersion));
    }
    WhorlFile found(file, head.extras, budget);
    found.find();
    if (budget.exceeded()) return tl::unexpected(budget.error(name));
    return found;
}

tl::unexpected<Error> nothingWhole(const std::string& name) {
    return fail(name, "there are no intact accesses in it", "the file is damaged or incomplete");
}

/// Decodes the remaining packs and rebuilds the trace: the packs of a damaged file do not have the required sizes.
Expected<Trace> rebuilt(WhorlFile& file, const std::string& name, MemoryBudget& budget, Progress& progress) {
    TraceBuilder builder(name);
    builder.limitMemory(budget.left());
    TimingFilter timing(file.parts().timing);
    progress.start(file.accesses());
    const bool finished =
        file.decode([&](Tick first, std::span<const PackedAccess> accesses, std::span<const std::uint64_t> stamps) {
            if (progress.cancelled() || builder.isBeyondMemory()) return false;
            progress.advance(accesses.size());
            for (std::size_t a = 0; a < accesses.size(); ++a) {
                Access access = accesses[a].unpack();
                if (access.site.value >= file.parts().sites.size()) access.site = SiteId{};
                timing.keep(Tick{first.value + a}, access.cpu, Tick{builder.size()});
                if (stamps.empty()) {
                    builder.add(access);
                } else {
                    builder.add(access, stamps[a]);
                }
            }
            return true;
        });
    if (builder.isBeyondMemory()) {
        budget.take(builder.bytes());
        return tl::unexpected(budget.error(name));
    }
    if (!finished) return tl::unexpected(Error::byUser());
    if (builder.size() == 0) return nothingWhole(name);
    file.tellLosses();
    TraceParts parts = std::move(file.parts());
    parts.timing = timing.take();
    parts.instructions = 0;  // the instructions of the lost accesses are unknown
    if (!file.has(BlockKind::about)) parts.name = name;
    parts.syncs.reset();    // an order based on the remaining ones could be wrong
    parts.windows.reset();  // the remaining parts of windows are no windows
    parts.excerpt.reset();  // what is known of its misses belongs to all of its accesses
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

/// Bytes that grow in place: a string of a gigabyte would be zeroed, and copied whenever it grows.
class GrowingBytes {
  public:
    std::string_view view() const { return {bytes_.get(), size_}; }
    /// Room for more, at least a part; what is read there is then to be added.
    std::span<char> room() {
        constexpr std::size_t kPart = std::size_t{1} << 20;
        if (capacity_ - size_ < kPart) {
            const std::size_t wanted = std::max(2 * capacity_, size_ + kPart);
            char* const grown = static_cast<char*>(std::realloc(bytes_.get(), wanted));
            if (grown == nullptr) throw std::bad_alloc();
            static_cast<void>(bytes_.release());
            bytes_.reset(grown);
            capacity_ = wanted;
        }
        return {bytes_.get() + size_, kPart};
    }
    void add(std::size_t n) { size_ += n; }

  private:
    struct Free {
        void operator()(char* bytes) const { std::free(bytes); }
    };
    std::unique_ptr<char[], Free> bytes_;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
};

/// All bytes of a file, which must fit into memory.
Expected<GrowingBytes> allOf(ByteSource& source, const Reading& reading) {
    GrowingBytes bytes;
    while (true) {
        if (reading.progress.cancelled()) return tl::unexpected(Error::byUser());
        const std::size_t n = WHORL_TRY(source.read(bytes.room()));
        if (n == 0) return bytes;
        bytes.add(n);
        if (!reading.budget.take(n)) return tl::unexpected(reading.budget.error(reading.name));
    }
}

}  // namespace

bool likeWhorl(std::string_view begin) {
    return begin.starts_with(kWhorlMagic);
}

Expected<void> readWhorl(const Reading& reading, ByteSource& source) {
    const GrowingBytes bytes = WHORL_TRY(allOf(source, reading));
    const std::string_view file = bytes.view();
    if (!reading.builder.streams()) {
        return traceOf(file, reading.name, reading.budget, reading.progress).map([&](Trace trace) {
            reading.whole = std::move(trace);
        });
    }
    auto losses = WHORL_TRY(streamWhorl(file, reading.name, reading.builder, reading.budget, reading.progress));
    for (std::string& loss : losses) reading.builder.lost(std::move(loss));
    return {};
}

Expected<Trace> traceOf(std::string_view bytes, const std::string& name, MemoryBudget& budget, Progress& progress) {
    auto file = WHORL_TRY(opened(bytes, name, budget));
    if (file.packs().empty()) return nothingWhole(name);
    if (!file.whole() || !file.decodes(progress)) return rebuilt(file, name, budget, progress);
    if (!budget.take(bytes.size())) return tl::unexpected(budget.error(name));
    TraceParts parts = std::move(file.parts());
    parts.accesses = std::make_shared<const PackedAccesses>(file.packed());
    if (!file.has(BlockKind::footprint)) {
        progress.start(parts.size);
        auto footprint = footprintOf(parts, progress);
        if (!footprint) return tl::unexpected(Error::byUser());
        parts.footprint = *std::move(footprint);
    }
    return Trace(std::move(parts));
}

Expected<std::vector<std::string>> streamWhorl(std::string_view bytes, const std::string& name, TraceBuilder& builder,
                                               MemoryBudget& budget, Progress& progress) {
    auto file = WHORL_TRY(opened(bytes, name, budget));
    progress.start(file.accesses());
    const bool finished = file.decode([&](Tick, std::span<const PackedAccess> accesses, auto) {
        if (progress.cancelled()) return false;
        progress.advance(accesses.size());
        for (const PackedAccess& a : accesses) {
            const bool isKnown = a.site().value < file.parts().sites.size();
            builder.add(isKnown ? a : PackedAccess(a.address(), SiteId{}, a.rest()));
        }
        return true;
    });
    if (!finished) return tl::unexpected(Error::byUser());
    if (builder.size() == 0) return nothingWhole(name);
    builder.keep(std::move(file.parts().timing));
    if (file.whole()) builder.instructions(file.parts().instructions);
    if (!file.whole()) file.tellLosses();
    return std::move(file.parts().losses);
}

}  // namespace whorl::sim
