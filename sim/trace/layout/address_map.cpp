#include "sim/trace/layout/address_map.h"

#include <algorithm>
#include <iterator>

namespace whorl::sim {

namespace {

std::uint64_t moved(const AddressMap::Piece& piece, std::uint64_t address) {
    const std::uint64_t offset = address - piece.from;
    if (piece.element == 0) return piece.to + offset;
    if (piece.order != nullptr) return piece.to + piece.order->of(offset);
    return piece.to + offset / piece.element * piece.stride + offset % piece.element;
}

/// Consecutive accesses are often in the same piece, so the last one is tried first.
void apply(const AddressMap::Step& step, std::span<PackedAccess> accesses) {
    const AddressMap::Piece* piece = step.data();
    const AddressMap::Piece* const last = piece + step.size() - 1;
    const auto lengthOf = [&](const AddressMap::Piece* p) {
        return (p == last ? ~std::uint64_t{0} : (p + 1)->from) - p->from;
    };
    std::uint64_t length = lengthOf(piece);
    for (PackedAccess& a : accesses) {
        const std::uint64_t address = a.address().value;
        if (address - piece->from >= length) {
            piece = &pieceAt(step, address);
            length = lengthOf(piece);
        }
        a = PackedAccess(ByteAddress{moved(*piece, address)}, a.site(), a.rest());
    }
}

}  // namespace

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
    // The parts fill an element, so the arrays of the preceding parts take `part.offset` bytes per element.
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

/// Binary search without unpredictable branches: the next address cannot be predicted.
const AddressMap::Piece& pieceAt(const AddressMap::Step& step, std::uint64_t address) {
    const AddressMap::Piece* piece = step.data();
    for (std::size_t left = step.size(); left > 1;) {
        const std::size_t half = left / 2;
        piece = piece[half].from <= address ? piece + half : piece;
        left -= half;
    }
    return *piece;
}

std::uint64_t moved(const AddressMap::Step& step, std::uint64_t address) {
    return moved(pieceAt(step, address), address);
}

ByteAddress AddressMap::of(ByteAddress address) const {
    for (const Step& step : steps_) address = ByteAddress{moved(step, address.value)};
    return address;
}

void AddressMap::apply(std::span<PackedAccess> accesses) const {
    for (const Step& step : steps_) sim::apply(step, accesses);
}

}  // namespace whorl::sim
