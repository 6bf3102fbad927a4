#include "sim/analysis/sharing.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <span>
#include <tuple>
#include <utility>

#include "sim/base/containers.h"
#include "sim/replay/replay.h"
#include "sim/replay/totals/classifier.h"
#include "sim/trace/source_lines.h"
#include "sim/trace/trace_passes.h"

namespace whorl::sim {

namespace {

/// The losses of a block caused by each source line, by line.
using LinesOfBlock = std::map<std::uint32_t, SharingLine>;

bool isTaken(const Event& e) {
    return e.kind == EventKind::invalidation && e.cause == Cause::coherence;
}

/// Whether an upgrade of a CPU's own request invalidated a copy of its block, itself or by going on to farther levels.
bool takesCopy(const Event& upgrade, std::span<const Event> events) {
    const Event* const end = events.data() + events.size();
    for (const Event* e = &upgrade + 1; e != end; ++e) {
        if (isTaken(*e) && e->level == upgrade.level && e->block == upgrade.block) return true;
        // The next request has begun.
        if (e->demand && (e->kind == EventKind::hit || e->kind == EventKind::miss)) return false;
    }
    return false;
}

/// Whether a miss is the farthest by sharing so far of those that its access waits for.
bool isFarther(const Event& miss, const Event* farthest) {
    return miss.demand && (farthest == nullptr || miss.level >= farthest->level);
}

/// Calls lose(event, cycles) for what a recorded access loses by sharing. `farthest`: its farthest demand miss by
/// sharing; null: it has none.
template <class Lose>
void forEachLoss(std::span<const Event> events, const Event* farthest, const MachineConfig& machine, Lose&& lose) {
    if (farthest != nullptr) {
        const Cycles cost = costOf(events, machine);
        lose(*farthest, cost - std::min<Cycles>(cost, machine.lookUp()));
        return;
    }
    for (const Event& e : events) {
        const bool isUpgrade = e.kind == EventKind::upgrade && e.demand;
        if (isUpgrade && takesCopy(e, events)) lose(e, machine.upgradeLatency);
    }
}

/// Sums up what a trace costs, from its beginning.
class SharingCounter final : public Observer {
  public:
    explicit SharingCounter(const MachineConfig& machine) : machine_(machine), classifier_(machine) {}

    Wants wants() const override { return Wants::events; }
    void take(const Batch& batch) override {
        batch.forEach([&](Tick t, const PackedAccess& access, std::span<const Event> events) {
            take(t, access.unpack(), events);
        });
    }
    const SharingCosts& costs() const { return costs_; }

  private:
    void take(Tick t, const Access& access, std::span<const Event> events) {
        const Event* farthest = nullptr;
        classifier_.begin(access, t.value);
        for (const Event& e : events) {
            const MissKind kind = classifier_.take(e, {});
            const bool isMiss = e.kind == EventKind::miss && e.counts() && isBySharing(kind);
            if (isMiss && isFarther(e, farthest)) farthest = &e;
        }
        classifier_.end();
        if (access.unrecorded) return;
        const Cycles cost = costOf(events, machine_);
        costs_.cycles += cost;
        costs_.stalls += penaltyOf(cost, access, machine_);
        forEachLoss(events, farthest, machine_, [&](const Event&, Cycles cycles) { costs_.bySharing += cycles; });
    }

    const MachineConfig& machine_;
    Classifier classifier_;
    SharingCosts costs_;
};

/// Goes through the range twice: a replay finds the blocks that were invalidated or missed as a result, then the
/// accesses show which CPU touched what in them.
class SharingFinder final : public Observer {
  public:
    SharingFinder(const Run& run, Range range) : run_(run), range_(range), sourceLines_(run.trace()) {}

    /// Fills in the things and the blocks of a report, and the cycles. False when it was cancelled.
    bool fill(SharingReport& report, Progress& progress);
    /// The losses by source line, for each block of the report.
    const std::vector<LinesOfBlock>& lines() const { return lines_; }

    Wants wants() const override { return Wants::events; }
    void take(const Batch& batch) override;

  private:
    /// An object or a region: which of them, and its index in the trace.
    using Owner = std::pair<int, std::size_t>;
    struct Touch {
        std::uint64_t address;
        std::uint64_t size;
        Owner owner;
        bool operator<(const Touch& other) const {
            return std::tie(address, size, owner) < std::tie(other.address, other.size, other.owner);
        }
    };
    /// What accesses to a place did, in one block.
    struct Touched {
        std::map<std::uint32_t, FieldUse> uses;    ///< by CPU
        std::map<std::uint32_t, FieldLine> lines;  ///< by line
        std::uint64_t invalidations = 0;
        std::uint64_t trueMisses = 0;
        std::uint64_t falseMisses = 0;
        Cycles lost = 0;
    };
    using Touches = std::map<Touch, Touched>;

    /// A use of a place that has been counted, in one block.
    struct Recent {
        ByteAddress address;
        std::uint32_t size = 0;
        std::uint32_t cpu = 0;
        std::uint32_t line = 0;
        Tick until;  ///< from this tick on, another object may be there
        FieldUse* use = nullptr;
        FieldLine* ofLine = nullptr;

        bool isOf(const Access& a, std::uint32_t source) const {
            return address == a.address && size == a.size && cpu == a.cpu && line == source;
        }
    };
    static constexpr std::size_t kRecents = std::size_t{1} << 14;

    void take(Tick t, const Access& access, std::span<const Event> events);
    std::size_t blockAt(std::size_t level, BlockAddress block);
    void order(SharingReport& report);
    bool findTouches(const SharingReport& report, Progress& progress);
    Touch touchOf(const Access& access, Tick t) const;
    Tick sameThingUntil(ByteAddress address, Tick t) const;
    std::size_t thingOf(SharingReport& report, const Owner& owner);
    const Region* arrayOf(const SharedThing& thing) const;
    std::string placeOf(const Touch& touch, const SharedThing& thing) const;
    void addFields(SharingReport& report);

    const Run& run_;
    Range range_;
    Cycles cycles_ = 0;
    std::vector<SharedBlock> blocks_;
    SourceLines sourceLines_;
    std::vector<LinesOfBlock> lines_;  ///< by block
    std::map<std::pair<std::size_t, BlockAddress>, std::size_t> placeOf_;
    std::map<Owner, std::size_t> placeOfThing_;
    std::vector<Touches> touches_;  ///< by block
    std::optional<MissKindReader> kinds_;
};

bool SharingFinder::fill(SharingReport& report, Progress& progress) {
    progress.start(2 * range_.size());
    Run::Resumed resumed = run_.resumeAt(range_.from);
    kinds_ = std::move(resumed.kinds);
    if (!replay(run_.trace(), resumed.machine, range_, *this, progress)) return false;
    report.cycles = cycles_;
    order(report);
    if (!findTouches(report, progress)) return false;
    addFields(report);
    return true;
}

void SharingFinder::take(const Batch& batch) {
    batch.forEach(
        [&](Tick t, const PackedAccess& access, std::span<const Event> events) { take(t, access.unpack(), events); });
}

void SharingFinder::take(Tick t, const Access& access, std::span<const Event> events) {
    const MachineConfig& machine = run_.machine();
    const Cycles cost = access.unrecorded ? 0 : costOf(events, machine);
    cycles_ += cost;
    const std::uint32_t source = sourceLines_.of(access.site);
    const Event* farthest = nullptr;  // the farthest demand miss by sharing
    std::optional<Touch> touch;
    /// What accesses to the same place did in a block; null if the access lies outside of the block.
    const auto touchedIn = [&](std::size_t at) -> Touched* {
        const std::uint64_t size = machine.levels[blocks_[at].level].block;
        const std::uint64_t first = access.address.value / size;
        const std::uint64_t last = (access.address.value + (access.size - 1)) / size;
        if (blocks_[at].block.value - first > last - first) return nullptr;
        if (!touch) touch = touchOf(access, t);
        return &touches_[at][*touch];
    };
    for (const Event& e : events) {
        const MissKind kind = e.kind == EventKind::miss ? kinds_->next(e.level) : MissKind{};
        if (access.unrecorded || !e.counts() || (!isTaken(e) && !isBySharing(kind))) continue;
        const std::size_t at = blockAt(e.level, e.block);
        SharingLine& line = lines_[at][source];
        Touched* const here = touchedIn(at);
        if (isTaken(e)) {
            ++blocks_[at].invalidations;
            ++line.invalidations;
            if (here != nullptr) ++here->invalidations;
            continue;
        }
        const bool isTrue = kind == MissKind::trueSharing;
        ++(isTrue ? blocks_[at].trueMisses : blocks_[at].falseMisses);
        ++line.misses;
        if (here != nullptr) ++(isTrue ? here->trueMisses : here->falseMisses);
        if (isFarther(e, farthest)) farthest = &e;
    }
    if (access.unrecorded) return;
    forEachLoss(events, farthest, machine, [&](const Event& e, Cycles cycles) {
        const std::size_t at = blockAt(e.level, e.block);
        blocks_[at].lost += cycles;
        lines_[at][source].lost += cycles;
        if (Touched* const here = touchedIn(at)) {
            here->lost += cycles;
            here->lines[source].lost += cycles;
        }
    });
}

std::size_t SharingFinder::blockAt(std::size_t level, BlockAddress block) {
    const auto [at, isNew] = placeOf_.try_emplace({level, block}, blocks_.size());
    if (isNew) {
        blocks_.push_back({.level = level, .block = block});
        lines_.emplace_back();
        touches_.emplace_back();
    }
    return at->second;
}

void SharingFinder::order(SharingReport& report) {
    std::vector<LinesOfBlock> lines;
    std::vector<Touches> touches;
    lines.reserve(blocks_.size());
    touches.reserve(blocks_.size());
    for (auto& [key, at] : placeOf_) {
        report.blocks.push_back(blocks_[at]);
        lines.push_back(std::move(lines_[at]));
        touches.push_back(std::move(touches_[at]));
        at = report.blocks.size() - 1;
    }
    for (LinesOfBlock& ofBlock : lines) {
        for (auto& [number, line] : ofBlock) line.site = sourceLines_.siteOf(number);
    }
    lines_ = std::move(lines);
    touches_ = std::move(touches);
    blocks_.clear();
}

/// Finds which CPU touches what in the blocks of the report, and from which line.
bool SharingFinder::findTouches(const SharingReport& report, Progress& progress) {
    const Trace& trace = run_.trace();
    // Nearly all accesses are to other blocks, which must be detected quickly.
    std::vector<BlockIds> ids(run_.machine().levels.size());
    std::vector<std::vector<std::size_t>> placeOf(ids.size());
    for (std::size_t at = 0; at < report.blocks.size(); ++at) {
        ids[report.blocks[at].level].of(report.blocks[at].block);
        placeOf[report.blocks[at].level].push_back(at);
    }
    // Programs access the same places again and again.
    std::vector<std::vector<Recent>> recents(ids.size(), std::vector<Recent>(kRecents));
    const auto takeTouches = [&](Tick t, const Access& a) {
        const std::uint32_t source = sourceLines_.of(a.site);
        for (std::size_t l = 0; l < ids.size(); ++l) {
            if (ids[l].size() == 0) continue;
            Recent& recent =
                recents[l][(a.address.value / 4 + a.cpu * (kRecents / 64 + 1) + source * std::uint64_t{37}) % kRecents];
            if (recent.isOf(a, source) && t < recent.until) {
                ++(a.isWrite() ? recent.use->writes : recent.use->reads);
                ++(a.isWrite() ? recent.ofLine->writes : recent.ofLine->reads);
                continue;
            }
            const std::uint64_t size = run_.machine().levels[l].block;
            const std::uint64_t first = a.address.value / size;
            const std::uint64_t last = (a.address.value + (a.size - 1)) / size;
            // The last block of the address space may have the highest number.
            for (std::uint64_t b = first; b - first <= last - first; ++b) {
                const std::uint32_t id = ids[l].find(BlockAddress{b});
                if (id == BlockIds::kNone) continue;
                Touched& touched = touches_[placeOf[l][id]][touchOf(a, t)];
                FieldUse& use = touched.uses[a.cpu];
                use.cpu = a.cpu;
                FieldLine& line = touched.lines[source];
                ++(a.isWrite() ? use.writes : use.reads);
                ++(a.isWrite() ? line.writes : line.reads);
                const bool isInOneBlock = first == last;
                if (isInOneBlock) {
                    recent = {a.address, a.size, a.cpu, source, sameThingUntil(a.address, t), &use, &line};
                }
            }
        }
    };
    return forEachChunk(trace, range_, progress, {}, [&](Tick t, std::span<const PackedAccess> accesses) {
        for (const PackedAccess& access : accesses) {
            if (!access.unrecorded()) takeTouches(t, access.unpack());
            ++t;
        }
    });
}

/// The place of an access: in the object at its address, else in the region, else in unnamed memory.
SharingFinder::Touch SharingFinder::touchOf(const Access& access, Tick t) const {
    const Trace& trace = run_.trace();
    const Object* const o = trace.objectAt(access.address, t);
    const Owner owner = o != nullptr ? Owner(0, static_cast<std::size_t>(o - trace.objects().data()))
                                     : Owner(1, trace.regionAt(access.address));
    return {access.address.value, access.size, owner};
}

/// The tick until which the thing that is at an address at `t` is certain to stay there.
Tick SharingFinder::sameThingUntil(ByteAddress address, Tick t) const {
    const Trace& trace = run_.trace();
    if (trace.objects().empty()) return Tick{~std::uint64_t{0}};
    const Object* const o = trace.objectAt(address, t);
    return o == nullptr ? t : o->died;
}

std::size_t SharingFinder::thingOf(SharingReport& report, const Owner& owner) {
    const Trace& trace = run_.trace();
    const auto [at, isNew] = placeOfThing_.try_emplace(owner, report.things.size());
    if (!isNew) return at->second;
    const Object* const o = owner.first == 0 ? &trace.objects()[owner.second] : nullptr;
    const std::size_t r = owner.second;
    SharedThing thing;
    if (o != nullptr) {
        thing = {.name = o->name, .base = o->base, .size = o->size, .element = 4, .isNamed = true};
        thing.isOfClass = !o->className.empty() && o->className != o->name;
        thing.label = thing.isOfClass ? o->className : o->name;
    } else if (r < trace.regions().size()) {
        const Region& region = trace.regions()[r];
        thing = {.name = region.name, .label = region.name, .base = region.base, .size = region.size};
        thing.element = region.elementSize;
        thing.isNamed = region.origin == RegionOrigin::declared;
    } else {
        thing = {.name = "memory without a name", .label = "memory without a name"};
    }
    report.things.push_back(std::move(thing));
    return at->second;
}

/// The array of known shape for a thing, or null.
const Region* SharingFinder::arrayOf(const SharedThing& thing) const {
    const auto& regions = run_.trace().regions();
    const std::size_t r = run_.trace().regionAt(thing.base);
    const bool isArray = thing.size > 0 && r < regions.size() && regions[r].base == thing.base &&
                         regions[r].size == thing.size && regions[r].rows > 0;
    return isArray ? &regions[r] : nullptr;
}

/// "C[5]", "counters[3].hits", "Quadrant 3+0x10", "0x1040".
std::string SharingFinder::placeOf(const Touch& touch, const SharedThing& thing) const {
    const Trace& trace = run_.trace();
    const ByteAddress address{touch.address};
    if (touch.owner.first == 0) return trace.placeIn(trace.objects()[touch.owner.second], address);
    if (touch.owner.second >= trace.regions().size()) return fmt::format("{:#x}", touch.address);
    const Region& region = trace.regions()[touch.owner.second];
    const bool isPlain = region.rows == 0 && region.type == nullptr;
    return isPlain && address == region.base ? thing.name : region.placeOf(address);
}

std::vector<FieldLine> linesOf(const std::map<std::uint32_t, FieldLine>& lines, const SourceLines& sourceLines) {
    std::vector<FieldLine> out;
    out.reserve(lines.size());
    for (const auto& [number, line] : lines) {
        out.push_back(line);
        out.back().site = sourceLines.siteOf(number);
    }
    rankLines(out);
    return out;
}

void SharingFinder::addFields(SharingReport& report) {
    for (std::size_t at = 0; at < touches_.size(); ++at) {
        for (const auto& [touch, touched] : touches_[at]) {
            const std::size_t thing = thingOf(report, touch.owner);
            SharedField field{.place = placeOf(touch, report.things[thing]),
                              .address = ByteAddress{touch.address},
                              .size = touch.size,
                              .thing = thing,
                              .lines = linesOf(touched.lines, sourceLines_),
                              .invalidations = touched.invalidations,
                              .trueMisses = touched.trueMisses,
                              .falseMisses = touched.falseMisses,
                              .lost = touched.lost};
            field.uses.reserve(touched.uses.size());
            for (const auto& [cpu, use] : touched.uses) field.uses.push_back(use);
            report.blocks[at].fields.push_back(std::move(field));
        }
    }
    for (SharedThing& thing : report.things) {
        const Region* const array = arrayOf(thing);
        thing.isArray = array != nullptr;
        if (thing.isArray) thing.element = array->elementSize;
    }
}

// --- blocks of the same things with the same cause form one group ---

using GroupCause = SharingGroup::Cause;

std::vector<std::string> labelsOf(const SharingReport& report, const SharedBlock& block) {
    std::set<std::string> labels;
    for (const SharedField& field : block.fields) labels.insert(report.things[field.thing].label);
    return {labels.begin(), labels.end()};
}

/// The contents of the blocks of a group: by name where there are few.
std::vector<std::string> thingsOf(const SharingReport& report, const SharingGroup& group,
                                  const std::vector<std::string>& labels) {
    constexpr std::size_t kFew = 3;
    std::set<std::string> names;
    for (const std::size_t b : group.blocks) {
        for (const SharedField& field : report.blocks[b].fields) names.insert(report.things[field.thing].name);
    }
    return names.size() <= kFew ? std::vector(names.begin(), names.end()) : labels;
}

void addLines(SharingGroup& group, const std::vector<LinesOfBlock>& lines) {
    LinesOfBlock sums;
    for (const std::size_t b : group.blocks) {
        for (const auto& [number, line] : lines[b]) {
            SharingLine& sum = sums.try_emplace(number, SharingLine{.site = line.site}).first->second;
            sum.misses += line.misses;
            sum.invalidations += line.invalidations;
            sum.lost += line.lost;
        }
    }
    for (const auto& [number, line] : sums) group.lines.push_back(line);
    std::stable_sort(group.lines.begin(), group.lines.end(), [](const SharingLine& a, const SharingLine& b) {
        return std::tuple(a.lost, a.misses, a.invalidations) > std::tuple(b.lost, b.misses, b.invalidations);
    });
}

/// Which CPUs use a field, and which of them write it, one bit each.
struct Users {
    std::uint64_t all = 0;
    std::uint64_t writers = 0;
};

Users usersOf(const SharedField& field) {
    Users users;
    for (const FieldUse& use : field.uses) {
        users.all |= std::uint64_t{1} << use.cpu;
        if (use.writes > 0) users.writers |= std::uint64_t{1} << use.cpu;
    }
    return users;
}

/// Whether CPUs lose a block with these two fields by false sharing: a CPU uses only one of them, and it writes that
/// one, or some CPU writes the other.
bool disturb(const Users& a, const Users& b) {
    const std::uint64_t onlyA = a.all & ~b.all;
    const std::uint64_t onlyB = b.all & ~a.all;
    return (onlyA != 0 && b.writers != 0) || (onlyB != 0 && a.writers != 0) || (onlyA & a.writers) != 0 ||
           (onlyB & b.writers) != 0;
}

class Proposing {
  public:
    Proposing(const SharingReport& report, const SharingGroup& group)
        : report_(report), blockSize_(report.blockSizes[group.level]) {
        for (const std::size_t b : group.blocks) takeBlock(report.blocks[b]);
    }

    std::vector<LayoutChange> proposals() const {
        // Several instances of a class give one piece of advice.
        std::map<std::string, std::vector<std::size_t>> ofLabel;
        for (const auto& [thing, needs] : needs_) ofLabel[report_.things[thing].label].push_back(thing);
        std::vector<LayoutChange> out;
        for (const auto& [label, things] : ofLabel) {
            const bool isOfClass = things.size() > 1 && report_.things[things.front()].isOfClass;
            if (isOfClass) {
                Needs all = needs_.at(things.front());
                for (const std::size_t t : things) all.join(needs_.at(t));
                add(out, {.thing = label, .ofClass = true}, all, report_.things[things.front()]);
                continue;
            }
            for (const std::size_t t : things) {
                add(out, {.thing = report_.things[t].name}, needs_.at(t), report_.things[t]);
            }
        }
        return out;
    }

  private:
    struct Needs {
        bool align = false;
        bool pad = false;
        bool spread = false;
        bool alignToSpread = false;
        std::uint64_t together = 0;  ///< bytes used by the same CPUs, from the start of the thing

        void join(const Needs& other) {
            align = align || other.align;
            pad = pad || other.pad;
            spread = spread || other.spread;
            alignToSpread = alignToSpread || other.alignToSpread;
            together = std::gcd(together, other.together);
        }
    };

    void takeBlock(const SharedBlock& block) {
        std::vector<Users> users;
        users.reserve(block.fields.size());
        for (const SharedField& field : block.fields) users.push_back(usersOf(field));
        bool isBetween = false;
        for (std::size_t i = 0; i < users.size(); ++i) {
            for (std::size_t j = i + 1; j < users.size() && !isBetween; ++j) {
                isBetween = block.fields[i].thing != block.fields[j].thing && disturb(users[i], users[j]);
            }
            const bool isNext = i > 0 && block.fields[i - 1].thing == block.fields[i].thing;
            if (isNext && disturb(users[i - 1], users[i])) spreadAt(block.fields[i]);
        }
        if (isBetween) separate(block);
    }

    /// Separates the things in a block that different CPUs use.
    void separate(const SharedBlock& block) {
        isBetween_ = true;
        const std::uint64_t begin = block.block.value * blockSize_;
        std::set<std::size_t> things;
        for (const SharedField& field : block.fields) {
            if (report_.things[field.thing].isNamed) things.insert(field.thing);
        }
        bool any = false;
        for (const std::size_t t : things) {
            // A thing that begins at or before the block can stay.
            if (report_.things[t].base.value <= begin) continue;
            needs_[t].align = any = true;
        }
        if (any) return;
        for (const std::size_t t : things) needs_[t].pad = true;
    }

    /// Spreads a thing that other CPUs use from a field on.
    void spreadAt(const SharedField& field) {
        const SharedThing& thing = report_.things[field.thing];
        if (!thing.isNamed) return;
        Needs& needs = needs_[field.thing];
        needs.spread = true;
        needs.together = std::gcd(std::gcd(needs.together, field.address.value - thing.base.value), blockSize_);
        // Elements are not split.
        if (needs.together % thing.element != 0) needs.together = thing.element;
        needs.alignToSpread = thing.base.value % blockSize_ + needs.together > blockSize_;
    }

    void add(std::vector<LayoutChange>& out, LayoutChange change, const Needs& needs, const SharedThing& thing) const {
        change.bytes = static_cast<std::int64_t>(blockSize_);
        const auto put = [&](LayoutChange::Kind kind, std::uint64_t element) {
            out.push_back(change);
            out.back().kind = kind;
            out.back().element = element;
        };
        // A record apart from the others is left unchanged.
        const bool spreads = needs.spread && (thing.isArray || !isBetween_);
        const bool aligns = needs.align || (spreads && needs.alignToSpread);
        if (aligns) put(LayoutChange::Kind::align, 0);
        if (needs.pad && !aligns) put(LayoutChange::Kind::pad, 0);
        if (spreads) put(LayoutChange::Kind::spread, needs.together == thing.element ? 0 : needs.together);
    }

    const SharingReport& report_;
    std::uint64_t blockSize_;
    bool isBetween_ = false;
    std::map<std::size_t, Needs> needs_;  ///< by thing
};

/// Which CPU owns each element of a thing: the CPU that makes the largest share of its own writes there. So a CPU that
/// sets everything to zero before the others begin does not own it.
class WritersOf {
  public:
    void take(const SharedField& field, const SharedThing& thing) {
        const std::uint64_t element = (field.address.value - thing.base.value) / thing.element;
        for (const FieldUse& use : field.uses) {
            if (use.writes == 0) continue;
            writes_[element][use.cpu] += use.writes;
            ofAll_[use.cpu] += use.writes;
        }
    }
    bool alternate() const {
        std::set<std::uint32_t> cpus;
        std::size_t pieces = 0;
        std::optional<std::uint32_t> before;
        for (const auto& [element, writes] : writes_) {
            const auto owner = ownerOf(writes);
            if (!owner || owner == before) continue;
            ++pieces;
            cpus.insert(*owner);
            before = owner;
        }
        return cpus.size() > 1 && pieces >= 2 * cpus.size();
    }

  private:
    using Writes = std::map<std::uint32_t, std::uint64_t>;  ///< by CPU

    /// Empty unless the largest share is at least twice the second largest.
    std::optional<std::uint32_t> ownerOf(const Writes& writes) const {
        std::pair<double, std::uint32_t> most;
        double second = 0;
        for (const auto& [cpu, times] : writes) {
            const std::pair share(static_cast<double>(times) / static_cast<double>(ofAll_.at(cpu)), cpu);
            second = std::max(second, std::min(share.first, most.first));
            most = std::max(most, share);
        }
        return most.first < 2 * second ? std::nullopt : std::optional(most.second);
    }

    std::map<std::uint64_t, Writes> writes_;  ///< by element
    Writes ofAll_;
};

/// Layout changes after which no block of a group contains what different CPUs use; empty when each of its blocks is
/// used by one CPU alone, or the shared data has no name.
std::vector<LayoutChange> proposalsFor(const SharingReport& report, const SharingGroup& group) {
    return Proposing(report, group).proposals();
}

/// The things of a group whose elements alternate between CPUs: see SharingGroup.
std::vector<std::size_t> alternatingThings(const SharingReport& report, const SharingGroup& group) {
    std::map<std::size_t, WritersOf> owners;  // by thing
    for (const std::size_t b : group.blocks) {
        for (const SharedField& field : report.blocks[b].fields) {
            if (report.things[field.thing].isNamed) owners[field.thing].take(field, report.things[field.thing]);
        }
    }
    std::vector<std::size_t> out;
    for (const auto& [thing, of] : owners) {
        if (of.alternate()) out.push_back(thing);
    }
    return out;
}

/// Blocks without parts of different CPUs get the proposals for the larger block of a farther level that contains them.
void addFartherProposals(SharingReport& report) {
    std::map<std::pair<std::size_t, std::uint64_t>, const SharingGroup*> groupOf;  // by level and block
    for (const SharingGroup& group : report.groups) {
        for (const std::size_t b : group.blocks) groupOf[{group.level, report.blocks[b].block.value}] = &group;
    }
    for (SharingGroup& group : report.groups) {
        const bool isOpen = group.cause == GroupCause::falseSharing && group.proposals.empty();
        for (std::size_t l = group.level + 1; isOpen && l < report.levels.size() && !group.through; ++l) {
            const std::uint64_t together = report.blockSizes[l] / report.blockSizes[group.level];
            for (const std::size_t b : group.blocks) {
                const auto at = groupOf.find({l, report.blocks[b].block.value / together});
                if (together == 1 || at == groupOf.end() || at->second->proposals.empty()) continue;
                group.through = l;
                for (const LayoutChange& change : at->second->proposals) addNew(group.proposals, change);
            }
        }
    }
}

void addGroups(SharingReport& report, const std::vector<LinesOfBlock>& lines) {
    std::map<std::tuple<std::size_t, GroupCause, std::vector<std::string>>, SharingGroup> groups;
    for (std::size_t b = 0; b < report.blocks.size(); ++b) {
        const SharedBlock& block = report.blocks[b];
        const auto key = std::tuple(block.level, causeOf(block.trueMisses, block.falseMisses), labelsOf(report, block));
        SharingGroup& group = groups[key];
        std::tie(group.level, group.cause, group.things) = key;
        group.blocks.push_back(b);
        group.invalidations += block.invalidations;
        group.trueMisses += block.trueMisses;
        group.falseMisses += block.falseMisses;
        group.lost += block.lost;
    }
    for (auto& [key, group] : groups) {
        addLines(group, lines);
        group.things = thingsOf(report, group, group.things);
        if (group.falseMisses > 0) group.proposals = proposalsFor(report, group);
        if (group.cause == GroupCause::falseSharing) group.alternating = alternatingThings(report, group);
        report.lost += group.lost;
        report.groups.push_back(std::move(group));
    }
    addFartherProposals(report);
    std::stable_sort(report.groups.begin(), report.groups.end(), [](const SharingGroup& a, const SharingGroup& b) {
        return std::tuple(a.lost, a.trueMisses + a.falseMisses, a.invalidations) >
               std::tuple(b.lost, b.trueMisses + b.falseMisses, b.invalidations);
    });
}

template <class Of>
std::uint64_t sumOf(const std::vector<Of>& parts, std::uint64_t (*number)(const Of&)) {
    std::uint64_t sum = 0;
    for (const Of& part : parts) sum += number(part);
    return sum;
}

}  // namespace

void rankLines(std::vector<FieldLine>& lines) {
    std::stable_sort(lines.begin(), lines.end(), [](const FieldLine& a, const FieldLine& b) {
        return std::pair(a.lost, a.reads + a.writes) > std::pair(b.lost, b.reads + b.writes);
    });
}

std::uint64_t SharedField::reads() const {
    return sumOf<FieldUse>(uses, [](const FieldUse& use) { return use.reads; });
}

std::uint64_t SharedField::writes() const {
    return sumOf<FieldUse>(uses, [](const FieldUse& use) { return use.writes; });
}

std::uint64_t SharedBlock::reads() const {
    return sumOf<SharedField>(fields, [](const SharedField& field) { return field.reads(); });
}

std::uint64_t SharedBlock::writes() const {
    return sumOf<SharedField>(fields, [](const SharedField& field) { return field.writes(); });
}

SharingCause causeOf(std::uint64_t trueMisses, std::uint64_t falseMisses) {
    if (trueMisses + falseMisses == 0) return SharingCause::noMiss;
    return falseMisses > trueMisses ? SharingCause::falseSharing : SharingCause::trueSharing;
}

std::optional<SharingCosts> sharingCostsOf(const Trace& trace, const MachineConfig& machine, Progress& progress) {
    auto future = futureOf(machine, trace, progress);
    if (!future) return std::nullopt;
    Simulator simulator = startOf(trace, machine, *future);
    SharingCounter counter(simulator.machine());
    progress.start(trace.size());
    if (!replay(trace, simulator, {Tick{0}, Tick{trace.size()}}, counter, progress)) return std::nullopt;
    return counter.costs();
}

std::optional<SharingReport> sharingOf(const Run& run, Range range, Progress& progress) {
    SharingReport report{.range = range, .machine = run.machine().name};
    for (const LevelConfig& level : run.machine().levels) {
        report.levels.push_back(level.name);
        report.blockSizes.push_back(level.block);
    }
    SharingFinder finder(run, range);
    if (!finder.fill(report, progress)) return std::nullopt;
    addGroups(report, finder.lines());
    return report;
}

}  // namespace whorl::sim
