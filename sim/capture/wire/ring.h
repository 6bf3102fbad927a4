/* How a traced program passes its accesses to Whorl: through memory that both have mapped. Plain C, since the Valgrind
 * tool, which has no C library, includes it too.
 *
 * The memory is a ring_head, padded to WHORL_RING_HEAD bytes, and then `slots` slots of `slot_bytes` bytes. A slot is a
 * slot_head and records. A writer takes a free slot, fills it, publishes it as full, and takes another; the reader
 * empties full slots in the order of their tickets, zeroes them and sets them free. Where each thread has slots of its
 * own, stamps say which records of several threads come first. A writer stores the second word of
 * a record last, and the reader zeroes, so that whatever kills the writer, all its complete records can be found: they
 * are those before the first one whose second word is 0. */
#pragma once

#ifndef WHORL_RING_TYPES /* who has no <stdint.h> defines these types and this name */
#include <stdint.h>
typedef uint64_t whorl_u64;
typedef uint32_t whorl_u32;
#endif

#define WHORL_RING_MAGIC 0x31474e4952484cull /* "LHRING1" */
#define WHORL_RING_HEAD 4096                 /* bytes before the first slot */
#define WHORL_SLOT_HEAD 64                   /* bytes before the first record of a slot */

/* An access, or something else that happened, in the order of a thread. */
typedef struct {
    whorl_u64 value; /* an access: its address */
    whorl_u64 what;  /* 8 bits WHORL_OP, 8 bits size (0: the size of a WHORL_LONG before it), 48 bits pc or argument */
} whorl_record;

enum {
    WHORL_READ = 1,
    WHORL_WRITE = 2,
    WHORL_MODIFY = 3, /* a read, and then a write of the same bytes */
    WHORL_ATOMIC = 4, /* the same, in one step */
    WHORL_FETCH = 5,  /* of an instruction */
    WHORL_LONG = 6,   /* value: the size of the access in the next record */

    WHORL_THREAD = 16,       /* what follows is of the thread with number `value`; numbers are not used again */
    WHORL_THREAD_BEGIN = 17, /* thread `value` exists from now on; argument: who created it */
    WHORL_THREAD_END = 18,   /* thread `value` has ended; argument: its pthread_t, at which others wait for that */
    WHORL_THREAD_NAME = 19,  /* of thread `value`; its text before it */
    WHORL_STAMP = 20,        /* value: the time stamp counter of the processor, for the accesses before and after */
    WHORL_SYNC = 21,         /* value: an object that threads wait at; argument: WHORL_SYNC_... */
    WHORL_INSTRUCTIONS = 22, /* value: executed since the last of these */

    WHORL_TEXT = 32,   /* value: up to 8 bytes of a text; argument: how many; the records before the one it is for */
    WHORL_FRAME = 33,  /* value: an address in the call by a caller, innermost first; before the one it is for */
    WHORL_ALLOC = 34,  /* value: the base; argument: bytes */
    WHORL_FREE = 35,   /* value: the base */
    WHORL_REGION = 36, /* value: the base; argument: bytes; its name and shape before it */
    WHORL_SHAPE = 37,  /* value: bytes of an element; argument: rows << 24 | columns, each below 2^24 */
    WHORL_MARK = 38,   /* its text before it */
    WHORL_MODULE = 39, /* value: load bias; argument: start of its text; its path before it, and its size */
    WHORL_SIZE = 40,   /* value: bytes, of what follows */
    WHORL_ON = 41,     /* recording begins; value: why, see WHORL_WHY */
    WHORL_OFF = 42,    /* it ends */
    WHORL_MAIN = 43,   /* value: the stack pointer on entry to main */
    WHORL_ENTER = 45,  /* a function whose local variables have names begins; value: the stack pointer */
    WHORL_LEAVE = 46,  /* a function returns; value: the stack pointer after that */
    WHORL_NOTE = 44,   /* something that a person should know, in words; its text before it */
    WHORL_EXEC = 47,   /* value 1: the process is about to become another program, its path before; 0: it did not */
    WHORL_MAP =
        48, /* memory is mapped; value: the base; argument: bytes; its callers and the path of its file before */
    WHORL_UNMAP = 49,     /* value: the base; argument: bytes */
    WHORL_PIECE = 50,     /* handed out by the program itself; value: the base; argument: bytes; its callers before */
    WHORL_ALLOCATES = 51, /* the library begins to allocate: the next block of the thread has lived since then */
    WHORL_CALL = 52,  /* a function is called; value: where on the stack it returns from; argument: pc of the call */
    WHORL_FORK = 54,  /* with a pool: the process forks; value: the ring of its child */
    WHORL_SPAWN = 55, /* it starts a program that may not record itself; value: its process, or 0; its text before */
    WHORL_SWITCH = 53 /* the reader asked for it; value: 1 if the recorder was recording, or is about to by itself */
};

/* What a thread did with a lock, an event, a semaphore or a barrier; a wait is recorded when it is over. */
enum {
    WHORL_SYNC_LOCK = 0,
    WHORL_SYNC_UNLOCK = 1,
    WHORL_SYNC_SIGNAL = 2,
    WHORL_SYNC_WAIT = 3,
    WHORL_SYNC_POST = 4,
    WHORL_SYNC_TAKE = 5,
    WHORL_SYNC_ARRIVE = 6,
    WHORL_SYNC_LEAVE = 7
};

/* The argument of a WHORL_SHAPE, from that of whorl.h's WHORL_REGION: rows << 32 | columns. */
#define WHORL_PACKED_SHAPE(shape) (((whorl_u64)(shape) >> 32 & 0xffffff) << 24 | ((whorl_u64)(shape)&0xffffff))
#define WHORL_FORKED "it forked: the accesses of its child processes are not recorded"

#define WHORL_PC_BITS 48
#define WHORL_WHAT(op, size, pc) ((whorl_u64)(op) << 56 | (whorl_u64)(size) << 48 | (whorl_u64)(pc))

/* A slot is claimed while who has taken it fills in its head. */
enum { WHORL_SLOT_FREE = 0, WHORL_SLOT_TAKEN = 1, WHORL_SLOT_FULL = 2, WHORL_SLOT_CLAIMED = 3 };

#define WHORL_THREAD_BITS 24 /* of a slot's `thread` that are its number; above: 0, or 1 or 2 for a signal handler */

typedef struct {
    whorl_u64 magic;
    whorl_u32 slots;
    whorl_u32 slot_bytes;
    whorl_u32 writer;      /* the process that may write; others that inherit the memory do not */
    whorl_u32 reader;      /* the process that reads */
    whorl_u32 closed;      /* the reader takes no more: the writer goes on without recording */
    whorl_u32 lost;        /* the writer had to leave accesses out */
    whorl_u32 used;        /* slots that were ever taken, where each thread has its own */
    whorl_u64 next_ticket; /* of the slot that is taken next */
    whorl_u32 switches;    /* by the reader: how often somebody asked to switch the recording */
} whorl_ring_head;

typedef struct {
    whorl_u32 state;  /* WHORL_SLOT_... */
    whorl_u32 thread; /* that owns it, 0 where all threads share slots */
    whorl_u64 ticket; /* slots that were taken earlier have lower ones */
} whorl_slot_head;

static inline whorl_u32 whorl_records_in(whorl_u32 slot_bytes) {
    return (slot_bytes - WHORL_SLOT_HEAD) / (whorl_u32)sizeof(whorl_record);
}
