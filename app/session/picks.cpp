#include "app/session/picks.h"

#include <algorithm>

namespace whorl::app {

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
                           : s.function != 0 && other.functionOf(s) == trace.functionOf(site);
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
    switch (pick.kind) {
        case sim::CostNode::Kind::object:
            return memoryIn(trace.objects(), pick.id);
        case sim::CostNode::Kind::region:
            return memoryIn(trace.regions(), pick.id);
        case sim::CostNode::Kind::word:
            return PickedMemory{pick.address, 1, {}};
        default:
            return std::nullopt;
    }
}

}  // namespace whorl::app
