// The type of the elements of an array, as the program's debug information has it: its name, its size, its fields.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace whorl::sim {

/// A member of a structure, or of a structure in it ("position.x").
struct StructField {
    std::string name;
    std::uint32_t offset = 0;  ///< bytes from the start of the structure
    std::uint32_t size = 0;    ///< bytes
    bool operator==(const StructField&) const = default;
};

struct ElementType {
    std::string name;                 ///< as the source has it: "double", "Node"
    std::uint32_t size = 1;           ///< bytes
    std::vector<StructField> fields;  ///< of a structure, by offset; empty for others

    /// The field that holds a byte of an element; null between fields.
    const StructField* fieldAt(std::uint64_t offset) const;
    bool operator==(const ElementType&) const = default;
};

}  // namespace whorl::sim
