#include "sim/report/order_words.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/analysis/layout_trials.h"
#include "sim/base/text.h"
#include "sim/report/report_rows.h"

namespace whorl::sim {

namespace {

std::string otherInWords(const OrderNote& note, std::string_view what, Cycles lost, Cycles SharingCosts::*then) {
    if (!note.other) return {};
    const Cycles there = (*note.other).*then;
    const Cycles more = std::max(lost, there) - std::min(lost, there);
    const bool differs = 10 * more >= std::max(lost, there) && isGain(more, note.other->stalls);
    const char* const other = note.isVirtual ? "In the recorded order" : "In virtual time";
    if (!differs) return fmt::format(" {} about as many {}.", other, what);
    return fmt::format(" {} {} {}, not {} (--interleaving {}).", other, grouped(there), what, grouped(lost),
                       note.isVirtual ? "recorded" : "virtual");
}

/// Where the order of virtual time is uncertain.
std::string spinningInWords(const OrderNote& note) {
    if (!note.isVirtual || !note.spinning || note.spinning->accesses == 0) return {};
    return fmt::format(
        " CPUs that wait by reading memory over and over make {} of the accesses{}: virtual time does not know for "
        "what they wait, and the order there is uncertain.",
        shareInWords(static_cast<double>(note.spinning->accesses), static_cast<double>(note.accesses)),
        note.spinsAt.empty() ? "" : fmt::format(" (mostly {})", note.spinsAt));
}

}  // namespace

std::string orderInWords(const OrderNote& note, std::string_view what, Cycles lost, Cycles SharingCosts::*then) {
    const std::string order =
        note.isVirtual
            ? fmt::format(
                  "The {} CPUs run in virtual time: each at its own pace, waiting where its threads waited for "
                  "others.",
                  note.cpus)
            : fmt::format("The accesses of the {} CPUs are in the order in which they were recorded.", note.cpus);
    return order + otherInWords(note, what, lost, then) + spinningInWords(note);
}

JsonValue orderAsJson(const OrderNote& note) {
    JsonValue other;
    if (note.other) {
        other = JsonObject{
            {"cycles", note.other->cycles}, {"lost", note.other->stalls}, {"lost_by_sharing", note.other->bySharing}};
    }
    JsonValue spinning;
    if (note.spinning) {
        spinning = JsonObject{{"accesses", note.spinning->accesses},
                              {"times", note.spinning->times},
                              {"line", note.spinsAt.empty() ? JsonValue() : JsonValue(note.spinsAt)}};
    }
    return JsonObject{{"name", note.isVirtual ? "virtual" : "recorded"},
                      {"other", std::move(other)},
                      {"spinning", std::move(spinning)}};
}

}  // namespace whorl::sim
