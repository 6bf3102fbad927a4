#include "sim/cache/hierarchy_patch.h"

namespace whorl::sim {

TouchedSets::TouchedSets(const Hierarchy& hierarchy)
    : near_(hierarchy.levels() == 0 ? 0 : hierarchy.caches(0)), levels_(hierarchy.levels()) {
    const MachineConfig& machine = hierarchy.machine();
    marks_.reserve(hierarchy.cacheCount());
    takers_.assign(hierarchy.cacheCount(), kNone);
    for (std::size_t l = 0; l < levels_; ++l) {
        first_.push_back(marks_.size());
        const bool isTaken = l + 1 < levels_ && machine.levels[l + 1].inclusion == Inclusion::exclusive;
        for (std::uint32_t i = 0; i < machine.caches(l); ++i) {
            const std::uint32_t cpu = machine.firstCpu(l, i);
            if (isTaken) takers_[marks_.size()] = hierarchy.cacheIndex(l + 1, machine.cacheOf(l + 1, cpu));
            marks_.emplace_back(hierarchy.cache(l, i).sets());
            sets_.emplace_back(hierarchy.cache(l, i).sets());
        }
    }
}

void TouchedSets::add(std::span<const Event> events) {
    for (const Event& e : events) {
        if (!e.isInCache()) continue;
        const std::size_t cache = first_[e.level] + e.cache;
        if (e.level > 0) marks_[cache].mark(e.set);
        if (e.kind == EventKind::eviction && takers_[cache] != kNone) {
            const std::size_t taker = takers_[cache];
            marks_[taker].mark(SetIndex{sets_[taker].of(e.block.value)});
        }
    }
}

void TouchedSets::clear() {
    for (SetMarks& marks : marks_) marks.clear();
}

HierarchyPatch::HierarchyPatch(const Hierarchy& before, const Hierarchy& after, const TouchedSets* touched)
    : strides_(after.strides_) {
    caches_.reserve(after.caches_.size() + after.tlbs_.size());
    for (std::size_t i = 0; i < after.caches_.size(); ++i) {
        caches_.emplace_back(before.caches_[i], after.caches_[i], touched != nullptr ? touched->of(i) : nullptr);
    }
    for (std::size_t i = 0; i < after.tlbs_.size(); ++i) {
        caches_.emplace_back(before.tlbs_[i], after.tlbs_[i], nullptr);
    }
    if (after.pages_) pages_.emplace(*before.pages_, *after.pages_);
}

HierarchyPatch::HierarchyPatch(const HierarchyPatch& first, const HierarchyPatch& second) : strides_(second.strides_) {
    caches_.reserve(second.caches_.size());
    for (std::size_t i = 0; i < second.caches_.size(); ++i) caches_.emplace_back(first.caches_[i], second.caches_[i]);
    if (second.pages_) pages_.emplace(*first.pages_, *second.pages_);
}

void HierarchyPatch::applyTo(Hierarchy& hierarchy) const {
    for (std::size_t i = 0; i < caches_.size(); ++i) {
        const bool isTlb = i >= hierarchy.caches_.size();
        caches_[i].applyTo(isTlb ? hierarchy.tlbs_[i - hierarchy.caches_.size()] : hierarchy.caches_[i]);
    }
    if (pages_) pages_->applyTo(*hierarchy.pages_);
    hierarchy.strides_ = strides_;
}

std::size_t HierarchyPatch::bytes() const {
    std::size_t sum = sizeof *this + strides_.size() * sizeof(StrideTable);
    for (const CachePatch& patch : caches_) sum += patch.bytes();
    if (pages_) sum += pages_->bytes();
    return sum;
}

}  // namespace whorl::sim
