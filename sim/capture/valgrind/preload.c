// Wrappers of library functions, which tell the tool about allocations, names of threads and what threads wait for.
// They run in the program, instead of the functions that they are named after.
#define _GNU_SOURCE
#include <pthread.h>
#include <stddef.h>

#include <valgrind.h>
#include "sim/capture/valgrind/requests.h"
#include "sim/capture/wire/ring.h"

static void request(unsigned long code, const volatile void* a, unsigned long b) {
    VALGRIND_DO_CLIENT_REQUEST_STMT(code, a, b, 0, 0, 0);
}
static void allocated(void* base, size_t bytes) {
    if (base != NULL) request(WHORL_REQUEST_ALLOC, base, bytes);
}
static void freed(void* base) {
    if (base != NULL) request(WHORL_REQUEST_FREE, base, 0);
}

// Of the C library, and of programs that contain it.
#define WHORL_WRAP(name) I_WRAP_SONAME_FNNAME_ZU(libcZdsoZa, name)
#define WHORL_WRAP_STATIC(name) I_WRAP_SONAME_FNNAME_ZU(NONE, name)

#define ALLOCATOR_1(wrap, name, bytes) \
    void* wrap(name)(size_t a);        \
    void* wrap(name)(size_t a) {       \
        OrigFn fn;                     \
        void* base;                    \
        VALGRIND_GET_ORIG_FN(fn);      \
        CALL_FN_W_W(base, fn, a);      \
        allocated(base, bytes);        \
        return base;                   \
    }
#define ALLOCATOR_2(wrap, name, bytes)     \
    void* wrap(name)(size_t a, size_t b);  \
    void* wrap(name)(size_t a, size_t b) { \
        OrigFn fn;                         \
        void* base;                        \
        VALGRIND_GET_ORIG_FN(fn);          \
        CALL_FN_W_WW(base, fn, a, b);      \
        allocated(base, bytes);            \
        return base;                       \
    }
#define REALLOC(wrap)                               \
    void* wrap(realloc)(void* old, size_t bytes);   \
    void* wrap(realloc)(void* old, size_t bytes) {  \
        OrigFn fn;                                  \
        void* base;                                 \
        VALGRIND_GET_ORIG_FN(fn);                   \
        CALL_FN_W_WW(base, fn, old, bytes);         \
        if (base != NULL || bytes == 0) freed(old); \
        allocated(base, bytes);                     \
        return base;                                \
    }
#define POSIX_MEMALIGN(wrap)                                                \
    int wrap(posix_memalign)(void** base, size_t alignment, size_t bytes);  \
    int wrap(posix_memalign)(void** base, size_t alignment, size_t bytes) { \
        OrigFn fn;                                                          \
        int error;                                                          \
        VALGRIND_GET_ORIG_FN(fn);                                           \
        CALL_FN_W_WWW(error, fn, base, alignment, bytes);                   \
        if (error == 0) allocated(*base, bytes);                            \
        return error;                                                       \
    }
#define FREE(wrap)                \
    void wrap(free)(void* base);  \
    void wrap(free)(void* base) { \
        OrigFn fn;                \
        VALGRIND_GET_ORIG_FN(fn); \
        freed(base);              \
        CALL_FN_v_W(fn, base);    \
    }
#define ALL_OF_MALLOC(wrap)             \
    ALLOCATOR_1(wrap, malloc, a)        \
    ALLOCATOR_1(wrap, valloc, a)        \
    ALLOCATOR_1(wrap, pvalloc, a)       \
    ALLOCATOR_2(wrap, calloc, a* b)     \
    ALLOCATOR_2(wrap, memalign, b)      \
    ALLOCATOR_2(wrap, aligned_alloc, b) \
    REALLOC(wrap)                       \
    POSIX_MEMALIGN(wrap)                \
    FREE(wrap)

ALL_OF_MALLOC(WHORL_WRAP)
ALL_OF_MALLOC(WHORL_WRAP_STATIC)

/// Waits, and then has what somebody released before.
#define ACQUIRE(name)                                                            \
    int WHORL_WRAP(name)(void* object);                                          \
    int WHORL_WRAP(name)(void* object) {                                         \
        OrigFn fn;                                                               \
        int error;                                                               \
        VALGRIND_GET_ORIG_FN(fn);                                                \
        CALL_FN_W_W(error, fn, object);                                          \
        if (error == 0) request(WHORL_REQUEST_SYNC, object, WHORL_SYNC_ACQUIRE); \
        return error;                                                            \
    }
#define RELEASE(name)                                            \
    int WHORL_WRAP(name)(void* object);                          \
    int WHORL_WRAP(name)(void* object) {                         \
        OrigFn fn;                                               \
        int error;                                               \
        VALGRIND_GET_ORIG_FN(fn);                                \
        request(WHORL_REQUEST_SYNC, object, WHORL_SYNC_RELEASE); \
        CALL_FN_W_W(error, fn, object);                          \
        return error;                                            \
    }
ACQUIRE(pthreadZumutexZulock)
ACQUIRE(pthreadZumutexZutrylock)
RELEASE(pthreadZumutexZuunlock)
ACQUIRE(pthreadZurwlockZurdlock)
ACQUIRE(pthreadZurwlockZuwrlock)
RELEASE(pthreadZurwlockZuunlock)
RELEASE(pthreadZucondZusignal)
RELEASE(pthreadZucondZubroadcast)
ACQUIRE(semZuwait)
RELEASE(semZupost)

int WHORL_WRAP(pthreadZubarrierZuwait)(void* barrier);
int WHORL_WRAP(pthreadZubarrierZuwait)(void* barrier) {
    OrigFn fn;
    int result;
    VALGRIND_GET_ORIG_FN(fn);
    request(WHORL_REQUEST_SYNC, barrier, WHORL_SYNC_RELEASE);
    CALL_FN_W_W(result, fn, barrier);
    request(WHORL_REQUEST_SYNC, barrier, WHORL_SYNC_ACQUIRE);
    return result;
}

int WHORL_WRAP(pthreadZucondZuwait)(void* condition, void* mutex);
int WHORL_WRAP(pthreadZucondZuwait)(void* condition, void* mutex) {
    OrigFn fn;
    int error;
    VALGRIND_GET_ORIG_FN(fn);
    request(WHORL_REQUEST_SYNC, mutex, WHORL_SYNC_RELEASE);
    CALL_FN_W_WW(error, fn, condition, mutex);
    request(WHORL_REQUEST_SYNC, condition, WHORL_SYNC_ACQUIRE);
    request(WHORL_REQUEST_SYNC, mutex, WHORL_SYNC_ACQUIRE);
    return error;
}

#define CREATE(name)                                                                                          \
    int WHORL_WRAP(name)(pthread_t * thread, const void* attributes, void* (*start)(void*), void* argument);  \
    int WHORL_WRAP(name)(pthread_t * thread, const void* attributes, void* (*start)(void*), void* argument) { \
        OrigFn fn;                                                                                            \
        int error;                                                                                            \
        VALGRIND_GET_ORIG_FN(fn);                                                                             \
        request(WHORL_REQUEST_THREADS, NULL, 0);                                                              \
        CALL_FN_W_WWWW(error, fn, thread, attributes, start, argument);                                       \
        return error;                                                                                         \
    }
CREATE(pthreadZucreate)
CREATE(pthreadZucreateZAZa)

int WHORL_WRAP(pthreadZujoin)(pthread_t thread, void** result);
int WHORL_WRAP(pthreadZujoin)(pthread_t thread, void** result) {
    OrigFn fn;
    int error;
    VALGRIND_GET_ORIG_FN(fn);
    CALL_FN_W_WW(error, fn, thread, result);
    if (error == 0) request(WHORL_REQUEST_SYNC, (const void*)thread, WHORL_SYNC_ACQUIRE);
    return error;
}

int WHORL_WRAP(pthreadZusetnameZunp)(pthread_t thread, const char* name);
int WHORL_WRAP(pthreadZusetnameZunp)(pthread_t thread, const char* name) {
    OrigFn fn;
    int error;
    VALGRIND_GET_ORIG_FN(fn);
    CALL_FN_W_WW(error, fn, thread, name);
    if (error == 0 && pthread_equal(thread, pthread_self())) request(WHORL_REQUEST_NAME, name, 0);
    return error;
}
