// The functions of the executable whose stack frames are recorded because their local variables have names.
#pragma once

#include <pub_tool_basics.h>

/// Reads the functions from a file: a line with the path of the executable, then for each function a line "START END",
/// addresses in that file in hex, ascending. Without a file there are none.
void whorl_read_frames(const HChar* path);
/// Reports that a module was loaded. If it is that executable, its functions are moved by `bias`.
void whorl_frames_of(const HChar* module, ULong bias);
/// Whether such a function begins at an address.
Bool whorl_begins_frame(Addr pc);
/// Whether an address is in such a function.
Bool whorl_in_frame(Addr pc);
