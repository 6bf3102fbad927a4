#include "sim/capture/ring_memory.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "sim/base/output_file.h"
#include "sim/base/text.h"

namespace whorl::sim {
namespace {

/// The maximum number of records that a writer may have begun after its last complete one, as for an instruction that
/// then failed.
constexpr std::size_t kMaxBegun = 256;

bool isEmpty(const whorl_record& record) {
    return loaded(record.what) == 0;
}

}  // namespace

Expected<RingMemory> RingMemory::create(std::uint32_t slots, std::uint32_t slotBytes) {
    RingMemory made;
    made.slots_ = slots;
    made.slotBytes_ = slotBytes;
    const auto failed = [&] {
        return fail({}, fmt::format("{} of memory to record to are not available: {}", bytesInWords(made.bytes()),
                                    whyNotWritten(errno)));
    };
    made.fd_ = memfd_create("whorl-capture", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (made.fd_ < 0 || ftruncate(made.fd_, static_cast<off_t>(made.bytes())) != 0) return failed();
    // Seal the size: if the program could shrink the memory, reading it could crash this program.
    if (fcntl(made.fd_, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) return failed();
    void* const mapped = mmap(nullptr, made.bytes(), PROT_READ | PROT_WRITE, MAP_SHARED, made.fd_, 0);
    if (mapped == MAP_FAILED) return failed();
    made.head_ = static_cast<whorl_ring_head*>(mapped);
    made.writeHead();
    made.path_ = fmt::format("/proc/{}/fd/{}", getpid(), made.fd_);
    return made;
}

Expected<RingMemory> RingMemory::within(int fd, std::uint64_t from, std::uint32_t slots, std::uint32_t slotBytes,
                                        const std::string& path) {
    RingMemory made;
    made.slots_ = slots;
    made.slotBytes_ = slotBytes;
    made.path_ = path;
    void* const mapped = mmap(nullptr, made.bytes(), PROT_READ | PROT_WRITE, MAP_SHARED, fd, static_cast<off_t>(from));
    if (mapped == MAP_FAILED) {
        return fail({}, fmt::format("{} of memory to record to are not available: {}", bytesInWords(made.bytes()),
                                    whyNotWritten(errno)));
    }
    made.head_ = static_cast<whorl_ring_head*>(mapped);
    return made;
}

void RingMemory::writeHead() {
    head_->magic = WHORL_RING_MAGIC;
    head_->slots = slots_;
    head_->slot_bytes = slotBytes_;
    head_->reader = static_cast<whorl_u32>(getpid());
}

void RingMemory::prepare() {
    writeHead();
    isLeftOpen_ = true;
}

RingMemory::RingMemory(RingMemory&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)),
      path_(std::move(other.path_)),
      head_(std::exchange(other.head_, nullptr)),
      slots_(other.slots_),
      slotBytes_(other.slotBytes_),
      ticket_(other.ticket_),
      used_(other.used_),
      isClosed_(other.isClosed_),
      isLeftOpen_(other.isLeftOpen_),
      isDamaged_(other.isDamaged_) {}

RingMemory::~RingMemory() {
    if (head_ != nullptr) {
        if (!isLeftOpen_) close();
        munmap(head_, bytes());
    }
    if (fd_ >= 0) ::close(fd_);
}

whorl_slot_head* RingMemory::at(std::uint32_t slot) const {
    auto* const bytes = reinterpret_cast<std::byte*>(head_);
    return reinterpret_cast<whorl_slot_head*>(bytes + WHORL_RING_HEAD + std::size_t{slot} * slotBytes_);
}

std::span<const whorl_record> RingMemory::recordsOf(std::uint32_t slot) const {
    const auto* const bytes = reinterpret_cast<const std::byte*>(at(slot));
    return {reinterpret_cast<const whorl_record*>(bytes + WHORL_SLOT_HEAD), whorl_records_in(slotBytes_)};
}

std::uint32_t RingMemory::used() {
    const std::uint32_t used = loaded(head_->used);
    if (used < used_ || used > slots_) damage();
    return used_ = std::max(used_, std::min(used, slots_));
}

void RingMemory::checkHead() {
    if (loaded(head_->magic) != WHORL_RING_MAGIC || loaded(head_->slots) != slots_ ||
        loaded(head_->slot_bytes) != slotBytes_ || loaded(head_->reader) != static_cast<whorl_u32>(getpid()) ||
        (loaded(head_->closed) != 0) != isClosed_) {
        damage();
    }
}

std::size_t RingMemory::checkedEnd(std::span<const whorl_record> records) {
    const auto end = std::find_if(records.begin(), records.end(), isEmpty);
    const auto count = static_cast<std::size_t>(end - records.begin());
    const auto behind = records.subspan(std::min(count + kMaxBegun, records.size()));
    if (!std::all_of(behind.begin(), behind.end(), isEmpty)) damage();
    return count;
}

void RingMemory::release(std::uint32_t slot) {
    whorl_slot_head* const head = at(slot);
    std::memset(reinterpret_cast<std::byte*>(head) + WHORL_SLOT_HEAD, 0, slotBytes_ - WHORL_SLOT_HEAD);
    __atomic_store_n(&head->state, WHORL_SLOT_FREE, __ATOMIC_RELEASE);
}

/// The next slot, if it is in this state. Slots are taken in turn, so the next one, and the ticket in its head, are
/// known.
std::optional<std::span<const whorl_record>> RingMemory::next(std::uint32_t state) {
    const auto slot = static_cast<std::uint32_t>(ticket_ % slots_);
    const std::uint32_t is = stateOf(slot);
    const bool isWritten = is == WHORL_SLOT_TAKEN || is == WHORL_SLOT_FULL;
    if (isWritten ? loaded(at(slot)->ticket) != ticket_ : is != WHORL_SLOT_FREE) damage();
    if (is != state) checkHead();
    if (is != state || isDamaged_) return std::nullopt;
    return recordsOf(slot);
}

void RingMemory::release(std::size_t records) {
    const auto slot = static_cast<std::uint32_t>(ticket_++ % slots_);
    if (!isDamaged_) checkedEnd(recordsOf(slot).subspan(records));
    release(slot);
}

void RingMemory::close() {
    isClosed_ = true;
    __atomic_store_n(&head_->closed, 1u, __ATOMIC_RELEASE);
}

}  // namespace whorl::sim
