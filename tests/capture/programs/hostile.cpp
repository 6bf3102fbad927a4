// A program that writes over the memory through which it is recorded, and then goes on.
#include <dirent.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

#include "sim/capture/wire/ring.h"

volatile int marks[1000];

namespace {

constexpr int kBefore = 100'000;

void mark(int times) {
    for (int i = 0; i < times; ++i) marks[i % 1000] = i;
}

/// The memory, which the process that records this one has open.
int openRing() {
    const std::string folder = "/proc/" + std::to_string(getppid()) + "/fd/";
    DIR* const all = opendir(folder.c_str());
    if (all == nullptr) return -1;
    int ring = -1;
    while (const dirent* const entry = readdir(all)) {
        char target[256] = {};
        const std::string path = folder + entry->d_name;
        if (readlink(path.c_str(), target, sizeof target - 1) <= 0) continue;
        if (std::strstr(target, "memfd:whorl-capture") != nullptr) ring = open(path.c_str(), O_RDWR);
    }
    closedir(all);
    return ring;
}

/// Waits until what was published so far is read, as long as that may take on a busy computer.
void waitUntilRead(const unsigned char* memory) {
    const auto* const head = reinterpret_cast<const whorl_ring_head*>(memory);
    const auto isFull = [&](std::size_t s) {
        const unsigned char* const slot = memory + WHORL_RING_HEAD + s * head->slot_bytes;
        return __atomic_load_n(&reinterpret_cast<const whorl_slot_head*>(slot)->state, __ATOMIC_ACQUIRE) ==
               WHORL_SLOT_FULL;
    };
    constexpr int kMaxLooks = 10'000;
    for (int look = 0; look < kMaxLooks; ++look) {
        std::size_t s = 0;
        while (s < head->slots && !isFull(s)) ++s;
        if (s == head->slots) return;
        usleep(1000);
    }
}

std::uint64_t random64(std::uint64_t& state) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

void spoil(const std::string& how, unsigned char* memory, std::size_t bytes) {
    auto* const head = reinterpret_cast<whorl_ring_head*>(memory);
    const std::size_t slots = head->slots;
    const std::size_t slotBytes = head->slot_bytes;
    // Only what is used: a page that is written takes memory.
    const std::size_t most = slots > 64 ? 16 : slots;
    bytes = WHORL_RING_HEAD + most * slotBytes < bytes ? WHORL_RING_HEAD + most * slotBytes : bytes;
    if (how == "zeros") std::memset(memory, 0, bytes);
    if (how == "ones") std::memset(memory, 0xff, bytes);
    if (how == "slot-bytes") head->slot_bytes = 0xfffffff0;
    if (how == "no-slots") head->slots = 0;
    if (how == "many-slots") head->slots = 0x7fffffff;
    if (how == "closed") head->closed = 1;
    std::uint64_t seed = 88172645463325252u;
    for (std::size_t s = 0; s < most; ++s) {
        auto* const slot = reinterpret_cast<whorl_slot_head*>(memory + WHORL_RING_HEAD + s * slotBytes);
        auto* const records = reinterpret_cast<whorl_record*>(reinterpret_cast<unsigned char*>(slot) + WHORL_SLOT_HEAD);
        if (how == "empty-slots") std::memset(slot, 0, slotBytes);
        if (how == "states") slot->state = 77;
        if (how != "records") continue;
        for (std::size_t r = 0; r < (slotBytes - WHORL_SLOT_HEAD) / sizeof *records; ++r) {
            records[r] = {random64(seed), random64(seed)};
        }
        slot->state = WHORL_SLOT_FULL;
    }
}

}  // namespace

int main(int argc, char** argv) {
    mark(kBefore);
    const int fd = openRing();
    struct stat about {};
    if (argc < 2 || fd < 0 || fstat(fd, &about) != 0) return 9;
    const auto bytes = static_cast<std::size_t>(about.st_size);
    void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (memory == MAP_FAILED) return 9;
    waitUntilRead(static_cast<const unsigned char*>(memory));
    if (std::string(argv[1]) == "cut") {
        if (ftruncate(fd, 0) == 0) puts("cut");
    } else {
        spoil(argv[1], static_cast<unsigned char*>(memory), bytes);
    }
    mark(kBefore);
    return 5;
}
