// Writes the records of each thread of a program into the shared memory (see wire/ring.h).
//
// A thread has a slot of its own, which it fills without a lock. A signal handler that interrupts a thread while it
// writes a record writes to another slot, so that it can do neither harm nor be left out.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/capture/wire/ring.h"

enum {
    WHORL_CONTEXTS = 3,       ///< a thread, and handlers that interrupt its writing, one within another
    WHORL_STAMP_BYTES = 256,  ///< of records between stamps; divides the ends of slots
    WHORL_MOST_EVENT = 1024   ///< records that belong together
};

typedef struct {
    whorl_record* cursor;  ///< where the next record goes; null: no slot yet
    whorl_record* limit;
    whorl_slot_head* slot;
} whorl_writer;

typedef struct {
    uint32_t depth;   ///< how many writers are busy
    uint32_t number;  ///< of the thread, from 1; 0: not yet known
    whorl_writer writers[WHORL_CONTEXTS];
} whorl_thread;

#define WHORL_TLS __thread __attribute__((tls_model("local-exec")))
extern WHORL_TLS whorl_thread whorl_self;

/// Whether accesses are recorded.
extern volatile int whorl_on;

/// What the compiler must not move, since a signal may come between.
#define WHORL_IN_ORDER() __asm__ volatile("" ::: "memory")
#define WHORL_UNLIKELY(condition) __builtin_expect(!!(condition), 0)

/// An access of a thread that needs a slot or a stamp before; the thread's first writer is busy already.
void whorl_put_at_boundary(uint64_t value, uint64_t what);
/// An access by a signal handler that interrupted whorl_put_access.
void whorl_put_nested(uint64_t value, uint64_t what);

static inline void whorl_store(whorl_record* record, uint64_t value, uint64_t what) {
    record->value = value;
    WHORL_IN_ORDER();
    record->what = what;
    WHORL_IN_ORDER();
}

static inline void whorl_put_access(uint64_t value, uint64_t what) {
    if (WHORL_UNLIKELY(whorl_self.depth != 0)) {
        whorl_put_nested(value, what);
        return;
    }
    whorl_self.depth = 1;
    WHORL_IN_ORDER();
    whorl_record* const next = whorl_self.writers[0].cursor;
    // Of a thread without a slot it is null. Slots end at such a boundary, too.
    if (WHORL_UNLIKELY(((uintptr_t)next & (WHORL_STAMP_BYTES - 1)) == 0)) {
        whorl_put_at_boundary(value, what);
        return;
    }
    whorl_store(next, value, what);
    whorl_self.writers[0].cursor = next + 1;
    WHORL_IN_ORDER();
    whorl_self.depth = 0;
}

/// Where the function that is running was called from.
#define WHORL_CALLER ((uint64_t)__builtin_return_address(0) - 1)

/// An access of any size.
void whorl_put_range(const volatile void* address, size_t bytes, unsigned op, uint64_t pc);

/// Records that belong together are written between these two. At most WHORL_MOST_EVENT of them. False: nothing is
/// recorded.
bool whorl_begin_event(void);
void whorl_put(uint64_t value, uint64_t what);
void whorl_put_text(const char* text);
void whorl_end_event(void);

/// One record, with a stamp: its place among those of other threads matters.
void whorl_put_event(uint64_t value, unsigned op, uint64_t argument);
/// Something that a person should know.
void whorl_note(const char* text);

/// Maps the shared memory that the environment names (WHORL_RING), and removes that from it. False if there is none.
bool whorl_attach(void);
/// Whether records are still taken.
bool whorl_attached(void);
/// Nothing is recorded any longer by this process.
void whorl_detach(void);

/// From now on the order among threads matters.
void whorl_expect_threads(void);
/// A number for another thread.
uint32_t whorl_new_thread(void);
/// One that could not begin.
void whorl_forget_thread(void);
/// The calling thread ends: its slots may be read, and used by others.
void whorl_end_thread(void);
