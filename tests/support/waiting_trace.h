// A trace that tells where its threads waited for each other, as recordings do.
#pragma once

#include "sim/trace/trace_builder.h"
#include "sim/trace/trace_help.h"

namespace whorl::sim::test {

/// Two threads count beside each other, in four bytes each from 0x1000 on; the first creates the second. As it was
/// recorded, one counts after the other; in virtual time, they take turns.
inline Trace waitingTrace(int counts = 1000) {
    TraceBuilder builder("counters");
    SyncLog log;
    log.add({.at = Tick{0}, .cpu = 0, .kind = SyncKind::signal, .object = 0});
    log.add({.at = Tick{0}, .cpu = 1, .kind = SyncKind::wait, .object = 0});
    for (const std::uint8_t cpu : {0, 1}) {
        for (int i = 0; i < counts; ++i) builder.add(access(Op::write, 0x1000 + cpu * std::uint64_t{4}, 4, cpu));
    }
    builder.keep(std::move(log));
    return builder.finish();
}

}  // namespace whorl::sim::test
