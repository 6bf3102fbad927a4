// Takes the records of programs that record themselves, as whorl cc compiles them.
#include <fmt/format.h>

#include "sim/capture/capture.h"
#include "sim/capture/merged_records.h"
#include "sim/capture/program_recorder.h"

namespace whorl::sim {

namespace {

/// Takes records when a slot is full, or else after this number of calls.
constexpr unsigned kLooks = 100;

class RuntimeRecorder final : public ProgramRecorder {
  public:
    RuntimeRecorder(RingMemory ring, const CaptureOptions& options)
        : ProgramRecorder(std::move(ring)), options_(options), merged_(ring_) {}

    Expected<ChildProcess> start() override {
        const char* const begin = options_.everything ? "all" : options_.startOff ? "off" : "main";
        std::vector<std::string> environment{(options_.children ? "WHORL_POOL=" : "WHORL_RING=") + ring_.path(),
                                             std::string("WHORL_BEGIN=") + begin};
        if (options_.recordsCalls()) environment.emplace_back("WHORL_CALLS=1");
        return ChildProcess::start(options_.command, environment, {});
    }

    bool take(RecordReader& reader, bool hasEnded) override {
        if (!hasBegun_ && !options_.startAt.empty()) reader.waitForBegin();
        hasBegun_ = true;
        if (hasTakenLast_ || ring_.isDamaged()) return false;
        if (!hasEnded && !merged_.anyFull() && ++looks_ < kLooks) return false;
        looks_ = 0;
        hasTakenLast_ = hasEnded;
        const bool any = merged_.take(hasEnded, [&](std::uint32_t thread, std::span<const whorl_record> records) {
            if (ring_.isDamaged()) return;
            reader.ofThread(thread);
            if (!reader.take(records)) ring_.damage();
        });
        ring_.checkHead();
        return any;
    }

    std::unique_ptr<ProgramRecorder> ofOther(RingMemory ring) const override {
        return std::make_unique<RuntimeRecorder>(std::move(ring), options_);
    }

    bool knowsFunctions() const override { return false; }
    bool recordsLibraries() const override { return false; }

  private:
    const CaptureOptions& options_;
    MergedRecords merged_;
    bool hasBegun_ = false;
    bool hasTakenLast_ = false;  ///< the last records were taken; forked processes that go on writing are ignored
    unsigned looks_ = 0;
};

}  // namespace

Expected<std::unique_ptr<ProgramRecorder>> runtimeRecorder(const CaptureOptions& options,
                                                           const std::shared_ptr<ProcessPool>& pool) {
    if (options.fetches) {
        return fail(options.command[0], "instruction fetches of a program that whorl cc compiled cannot be recorded",
                    "leave --fetches out, or compile the program without whorl cc");
    }
    auto ring = WHORL_TRY(pool ? pool->ring(0) : RingMemory::create(kRuntimeRing.slots, kRuntimeRing.slotBytes));
    return std::make_unique<RuntimeRecorder>(std::move(ring), options);
}

}  // namespace whorl::sim
