// The accesses to what is picked, among those of its place: kept from frame to frame, as there may be millions. Plain
// data.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "app/views/history/place_histories.h"
#include "sim/analysis/place.h"
#include "sim/base/types.h"

namespace whorl::app {

struct PickedAccesses {
    std::shared_ptr<const PlaceHistories::Picked> among;  ///< null: nothing is kept
    std::optional<sim::Place> memory;                     ///< none: all are to it

    std::vector<PlaceHistories::PickedAccess> all;  ///< by time, also outside of the range
    std::vector<sim::Tick> counted;                 ///< when those were that count in the range
    std::uint64_t writes = 0;                       ///< of those counted
    std::uint64_t missed = 0;

    /// The last one before a tick, and the first one from there on; null where there is none.
    const PlaceHistories::PickedAccess* before(sim::Tick tick) const;
    const PlaceHistories::PickedAccess* from(sim::Tick tick) const;
    std::uint64_t countedBefore(sim::Tick tick) const;
};

PickedAccesses accessesAmong(std::shared_ptr<const PlaceHistories::Picked> picked,
                             const std::optional<sim::Place>& memory);

}  // namespace whorl::app
