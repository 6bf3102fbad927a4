#include "sim/capture/process_pool.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "sim/base/output_file.h"
#include "sim/base/text.h"

namespace whorl::sim {
namespace {

static_assert(sizeof(whorl_pool_head) <= WHORL_POOL_HEAD);

/// A name that a process wrote, as far as it can be shown.
std::string nameIn(const whorl_pool_entry& entry) {
    std::string name;
    for (const char& letter : entry.name) {
        const char c = loaded(letter);
        if (c == '\0') break;
        name += static_cast<unsigned char>(c) < ' ' || c == '\x7f' ? ' ' : c;
    }
    while (name.ends_with(' ')) name.pop_back();
    return name;
}

}  // namespace

ProcessPool::ProcessPool(int fd, std::uint32_t rings, RingSize size)
    : fd_(fd), rings_(rings), size_(size), path_(fmt::format("/proc/{}/fd/{}", getpid(), fd)) {}

ProcessPool::~ProcessPool() {
    if (head_ != nullptr) munmap(head_, WHORL_POOL_HEAD);
    close(fd_);
}

std::uint64_t ProcessPool::ringBytes() const {
    return WHORL_RING_HEAD + std::uint64_t{size_.slots} * size_.slotBytes;
}

std::uint64_t ProcessPool::offsetOf(std::uint32_t ring) const {
    return WHORL_POOL_HEAD + ring * ringBytes();
}

Expected<std::shared_ptr<ProcessPool>> ProcessPool::create(std::uint32_t rings, RingSize size) {
    const auto failed = [] {
        return fail({}, fmt::format("there is no memory to record several processes to: {}", whyNotWritten(errno)));
    };
    const int fd = memfd_create("whorl-pool", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd < 0) return failed();
    std::shared_ptr<ProcessPool> pool(new ProcessPool(fd, std::min<std::uint32_t>(rings, WHORL_MOST_RINGS), size));
    if (ftruncate(fd, static_cast<off_t>(pool->offsetOf(pool->rings_))) != 0) return failed();
    // If a program could shrink the memory, reading it could crash this program.
    if (fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) return failed();
    void* const mapped = mmap(nullptr, WHORL_POOL_HEAD, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (mapped == MAP_FAILED) return failed();
    pool->head_ = static_cast<whorl_pool_head*>(mapped);
    pool->head_->ring_bytes = pool->ringBytes();
    pool->head_->rings = pool->rings_;
    for (std::uint32_t i = 0; i < pool->rings_; ++i) {
        auto ring = WHORL_TRY(pool->ring(i));
        ring.prepare();
    }
    pool->head_->magic = WHORL_POOL_MAGIC;
    return pool;
}

PooledProcess ProcessPool::processIn(const whorl_pool_entry& entry) {
    PooledProcess process{.state = loaded(entry.state),
                          .process = static_cast<int>(loaded(entry.process)),
                          .parent = static_cast<int>(loaded(entry.parent)),
                          .isForked = loaded(entry.forked) != 0,
                          .status = {},
                          .name = {}};
    if (process.state == WHORL_RING_FREE) return process;
    if (const std::uint32_t told = loaded(entry.status); told != 0) process.status = static_cast<int>(told - 1) & 0xff;
    if (process.state == WHORL_RING_TAKEN) process.name = nameIn(entry);
    return process;
}

Expected<RingMemory> ProcessPool::ring(std::uint32_t ring) const {
    return RingMemory::within(fd_, offsetOf(ring), size_.slots, size_.slotBytes, path_);
}

void ProcessPool::release(std::uint32_t ring) {
    fallocate(fd_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(offsetOf(ring)),
              static_cast<off_t>(ringBytes()));
    auto again = this->ring(ring);
    if (!again) return;  // stays taken: there is no memory to read it
    again->prepare();
    __atomic_store_n(&head_->entries[ring].state, WHORL_RING_FREE, __ATOMIC_RELEASE);
}

}  // namespace whorl::sim
