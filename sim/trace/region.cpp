#include "sim/trace/region.h"

#include <fmt/format.h>

namespace whorl::sim {

std::string Region::placeOf(ByteAddress a) const {
    const std::uint64_t offset = a.value - base.value;
    if (rows == 0) return fmt::format("{}+{:#x}", name, offset);
    const std::uint64_t element = offset / elementSize;
    if (columns == 0) return fmt::format("{}[{}]", name, element);
    return fmt::format("{}[{}][{}]", name, element / columns, element % columns);
}

}  // namespace whorl::sim
