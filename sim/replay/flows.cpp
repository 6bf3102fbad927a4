#include "sim/replay/flows.h"

#include "sim/replay/totals/ledger.h"

namespace whorl::sim {

void Flows::take(const Event& e, const Access& access, const Trace& trace) {
    origin_.take(e);
    FlowKey key{.level = e.level, .cache = e.cache};
    if (e.kind == EventKind::fill && e.level == 0) {
        key.level = static_cast<std::uint8_t>(origin_.servedBy());
    } else if (e.kind == EventKind::eviction) {
        key.kind = e.dirty ? FlowKey::Kind::writeback : FlowKey::Kind::outward;
    } else if (e.kind == EventKind::invalidation && e.cause == Cause::paging && e.dirty) {
        key.kind = FlowKey::Kind::writeback;
    } else if (e.kind == EventKind::invalidation && e.cause == Cause::coherence) {
        key.kind = FlowKey::Kind::taken;
        key.other = access.cpu;
    } else if (e.kind == EventKind::writeThrough) {
        key.kind = FlowKey::Kind::through;
    } else {
        return;
    }
    const std::uint64_t size = machine_->levels[e.level].block;
    key.region = static_cast<std::uint32_t>(regionOfBlock(trace, ByteAddress{e.block.value * size}, size));
    ++counts_[key];
}

std::uint64_t Flows::total() const {
    std::uint64_t sum = 0;
    for (const auto& [key, count] : counts_) sum += count;
    return sum;
}

}  // namespace whorl::sim
