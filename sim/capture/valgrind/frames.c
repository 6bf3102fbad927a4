#include "sim/capture/valgrind/frames.h"

#include <pub_tool_libcbase.h>
#include <pub_tool_libcfile.h>
#include <pub_tool_mallocfree.h>
#include <pub_tool_vki.h>

#define MOST_ALLOCATORS 64

typedef struct {
    Addr start;
    Addr end;
} Function;

static HChar* executable;  ///< path
static Function* functions;
static UInt count = 0;
static whorl_allocator allocators[MOST_ALLOCATORS];
static UInt allocator_count = 0;
static Bool loaded = False;
static Addr bias_of_executable = 0;

/// The text of a file, ended by 0; null if it cannot be read.
static HChar* text_of(const HChar* path) {
    struct vg_stat about;
    if (sr_isError(VG_(stat)(path, &about))) return NULL;
    const Int fd = VG_(fd_open)(path, VKI_O_RDONLY, 0);
    if (fd < 0) return NULL;
    const Long size = about.size;
    HChar* const text = VG_(malloc)("whorl.frames", size + 1);
    Long got = 0;
    for (Int n = 0; got < size && (n = VG_(read)(fd, text + got, (Int)(size - got))) > 0;) got += n;
    VG_(close)(fd);
    text[got] = '\0';
    return text;
}

void whorl_read_frames(const HChar* path) {
    if (path[0] == '\0') return;
    executable = text_of(path);
    if (executable == NULL) return;
    HChar* line = VG_(strchr)(executable, '\n');
    if (line == NULL) return;
    *line++ = '\0';
    UInt lines = 0;
    for (const HChar* c = line; *c != '\0'; ++c) lines += *c == '\n';
    functions = VG_(malloc)("whorl.frames", (lines + 1) * sizeof(Function));
    for (UInt i = 0; i < lines; ++i) {
        while (*line == '\n') ++line;
        if (*line == '+') {
            whorl_allocator one = {.start = VG_(strtoull16)(line + 1, &line)};
            one.first = (UInt)VG_(strtoull16)(line, &line);
            one.second = (UInt)VG_(strtoull16)(line, &line);
            one.unit = VG_(strtoull16)(line, &line);
            if (allocator_count < MOST_ALLOCATORS) allocators[allocator_count++] = one;
        } else {
            functions[count].start = VG_(strtoull16)(line, &line);
            functions[count++].end = VG_(strtoull16)(line, &line);
        }
    }
}

const whorl_allocator* whorl_allocator_at(Addr pc) {
    for (UInt i = 0; loaded && i < allocator_count; ++i) {
        if (allocators[i].start == pc - bias_of_executable) return &allocators[i];
    }
    return NULL;
}

void whorl_frames_of(const HChar* module, ULong bias) {
    if (loaded || executable == NULL || VG_(strcmp)(module, executable) != 0) return;
    loaded = True;
    bias_of_executable = bias;
}

/// The last function that begins at or before an address; null if there is none.
static const Function* function_before(Addr pc) {
    if (!loaded) return NULL;
    const Addr at = pc - bias_of_executable;
    UInt low = 0;
    UInt high = count;
    while (low < high) {
        const UInt middle = (low + high) / 2;
        if (functions[middle].start <= at) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low == 0 ? NULL : &functions[low - 1];
}

Bool whorl_begins_frame(Addr pc) {
    const Function* const function = function_before(pc);
    return function != NULL && function->start == pc - bias_of_executable;
}

Bool whorl_in_frame(Addr pc) {
    const Function* const function = function_before(pc);
    return function != NULL && pc - bias_of_executable < function->end;
}
