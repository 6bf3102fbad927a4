#include "app/panels/picked/picked_accesses.h"

#include <algorithm>
#include <utility>

namespace whorl::app {

namespace {

using PickedAccess = PlaceHistories::PickedAccess;

bool isBefore(const PickedAccess& access, sim::Tick tick) {
    return access.tick < tick;
}

}  // namespace

const PickedAccess* PickedAccesses::before(sim::Tick tick) const {
    const auto found = std::lower_bound(all.begin(), all.end(), tick, isBefore);
    return found == all.begin() ? nullptr : &*(found - 1);
}

const PickedAccess* PickedAccesses::from(sim::Tick tick) const {
    const auto found = std::lower_bound(all.begin(), all.end(), tick, isBefore);
    return found == all.end() ? nullptr : &*found;
}

std::uint64_t PickedAccesses::countedBefore(sim::Tick tick) const {
    return static_cast<std::uint64_t>(std::lower_bound(counted.begin(), counted.end(), tick) - counted.begin());
}

PickedAccesses accessesAmong(std::shared_ptr<const PlaceHistories::Picked> picked,
                             const std::optional<sim::Place>& memory) {
    PickedAccesses out{.among = std::move(picked), .memory = memory, .all = {}, .counted = {}};
    const sim::Range range = out.among->of.range;
    for (const PickedAccess& access : out.among->accesses) {
        const std::uint64_t last = access.address.value + (access.size - 1);
        const bool isTo = !memory || (access.address <= memory->last() && memory->from.value <= last);
        if (!isTo) continue;
        out.all.push_back(access);
        if (!access.counts || access.tick < range.from || !(access.tick < range.to)) continue;
        out.counted.push_back(access.tick);
        out.writes += access.write ? 1u : 0u;
        out.missed += access.hit ? 0u : 1u;
    }
    return out;
}

}  // namespace whorl::app
