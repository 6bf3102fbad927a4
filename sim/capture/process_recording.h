// The recording of one process, from the first record to the file.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "sim/base/error.h"
#include "sim/capture/program_recorder.h"
#include "sim/trace/formats/whorl_writer.h"

namespace whorl::sim {

struct CaptureOptions;
struct Captured;

class ProcessRecording {
  public:
    ProcessRecording() = default;
    virtual ~ProcessRecording() = default;
    ProcessRecording(const ProcessRecording&) = delete;
    ProcessRecording& operator=(const ProcessRecording&) = delete;

    /// The process, once it is known.
    virtual void isOf(ChildProcess process) = 0;
    /// Takes some records; after the process has ended, the last ones. False if there were none.
    virtual bool take(bool hasEnded) = 0;
    /// Goes on where the parent is, of which the process was forked.
    virtual void inherit(const ProcessRecording& parent) = 0;
    virtual RecordReader& reader() = 0;
    virtual std::uint64_t accesses() const = 0;
    /// The process was asked to end, so that a signal that ends it is not worth a word.
    virtual void askedToEnd() = 0;
    /// Ends the recording of a process that runs on.
    virtual void leave() = 0;
    /// Completes the file of a process that ended with a status of waitpid(). An error if nothing was recorded.
    virtual Expected<Captured> conclude(int status, const Executable& executable, const std::string& path) = 0;
};

/// All arguments must outlive it.
std::unique_ptr<ProcessRecording> recordingOf(const CaptureOptions& options, std::shared_ptr<WhorlStream> file,
                                              ProgramRecorder& recorder);

}  // namespace whorl::sim
