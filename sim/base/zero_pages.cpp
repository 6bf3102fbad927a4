#include "sim/base/zero_pages.h"

#include <sys/mman.h>

#include <cstring>
#include <new>

namespace whorl::sim {

namespace {

/// The fewest bytes that are worth pages of their own.
constexpr std::size_t kLarge = std::size_t{1} << 18;
constexpr std::align_val_t kLine{64};

}  // namespace

void* allocateZeros(std::size_t bytes) {
    if (bytes < kLarge) return std::memset(::operator new(bytes, kLine), 0, bytes);
    void* const pages = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) throw std::bad_alloc();
    return pages;
}

void freeZeros(void* at, std::size_t bytes) {
    if (bytes < kLarge) {
        ::operator delete(at, kLine);
    } else {
        munmap(at, bytes);
    }
}

}  // namespace whorl::sim
