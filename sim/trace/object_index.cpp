#include "sim/trace/object_index.h"

#include <algorithm>
#include <numeric>

namespace whorl::sim {
namespace {

/// Calls f(node) for the nodes that together cover the leaves [from, to) of a tree with that many leaves.
template <class F>
void forEachNode(std::size_t leaves, std::size_t from, std::size_t to, F&& f) {
    for (from += leaves, to += leaves; from < to; from /= 2, to /= 2) {
        if (from % 2 == 1) f(from++);
        if (to % 2 == 1) f(--to);
    }
}

}  // namespace

ObjectIndex::ObjectIndex(const std::vector<Object>& objects) {
    for (const Object& o : objects) {
        cuts_.push_back(o.base.value);
        cuts_.push_back(o.base.value + o.size);
    }
    std::sort(cuts_.begin(), cuts_.end());
    cuts_.erase(std::unique(cuts_.begin(), cuts_.end()), cuts_.end());

    std::vector<std::uint32_t> byBirth(objects.size());
    std::iota(byBirth.begin(), byBirth.end(), 0u);
    std::stable_sort(byBirth.begin(), byBirth.end(), [&](std::uint32_t a, std::uint32_t b) {
        return std::pair(objects[a].born, objects[a].died) < std::pair(objects[b].born, objects[b].died);
    });
    const auto forEachNodeOf = [&](const Object& o, auto&& f) {
        forEachNode(cuts_.size(), leafAt(o.base.value), leafAt(o.base.value + o.size), f);
    };
    first_.assign(2 * cuts_.size() + 1, 0);
    for (const Object& o : objects) {
        forEachNodeOf(o, [&](std::size_t node) { ++first_[node + 1]; });
    }
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    members_.resize(first_.back());
    auto next = first_;
    for (const std::uint32_t i : byBirth) {
        forEachNodeOf(objects[i], [&](std::size_t node) { members_[next[node]++] = i; });
    }
}

const Object* ObjectIndex::find(const std::vector<Object>& objects, ByteAddress a, Tick t) const {
    const auto above = std::upper_bound(cuts_.begin(), cuts_.end(), a.value);
    if (above == cuts_.begin()) return nullptr;
    const auto leaf = static_cast<std::size_t>(above - cuts_.begin()) - 1;
    for (std::size_t node = leaf + cuts_.size(); node > 0; node /= 2) {
        // All of these hold the address, so their lifetimes do not overlap: only the last one born by then can be
        // alive.
        const auto from = members_.begin() + first_[node];
        const auto to = members_.begin() + first_[node + 1];
        const auto younger =
            std::upper_bound(from, to, t, [&](Tick time, std::uint32_t i) { return time < objects[i].born; });
        if (younger != from && objects[*(younger - 1)].contains(a, t)) return &objects[*(younger - 1)];
    }
    return nullptr;
}

std::size_t ObjectIndex::leafAt(std::uint64_t cut) const {
    return static_cast<std::size_t>(std::lower_bound(cuts_.begin(), cuts_.end(), cut) - cuts_.begin());
}

}  // namespace whorl::sim
