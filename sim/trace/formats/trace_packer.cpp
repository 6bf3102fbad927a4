#include "sim/trace/formats/trace_packer.h"

#include <algorithm>
#include <span>
#include <utility>

#include "sim/trace/address_dictionary.h"
#include "sim/trace/pack_codec.h"
#include "sim/trace/pack_columns.h"

namespace whorl::sim {

namespace {

/// The length of a stretch, large enough that addresses that recur within 500,000 accesses recur in one stretch; its
/// accesses take 32 MB. A stretch is shorter if a dictionary for all of it would be too large; that of a stretch of one
/// pack never is.
constexpr std::size_t kStretchChunks = 4 * kMaxPackChunks;
static_assert(kMaxPackChunks * kMaxChunk <= 2 * AddressDictionary::kMaxEntries);
/// With fewer bytes per access than this, a stretch is regular: no other way would make it much smaller.
constexpr double kRegular = 0.03;
/// A dictionary serves well while packs are at most this many times as large as those that it was made for.
constexpr double kStillWell = 1.02;
/// With a dictionary and more bytes per access than this, decoding waits for memory and takes up to 3 ms a chunk. Packs
/// must then be small, so that a jump to any tick decodes few chunks.
constexpr double kSlow = 0.25;
constexpr std::size_t kSlowPackChunks = 2;

/// The accesses of a stretch.
struct Stretch {
    std::vector<PackedAccess> accesses;
    std::vector<std::uint64_t> stamps;  ///< one per access, or empty

    /// Adds the chunk that starts at an access. Returns the start of the next chunk.
    std::size_t addChunk(PackEncoder& encoder, std::size_t from) const {
        const std::size_t size = std::min(kMaxChunk, accesses.size() - from);
        encoder.add(std::span(accesses).subspan(from, size),
                    stamps.empty() ? std::span<const std::uint64_t>() : std::span(stamps).subspan(from, size));
        return from + size;
    }
};

/// A way to pack a stretch.
struct Way {
    const AddressDictionary* dictionary = nullptr;
    std::uint32_t number = 0;
    bool absolute = false;
    std::size_t dictionaryBytes = 0;  ///< size of a dictionary that is not in the file yet
};

/// A stretch encoded in one way.
struct Attempt {
    Way way;
    std::vector<PackEncoder> packs;
    std::size_t bytes = 0;  ///< of the packs, quickly packed

    std::size_t total() const { return bytes + way.dictionaryBytes; }
    bool isLarger(double bytesPerAccess, std::size_t size) const {
        return static_cast<double>(bytes) > bytesPerAccess * static_cast<double>(size);
    }

    /// In packs that are short if they would be slow. Returns nothing if it was cancelled.
    static std::optional<Attempt> of(const Stretch& stretch, const Way& way, const Progress& progress) {
        std::optional<Attempt> attempt = of(stretch, way, kMaxPackChunks, progress);
        const bool isSlow = attempt && way.dictionary != nullptr && attempt->isLarger(kSlow, stretch.accesses.size());
        return isSlow ? of(stretch, way, kSlowPackChunks, progress) : std::move(attempt);
    }
    /// In packs of so many chunks.
    static std::optional<Attempt> of(const Stretch& stretch, const Way& way, std::size_t packChunks,
                                     const Progress& progress) {
        Attempt attempt{.way = way, .packs = {}};
        std::optional<AddressFinder> finder;
        if (way.dictionary != nullptr) finder.emplace(way.dictionary->entries());
        for (std::size_t at = 0; at < stretch.accesses.size();) {
            if (progress.cancelled()) return std::nullopt;
            PackEncoder& encoder = attempt.packs.emplace_back();
            encoder.start({.dictionary = way.dictionary, .finder = finder ? &*finder : nullptr, .number = way.number},
                          way.absolute);
            for (std::size_t c = 0; c < packChunks && at < stretch.accesses.size(); ++c) {
                at = stretch.addChunk(encoder, at);
            }
            attempt.bytes += encoder.quickBytes();
        }
        return attempt;
    }
};

/// Keeps an attempt if it is smaller than the best one so far. False if there is none, as it was cancelled.
bool keepSmaller(std::optional<Attempt> attempt, std::optional<Attempt>& best) {
    if (!attempt) return false;
    if (!best || attempt->total() < best->total()) best = std::move(attempt);
    return true;
}

/// A stretch whose way is chosen.
struct Chosen {
    std::vector<PackEncoder> packs;
    std::string dictionary;  ///< see PackedBatch
};

}  // namespace

struct TracePacker::State {
    const Trace& trace;
    WhorlPacking packing;
    TraceCursor cursor{trace};
    std::size_t next = 0;  ///< index of the next chunk
    std::optional<Chosen> chosen = {};
    std::vector<PackEncoder> spare = {};  ///< with the memory that they have used
    AddressDictionary dictionary = {};
    std::uint32_t number = 0;   ///< number of the dictionary; 0: none
    double bytesPerAccess = 0;  ///< with this dictionary, in the stretch that it was made for

    bool isThorough() const { return packing.effort == Effort::thorough; }
    std::size_t endOf(std::size_t chunks) const { return std::min(next + chunks, trace.accesses().chunks()); }
    PackEncoder fresh();
    Stretch taken(std::size_t chunks);
    bool isAbsoluteSmaller();
    std::optional<Attempt> sampled(std::size_t chunks, SuccessorMeter& meter, const Progress& progress);
    bool considerPlain(const Stretch& stretch, std::optional<Attempt>& best, const Progress& progress) const;
    std::optional<Chosen> choose(const Progress& progress);
};

PackEncoder TracePacker::State::fresh() {
    if (spare.empty()) return {};
    PackEncoder encoder = std::move(spare.back());
    spare.pop_back();
    return encoder;
}

Stretch TracePacker::State::taken(std::size_t chunks) {
    Stretch stretch;
    const std::size_t end = endOf(chunks);
    stretch.accesses.reserve((end - next) * kMaxChunk);
    for (; next < end; ++next) {
        const auto stamps = cursor.stamps(next);
        // Chunks without stamps may precede chunks with stamps.
        if (!stamps.empty()) stretch.stamps.resize(stretch.accesses.size());
        stretch.stamps.insert(stretch.stamps.end(), stamps.begin(), stamps.end());
        const auto accesses = cursor.chunk(next);
        stretch.accesses.insert(stretch.accesses.end(), accesses.begin(), accesses.end());
    }
    if (!stretch.stamps.empty()) stretch.stamps.resize(stretch.accesses.size());
    return stretch;
}

/// Whether residuals relative to 0 make a chunk in the middle of the next stretch smaller.
bool TracePacker::State::isAbsoluteSmaller() {
    const auto accesses = cursor.chunk(next + (endOf(kStretchChunks) - next) / 2);
    const auto bytes = [&](bool absolute) {
        PackEncoder encoder;
        encoder.start({}, absolute);
        encoder.add(accesses);
        return encoder.quickBytes();
    };
    return bytes(true) < bytes(false);
}

/// The next stretch encoded in the better of the ways without a dictionary, as far as a chunk of it tells. Returns
/// nothing if it was cancelled.
std::optional<Attempt> TracePacker::State::sampled(std::size_t chunks, SuccessorMeter& meter,
                                                   const Progress& progress) {
    Attempt attempt{.way = {.absolute = isAbsoluteSmaller()}, .packs = {}};
    const std::size_t end = endOf(chunks);
    bool isStamped = false;
    for (std::size_t c = next; c < end; ++c) isStamped = isStamped || !cursor.stamps(c).empty();
    const std::vector<std::uint64_t> none(isStamped ? kMaxChunk : 0);
    while (next < end) {
        if (progress.cancelled()) return std::nullopt;
        PackEncoder& encoder = attempt.packs.emplace_back(fresh());
        encoder.start({}, attempt.way.absolute, &meter);
        for (std::size_t c = 0; c < kMaxPackChunks && next < end; ++c, ++next) {
            const auto accesses = cursor.chunk(next);
            const auto stamps = cursor.stamps(next);
            encoder.add(accesses, stamps.empty() && isStamped ? std::span(none).first(accesses.size()) : stamps);
        }
        attempt.bytes += encoder.quickBytes();
    }
    return attempt;
}

/// Tries the ways without a dictionary. False if it was cancelled.
bool TracePacker::State::considerPlain(const Stretch& stretch, std::optional<Attempt>& best,
                                       const Progress& progress) const {
    if (!keepSmaller(Attempt::of(stretch, {}, progress), best)) return false;
    return !best->isLarger(kRegular, stretch.accesses.size()) ||
           keepSmaller(Attempt::of(stretch, {.absolute = true}, progress), best);
}

std::optional<Chosen> TracePacker::State::choose(const Progress& progress) {
    const std::size_t from = next;
    for (std::size_t chunks = kStretchChunks;; chunks /= 2) {
        next = from;
        Stretch stretch;
        std::optional<Attempt> best;
        SuccessorMeter meter;
        if (isThorough()) {
            stretch = taken(chunks);
            if (!considerPlain(stretch, best, progress)) return std::nullopt;
        } else if (!(best = sampled(chunks, meter, progress))) {
            return std::nullopt;
        }
        const std::uint64_t size = std::min<std::uint64_t>(trace.size(), next * kMaxChunk) - from * kMaxChunk;
        const bool mayGain = best->isLarger(kRegular, size) && (isThorough() || meter.isPromising(size, best->bytes));
        if (!mayGain) return Chosen{std::move(best->packs), {}};
        if (!isThorough()) {
            next = from;
            stretch = taken(chunks);
        }
        const bool isSlow = best->isLarger(kSlow, size);
        const auto tried = [&](const Way& way) {
            if (isThorough()) return Attempt::of(stretch, way, progress);
            return Attempt::of(stretch, way, isSlow ? kSlowPackChunks : kMaxPackChunks, progress);
        };
        const Way known{.dictionary = &dictionary, .number = number, .absolute = true};
        if (number != 0 && !keepSmaller(tried(known), best)) return std::nullopt;
        if (!best->isLarger(std::max(kRegular, kStillWell * bytesPerAccess), size)) {
            return Chosen{std::move(best->packs), {}};
        }
        AddressDictionary fresh = AddressDictionary::of(stretch.accesses);
        if (fresh.entries().size() > AddressDictionary::kMaxEntries) continue;
        const Way way{.dictionary = &fresh,
                      .number = number + 1,
                      .absolute = true,
                      .dictionaryBytes = fresh.packed(Effort::quick).size()};
        if (!keepSmaller(tried(way), best)) return std::nullopt;
        if (best->way.dictionary != &fresh) return Chosen{std::move(best->packs), {}};
        dictionary = std::move(fresh);
        ++number;
        bytesPerAccess = static_cast<double>(best->bytes) / static_cast<double>(size);
        return Chosen{std::move(best->packs), dictionary.packed(packing.effort)};
    }
}

TracePacker::TracePacker(const Trace& trace, const WhorlPacking& packing)
    : state_(new State{.trace = trace, .packing = packing}) {}
TracePacker::~TracePacker() = default;

bool TracePacker::done() const {
    return !state_->chosen && state_->next == state_->trace.accesses().chunks();
}

std::optional<PackedBatch> TracePacker::next(Progress& progress) {
    State& s = *state_;
    std::optional<Chosen> now = std::exchange(s.chosen, std::nullopt);
    if (!now) now = s.choose(progress);
    if (!now) return std::nullopt;
    PackedBatch out{.dictionary = std::move(now->dictionary), .packs = std::vector<std::string>(now->packs.size())};
    Jobs jobs;
    if (s.next < s.trace.accesses().chunks()) jobs.emplace_back([&] { s.chosen = s.choose(progress); });
    for (std::size_t p = 0; p < now->packs.size(); ++p) {
        jobs.emplace_back([&, p] {
            if (progress.cancelled()) return;
            out.packs[p] = now->packs[p].finish(s.packing.effort);
            progress.advance(packHead(out.packs[p]).accesses);
        });
    }
    s.packing.run(jobs);
    s.spare = std::move(now->packs);
    if (progress.cancelled()) return std::nullopt;
    return out;
}

}  // namespace whorl::sim
