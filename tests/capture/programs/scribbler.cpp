// A program that writes over the memory in which it and its children are told to the recorder.
#include <dirent.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <string>

#include "sim/capture/wire/pool.h"

volatile int marks[1000];

namespace {

void mark() {
    for (int i = 0; i < 100'000; ++i) marks[i % 1000] = i;
}

/// The memory, which the process that records this one has open.
whorl_pool_head* mappedPool() {
    const std::string folder = "/proc/" + std::to_string(getppid()) + "/fd/";
    DIR* const all = opendir(folder.c_str());
    if (all == nullptr) return nullptr;
    int found = -1;
    while (const dirent* const entry = readdir(all)) {
        char target[256] = {};
        const std::string path = folder + entry->d_name;
        if (readlink(path.c_str(), target, sizeof target - 1) <= 0) continue;
        if (std::strstr(target, "memfd:whorl-pool") != nullptr) found = open(path.c_str(), O_RDWR);
    }
    closedir(all);
    void* const mapped = mmap(nullptr, WHORL_POOL_HEAD, PROT_READ | PROT_WRITE, MAP_SHARED, found, 0);
    return mapped == MAP_FAILED ? nullptr : static_cast<whorl_pool_head*>(mapped);
}

void scribble(whorl_pool_head& pool, const std::string& how) {
    if (how == "zeros") std::memset(&pool, 0, WHORL_POOL_HEAD);
    if (how == "ones") std::memset(&pool, 0xff, WHORL_POOL_HEAD);
    if (how == "counts") pool.rings = pool.untold = 0x7fffffff;
    for (whorl_pool_entry& entry : pool.entries) {
        if (how == "init") entry.process = 1;
        if (how == "itself") entry.process = entry.parent = static_cast<whorl_u32>(getpid());
        if (how == "circle") {
            const auto i = static_cast<whorl_u32>(&entry - pool.entries);
            entry.process = 70'000'000 + i;
            entry.parent = 70'000'000 + (i + 1) % WHORL_MOST_RINGS;
        }
        if (how == "init" || how == "itself" || how == "circle") entry.state = WHORL_RING_TAKEN;
    }
}

}  // namespace

int main(int argc, char** argv) {
    mark();
    whorl_pool_head* const pool = mappedPool();
    if (argc < 2 || pool == nullptr) return 9;
    usleep(50'000);  // it is known by then
    scribble(*pool, argv[1]);
    mark();
    return 5;
}
