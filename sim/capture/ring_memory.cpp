#include "sim/capture/ring_memory.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
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

whorl_slot_head* RingMemory::slot(std::uint32_t index) const {
    auto* const bytes = reinterpret_cast<std::byte*>(head_);
    return reinterpret_cast<whorl_slot_head*>(bytes + WHORL_RING_HEAD + std::size_t{index} * head_->slot_bytes);
}

whorl_record* RingMemory::recordsOf(whorl_slot_head* slot) const {
    return reinterpret_cast<whorl_record*>(reinterpret_cast<std::byte*>(slot) + WHORL_SLOT_HEAD);
}

std::span<const whorl_record> RingMemory::records(std::uint32_t state) {
    current_ = nullptr;
    for (std::uint32_t i = 0; i < head_->slots; ++i) {
        whorl_slot_head* const s = slot(i);
        if (__atomic_load_n(&s->state, __ATOMIC_ACQUIRE) != state) continue;
        if (current_ == nullptr || s->ticket < current_->ticket) current_ = s;
    }
    if (current_ == nullptr) return {};
    const whorl_record* const first = recordsOf(current_);
    const whorl_record* const end = first + whorl_records_in(head_->slot_bytes);
    const whorl_record* last = first;
    while (last != end && last->what != 0) ++last;
    return {first, last};
}

std::uint32_t RingMemory::thread() const {
    return current_ == nullptr ? 0 : current_->thread;
}

void RingMemory::release() {
    if (current_ == nullptr) return;
    std::memset(recordsOf(current_), 0, head_->slot_bytes - WHORL_SLOT_HEAD);
    __atomic_store_n(&current_->state, WHORL_SLOT_FREE, __ATOMIC_RELEASE);
    current_ = nullptr;
}

void RingMemory::close() {
    __atomic_store_n(&head_->closed, 1u, __ATOMIC_RELEASE);
}

bool RingMemory::attached() const {
    return __atomic_load_n(&head_->writer, __ATOMIC_ACQUIRE) != 0;
}

}  // namespace whorl::sim
