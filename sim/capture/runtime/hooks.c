// What the compilers call before each access to memory, and where functions begin and end: g++ with -fsanitize=thread,
// clang++ with -fsanitize=kernel-address and -finstrument-functions-after-inlining.
#include "sim/capture/runtime/writer.h"

#define HOOK(name, op, bytes)                                                     \
    void name(const volatile void* address);                                      \
    void name(const volatile void* address) {                                     \
        if (WHORL_IS_OFF()) return;                                               \
        whorl_put_access((uint64_t)address, WHORL_WHAT(op, bytes, WHORL_CALLER)); \
    }
#define HOOKS(name, op)  \
    HOOK(name##1, op, 1) \
    HOOK(name##2, op, 2) \
    HOOK(name##4, op, 4) \
    HOOK(name##8, op, 8) \
    HOOK(name##16, op, 16)
#define RANGE_HOOK(name, op)                                \
    void name(const volatile void* address, size_t bytes);  \
    void name(const volatile void* address, size_t bytes) { \
        if (WHORL_IS_OFF()) return;                         \
        whorl_put_range(address, bytes, op, WHORL_CALLER);  \
    }

HOOKS(__tsan_read, WHORL_READ)
HOOKS(__tsan_write, WHORL_WRITE)
HOOKS(__tsan_unaligned_read, WHORL_READ)
HOOKS(__tsan_unaligned_write, WHORL_WRITE)
HOOKS(__tsan_volatile_read, WHORL_READ)
HOOKS(__tsan_volatile_write, WHORL_WRITE)
HOOKS(__tsan_unaligned_volatile_read, WHORL_READ)
HOOKS(__tsan_unaligned_volatile_write, WHORL_WRITE)
RANGE_HOOK(__tsan_read_range, WHORL_READ)
RANGE_HOOK(__tsan_write_range, WHORL_WRITE)
HOOK(__tsan_vptr_read, WHORL_READ, 8)

void __tsan_vptr_update(const volatile void* address, const void* value);
void __tsan_vptr_update(const volatile void* address, const void* value) {
    (void)value;
    if (!WHORL_IS_OFF()) whorl_put_access((uint64_t)address, WHORL_WHAT(WHORL_WRITE, 8, WHORL_CALLER));
}

// Functions keep frame pointers: above what a function's points to lies the address to which it returns.
#define FRAME_OF_FUNCTION ((uint64_t)(*(void* const* const*)__builtin_frame_address(0)))

/// A function begins. `next`: where it returns to.
static inline void called(uint64_t frame, const void* next) {
    whorl_put_access(frame + 8, WHORL_WHAT(WHORL_CALL, 0, (uint64_t)next - 1));
}
static inline void returned(uint64_t frame) {
    whorl_put_access(frame + 16, WHORL_WHAT(WHORL_LEAVE, 0, 0));
}

void __tsan_func_entry(const void* next);
void __tsan_func_entry(const void* next) {
    if (whorl_calls_on) called(FRAME_OF_FUNCTION, next);
}
void __tsan_func_exit(void);
void __tsan_func_exit(void) {
    if (whorl_calls_on) returned(FRAME_OF_FUNCTION);
}
void __cyg_profile_func_enter(void* function, void* next);
void __cyg_profile_func_enter(void* function, void* next) {
    (void)function;
    if (whorl_calls_on) called(FRAME_OF_FUNCTION, next);
}
void __cyg_profile_func_exit(void* function, void* next);
void __cyg_profile_func_exit(void* function, void* next) {
    (void)function, (void)next;
    if (whorl_calls_on) returned(FRAME_OF_FUNCTION);
}

/// What the other hooks are for is known without them.
#define NO_HOOK(name) \
    void name(void);  \
    void name(void) {}
NO_HOOK(__tsan_init)
NO_HOOK(__tsan_ignore_thread_begin)
NO_HOOK(__tsan_ignore_thread_end)
NO_HOOK(__asan_handle_no_return)

#define KERNEL_HOOK(name, op, bytes) HOOK(name##bytes##_noabort, op, bytes)
#define KERNEL_HOOKS(name, op) \
    KERNEL_HOOK(name, op, 1)   \
    KERNEL_HOOK(name, op, 2)   \
    KERNEL_HOOK(name, op, 4)   \
    KERNEL_HOOK(name, op, 8)   \
    KERNEL_HOOK(name, op, 16)  \
    RANGE_HOOK(name##N_noabort, op)

KERNEL_HOOKS(__asan_load, WHORL_READ)
KERNEL_HOOKS(__asan_store, WHORL_WRITE)
