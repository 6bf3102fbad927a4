// The quick way of the accountant: accesses that miss on a machine that does nothing unusual (Hierarchy::isPlain).
// Their events are few and all of the same make, so each is taken with no more than it needs. The result is that of
// LedgerBuilder::takeAccess.
#include "sim/replay/totals/ledger_builder.h"

namespace whorl::sim {

const Event* LedgerBuilder::takePlainAccess(const PackedAccess& access, std::uint32_t place, std::uint64_t tick,
                                            const Event* e, const Event* end) {
    const BlockAddress first{access.address().value >> blockShift_};
    const std::uint32_t id = placeOf(first);
    const std::uint32_t sole = soleRegions_[id];
    const Blame blame{.site = access.site().value,
                      .region = sole != kMixed ? sole : static_cast<std::uint32_t>(trace_.regionAt(access.address()))};
    Cycles cost = 0;
    for (; e != end && e->access == place; ++e) {
        cost += costOf(*e, machine_);
        switch (e->kind) {
            case EventKind::hit:
                takePlainHit(*e);
                break;
            case EventKind::miss:
                if (e->demand) {
                    takePlainMiss(*e, blame, id, tick);
                } else {
                    takeOddMiss(*e, blame, tick);
                }
                break;
            case EventKind::eviction:
                takePlainEviction(*e, blame.region, tick);
                break;
            case EventKind::fill:
                if (classifier_) classifier_->fillPlainly(*e);
                if (e->level == 0) letIn(*e);
                break;
            default:
                break;
        }
    }
    const Cycles more = cost - machine_.levels[0].latency;
    blocks_[id].accesses += 1;
    blocks_[id].more += more;
    more_ += more;
    ++accesses_;
    ledger_.sites.add(blame.site, 1, more);
    ledger_.regions.add(blame.region, 1, more);
    return e;
}

void LedgerBuilder::takePlainHit(const Event& e) {
    if (classifier_) classifier_->hitPlainly(e);
    ++ledger_.sets[e.level][e.set.value].requests;
    ++shares_[e.level].requests;
    ++shares_[e.level].hits;
}

/// A miss of the CPU's own request. `block`: of the access, which is not the one that missed if it straddles.
void LedgerBuilder::takePlainMiss(const Event& e, const Blame& blame, std::uint32_t block, std::uint64_t tick) {
    MissKind kind{};
    if (classifier_) {
        kind = classifier_->missPlainly(e);
        kinds_[e.level].add(kind);
    } else {
        kind = kindOf(e, blame);
    }
    entry(e, blame, tick);
    takeMiss(e, blame, block, kind);
}

/// A miss of a write-back: put down to what is written back.
void LedgerBuilder::takeOddMiss(const Event& e, Blame blame, std::uint64_t tick) {
    const std::uint64_t size = machine_.levels[e.level].block;
    const ByteAddress base{e.block.value * size};
    blame.region = regionOfBlock(trace_, base, size);
    takePlainMiss(e, blame, placeOf(BlockAddress{base.value / machine_.levels[0].block}), tick);
}

void LedgerBuilder::takePlainEviction(const Event& e, std::uint32_t culprit, std::uint64_t tick) {
    entry(e, {.region = culprit}, tick);
    ++ledger_.sets[e.level][e.set.value].evictions;
    regionPairs_.add(e.level, culprit, regionOfVictim(e));
}

/// The region of a block that leaves, at once if it is of the nearest level's size and known.
std::uint32_t LedgerBuilder::regionOfVictim(const Event& e) const {
    std::uint32_t region = kMixed;
    if (e.level == 0) {
        region = ways_[std::size_t{e.set.value} * machine_.levels[0].ways + e.way.value].region;
    } else if (classifier_ && classifier_->hasNearestBlocks(e.level)) {
        const std::uint32_t id = classifier_->blockAt(e);
        if (id < soleRegions_.size()) region = soleRegions_[id];
    }
    if (region != kMixed) return region;
    const std::uint64_t size = machine_.levels[e.level].block;
    return regionOfBlock(trace_, ByteAddress{e.block.value * size}, size);
}

}  // namespace whorl::sim
