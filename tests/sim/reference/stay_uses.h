// Which bytes of each block are used while it is in a cache: each access marks its bytes in all caches that have them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "sim/reference/happening.h"
#include "sim/reference/machine.h"
#include "sim/trace/access.h"

namespace whorl::reference {

class StayUses {
  public:
    /// The machine knows which CPUs use a cache; it must outlive this.
    explicit StayUses(const Machine& machine) : machine_(machine), used_(machine.config().levels.size()) {}

    /// Takes the next access and all its events.
    void take(const sim::Access& access, const std::vector<Happening>& happenings);

    /// By level, for each fill in order: the bytes used before the block left, or so far.
    std::vector<std::vector<std::uint32_t>> used() const;
    /// The bytes used so far of a block that a cache has.
    std::uint32_t usedNow(std::size_t level, std::size_t cache, std::uint64_t block) const {
        return static_cast<std::uint32_t>(stays_.at({level, cache}).at(block).bytes.size());
    }

  private:
    struct Stay {
        std::size_t fill = 0;
        std::set<std::uint64_t> bytes;  ///< addresses
    };
    /// The bytes of one block of the first level that the CPU accesses.
    struct Request {
        std::size_t cpu;
        std::uint64_t first;
        std::uint64_t last;
    };

    void take(const sim::Access& access, const Happening& happening);
    void served(const Happening& happening);
    void finish();
    void markAll();
    void mark(std::size_t level, std::size_t cache);
    bool isRequested(const Happening& happening) const;

    const Machine& machine_;
    std::map<std::pair<std::size_t, std::size_t>, std::map<std::uint64_t, Stay>> stays_;  ///< by cache, by block
    std::vector<std::vector<std::uint32_t>> used_;
    std::optional<Request> request_;
};

}  // namespace whorl::reference
