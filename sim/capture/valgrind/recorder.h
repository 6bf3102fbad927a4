// Writes records into the shared memory. The instrumented code does most of this by itself: it stores records at
// `cursor` and advances it, and calls whorl_flush() when it is beyond `limit`.
#pragma once

#include <pub_tool_basics.h>

#define WHORL_RING_TYPES
typedef ULong whorl_u64;
typedef UInt whorl_u32;
#include "sim/capture/wire/pool.h"

/// The position of the next record. Beyond `limit` there is room for WHORL_MARGIN more records.
extern whorl_record* whorl_cursor;
extern whorl_record* whorl_limit;
#define WHORL_MARGIN 160

/// Maps the shared memory of a file; without a file, nothing is recorded. False if it cannot be mapped.
Bool whorl_attach(const HChar* path);
/// Takes a ring of a pool (see wire/pool.h) for this process, and maps it. `name`: of the program, with its arguments.
/// False if the pool cannot be mapped; a process that finds no ring is told, and records nothing.
Bool whorl_attach_to_pool(const HChar* path, const HChar* name);
/// Whether there is a pool, even if this process found no ring.
Bool whorl_has_pool(void);
/// Before a fork: reserves a ring for the child, and tells the reader.
void whorl_before_fork(void);
/// In the parent, after a fork that was done.
void whorl_after_fork(void);
/// In the child: goes on in its own ring. False if it has none.
Bool whorl_attach_forked(void);
/// The process ends with a status.
void whorl_tell_status(UInt status);
/// Whether records are still taken: false once nobody reads them, or in a forked process.
Bool whorl_attached(void);
/// Whether the reader asks anew to switch the recording: true once for each time.
Bool whorl_asked_to_switch(void);
/// Stops writing to the shared memory.
void whorl_detach(void);

/// Switches the recording of accesses by the instrumented code; it is off at first. Other records are always written.
void whorl_record_accesses(Bool on);

/// Makes room: publishes the current slot and takes the next one. Called by instrumented code.
void whorl_flush(void);
/// Publishes the current slot, at the end of the program.
void whorl_publish(void);
void whorl_put(ULong value, ULong what);
/// Writes a text of any length, for the record that follows.
void whorl_put_text(const HChar* text);
