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

/// The frame of the caller, in the list that frame pointers form; null if there is none that can be trusted. A stack
/// grows downward; beyond the program's own functions the register is anything.
static void* const* frame_around(void* const* frame) {
    void* const* const next = (void* const*)frame[0];
    if (!is_in_program((uintptr_t)frame[1]) || next <= frame || (uintptr_t)next % sizeof(void*) != 0) return NULL;
    return (uintptr_t)next - (uintptr_t)frame > kMostFrame ? NULL : next;
}

/// What `whorl cc` compiles keeps frame pointers; code of libraries may use the register for anything.
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
        frame = frame_around(frame);
        if (frame == NULL) return;
    }
}

void whorl_put_running_calls(void* const* frame, uint64_t main_stack) {
    enum { kMostCalls = 256 };
    void* const* frames[kMostCalls];
    size_t count = 0;
    for (; frame != NULL && count < kMostCalls && (uint64_t)frame + 8 < main_stack; frame = frame_around(frame)) {
        frames[count++] = frame;
    }
    while (count-- > 0) {
        whorl_put_event((uint64_t)frames[count] + 8, WHORL_CALL, (uint64_t)frames[count][1] - 1);
    }
}
