// Records the callers of a function: the return addresses on the thread's stack.
#pragma once

#include <stdint.h>

/// Puts a WHORL_FRAME for each caller of the function with this return address and frame pointer, innermost first. To
/// be called within an event.
void whorl_put_callers(const void* caller, void* const* frame);
/// Puts a WHORL_CALL for the call of the function with this frame and for those around it, the outermost first, up to
/// that of main, which returns from `main_stack`.
void whorl_put_running_calls(void* const* frame, uint64_t main_stack);
#define WHORL_PUT_CALLERS() whorl_put_callers(__builtin_return_address(0), __builtin_frame_address(0))
