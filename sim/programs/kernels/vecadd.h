// Vector addition in parallel, in the manner of the ANL macros: the first CPU fills two arrays, the others add them,
// `chunk` elements at a time, and the first prints the result.
#pragma once

#include <algorithm>
#include <cstdint>

#include "sim/programs/parallel/team.h"

namespace whorl::sim::kernels {

/// The shared memory, and the parameters of the work distribution.
struct AdditionGlobal {
    SharedArray<std::int32_t> a, b, c;
    Subscripts GS;
    Bell created;
    int n = 0;
    int chunk = 1;
    int slaves = 0;
    std::int64_t printed = 0;  ///< the sum of the printed elements
};

// listing
inline Task<> slave(AdditionGlobal& global) {
    co_await global.created.wait();
    const int last = (global.n - 1) / global.chunk;
    int index = co_await global.GS.getsub(last, global.slaves);
    while (index >= 0) {
        const int from = index * global.chunk;
        const int to = std::min(from + global.chunk, global.n);
        for (int i = from; i < to; ++i) {
            co_await work(16);
            co_await (global.c(i) = co_await global.a(i) + co_await global.b(i));
        }
        index = co_await global.GS.getsub(last, global.slaves);
    }
}

inline Task<> master(AdditionGlobal& global) {
    co_await global.GS.clear();
    for (int i = 0; i < global.n; ++i) {
        co_await work(16);
        co_await (global.a(i) = i);
    }
    for (int i = 0; i < global.n; ++i) {
        co_await work(16);
        co_await (global.b(i) = 3 * i);
    }
    co_await global.created.ring();
    co_await Team::others();
    for (int i = 0; i < global.n; ++i) {
        global.printed += co_await global.c(i);
        co_await work(760);
    }
}
// end

}  // namespace whorl::sim::kernels
