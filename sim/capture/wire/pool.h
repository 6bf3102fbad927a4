/* How several processes that come from each other are recorded at once: each writes into a ring (see ring.h) of its
 * own, and takes it from a pool. Plain C, for the Valgrind tool, too.
 *
 * The memory is a whorl_pool_head, padded to WHORL_POOL_HEAD bytes, and then `rings` rings of `ring_bytes` bytes. A
 * ring is free until somebody reserves it: a process that begins, for itself, or one that forks, for its child, so that
 * the record WHORL_FORK in its own ring says which ring the child will have. The ring is taken once the process that
 * writes to it is known. The reader sets it free when that process is gone. */
#pragma once

#include "sim/capture/wire/ring.h"

#define WHORL_POOL_MAGIC 0x314c4f4f5052574cull
#define WHORL_POOL_HEAD 65536
#define WHORL_MOST_RINGS 128
#define WHORL_MOST_UNTOLD 96
#define WHORL_PROCESS_NAME 208 /* bytes of a program and its arguments, with a zero at the end */

enum { WHORL_RING_FREE = 0, WHORL_RING_RESERVED = 1, WHORL_RING_TAKEN = 2 };

typedef struct {
    whorl_u32 state;
    whorl_u32 process; /* that writes */
    whorl_u32 parent;  /* of it */
    whorl_u32 forked;  /* whether the parent reserved it, and told so in its own ring */
    whorl_u32 status;  /* 1 + the exit status, once it has ended */
    whorl_u32 unused[7];
    char name[WHORL_PROCESS_NAME];
} whorl_pool_entry;

typedef struct {
    whorl_u64 magic;
    whorl_u64 ring_bytes;
    whorl_u32 rings;
    whorl_u32 untold; /* how many processes found no free ring */
    whorl_u32 unused[10];
    whorl_pool_entry entries[WHORL_MOST_RINGS];
    whorl_pool_entry without[WHORL_MOST_UNTOLD]; /* the first ones that found none */
} whorl_pool_head;

/* Reserves a ring for a process that `parent` made. Returns -1 if none is free. */
static inline int whorl_reserve_ring(whorl_pool_head* pool, whorl_u32 parent, whorl_u32 forked) {
    const whorl_u32 rings = pool->rings < WHORL_MOST_RINGS ? pool->rings : WHORL_MOST_RINGS;
    for (whorl_u32 i = 0; i < rings; ++i) {
        whorl_pool_entry* const entry = &pool->entries[i];
        whorl_u32 free = WHORL_RING_FREE;
        if (!__atomic_compare_exchange_n(&entry->state, &free, WHORL_RING_RESERVED, 0, __ATOMIC_ACQ_REL,
                                         __ATOMIC_RELAXED)) {
            continue;
        }
        entry->process = 0;
        entry->parent = parent;
        entry->forked = forked;
        entry->status = 0;
        return (int)i;
    }
    return -1;
}

static inline void whorl_name_process(whorl_pool_entry* entry, const char* name) {
    for (unsigned i = 0; i < WHORL_PROCESS_NAME; ++i) {
        const int ends = i + 1 == WHORL_PROCESS_NAME || name[i] == '\0';
        entry->name[i] = ends ? '\0' : name[i];
        if (ends) break;
    }
}

/* A process has a ring from now on. */
static inline void whorl_take_ring(whorl_pool_entry* entry, whorl_u32 process, const char* name) {
    whorl_name_process(entry, name);
    entry->process = process;
    __atomic_store_n(&entry->state, WHORL_RING_TAKEN, __ATOMIC_RELEASE);
}

/* A process has none. */
static inline void whorl_tell_untold(whorl_pool_head* pool, whorl_u32 process, whorl_u32 parent, const char* name) {
    const whorl_u32 number = __atomic_fetch_add(&pool->untold, 1, __ATOMIC_ACQ_REL);
    if (number >= WHORL_MOST_UNTOLD) return;
    whorl_pool_entry* const entry = &pool->without[number];
    entry->parent = parent;
    whorl_take_ring(entry, process, name);
}
