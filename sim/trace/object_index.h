// Finds the object at an address at a given time, even if memory is reused: a segment tree over addresses, whose nodes
// list the objects that cover them in order of birth. It stores indices only, not the objects.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/base/types.h"
#include "sim/trace/region.h"

namespace whorl::sim {

class ObjectIndex {
  public:
    ObjectIndex() = default;
    /// No two objects may hold the same address at the same time.
    explicit ObjectIndex(const std::vector<Object>& objects);

    /// The object that holds an address at a time, or null. `objects` must be those the index was built for. O(log² n).
    const Object* find(const std::vector<Object>& objects, ByteAddress a, Tick t) const;

  private:
    std::vector<std::uint64_t> cuts_;     ///< every base and end, ascending: leaf i is [cuts_[i], cuts_[i + 1])
    std::vector<std::uint32_t> first_;    ///< node n lists members_[first_[n]] up to members_[first_[n + 1]]
    std::vector<std::uint32_t> members_;  ///< indices of objects, by birth within a node

    std::size_t leafAt(std::uint64_t cut) const;
};

}  // namespace whorl::sim
