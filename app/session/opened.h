// What to open, and what is open: plain data. Opening itself takes time and is a task (app/tasks/opening.h).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "render/scene/rings/memory_slots.h"
#include "sim/replay/run.h"
#include "sim/trace/layout/layout_change.h"
#include "sim/trace/reader.h"

namespace whorl::app {

/// What to open. `input` is a file, "-", or a program with its options ("matmul:n=16,variant=blocked").
struct OpenRequest {
    std::string input;
    std::string machine;  ///< as `loadMachine` reads it; empty: the program's or the trace's own, or the default
    std::vector<std::string> settings;  ///< "L2.policy=fifo": changes of the machine, as `withValue` reads them
    sim::ReadOptions reading;
    std::vector<sim::LayoutChange> changes = {};  ///< of where things lie in memory
};

/// What is open.
struct Opened {
    OpenRequest request;
    std::shared_ptr<sim::Run> run;
    std::shared_ptr<const scene::MemorySlots> memorySlots;
};

/// Whether the input is a built-in program. A name is a program's unless there is a file of that name: "./matmul" is
/// always a file.
bool isProgram(const std::string& input);

/// Whether the input is, or looks as if it were meant to be, a built-in program.
bool namesProgram(const std::string& input);

}  // namespace whorl::app
