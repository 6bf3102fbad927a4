#include "sim/trace/layout/array_shape.h"

#include <fmt/format.h>

#include <algorithm>

namespace whorl::sim {

std::optional<ArrayShape> ArrayShape::of(const Trace& trace, std::size_t region) {
    const std::vector<Region>& regions = trace.unmoved().regions();
    if (region >= regions.size() || regions.size() != trace.regions().size()) return std::nullopt;
    const Region& declared = regions[region];
    const std::uint64_t columns = std::max<std::uint64_t>(declared.columns, 1);
    const bool isArray = declared.rows > 0 && declared.elementSize > 0 && declared.size >= declared.elementSize;
    if (!isArray || declared.rows > declared.size / declared.elementSize / columns) return std::nullopt;
    return ArrayShape(trace, region, declared);
}

ArrayShape::ArrayShape(const Trace& trace, std::size_t region, const Region& declared)
    : declared_(&declared),
      now_(&trace.regions()[region]),
      map_(&trace.unmoved() == &trace ? nullptr : trace.map()),
      back_(map_, declared.base, declared.last()),
      region_(region) {}

ByteAddress ArrayShape::addressOf(std::uint64_t element, std::uint32_t byte) const {
    const ByteAddress was{recordedOf(element).value + byte};
    return map_ == nullptr ? was : map_->of(was);
}

std::optional<std::uint64_t> ArrayShape::elementAt(ByteAddress address) const {
    const auto was = back_.of(address);
    if (!was) return std::nullopt;
    const std::uint64_t element = (was->value - declared_->base.value) / declared_->elementSize;
    return element < elements() ? std::optional(element) : std::nullopt;
}

std::optional<ArrayShape::Span> ArrayShape::touchedBy(ByteAddress recorded, std::uint32_t size) const {
    if (!declared_->contains(recorded)) return std::nullopt;
    const std::uint64_t offset = recorded.value - declared_->base.value;
    const std::uint64_t first = offset / declared_->elementSize;
    if (first >= elements()) return std::nullopt;
    const std::uint64_t last = (offset + std::max<std::uint32_t>(size, 1) - 1) / declared_->elementSize;
    return Span{first, std::min(last, elements() - 1)};
}

std::optional<ArrayShape::Span> ArrayShape::touchedNow(ByteAddress address, std::uint32_t size) const {
    const auto recorded = back_.of(address);
    return recorded ? touchedBy(*recorded, size) : std::nullopt;
}

std::string ArrayShape::indicesOf(std::uint64_t element) const {
    return hasRows() ? fmt::format("{},{}", element / columns(), element % columns()) : fmt::format("{}", element);
}

std::optional<std::size_t> firstArray(const Trace& trace) {
    std::optional<std::size_t> first;
    for (std::size_t r = 0; r < trace.regions().size(); ++r) {
        const auto shape = ArrayShape::of(trace, r);
        if (shape && shape->hasRows()) return r;
        if (shape && !first) first = r;
    }
    return first;
}

}  // namespace whorl::sim
