#include "sim/analysis/why_cures.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "sim/analysis/owner_shape.h"
#include "sim/analysis/sharing_trials.h"
#include "sim/trace/layout/layout_change.h"

namespace whorl::sim {

namespace {

using Kind = LayoutChange::Kind;

/// A tally matters for its region if it loses at least a fifth of its cycles.
constexpr Cycles kMatters = 5;
/// A kind of misses is worth a cure if it is at least a twentieth of them.
constexpr std::uint64_t kWorth = 20;
/// Fewer fetched bytes than this share must be used for a split to be worth a try.
constexpr double kWellUsed = 0.95;
/// In bytes: a number of quadruple precision, or a complex one of double precision.
constexpr std::uint32_t kLargestNumber = 16;
/// At most a quarter of a region's accesses may span several elements: each moves as a whole, which no program does.
constexpr std::uint64_t kMaxSpanning = 4;
/// Regions that are shifted together.
constexpr std::size_t kMaxStaggered = 8;
/// Groups of falsely shared blocks whose cures are tried.
constexpr std::size_t kMaxGroups = 2;
/// Different numbers of columns that are tried.
constexpr std::size_t kMaxPitches = 2;

/// Whether a structure is one of the library, which no program takes apart: its fields have names that are reserved.
bool isOfLibrary(const ElementType& type) {
    return std::any_of(type.fields.begin(), type.fields.end(), [](const StructField& field) {
        const std::string& name = field.name;
        return name.size() > 1 && name[0] == '_' && (name[1] == '_' || (name[1] >= 'A' && name[1] <= 'Z'));
    });
}

/// Candidates for the memory of one owner.
class CureFinder {
  public:
    CureFinder(const StallFacts& facts, std::size_t owner, LayoutChanges gathering)
        : facts_(facts),
          number_(owner),
          gathering_(std::move(gathering)),
          shape_(shapeOf(facts.trace, owner, gathering_)),
          region_(shape_.region) {
        for (const StallTally& tally : facts.tallies) {
            if (tally.owner != owner) continue;
            sum_ += tally;
            tallies_.push_back(&tally);
        }
        std::stable_sort(tallies_.begin(), tallies_.end(), [](auto* a, auto* b) { return a->lost > b->lost; });
    }

    std::vector<LayoutChanges> find() {
        if (region_.size == 0 || levels().empty()) return {};
        add(LayoutChanges());
        element_ = region_.elementSize > 1 || region_.rows > 0 ? region_.elementSize : sum_.usualSize();
        findPitches();
        if (sum_.spanning <= sum_.accesses / kMaxSpanning) {
            addTransposed();
            addSplit();
        }
        for (std::size_t level = 0; level < levels().size(); ++level) {
            if (isWorth(level, MissKind::conflict)) addAgainstConflicts(level);
            addAgainstFewSets(level);
        }
        for (std::size_t level = 0; level < levels().size(); ++level) {
            if (isWorth(level, MissKind::falseSharing)) addAgainstSharing(level);
        }
        return std::move(found_);
    }

  private:
    const std::vector<LevelConfig>& levels() const { return facts_.measures.machine.levels; }
    const TallyTable& rows() const { return facts_.measures.ledger->owners; }
    bool isWorth(std::size_t level, MissKind kind) const {
        const std::uint64_t misses = rows().misses(number_, level);
        return misses > 0 && rows().misses(number_, level, kind) >= (misses + kWorth - 1) / kWorth;
    }

    void add(const LayoutChanges& changes) {
        LayoutChanges all = gathering_;
        all.insert(all.end(), changes.begin(), changes.end());
        if (found_.size() < kMaxCures && !all.empty()) addNew(found_, all);
    }
    void add(LayoutChange change) {
        if (auto named = this->named(std::move(change))) add(LayoutChanges{*std::move(named)});
    }
    std::optional<LayoutChange> named(LayoutChange change) const {
        if (gathering_.empty()) return namedFor(facts_.trace, number_, std::move(change));
        change.thing = region_.name;
        return change;
    }

    /// Finds the bytes from one row to the next: from the shape, or from the strides of the lines that lose most.
    void findPitches() {
        if (region_.columns > 1 && region_.rows > 1) {
            pitches_.push_back(region_.columns * region_.elementSize);
            return;
        }
        // Memory that nobody named, such as the stack, is rarely one array.
        if (region_.origin == RegionOrigin::inferred) return;
        for (const StallTally* tally : tallies_) {
            if (tally->lost * kMatters < sum_.lost || pitches_.size() == kMaxPitches) break;
            const std::uint64_t pitch = strideOf(*tally);
            const bool isShape = element_ > 0 && pitch % element_ == 0 && pitch >= 2 * element_;
            if (!isShape || pitch > region_.size / 2) continue;
            addNew(pitches_, pitch);
        }
    }
    /// The stride of a tally in bytes if it is constant, else 0. Blocks of the heap that are as far apart count as rows
    /// without what lies between them.
    std::uint64_t strideOf(const StallTally& tally) const {
        const StrideSummary stride = tally.strides.summary();
        if (stride.stride != StrideClass::constant) return 0;
        const auto bytes = static_cast<std::uint64_t>(std::llabs(stride.bytes));
        const bool isRow = shape_.pitch() != 0 && bytes == shape_.pitch();
        return isRow ? region_.columns * region_.elementSize : bytes;
    }

    void addTransposed() {
        const bool isWalked = std::any_of(tallies_.begin(), tallies_.end(), [&](const StallTally* tally) {
            return tally->lost * kMatters >= sum_.lost && strideOf(*tally) >= 2 * element_;
        });
        if (!isWalked || element_ == 0) return;
        for (const std::uint64_t pitch : pitches_) {
            LayoutChange change{.kind = Kind::transpose, .thing = {}};
            if (region_.columns == 0) change.bytes = static_cast<std::int64_t>(pitch / element_);
            if (region_.elementSize == 1 && region_.rows == 0) change.element = element_;
            auto transposed = this->named(std::move(change));
            if (!transposed) continue;
            LayoutChanges changes{*std::move(transposed)};
            if (shape_.pitch() != 0 && shape_.step != 0) changes.push_back(inBlocks(region_.rows * element_));
            add(changes);
        }
    }
    /// Rows of so many bytes, each in a block of the heap, which the C library makes longer by its own 8 bytes, and
    /// then a multiple of 16.
    LayoutChange inBlocks(std::uint64_t row) const {
        const std::uint64_t block = (row + 8 + 15) / 16 * 16;
        return {.kind = Kind::spread, .thing = region_.name, .bytes = static_cast<std::int64_t>(block), .element = row};
    }

    void addSplit() {
        const StaySum stays = rows().stays(number_, 0);
        if (stays.utilization(facts_.measures.machine.blockBytes()) >= kWellUsed) return;
        if (region_.type) {
            if (region_.type->fields.size() > 1 && !isOfLibrary(*region_.type)) add({.kind = Kind::split, .thing = {}});
            return;
        }
        // What no type describes has parts if it is larger than any number.
        const std::uint32_t size = sum_.usualSize();
        if (size > 0 && region_.elementSize > kLargestNumber && region_.elementSize % size == 0) {
            add({.kind = Kind::split, .thing = {}, .bytes = size});
        }
    }

    /// Adds rows that are longer by a block.
    void addLongerRows(std::size_t level, std::uint64_t pitch) {
        const std::uint64_t longer = pitch + levels()[level].block;
        add({.kind = Kind::spread, .thing = {}, .bytes = static_cast<std::int64_t>(longer), .element = pitch});
    }

    /// Columns that are walked down lie in few sets if rows are as long as a power of two, or a multiple of a large
    /// one: so few that they find no room there. A fully associative cache may have no room for them either, so that
    /// none of the misses is a conflict.
    void addAgainstFewSets(std::size_t level) {
        const LevelConfig& cache = levels()[level];
        for (const std::uint64_t pitch : pitches_) {
            const std::uint64_t sets = setsInSteps(cache, pitch);
            if (sets < cache.sets() && region_.size / pitch > sets * cache.ways && isWalkedBy(pitch)) {
                addLongerRows(level, pitch);
            }
        }
    }
    bool isWalkedBy(std::uint64_t pitch) const {
        return std::any_of(tallies_.begin(), tallies_.end(), [&](const StallTally* tally) {
            const std::uint64_t stride = strideOf(*tally);
            return tally->lost * kMatters >= sum_.lost && stride > 0 && stride % pitch == 0;
        });
    }

    void addAgainstConflicts(std::size_t level) {
        const auto block = static_cast<std::int64_t>(levels()[level].block);
        for (const std::uint64_t pitch : pitches_) addLongerRows(level, pitch);
        add({.kind = Kind::shift, .thing = {}, .bytes = block});
        if (gathering_.empty()) add(staggered(level));
        const auto half = static_cast<std::int64_t>(levels()[level].sets() / 2) * block;
        if (half > block) add({.kind = Kind::shift, .thing = {}, .bytes = half});
    }

    /// The regions that evict each other's blocks, each a block further than the one before.
    LayoutChanges staggered(std::size_t level) const {
        std::map<std::size_t, std::uint64_t> partners;
        for (const auto& [conflict, times] : facts_.measures.ledger->regionConflicts) {
            if (conflict.level != level || conflict.evictor == conflict.victim) continue;
            if (conflict.evictor == number_) partners[conflict.victim] += times;
            if (conflict.victim == number_) partners[conflict.evictor] += times;
        }
        std::uint64_t all = 0;
        for (const auto& partner : partners) all += partner.second;
        partners[number_] = all;
        LayoutChanges changes;
        std::int64_t offset = 0;
        for (const auto& [region, times] : partners) {
            if (region >= facts_.trace.regions().size() || times * kWorth < all) continue;
            if (offset > 0) {
                auto change = namedFor(facts_.trace, region, {.kind = Kind::shift, .thing = {}, .bytes = offset});
                if (change) changes.push_back(*std::move(change));
            }
            offset += static_cast<std::int64_t>(levels()[level].block);
            if (changes.size() == kMaxStaggered) break;
        }
        return changes;
    }

    void addAgainstSharing(std::size_t level) {
        addProposals();
        const auto block = static_cast<std::int64_t>(levels()[level].block);
        auto aligned = this->named({.kind = Kind::align, .thing = {}, .bytes = block});
        if (!aligned) return;
        const auto addAligned = [&](LayoutChange change) {
            auto more = this->named(std::move(change));
            if (more) add(LayoutChanges{*aligned, *std::move(more)});
        };
        if (region_.rows > 1 && region_.elementSize < levels()[level].block) {
            addAligned({.kind = Kind::spread, .thing = {}, .bytes = block});
        }
        for (const std::uint64_t pitch : pitches_) {
            const std::int64_t whole = (static_cast<std::int64_t>(pitch) + block - 1) / block * block;
            addAligned({.kind = Kind::spread, .thing = {}, .bytes = whole, .element = pitch});
        }
        addAligned({.kind = Kind::pad, .thing = {}, .bytes = block});
    }

    /// What would separate the data of different CPUs in blocks of the region.
    void addProposals() {
        if (facts_.sharing == nullptr) return;
        std::size_t groups = 0;
        for (const SharingGroup& group : facts_.sharing->groups) {
            if (group.falseMisses == 0 || !concerns(group) || ++groups > kMaxGroups) continue;
            const auto candidates = candidatesFor(group, coherentBlockSizes(facts_.measures.machine));
            for (std::size_t c = 0; c < std::min<std::size_t>(candidates.size(), 2); ++c) add(candidates[c]);
        }
    }
    bool concerns(const SharingGroup& group) const {
        return std::any_of(group.blocks.begin(), group.blocks.end(), [&](std::size_t block) {
            const auto& fields = facts_.sharing->blocks[block].fields;
            return std::any_of(fields.begin(), fields.end(),
                               [&](const SharedField& field) { return region_.contains(field.address); });
        });
    }

    const StallFacts& facts_;
    std::size_t number_;
    LayoutChanges gathering_;  ///< changes that come before all others
    OwnerShape shape_;
    const Region& region_;
    StallTally sum_;
    std::vector<const StallTally*> tallies_;  ///< the most cycles first
    std::uint64_t element_ = 0;               ///< bytes; 0: not known
    std::vector<std::uint64_t> pitches_;
    std::vector<LayoutChanges> found_;
};

}  // namespace

std::optional<LayoutChange> namedFor(const Trace& trace, std::size_t region, LayoutChange change) {
    const Region& r = trace.regions()[region];
    if (r.origin == RegionOrigin::inferred) return std::nullopt;
    change.thing = r.name;
    const auto read = parseLayoutChange(asText(change));
    if (!read || *read != change) return std::nullopt;
    const auto targets = targetsOf(change, trace.regions(), trace.objects(), trace.name());
    const bool isIt = targets && targets->extents.front() == extentOf(r);
    return isIt ? std::optional(change) : std::nullopt;
}

std::uint64_t setsInSteps(const LevelConfig& cache, std::uint64_t bytes) {
    return cache.wayBytes() / std::max(std::gcd(bytes, cache.wayBytes()), std::uint64_t{cache.block});
}

std::vector<LayoutChanges> curesFor(const StallFacts& facts, std::size_t owner) {
    if (owner >= facts.trace.owners().count()) return {};
    auto gathering = gathered(facts.trace, owner);
    return gathering ? CureFinder(facts, owner, *std::move(gathering)).find() : std::vector<LayoutChanges>();
}

}  // namespace whorl::sim
