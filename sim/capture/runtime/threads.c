// The functions of the C library that begin, join and name threads, and at which threads wait for each other, instead
// of those: they tell of it, and call them.
#define _GNU_SOURCE
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <time.h>

#include "sim/capture/runtime/process.h"
#include "sim/capture/runtime/writer.h"

static void tell(const volatile void* object, unsigned kind) {
    if (whorl_on) whorl_put_event((uint64_t)object, WHORL_SYNC, kind);
}

// --- threads

typedef struct {
    void* (*start)(void*);
    void* argument;
    uint32_t number;
} Beginning;

static pthread_key_t at_end;
static pthread_once_t key_made = PTHREAD_ONCE_INIT;

static void thread_ends(void* rounds) {
    // Other destructors may come after this one, as long as there are such.
    if ((uintptr_t)rounds < PTHREAD_DESTRUCTOR_ITERATIONS) {
        pthread_setspecific(at_end, (void*)((uintptr_t)rounds + 1));
        return;
    }
    whorl_put_event(whorl_self.number, WHORL_THREAD_END, (uint64_t)pthread_self());
    whorl_end_thread();
}

static void make_key(void) {
    pthread_key_create(&at_end, thread_ends);
}

static void* begin_thread(void* argument) {
    const Beginning beginning = *(const Beginning*)argument;
    whorl_self.number = beginning.number;
    free(argument);
    pthread_setspecific(at_end, (void*)1);
    return beginning.start(beginning.argument);
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*), void* argument) {
    WHORL_LIBRARY(pthread_create);
    if (!whorl_attached()) return library(thread, attributes, start, argument);
    pthread_once(&key_made, make_key);
    whorl_expect_threads();
    Beginning* const beginning = malloc(sizeof *beginning);
    if (beginning == NULL) return library(thread, attributes, start, argument);
    const uint32_t number = whorl_new_thread();
    *beginning = (Beginning){start, argument, number};
    whorl_put_event(number, WHORL_THREAD_BEGIN, whorl_self.number);
    const int error = library(thread, attributes, begin_thread, beginning);
    if (error != 0) {
        whorl_put_event(number, WHORL_THREAD_END, 0);
        whorl_forget_thread();
        free(beginning);
    }
    return error;
}

int pthread_join(pthread_t thread, void** result) {
    WHORL_LIBRARY(pthread_join);
    const int error = library(thread, result);
    if (error == 0) tell((const void*)thread, WHORL_SYNC_WAIT);
    return error;
}

int pthread_setname_np(pthread_t thread, const char* name) {
    WHORL_LIBRARY(pthread_setname_np);
    const int error = library(thread, name);
    if (error == 0 && pthread_equal(thread, pthread_self()) && whorl_attached() && whorl_begin_event()) {
        whorl_put_text(name);
        whorl_put(whorl_self.number, WHORL_WHAT(WHORL_THREAD_NAME, 0, 0));
        whorl_end_event();
    }
    return error;
}

// --- what threads wait at

/// Told of when it has been done without an error.
#define AFTER(name, type, kind)             \
    int name(type* object) {                \
        WHORL_LIBRARY(name);                \
        const int error = library(object);  \
        if (error == 0) tell(object, kind); \
        return error;                       \
    }
/// The same with a time after which it waits no longer.
#define AFTER_TIMED(name, type, kind)                      \
    int name(type* object, const struct timespec* until) { \
        WHORL_LIBRARY(name);                               \
        const int error = library(object, until);          \
        if (error == 0) tell(object, kind);                \
        return error;                                      \
    }
#define AFTER_CLOCKED(name, type, kind)                                     \
    int name(type* object, clockid_t clock, const struct timespec* until) { \
        WHORL_LIBRARY(name);                                                \
        const int error = library(object, clock, until);                    \
        if (error == 0) tell(object, kind);                                 \
        return error;                                                       \
    }
/// Told of before it is done.
#define BEFORE(name, type, kind, ...)     \
    int name(type* object) {              \
        WHORL_LIBRARY(name, __VA_ARGS__); \
        tell(object, kind);               \
        return library(object);           \
    }

AFTER(pthread_mutex_lock, pthread_mutex_t, WHORL_SYNC_LOCK)
AFTER(pthread_mutex_trylock, pthread_mutex_t, WHORL_SYNC_LOCK)
AFTER_TIMED(pthread_mutex_timedlock, pthread_mutex_t, WHORL_SYNC_LOCK)
AFTER_CLOCKED(pthread_mutex_clocklock, pthread_mutex_t, WHORL_SYNC_LOCK)
BEFORE(pthread_mutex_unlock, pthread_mutex_t, WHORL_SYNC_UNLOCK)
AFTER(pthread_spin_lock, pthread_spinlock_t volatile, WHORL_SYNC_LOCK)
AFTER(pthread_spin_trylock, pthread_spinlock_t volatile, WHORL_SYNC_LOCK)
BEFORE(pthread_spin_unlock, pthread_spinlock_t volatile, WHORL_SYNC_UNLOCK)
// Several readers may have such a lock; of an unlock without a lock nothing follows.
AFTER(pthread_rwlock_wrlock, pthread_rwlock_t, WHORL_SYNC_LOCK)
AFTER(pthread_rwlock_trywrlock, pthread_rwlock_t, WHORL_SYNC_LOCK)
BEFORE(pthread_rwlock_unlock, pthread_rwlock_t, WHORL_SYNC_UNLOCK)
BEFORE(pthread_cond_signal, pthread_cond_t, WHORL_SYNC_SIGNAL, "GLIBC_2.3.2")
BEFORE(pthread_cond_broadcast, pthread_cond_t, WHORL_SYNC_SIGNAL, "GLIBC_2.3.2")
AFTER(sem_wait, sem_t, WHORL_SYNC_TAKE)
AFTER(sem_trywait, sem_t, WHORL_SYNC_TAKE)
AFTER_TIMED(sem_timedwait, sem_t, WHORL_SYNC_TAKE)
BEFORE(sem_post, sem_t, WHORL_SYNC_POST)

int pthread_barrier_wait(pthread_barrier_t* barrier) {
    WHORL_LIBRARY(pthread_barrier_wait);
    tell(barrier, WHORL_SYNC_ARRIVE);
    const int result = library(barrier);
    tell(barrier, WHORL_SYNC_LEAVE);
    return result;
}

static int has_waited(pthread_cond_t* condition, pthread_mutex_t* mutex, int error) {
    if (error == 0) tell(condition, WHORL_SYNC_WAIT);
    tell(mutex, WHORL_SYNC_LOCK);
    return error;
}

int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
    WHORL_LIBRARY(pthread_cond_wait, "GLIBC_2.3.2");
    tell(mutex, WHORL_SYNC_UNLOCK);
    return has_waited(condition, mutex, library(condition, mutex));
}

int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex, const struct timespec* until) {
    WHORL_LIBRARY(pthread_cond_timedwait, "GLIBC_2.3.2");
    tell(mutex, WHORL_SYNC_UNLOCK);
    return has_waited(condition, mutex, library(condition, mutex, until));
}

int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                           const struct timespec* until) {
    WHORL_LIBRARY(pthread_cond_clockwait);
    tell(mutex, WHORL_SYNC_UNLOCK);
    return has_waited(condition, mutex, library(condition, mutex, clock, until));
}
