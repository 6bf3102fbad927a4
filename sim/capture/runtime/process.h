// The process that is recorded: where recording begins and ends, and what its code consists of.
#pragma once

/// The function of this name in the libraries that come after the program; of a version, if it has several.
void* whorl_library_function(const char* name, const char* version);
/// Within a function that stands for the library's of that name: that one, as `library`. Of one that has had other
/// meanings before, the version that is meant today.
#define WHORL_LIBRARY(name, ...)      \
    static __typeof__(name)* library; \
    if (library == NULL) library = (__typeof__(name)*)whorl_library_function(#name, "" __VA_ARGS__)

/// Tells of the executable and the libraries that were loaded since the last call.
void whorl_tell_modules(void);
