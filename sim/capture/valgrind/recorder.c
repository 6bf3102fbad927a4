#include "sim/capture/valgrind/recorder.h"

#include <pub_tool_aspacemgr.h>
#include <pub_tool_libcbase.h>
#include <pub_tool_libcfile.h>
#include <pub_tool_libcproc.h>
#include <pub_tool_vki.h>
#include <pub_tool_vkiscnums.h>

// Parts of the core that no header of a tool declares; all are in libcoregrind.
extern SysRes VG_(am_shared_mmap_file_float_valgrind)(SizeT length, UInt prot, Int fd, Off64T offset);
extern SysRes VG_(do_syscall)(UWord number, RegWord, RegWord, RegWord, RegWord, RegWord, RegWord, RegWord, RegWord);

whorl_record* whorl_cursor;
whorl_record* whorl_limit;

/// Takes records that nobody wants.
static whorl_record nowhere[2 * WHORL_MARGIN];
static Bool is_recording = False;

/// Where the next record of the shared memory goes, while accesses are stored nowhere.
static whorl_record* cursor;
static whorl_record* limit;

static whorl_ring_head* head;  ///< null: detached
/// As they were when it was mapped: the program may write to the memory, too.
static UInt slots, slot_bytes;
static UInt switches = 0;  ///< that were heard of
static whorl_slot_head* slot;
static UInt slot_index;

static whorl_slot_head* slot_at(UInt index) {
    return (whorl_slot_head*)((UChar*)head + WHORL_RING_HEAD + (SizeT)index * slot_bytes);
}

static void write_nowhere(void) {
    whorl_cursor = nowhere;
    whorl_limit = nowhere + WHORL_MARGIN;
}

static Bool reader_is_gone(void) {
    const SysRes alive = VG_(do_syscall)(__NR_kill, head->reader, 0, 0, 0, 0, 0, 0, 0);
    return __atomic_load_n(&head->closed, __ATOMIC_ACQUIRE) != 0 || sr_isError(alive);
}

static void wait_until_free(const whorl_slot_head* next) {
    const struct vki_timespec pause = {0, 50 * 1000};
    UInt state = WHORL_SLOT_FULL;
    for (UInt waits = 0; (state = __atomic_load_n(&next->state, __ATOMIC_ACQUIRE)) != WHORL_SLOT_FREE; ++waits) {
        // Nobody sets a slot free that is not full.
        if (state != WHORL_SLOT_FULL || (waits % 1024 == 1023 && reader_is_gone())) {
            whorl_detach();
            return;
        }
        VG_(do_syscall)(__NR_nanosleep, (RegWord)&pause, 0, 0, 0, 0, 0, 0, 0);
    }
}

static void take(UInt index) {
    slot_index = index;
    slot = slot_at(index);
    wait_until_free(slot);
    if (head == NULL) return;
    slot->thread = 0;
    slot->ticket = head->next_ticket++;
    __atomic_store_n(&slot->state, WHORL_SLOT_TAKEN, __ATOMIC_RELEASE);
    cursor = (whorl_record*)((UChar*)slot + WHORL_SLOT_HEAD);
    limit = cursor + whorl_records_in(slot_bytes) - WHORL_MARGIN;
}

static void take_next(void) {
    __atomic_store_n(&slot->state, WHORL_SLOT_FULL, __ATOMIC_RELEASE);
    take((slot_index + 1) % slots);
}

/// Maps a part of a file of the reader's; 0 if that cannot be done.
static Addr map_shared(const HChar* path, Long from, Long bytes) {
    const SysRes opened = VG_(open)(path, VKI_O_RDWR, 0);
    if (sr_isError(opened)) return 0;
    const Int fd = (Int)sr_Res(opened);
    const Long size = bytes == 0 ? VG_(fsize)(fd) : bytes;
    const SysRes mapped =
        VG_(am_shared_mmap_file_float_valgrind)((SizeT)size, VKI_PROT_READ | VKI_PROT_WRITE, fd, from);
    VG_(close)(fd);
    if (sr_isError(mapped) || size < (Long)sizeof *head) return 0;
    return sr_Res(mapped);
}

static Bool begin_ring(Addr mapped) {
    head = (whorl_ring_head*)mapped;
    if (head == NULL || head->magic != WHORL_RING_MAGIC) {
        head = NULL;
        return False;
    }
    slots = head->slots;
    slot_bytes = head->slot_bytes;
    switches = 0;
    head->writer = (whorl_u32)VG_(getpid)();
    take(0);
    return True;
}

Bool whorl_attach(const HChar* path) {
    write_nowhere();
    return path == NULL || begin_ring(map_shared(path, 0, 0));
}

// --- a pool of rings

static whorl_pool_head* pool;
static const HChar* pool_path;
static const HChar* own_name;
static whorl_pool_entry* own_entry;
static Int reserved = -1;  ///< for the child of a fork that is being done

static Bool take_ring(Int ring, UInt parent) {
    if (ring < 0) {
        whorl_tell_untold(pool, (UInt)VG_(getpid)(), parent, own_name);
        return False;
    }
    const Long bytes = (Long)pool->ring_bytes;
    own_entry = &pool->entries[ring];
    if (!begin_ring(map_shared(pool_path, WHORL_POOL_HEAD + ring * bytes, bytes))) return False;
    whorl_take_ring(own_entry, head->writer, own_name);
    return True;
}

Bool whorl_attach_to_pool(const HChar* path, const HChar* name) {
    write_nowhere();
    pool_path = path;
    own_name = name;
    pool = (whorl_pool_head*)map_shared(path, 0, WHORL_POOL_HEAD);
    if (pool == NULL || pool->magic != WHORL_POOL_MAGIC) return False;
    const UInt parent = (UInt)VG_(getppid)();
    take_ring(whorl_reserve_ring(pool, parent, 0), parent);
    return True;
}

Bool whorl_has_pool(void) {
    return pool != NULL;
}

void whorl_before_fork(void) {
    // If the last fork failed, its ring is still there.
    if (head == NULL) return;
    if (reserved < 0) reserved = whorl_reserve_ring(pool, (UInt)VG_(getpid)(), 1);
    if (reserved < 0) return;
    whorl_put((ULong)reserved, WHORL_WHAT(WHORL_FORK, 0, 0));
    // The reader must come to know of it while this process may wait for its child.
    if (head == NULL) return;
    take_next();
    if (head == NULL || !is_recording) return;
    whorl_cursor = cursor;
    whorl_limit = limit;
}

void whorl_after_fork(void) {
    reserved = -1;
}

Bool whorl_attach_forked(void) {
    const Int ring = reserved;
    reserved = -1;
    own_entry = NULL;
    whorl_detach();
    return take_ring(ring, (UInt)VG_(getppid)());
}

void whorl_tell_status(UInt status) {
    if (own_entry != NULL) own_entry->status = status + 1;
}

Bool whorl_attached(void) {
    return head != NULL;
}

Bool whorl_asked_to_switch(void) {
    if (head == NULL || __atomic_load_n(&head->switches, __ATOMIC_ACQUIRE) == switches) return False;
    ++switches;
    return True;
}

void whorl_detach(void) {
    head = NULL;
    is_recording = False;
    write_nowhere();
}

void whorl_record_accesses(Bool on) {
    if (on == is_recording || head == NULL) return;
    is_recording = on;
    if (on) {
        whorl_cursor = cursor;
        whorl_limit = limit;
    } else {
        cursor = whorl_cursor;
        write_nowhere();
    }
}

void whorl_flush(void) {
    if (!is_recording) {
        write_nowhere();
        return;
    }
    take_next();
    if (head == NULL) return;
    whorl_cursor = cursor;
    whorl_limit = limit;
}

void whorl_publish(void) {
    whorl_record_accesses(False);
    if (head != NULL) __atomic_store_n(&slot->state, WHORL_SLOT_FULL, __ATOMIC_RELEASE);
    whorl_detach();
}

void whorl_put(ULong value, ULong what) {
    if (head == NULL) return;
    whorl_record** const next = is_recording ? &whorl_cursor : &cursor;
    if (*next > limit) {
        take_next();
        if (head == NULL) return;
        whorl_cursor = is_recording ? cursor : whorl_cursor;
        whorl_limit = is_recording ? limit : whorl_limit;
    }
    (*next)->value = value;
    __atomic_store_n(&(*next)->what, what, __ATOMIC_RELEASE);
    ++*next;
}

void whorl_put_text(const HChar* text) {
    for (SizeT left = VG_(strlen)(text); left > 0;) {
        const SizeT bytes = left < 8 ? left : 8;
        ULong word = 0;
        VG_(memcpy)(&word, text, bytes);
        whorl_put(word, WHORL_WHAT(WHORL_TEXT, 0, bytes));
        text += bytes;
        left -= bytes;
    }
}
