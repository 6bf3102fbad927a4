// An array in the shape that its program declares: rows and columns of elements. A change of the layout moves the
// elements in memory, but keeps their rows and columns.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "sim/trace/layout/address_map.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

class ArrayShape {
  public:
    /// Nothing unless the region, an index into Trace::regions(), has elements in rows. The trace must outlive it.
    static std::optional<ArrayShape> of(const Trace& trace, std::size_t region);

    std::size_t region() const { return region_; }
    /// As the program declares it.
    const Region& declared() const { return *declared_; }
    /// The memory that it has in the trace, with what a change of the layout adds.
    const Region& now() const { return *now_; }
    /// Whether the program gives it rows and columns; else it is one row of all elements.
    bool hasRows() const { return declared_->columns != 0; }
    std::uint64_t rows() const { return hasRows() ? declared_->rows : 1; }
    std::uint64_t columns() const { return hasRows() ? declared_->columns : declared_->rows; }
    /// Elements are numbered row by row, whatever the layout.
    std::uint64_t elements() const { return rows() * columns(); }
    std::uint32_t elementSize() const { return declared_->elementSize; }

    /// Where a byte of an element lies in the trace.
    ByteAddress addressOf(std::uint64_t element, std::uint32_t byte = 0) const;
    /// The element whose byte lies at an address of the trace; nothing for padding, and outside.
    std::optional<std::uint64_t> elementAt(ByteAddress address) const;
    /// Calls f(element) for each element with a byte in [from, last] of the trace; for one that a layout tears apart,
    /// perhaps more than once.
    template <class F>
    void forEachIn(ByteAddress from, ByteAddress last, F&& f) const {
        forEachIn(from, last, std::forward<F>(f), [](std::uint64_t element) { return element + 1; });
    }
    /// As above, but passes over elements where memory has them in the order of the program: `next(element)` is the
    /// next one that matters.
    template <class F, class Next>
    void forEachIn(ByteAddress from, ByteAddress last, F&& f, Next&& next) const {
        if (map_ == nullptr) {
            const auto touched = touchedBy(std::max(from, declared_->base), 1);
            if (!touched || last < declared_->base) return;
            const std::uint64_t end = std::min((last.value - declared_->base.value) / elementSize() + 1, elements());
            for (std::uint64_t e = touched->first; e < end; e = next(e)) f(e);
            return;
        }
        for (std::uint64_t at = from.value; at <= last.value;) {
            const auto element = elementAt(ByteAddress{at});
            if (element) f(*element);
            // As a whole, an element ends here; what a layout tears apart, and padding, is passed byte by byte.
            const std::uint64_t end = element ? addressOf(*element).value + elementSize() : 0;
            const bool isWhole = end > at && elementAt(ByteAddress{end - 1}) == element;
            if (at == last.value) return;
            at = isWhole ? end : at + 1;
        }
    }

    /// The elements that an access touches, in the order of the program. `recorded`: its address before any change of
    /// the layout. Nothing if it begins elsewhere.
    struct Span {
        std::uint64_t first;
        std::uint64_t last;
        bool operator==(const Span&) const = default;
    };
    std::optional<Span> touchedBy(ByteAddress recorded, std::uint32_t size) const;
    /// The elements that an access touches, by its address in the trace.
    std::optional<Span> touchedNow(ByteAddress address, std::uint32_t size) const;

    /// "B[3][4]".
    std::string nameOf(std::uint64_t element) const { return declared_->placeOf(recordedOf(element)); }
    /// "3,4" or "17": its indices.
    std::string indicesOf(std::uint64_t element) const;

  private:
    ArrayShape(const Trace& trace, std::size_t region, const Region& declared);
    ByteAddress recordedOf(std::uint64_t element) const {
        return ByteAddress{declared_->base.value + element * declared_->elementSize};
    }

    const Region* declared_;
    const Region* now_;
    const AddressMap* map_;  ///< null: the layout is unchanged
    WayBack back_;
    std::size_t region_;
};

/// The index of the array to show without being told which: the first region of rows and columns, else the first with
/// elements; nothing if no region has any.
std::optional<std::size_t> firstArray(const Trace& trace);

}  // namespace whorl::sim
