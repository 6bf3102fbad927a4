#include "sim/analysis/history.h"

namespace whorl::sim {

Cycles History::cycles() const {
    Cycles sum = 0;
    for (const CostNode& node : sources) sum += node.cycles;
    return sum;
}

}  // namespace whorl::sim
