// Adds to a superblock the code that records its accesses.
#pragma once

#include <pub_tool_basics.h>
#include <pub_tool_tooliface.h>

typedef struct {
    Bool fetches;  ///< also record instruction fetches
    Bool enters;   ///< the superblock begins a function whose frames are recorded
    Bool leaves;   ///< the superblock ends such a function, or one whose call is recorded
    Bool calls;    ///< the superblock ends with a call that is recorded
    UInt quantum;  ///< maximum number of superblocks before another thread runs; 0: Valgrind's default
} whorl_wanted;

/// The number of instructions that the instrumented code executed.
extern ULong whorl_instructions;

/// Adds the statements of `from` to `to`, an empty superblock of the same types, with the recording code.
void whorl_instrument(IRSB* to, const IRSB* from, const whorl_wanted* wanted);
/// Adds to the end of a superblock what records that a function returns.
void whorl_instrument_return(IRSB* to);
