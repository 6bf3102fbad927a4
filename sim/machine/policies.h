// The replacement policies, one row each: their names and descriptions. sim/cache/cache.cpp implements them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

#include "sim/base/types.h"

namespace whorl::sim {

/// Replacement policy: which block of a full set is evicted. Invalid ways are always filled first.
enum class Policy : std::uint8_t {
    lru,       ///< the least recently used
    treePlru,  ///< follows a binary tree of bits that point away from recent uses
    fifo,      ///< the block filled the longest ago; hits are ignored
    mru,       ///< the most recently used
    random,    ///< pseudo-random, seeded
    srrip,     ///< static re-reference interval prediction, 2 bits (Jaleel et al., ISCA 2010)
    opt,       ///< the block whose next request is farthest in the future (Belady 1966)
};

struct PolicyRow {
    /// What a cache stores of the eviction order.
    enum class Order : std::uint8_t {
        kept,      ///< the order itself, by way
        reversed,  ///< the reverse order
        derived,   ///< other state, from which the order follows
    };

    Policy policy;
    std::string_view word;    ///< in descriptions of machines: "plru"
    std::string_view name;    ///< in sentences: "tree-PLRU"
    std::string_view victim;  ///< which block it evicts: a sentence without its full stop
    std::string_view listed;  ///< the order in which questions list a set; the victim comes last
    Order order;
    bool isForeseen;             ///< a student can predict the victim from what they know
    std::string_view ranks;      ///< what ranks in the order say; empty: nothing, before a block leaves
    std::string_view kept = {};  ///< what is kept of each way, as tables call it; empty: the order alone
};

inline constexpr PolicyRow kPolicyRows[] = {
    {Policy::lru, "lru", "LRU", "LRU evicts the block that was not used for the longest time",
     "most recently used first", PolicyRow::Order::kept, true,
     "0 was used last; the highest of a full set leaves next"},
    {Policy::treePlru, "plru", "tree-PLRU", "Tree-PLRU evicts the block that the bits of its tree point to",
     "next to be evicted last", PolicyRow::Order::derived, true, "the highest of a full set leaves next", "bit"},
    {Policy::fifo, "fifo", "FIFO", "FIFO evicts the block that came in first", "last filled first",
     PolicyRow::Order::kept, true, "0 came last; the highest of a full set leaves next"},
    {Policy::mru, "mru", "MRU", "MRU evicts the block that was used last", "least recently used first",
     PolicyRow::Order::reversed, true, "the highest of a full set, which was used last, leaves next"},
    {Policy::random, "random", "random replacement", "Random replacement evicts any block, here", "in any order",
     PolicyRow::Order::derived, false, ""},
    {Policy::srrip, "srrip", "SRRIP", "SRRIP evicts the block that it expects to be used the latest",
     "next to be evicted last", PolicyRow::Order::derived, true, "the highest of a full set leaves next", "RRPV"},
    {Policy::opt, "opt", "OPT", "OPT evicts the block whose next use is farthest in the future",
     "next to be evicted last", PolicyRow::Order::derived, false, "the highest of a full set leaves next"},
};

/// The row of a policy.
constexpr const PolicyRow& rowOf(Policy policy) {
    return kPolicyRows[static_cast<std::size_t>(policy)];
}

static_assert(isInOrder(kPolicyRows, &PolicyRow::policy));

}  // namespace whorl::sim
