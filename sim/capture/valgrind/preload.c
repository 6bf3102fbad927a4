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
/// Called before the library allocates: what it then writes to the new block belongs to that.
static void allocates(void) {
    request(WHORL_REQUEST_ALLOCATES, NULL, 0);
}
static void allocated(void* base, size_t bytes) {
    if (base != NULL) request(WHORL_REQUEST_ALLOC, base, bytes);
}
static void freed(void* base) {
    if (base != NULL) request(WHORL_REQUEST_FREE, base, 0);
}

// Of the C library, and of programs that contain it.
#define WHORL_WRAP(name) I_WRAP_SONAME_FNNAME_ZU(libcZdsoZa, name)
/// The same with "Zu" for each underscore, and "ZAZa" for any version.
#define WHORL_WRAP_ENCODED(name) I_WRAP_SONAME_FNNAME_ZZ(libcZdsoZa, name)
#define WHORL_WRAP_STATIC(name) I_WRAP_SONAME_FNNAME_ZU(NONE, name)

#define ALLOCATOR_1(wrap, name, bytes) \
    void* wrap(name)(size_t a);        \
    void* wrap(name)(size_t a) {       \
        OrigFn fn;                     \
        void* base;                    \
        VALGRIND_GET_ORIG_FN(fn);      \
        allocates();                   \
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
        allocates();                       \
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
        allocates();                                \
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
        allocates();                                                        \
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

/// Tells of what is done when it returns without an error.
#define AFTER(name, kind)                                          \
    int WHORL_WRAP_ENCODED(name)(void* object);                    \
    int WHORL_WRAP_ENCODED(name)(void* object) {                   \
        OrigFn fn;                                                 \
        int error;                                                 \
        VALGRIND_GET_ORIG_FN(fn);                                  \
        CALL_FN_W_W(error, fn, object);                            \
        if (error == 0) request(WHORL_REQUEST_SYNC, object, kind); \
        return error;                                              \
    }
/// The same with a time after which it waits no longer.
#define AFTER_TIMED(name, kind)                                     \
    int WHORL_WRAP_ENCODED(name)(void* object, const void* until);  \
    int WHORL_WRAP_ENCODED(name)(void* object, const void* until) { \
        OrigFn fn;                                                  \
        int error;                                                  \
        VALGRIND_GET_ORIG_FN(fn);                                   \
        CALL_FN_W_WW(error, fn, object, until);                     \
        if (error == 0) request(WHORL_REQUEST_SYNC, object, kind);  \
        return error;                                               \
    }
/// Tells of it before it is done.
#define BEFORE(name, kind)                         \
    int WHORL_WRAP_ENCODED(name)(void* object);    \
    int WHORL_WRAP_ENCODED(name)(void* object) {   \
        OrigFn fn;                                 \
        int error;                                 \
        VALGRIND_GET_ORIG_FN(fn);                  \
        request(WHORL_REQUEST_SYNC, object, kind); \
        CALL_FN_W_W(error, fn, object);            \
        return error;                              \
    }
AFTER(pthreadZumutexZulock, WHORL_SYNC_LOCK)
AFTER(pthreadZumutexZutrylock, WHORL_SYNC_LOCK)
AFTER_TIMED(pthreadZumutexZutimedlock, WHORL_SYNC_LOCK)
BEFORE(pthreadZumutexZuunlock, WHORL_SYNC_UNLOCK)
AFTER(pthreadZuspinZulock, WHORL_SYNC_LOCK)
AFTER(pthreadZuspinZutrylock, WHORL_SYNC_LOCK)
BEFORE(pthreadZuspinZuunlock, WHORL_SYNC_UNLOCK)
// Several readers may have such a lock; of an unlock without a lock nothing follows.
AFTER(pthreadZurwlockZuwrlock, WHORL_SYNC_LOCK)
AFTER(pthreadZurwlockZutrywrlock, WHORL_SYNC_LOCK)
BEFORE(pthreadZurwlockZuunlock, WHORL_SYNC_UNLOCK)
BEFORE(pthreadZucondZusignal, WHORL_SYNC_SIGNAL)
BEFORE(pthreadZucondZubroadcast, WHORL_SYNC_SIGNAL)
AFTER(semZuwait, WHORL_SYNC_TAKE)
AFTER(semZutrywait, WHORL_SYNC_TAKE)
AFTER_TIMED(semZutimedwait, WHORL_SYNC_TAKE)
BEFORE(semZupost, WHORL_SYNC_POST)

int WHORL_WRAP_ENCODED(pthreadZubarrierZuwait)(void* barrier);
int WHORL_WRAP_ENCODED(pthreadZubarrierZuwait)(void* barrier) {
    OrigFn fn;
    int result;
    VALGRIND_GET_ORIG_FN(fn);
    request(WHORL_REQUEST_SYNC, barrier, WHORL_SYNC_ARRIVE);
    CALL_FN_W_W(result, fn, barrier);
    request(WHORL_REQUEST_SYNC, barrier, WHORL_SYNC_LEAVE);
    return result;
}

int WHORL_WRAP_ENCODED(pthreadZucondZuwait)(void* condition, void* mutex);
int WHORL_WRAP_ENCODED(pthreadZucondZuwait)(void* condition, void* mutex) {
    OrigFn fn;
    int error;
    VALGRIND_GET_ORIG_FN(fn);
    request(WHORL_REQUEST_SYNC, mutex, WHORL_SYNC_UNLOCK);
    CALL_FN_W_WW(error, fn, condition, mutex);
    request(WHORL_REQUEST_SYNC, condition, WHORL_SYNC_WAIT);
    request(WHORL_REQUEST_SYNC, mutex, WHORL_SYNC_LOCK);
    return error;
}

int WHORL_WRAP_ENCODED(pthreadZucondZutimedwait)(void* condition, void* mutex, const void* until);
int WHORL_WRAP_ENCODED(pthreadZucondZutimedwait)(void* condition, void* mutex, const void* until) {
    OrigFn fn;
    int error;
    VALGRIND_GET_ORIG_FN(fn);
    request(WHORL_REQUEST_SYNC, mutex, WHORL_SYNC_UNLOCK);
    CALL_FN_W_WWW(error, fn, condition, mutex, until);
    if (error == 0) request(WHORL_REQUEST_SYNC, condition, WHORL_SYNC_WAIT);
    request(WHORL_REQUEST_SYNC, mutex, WHORL_SYNC_LOCK);
    return error;
}

int WHORL_WRAP_ENCODED(pthreadZucondZuclockwait)(void* condition, void* mutex, int clock, const void* until);
int WHORL_WRAP_ENCODED(pthreadZucondZuclockwait)(void* condition, void* mutex, int clock, const void* until) {
    OrigFn fn;
    int error;
    VALGRIND_GET_ORIG_FN(fn);
    request(WHORL_REQUEST_SYNC, mutex, WHORL_SYNC_UNLOCK);
    CALL_FN_W_WWWW(error, fn, condition, mutex, (long)clock, until);
    if (error == 0) request(WHORL_REQUEST_SYNC, condition, WHORL_SYNC_WAIT);
    request(WHORL_REQUEST_SYNC, mutex, WHORL_SYNC_LOCK);
    return error;
}

#define CREATE(name)                                                                                                  \
    int WHORL_WRAP_ENCODED(name)(pthread_t * thread, const void* attributes, void* (*start)(void*), void* argument);  \
    int WHORL_WRAP_ENCODED(name)(pthread_t * thread, const void* attributes, void* (*start)(void*), void* argument) { \
        OrigFn fn;                                                                                                    \
        int error;                                                                                                    \
        VALGRIND_GET_ORIG_FN(fn);                                                                                     \
        request(WHORL_REQUEST_THREADS, NULL, 0);                                                                      \
        CALL_FN_W_WWWW(error, fn, thread, attributes, start, argument);                                               \
        return error;                                                                                                 \
    }
CREATE(pthreadZucreate)
CREATE(pthreadZucreateZAZa)

int WHORL_WRAP_ENCODED(pthreadZujoin)(pthread_t thread, void** result);
int WHORL_WRAP_ENCODED(pthreadZujoin)(pthread_t thread, void** result) {
    OrigFn fn;
    int error;
    VALGRIND_GET_ORIG_FN(fn);
    CALL_FN_W_WW(error, fn, thread, result);
    if (error == 0) request(WHORL_REQUEST_SYNC, (const void*)thread, WHORL_SYNC_WAIT);
    return error;
}

int WHORL_WRAP_ENCODED(pthreadZusetnameZunp)(pthread_t thread, const char* name);
int WHORL_WRAP_ENCODED(pthreadZusetnameZunp)(pthread_t thread, const char* name) {
    OrigFn fn;
    int error;
    VALGRIND_GET_ORIG_FN(fn);
    CALL_FN_W_WW(error, fn, thread, name);
    if (error == 0 && pthread_equal(thread, pthread_self())) request(WHORL_REQUEST_NAME, name, 0);
    return error;
}
