#include "sim/analysis/sharing_pass.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/block_ids.h"
#include "sim/trace/trace_cursor.h"

namespace whorl::sim {

namespace {

/// Accesses between two looks at the wish to stop.
constexpr std::uint64_t kBatch = 4096;

bool isBySharing(MissKind kind) {
    return kind == MissKind::trueSharing || kind == MissKind::falseSharing;
}

}  // namespace

bool SharingPass::fill(SharingReport& report, Progress& progress) {
    known_ = run_.kinds();
    if (!play(progress)) return false;
    report.cycles = cycles_;
    order(report);
    if (!touch(report, progress)) return false;
    addFields(report);
    return true;
}

/// Finds the blocks, with what happened to them.
bool SharingPass::play(Progress& progress) {
    progress.setTotal(2 * (stretch_.to.value - stretch_.from.value));
    std::vector<std::uint64_t> missed;
    Simulator state = run_.stateAt(stretch_.from, &missed);
    TraceCursor cursor(run_.trace());
    EventList events;
    for (Tick t = stretch_.from; t < stretch_.to; ++t) {
        if (t.value % kBatch == 0) {
            if (progress.cancelled()) return false;
            progress.setDone(t.value - stretch_.from.value);
        }
        const Access access = cursor.from(t).front().unpack();
        const Cycles before = state.clock(access.cpu);
        events.clear();
        state.step(access, events);
        const Cycles cost = state.clock(access.cpu) - before;
        cycles_ += cost;
        take(access, events, missed, cost);
    }
    return true;
}

void SharingPass::take(const Access& access, const EventList& events, std::vector<std::uint64_t>& missed, Cycles cost) {
    const MachineConfig& machine = run_.machine();
    const Event* farthest = nullptr;  // the miss by sharing
    bool takesAway = false;
    for (const Event& e : events) {
        const bool isTaken = e.kind == EventKind::invalidation && e.cause == Cause::coherence;
        MissKind kind{};
        if (e.kind == EventKind::miss) {
            const MissKindList& kinds = (*known_)[e.level];
            const std::uint64_t miss = missed[e.level]++;
            if (miss < kinds.size()) kind = kinds[miss];
        }
        if (access.unrecorded || (!isTaken && !isBySharing(kind))) continue;
        const std::size_t at = blockAt(e.level, e.block);
        SharingLine& line = lines_[at][access.site.value];
        if (isTaken) {
            ++blocks_[at].invalidations;
            ++line.invalidations;
            takesAway = true;
            continue;
        }
        ++(kind == MissKind::trueSharing ? blocks_[at].trueMisses : blocks_[at].falseMisses);
        ++line.misses;
        if (e.demand && (farthest == nullptr || e.level >= farthest->level)) farthest = &e;
    }
    const auto lose = [&](const Event& e, Cycles cycles) {
        const std::size_t at = blockAt(e.level, e.block);
        blocks_[at].lost += cycles;
        lines_[at][access.site.value].lost += cycles;
    };
    if (farthest != nullptr) {
        lose(*farthest, cost - std::min<Cycles>(cost, machine.levels[0].latency));
        return;
    }
    for (const Event& e : events) {
        const bool isFor = takesAway && e.kind == EventKind::upgrade && e.demand;
        if (isFor && placeOf_.contains({e.level, e.block})) lose(e, machine.upgradeLatency);
    }
}

std::size_t SharingPass::blockAt(std::size_t level, BlockAddress block) {
    const auto [at, isNew] = placeOf_.try_emplace({level, block}, blocks_.size());
    if (isNew) {
        blocks_.push_back({.level = level, .block = block});
        lines_.emplace_back();
    }
    return at->second;
}

void SharingPass::order(SharingReport& report) {
    std::vector<std::map<std::uint32_t, SharingLine>> lines;
    lines.reserve(blocks_.size());
    for (auto& [key, at] : placeOf_) {
        report.blocks.push_back(blocks_[at]);
        lines.push_back(std::move(lines_[at]));
        at = report.blocks.size() - 1;
    }
    for (auto& ofBlock : lines) {
        for (auto& [site, line] : ofBlock) line.site = SiteId{site};
    }
    lines_ = std::move(lines);
    blocks_.clear();
}

/// Finds out who touches what in those blocks.
bool SharingPass::touch(SharingReport& report, Progress& progress) {
    const Trace& trace = run_.trace();
    touches_.resize(report.blocks.size());
    // All but a few accesses are to none of the blocks, which must be found out quickly.
    std::vector<BlockIds> ids(run_.machine().levels.size());
    std::vector<std::vector<std::size_t>> placeOf(ids.size());
    for (std::size_t at = 0; at < report.blocks.size(); ++at) {
        ids[report.blocks[at].level].of(report.blocks[at].block);
        placeOf[report.blocks[at].level].push_back(at);
    }
    std::uint64_t done = stretch_.to.value - stretch_.from.value;
    bool isCancelled = false;
    trace.forEach(stretch_.from, stretch_.to, [&](Tick t, const Access& a) {
        if (++done % kBatch == 0) {
            progress.setDone(done);
            isCancelled = isCancelled || progress.cancelled();
        }
        if (a.unrecorded || isCancelled) return;
        for (std::size_t l = 0; l < ids.size(); ++l) {
            if (ids[l].size() == 0) continue;
            const std::uint64_t size = run_.machine().levels[l].block;
            const std::uint64_t last = (a.address.value + (a.size - 1)) / size;
            for (std::uint64_t b = a.address.value / size; b <= last; ++b) {
                const std::uint32_t id = ids[l].find(BlockAddress{b});
                if (id == BlockIds::kNone) continue;
                const Touch key{a.address.value, a.size, thingAt(report, a.address, t)};
                FieldUse& use = touches_[placeOf[l][id]][key][a.cpu];
                use.cpu = a.cpu;
                ++(a.isWrite() ? use.writes : use.reads);
            }
        }
    });
    return !isCancelled;
}

/// The object at an address, or else the region, or nothing that has a name.
std::size_t SharingPass::thingAt(SharingReport& report, ByteAddress address, Tick t) {
    const Trace& trace = run_.trace();
    const Object* const o = trace.objectAt(address, t);
    const std::size_t r = o == nullptr ? trace.regionAt(address) : 0;
    const std::pair<int, std::size_t> key =
        o != nullptr ? std::pair(0, static_cast<std::size_t>(o - trace.objects().data())) : std::pair(1, r);
    const auto [at, isNew] = placeOfThing_.try_emplace(key, report.things.size());
    if (!isNew) return at->second;
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

/// The array of known shape that a thing is, or null.
const Region* SharingPass::arrayOf(const SharedThing& thing) const {
    const auto& regions = run_.trace().regions();
    const std::size_t r = run_.trace().regionAt(thing.base);
    const bool isArray = thing.size > 0 && r < regions.size() && regions[r].base == thing.base &&
                         regions[r].size == thing.size && regions[r].rows > 0;
    return isArray ? &regions[r] : nullptr;
}

void SharingPass::addFields(SharingReport& report) {
    for (SharedThing& thing : report.things) {
        const Region* const array = arrayOf(thing);
        thing.isArray = array != nullptr;
        if (thing.isArray) thing.element = array->elementSize;
    }
    for (std::size_t at = 0; at < touches_.size(); ++at) {
        for (const auto& [touch, uses] : touches_[at]) {
            const SharedThing& thing = report.things[touch.thing];
            const Region* const array = arrayOf(thing);
            SharedField field{.address = ByteAddress{touch.address}, .size = touch.size, .thing = touch.thing};
            const std::uint64_t offset = touch.address - thing.base.value;
            if (array != nullptr) {
                field.place = array->placeOf(field.address);
            } else if (thing.size == 0) {
                field.place = fmt::format("{:#x}", touch.address);
            } else {
                field.place = offset == 0 ? thing.name : fmt::format("{}+{:#x}", thing.name, offset);
            }
            field.uses.reserve(uses.size());
            for (const auto& [cpu, use] : uses) field.uses.push_back(use);
            report.blocks[at].fields.push_back(std::move(field));
        }
    }
}

}  // namespace whorl::sim
