// The reader's end of a pool of rings, for a program and all processes that come from it; its layout is in wire/pool.h.
// The processes can write anything to it: what is read from it is checked, and nothing else depends on it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "sim/base/error.h"
#include "sim/capture/ring_memory.h"
#include "sim/capture/wire/pool.h"

namespace whorl::sim {

/// The size of a ring. Only used slots take memory.
struct RingSize {
    std::uint32_t slots = 0;
    std::uint32_t slotBytes = 0;
};

/// A process that has a ring, or would have liked to.
struct PooledProcess {
    std::uint32_t state = WHORL_RING_FREE;
    int process = 0;
    int parent = 0;
    bool isForked = false;      ///< its parent put a WHORL_FORK before it began
    std::optional<int> status;  ///< its exit status, if it told
    std::string name;           ///< of its program, with the arguments
};

class ProcessPool {
  public:
    /// Creates a pool of free rings, at most WHORL_MOST_RINGS. Fails if the system has no memory for it.
    static Expected<std::shared_ptr<ProcessPool>> create(std::uint32_t rings, RingSize size);
    ~ProcessPool();
    ProcessPool(const ProcessPool&) = delete;
    ProcessPool& operator=(const ProcessPool&) = delete;

    /// The path by which other processes of this user can map it while this process runs.
    const std::string& path() const { return path_; }
    std::uint32_t rings() const { return rings_; }

    /// The process that has a ring.
    PooledProcess at(std::uint32_t ring) const { return processIn(head_->entries[ring]); }
    /// How many processes found no free ring; of the first ones it is known who they are.
    std::uint32_t untold() const { return loaded(head_->untold); }
    PooledProcess without(std::uint32_t number) const { return processIn(head_->without[number]); }

    /// The reader's end of a ring.
    Expected<RingMemory> ring(std::uint32_t ring) const;
    /// Empties a ring whose process is gone, and makes it free.
    void release(std::uint32_t ring);

  private:
    ProcessPool(int fd, std::uint32_t rings, RingSize size);

    static PooledProcess processIn(const whorl_pool_entry& entry);
    std::uint64_t offsetOf(std::uint32_t ring) const;
    std::uint64_t ringBytes() const;

    int fd_;
    std::uint32_t rings_;
    RingSize size_;
    std::string path_;
    whorl_pool_head* head_ = nullptr;
};

}  // namespace whorl::sim
