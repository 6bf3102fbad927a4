// Large arrays of zeros that take no memory where nothing has been stored: what is kept of each block of a cache of
// hundreds of megabytes, of which a program uses a few.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace whorl::sim {

/// Memory of zeros, aligned to a line of the host's cache. Throws std::bad_alloc.
void* allocateZeros(std::size_t bytes);
void freeZeros(void* at, std::size_t bytes);

/// Allocates memory of which all elements are zero and left so. `T` must be zero in all bytes when it is initialised
/// without a value.
template <class T>
struct ZeroPages {
    using value_type = T;

    ZeroPages() = default;
    template <class U>
    ZeroPages(const ZeroPages<U>&) {}  // NOLINT(google-explicit-constructor): allocators convert
    T* allocate(std::size_t n) { return static_cast<T*>(allocateZeros(n * sizeof(T))); }
    void deallocate(T* at, std::size_t n) { freeZeros(at, n * sizeof(T)); }
    void construct(T*) {}
    template <class U, class... Values>
    void construct(U* at, Values&&... values) {
        std::construct_at(at, std::forward<Values>(values)...);
    }
    bool operator==(const ZeroPages&) const = default;
};

/// A vector of a fixed number of elements, zero at first.
template <class T>
using ZeroVector = std::vector<T, ZeroPages<T>>;

}  // namespace whorl::sim
