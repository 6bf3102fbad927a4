// The actions that choose a range of the trace.
#include <cstdlib>

#include "app/session/commands.h"

namespace whorl::app {

namespace {

std::uint64_t size(const Session& s) {
    return s.opened.run ? s.opened.run->trace().size() : 0;
}

void choose(Session& s, double a, double b) {
    if (size(s) > 0) s.range = rangeBetween(a, b, size(s));
}

/// The start goes to the playhead; the end stays, unless it would come before.
void startHere(Session& s) {
    const double at = std::min(s.player.position(), static_cast<double>(size(s)) - 1);
    const double end = s.range ? static_cast<double>(s.range->to.value) : 0;
    choose(s, at, end > at ? end : static_cast<double>(size(s)));
}

void endHere(Session& s) {
    const double at = std::max(s.player.position(), 1.0);
    const double start = s.range ? static_cast<double>(s.range->from.value) : 0;
    choose(s, start < at ? start : 0, at);
}

/// "1200 5000".
void chooseInWords(Session& s, const std::string& words) {
    char* rest = nullptr;
    const double from = std::strtod(words.c_str(), &rest);
    choose(s, from, std::strtod(rest, nullptr));
}

}  // namespace

std::vector<Action> rangeActions() {
    return {
        {"range-start",
         "Range",
         "the range starts at the playhead",
         {"s"},
         [](Session& s, const Command&) { startHere(s); }},
        {"range-end", "Range", "the range ends at the playhead", {"e"}, [](Session& s, const Command&) { endHere(s); }},
        {"range-clear",
         "Range",
         "no range: the whole trace again",
         {"x"},
         [](Session& s, const Command&) { s.range.reset(); }},
        {"range",
         "",
         "a range from one moment to another",
         {},
         [](Session& s, const Command& c) { chooseInWords(s, c.text); }},
    };
}

}  // namespace whorl::app
