#include "sim/trace/layout/address_map.h"

#include <algorithm>
#include <iterator>

#include "sim/trace/layout/relocation.h"

namespace whorl::sim {

namespace {

std::uint64_t moved(const AddressMap::Piece& piece, std::uint64_t address) {
    const std::uint64_t offset = address - piece.from;
    if (piece.element == 0) return piece.to + offset;
    if (piece.order != nullptr) return piece.to + piece.order->of(offset);
    return piece.to + offset / piece.element * piece.stride + offset % piece.element;
}

/// Whether an access keeps its place among the others to a piece whose elements get another order.
bool keepsPlace(const AddressMap::Piece& piece, const PackedAccess& a, const std::vector<bool>* inOrder) {
    if (inOrder != nullptr && (*inOrder)[a.site().value]) return true;
    const std::uint64_t offset = a.address().value - piece.from;
    return piece.order->isSplit() && !piece.order->keepsTogether(offset, offset + a.size());
}

/// Consecutive accesses are often in the same piece, so the last one is tried first.
void apply(const AddressMap::Step& step, std::span<PackedAccess> accesses, const std::vector<bool>* inOrder) {
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
        const bool keeps = piece->order != nullptr && keepsPlace(*piece, a, inOrder);
        const std::uint64_t to = keeps ? piece->to + (address - piece->from) : moved(*piece, address);
        a = PackedAccess(ByteAddress{to}, a.site(), a.rest());
    }
}

}  // namespace

ElementOrder ElementOrder::transposed(std::uint64_t rows, std::uint64_t columns, std::uint64_t element) {
    return {rows, columns, element};
}

ElementOrder ElementOrder::blocked(std::uint64_t rows, std::uint64_t columns, std::uint64_t element,
                                   std::uint64_t tile) {
    ElementOrder order(rows, columns, element);
    order.tile_ = tile;
    return order;
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

/// The number in the order of tiles of an element, by its number in that of rows.
std::uint64_t ElementOrder::inTiles(std::uint64_t number) const {
    const std::uint64_t row = number / columns_;
    const std::uint64_t column = number % columns_;
    const std::uint64_t top = row / tile_ * tile_;
    const std::uint64_t left = column / tile_ * tile_;
    const std::uint64_t high = std::min(tile_, rows_ - top);
    const std::uint64_t wide = std::min(tile_, columns_ - left);
    return top * columns_ + left * high + (row - top) * wide + (column - left);
}

/// The inverse of inTiles().
std::uint64_t ElementOrder::inRows(std::uint64_t number) const {
    const std::uint64_t top = number / columns_ / tile_ * tile_;
    const std::uint64_t high = std::min(tile_, rows_ - top);
    const std::uint64_t ofBand = number - top * columns_;
    const std::uint64_t left = ofBand / high / tile_ * tile_;
    const std::uint64_t wide = std::min(tile_, columns_ - left);
    const std::uint64_t ofTile = ofBand - left * high;
    return (top + ofTile / wide) * columns_ + left + ofTile % wide;
}

std::uint64_t ElementOrder::of(std::uint64_t offset) const {
    const std::uint64_t number = offset / element_;
    const std::uint64_t within = offset % element_;
    if (!isSplit()) {
        if (number >= rows_ * columns_) return offset;
        const std::uint64_t next = isTransposed() ? number % columns_ * rows_ + number / columns_ : inTiles(number);
        return next * element_ + within;
    }
    if (number >= rows_) return offset;
    // The parts fill an element, so the arrays of the preceding parts take `part.offset` bytes per element.
    const Part part = partAt(within);
    return rows_ * part.offset + number * part.size + (within - part.offset);
}

std::uint64_t ElementOrder::before(std::uint64_t offset) const {
    if (!isSplit()) {
        const std::uint64_t number = offset / element_;
        if (number >= rows_ * columns_) return offset;
        const std::uint64_t was = isTransposed() ? number % rows_ * columns_ + number / rows_ : inRows(number);
        return was * element_ + offset % element_;
    }
    if (offset / element_ >= rows_) return offset;
    // The array of a part begins at rows * offset of the part: a byte belongs to the part that is at its share.
    const Part part = partAt(offset / rows_);
    const std::uint64_t ofPart = offset - rows_ * part.offset;
    return ofPart / part.size * element_ + part.offset + ofPart % part.size;
}

bool ElementOrder::keepsTogether(std::uint64_t from, std::uint64_t to) const {
    if (to <= from + 1) return true;
    if (from / element_ != (to - 1) / element_) return false;
    if (!isSplit() || from / element_ >= rows_) return true;
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

void AddressMap::add(const Relocation& relocation) {
    relocation_ =
        std::make_shared<const Relocation>(relocation_ == nullptr ? relocation : relocation.with(*relocation_));
}

void AddressMap::apply(std::span<PackedAccess> accesses, Tick first) const {
    if (relocation_ != nullptr) relocation_->apply(accesses, first);
    for (const Step& step : steps_) sim::apply(step, accesses, inOrder_.get());
}

namespace {

/// The address that a piece moves to this one, if it lies before `end`.
std::optional<std::uint64_t> unmoved(const AddressMap::Piece& piece, std::uint64_t address, std::uint64_t end) {
    if (address < piece.to) return std::nullopt;
    std::uint64_t offset = address - piece.to;
    if (piece.order != nullptr) {
        offset = piece.order->before(offset);
    } else if (piece.element != 0) {
        if (offset % piece.stride >= piece.element) return std::nullopt;
        offset = offset / piece.stride * piece.element + offset % piece.stride;
    }
    return offset < end - piece.from ? std::optional(piece.from + offset) : std::nullopt;
}

/// The first address behind a piece.
std::uint64_t endOfPiece(const AddressMap::Step& step, std::size_t piece) {
    return piece + 1 < step.size() ? step[piece + 1].from : ~std::uint64_t{0};
}

}  // namespace

WayBack::WayBack(const AddressMap* map, ByteAddress from, ByteAddress last) : from_(from), last_(last) {
    if (map == nullptr) return;
    std::uint64_t low = from.value;
    std::uint64_t high = last.value;
    for (const AddressMap::Step& step : map->steps()) {
        const auto first = static_cast<std::size_t>(&pieceAt(step, low) - step.data());
        const auto end = static_cast<std::size_t>(&pieceAt(step, high) - step.data());
        spans_.push_back({&step, first, end});
        const auto shifted = [&](std::size_t p, std::uint64_t address) {
            const AddressMap::Piece& piece = step[p];
            return piece.order == nullptr ? moved(piece, address) : piece.to + (address - piece.from);
        };
        low = shifted(first, low);
        high = shifted(end, high);
    }
}

std::optional<ByteAddress> WayBack::of(ByteAddress address) const {
    for (std::size_t s = spans_.size(); s-- > 0;) {
        const auto& span = spans_[s];
        std::optional<std::uint64_t> was;
        for (std::size_t p = span.first; p <= span.last && !was; ++p) {
            was = unmoved((*span.step)[p], address.value, endOfPiece(*span.step, p));
        }
        if (!was) return std::nullopt;
        address = ByteAddress{*was};
    }
    return address < from_ || address > last_ ? std::nullopt : std::optional(address);
}

}  // namespace whorl::sim
