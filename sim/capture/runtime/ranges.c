// Accesses of any size: those of structures, and of the functions that copy and fill memory.
#include <string.h>

#include "sim/capture/runtime/writer.h"

/// The last two ranges of a thread, and where they ended: g++ tells of a copy of a structure twice if it is a call of
/// memcpy.
typedef struct {
    const volatile void* address;
    size_t bytes;
    const whorl_record* end;
} Range;
static WHORL_TLS Range last_range[2];  ///< of a read, of a write

void whorl_put_range(const volatile void* address, size_t bytes, unsigned op, uint64_t pc) {
    if (bytes == 0) return;
    if (bytes < 256) {
        whorl_put_access((uint64_t)address, WHORL_WHAT(op, bytes, pc));
    } else {
        if (!whorl_begin_event()) return;
        whorl_put(bytes, WHORL_WHAT(WHORL_LONG, 0, 0));
        whorl_put((uint64_t)address, WHORL_WHAT(op, 0, pc));
        whorl_end_event();
    }
    last_range[op == WHORL_WRITE] = (Range){address, bytes, whorl_self.writers[0].cursor};
}

/// Whether the compiler told of this range just now.
static bool is_told(const void* address, size_t bytes, bool written) {
    enum { kBetween = 6 };  // a range, and stamps
    const Range* const last = &last_range[written];
    const whorl_record* const cursor = whorl_self.writers[0].cursor;
    return last->address == address && last->bytes == bytes && last->end <= cursor && cursor - last->end <= kBetween;
}

static void forget(bool written) {
    last_range[written].address = NULL;
}

static void copied(void* to, const void* from, size_t bytes, uint64_t pc) {
    if (!whorl_on || bytes == 0) return;
    const bool isKnown = is_told(to, bytes, true) && is_told(from, bytes, false);
    if (!isKnown) {
        whorl_put_range(from, bytes, WHORL_READ, pc);
        whorl_put_range(to, bytes, WHORL_WRITE, pc);
    }
    forget(false);
    forget(true);
}

#define COPY(name)                                                  \
    void* __wrap_##name(void* to, const void* from, size_t bytes);  \
    void* __real_##name(void* to, const void* from, size_t bytes);  \
    void* __wrap_##name(void* to, const void* from, size_t bytes) { \
        copied(to, from, bytes, WHORL_CALLER);                      \
        return __real_##name(to, from, bytes);                      \
    }
COPY(memcpy)
COPY(memmove)

void* __wrap_memset(void* to, int byte, size_t bytes);
void* __real_memset(void* to, int byte, size_t bytes);
void* __wrap_memset(void* to, int byte, size_t bytes) {
    if (whorl_on && bytes != 0) {
        if (!is_told(to, bytes, true)) whorl_put_range(to, bytes, WHORL_WRITE, WHORL_CALLER);
        forget(true);
    }
    return __real_memset(to, byte, bytes);
}
