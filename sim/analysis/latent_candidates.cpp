#include "sim/analysis/latent_candidates.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>

#include "sim/base/containers.h"
#include "sim/machine/machine_config.h"
#include "sim/trace/layout/layout_change.h"
#include "sim/trace/trace_passes.h"

namespace whorl::sim {

namespace {

constexpr std::uint64_t kWord = 4;                       ///< bytes
constexpr std::uint32_t kMaxAlignment = 16;              ///< bytes; what allocators guarantee
constexpr std::size_t kMaxWords = std::size_t{1} << 22;  ///< words compared, counted for each CPU

/// How a CPU uses a word.
struct WordUse {
    std::uint64_t word = 0;  ///< address / kWord
    std::uint32_t cpu = 0;
    std::uint32_t alignment = 1;  ///< bytes, of its largest access
    std::uint64_t uses = 0;
    std::uint64_t writes = 0;
};

/// Blocks of one size, and which CPUs use and write them.
class Neighbours {
  public:
    explicit Neighbours(std::uint64_t size) : size_(size) {}

    void take(const Access& a) {
        const std::uint64_t first = a.address.value / size_;
        const std::uint64_t last = (a.address.value + (a.size - 1)) / size_;
        // The last block of the address space may have the highest number.
        for (std::uint64_t b = first; b - first <= last - first; ++b) {
            const std::uint32_t id = ids_.of(BlockAddress{b});
            if (id == users_.size()) users_.emplace_back();
            const std::uint64_t bit = std::uint64_t{1} << a.cpu;
            users_[id].all |= bit;
            if (a.isWrite()) users_[id].writers |= bit;
        }
    }
    /// Whether a block is next to one that another CPU uses, and one of them writes.
    bool isCandidate(std::uint64_t address) const {
        const std::uint64_t b = address / size_;
        const std::uint32_t id = ids_.find(BlockAddress{b});
        return id != BlockIds::kNone && (meets(id, b + 1) || (b > 0 && meets(id, b - 1)));
    }

  private:
    struct Users {
        std::uint64_t all = 0;
        std::uint64_t writers = 0;
    };

    bool meets(std::uint32_t id, std::uint64_t other) const {
        const std::uint32_t next = ids_.find(BlockAddress{other});
        if (next == BlockIds::kNone) return false;
        const Users& a = users_[id];
        const Users& b = users_[next];
        const auto differ = [](std::uint64_t writers, std::uint64_t all) {
            return writers != 0 && all != 0 && std::popcount(writers | all) > 1;
        };
        return differ(a.writers, b.all) || differ(b.writers, a.all);
    }

    std::uint64_t size_;
    BlockIds ids_;
    std::vector<Users> users_;  ///< by id
};

template <class F>
bool forEachRecorded(const Trace& trace, Range range, Progress& progress, F&& f) {
    return forEachChunk(trace, range, progress, {}, [&](Tick, std::span<const PackedAccess> accesses) {
        for (const PackedAccess& access : accesses) {
            if (!access.unrecorded()) f(access.unpack());
        }
    });
}

/// The words of candidate blocks, by address. Empty when cancelled.
std::optional<std::vector<WordUse>> candidateWords(const Trace& trace, Range range,
                                                   std::span<const std::uint32_t> blockSizes, Progress& progress) {
    progress.start(2 * range.size());
    std::vector<Neighbours> neighbours(blockSizes.begin(), blockSizes.end());
    const auto takeBlocks = [&](const Access& a) {
        for (Neighbours& n : neighbours) n.take(a);
    };
    if (!forEachRecorded(trace, range, progress, takeBlocks)) return std::nullopt;
    std::unordered_map<std::uint64_t, WordUse> uses;  // by word and CPU
    const auto takeWords = [&](const Access& a) {
        const bool isCandidate = std::any_of(neighbours.begin(), neighbours.end(),
                                             [&](const Neighbours& n) { return n.isCandidate(a.address.value); });
        if (!isCandidate || uses.size() > kMaxWords) return;
        const std::uint64_t last = (a.address.value + (a.size - 1)) / kWord;
        for (std::uint64_t w = a.address.value / kWord; w <= last; ++w) {
            WordUse& use = uses[w * kMaxCpus + a.cpu];
            use.word = w;
            use.cpu = a.cpu;
            use.alignment = std::max(use.alignment, std::min(std::bit_floor(std::uint32_t{a.size}), kMaxAlignment));
            ++use.uses;
            use.writes += a.isWrite() ? 1 : 0;
        }
    };
    if (!forEachRecorded(trace, range, progress, takeWords)) return std::nullopt;
    std::vector<WordUse> out;
    out.reserve(uses.size());
    for (const auto& [key, use] : uses) out.push_back(use);
    std::sort(out.begin(), out.end(),
              [](const WordUse& a, const WordUse& b) { return std::pair(a.word, a.cpu) < std::pair(b.word, b.cpu); });
    return out;
}

/// What can be placed elsewhere: a declared region with all that is in it, or an object outside of them.
struct Movable {
    std::string name;
    std::string className;  ///< empty: none
    Extent extent;
};

/// The things that can move, by address, disjoint.
std::vector<Movable> movablesOf(const Trace& trace) {
    std::vector<Movable> all;
    for (const Region& r : trace.regions()) {
        if (r.origin == RegionOrigin::declared && r.size > 0) {
            all.push_back({.name = r.name, .className = {}, .extent = extentOf(r)});
        }
    }
    for (const Object& o : trace.objects()) {
        if (o.size == 0) continue;
        all.push_back({.name = o.name, .className = o.className, .extent = {o.base.value, o.base.value + o.size}});
    }
    // The region before the objects that begin with it.
    std::stable_sort(all.begin(), all.end(),
                     [](const Movable& a, const Movable& b) { return a.extent.from < b.extent.from; });
    std::vector<Movable> out;
    std::map<std::string, int> named;
    for (Movable& m : all) {
        if (!out.empty() && m.extent.from < out.back().extent.to) continue;
        ++named[m.name];
        out.push_back(std::move(m));
    }
    for (Movable& m : out) {
        if (named[m.name] > 1) m.name = fmt::format("{:#x}", m.extent.from);
    }
    return out;
}

/// Looks for the shift of things after which most accesses of different CPUs meet in blocks.
class Placing {
  public:
    Placing(std::span<const WordUse> words, std::uint64_t block) : words_(words), block_(block) {}

    struct Best {
        std::int64_t bytes = 0;
        std::uint64_t weight = 0;
    };

    /// The best shift of the words in `moved`. Memory is free from `free.from` to `free.to`: for a larger shift up,
    /// what follows makes room and is then far away.
    Best best(const Extent& moved, const Extent& free, bool onlyUp) const {
        const std::int64_t down = onlyUp ? 0 : static_cast<std::int64_t>(std::min(moved.from - free.from, block_ - 1));
        const auto up = static_cast<std::int64_t>(block_ - 1);
        const std::uint64_t room = free.to - moved.to;
        const std::uint64_t reach = 2 * block_;
        const std::span<const WordUse> inside = wordsIn(moved);
        const std::span<const WordUse> near = wordsIn({moved.from - std::min(moved.from, reach), moved.to + reach});
        const std::span<const WordUse> upTo(near.begin(), inside.end());
        std::int64_t step = kWord;
        for (const WordUse& w : inside) step = std::max(step, std::int64_t{w.alignment});
        Best best;
        const auto consider = [&](std::int64_t bytes) {
            const bool fits = bytes < 0 || static_cast<std::uint64_t>(bytes) <= room;
            const std::span<const WordUse> words = fits ? near : upTo;
            const std::uint64_t now = weightOf(words, moved, 0);
            const std::uint64_t then = weightOf(words, moved, bytes);
            const std::uint64_t gain = then - std::min(then, now);
            if (gain > best.weight + best.weight / 2) best = {bytes, gain};
        };
        // Rounder shifts first: they are more likely, so that others must weigh much more to be preferred.
        for (std::int64_t stride = up / 2 + 1; stride >= step; stride /= 2) {
            for (std::int64_t bytes = stride; bytes <= up; bytes += stride) consider(bytes);
            for (std::int64_t bytes = stride; bytes <= down; bytes += stride) consider(-bytes);
        }
        return best;
    }

  private:
    std::span<const WordUse> wordsIn(const Extent& extent) const {
        const auto at = [&](std::uint64_t word) {
            return std::lower_bound(words_.begin(), words_.end(), word,
                                    [](const WordUse& w, std::uint64_t value) { return w.word < value; });
        };
        return {at(extent.from / kWord), at((extent.to + kWord - 1) / kWord)};
    }

    /// The weight of the accesses by different CPUs that meet in blocks when the words of an extent move, past no
    /// others.
    std::uint64_t weightOf(std::span<const WordUse> words, const Extent& moved, std::int64_t bytes) const {
        std::array<WordUse, kMaxCpus> cpus{};
        std::uint64_t weight = 0;
        std::uint64_t current = ~std::uint64_t{0};
        for (const WordUse& w : words) {
            const std::uint64_t address = w.word * kWord;
            const bool isMoved = address >= moved.from && address < moved.to;
            const std::uint64_t block = (isMoved ? address + static_cast<std::uint64_t>(bytes) : address) / block_;
            if (block != current) {
                weight += takeWeight(cpus);
                current = block;
            }
            cpus[w.cpu].uses += w.uses;
            cpus[w.cpu].writes += w.writes;
        }
        return weight + takeWeight(cpus);
    }
    /// The weight of one block. Resets its sums.
    static std::uint64_t takeWeight(std::array<WordUse, kMaxCpus>& cpus) {
        std::uint64_t weight = 0;
        for (std::size_t i = 0; i < cpus.size(); ++i) {
            for (std::size_t j = 0; cpus[i].uses > 0 && j < i; ++j) {
                weight += std::min({cpus[i].uses, cpus[j].uses, cpus[i].writes + cpus[j].writes});
            }
        }
        cpus = {};
        return weight;
    }

    std::span<const WordUse> words_;
    std::uint64_t block_;
};

/// The things that can move, and their candidates.
class Candidates {
  public:
    Candidates(const Trace& trace, std::span<const WordUse> words) : movables_(movablesOf(trace)), words_(words) {}

    void addAll(std::uint64_t block) {
        const Placing placing(words_, block);
        for (std::size_t m = 0; m < movables_.size(); ++m) {
            if (!isUsed(movables_[m].extent, block)) continue;
            const Extent free = freeAround(m);
            add({&movables_[m]}, placing.best(movables_[m].extent, free, false));
            // Where there is room after a thing, it can move alone.
            const bool isNext =
                m + 1 < movables_.size() && movables_[m + 1].extent.from - movables_[m].extent.to < kMaxAlignment;
            if (!isNext) continue;
            const Extent both{movables_[m].extent.from, movables_[m + 1].extent.to};
            add({&movables_[m], &movables_[m + 1]}, placing.best(both, {both.from, freeAround(m + 1).to}, true));
        }
    }
    /// The heaviest placements, without duplicates.
    std::vector<Placement> take(std::size_t most) {
        std::stable_sort(found_.begin(), found_.end(),
                         [](const Placement& a, const Placement& b) { return a.weight > b.weight; });
        std::vector<Placement> out;
        for (Placement& p : found_) {
            const bool isKnown =
                std::any_of(out.begin(), out.end(), [&](const Placement& o) { return o.shifts == p.shifts; });
            if (!isKnown && out.size() < most) out.push_back(std::move(p));
        }
        return out;
    }

  private:
    bool isUsed(const Extent& extent, std::uint64_t block) const {
        const std::uint64_t from = (extent.from - std::min(extent.from, block)) / kWord;
        const auto at = std::lower_bound(words_.begin(), words_.end(), from,
                                         [](const WordUse& w, std::uint64_t word) { return w.word < word; });
        return at != words_.end() && at->word * kWord < extent.to + block;
    }
    /// The memory between the things before and after one.
    Extent freeAround(std::size_t m) const {
        return {m == 0 ? 0 : movables_[m - 1].extent.to,
                m + 1 == movables_.size() ? ~std::uint64_t{0} : movables_[m + 1].extent.from};
    }
    void add(const std::vector<const Movable*>& things, const Placing::Best& best) {
        if (best.weight == 0) return;
        Placement placement{.shifts = {}, .weight = best.weight};
        const auto shift = [&](const std::string& name, bool ofClass) {
            placement.shifts.push_back(
                {.kind = LayoutChange::Kind::shift, .thing = name, .ofClass = ofClass, .bytes = best.bytes});
        };
        const std::string& className = things.front()->className;
        if (things.size() == 2 && !className.empty() && className == things.back()->className) {
            shift(className, true);
        } else {
            // The last thing moves first, so that each moves into room that the next one has left.
            std::for_each(things.rbegin(), things.rend(), [&](const auto* thing) { shift(thing->name, false); });
        }
        found_.push_back(std::move(placement));
    }

    std::vector<Movable> movables_;
    std::span<const WordUse> words_;
    std::vector<Placement> found_;
};

}  // namespace

std::optional<std::vector<Placement>> latentPlacements(const Trace& trace, Range range,
                                                       std::span<const std::uint32_t> blockSizes, std::size_t most,
                                                       Progress& progress) {
    const auto words = candidateWords(trace, range, blockSizes, progress);
    if (!words) return std::nullopt;
    Candidates candidates(trace, *words);
    for (const std::uint32_t block : blockSizes) candidates.addAll(block);
    return candidates.take(most);
}

}  // namespace whorl::sim
