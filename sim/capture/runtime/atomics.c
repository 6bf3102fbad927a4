// Atomic operations, which g++ with -fsanitize=thread leaves to the run-time library. All are sequentially consistent,
// which every weaker order allows.
#include "sim/capture/runtime/writer.h"

static inline void tell(const volatile void* address, unsigned op, unsigned bytes, uint64_t pc) {
    if (!whorl_on || !whorl_begin_event()) return;
    whorl_put((uint64_t)address, WHORL_WHAT(op, bytes, pc));
    whorl_end_event();
}

#define FETCH(bits, type, name, builtin)                                           \
    type __tsan_atomic##bits##_fetch_##name(volatile type* a, type v, int order);  \
    type __tsan_atomic##bits##_fetch_##name(volatile type* a, type v, int order) { \
        (void)order;                                                               \
        tell(a, WHORL_ATOMIC, bits / 8, WHORL_CALLER);                             \
        return builtin(a, v);                                                      \
    }

#define COMPARE(bits, type, name)                                                                                \
    int __tsan_atomic##bits##_compare_exchange_##name(volatile type* a, type* expected, type desired, int, int); \
    int __tsan_atomic##bits##_compare_exchange_##name(volatile type* a, type* expected, type desired, int order, \
                                                      int failure) {                                             \
        (void)order, (void)failure;                                                                              \
        tell(a, WHORL_ATOMIC, bits / 8, WHORL_CALLER);                                                           \
        const type before = __sync_val_compare_and_swap(a, *expected, desired);                                  \
        if (before == *expected) return 1;                                                                       \
        *expected = before;                                                                                      \
        return 0;                                                                                                \
    }

#define READ_AND_WRITE(bits, type)                                             \
    FETCH(bits, type, add, __sync_fetch_and_add)                               \
    FETCH(bits, type, sub, __sync_fetch_and_sub)                               \
    FETCH(bits, type, and, __sync_fetch_and_and)                               \
    FETCH(bits, type, or, __sync_fetch_and_or)                                 \
    FETCH(bits, type, xor, __sync_fetch_and_xor)                               \
    FETCH(bits, type, nand, __sync_fetch_and_nand)                             \
    COMPARE(bits, type, strong)                                                \
    COMPARE(bits, type, weak)                                                  \
    type __tsan_atomic##bits##_load(const volatile type* a, int order);        \
    type __tsan_atomic##bits##_load(const volatile type* a, int order) {       \
        (void)order;                                                           \
        tell(a, WHORL_READ, bits / 8, WHORL_CALLER);                           \
        return load##bits(a);                                                  \
    }                                                                          \
    void __tsan_atomic##bits##_store(volatile type* a, type v, int order);     \
    void __tsan_atomic##bits##_store(volatile type* a, type v, int order) {    \
        (void)order;                                                           \
        tell(a, WHORL_WRITE, bits / 8, WHORL_CALLER);                          \
        exchange##bits(a, v);                                                  \
    }                                                                          \
    type __tsan_atomic##bits##_exchange(volatile type* a, type v, int order);  \
    type __tsan_atomic##bits##_exchange(volatile type* a, type v, int order) { \
        (void)order;                                                           \
        tell(a, WHORL_ATOMIC, bits / 8, WHORL_CALLER);                         \
        return exchange##bits(a, v);                                           \
    }

#define SMALL(bits, type)                                         \
    static inline type load##bits(const volatile type* a) {       \
        return __atomic_load_n(a, __ATOMIC_SEQ_CST);              \
    }                                                             \
    static inline type exchange##bits(volatile type* a, type v) { \
        return __atomic_exchange_n(a, v, __ATOMIC_SEQ_CST);       \
    }                                                             \
    READ_AND_WRITE(bits, type)

SMALL(8, uint8_t)
SMALL(16, uint16_t)
SMALL(32, uint32_t)
SMALL(64, uint64_t)

// Of 16 bytes there is only one instruction, cmpxchg16b.
__extension__ typedef unsigned __int128 Wide;

static inline Wide load128(const volatile Wide* a) {
    return __sync_val_compare_and_swap((volatile Wide*)a, (Wide)0, (Wide)0);
}
static inline Wide exchange128(volatile Wide* a, Wide v) {
    for (Wide before = *a;;) {
        const Wide seen = __sync_val_compare_and_swap(a, before, v);
        if (seen == before) return seen;
        before = seen;
    }
}
READ_AND_WRITE(128, Wide)

void __tsan_atomic_thread_fence(int order);
void __tsan_atomic_thread_fence(int order) {
    (void)order;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
void __tsan_atomic_signal_fence(int order);
void __tsan_atomic_signal_fence(int order) {
    (void)order;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}
