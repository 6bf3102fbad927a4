#include "app/session/selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/report/report.h"
#include "sim/trace/source_lines.h"

namespace whorl::app {

Selection selectionOf(scene::Target target) {
    using Kind = scene::Target::Kind;
    if (target.kind == Kind::cell) target.kind = Kind::set;
    Selection selection{.target = target, .byte = {}};
    const bool isBlock = target.kind == Kind::line || target.kind == Kind::slot || target.kind == Kind::trail;
    if (isBlock) selection.byte = target.address;
    return selection;
}

Selection blockAt(sim::ByteAddress byte) {
    return {.target = {.kind = scene::Target::Kind::slot, .address = byte}, .byte = byte};
}

Selection regionAt(std::uint32_t region) {
    return {.target = {.kind = scene::Target::Kind::region, .region = region}, .byte = {}};
}

bool exists(const scene::Target& target, const sim::Run& run) {
    using Kind = scene::Target::Kind;
    const sim::MachineConfig& machine = run.machine();
    const auto hasCache = [&] {
        return target.level < machine.levels.size() && target.cache < machine.caches(target.level);
    };
    const auto hasSet = [&] { return hasCache() && target.set.value < machine.levels[target.level].sets(); };
    switch (target.kind) {
        case Kind::none:
            return false;
        case Kind::line:
        case Kind::cell:
        case Kind::set:
            return hasSet() && target.rank < machine.levels[target.level].ways;
        case Kind::level:
        case Kind::trail:
            return hasCache();
        case Kind::region:
            return target.region < run.trace().regions().size();
        case Kind::cpu:
            return target.cpu < machine.cpus;
        case Kind::slot:
        case Kind::flow:
            break;
    }
    return true;
}

namespace {

template <class Things>
std::optional<PickedMemory> memoryIn(const Things& things, std::uint32_t id) {
    if (id >= things.size() || things[id].size == 0) return std::nullopt;
    return PickedMemory{things[id].base, things[id].size, things[id].name};
}

template <class Things>
std::optional<ObjectPick> namesakeOf(const ObjectPick& pick, const Things& things, const Things& others) {
    if (pick.id >= things.size() || things[pick.id].name.empty()) return std::nullopt;
    const auto isIt = [&](const auto& other) { return other.name == things[pick.id].name; };
    const auto found = std::find_if(others.begin(), others.end(), isIt);
    if (found == others.end()) return std::nullopt;
    return ObjectPick{pick.kind, static_cast<std::uint32_t>(found - others.begin()), found->base};
}

}  // namespace

std::optional<SourcePick> sameIn(const SourcePick& pick, const sim::Trace& trace, const sim::Trace& other) {
    if (pick.site >= trace.sites().size()) return std::nullopt;
    const sim::Site& site = trace.sites()[pick.site];
    const auto isIt = [&](const sim::Site& s) {
        if (s.line != site.line) return false;
        return s.line != 0 ? other.files()[s.file].path == trace.files()[site.file].path
                           : s.function != 0 && other.functionOf(s) == trace.functionOf(site) &&
                                 siteName(other, s) == siteName(trace, site);
    };
    const auto found = std::find_if(other.sites().begin(), other.sites().end(), isIt);
    if (found == other.sites().end()) return std::nullopt;
    return SourcePick{static_cast<std::uint32_t>(found - other.sites().begin())};
}

std::optional<ObjectPick> sameIn(const ObjectPick& pick, const sim::Trace& trace, const sim::Trace& other) {
    if (pick.kind == sim::CostNode::Kind::object) return namesakeOf(pick, trace.objects(), other.objects());
    if (pick.kind == sim::CostNode::Kind::region) return namesakeOf(pick, trace.regions(), other.regions());
    return pick;
}

std::optional<PickedMemory> memoryOf(const ObjectPick& pick, const sim::Trace& trace) {
    using Kind = sim::CostNode::Kind;
    if (pick.kind == Kind::object) return memoryIn(trace.objects(), pick.id);
    if (pick.kind == Kind::region) return memoryIn(trace.regions(), pick.id);
    return pick.kind == Kind::word ? std::optional(PickedMemory{pick.address, 1, {}}) : std::nullopt;
}

const sim::Object* objectOf(const ObjectPick& pick, const sim::Trace& trace) {
    const bool isThere = pick.kind == sim::CostNode::Kind::object && pick.id < trace.objects().size();
    return isThere ? &trace.objects()[pick.id] : nullptr;
}

sim::Range rangeBetween(double a, double b, std::uint64_t size) {
    const auto end = static_cast<double>(size);
    const double first = std::clamp(std::floor(std::min(a, b)), 0.0, std::max(0.0, end - 1));
    const double last = std::clamp(std::ceil(std::max(a, b)), first + 1, std::max(first + 1, end));
    return {sim::Tick{static_cast<std::uint64_t>(first)}, sim::Tick{static_cast<std::uint64_t>(last)}};
}

std::string inWords(const sim::Range& range) {
    return fmt::format("accesses {} – {} ({})", sim::grouped(range.from.value), sim::grouped(range.to.value),
                       sim::grouped(range.size()));
}

std::string partInWords(const sim::Range& range, const sim::Trace& trace) {
    return ", " + (range.size() == trace.size() ? "whole run" : inWords(range));
}

}  // namespace whorl::app
