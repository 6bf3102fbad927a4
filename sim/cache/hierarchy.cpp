#include "sim/cache/hierarchy.h"

#include <algorithm>

#include "sim/cache/simple_run.h"

namespace whorl::sim {

namespace {

LevelConfig asLevel(const TlbConfig& tlb) {
    LevelConfig level;
    level.size = std::uint64_t{tlb.entries} * tlb.page;
    level.ways = tlb.ways;
    level.block = tlb.page;
    return level;
}

}  // namespace

Hierarchy::Hierarchy(const MachineConfig& machine, const Future& future)
    : machine_(std::make_shared<const MachineConfig>(machine)) {
    const auto& levels = machine_->levels;
    for (std::size_t l = 0; l < levels.size(); ++l) {
        first_.push_back(caches_.size());
        for (std::uint32_t i = 0; i < machine_->caches(l); ++i) caches_.emplace_back(levels[l], i);
    }
    for (std::size_t i = 0; i < std::min(future.size(), caches_.size()); ++i) caches_[i].setFuture(future[i]);
    if (machine_->tlb.entries > 0) tlbs_.assign(machine_->cpus, Cache(asLevel(machine_->tlb), 0));
    if (machine_->memory.isBounded()) pages_.emplace(machine_->memory);
    if (std::any_of(levels.begin(), levels.end(), [](const auto& l) { return l.prefetch == Prefetcher::stride; })) {
        strides_.resize(caches_.size());
    }
    const bool translates = !tlbs_.empty() || pages_;
    simple_ = isSimpleMachine(*machine_);
    if (levels.empty()) return;
    const LevelConfig& nearest = levels.front();
    quickReads_ = !translates && nearest.prefetch == Prefetcher::none && nearest.policy != Policy::opt;
    const bool mayWrite = machine_->protocol == Protocol::none || machine_->caches(0) == 1;
    quickWrites_ = quickReads_ && mayWrite && !nearest.writeThrough && !machine_->conventions.modifyCountsOnce;
}

std::size_t Hierarchy::bytes() const {
    std::size_t sum = sizeof *this + strides_.size() * sizeof(StrideTable);
    for (const Cache& c : caches_) sum += c.bytes();
    for (const Cache& c : tlbs_) sum += c.bytes();
    if (pages_) sum += pages_->bytes();
    return sum;
}

bool Hierarchy::operator==(const Hierarchy& other) const {
    return *machine_ == *other.machine_ && caches_ == other.caches_ && tlbs_ == other.tlbs_ && pages_ == other.pages_ &&
           strides_ == other.strides_;
}

}  // namespace whorl::sim
