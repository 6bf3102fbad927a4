// Writes records into the shared memory. The instrumented code does most of it by itself: it stores records at `cursor`
// and advances it, and calls whorl_flush() when it is beyond `limit`.
#pragma once

#include <pub_tool_basics.h>

#define WHORL_RING_TYPES
typedef ULong whorl_u64;
typedef UInt whorl_u32;
#include "sim/capture/wire/ring.h"

/// Where the next record goes. Beyond `limit` there is room for WHORL_MARGIN records more.
extern whorl_record* whorl_cursor;
extern whorl_record* whorl_limit;
#define WHORL_MARGIN 160

/// Maps the shared memory of a file; without one, nothing is recorded. False if it cannot be mapped.
Bool whorl_attach(const HChar* path);
/// Whether records are still taken. No longer once nobody reads them, or in a forked process.
Bool whorl_attached(void);
/// Stops writing to the shared memory.
void whorl_detach(void);

/// Whether what the instrumented code stores is recorded. At first it is not. Whatever else is put, always is.
void whorl_record_accesses(Bool on);

/// Makes room: publishes the current slot and takes the next one. For instrumented code.
void whorl_flush(void);
/// Publishes the current slot, for the end.
void whorl_publish(void);
void whorl_put(ULong value, ULong what);
/// Writes a text of any length, for the record that follows.
void whorl_put_text(const HChar* text);
