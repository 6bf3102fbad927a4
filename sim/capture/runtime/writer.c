#define _GNU_SOURCE
#include "sim/capture/runtime/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

enum {
    kSpareSlots = 14,     ///< that are taken besides two for each thread; few, so that they stay in the cache
    kMostThreads = 1000,  ///< alive, that have slots
    kCheck = 256          ///< pauses between looks at whether there is a reader
};

WHORL_TLS whorl_thread whorl_self;
volatile int whorl_on = 0;
volatile int whorl_calls_on = 0;

static whorl_ring_head* head;  ///< stays where it is, once it is there
/// As they were then: the program may write to the memory, too.
static uint32_t slots, slot_bytes;
static uint32_t switches = 0;  ///< that were heard of
static volatile int is_attached = 0;
static volatile int has_threads = 0;
static uint32_t last_thread = 0;  ///< the highest number
static uint32_t threads_alive = 1;

static whorl_slot_head* slot_at(uint32_t index) {
    return (whorl_slot_head*)((unsigned char*)head + WHORL_RING_HEAD + (size_t)index * slot_bytes);
}

static uint64_t now(void) {
    _mm_lfence();
    return __rdtsc();
}

bool whorl_attached(void) {
    return is_attached;
}

/// Whether the reader asks anew to switch the recording: true once for each time, in one of the threads.
static bool is_asked_to_switch(void) {
    uint32_t seen = __atomic_load_n(&switches, __ATOMIC_RELAXED);
    return is_attached && __atomic_load_n(&head->switches, __ATOMIC_ACQUIRE) != seen &&
           __atomic_compare_exchange_n(&switches, &seen, seen + 1, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

bool whorl_hears_switch(void) {
    while (whorl_self.depth == 0 && is_asked_to_switch()) whorl_switch();
    return whorl_on != 0;
}

void whorl_detach(void) {
    whorl_on = 0;
    whorl_calls_on = 0;
    is_attached = 0;
    memset((void*)&whorl_self.writers, 0, sizeof whorl_self.writers);
}

/// Maps a part of a file of the reader's, all of it if `bytes` is 0; null if that cannot be done.
static void* map(const char* path, off_t from, size_t bytes) {
    const int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0) return NULL;
    struct stat about;
    void* mapped = MAP_FAILED;
    if (fstat(fd, &about) == 0 && about.st_size > WHORL_RING_HEAD) {
        const size_t size = bytes == 0 ? (size_t)about.st_size : bytes;
        mapped = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, from);
    }
    close(fd);
    return mapped == MAP_FAILED ? NULL : mapped;
}

static bool begin_ring(whorl_ring_head* ring) {
    if (ring == NULL || ring->magic != WHORL_RING_MAGIC) return false;
    uint32_t nobody = 0;
    if (!__atomic_compare_exchange_n(&ring->writer, &nobody, (uint32_t)getpid(), false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_ACQUIRE)) {
        return false;
    }
    slots = ring->slots;
    slot_bytes = ring->slot_bytes;
    switches = 0;
    head = ring;
    is_attached = 1;
    whorl_self.number = whorl_new_thread();
    return true;
}

// --- a pool of rings

enum { kMostPoolPath = 64 };

static whorl_pool_head* pool;
static char pool_path[kMostPoolPath];
static char own_name[WHORL_PROCESS_NAME];
static whorl_pool_entry* own_entry;
static int reserved = -1;  ///< for the child of a fork that is being done

static bool take_ring(int ring, uint32_t parent) {
    if (ring < 0) {
        whorl_tell_untold(pool, (uint32_t)getpid(), parent, own_name);
        return false;
    }
    const size_t bytes = pool->ring_bytes;
    own_entry = &pool->entries[ring];
    if (!begin_ring(map(pool_path, WHORL_POOL_HEAD + (off_t)ring * (off_t)bytes, bytes))) return false;
    whorl_take_ring(own_entry, (uint32_t)getpid(), own_name);
    return true;
}

/// The program and its arguments, as much as is wanted of them.
static void find_own_name(void) {
    const int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    if (fd < 0) return;
    const ssize_t length = read(fd, own_name, sizeof own_name - 1);
    close(fd);
    for (ssize_t i = 0; i + 1 < length; ++i) {
        if (own_name[i] == '\0') own_name[i] = ' ';
    }
}

/// The environment keeps the variable, for the programs that this one starts.
static bool attach_to_pool(const char* path) {
    if (strlen(path) >= sizeof pool_path) return false;
    strcpy(pool_path, path);
    pool = map(path, 0, WHORL_POOL_HEAD);
    if (pool == NULL || pool->magic != WHORL_POOL_MAGIC) {
        pool = NULL;
        return false;
    }
    find_own_name();
    const uint32_t parent = (uint32_t)getppid();
    return take_ring(whorl_reserve_ring(pool, parent, 0), parent);
}

bool whorl_has_pool(void) {
    return pool != NULL;
}

void whorl_before_fork(void) {
    if (!is_attached) return;
    reserved = whorl_reserve_ring(pool, (uint32_t)getpid(), 1);
    if (reserved >= 0) whorl_put_event((uint64_t)reserved, WHORL_FORK, 0);
}

bool whorl_attach_forked(void) {
    const int ring = reserved;
    reserved = -1;
    own_entry = NULL;
    is_attached = 0;
    memset((void*)&whorl_self, 0, sizeof whorl_self);
    last_thread = 0;
    threads_alive = 1;
    has_threads = 0;
    return take_ring(ring, (uint32_t)getppid());
}

void whorl_tell_status(int status) {
    if (own_entry != NULL && own_entry->process == (uint32_t)getpid())
        own_entry->status = (uint32_t)(status & 0xff) + 1;
}

bool whorl_attach(void) {
    const char* const shared = getenv("WHORL_POOL");
    if (shared != NULL) return attach_to_pool(shared);
    const char* const path = getenv("WHORL_RING");
    if (path == NULL) return false;
    whorl_ring_head* const ring = map(path, 0, 0);
    // Programs that it starts are others.
    unsetenv("WHORL_RING");
    return begin_ring(ring);
}

static bool reader_is_gone(void) {
    return __atomic_load_n(&head->closed, __ATOMIC_ACQUIRE) != 0 || syscall(SYS_kill, head->reader, 0) != 0;
}

static void note_use(uint32_t count) {
    uint32_t used = __atomic_load_n(&head->used, __ATOMIC_RELAXED);
    while (used < count &&
           !__atomic_compare_exchange_n(&head->used, &used, count, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {
    }
}

static whorl_slot_head* free_slot(void) {
    const uint32_t alive = __atomic_load_n(&threads_alive, __ATOMIC_RELAXED);
    uint32_t most = kSpareSlots + 2 * alive;
    if (most > slots) most = slots;
    for (uint32_t i = 0; i < most; ++i) {
        whorl_slot_head* const slot = slot_at(i);
        uint32_t expected = WHORL_SLOT_FREE;
        if (__atomic_load_n(&slot->state, __ATOMIC_RELAXED) != expected) continue;
        if (__atomic_compare_exchange_n(&slot->state, &expected, WHORL_SLOT_CLAIMED, false, __ATOMIC_ACQUIRE,
                                        __ATOMIC_RELAXED)) {
            note_use(i + 1);
            return slot;
        }
    }
    return NULL;
}

/// Waits until the reader has emptied a slot; null if it takes no more.
static whorl_slot_head* wait_for_slot(void) {
    const struct timespec pause = {0, 20 * 1000};
    for (unsigned waits = 1;; ++waits) {
        if (!is_attached || __atomic_load_n(&head->closed, __ATOMIC_ACQUIRE) != 0) return NULL;
        whorl_slot_head* const slot = free_slot();
        if (slot != NULL) return slot;
        if (waits % kCheck == 0 && reader_is_gone()) return NULL;
        syscall(SYS_nanosleep, &pause, NULL);
    }
}

static void publish(whorl_writer* writer) {
    if (writer->slot != NULL) __atomic_store_n(&writer->slot->state, WHORL_SLOT_FULL, __ATOMIC_RELEASE);
    writer->slot = NULL;
    writer->cursor = NULL;
    writer->limit = NULL;
}

/// A thread that the wrapper of pthread_create did not see.
static void find_number(void) {
    if (whorl_self.number != 0) return;
    whorl_expect_threads();
    whorl_self.number = whorl_new_thread();
}

static bool take_slot(whorl_writer* writer) {
    const int error = errno;
    publish(writer);
    find_number();
    whorl_slot_head* slot = NULL;
    if (whorl_self.number <= kMostThreads || __atomic_load_n(&threads_alive, __ATOMIC_RELAXED) <= kMostThreads) {
        slot = wait_for_slot();
        if (slot == NULL && is_attached) whorl_detach();
    } else if (is_attached) {
        __atomic_store_n(&head->lost, 1, __ATOMIC_RELAXED);
    }
    errno = error;
    if (slot == NULL) return false;
    slot->thread = whorl_self.number | (uint32_t)(writer - whorl_self.writers) << WHORL_THREAD_BITS;
    slot->ticket = __atomic_fetch_add(&head->next_ticket, 1, __ATOMIC_ACQ_REL);
    writer->slot = slot;
    writer->cursor = (whorl_record*)((unsigned char*)slot + WHORL_SLOT_HEAD);
    writer->limit = writer->cursor + whorl_records_in(slot_bytes);
    whorl_store(writer->cursor++, now(), WHORL_WHAT(WHORL_STAMP, 0, 0));
    __atomic_store_n(&slot->state, WHORL_SLOT_TAKEN, __ATOMIC_RELEASE);
    return true;
}

void whorl_put_at_boundary(uint64_t value, uint64_t what) {
    whorl_writer* const writer = &whorl_self.writers[0];
    if (is_attached && (writer->cursor != writer->limit || take_slot(writer))) {
        // A slot begins with a stamp, so that this is not its end.
        if (has_threads && ((uintptr_t)writer->cursor & (WHORL_STAMP_BYTES - 1)) == 0) {
            whorl_store(writer->cursor++, __rdtsc(), WHORL_WHAT(WHORL_STAMP, 0, 0));
        }
        whorl_store(writer->cursor++, value, what);
    }
    WHORL_IN_ORDER();
    whorl_self.depth = 0;
    if (WHORL_UNLIKELY(is_attached && __atomic_load_n(&head->switches, __ATOMIC_RELAXED) != switches))
        whorl_hears_switch();
}

/// Begins to write as whoever interrupted whom; null if nothing is recorded.
static whorl_writer* begin_writing(size_t records) {
    if (!is_attached) return NULL;
    const uint32_t depth = whorl_self.depth;
    if (depth >= WHORL_CONTEXTS) {
        __atomic_store_n(&head->lost, 1, __ATOMIC_RELAXED);
        return NULL;
    }
    whorl_self.depth = depth + 1;
    WHORL_IN_ORDER();
    whorl_writer* const writer = &whorl_self.writers[depth];
    if ((size_t)(writer->limit - writer->cursor) < records && !take_slot(writer)) {
        whorl_self.depth = depth;
        return NULL;
    }
    return writer;
}

static void end_writing(void) {
    WHORL_IN_ORDER();
    --whorl_self.depth;
}

static whorl_writer* current(void) {
    return &whorl_self.writers[whorl_self.depth - 1];
}

void whorl_put(uint64_t value, uint64_t what) {
    whorl_writer* const writer = current();
    if (writer->cursor != writer->limit) whorl_store(writer->cursor++, value, what);
}

void whorl_put_nested(uint64_t value, uint64_t what) {
    if (begin_writing(2) == NULL) return;
    whorl_put(now(), WHORL_WHAT(WHORL_STAMP, 0, 0));
    whorl_put(value, what);
    end_writing();
}

bool whorl_begin_event(void) {
    if (begin_writing(WHORL_MOST_EVENT) == NULL) return false;
    whorl_put(now(), WHORL_WHAT(WHORL_STAMP, 0, 0));
    return true;
}

void whorl_end_event(void) {
    end_writing();
}

void whorl_put_text(const char* text) {
    enum { kMost = 4096 };
    for (size_t left = strnlen(text, kMost); left > 0;) {
        const size_t bytes = left < 8 ? left : 8;
        uint64_t word = 0;
        for (size_t i = 0; i < bytes; ++i) word |= (uint64_t)(unsigned char)text[i] << (8 * i);
        whorl_put(word, WHORL_WHAT(WHORL_TEXT, 0, bytes));
        text += bytes;
        left -= bytes;
    }
}

void whorl_put_event(uint64_t value, unsigned op, uint64_t argument) {
    if (!whorl_begin_event()) return;
    whorl_put(value, WHORL_WHAT(op, 0, argument & (((uint64_t)1 << WHORL_PC_BITS) - 1)));
    whorl_end_event();
}

void whorl_note(const char* text) {
    if (!whorl_begin_event()) return;
    whorl_put_text(text);
    whorl_put(0, WHORL_WHAT(WHORL_NOTE, 0, 0));
    whorl_end_event();
}

void whorl_expect_threads(void) {
    has_threads = 1;
}

uint32_t whorl_new_thread(void) {
    const uint32_t number = __atomic_add_fetch(&last_thread, 1, __ATOMIC_RELAXED);
    if (number > 1) __atomic_add_fetch(&threads_alive, 1, __ATOMIC_RELAXED);
    return number;
}

void whorl_forget_thread(void) {
    __atomic_sub_fetch(&threads_alive, 1, __ATOMIC_RELAXED);
}

void whorl_end_thread(void) {
    if (is_attached) {
        for (size_t i = 0; i < WHORL_CONTEXTS; ++i) publish(&whorl_self.writers[i]);
    }
    whorl_forget_thread();
}
