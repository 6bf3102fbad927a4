// A program's run and a builder of its scenes, for tests of the picture.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "render/scene/rings/scene_builder.h"
#include "sim/analysis/reuse.h"
#include "sim/machine/machine_config.h"
#include "sim/replay/snapshot.h"
#include "sim/trace/reader.h"
#include "support/runs.h"

namespace whorl::scene {

inline View ofSize(glm::vec2 size) {
    View view;
    view.size = size;
    return view;
}

class TestStage {
  public:
    explicit TestStage(const std::string& program = "matmul:n=8", const std::string& machine = "paper")
        : TestStage(sim::test::ran(program), *sim::loadMachine(machine)) {}
    TestStage(sim::Trace trace, const sim::MachineConfig& machine)
        : run_(sim::test::built(std::move(trace), machine)),
          trace_(run_->sharedTrace()),
          memorySlots_(*trace_, machine.blockBytes()),
          usable_(usableOf(*trace_, run_->machine())),
          looks_(*trace_),
          reader_(run_),
          sceneBuilder_(subject()) {}

    Subject subject() const {
        return {*trace_, run_->machine(), memorySlots_, looks_, usable_.blocks, usable_.idleCpus};
    }
    const Scene& at(double t, const View& view) { return sceneBuilder_.scene(snapshot(t, view), view); }
    const Scene& draw(const sim::Snapshot& snapshot, const View& view) { return sceneBuilder_.scene(snapshot, view); }
    const sim::Snapshot& snapshot(double t, const View& view) {
        last_ = &reader_.at(t, lookbackOf(view));
        return *last_;
    }
    const RingLayout& layout() const { return sceneBuilder_.layout(); }
    const sim::MachineConfig& machine() const { return run_->machine(); }
    /// Whether a cache holds a byte at the time of the last snapshot.
    bool isCached(sim::ByteAddress byte) {
        const sim::Hierarchy& caches = last_->now.hierarchy();
        for (std::size_t l = 0; l < machine().levels.size(); ++l) {
            for (std::uint32_t c = 0; c < machine().caches(l); ++c) {
                const sim::Cache& cache = caches.cache(l, c);
                if (cache.holds(cache.blockOf(byte))) return true;
            }
        }
        return false;
    }
    double end() const { return static_cast<double>(trace_->size()); }

  private:
    static sim::UsableParts usableOf(const sim::Trace& trace, const sim::MachineConfig& machine) {
        sim::Progress progress;
        return *sim::usableParts(trace, machine, progress);
    }

    std::shared_ptr<sim::Run> run_;
    std::shared_ptr<const sim::Trace> trace_;
    MemorySlots memorySlots_;
    sim::UsableParts usable_;
    RegionLooks looks_;
    sim::SnapshotReader reader_;
    SceneBuilder sceneBuilder_;
    const sim::Snapshot* last_ = nullptr;
};

}  // namespace whorl::scene
