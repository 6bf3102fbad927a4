// Finds the object that holds an address at a time, however often the addresses were used again: a segment tree over
// the addresses, whose nodes list by birth the objects that cover them. It owns no objects, only their indices.
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
    /// For objects of which no two hold the same address at the same time.
    explicit ObjectIndex(const std::vector<Object>& objects);

    /// The object of `objects` (those that the index was made for) that holds an address at a time, or null. O(log² n).
    const Object* find(const std::vector<Object>& objects, ByteAddress a, Tick t) const;

  private:
    std::vector<std::uint64_t> cuts_;     ///< every base and end, ascending: leaf i is [cuts_[i], cuts_[i + 1])
    std::vector<std::uint32_t> first_;    ///< node n lists members_[first_[n]] up to members_[first_[n + 1]]
    std::vector<std::uint32_t> members_;  ///< indices of objects, by birth within a node

    std::size_t leafAt(std::uint64_t cut) const;
};

}  // namespace whorl::sim
