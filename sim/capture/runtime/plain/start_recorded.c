// In an executable without the calls by which programs record themselves: if it is to be recorded, starts the one with
// them, which lies beside it.
#include <string.h>
#include <unistd.h>

enum { kMostPath = 4096 };

static const char kSuffix[] = ".recorded";

/// Tells Whorl that there may be such an executable.
int whorl_has_recorded = 1;

static int is_recorded(char** variables) {
    for (; *variables != NULL; ++variables) {
        if (strncmp(*variables, "WHORL_RING=", 11) == 0 || strncmp(*variables, "WHORL_POOL=", 11) == 0) return 1;
    }
    return 0;
}

/// Before all other code of the program. If there is no such executable, this one runs.
static void start_recorded(int count, char** words, char** variables) {
    (void)count;
    char path[kMostPath];
    if (!is_recorded(variables)) return;
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - sizeof kSuffix);
    if (length <= 0) return;
    memcpy(path + length, kSuffix, sizeof kSuffix);
    execve(path, words, variables);
}

__attribute__((section(".preinit_array"), used)) static void (*const before_all)(int, char**,
                                                                                char**) = start_recorded;
