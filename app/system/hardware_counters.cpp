#include "app/system/hardware_counters.h"

#include <unistd.h>

#include <algorithm>
#include <optional>

#include "app/system/child_process.h"
#include "app/system/ending.h"
#include "sim/base/input_file.h"
#include "sim/base/text.h"
#include "sim/capture/traced_process.h"

namespace whorl::app {

namespace {

constexpr unsigned kPause = 10'000;  ///< microseconds between looks at whether the program has ended
constexpr std::uint64_t kLargestOutput = 1u << 20;

std::string eventsOption() {
    std::string list;
    for (const std::string& event : kHardwareEvents) list += (list.empty() ? "" : ",") + event + ":u";
    return list;
}

}  // namespace

HardwareCounts countsIn(std::string_view printed) {
    HardwareCounts counts;
    while (!printed.empty()) {
        const std::string_view line = printed.substr(0, printed.find('\n'));
        printed.remove_prefix(std::min(line.size() + 1, printed.size()));
        // count,unit,event,…
        const std::size_t first = line.find(',');
        const std::size_t second = first == std::string_view::npos ? first : line.find(',', first + 1);
        if (second == std::string_view::npos) continue;
        std::string event(line.substr(second + 1, line.find(',', second + 1) - second - 1));
        if (event.ends_with(":u")) event.resize(event.size() - 2);
        const auto count = sim::wholeNumber(std::string(line.substr(0, first)));
        if (count) counts[event] = *count;
    }
    return counts;
}

sim::Expected<void> checkCounters() {
    std::string said;
    if (!runInShell("command -v perf", said)) {
        return sim::fail("", "perf is not installed, which reads the processor's counters",
                         "install Debian's package linux-perf");
    }
    said.clear();
    const bool ran = runInShell("perf stat -x , -e " + eventsOption() + " true", said);
    if (!countsIn(said).empty()) return {};
    if (said.find("paranoid") != std::string::npos || said.find("permission") != std::string::npos) {
        return sim::fail("", "the kernel does not let this user read the processor's counters",
                         "sudo sysctl kernel.perf_event_paranoid=1 allows it until the next start");
    }
    if (!ran) return sim::fail("", "perf cannot count: " + said.substr(0, said.find('\n')));
    return sim::fail("",
                     "this computer has no counters of caches that perf could read, as is usual of virtual machines");
}

sim::Expected<HardwareCounts> countProgram(const std::vector<std::string>& command, const std::string& folder,
                                           int& status) {
    const std::string output = folder + "/perf.csv";
    std::vector<std::string> words = {"perf", "stat", "-x", ",", "-e", eventsOption(), "-o", output, "--"};
    words.insert(words.end(), command.begin(), command.end());
    auto program = WHORL_TRY(sim::ChildProcess::start(words, {}, {}));
    const EndsInOrder inOrder;
    std::optional<int> ended;
    for (bool isSent = false; !(ended = program.ended());) {
        const int signal = askedToEnd();
        if (signal != 0 && !isSent) program.send(signal);
        isSent = signal != 0;
        usleep(kPause);
    }
    status = sim::shellStatus(*ended);
    const auto printed = WHORL_TRY(sim::readSmallFile(output, kLargestOutput, "the output of perf"));
    return countsIn(printed);
}

}  // namespace whorl::app
