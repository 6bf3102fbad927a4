// Any text as a pattern: it is read or refused with a place, what it makes is within what it declares, and it can be
// written again, also with its loops in other orders.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "fuzz/check.h"
#include "sim/programs/access_recorder.h"
#include "sim/programs/pattern/loop_orders.h"
#include "sim/programs/pattern/pattern.h"
#include "sim/programs/pattern/pattern_text.h"
#include "sim/programs/pattern/run_pattern.h"
#include "sim/trace/trace.h"

namespace {

using namespace whorl;
using namespace whorl::sim;

/// Whether it ends before it looks for the first time whether it is cancelled.
bool isShort(const Pattern& pattern) {
    Progress cancelled;
    cancelled.cancel();
    PatternWalk walk(pattern, cancelled);
    try {
        walk.run([](const PatternStep&) {});
    } catch (const Cancelled&) {
        return false;
    } catch (const PatternFault&) {
    }
    return true;
}

void look(const Trace& trace) {
    check(trace.size() > 0 && trace.size() <= kMaxPatternAccesses);
    trace.forEach(Tick{0}, Tick{std::min<std::uint64_t>(trace.size(), 1000)}, [&](Tick t, const Access& a) {
        check(a.size > 0 && a.cpu < trace.cpus());
        const std::size_t region = trace.regionAt(a.address);
        check(region < trace.regions().size());
        checkSentence(trace.placeOf(a.address, t));
        check(trace.site(a.site).line > 0);
    });
}

/// Its text may have more parentheses, or declare an array with the name of an earlier loop: then it is refused.
void writeAgain(const Pattern& pattern) {
    const std::string text = asText(pattern);
    if (const auto again = parsePattern(text, "fuzz")) check(asText(*again) == text);
    for (const LoopOrder& order : loopOrders(pattern)) {
        checkSentence(order.words);
        check(parsePattern(order.text, "fuzz").has_value());
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    checkSentence(patternTitle(text));
    const auto pattern = parsePattern(text, "fuzz");
    if (!pattern) {
        checkSentence(pattern.error());
        check(pattern.error().where.starts_with("fuzz:"));
        return 0;
    }
    writeAgain(*pattern);
    if (!isShort(*pattern)) return 0;
    Progress progress;
    const auto trace = runPattern(*pattern, "fuzz", progress);
    if (trace) {
        look(*trace);
    } else {
        checkSentence(trace.error());
    }
    return 0;
}
