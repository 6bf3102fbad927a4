// Which miss a fill is for: follows the events of an access at one level, where misses of its own may come between a
// miss and its fill.
#pragma once

#include <optional>
#include <vector>

#include "sim/cache/event.h"
#include "sim/machine/machine_config.h"

namespace whorl::sim {

class MissFills {
  public:
    /// The level must outlive this.
    explicit MissFills(const LevelConfig& level) : level_(level) {}

    /// The events of the next access follow.
    void begin() { waiting_.clear(); }
    /// Takes a miss of the level. False if it fills nothing, as a write where writes do not allocate, or any miss in an
    /// exclusive level.
    bool take(const Event& miss) {
        if (level_.inclusion == Inclusion::exclusive || (miss.write && !level_.allocate)) return false;
        waiting_.push_back(miss);
        return true;
    }
    /// The miss that a fill of the level is for; nothing for a prefetch of the level, or a block that it takes over
    /// from a nearer one.
    std::optional<Event> missOf(const Event& fill) {
        if (waiting_.empty() || waiting_.back().block != fill.block || waiting_.back().cache != fill.cache) return {};
        const Event miss = waiting_.back();
        waiting_.pop_back();
        return miss;
    }

  private:
    const LevelConfig& level_;
    std::vector<Event> waiting_;  ///< misses, the latest last
};

}  // namespace whorl::sim
