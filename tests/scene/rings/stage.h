// A program's run and a builder of its scenes, for tests of the picture.
#pragma once

#include <memory>
#include <string>

#include "render/scene/rings/scene_builder.h"
#include "sim/machine/machine_config.h"
#include "sim/programs/program.h"
#include "sim/replay/snapshot_reader.h"
#include "sim/trace/reader.h"

namespace whorl::scene {

class TestStage {
  public:
    explicit TestStage(const std::string& program = "matmul:n=8", const std::string& machine = "paper")
        : TestStage(traceOf(program), *sim::loadMachine(machine)) {}
    TestStage(sim::Trace trace, const sim::MachineConfig& machine)
        : trace_(std::make_shared<const sim::Trace>(std::move(trace))),
          run_(std::make_shared<sim::Run>(trace_, machine)),
          memorySlots_(*trace_, machine.levels.back().block),
          looks_(*trace_),
          reader_(run_),
          sceneBuilder_(subject()) {
        sim::Progress progress;
        run_->build(progress);
    }

    Subject subject() const { return {*trace_, run_->machine(), memorySlots_, looks_}; }
    const Scene& at(double t, const View& view) { return sceneBuilder_.scene(snapshot(t, view), view); }
    const Scene& draw(const sim::Snapshot& snapshot, const View& view) { return sceneBuilder_.scene(snapshot, view); }
    const sim::Snapshot& snapshot(double t, const View& view) { return reader_.at(t, lookbackOf(view)); }
    const RingLayout& layout() const { return sceneBuilder_.layout(); }
    const sim::MachineConfig& machine() const { return run_->machine(); }
    double end() const { return static_cast<double>(trace_->size()); }

    static sim::Trace traceOf(const std::string& program) {
        sim::Progress progress;
        return std::move(*sim::runProgram(*sim::parseProgramSpec(program), progress));
    }

  private:
    std::shared_ptr<const sim::Trace> trace_;
    std::shared_ptr<sim::Run> run_;
    MemorySlots memorySlots_;
    RegionLooks looks_;
    sim::SnapshotReader reader_;
    SceneBuilder sceneBuilder_;
};

}  // namespace whorl::scene
