#include "sim/capture/ring_memory.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

namespace whorl::sim {

Expected<RingMemory> RingMemory::create(std::uint32_t slots, std::uint32_t slotBytes) {
    const auto failed = [] {
        return fail({}, fmt::format("memory to record to is not available: {}", std::strerror(errno)));
    };
    RingMemory made;
    made.bytes_ = WHORL_RING_HEAD + std::size_t{slots} * slotBytes;
    made.fd_ = memfd_create("whorl-capture", MFD_CLOEXEC);
    if (made.fd_ < 0 || ftruncate(made.fd_, static_cast<off_t>(made.bytes_)) != 0) return failed();
    void* const mapped = mmap(nullptr, made.bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, made.fd_, 0);
    if (mapped == MAP_FAILED) return failed();
    made.head_ = static_cast<whorl_ring_head*>(mapped);
    made.head_->magic = WHORL_RING_MAGIC;
    made.head_->slots = slots;
    made.head_->slot_bytes = slotBytes;
    made.head_->reader = static_cast<whorl_u32>(getpid());
    made.path_ = fmt::format("/proc/{}/fd/{}", getpid(), made.fd_);
    return made;
}

RingMemory::RingMemory(RingMemory&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)),
      path_(std::move(other.path_)),
      head_(std::exchange(other.head_, nullptr)),
      bytes_(other.bytes_),
      current_(std::exchange(other.current_, nullptr)) {}

RingMemory::~RingMemory() {
    if (head_ != nullptr) {
        close();
        munmap(head_, bytes_);
    }
    if (fd_ >= 0) ::close(fd_);
}

whorl_slot_head* RingMemory::at(std::uint32_t slot) const {
    auto* const bytes = reinterpret_cast<std::byte*>(head_);
    return reinterpret_cast<whorl_slot_head*>(bytes + WHORL_RING_HEAD + std::size_t{slot} * head_->slot_bytes);
}

std::span<const whorl_record> RingMemory::recordsOf(std::uint32_t slot) const {
    const auto* const bytes = reinterpret_cast<const std::byte*>(at(slot));
    return {reinterpret_cast<const whorl_record*>(bytes + WHORL_SLOT_HEAD), whorl_records_in(head_->slot_bytes)};
}

std::uint32_t RingMemory::used() const {
    return std::min(__atomic_load_n(&head_->used, __ATOMIC_ACQUIRE), head_->slots);
}

std::uint32_t RingMemory::stateOf(std::uint32_t slot) const {
    return __atomic_load_n(&at(slot)->state, __ATOMIC_ACQUIRE);
}

bool RingMemory::hasLost() const {
    return __atomic_load_n(&head_->lost, __ATOMIC_ACQUIRE) != 0;
}

void RingMemory::empty(whorl_slot_head* slot) {
    std::memset(reinterpret_cast<std::byte*>(slot) + WHORL_SLOT_HEAD, 0, head_->slot_bytes - WHORL_SLOT_HEAD);
    __atomic_store_n(&slot->state, WHORL_SLOT_FREE, __ATOMIC_RELEASE);
}

void RingMemory::release(std::uint32_t slot) {
    empty(at(slot));
}

std::span<const whorl_record> RingMemory::records(std::uint32_t state) {
    std::optional<std::uint32_t> first;
    for (std::uint32_t i = 0; i < head_->slots; ++i) {
        if (stateOf(i) == state && (!first || at(i)->ticket < at(*first)->ticket)) first = i;
    }
    current_ = first ? at(*first) : nullptr;
    if (!first) return {};
    const auto all = recordsOf(*first);
    const auto end = std::find_if(all.begin(), all.end(), [](const whorl_record& r) { return r.what == 0; });
    return all.first(static_cast<std::size_t>(end - all.begin()));
}

void RingMemory::release() {
    if (current_ != nullptr) empty(std::exchange(current_, nullptr));
}

void RingMemory::close() {
    __atomic_store_n(&head_->closed, 1u, __ATOMIC_RELEASE);
}

bool RingMemory::attached() const {
    return __atomic_load_n(&head_->writer, __ATOMIC_ACQUIRE) != 0;
}

}  // namespace whorl::sim
