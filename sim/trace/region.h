// Named memory: regions and objects.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/base/types.h"

namespace whorl::sim {

/// A member of a structure, or of a structure in it ("position.x").
struct StructField {
    std::string name;
    std::uint32_t offset = 0;  ///< bytes from the start of the structure
    std::uint32_t size = 0;    ///< bytes
    bool operator==(const StructField&) const = default;
};

/// The type of the elements of an array, from the program's debug information.
struct ElementType {
    std::string name;                 ///< as in the source: "double", "Node"
    std::uint32_t size = 1;           ///< bytes
    std::vector<StructField> fields;  ///< fields of a structure, by offset; empty for other types

    /// The field that holds a byte of an element; null between fields.
    const StructField* fieldAt(std::uint64_t offset) const;
    bool operator==(const ElementType&) const = default;
};

enum class RegionOrigin : std::uint8_t {
    declared,  ///< named by the trace or the program
    inferred,  ///< inferred from the gaps between touched addresses
};

struct Region {
    std::string name;
    ByteAddress base;
    std::uint64_t size = 0;         ///< bytes
    std::uint32_t elementSize = 1;  ///< bytes
    std::uint64_t rows = 0;         ///< 0: not an array of known shape
    std::uint64_t columns = 0;      ///< 0 with rows > 0: one-dimensional
    RegionOrigin origin = RegionOrigin::declared;
    std::shared_ptr<const ElementType> type = nullptr;  ///< type of the elements, or of the whole region; null: unknown

    /// The last byte; the region must not be empty. The address after it may not exist.
    ByteAddress last() const { return ByteAddress{base.value + (size - 1)}; }
    bool contains(ByteAddress a) const { return a.value - base.value < size; }

    /// A readable name for an address within the region: "B[3][0]", "a[17]", "nodes[5].next", "heap+0x40". A byte
    /// inside an element or a field gets the name of that element or field.
    std::string placeOf(ByteAddress a) const;
};

/// A piece of memory with a lifetime and a class, as allocated and freed by the program.
struct Object {
    std::string name;
    std::string className;
    ByteAddress base;
    std::uint64_t size = 0;                             ///< bytes
    Tick born;                                          ///< tick of the first access while it is alive
    Tick died{~std::uint64_t{0}};                       ///< tick of the first access after its lifetime
    std::shared_ptr<const ElementType> type = nullptr;  ///< type of the elements, or of the whole object; null: unknown

    bool contains(ByteAddress a, Tick t) const { return a.value - base.value < size && born <= t && t < died; }
    /// A readable name for an address within the object: as in a region if the type is known, else "Quadrant 3+0x8".
    std::string placeOf(ByteAddress a) const;
};

/// Finds the object at an address at a given time, even if memory is reused: a segment tree over addresses, whose nodes
/// list the objects that cover them in order of birth. It stores indices only, not the objects.
class ObjectIndex {
  public:
    ObjectIndex() = default;
    /// No two objects may hold the same address at the same time.
    explicit ObjectIndex(const std::vector<Object>& objects);

    /// The object that holds an address at a time, or null. `objects` must be those the index was built for. O(log² n).
    const Object* find(const std::vector<Object>& objects, ByteAddress a, Tick t) const {
        return around(objects, a, t).object;
    }
    /// Addresses and times around one, at all of which the same object, or none, holds the memory.
    struct Stretch {
        const Object* object = nullptr;
        std::uint64_t base = 0;
        std::uint64_t size = 0;  ///< bytes
        Tick from;
        Tick to;

        bool contains(ByteAddress a, Tick t) const { return a.value - base < size && from <= t && t < to; }
    };
    Stretch around(const std::vector<Object>& objects, ByteAddress a, Tick t) const;

  private:
    std::vector<std::uint64_t> cuts_;     ///< every base and end, ascending: leaf i is [cuts_[i], cuts_[i + 1])
    std::vector<std::uint32_t> first_;    ///< node n lists members_[first_[n]] up to members_[first_[n + 1]]
    std::vector<std::uint32_t> members_;  ///< indices of objects, by birth within a node

    std::size_t leafAt(std::uint64_t cut) const;
};

/// Ends each object where a later one is born in its memory, so that no two objects hold the same memory at the same
/// time. Sorts the objects by base, then by birth.
void endBeforeNext(std::vector<Object>& objects);

}  // namespace whorl::sim
