// Any texts as the shards of a sweep, with a byte between them that is in no text: they are refused in sentences, in
// whatever order they are named, or merge to a whole that is itself one.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/check.h"
#include "sim/report/sweep_report.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace whorl;
    std::string_view bytes(reinterpret_cast<const char*>(data), size);
    std::vector<sim::SweepPart> parts;
    while (true) {
        const std::size_t end = std::min(bytes.find('\xff'), bytes.size());
        parts.push_back({"part-" + std::to_string(parts.size() + 1), std::string(bytes.substr(0, end))});
        if (const auto sound = sim::checkPart(parts.back().name, parts.back().text); !sound) {
            checkSentence(sound.error());
        }
        if (end == bytes.size()) break;
        bytes.remove_prefix(end + 1);
    }
    const auto whole = sim::merged(parts);
    std::reverse(parts.begin(), parts.end());
    const auto turned = sim::merged(parts);
    check(whole.has_value() == turned.has_value());
    if (whole) {
        // But for keys that the merge does not know, which are those of the first part, the turned one is the same.
        for (const auto& merged : {whole, turned}) check(sim::merged({{"whole", *merged}}) == *merged);
    } else {
        checkSentences(whole.error());
        checkSentences(turned.error());
    }
    return 0;
}
