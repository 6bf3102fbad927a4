#include "app/session/picks.h"

namespace whorl::app {

namespace {

template <class Things>
std::optional<PickedMemory> memoryIn(const Things& things, std::uint32_t id) {
    if (id >= things.size() || things[id].size == 0) return std::nullopt;
    return PickedMemory{things[id].base, things[id].size, things[id].name};
}

}  // namespace

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
