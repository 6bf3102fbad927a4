// What the child of a fork has of its parent: all memory, and the calls of the thread that forked.
#include <vector>

#include "sim/capture/record_reader.h"

namespace whorl::sim {

void RecordReader::inherit(std::map<std::uint64_t, std::size_t>& live, const std::map<std::uint64_t, std::size_t>& of,
                           const CaptureLog& log) {
    for (const auto& [base, index] : of) {
        Allocation made = log.allocations[index];
        frames_ = log.callers[made.callers];
        made.callers = takenCallers();
        made.born = Tick{0};
        const std::size_t number = log_.allocations.size();
        keep(live, made);
        const auto file = log.mappedFiles.find(index);
        if (file != log.mappedFiles.end() && log_.allocations.size() > number) log_.mappedFiles[number] = file->second;
    }
}

void RecordReader::inherit(const RecordReader& parent) {
    constexpr std::uint64_t kFirstThread = 1;  // what recorders call the only one that the child has
    part_ = parent.part_;
    gate_.turn(parent.gate_.isOn());
    switches_ = parent.switches_;
    log_.begun = parent.log_.begun;
    log_.mainStack = parent.log_.mainStack;
    log_.mainEntry = parent.log_.mainEntry;
    for (const CapturedModule& module : parent.log_.modules) {
        log_.modules.push_back(module);
        if (news_.module) news_.module(module);
    }
    if (log_.mainEntry != 0 && news_.main) news_.main();
    log_.regions = parent.log_.regions;
    for (const RequestedRegion& region : log_.regions) builder_.expectRegion(region.base, region.size);
    inherit(live_, parent.live_, parent.log_);
    inherit(pieces_, parent.pieces_, parent.log_);
    stacks_.ofThread(kFirstThread);
    stacks_.inherit(parent.stacks_);
    const auto calls = parent.calls_.find(parent.thread_);
    if (calls == parent.calls_.end()) return;
    for (StackFrame frame : calls->second) {
        frame.born = Tick{0};
        calls_[kFirstThread].push_back(frame);
    }
}

}  // namespace whorl::sim
