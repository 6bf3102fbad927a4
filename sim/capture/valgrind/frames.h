// The functions of the executable that are recorded: those whose local variables have names, by their stack frames;
// those that hand out memory, by what they return.
#pragma once

#include <pub_tool_basics.h>

/// Reads the functions from a file: a line with the path of the executable, then for each function a line "START END",
/// addresses in that file in hex, ascending, and for each function that hands out memory "+START FIRST SECOND UNIT":
/// the numbers of its parameters, from 1, whose product times UNIT is the number of bytes; 0: none. Without a file
/// there are none.
void whorl_read_frames(const HChar* path);
/// Reports that a module was loaded. If it is that executable, its functions are moved by `bias`.
void whorl_frames_of(const HChar* module, ULong bias);
/// A function that hands out memory.
typedef struct {
    Addr start;
    UInt first;   ///< the number of a parameter, from 1; 0: none
    UInt second;  ///< another one
    ULong unit;   ///< bytes
} whorl_allocator;

/// The function that hands out memory and begins at an address; null if there is none.
const whorl_allocator* whorl_allocator_at(Addr pc);
/// Whether such a function begins at an address.
Bool whorl_begins_frame(Addr pc);
/// Whether an address is in such a function.
Bool whorl_in_frame(Addr pc);
