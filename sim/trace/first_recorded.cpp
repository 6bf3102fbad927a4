#include "sim/trace/first_recorded.h"

#include <algorithm>

#include "sim/trace/trace.h"

namespace whorl::sim {

Tick firstRecorded(const Trace& trace) {
    const CursorLoan loan(trace);
    std::uint64_t before = 0;
    while (before < trace.size()) {
        const auto accesses = loan.cursor().from(Tick{before});
        const auto first =
            std::find_if(accesses.begin(), accesses.end(), [](const auto& a) { return !a.unrecorded(); });
        before += static_cast<std::uint64_t>(first - accesses.begin());
        if (first != accesses.end()) break;
    }
    return Tick{before};
}

}  // namespace whorl::sim
