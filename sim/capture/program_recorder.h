// The ways to make a program write its records into shared memory.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/error.h"
#include "sim/capture/process_pool.h"
#include "sim/capture/record_reader.h"
#include "sim/capture/ring_memory.h"
#include "sim/capture/traced_process.h"

namespace whorl::sim {

struct CaptureOptions;

/// The slots fit into the second-level caches of both processors, so that records need not go through memory.
inline constexpr RingSize kValgrindRing{.slots = 16, .slotBytes = 256 * 1024};
/// Enough slots for some per thread.
inline constexpr RingSize kRuntimeRing{.slots = 1024, .slotBytes = 256 * 1024};

class ProgramRecorder {
  public:
    virtual ~ProgramRecorder() = default;
    ProgramRecorder(const ProgramRecorder&) = delete;
    ProgramRecorder& operator=(const ProgramRecorder&) = delete;

    virtual Expected<ChildProcess> start() = 0;
    /// For another process, which comes from the one that was started, and writes to this ring of the same pool.
    virtual std::unique_ptr<ProgramRecorder> ofOther(RingMemory ring) const = 0;
    /// The process that it is for, once that is known.
    void isOf(pid_t process) { process_ = process; }
    /// The signal that ended the process, if the way of recording was told; 0: unknown.
    virtual int signalOfEnd() const { return 0; }
    /// Takes some of the records written since the last call; after the program has ended (`hasEnded`), also those that
    /// it could not publish. False if there were none.
    virtual bool take(RecordReader& reader, bool hasEnded) = 0;
    /// Whether the program overwrote the memory: no more records are taken then.
    bool isDamaged() const { return ring_.isDamaged(); }
    /// Ends the recording; the program runs on.
    void close() { ring_.close(); }
    /// Asks the program to tell where it is now, so often, so that recording stops or begins there.
    void askToSwitch(unsigned times) { ring_.askToSwitch(times); }
    /// Whether accesses were dropped.
    bool hasLost() const { return ring_.hasLost(); }

    /// Whether the recorder sees where functions begin, and therefore handles startAt and stopAt itself.
    virtual bool knowsFunctions() const { return true; }
    /// Whether the accesses of the C library are recorded, too.
    virtual bool recordsLibraries() const { return true; }
    /// Why the program could not be started, in the words of the tool that should start it; empty: unknown.
    virtual std::string refusal() const { return {}; }
    /// The place where a signal ended the program, as addresses in its calls, innermost first; empty: unknown.
    virtual std::vector<std::uint64_t> endedAt() const { return {}; }
    /// How the way of recording ended the program with this status, as a clause after "it ended at FILE:LINE", with
    /// advice; empty: it did not.
    virtual std::string obstacle(int /*status*/) const { return {}; }

  protected:
    explicit ProgramRecorder(RingMemory ring) : ring_(std::move(ring)) {}

    RingMemory ring_;
    pid_t process_ = 0;
};

/// Records any program with the Valgrind tool. Fails if that was not built, or cannot load the program. `program` is
/// the path of the executable.
Expected<std::unique_ptr<ProgramRecorder>> valgrindRecorder(const CaptureOptions& options, const std::string& program,
                                                            const Executable& executable,
                                                            const std::shared_ptr<ProcessPool>& pool = {});

/// Records a program that contains the run-time library. Fails for options that it does not support.
Expected<std::unique_ptr<ProgramRecorder>> runtimeRecorder(const CaptureOptions& options,
                                                           const std::shared_ptr<ProcessPool>& pool = {});

}  // namespace whorl::sim
