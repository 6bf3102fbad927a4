// The recorded process: where recording begins and ends, and the modules of its code.
#pragma once

/// The function of this name in the libraries after the program; `version` selects one of several versions.
void* whorl_library_function(const char* name, const char* version);
/// For a function that replaces a library function of the same name: defines `library`, the replaced function. If its
/// meaning has changed, the argument is the current version.
#define WHORL_LIBRARY(name, ...)      \
    static __typeof__(name)* library; \
    if (library == NULL) library = (__typeof__(name)*)whorl_library_function(#name, "" __VA_ARGS__)

/// Records the executable and the libraries that were loaded since the last call.
void whorl_tell_modules(void);
