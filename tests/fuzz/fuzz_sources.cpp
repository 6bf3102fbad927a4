// Any text as the list of source files beside a Chiron trace: by itself, and with a trace that has lines of its files.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/check.h"
#include "fuzz/memory_file.h"
#include "sim/trace/formats/chiron_format.h"
#include "sim/trace/reader.h"

namespace {

using namespace whorl;

constexpr std::string_view kTrace = R"(i 32
i 128
i 8
i 2
m 10000000650 0 1 1000315
h 10000000650 0 1 1000315 7165
m 10000000620 0 1 2000370
h 10000000620 0 1 2000370 7366
m 10000000700 0 1 9000644
h 10000000700 0 1 9000644 10270
)";

void checkList(std::string_view text) {
    const std::vector<std::string> files = sim::chironSources(text);
    std::string list;
    for (const std::string& file : files) list += sim::asChironSource(file) + "\n";
    check(sim::chironSources(list) == files);
}

void checkTrace(const std::string& list) {
    sim::ReadOptions options;
    options.format = sim::TraceFormat::chiron;
    options.chironSources = list;
    const auto trace = sim::parseTrace(kTrace, "fuzz", options);
    if (!trace) {
        checkSentence(trace.error());
        return;
    }
    for (const sim::Site& site : trace->sites()) check(site.line == 0 || site.file < trace->files().size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    checkList(text);
    static MemoryFile file;
    file.put(text);
    checkTrace(file.path());
    return 0;
}
