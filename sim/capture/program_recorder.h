// The ways in which a program is made to write its records into shared memory.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/error.h"
#include "sim/capture/child_process.h"
#include "sim/capture/executable.h"
#include "sim/capture/record_reader.h"
#include "sim/capture/ring_memory.h"

namespace whorl::sim {

struct CaptureOptions;

class ProgramRecorder {
  public:
    virtual ~ProgramRecorder() = default;
    ProgramRecorder(const ProgramRecorder&) = delete;
    ProgramRecorder& operator=(const ProgramRecorder&) = delete;

    virtual Expected<ChildProcess> start() = 0;
    /// Takes some of what was written since the last call; once the program has ended (`hasEnded`), also what it could
    /// not publish. False if there was nothing.
    virtual bool take(RecordReader& reader, bool hasEnded) = 0;
    /// Whether the program wrote over the memory: nothing is taken anymore.
    bool isDamaged() const { return ring_.isDamaged(); }
    /// From now on the program runs on without being recorded.
    void close() { ring_.close(); }
    /// Whether accesses had to be left out.
    bool hasLost() const { return ring_.hasLost(); }

    /// Whether it sees where functions begin, so that it has seen to startAt and stopAt.
    virtual bool knowsFunctions() const { return true; }
    /// Why the program could not be begun, in the words of who was to do it; empty: unknown.
    virtual std::string refusal() const { return {}; }
    /// Where a signal ended the program: addresses in its calls, innermost first; empty: unknown.
    virtual std::vector<std::uint64_t> endedAt() const { return {}; }
    /// What about the way of recording ended the program, which ended with this status, as a clause after "it ended at
    /// FILE:LINE", with what to do; empty: nothing.
    virtual std::string obstacle(int /*status*/) const { return {}; }

  protected:
    explicit ProgramRecorder(RingMemory ring) : ring_(std::move(ring)) {}

    RingMemory ring_;
};

/// Any program, by the Valgrind tool. Fails if that was not built, or cannot load the program. `program` is the path of
/// its executable.
Expected<std::unique_ptr<ProgramRecorder>> valgrindRecorder(const CaptureOptions& options, const std::string& program,
                                                            const Executable& executable);

/// A program that contains it. Fails for what that cannot record.
Expected<std::unique_ptr<ProgramRecorder>> runtimeRecorder(const CaptureOptions& options);

}  // namespace whorl::sim
