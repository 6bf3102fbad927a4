// Another order of the same bytes of an array: its elements transposed, or each field of its elements in an array of
// its own.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/trace/element_type.h"

namespace whorl::sim {

/// What remains after the last whole element stays where it is, so that the array keeps its size.
class ElementOrder {
  public:
    /// Of rows * columns elements, (i, j) moves to the place of (j, i) in an array of `columns` rows.
    static ElementOrder transposed(std::uint64_t rows, std::uint64_t columns, std::uint64_t element);
    /// The first field of all elements comes first, then the second of all. Bytes between fields are moved like fields,
    /// so that all addresses stay aligned; fields that overlap, as in a union, stay together.
    static ElementOrder split(std::uint64_t elements, std::uint64_t element, const std::vector<StructField>& fields);
    /// The same for fields that all have `field` bytes.
    static ElementOrder split(std::uint64_t elements, std::uint64_t element, std::uint64_t field);

    bool isTransposed() const { return columns_ != 0; }
    std::uint64_t element() const { return element_; }
    std::uint64_t rows() const { return rows_; }
    std::uint64_t columns() const { return columns_; }  ///< 0 if it is split

    /// The new offset of a byte of the array.
    std::uint64_t of(std::uint64_t offset) const;
    /// Whether the bytes [from, to) stay next to each other.
    bool keepsTogether(std::uint64_t from, std::uint64_t to) const;

  private:
    struct Part {
        std::uint64_t offset = 0;
        std::uint64_t size = 0;
    };
    ElementOrder(std::uint64_t rows, std::uint64_t columns, std::uint64_t element)
        : rows_(rows), columns_(columns), element_(element) {}
    Part partAt(std::uint64_t within) const;

    std::uint64_t rows_;     ///< elements if it is split
    std::uint64_t columns_;  ///< 0: split
    std::uint64_t element_;  ///< bytes
    std::uint64_t field_ = 0;
    std::vector<Part> parts_;  ///< of an element, without gaps; empty: all have `field_` bytes, but for the last
};

}  // namespace whorl::sim
