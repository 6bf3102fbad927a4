// Preloaded into a program (LD_PRELOAD): lets the n-th call of a kind fail, as if the system had.
//
//   WHORL_FAULT=KIND:N[:on]  KIND is open, write, rename, fsync or malloc; N counts from 1 and from main() on (which
//   calls
//                            mallopt() first); with ":on" all later calls of the kind fail, too
//   WHORL_FAULT_MARK=FILE    is created when a call was made to fail
//   WHORL_FAULT_STEP=N       of the calls that open files of the system, such as the graphics driver, only every N-th
//                            counts; the others do not fail alone
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

// No constructors and no allocations: the functions below are called before any constructor has run.
std::atomic<bool> armed;
std::atomic<long> calls;
char kind[16];
long failing;
bool goesOn;
std::atomic<long> systemFiles;
long step = 1;

/// The function of this name that would have been called.
template <class Function>
Function* real(const char* name) {
    return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

void arm() {
    const char* const wanted = std::getenv("WHORL_FAULT");
    const char* const colon = wanted == nullptr ? nullptr : std::strchr(wanted, ':');
    if (colon == nullptr || static_cast<std::size_t>(colon - wanted) >= sizeof kind) return;
    std::memcpy(kind, wanted, static_cast<std::size_t>(colon - wanted));
    char* end = nullptr;
    failing = std::strtol(colon + 1, &end, 10);
    goesOn = std::strcmp(end, ":on") == 0;
    if (const char* const every = std::getenv("WHORL_FAULT_STEP")) step = std::max(1L, std::strtol(every, &end, 10));
    armed = true;
}

void mark() {
    const char* const path = std::getenv("WHORL_FAULT_MARK");
    if (path == nullptr) return;
    const long fd = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (fd >= 0) syscall(SYS_close, fd);
}

/// Counts a call, or takes it for the last one counted. True if it must fail, with errno set to `error`.
bool fails(const char* what, int error, bool counts = true) {
    if (!armed || std::strcmp(kind, what) != 0) return false;
    const long call = counts ? ++calls : calls.load();
    if (!(counts && call == failing) && !(goesOn && call >= failing)) return false;
    mark();
    errno = error;
    return true;
}

bool failsToOpen(const char* path) {
    const auto isIn = [&](const char* folder) { return std::strncmp(path, folder, std::strlen(folder)) == 0; };
    const bool isOfSystem = isIn("/usr/") || isIn("/etc/") || isIn("/proc/") || isIn("/sys/") || isIn("/dev/");
    return fails("open", EMFILE, !armed || !isOfSystem || systemFiles++ % step == 0);
}

}  // namespace

extern "C" {

int mallopt(int what, int value) {
    if (!armed) arm();
    static auto* const next = real<int(int, int)>("mallopt");
    return next(what, value);
}

int open(const char* path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    const mode_t mode = va_arg(rest, mode_t);
    va_end(rest);
    static auto* const next = real<int(const char*, int, ...)>("open");
    return failsToOpen(path) ? -1 : next(path, flags, mode);
}

int open64(const char* path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    const mode_t mode = va_arg(rest, mode_t);
    va_end(rest);
    static auto* const next = real<int(const char*, int, ...)>("open64");
    return failsToOpen(path) ? -1 : next(path, flags, mode);
}

int openat(int folder, const char* path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    const mode_t mode = va_arg(rest, mode_t);
    va_end(rest);
    static auto* const next = real<int(int, const char*, int, ...)>("openat");
    return failsToOpen(path) ? -1 : next(folder, path, flags, mode);
}

FILE* fopen(const char* path, const char* mode) {
    static auto* const next = real<FILE*(const char*, const char*)>("fopen");
    return failsToOpen(path) ? nullptr : next(path, mode);
}

FILE* fopen64(const char* path, const char* mode) {
    static auto* const next = real<FILE*(const char*, const char*)>("fopen64");
    return failsToOpen(path) ? nullptr : next(path, mode);
}

ssize_t write(int fd, const void* bytes, std::size_t count) {
    static auto* const next = real<ssize_t(int, const void*, std::size_t)>("write");
    // What goes wrong is said on standard error.
    return fd != STDERR_FILENO && fails("write", ENOSPC) ? -1 : next(fd, bytes, count);
}

int rename(const char* from, const char* to) {
    static auto* const next = real<int(const char*, const char*)>("rename");
    return fails("rename", EIO) ? -1 : next(from, to);
}

int renameat2(int fromFolder, const char* from, int toFolder, const char* to, unsigned flags) {
    static auto* const next = real<int(int, const char*, int, const char*, unsigned)>("renameat2");
    return fails("rename", EIO) ? -1 : next(fromFolder, from, toFolder, to, flags);
}

int fsync(int fd) {
    static auto* const next = real<int(int)>("fsync");
    return fails("fsync", EIO) ? -1 : next(fd);
}

void* malloc(std::size_t size) {
    static auto* const next = real<void*(std::size_t)>("malloc");
    return fails("malloc", ENOMEM) ? nullptr : next(size);
}

void* calloc(std::size_t count, std::size_t size) {
    static auto* const next = real<void*(std::size_t, std::size_t)>("calloc");
    return fails("malloc", ENOMEM) ? nullptr : next(count, size);
}

void* realloc(void* old, std::size_t size) {
    static auto* const next = real<void*(void*, std::size_t)>("realloc");
    return fails("malloc", ENOMEM) ? nullptr : next(old, size);
}

void* aligned_alloc(std::size_t alignment, std::size_t size) {
    static auto* const next = real<void*(std::size_t, std::size_t)>("aligned_alloc");
    return fails("malloc", ENOMEM) ? nullptr : next(alignment, size);
}

int posix_memalign(void** out, std::size_t alignment, std::size_t size) {
    static auto* const next = real<int(void**, std::size_t, std::size_t)>("posix_memalign");
    return fails("malloc", ENOMEM) ? ENOMEM : next(out, alignment, size);
}

}  // extern "C"
