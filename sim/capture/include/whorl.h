/* Tells Whorl about a program while it is captured (`whorl capture -- ./prog`): which part of it to record, and what
 * its memory is called. One file, C or C++, without any dependency: copy it, or take it from where Whorl is installed.
 * If the program is not captured, a request takes about a nanosecond, and -DWHORL_NO_REQUESTS leaves them out
 * altogether.
 *
 *     WHORL_OFF();                                          // accesses from here on are not recorded
 *     WHORL_ON();                                           // from here on they are
 *     WHORL_REGION("A", A, n * n * sizeof *A, sizeof *A, n, n);  // names memory: an array of n rows and n columns
 *     WHORL_REGION("pool", pool, bytes, 1, 0, 0);           // without a shape
 *     WHORL_MARK("second pass");                            // names this point in time
 *
 * Public domain: use it as you like. */
#pragma once

#include <stddef.h>

/* The requests, as they reach who records the program. */
enum {
    WHORL_REQUEST_ON = 0x57480001,
    WHORL_REQUEST_OFF = 0x57480002,
    WHORL_REQUEST_REGION = 0x57480003, /* name, base, bytes, bytes of an element, rows << 32 | columns */
    WHORL_REQUEST_MARK = 0x57480004    /* text */
};

#if defined(WHORL_NO_REQUESTS) || !defined(__GNUC__) || !defined(__x86_64__) || defined(__ILP32__)

static inline void whorl_request(unsigned long code, const void* a, size_t b, size_t c, size_t d, size_t e) {
    (void)code, (void)a, (void)b, (void)c, (void)d, (void)e;
}

#else

/* Present only in programs compiled by `whorl cc`. */
#ifdef __cplusplus
extern "C"
#else
extern
#endif
    __attribute__((weak)) void
    whorl_runtime_request(const size_t* request);

/* What it does itself is not the program's. */
__attribute__((no_sanitize("thread", "kernel-address"))) static inline void whorl_request(unsigned long code,
                                                                                          const void* a, size_t b,
                                                                                          size_t c, size_t d,
                                                                                          size_t e) {
    volatile size_t request[6] = {code, (size_t)a, b, c, d, e};
    if (whorl_runtime_request) {
        whorl_runtime_request((const size_t*)request);
        return;
    }
    /* Instructions that change nothing, which Valgrind recognizes as a request. */
    size_t result = 0;
    __asm__ volatile("rolq $3, %%rdi; rolq $13, %%rdi; rolq $61, %%rdi; rolq $51, %%rdi; xchgq %%rbx, %%rbx"
                     : "=d"(result)
                     : "a"(request), "0"(result)
                     : "cc", "memory");
}

#endif

#define WHORL_ON() whorl_request(WHORL_REQUEST_ON, 0, 0, 0, 0, 0)
#define WHORL_OFF() whorl_request(WHORL_REQUEST_OFF, 0, 0, 0, 0, 0)
#define WHORL_REGION(name, ptr, bytes, elem, rows, cols)                                        \
    whorl_request(WHORL_REQUEST_REGION, (name), (size_t)(ptr), (size_t)(bytes), (size_t)(elem), \
                  (size_t)(rows) << 32 | (size_t)(cols))
#define WHORL_MARK(text) whorl_request(WHORL_REQUEST_MARK, (text), 0, 0, 0, 0)
