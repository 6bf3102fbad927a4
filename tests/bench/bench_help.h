// What several benchmarks need: results or the end, and memory as the program has it.
#pragma once

#include <malloc.h>

#include <cstdio>
#include <cstdlib>
#include <utility>

#include "sim/base/error.h"

namespace whorl {

/// The result; an error ends the benchmark with its sentence.
template <class T>
T orExit(sim::Expected<T> made) {
    if (!made) {
        std::fprintf(stderr, "%s\n", made.error().sentence().c_str());
        std::exit(1);
    }
    return std::move(*made);
}

/// As the program does: llvmpipe frees its bins after every frame, and would otherwise page-fault on new ones in the
/// next.
inline void keepFreedMemory() {
    mallopt(M_MMAP_THRESHOLD, 256 << 20);
    mallopt(M_TRIM_THRESHOLD, 512 << 20);
    mallopt(M_TOP_PAD, 16 << 20);
}

}  // namespace whorl
