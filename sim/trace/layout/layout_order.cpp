#include "sim/trace/layout/layout_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "sim/base/text.h"

namespace whorl::sim {
namespace {

using Kind = LayoutChange::Kind;

Expected<SharedOrder> transposedOrder(const LayoutChange& change, const Targets& targets, const std::string& trace) {
    const std::uint64_t size = targets.extents.front().to - targets.extents.front().from;
    const std::string thing = quotedText(change.thing);
    const std::uint64_t element = targets.element;
    const std::uint64_t columns = change.bytes != 0 ? static_cast<std::uint64_t>(change.bytes) : targets.columns;
    if (columns == 0) {
        return fail(trace, fmt::format("it is not known how many columns {} has", thing),
                    "give them: transpose:NAME:COLUMNS, or transpose:NAME:COLUMNS:ELEMENT");
    }
    if (element == 0) {
        return fail(trace, fmt::format("it is not known how large an element of {} is", thing),
                    "give it after the columns: transpose:NAME:COLUMNS:ELEMENT");
    }
    if (columns > size / element) {
        return fail(trace, fmt::format("{} has no row of {} elements of {} bytes", thing, columns, element),
                    fmt::format("use at most {} columns", size / element));
    }
    const std::uint64_t rows = size / element / columns;
    return std::make_shared<const ElementOrder>(
        ElementOrder::transposed(change.bytes != 0 ? rows : std::min(rows, targets.rows), columns, element));
}

Expected<SharedOrder> splitOrder(const LayoutChange& change, const Targets& targets, const std::string& trace) {
    const std::uint64_t size = targets.extents.front().to - targets.extents.front().from;
    const std::string thing = quotedText(change.thing);
    const bool byType = change.bytes == 0;
    if (byType && (targets.type == nullptr || targets.type->fields.size() < 2)) {
        return fail(trace, fmt::format("the elements of {} have no known fields", thing),
                    "give the size of a field: split:NAME:FIELD, or split:NAME:FIELD:ELEMENT");
    }
    const std::uint64_t ofType = targets.type == nullptr ? 0 : targets.type->size;
    const std::uint64_t ofRegion = targets.isRegion || ofType == 0 ? targets.element : 0;
    const std::uint64_t element = change.element != 0 ? change.element : std::max(ofType, ofRegion);
    const auto field = static_cast<std::uint64_t>(change.bytes);
    if (element == 0) {
        return fail(trace, fmt::format("it is not known how large an element of {} is", thing),
                    "give it after the field's size: split:NAME:FIELD:ELEMENT");
    }
    if (field >= element) {
        return fail(trace, fmt::format("the elements of {} have {} bytes, and no fields of {}", thing, element, field),
                    "use fewer");
    }
    if (size / element < 2) {
        return fail(trace, fmt::format("{} has only one element of {} bytes", thing, element), "split an array");
    }
    return std::make_shared<const ElementOrder>(byType
                                                    ? ElementOrder::split(size / element, element, targets.type->fields)
                                                    : ElementOrder::split(size / element, element, field));
}

/// What is known about a region of which a piece got another order.
void reorder(Region& region, const AddressMap::Piece& piece, bool isWhole) {
    const ElementOrder& order = *piece.order;
    if (isWhole && order.isTransposed() && order.element() <= std::numeric_limits<std::uint32_t>::max()) {
        region.rows = order.columns();
        region.columns = order.rows();
        region.elementSize = static_cast<std::uint32_t>(order.element());
        return;
    }
    region.elementSize = 1;
    region.rows = region.columns = 0;
    region.type = nullptr;
}

/// Whether [from, to) is a whole piece.
bool isPiece(const AddressMap::Step& step, const AddressMap::Piece& piece, std::uint64_t from, std::uint64_t to) {
    return piece.from == from && (&piece == &step.back() || (&piece + 1)->from == to);
}

}  // namespace

Expected<SharedOrder> orderFor(const LayoutChange& change, const Targets& targets, const std::vector<Region>& regions,
                               const std::string& trace) {
    if (!reorders(change.kind)) return SharedOrder();
    const Extent& thing = targets.extents.front();
    for (const Region& r : regions) {
        const Extent extent = extentOf(r);
        const bool isApart = extent.from >= thing.to || extent.to <= thing.from;
        if (isApart || (extent.from <= thing.from && thing.to <= extent.to)) continue;
        return fail(trace, fmt::format("{} lies only partly in {}", quotedText(change.thing), quotedText(r.name)),
                    "transpose or split something else");
    }
    return change.kind == Kind::transpose ? transposedOrder(change, targets, trace)
                                          : splitOrder(change, targets, trace);
}

void applyOrder(const AddressMap::Step& step, Region& region) {
    const std::uint64_t end = extentOf(region).to;
    for (const AddressMap::Piece* piece = &pieceAt(step, region.base.value);
         piece != step.data() + step.size() && piece->from < end; ++piece) {
        if (piece->order != nullptr) reorder(region, *piece, isPiece(step, *piece, region.base.value, end));
    }
}

void applyOrder(const AddressMap::Step& step, Object& object) {
    const AddressMap::Piece& piece = pieceAt(step, object.base.value);
    if (piece.order == nullptr || piece.order->isTransposed()) return;
    if (isPiece(step, piece, object.base.value, object.base.value + object.size)) object.type = nullptr;
}

}  // namespace whorl::sim
