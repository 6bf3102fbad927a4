// The tool: which part of a program is recorded, and everything recorded besides its accesses.
#include <libvex_guest_amd64.h>
#include <pub_tool_aspacemgr.h>
#include <pub_tool_basics.h>
#include <pub_tool_clientstate.h>
#include <pub_tool_clreq.h>
#include <pub_tool_debuginfo.h>
#include <pub_tool_guest.h>
#include <pub_tool_libcassert.h>
#include <pub_tool_libcbase.h>
#include <pub_tool_libcfile.h>
#include <pub_tool_libcprint.h>
#include <pub_tool_libcproc.h>
#include <pub_tool_machine.h>
#include <pub_tool_mallocfree.h>
#include <pub_tool_options.h>
#include <pub_tool_stacktrace.h>
#include <pub_tool_threadstate.h>
#include <pub_tool_tooliface.h>
#include <pub_tool_transtab.h>
#include <pub_tool_vkiscnums.h>
#include <pub_tool_xarray.h>

#include "sim/capture/include/whorl.h"
#include "sim/capture/valgrind/frames.h"
#include "sim/capture/valgrind/instrument.h"
#include "sim/capture/valgrind/recorder.h"
#include "sim/capture/valgrind/requests.h"

// --- options
// ----------------------------------------------------------------------------------------------------------

static const HChar* option_ring;
static const HChar* option_pool;
static const HChar* option_begin = "main";  ///< a function; "": where the process begins; "off": at a request
static const HChar* option_end = "";        ///< a function; "": where main returns, or exit is called
static const HChar* option_main = "";       ///< a function that is main; "": that which the C library calls
static Bool option_until_exit = True;       ///< whether it ends where main returns
static Bool option_fetches = False;
static Bool option_calls = False;
static Long option_quantum = 100;
static const HChar* option_frames = "";  ///< a file; see frames.h

static Bool take_option(const HChar* text) {
    if VG_STR_CLO (text, "--ring", option_ring) {
    } else if VG_STR_CLO (text, "--pool", option_pool) {
    } else if VG_STR_CLO (text, "--begin", option_begin) {
    } else if VG_STR_CLO (text, "--end", option_end) {
    } else if VG_STR_CLO (text, "--main", option_main) {
    } else if VG_BOOL_CLO (text, "--until-exit", option_until_exit) {
    } else if VG_BOOL_CLO (text, "--fetches", option_fetches) {
    } else if VG_BOOL_CLO (text, "--calls", option_calls) {
    } else if VG_BINT_CLO (text, "--quantum", option_quantum, 1, 100000) {
    } else if VG_STR_CLO (text, "--frames", option_frames) {
    } else {
        return False;
    }
    return True;
}

static void print_usage(void) {
    VG_(printf)
    ("    --ring=FILE          the shared memory to record to\n"
     "    --pool=FILE          shared memory for it and all processes that come from it\n"
     "    --begin=FUNCTION     where recording begins; empty: at the first instruction [main]\n"
     "    --end=FUNCTION       where it ends\n"
     "    --main=FUNCTION      the function that is main; empty: that which the C library calls\n"
     "    --until-exit=yes|no  whether it ends where main returns [yes]\n"
     "    --fetches=yes|no     whether instruction fetches are recorded [no]\n"
     "    --calls=yes|no       whether calls of functions are recorded [no]\n"
     "    --frames=FILE        functions whose frames are recorded\n"
     "    --quantum=NUMBER     superblocks between turns of threads [100]\n");
}

static void print_debug_usage(void) {
    VG_(printf)("    (none)\n");
}

// --- what is recorded
// -------------------------------------------------------------------------------------------------

static Bool recording = False;
static Bool has_begun = False;
static Bool many_threads = False;
/// Whether code is made that records. Where a function switches recording, the code stays, and stores nowhere; it can
/// be made anew only at requests and system calls.
static Bool instrumenting = True;
static Addr main_entry = 0;
static Addr main_return = 0;
static Addr main_stack = 0;  ///< where main returns from

/// Code that was made for another state must be made anew. Only while no code runs: at requests, and around system
/// calls.
static void discard_code(void) {
    VG_(discard_translations_safely)(0x1000, ~(SizeT)0xfff, "whorl");
}

static void put_instructions(void) {
    if (whorl_instructions > 0) whorl_put(whorl_instructions, WHORL_WHAT(WHORL_INSTRUCTIONS, 0, 0));
    whorl_instructions = 0;
}

static void note_module(Addr pc);

/// Records the calls that are running where recording begins, the outermost first.
static void put_running_calls(void) {
    enum { kMost = 256 };
    static Addr callers[kMost];
    static Addr stacks[kMost];
    const ThreadId tid = VG_(get_running_tid)();
    if (!option_calls || tid == VG_INVALID_THREADID) return;
    const UInt count = VG_(get_StackTrace)(tid, callers, kMost, stacks, NULL, 0);
    for (UInt i = count; i-- > 1;) {
        if (main_stack != 0 && stacks[i] - 8 >= main_stack) continue;
        note_module(callers[i]);
        whorl_put(stacks[i] - 8, WHORL_WHAT(WHORL_CALL, 0, callers[i]));
    }
}

static void set_recording(Bool on) {
    if (recording == on || !whorl_attached()) return;
    if (recording) {
        put_instructions();
    } else {
        whorl_instructions = 0;
    }
    recording = on;
    has_begun = has_begun || on;
    whorl_put(0, WHORL_WHAT(on ? WHORL_ON : WHORL_OFF, 0, 0));
    if (on) put_running_calls();
    whorl_record_accesses(on);
}

/// At a request of the program, which may last long.
static void switch_recording(Bool on) {
    set_recording(on);
    if (instrumenting == on) return;
    instrumenting = on;
    discard_code();
}

// Whether the core lets a tool discard code. It does at requests and around system calls, but not where a thread goes
// on, and it forgets that it could in a forked child. It is safe there, too: code is discarded from the tables and the
// jumps to it, and stays in memory until later code takes its place. No header of a tool declares it; it is in
// libcoregrind.
extern Bool VG_(ok_to_discard_translations);

static void discard_code_anywhere(void) {
    const Bool was_allowed = VG_(ok_to_discard_translations);
    VG_(ok_to_discard_translations) = True;
    discard_code();
    VG_(ok_to_discard_translations) = was_allowed;
}

/// Tells the reader where the program was when somebody asked to switch the recording. The reader stops it: accesses
/// that it drops are counted. What the program itself has switched off goes on here.
static void switch_as_asked(void) {
    const Bool will_begin = !has_begun && VG_(strcmp)(option_begin, "main") == 0;
    whorl_put(recording || will_begin ? 1 : 0, WHORL_WHAT(WHORL_SWITCH, 0, 0));
    if (recording || will_begin) return;
    set_recording(True);
    if (instrumenting) return;
    instrumenting = True;
    discard_code_anywhere();
}

// --- threads
// ----------------------------------------------------------------------------------------------------------

/// Numbers are given once; those of Valgrind are used again when a thread has ended.
static UInt* thread_numbers;
static UInt next_thread = 1;
static UInt running_thread = 0;

static UInt number_of(ThreadId tid) {
    if (thread_numbers[tid] == 0) thread_numbers[tid] = next_thread++;
    return thread_numbers[tid];
}

static void thread_runs(ThreadId tid, ULong blocks) {
    (void)blocks;
    const UInt number = number_of(tid);
    if (number != running_thread) {
        running_thread = number;
        whorl_put(number, WHORL_WHAT(WHORL_THREAD, 0, 0));
    }
    while (whorl_asked_to_switch()) switch_as_asked();
}

static void thread_is_created(ThreadId parent, ThreadId child) {
    thread_numbers[child] = next_thread++;
    whorl_put(thread_numbers[child], WHORL_WHAT(WHORL_THREAD_BEGIN, 0, parent == 0 ? 0 : number_of(parent)));
}

static void thread_ends(ThreadId tid) {
    // The C library's handle of a thread is the address of its thread-local memory.
    ULong handle = 0;
    VG_(get_shadow_regs_area)(tid, (UChar*)&handle, 0, offsetof(VexGuestAMD64State, guest_FS_CONST), sizeof handle);
    whorl_put(number_of(tid), WHORL_WHAT(WHORL_THREAD_END, 0, handle & (((ULong)1 << WHORL_PC_BITS) - 1)));
    thread_numbers[tid] = 0;
}

// --- modules
// ----------------------------------------------------------------------------------------------------------

static Bool begins_with(const HChar* text, const HChar* start) {
    return VG_(strncmp)(text, start, VG_(strlen)(start)) == 0;
}

#define MOST_MODULES 4096

typedef struct {
    Addr start;
    SizeT size;
} Code;

static Code modules[MOST_MODULES];
static UInt module_count = 0;
static UInt last_module = 0;

static Bool is_in(const Code* code, Addr pc) {
    return pc - code->start < code->size;
}

static Bool is_known(Addr pc) {
    if (last_module < module_count && is_in(&modules[last_module], pc)) return True;
    for (UInt i = 0; i < module_count; ++i) {
        if (is_in(&modules[i], pc)) {
            last_module = i;
            return True;
        }
    }
    return False;
}

/// Whether code is that of the preloaded wrappers, or of what Valgrind itself preloads. It is not the program's, so
/// that neither its accesses nor its instructions are.
static Bool is_of_wrappers(Addr pc) {
    const DebugInfo* const info = VG_(find_DebugInfo)(VG_(current_DiEpoch)(), pc);
    const HChar* const path = info == NULL ? NULL : VG_(DebugInfo_get_filename)(info);
    const HChar* const slash = path == NULL ? NULL : VG_(strrchr)(path, '/');
    return slash != NULL && begins_with(slash, "/vgpreload_");
}

/// Records the executable or library that some code is in, when it is seen first.
static void note_module(Addr pc) {
    if (is_known(pc)) return;
    const DebugInfo* const info = VG_(find_DebugInfo)(VG_(current_DiEpoch)(), pc);
    if (info == NULL) return;
    // The whole mapping: calls of other modules go through code beside that of the functions.
    const NSegment* const mapped = VG_(am_find_nsegment)(pc);
    const Code code = mapped == NULL ? (Code){VG_(DebugInfo_get_text_avma)(info), VG_(DebugInfo_get_text_size)(info)}
                                     : (Code){mapped->start, mapped->end - mapped->start + 1};
    if (module_count < MOST_MODULES) modules[module_count++] = code;
    whorl_frames_of(VG_(DebugInfo_get_filename)(info), (ULong)VG_(DebugInfo_get_text_bias)(info));
    whorl_put_text(VG_(DebugInfo_get_filename)(info));
    whorl_put(code.size, WHORL_WHAT(WHORL_SIZE, 0, 0));
    whorl_put((ULong)VG_(DebugInfo_get_text_bias)(info), WHORL_WHAT(WHORL_MODULE, 0, code.start));
}

// --- where recording begins and ends
// ----------------------------------------------------------------------------------

/// Removes Valgrind's libraries from a list of those to be preloaded. False if none is left.
static Bool keep_own_preloads(HChar* list) {
    HChar* end = list;
    for (HChar *item = list, *colon = list; colon != NULL; item = colon + 1) {
        colon = VG_(strchr)(item, ':');
        if (colon != NULL) *colon = '\0';
        if (item[0] == '\0' || VG_(strstr)(item, "/vgpreload_") != NULL) continue;
        if (end != list) *end++ = ':';
        const SizeT size = VG_(strlen)(item);
        VG_(memmove)(end, item, size);
        end += size;
    }
    *end = '\0';
    return end != list;
}

/// Removes what Valgrind was started with from the environment of the program, which passes it on to its children.
static void clean_environment(HChar** variables) {
    static const HChar kFolder[] = "VALGRIND_LIB=";
    static const HChar kPreload[] = "LD_PRELOAD=";
    Bool folder_is_known = False;
    HChar** kept = variables;
    for (HChar** v = variables; *v != NULL; ++v) {
        const Bool is_folder = !folder_is_known && begins_with(*v, kFolder);
        folder_is_known = folder_is_known || is_folder;
        const Bool is_preload = begins_with(*v, kPreload);
        if (is_folder || (is_preload && !keep_own_preloads(*v + sizeof kPreload - 1))) continue;
        *kept++ = *v;
    }
    *kept = NULL;
}

/// Called where __libc_start_main begins, with its first argument.
static VG_REGPARM(1) void on_start_of_main(Addr entry) {
    main_entry = entry;
}

/// Called where main begins, with the stack pointer. Main may call itself; the program begins with its first call.
static VG_REGPARM(1) void on_main(Addr stack) {
    if (main_return != 0) return;
    main_return = *(const Addr*)stack;
    main_stack = stack;
    whorl_put(stack, WHORL_WHAT(WHORL_MAIN, 0, main_entry));
    if (!has_begun && VG_(strcmp)(option_begin, "main") == 0) set_recording(True);
}

/// Called where the main of the C library's programs begins, with its third argument, which in the first call is the
/// environment.
static VG_REGPARM(1) void on_environment(Addr variables) {
    static Bool is_clean = False;
    if (!is_clean) clean_environment((HChar**)variables);
    is_clean = True;
}

static VG_REGPARM(1) void on_begin(Addr stack) {
    (void)stack;
    if (!has_begun) set_recording(True);
}

static VG_REGPARM(1) void on_end(Addr stack) {
    (void)stack;
    if (has_begun) set_recording(False);
}

static IRExpr* register_of(IRSB* block, Int guest_register) {
    const IRTemp value = newIRTemp(block->tyenv, Ity_I64);
    addStmtToIRSB(block, IRStmt_WrTmp(value, IRExpr_Get(guest_register, Ity_I64)));
    return IRExpr_RdTmp(value);
}

/// Adds the call of a function of this tool, with the value of a register of the program.
static void call(IRSB* block, const HChar* name, void* function, Int guest_register) {
    addStmtToIRSB(block, IRStmt_Dirty(unsafeIRDirty_0_N(1, name, VG_(fnptr_to_fnentry)(function),
                                                        mkIRExprVec_1(register_of(block, guest_register)))));
}

/// Whether a function is the C library's own.
static Bool is_of_libc(Addr pc) {
    const DebugInfo* const info = VG_(find_DebugInfo)(VG_(current_DiEpoch)(), pc);
    const HChar* const name = info == NULL ? NULL : VG_(DebugInfo_get_soname)(info);
    return name == NULL || begins_with(name, "libc.so") || VG_(strcmp)(name, "NONE") == 0;
}

/// Whether the name of a function is that one, or that of a version or an overload of it.
static Bool is_named(const HChar* function, const HChar* wanted) {
    const SizeT length = VG_(strlen)(wanted);
    if (VG_(strncmp)(function, wanted, length) != 0) return False;
    return function[length] == '\0' || function[length] == '@' || function[length] == '(';
}

/// Adds to a superblock what switches recording if it is the beginning of a function that does. Whole functions are not
/// made parts of other superblocks (see the launcher's options).
static void at_entry(IRSB* block, Addr entry) {
    enum {
        kStack = offsetof(VexGuestAMD64State, guest_RSP),
        kFirst = offsetof(VexGuestAMD64State, guest_RDI),
        kThird = offsetof(VexGuestAMD64State, guest_RDX)
    };
    if (entry == main_entry && entry != 0) {
        call(block, "on_environment", on_environment, kThird);
        if (option_main[0] == '\0') call(block, "on_main", on_main, kStack);
    }
    if (entry == main_return && entry != 0 && option_until_exit) call(block, "on_end", on_end, kStack);
    const HChar* name = NULL;
    if (!VG_(get_fnname_if_entry)(VG_(current_DiEpoch)(), entry, &name)) return;
    if (main_entry == 0 && (is_named(name, "__libc_start_main") || is_named(name, "__libc_start_main_impl"))) {
        call(block, "on_start_of_main", on_start_of_main, kFirst);
    }
    if (option_main[0] != '\0' && is_named(name, option_main)) call(block, "on_main", on_main, kStack);
    if (option_until_exit && is_named(name, "exit") && is_of_libc(entry)) call(block, "on_end", on_end, kStack);
    if (option_end[0] != '\0' && is_named(name, option_end)) call(block, "on_end", on_end, kStack);
    if (VG_(strcmp)(option_begin, "main") != 0 && is_named(name, option_begin)) {
        call(block, "on_begin", on_begin, kStack);
    }
}

/// Records who asks for memory: the callers, without the wrappers. `back`: bytes from where the thread is back into the
/// innermost call.
static void put_callers(ThreadId tid, UInt back) {
    enum { kMost = 24 };
    Addr callers[kMost];
    const UInt count = VG_(get_StackTrace)(tid, callers, kMost, NULL, NULL, 0);
    for (UInt i = 0; i < count; ++i) {
        if (i == 0) callers[i] -= back;
        if (is_of_wrappers(callers[i])) continue;
        note_module(callers[i]);
        whorl_put(callers[i], WHORL_WHAT(WHORL_FRAME, 0, 0));
    }
}

// --- functions that hand out memory
// ------------------------------------------------------------------------------------

#define MOST_CALLS 256
#define MOST_RETURNS 1024

typedef struct {
    ThreadId thread;
    Addr stack;  ///< the stack pointer when it returns
    ULong bytes;
} PendingCall;

static PendingCall pending_calls[MOST_CALLS];
static UInt pending_count = 0;
/// Where they return to.
static Addr returns[MOST_RETURNS];
static UInt return_count = 0;

static Bool is_return(Addr pc) {
    for (UInt i = 0; i < return_count; ++i) {
        if (returns[i] == pc) return True;
    }
    return False;
}

/// Called where such a function begins.
static VG_REGPARM(2) void on_allocator(Addr stack, ULong bytes) {
    const Addr back = *(const Addr*)stack;
    if (!is_return(back) && return_count < MOST_RETURNS) returns[return_count++] = back;
    const ThreadId thread = VG_(get_running_tid)();
    // Calls that were left by a jump are below.
    while (pending_count > 0 && pending_calls[pending_count - 1].thread == thread &&
           pending_calls[pending_count - 1].stack <= stack) {
        --pending_count;
    }
    if (pending_count < MOST_CALLS) pending_calls[pending_count++] = (PendingCall){thread, stack + 8, bytes};
}

/// Called where one may have returned.
static VG_REGPARM(2) void on_allocated(Addr stack, Addr base) {
    const ThreadId thread = VG_(get_running_tid)();
    for (UInt i = pending_count; i-- > 0;) {
        if (pending_calls[i].thread != thread) continue;
        if (pending_calls[i].stack != stack) return;
        const ULong bytes = pending_calls[i].bytes;
        for (--pending_count; i < pending_count; ++i) pending_calls[i] = pending_calls[i + 1];
        if (base == 0 || bytes == 0 || bytes >> WHORL_PC_BITS != 0) return;
        put_callers(thread, 1);
        whorl_put(base, WHORL_WHAT(WHORL_PIECE, 0, bytes));
        return;
    }
}

static IRExpr* product(IRSB* block, IRExpr* a, UInt parameter) {
    static const Int kParameters[] = {offsetof(VexGuestAMD64State, guest_RDI), offsetof(VexGuestAMD64State, guest_RSI),
                                      offsetof(VexGuestAMD64State, guest_RDX), offsetof(VexGuestAMD64State, guest_RCX),
                                      offsetof(VexGuestAMD64State, guest_R8),  offsetof(VexGuestAMD64State, guest_R9)};
    if (parameter == 0 || parameter > 6) return a;
    IRExpr* const b = register_of(block, kParameters[parameter - 1]);
    const IRTemp result = newIRTemp(block->tyenv, Ity_I64);
    addStmtToIRSB(block, IRStmt_WrTmp(result, IRExpr_Binop(Iop_Mul64, a, b)));
    return IRExpr_RdTmp(result);
}

static void call_with(IRSB* block, const HChar* name, void* function, IRExpr* a, IRExpr* b) {
    addStmtToIRSB(block,
                  IRStmt_Dirty(unsafeIRDirty_0_N(2, name, VG_(fnptr_to_fnentry)(function), mkIRExprVec_2(a, b))));
}

/// Adds to a superblock what tells of memory that such functions hand out.
static void at_allocator(IRSB* block, Addr entry) {
    const Int stack = offsetof(VexGuestAMD64State, guest_RSP);
    if (is_return(entry)) {
        call_with(block, "on_allocated", on_allocated, register_of(block, stack),
                  register_of(block, offsetof(VexGuestAMD64State, guest_RAX)));
    }
    const whorl_allocator* const allocator = whorl_allocator_at(entry);
    if (allocator == NULL) return;
    IRExpr* const unit = IRExpr_Const(IRConst_U64(allocator->unit));
    IRExpr* const bytes = product(block, product(block, unit, allocator->first), allocator->second);
    call_with(block, "on_allocator", on_allocator, register_of(block, stack), bytes);
}

static Addr last_instruction(const IRSB* block) {
    for (Int i = block->stmts_used - 1; i >= 0; --i) {
        const IRStmt* const s = block->stmts[i];
        if (s != NULL && s->tag == Ist_IMark) return s->Ist.IMark.addr;
    }
    return 0;
}

static IRSB* instrument(VgCallbackClosure* closure, IRSB* from, const VexGuestLayout* layout,
                        const VexGuestExtents* extents, const VexArchInfo* host, IRType guest_word, IRType host_word) {
    (void)layout, (void)extents, (void)host, (void)guest_word, (void)host_word;
    IRSB* const to = deepCopyIRSBExceptStmts(from);
    at_entry(to, closure->readdr);
    if (!instrumenting || !whorl_attached() || is_of_wrappers(closure->readdr)) {
        for (Int i = 0; i < from->stmts_used; ++i) addStmtToIRSB(to, from->stmts[i]);
        // Their calls are recorded where the program makes them.
        const Bool leaves = option_calls && instrumenting && whorl_attached() && from->jumpkind == Ijk_Ret;
        if (leaves) whorl_instrument_return(to);
        return to;
    }
    note_module(closure->readdr);
    at_allocator(to, closure->readdr);
    const whorl_wanted wanted = {
        .fetches = option_fetches,
        .enters = whorl_begins_frame(closure->readdr),
        .calls = option_calls && from->jumpkind == Ijk_Call,
        .leaves = from->jumpkind == Ijk_Ret && (option_calls || whorl_in_frame(last_instruction(from))),
        .quantum = many_threads ? (UInt)option_quantum : 0};
    whorl_instrument(to, from, &wanted);
    return to;
}

// --- requests
// ---------------------------------------------------------------------------------------------------------

static void take_region(const UWord* arguments) {
    whorl_put_text((const HChar*)arguments[1]);
    whorl_put(arguments[4], WHORL_WHAT(WHORL_SHAPE, 0, WHORL_PACKED_SHAPE(arguments[5])));
    whorl_put(arguments[2], WHORL_WHAT(WHORL_REGION, 0, arguments[3]));
}

static Bool take_request(ThreadId tid, UWord* arguments, UWord* result) {
    *result = 0;
    switch (arguments[0]) {
        case WHORL_REQUEST_ON:
            switch_recording(True);
            return True;
        case WHORL_REQUEST_OFF:
            switch_recording(False);
            return True;
        case WHORL_REQUEST_REGION:
            take_region(arguments);
            return True;
        case WHORL_REQUEST_MARK:
            whorl_put_text((const HChar*)arguments[1]);
            whorl_put(0, WHORL_WHAT(WHORL_MARK, 0, 0));
            return True;
        case WHORL_REQUEST_ALLOCATES:
            whorl_put(0, WHORL_WHAT(WHORL_ALLOCATES, 0, 0));
            return True;
        case WHORL_REQUEST_ALLOC:
            put_callers(tid, 0);
            whorl_put(arguments[1], WHORL_WHAT(WHORL_ALLOC, 0, arguments[2]));
            return True;
        case WHORL_REQUEST_FREE:
            whorl_put(arguments[1], WHORL_WHAT(WHORL_FREE, 0, 0));
            return True;
        case WHORL_REQUEST_NAME:
            whorl_put_text((const HChar*)arguments[1]);
            whorl_put(number_of(tid), WHORL_WHAT(WHORL_THREAD_NAME, 0, 0));
            return True;
        case WHORL_REQUEST_THREADS:
            // From now on threads take shorter turns, which takes other code.
            if (!many_threads) {
                many_threads = True;
                discard_code();
            }
            return True;
        case WHORL_REQUEST_SYNC:
            if (recording) whorl_put(arguments[1], WHORL_WHAT(WHORL_SYNC, 0, arguments[2]));
            return True;
        default:
            return False;
    }
}

// --- the process
// ------------------------------------------------------------------------------------------------------

static void before_fork(ThreadId tid) {
    (void)tid;
    if (whorl_has_pool()) whorl_before_fork();
}

/// Goes on recording in memory of the child's own. Of the threads, only that which forked is there.
static Bool goes_on_as_child(void) {
    const Bool was_recording = recording;
    if (!whorl_has_pool() || !whorl_attach_forked()) return False;
    VG_(memset)(thread_numbers, 0, VG_N_THREADS * sizeof *thread_numbers);
    next_thread = 1;
    running_thread = 0;
    recording = False;
    set_recording(was_recording);
    return True;
}

/// In the child of a fork, which has the same memory: its accesses would be taken for those of its parent.
static void in_forked_child(ThreadId tid) {
    (void)tid;
    if (goes_on_as_child()) return;
    recording = False;
    instrumenting = False;
    whorl_detach();
    discard_code_anywhere();
}

static void in_forking_parent(ThreadId tid) {
    (void)tid;
    whorl_after_fork();
    if (!recording || whorl_has_pool()) return;
    whorl_put_text(WHORL_FORKED);
    whorl_put(0, WHORL_WHAT(WHORL_NOTE, 0, 0));
}

/// Whether a system call makes the process another program, which is not recorded.
static Bool is_exec(UInt number) {
    return number == __NR_execve || number == __NR_execveat;
}

/// Whether memory is mapped by the library for itself: by the dynamic linker, for the heap, or for a stack.
static Bool is_of_library(const Addr* callers, UInt count) {
    static const HChar* const kFunctions[] = {"malloc",        "calloc",         "realloc",
                                              "memalign",      "_int_malloc",    "valloc",
                                              "aligned_alloc", "posix_memalign", "pthread_create"};
    for (UInt i = 0; i < count; ++i) {
        const HChar* name = NULL;
        if (!VG_(get_fnname)(VG_(current_DiEpoch)(), callers[i], &name)) continue;
        for (UInt f = 0; f < sizeof kFunctions / sizeof *kFunctions; ++f) {
            if (is_named(name, kFunctions[f])) return True;
        }
    }
    const DebugInfo* const info = VG_(find_DebugInfo)(VG_(current_DiEpoch)(), callers[0]);
    const HChar* const soname = info == NULL ? NULL : VG_(DebugInfo_get_soname)(info);
    return soname != NULL && begins_with(soname, "ld-linux");
}

/// Records that memory is mapped. `descriptor`: of its file; negative: none.
static void put_mapping(ThreadId tid, Addr base, UWord bytes, Int descriptor) {
    enum { kMost = 8 };
    Addr callers[kMost];
    const HChar* path = NULL;
    if (!whorl_attached() || is_of_library(callers, VG_(get_StackTrace)(tid, callers, kMost, NULL, NULL, 0))) return;
    put_callers(tid, 0);
    if (descriptor >= 0 && VG_(resolve_filename)(descriptor, &path)) whorl_put_text(path);
    whorl_put(base, WHORL_WHAT(WHORL_MAP, 0, bytes));
}

/// Records a text of the program's, which may have given any address.
static void put_path(Addr address) {
    enum { kMost = 256 };
    HChar path[kMost + 1];
    SizeT length = 0;
    for (; length < kMost && VG_(am_is_valid_for_client)(address + length, 1, VKI_PROT_READ); ++length) {
        path[length] = *(const HChar*)(address + length);
        if (path[length] == '\0') break;
    }
    path[length] = '\0';
    whorl_put_text(path);
}

static void before_call(ThreadId tid, UInt number, UWord* arguments, UInt count) {
    (void)tid, (void)count;
    if (number == __NR_exit_group) whorl_tell_status((UInt)arguments[0] & 0xff);
    if (!is_exec(number)) return;
    put_path(number == __NR_execve ? arguments[0] : arguments[1]);
    whorl_put(1, WHORL_WHAT(WHORL_EXEC, 0, 0));
}

static void after_call(ThreadId tid, UInt number, UWord* arguments, UInt count, SysRes result) {
    (void)count;
    if (is_exec(number)) whorl_put(0, WHORL_WHAT(WHORL_EXEC, 0, 0));
    if (sr_isError(result)) return;
    if (number == __NR_munmap || number == __NR_mremap) {
        whorl_put(arguments[0], WHORL_WHAT(WHORL_UNMAP, 0, arguments[1]));
    }
    if (number == __NR_mmap) {
        const Bool has_file = (arguments[3] & VKI_MAP_ANONYMOUS) == 0;
        put_mapping(tid, sr_Res(result), arguments[1], has_file ? (Int)arguments[4] : -1);
    }
    if (number == __NR_mremap) put_mapping(tid, sr_Res(result), arguments[2], -1);
}

/// The program and its arguments, as much as is wanted of them.
static const HChar* name_of_process(void) {
    static HChar name[WHORL_PROCESS_NAME];
    SizeT length = 0;
    const Word words = VG_(sizeXA)(VG_(args_for_client));
    for (Word i = -1; i < words; ++i) {
        const HChar* word = i < 0 ? VG_(args_the_exename) : *(HChar**)VG_(indexXA)(VG_(args_for_client), i);
        if (i >= 0 && length + 1 < sizeof name) name[length++] = ' ';
        while (word != NULL && *word != '\0' && length + 1 < sizeof name) name[length++] = *word++;
    }
    return name;
}

static void begin(void) {
    const Bool is_attached =
        option_pool == NULL ? whorl_attach(option_ring) : whorl_attach_to_pool(option_pool, name_of_process());
    if (!is_attached) {
        VG_(umsg)("whorl: the shared memory %s cannot be used\n", option_pool == NULL ? option_ring : option_pool);
        VG_(exit)(1);
    }
    thread_numbers = VG_(calloc)("whorl.threads", VG_N_THREADS, sizeof *thread_numbers);
    whorl_read_frames(option_frames);
    if (option_begin[0] == '\0') set_recording(True);
    if (VG_(strcmp)(option_begin, "off") == 0) instrumenting = False;
}

static void end(Int status) {
    (void)status;
    if (recording) put_instructions();
    whorl_publish();
}

static void initialize(void) {
    VG_(details_name)("whorl");
    VG_(details_version)(NULL);
    VG_(details_description)("records the memory references of a program");
    VG_(details_copyright_author)("Part of Whorl; distributed under the GNU GPL, version 2 or later.");
    VG_(details_bug_reports_to)("the maintainers of Whorl");
    VG_(details_avg_translation_sizeB)(600);

    VG_(basic_tool_funcs)(begin, instrument, end);
    VG_(needs_command_line_options)(take_option, print_usage, print_debug_usage);
    VG_(needs_client_requests)(take_request);
    VG_(track_start_client_code)(thread_runs);
    VG_(track_pre_thread_ll_create)(thread_is_created);
    VG_(track_pre_thread_ll_exit)(thread_ends);
    VG_(needs_syscall_wrapper)(before_call, after_call);
    VG_(atfork)(before_fork, in_forking_parent, in_forked_child);
}

VG_DETERMINE_INTERFACE_VERSION(initialize)
