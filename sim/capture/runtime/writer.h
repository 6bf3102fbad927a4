// Writes the records of each thread of a program into the shared memory (see wire/ring.h).
//
// A thread has a slot of its own, which it fills without a lock. A signal handler that interrupts a thread while it
// writes a record writes to another slot, so that it neither corrupts the record nor loses its own.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/capture/wire/pool.h"

enum {
    WHORL_CONTEXTS = 3,       ///< a thread, and nested signal handlers that interrupt its writing
    WHORL_STAMP_BYTES = 256,  ///< bytes of records between stamps; divides the ends of slots
    WHORL_MOST_EVENT = 1024   ///< maximum number of records that belong together
};

typedef struct {
    whorl_record* cursor;  ///< position of the next record; null: no slot yet
    whorl_record* limit;
    whorl_slot_head* slot;
} whorl_writer;

typedef struct {
    uint32_t depth;       ///< number of busy writers
    uint32_t number;      ///< number of the thread, from 1; 0: unknown yet
    uint32_t unrecorded;  ///< accesses since the thread looked whether it is to record them
    whorl_writer writers[WHORL_CONTEXTS];
} whorl_thread;

#define WHORL_TLS __thread __attribute__((tls_model("local-exec")))
extern WHORL_TLS whorl_thread whorl_self;

/// Whether accesses are recorded.
extern volatile int whorl_on;
/// Whether calls of functions are recorded.
extern volatile int whorl_calls_on;

/// Whether somebody who asked from outside that accesses be recorded was heard just now. Takes long.
bool whorl_hears_switch(void);
/// Whether an access is not to be recorded. While that is so, looks now and then whether somebody asks for it.
#define WHORL_IS_OFF() (!whorl_on && ((++whorl_self.unrecorded & 255) != 0 || !whorl_hears_switch()))

/// Prevents the compiler from moving memory accesses across, since a signal may come in between.
#define WHORL_IN_ORDER() __asm__ volatile("" ::: "memory")
#define WHORL_UNLIKELY(condition) __builtin_expect(!!(condition), 0)

/// Puts an access of a thread that first needs a slot or a stamp; the thread's first writer is already busy.
void whorl_put_at_boundary(uint64_t value, uint64_t what);
/// Puts an access by a signal handler that interrupted whorl_put_access.
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
    // The cursor is null for a thread without a slot. Slots end at such a boundary, too.
    if (WHORL_UNLIKELY(((uintptr_t)next & (WHORL_STAMP_BYTES - 1)) == 0)) {
        whorl_put_at_boundary(value, what);
        return;
    }
    whorl_store(next, value, what);
    whorl_self.writers[0].cursor = next + 1;
    WHORL_IN_ORDER();
    whorl_self.depth = 0;
}

/// The address of the call of the running function.
#define WHORL_CALLER ((uint64_t)__builtin_return_address(0) - 1)

/// Puts an access of any size.
void whorl_put_range(const volatile void* address, size_t bytes, unsigned op, uint64_t pc);

/// Begins an event: the records that belong together are put between this call and whorl_end_event(), at most
/// WHORL_MOST_EVENT. False if nothing is recorded.
bool whorl_begin_event(void);
void whorl_put(uint64_t value, uint64_t what);
void whorl_put_text(const char* text);
void whorl_end_event(void);

/// Puts one record with a stamp, because its order relative to other threads matters.
void whorl_put_event(uint64_t value, unsigned op, uint64_t argument);
/// Tells the reader where the program is when somebody asks to switch the recording (see process.c).
void whorl_switch(void);
/// Puts a message for the user.
void whorl_note(const char* text);

/// Maps the shared memory that the environment names (WHORL_RING), and removes that variable. False if there is none.
bool whorl_attach(void);
/// Whether records are still taken.
bool whorl_attached(void);
/// Whether the environment names a pool of rings (WHORL_POOL, see wire/pool.h), even if this process found no ring.
bool whorl_has_pool(void);
/// Before a fork: reserves a ring for the child, and tells the reader.
void whorl_before_fork(void);
/// In the child: goes on in its own ring. False if it has none.
bool whorl_attach_forked(void);
/// The process ends with a status.
void whorl_tell_status(int status);
/// Ends the recording of this process.
void whorl_detach(void);

/// Declares that from now on the order among threads matters.
void whorl_expect_threads(void);
/// Assigns a number to another thread.
uint32_t whorl_new_thread(void);
/// Takes back the number of a thread that could not begin.
void whorl_forget_thread(void);
/// Ends the calling thread: its slots may be read, and used by others.
void whorl_end_thread(void);
