#include "sim/base/memory_budget.h"

#include <fmt/format.h>

#include "sim/base/memory_limits.h"
#include "sim/base/text.h"

namespace whorl::sim {

MemoryBudget::MemoryBudget(std::uint64_t most) : most_(most != 0 ? most : usualMemoryBudget()) {}

Error MemoryBudget::error(const std::string& file) const {
    return {.where = file,
            .what = fmt::format("reading it takes at least {} of memory, more than the {} that it may take",
                                bytesInWords(needed_), bytesInWords(most_)),
            .hint = "--memory SIZE allows more; or record less of the program",
            .cancelled = false};
}

}  // namespace whorl::sim
