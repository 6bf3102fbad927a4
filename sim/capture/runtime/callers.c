#define _GNU_SOURCE
#include "sim/capture/runtime/callers.h"

#include <pthread.h>
#include <stdbool.h>
#include <unwind.h>

#include "sim/capture/runtime/writer.h"

extern char __executable_start[];
extern char etext[];

enum { kMost = 24, kLeastAddress = 4096, kMostFrame = 16 << 20 };

/// Of a return address, the call before it.
static void put_frame(uintptr_t address) {
    whorl_put(address - 1, WHORL_WHAT(WHORL_FRAME, 0, 0));
}

static bool is_in_program(uintptr_t address) {
    return address >= (uintptr_t)__executable_start && address < (uintptr_t)etext;
}

typedef struct {
    uintptr_t from;  ///< leave out what is before this one
    bool found;
    int count;
} Unwinding;

static _Unwind_Reason_Code next_caller(struct _Unwind_Context* context, void* argument) {
    Unwinding* const unwinding = argument;
    const uintptr_t address = _Unwind_GetIP(context);
    unwinding->found = unwinding->found || address == unwinding->from;
    if (!unwinding->found) return _URC_NO_REASON;
    put_frame(address);
    return ++unwinding->count < kMost ? _URC_NO_REASON : _URC_END_OF_STACK;
}

/// What `whorl cc` compiles keeps frame pointers, which form a list; code of libraries may use the register for
/// anything.
void whorl_put_callers(const void* caller, void* const* frame) {
    if (!is_in_program((uintptr_t)caller)) {
        Unwinding unwinding = {.from = (uintptr_t)caller};
        _Unwind_Backtrace(next_caller, &unwinding);
        if (!unwinding.found) put_frame((uintptr_t)caller);
        return;
    }
    for (int i = 0; i < kMost; ++i) {
        const uintptr_t address = (uintptr_t)frame[1];
        if (address < kLeastAddress) return;
        put_frame(address);
        void* const* const next = (void* const*)frame[0];
        // A stack grows downward; beyond the program's own functions the register is anything.
        if (!is_in_program(address) || next <= frame || (uintptr_t)next % sizeof(void*) != 0) return;
        if ((uintptr_t)next - (uintptr_t)frame > kMostFrame) return;
        frame = next;
    }
}
