#include "sim/analysis/loops.h"

#include <algorithm>
#include <unordered_map>

namespace whorl::sim {

namespace {

constexpr std::uint64_t kMaxRead = 1 << 24;  ///< accesses
constexpr std::size_t kMaxPlaces = 1 << 16;
constexpr std::size_t kMaxDistances = 1 << 12;
constexpr std::uint64_t kRare = 50;  ///< a loop needs at least one access in this many

/// An evenly spread hash of an access's address, site and CPU: the finalizer of MurmurHash3 (A. Appleby).
std::uint64_t placeNumber(const Access& a) {
    std::uint64_t h = a.address.value ^ (std::uint64_t{a.site.value} << 40) ^ (std::uint64_t{a.cpu} << 34);
    h = (h ^ h >> 33) * 0xff51afd7ed558ccdULL;
    h = (h ^ h >> 33) * 0xc4ceb9fe1a85ec53ULL;
    return h ^ h >> 33;
}

/// Counts the distances between accesses to the same place.
class Returns {
  public:
    void add(std::uint64_t t, const Access& access) {
        const std::uint64_t place = placeNumber(access);
        if (place > followed_) return;
        ++accesses_;
        const auto [last, isNew] = last_.try_emplace(place, t);
        if (isNew) {
            if (last_.size() > kMaxPlaces) followFewer();
            return;
        }
        ++distances_[t - last->second];
        last->second = t;
        if (distances_.size() > kMaxDistances) forgetRare();
    }

    std::vector<std::uint64_t> frequent() const {
        std::vector<std::uint64_t> lengths;
        for (const auto& [distance, count] : distances_) {
            if (distance > 1 && count * kRare >= accesses_) lengths.push_back(distance);
        }
        std::sort(lengths.begin(), lengths.end());
        return lengths;
    }

  private:
    /// Drops half of the places: those with the larger numbers.
    void followFewer() {
        followed_ /= 2;
        std::erase_if(last_, [&](const auto& place) { return place.first > followed_; });
    }
    /// After J. Misra and D. Gries, "Finding repeated elements" (1982): frequent distances are never lost.
    void forgetRare() {
        for (auto& [distance, count] : distances_) --count;
        std::erase_if(distances_, [](const auto& distance) { return distance.second == 0; });
    }

    std::unordered_map<std::uint64_t, std::uint64_t> last_;  ///< when each place was touched last
    std::unordered_map<std::uint64_t, std::uint64_t> distances_;
    std::uint64_t followed_ = ~std::uint64_t{0};  ///< places with numbers up to this one
    std::uint64_t accesses_ = 0;                  ///< accesses to followed places
};

}  // namespace

std::optional<std::vector<std::uint64_t>> loopsOf(const Trace& trace, Progress& progress) {
    const std::uint64_t count = std::min(trace.size(), kMaxRead);
    const std::uint64_t from = (trace.size() - count) / 2;
    progress.start(count);
    Returns returns;
    constexpr std::uint64_t kStep = 1 << 16;
    for (std::uint64_t t = from; t < from + count; t += kStep) {
        if (progress.cancelled()) return std::nullopt;
        trace.forEach(Tick{t}, Tick{std::min(t + kStep, from + count)}, [&](Tick at, Access access) {
            access.site = trace.instructionOf(access.site);
            returns.add(at.value, access);
        });
        progress.setDone(t - from);
    }
    return returns.frequent();
}

}  // namespace whorl::sim
