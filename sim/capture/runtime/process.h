// The process that is recorded: where recording begins and ends, and what its code consists of.
#pragma once

/// The function of this name in the libraries that come after the program; of a version, if it has several.
void* whorl_library_function(const char* name, const char* version);
/// Tells of the executable and the libraries that were loaded since the last call.
void whorl_tell_modules(void);
