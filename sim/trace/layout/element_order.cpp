#include "sim/trace/layout/element_order.h"

#include <algorithm>
#include <iterator>

namespace whorl::sim {

ElementOrder ElementOrder::transposed(std::uint64_t rows, std::uint64_t columns, std::uint64_t element) {
    return {rows, columns, element};
}

ElementOrder ElementOrder::split(std::uint64_t elements, std::uint64_t element,
                                 const std::vector<StructField>& fields) {
    ElementOrder order(elements, 0, element);
    std::vector<Part>& parts = order.parts_;
    const auto end = [&] { return parts.empty() ? 0 : parts.back().offset + parts.back().size; };
    for (const StructField& field : fields) {
        const std::uint64_t to = std::min(element, std::uint64_t{field.offset} + field.size);
        if (to <= end()) continue;
        if (field.offset < end()) {
            parts.back().size = to - parts.back().offset;
            continue;
        }
        if (field.offset > end()) parts.push_back({.offset = end(), .size = field.offset - end()});
        parts.push_back({.offset = field.offset, .size = to - field.offset});
    }
    if (end() < element) parts.push_back({.offset = end(), .size = element - end()});
    return order;
}

ElementOrder ElementOrder::split(std::uint64_t elements, std::uint64_t element, std::uint64_t field) {
    ElementOrder order(elements, 0, element);
    order.field_ = field;
    return order;
}

ElementOrder::Part ElementOrder::partAt(std::uint64_t within) const {
    if (parts_.empty()) {
        const std::uint64_t offset = within / field_ * field_;
        return {.offset = offset, .size = std::min(field_, element_ - offset)};
    }
    return *std::prev(std::upper_bound(parts_.begin(), parts_.end(), within,
                                       [](std::uint64_t at, const Part& part) { return at < part.offset; }));
}

std::uint64_t ElementOrder::of(std::uint64_t offset) const {
    const std::uint64_t number = offset / element_;
    const std::uint64_t within = offset % element_;
    if (isTransposed()) {
        if (number >= rows_ * columns_) return offset;
        return (number % columns_ * rows_ + number / columns_) * element_ + within;
    }
    if (number >= rows_) return offset;
    // The parts fill an element, so that the arrays of those before this one have `part.offset` bytes an element.
    const Part part = partAt(within);
    return rows_ * part.offset + number * part.size + (within - part.offset);
}

bool ElementOrder::keepsTogether(std::uint64_t from, std::uint64_t to) const {
    if (to <= from + 1) return true;
    if (from / element_ != (to - 1) / element_) return false;
    if (isTransposed() || from / element_ >= rows_) return true;
    const Part part = partAt(from % element_);
    return (to - 1) % element_ - part.offset < part.size;
}

}  // namespace whorl::sim
