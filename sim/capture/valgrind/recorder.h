// Writes records into the shared memory. The instrumented code does most of this by itself: it stores records at
// `cursor` and advances it, and calls whorl_flush() when it is beyond `limit`.
#pragma once

#include <pub_tool_basics.h>

#define WHORL_RING_TYPES
typedef ULong whorl_u64;
typedef UInt whorl_u32;
#include "sim/capture/wire/ring.h"

/// The position of the next record. Beyond `limit` there is room for WHORL_MARGIN more records.
extern whorl_record* whorl_cursor;
extern whorl_record* whorl_limit;
#define WHORL_MARGIN 160

/// Maps the shared memory of a file; without a file, nothing is recorded. False if it cannot be mapped.
Bool whorl_attach(const HChar* path);
/// Whether records are still taken: false once nobody reads them, or in a forked process.
Bool whorl_attached(void);
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
