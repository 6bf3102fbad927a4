#define _GNU_SOURCE
#include "sim/capture/runtime/process.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sim/capture/include/whorl.h"
#include "sim/capture/runtime/callers.h"
#include "sim/capture/runtime/writer.h"

void* whorl_library_function(const char* name, const char* version) {
    void* const found = version[0] == '\0' ? NULL : dlvsym(RTLD_NEXT, name, version);
    return found != NULL ? found : dlsym(RTLD_NEXT, name);
}

// --- modules

enum { kMostModules = 1024, kMostPath = 4096 };

static uint64_t known_modules[kMostModules];  ///< where their code begins
static size_t module_count = 0;
static pthread_spinlock_t modules_lock;

static bool is_known(uint64_t start) {
    for (size_t i = 0; i < module_count; ++i) {
        if (known_modules[i] == start) return true;
    }
    return false;
}

static const ElfW(Phdr) * code_of(const struct dl_phdr_info* module) {
    for (size_t i = 0; i < module->dlpi_phnum; ++i) {
        const ElfW(Phdr)* const part = &module->dlpi_phdr[i];
        if (part->p_type == PT_LOAD && (part->p_flags & PF_X) != 0) return part;
    }
    return NULL;
}

static int tell_module(struct dl_phdr_info* module, size_t size, void* unused) {
    (void)size, (void)unused;
    const ElfW(Phdr)* const code = code_of(module);
    if (code == NULL) return 0;
    const uint64_t start = module->dlpi_addr + code->p_vaddr;
    if (is_known(start) || module_count == kMostModules) return 0;
    known_modules[module_count++] = start;
    char own[kMostPath];
    const char* path = module->dlpi_name;
    if (path[0] == '\0') {
        const ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
        if (length <= 0) return 0;
        own[length] = '\0';
        path = own;
    } else if (path[0] != '/' && strchr(path, '/') != NULL) {
        path = realpath(path, own);  // linked by a path from here
    }
    if (path == NULL || path[0] != '/' || !whorl_begin_event()) return 0;
    whorl_put_text(path);
    whorl_put(code->p_memsz, WHORL_WHAT(WHORL_SIZE, 0, 0));
    whorl_put(module->dlpi_addr, WHORL_WHAT(WHORL_MODULE, 0, start));
    whorl_end_event();
    return 0;
}

void whorl_tell_modules(void) {
    if (!whorl_attached()) return;
    pthread_spin_lock(&modules_lock);
    dl_iterate_phdr(tell_module, NULL);
    pthread_spin_unlock(&modules_lock);
}

void* dlopen(const char* path, int mode) {
    WHORL_LIBRARY(dlopen);
    void* const handle = library(path, mode);
    if (handle != NULL) whorl_tell_modules();
    return handle;
}

// --- where recording begins and ends

enum Begin { kAtMain, kAtOnce, kAtRequest };
static enum Begin begin = kAtMain;
static bool wants_calls = false;
static uint64_t main_stack = 0;  ///< where main returns from

static bool has_begun = false;

/// `frame`: that of the function whose call, and those around it, are running; null: none that is known.
static void set_recording(bool on, void* const* frame) {
    if (!whorl_attached() || (whorl_on != 0) == on) return;
    has_begun = has_begun || on;
    if (on) {
        whorl_put_event(0, WHORL_ON, 0);
        if (wants_calls) whorl_put_running_calls(frame, main_stack);
        whorl_calls_on = wants_calls;
        whorl_on = 1;
    } else {
        whorl_on = 0;
        whorl_calls_on = 0;
        whorl_put_event(0, WHORL_OFF, 0);
    }
}

/// The reader stops the recording: accesses that it drops are counted. What the program itself has switched off goes on
/// here.
void whorl_switch(void) {
    const bool will_begin = !has_begun && begin == kAtMain;
    whorl_put_event(whorl_on || will_begin ? 1 : 0, WHORL_SWITCH, 0);
    if (!will_begin) set_recording(true, NULL);
}

void whorl_main_begins(uint64_t stack, uint64_t entry);
void whorl_main_begins(uint64_t stack, uint64_t entry) {
    if (!whorl_attached()) return;
    whorl_tell_modules();
    whorl_put_event(stack, WHORL_MAIN, entry);
    main_stack = stack;
    if (begin == kAtMain) set_recording(true, NULL);
}

void whorl_main_ends(void);
void whorl_main_ends(void) {
    if (begin != kAtOnce) set_recording(false, NULL);
}

void exit(int status) {
    whorl_main_ends();
    void (*const library)(int) = (void (*)(int))whorl_library_function("exit", "");
    library(status);
    __builtin_unreachable();
}

// Called instead of main, with the same arguments. The stack pointer on entry to main tells where its variables are.
__asm__(
    ".text\n"
    ".globl __wrap_main\n"
    ".type __wrap_main, @function\n"
    "__wrap_main:\n"
    "    .cfi_startproc\n"
    "    pushq %rbp\n"
    "    .cfi_def_cfa_offset 16\n"
    "    .cfi_offset %rbp, -16\n"
    "    movq %rsp, %rbp\n"
    "    .cfi_def_cfa_register %rbp\n"
    "    pushq %rdi\n"
    "    pushq %rsi\n"
    "    pushq %rdx\n"
    "    subq $8, %rsp\n"
    "    leaq -8(%rsp), %rdi\n"
    "    leaq __real_main(%rip), %rsi\n"
    "    call whorl_main_begins\n"
    "    movq 8(%rsp), %rdx\n"
    "    movq 16(%rsp), %rsi\n"
    "    movq 24(%rsp), %rdi\n"
    "    call __real_main\n"
    "    movl %eax, 8(%rsp)\n"
    "    call whorl_main_ends\n"
    "    movl 8(%rsp), %eax\n"
    "    leave\n"
    "    .cfi_def_cfa %rsp, 8\n"
    "    ret\n"
    "    .cfi_endproc\n"
    ".size __wrap_main, .-__wrap_main\n");

// --- requests of whorl.h

static void take_region(const size_t* request) {
    if (!whorl_begin_event()) return;
    whorl_put_text((const char*)request[1]);
    whorl_put(request[4], WHORL_WHAT(WHORL_SHAPE, 0, WHORL_PACKED_SHAPE(request[5])));
    whorl_put(request[2], WHORL_WHAT(WHORL_REGION, 0, request[3]));
    whorl_end_event();
}

static void take_mark(const char* text) {
    if (!whorl_begin_event()) return;
    whorl_put_text(text);
    whorl_put(0, WHORL_WHAT(WHORL_MARK, 0, 0));
    whorl_end_event();
}

void whorl_runtime_request(const size_t* request) {
    if (!whorl_attached()) return;
    switch (request[0]) {
        case WHORL_REQUEST_ON:
            set_recording(true, *(void* const* const*)__builtin_frame_address(0));
            break;
        case WHORL_REQUEST_OFF:
            set_recording(false, NULL);
            break;
        case WHORL_REQUEST_REGION:
            take_region(request);
            break;
        case WHORL_REQUEST_MARK:
            take_mark((const char*)request[1]);
            break;
        default:
            break;
    }
}

// --- other processes

static void before_fork(void) {
    if (whorl_has_pool()) whorl_before_fork();
}

static void in_forking_parent(void) {
    if (whorl_on && !whorl_has_pool()) whorl_note(WHORL_FORKED);
}

static pid_t recorded_process = 0;

/// Not a process made by vfork, which has the same memory.
static bool is_recorded_process(void) {
    return getpid() == recorded_process;
}

/// Goes on recording in memory of the child's own. Of the threads, only that which forked is there.
static void in_forked_child(void) {
    const bool was_on = whorl_on != 0;
    // What is written until then would be into the memory of the parent.
    whorl_on = 0;
    whorl_calls_on = 0;
    if (!whorl_has_pool() || !whorl_attach_forked()) {
        whorl_detach();
        return;
    }
    recorded_process = getpid();
    set_recording(was_on, NULL);
}

static void put_text_event(const char* text, uint64_t value, unsigned op) {
    if (!whorl_begin_event()) return;
    if (text != NULL) whorl_put_text(text);
    whorl_put(value, WHORL_WHAT(op, 0, 0));
    whorl_end_event();
}

static void tell_exec(const char* path, uint64_t begins) {
    if (!whorl_attached()) return;
    if (is_recorded_process()) {
        put_text_event(path, begins, WHORL_EXEC);
    } else if (begins != 0 && whorl_has_pool()) {
        put_text_event(path, (uint64_t)getpid(), WHORL_SPAWN);
    }
}

static void tell_spawn(const char* program, pid_t process) {
    if (whorl_attached() && whorl_has_pool()) put_text_event(program, (uint64_t)process, WHORL_SPAWN);
}

static void tell_shell(const char* command) {
    char words[WHORL_PROCESS_NAME] = "sh -c ";
    if (command != NULL) strncat(words, command, sizeof words - strlen(words) - 1);
    tell_spawn(words, 0);
}

#define REPLACE(name, path, parameters, arguments) \
    int name parameters {                          \
        WHORL_LIBRARY(name);                       \
        tell_exec(path, 1);                        \
        const int failed = library arguments;      \
        tell_exec(NULL, 0);                        \
        return failed;                             \
    }
REPLACE(execve, path, (const char* path, char* const words[], char* const variables[]), (path, words, variables))
REPLACE(execv, path, (const char* path, char* const words[]), (path, words))
REPLACE(execvp, path, (const char* path, char* const words[]), (path, words))
REPLACE(execvpe, path, (const char* path, char* const words[], char* const variables[]), (path, words, variables))
REPLACE(fexecve, "a program of an open file", (int file, char* const words[], char* const variables[]),
        (file, words, variables))
#if __GLIBC_PREREQ(2, 34)
REPLACE(execveat, path, (int folder, const char* path, char* const words[], char* const variables[], int flags),
        (folder, path, words, variables, flags))
#endif

/// Those whose words are their arguments, up to a null pointer: the same with a list of them.
#define REPLACE_LISTED(name, variables_after, call)                                         \
    int name(const char* path, const char* word, ...) {                                     \
        va_list rest;                                                                       \
        size_t count = 0;                                                                   \
        va_start(rest, word);                                                               \
        for (const char* w = word; w != NULL; w = va_arg(rest, const char*)) ++count;       \
        char* const* const variables = variables_after ? va_arg(rest, char* const*) : NULL; \
        va_end(rest);                                                                       \
        char* words[count + 1];                                                             \
        words[0] = (char*)word;                                                             \
        va_start(rest, word);                                                               \
        for (size_t i = 1; i <= count; ++i) words[i] = va_arg(rest, char*);                 \
        va_end(rest);                                                                       \
        (void)variables;                                                                    \
        return call;                                                                        \
    }
REPLACE_LISTED(execl, false, execv(path, words))
REPLACE_LISTED(execlp, false, execvp(path, words))
REPLACE_LISTED(execle, true, execve(path, words, variables))

/// Programs that are started in one step. A program may have functions of these names of its own, which then count.
#define WHORL_WEAK __attribute__((weak))
#define SPAWN(name)                                                                                                    \
    WHORL_WEAK int name(pid_t* process, const char* path, const posix_spawn_file_actions_t* actions,                   \
                        const posix_spawnattr_t* attributes, char* const words[], char* const variables[]) {           \
        WHORL_LIBRARY(name);                                                                                           \
        pid_t started = 0;                                                                                             \
        const int failed = library(process == NULL ? &started : process, path, actions, attributes, words, variables); \
        if (failed == 0) tell_spawn(path, process == NULL ? started : *process);                                       \
        return failed;                                                                                                 \
    }
SPAWN(posix_spawn)
SPAWN(posix_spawnp)

WHORL_WEAK int system(const char* command) {
    WHORL_LIBRARY(system);
    tell_shell(command);
    return library(command);
}

WHORL_WEAK FILE* popen(const char* command, const char* mode) {
    WHORL_LIBRARY(popen);
    tell_shell(command);
    return library(command, mode);
}

static void on_end(int status, void* unused) {
    (void)unused;
    whorl_tell_status(status);
}

/// As that of the C library. It may be called by a signal handler, so that nothing is looked up for it.
WHORL_WEAK void _exit(int status) {
    whorl_tell_status(status);
    for (;;) syscall(SYS_exit_group, status);
}

__attribute__((constructor(101))) static void begin_process(void) {
    pthread_spin_init(&modules_lock, PTHREAD_PROCESS_PRIVATE);
    const char* const where = getenv("WHORL_BEGIN");
    if (where != NULL && strcmp(where, "all") == 0) begin = kAtOnce;
    if (where != NULL && strcmp(where, "off") == 0) begin = kAtRequest;
    if (!whorl_attach()) return;
    recorded_process = getpid();
    wants_calls = getenv("WHORL_CALLS") != NULL;
    if (!whorl_has_pool()) {
        unsetenv("WHORL_BEGIN");
        unsetenv("WHORL_CALLS");
    }
    if (whorl_has_pool()) on_exit(on_end, NULL);
    pthread_atfork(before_fork, in_forking_parent, in_forked_child);
    whorl_tell_modules();
    if (begin == kAtOnce) set_recording(true, NULL);
}
