// The functions of the C and C++ libraries that allocate memory, instead of those: they tell who asked for it.
// A program's own functions of these names come before them.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sim/capture/runtime/callers.h"
#include "sim/capture/runtime/writer.h"

extern void* __libc_malloc(size_t bytes);
extern void* __libc_calloc(size_t count, size_t bytes);
extern void* __libc_realloc(void* base, size_t bytes);
extern void* __libc_memalign(size_t alignment, size_t bytes);
extern void* __libc_valloc(size_t bytes);
extern void* __libc_pvalloc(size_t bytes);
extern void __libc_free(void* base);

/// Tells of a new block; the callers are those of the function that it is used in.
#define ALLOCATED(base, bytes)                                                          \
    do {                                                                                \
        if ((base) != NULL && whorl_attached() && whorl_begin_event()) {                \
            WHORL_PUT_CALLERS();                                                        \
            whorl_put((uint64_t)(base), WHORL_WHAT(WHORL_ALLOC, 0, (uint64_t)(bytes))); \
            whorl_end_event();                                                          \
        }                                                                               \
    } while (0)

static void freed(const void* base) {
    if (base != NULL && whorl_attached()) whorl_put_event((uint64_t)base, WHORL_FREE, 0);
}

#define WHORL_WEAK __attribute__((weak))

/// A function that allocates: what it is declared as, what the library does, and how many bytes that gives.
#define ALLOCATOR(name, parameters, base_of, bytes) \
    WHORL_WEAK void* name parameters;               \
    WHORL_WEAK void* name parameters {              \
        void* const base = base_of;                 \
        ALLOCATED(base, bytes);                     \
        return base;                                \
    }
ALLOCATOR(malloc, (size_t size), __libc_malloc(size), size)
ALLOCATOR(calloc, (size_t count, size_t size), __libc_calloc(count, size), count* size)
ALLOCATOR(memalign, (size_t alignment, size_t size), __libc_memalign(alignment, size), size)
ALLOCATOR(aligned_alloc, (size_t alignment, size_t size), __libc_memalign(alignment, size), size)
ALLOCATOR(valloc, (size_t size), __libc_valloc(size), size)
ALLOCATOR(pvalloc, (size_t size), __libc_pvalloc(size), size)

// A block is told of as free before somebody else may get it.
WHORL_WEAK void* realloc(void* old, size_t bytes) {
    freed(old);
    void* const base = __libc_realloc(old, bytes);
    if (base == NULL && old != NULL && bytes != 0) {
        ALLOCATED(old, malloc_usable_size(old));
    } else {
        ALLOCATED(base, bytes);
    }
    return base;
}
WHORL_WEAK int posix_memalign(void** result, size_t alignment, size_t bytes) {
    if (alignment % sizeof(void*) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0) return EINVAL;
    const int error = errno;
    void* const base = __libc_memalign(alignment, bytes);
    errno = error;
    if (base == NULL) return ENOMEM;
    ALLOCATED(base, bytes);
    *result = base;
    return 0;
}
WHORL_WEAK void free(void* base) {
    freed(base);
    __libc_free(base);
}

// --- mappings

static void put_path(int descriptor) {
    char link[32];
    char path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    const ssize_t length = readlink(link, path, sizeof path - 1);
    if (length <= 0) return;
    path[length] = '\0';
    whorl_put_text(path);
}

WHORL_WEAK void* mmap(void* hint, size_t bytes, int protection, int flags, int descriptor, off_t offset);
WHORL_WEAK void* mmap(void* hint, size_t bytes, int protection, int flags, int descriptor, off_t offset) {
    void* const base = (void*)syscall(SYS_mmap, hint, bytes, protection, flags, descriptor, offset);
    if (base == MAP_FAILED || !whorl_attached() || !whorl_begin_event()) return base;
    WHORL_PUT_CALLERS();
    if ((flags & MAP_ANONYMOUS) == 0) put_path(descriptor);
    whorl_put((uint64_t)base, WHORL_WHAT(WHORL_MAP, 0, (uint64_t)bytes));
    whorl_end_event();
    return base;
}
WHORL_WEAK void* mmap64(void* hint, size_t bytes, int protection, int flags, int descriptor, off_t offset)
    __attribute__((alias("mmap")));
WHORL_WEAK int munmap(void* base, size_t bytes) {
    if (whorl_attached()) whorl_put_event((uint64_t)base, WHORL_UNMAP, bytes);
    return (int)syscall(SYS_munmap, base, bytes);
}

// --- operator new, of C++. Where there is no memory left, that of the library says so, by an exception.

static void* failing(const char* name, size_t bytes) {
    void* (*const library)(size_t) = (void* (*)(size_t))dlsym(RTLD_NEXT, name);
    return library == NULL ? NULL : library(bytes);
}
static size_t at_least_one(size_t bytes) {
    return bytes == 0 ? 1 : bytes;
}

#define OPERATOR_NEW(name, plain, parameters, base_of) \
    WHORL_WEAK void* name parameters;                  \
    WHORL_WEAK void* name parameters {                 \
        void* const base = base_of;                    \
        if (base == NULL) return failing(plain, size); \
        ALLOCATED(base, size);                         \
        return base;                                   \
    }
#define NOTHROW_NEW(name, parameters, base_of) \
    WHORL_WEAK void* name parameters;          \
    WHORL_WEAK void* name parameters {         \
        (void)nothrow;                         \
        void* const base = base_of;            \
        ALLOCATED(base, size);                 \
        return base;                           \
    }
OPERATOR_NEW(_Znwm, "_Znwm", (size_t size), __libc_malloc(at_least_one(size)))
OPERATOR_NEW(_Znam, "_Znam", (size_t size), __libc_malloc(at_least_one(size)))
NOTHROW_NEW(_ZnwmRKSt9nothrow_t, (size_t size, const void* nothrow), __libc_malloc(at_least_one(size)))
NOTHROW_NEW(_ZnamRKSt9nothrow_t, (size_t size, const void* nothrow), __libc_malloc(at_least_one(size)))
OPERATOR_NEW(_ZnwmSt11align_val_t, "_Znwm", (size_t size, size_t alignment),
             __libc_memalign(alignment, at_least_one(size)))
OPERATOR_NEW(_ZnamSt11align_val_t, "_Znam", (size_t size, size_t alignment),
             __libc_memalign(alignment, at_least_one(size)))
NOTHROW_NEW(_ZnwmSt11align_val_tRKSt9nothrow_t, (size_t size, size_t alignment, const void* nothrow),
            __libc_memalign(alignment, at_least_one(size)))
NOTHROW_NEW(_ZnamSt11align_val_tRKSt9nothrow_t, (size_t size, size_t alignment, const void* nothrow),
            __libc_memalign(alignment, at_least_one(size)))
