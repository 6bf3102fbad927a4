// Adds to a superblock the code that records its accesses.
#pragma once

#include <pub_tool_basics.h>
#include <pub_tool_tooliface.h>

typedef struct {
    Bool fetches;  ///< also records instruction fetches
    Bool enters;   ///< it is the beginning of a function whose frames are recorded
    Bool leaves;   ///< it is the end of one
    UInt quantum;  ///< threads take turns after at most so many superblocks; 0: as Valgrind does
} whorl_wanted;

/// Instructions executed by the code that was made.
extern ULong whorl_instructions;

/// Adds the statements of `from` to `to`, an empty superblock of the same types, with the recording code.
void whorl_instrument(IRSB* to, const IRSB* from, const whorl_wanted* wanted);
