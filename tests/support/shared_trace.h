// A small trace of two CPUs on a machine where every event that can be searched for happens.
#pragma once

#include <string>

#include "app/session/session.h"
#include "support/machines.h"
#include "support/runs.h"

namespace whorl::app {

/// On sharedMachine():
///   0  CPU 0 reads A[0]: miss     5  CPU 0 reads A[0]: A evicts B
///   1  CPU 1 reads A[0]: miss     6  CPU 1 writes B[0]: invalidates nothing, miss
///   2  CPU 0 reads A[1]: hit      7  CPU 0 reads A[4]: miss in the other set
///   3  CPU 1 writes A[0]: invalidates CPU 0's copy
///   4  CPU 0 reads B[0]: miss
inline constexpr const char* kSharedTrace = R"(region A 0x1000 64 8 rows=8
region B 0x2000 64 8 rows=8
mark start
R 0x1000 8 cpu=0
R 0x1000 8 cpu=1
R 0x1008 8 cpu=0
W 0x1000 8 cpu=1
mark middle
R 0x2000 8 cpu=0
R 0x1000 8 cpu=0
W 0x2000 8 cpu=1
R 0x1020 8 cpu=0
)";

/// A session in which a run is open.
inline Session sessionOn(std::shared_ptr<sim::Run> run, const std::string& input) {
    Session s;
    s.opened.request.input = input;
    s.opened.memorySlots = std::make_shared<const scene::MemorySlots>(run->trace(), run->machine().levels.back().block);
    s.opened.regionLooks = std::make_shared<const scene::RegionLooks>(run->trace());
    s.opened.run = std::move(run);
    return s;
}

/// A session in which such a trace is open, with all its accesses.
inline Session sessionOn(const std::string& text, const sim::MachineConfig& machine) {
    return sessionOn(sim::test::built(sim::test::shared(text, "shared"), machine), "shared");
}

inline Session sharedSession() {
    return sessionOn(kSharedTrace, sim::test::sharedMachine());
}

/// Layout changes parsed from texts, which must be valid.
inline std::vector<sim::LayoutChange> changesFrom(const std::vector<std::string>& texts) {
    std::vector<sim::LayoutChange> changes;
    changes.reserve(texts.size());
    for (const std::string& text : texts) changes.push_back(*sim::parseLayoutChange(text));
    return changes;
}

using sim::test::sharedMachine;

}  // namespace whorl::app
