#include "sim/trace/trace_packer.h"

#include <algorithm>
#include <utility>

namespace whorl::sim {
namespace {

/// Long enough that what recurs within 500,000 accesses recurs in one stretch; its accesses take 32 MB. Shorter if a
/// dictionary for all of it would be too large; one for a stretch of one pack never is.
constexpr std::size_t kStretchChunks = 4 * kMaxPackChunks;
static_assert(kMaxPackChunks * kMaxChunk <= 2 * AddressDictionary::kMaxEntries);
/// With fewer bytes per access than this, a stretch is regular: nothing would make it much smaller.
constexpr double kRegular = 0.03;
/// A dictionary serves well while the packs are not larger than this many times those that it was made for.
constexpr double kStillWell = 1.02;
/// With a dictionary and more bytes per access than this, decoding waits for memory and takes up to 3 ms a chunk, so
/// that packs must be small for any moment to be near.
constexpr double kSlow = 0.25;
constexpr std::size_t kSlowPackChunks = 2;

}  // namespace

/// Accesses in a row.
struct TracePacker::Stretch {
    std::vector<PackedAccess> accesses;
    std::vector<std::uint64_t> stamps;  ///< as many as accesses, or none

    double size() const { return static_cast<double>(accesses.size()); }
    /// Adds a chunk from some access on. Returns where the next one begins.
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
    std::size_t dictionaryBytes = 0;  ///< of one that is not in the file yet
};

/// A stretch packed in some way, quickly.
struct TracePacker::Attempt {
    Way way;
    std::vector<PackEncoder> packs;
    std::size_t bytes = 0;

    std::size_t total() const { return bytes + way.dictionaryBytes; }
    /// Nothing if it was cancelled.
    static std::optional<Attempt> of(const Stretch& stretch, const Way& way, const Progress& progress) {
        std::optional<Attempt> attempt = of(stretch, way, kMaxPackChunks, progress);
        const bool isSlow = attempt && way.dictionary != nullptr && attempt->isLarger(kSlow, stretch);
        return isSlow ? of(stretch, way, kSlowPackChunks, progress) : std::move(attempt);
    }
    bool isLarger(double bytesPerAccess, const Stretch& stretch) const {
        return static_cast<double>(bytes) > bytesPerAccess * stretch.size();
    }

  private:
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
            attempt.bytes += encoder.finish(Effort::quick).size();
        }
        return attempt;
    }
};

TracePacker::Stretch TracePacker::taken(std::size_t chunks) {
    Stretch stretch;
    const std::size_t end = std::min(next_ + chunks, trace_->accesses().chunks());
    for (; next_ < end; ++next_) {
        const auto stamps = cursor_.stamps(next_);
        // Chunks without stamps may come before ones that have them.
        if (!stamps.empty()) stretch.stamps.resize(stretch.accesses.size());
        stretch.stamps.insert(stretch.stamps.end(), stamps.begin(), stamps.end());
        const auto accesses = cursor_.chunk(next_);
        stretch.accesses.insert(stretch.accesses.end(), accesses.begin(), accesses.end());
    }
    if (!stretch.stamps.empty()) stretch.stamps.resize(stretch.accesses.size());
    return stretch;
}

/// Tries a way, and keeps what it gives if that is smaller than what there is. False if it was cancelled.
bool TracePacker::consider(const Way& way, const Stretch& stretch, std::optional<Attempt>& best,
                           const Progress& progress) {
    std::optional<Attempt> attempt = Attempt::of(stretch, way, progress);
    if (!attempt) return false;
    if (!best || attempt->total() < best->total()) best = std::move(attempt);
    return true;
}

/// Tries the ways without a new dictionary. False if it was cancelled.
bool TracePacker::considerKnown(const Stretch& stretch, std::optional<Attempt>& best, const Progress& progress) {
    if (!consider({}, stretch, best, progress)) return false;
    if (!best->isLarger(kRegular, stretch)) return true;
    if (!consider({.absolute = true}, stretch, best, progress)) return false;
    return number_ == 0 ||
           consider({.dictionary = &dictionary_, .number = number_, .absolute = true}, stretch, best, progress);
}

std::optional<PackedStretch> TracePacker::next(Progress& progress) {
    const std::size_t from = next_;
    for (std::size_t chunks = kStretchChunks;; chunks /= 2) {
        next_ = from;
        const Stretch stretch = taken(chunks);
        std::optional<Attempt> best;
        if (!considerKnown(stretch, best, progress)) return std::nullopt;
        if (!best->isLarger(std::max(kRegular, kStillWell * bytesPerAccess_), stretch)) {
            return finished(*best, {}, progress);
        }
        AddressDictionary fresh = AddressDictionary::of(stretch.accesses);
        if (fresh.entries().size() > AddressDictionary::kMaxEntries) continue;
        const Way way{.dictionary = &fresh,
                      .number = number_ + 1,
                      .absolute = true,
                      .dictionaryBytes = fresh.packed(Effort::quick).size()};
        if (!consider(way, stretch, best, progress)) return std::nullopt;
        if (best->way.dictionary != &fresh) return finished(*best, {}, progress);
        dictionary_ = std::move(fresh);
        ++number_;
        bytesPerAccess_ = static_cast<double>(best->bytes) / stretch.size();
        return finished(*best, dictionary_.packed(Effort::thorough), progress);
    }
}

/// Packs thoroughly in the way chosen.
std::optional<PackedStretch> TracePacker::finished(Attempt& attempt, std::string dictionary, Progress& progress) {
    PackedStretch out{.dictionary = std::move(dictionary), .packs = {}};
    for (PackEncoder& pack : attempt.packs) {
        if (progress.cancelled()) return std::nullopt;
        out.packs.push_back(pack.finish(Effort::thorough));
        progress.advance(packHead(out.packs.back()).accesses);
    }
    return out;
}

}  // namespace whorl::sim
