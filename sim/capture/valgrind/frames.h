// The functions of the executable whose frames on the stack are recorded, since their local variables have names.
#pragma once

#include <pub_tool_basics.h>

/// Reads them from a file: a line with the path of the executable, and then lines "START END", addresses in that file
/// in hex, ascending, for each function. Without a file there are none.
void whorl_read_frames(const HChar* path);
/// A module is loaded; if it is that executable, its functions are where `bias` moves them.
void whorl_frames_of(const HChar* module, ULong bias);
/// Whether such a function begins at an address.
Bool whorl_begins_frame(Addr pc);
/// Whether an address is in such a function.
Bool whorl_in_frame(Addr pc);
