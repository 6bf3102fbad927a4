#include "sim/trace/element_type.h"

#include <algorithm>
#include <iterator>

namespace whorl::sim {

const StructField* ElementType::fieldAt(std::uint64_t offset) const {
    const auto above = std::upper_bound(fields.begin(), fields.end(), offset,
                                        [](std::uint64_t at, const StructField& f) { return at < f.offset; });
    if (above == fields.begin()) return nullptr;
    const StructField& field = *std::prev(above);
    return offset - field.offset < field.size ? &field : nullptr;
}

}  // namespace whorl::sim
