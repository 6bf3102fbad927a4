// Whorl: an animated picture of what a program does to the cache.
#include <malloc.h>

#include "app/cli/process.h"

int main(int argc, char** argv) {
    // llvmpipe frees its bins after every frame; kept in the heap they need no new page faults, which take a fifth of a
    // frame.
    mallopt(M_MMAP_THRESHOLD, 256 << 20);
    mallopt(M_TRIM_THRESHOLD, 512 << 20);
    mallopt(M_TOP_PAD, 16 << 20);
    return whorl::app::runProcess(argc, argv);
}
