#include "sim/report/loop_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "sim/analysis/layout_trials.h"
#include "sim/base/text.h"
#include "sim/report/report_rows.h"

namespace whorl::sim {

namespace {

/// Orders that a sentence lists; more are counted.
constexpr std::size_t kMostListed = 3;
/// A longer pattern is not typed, but copied.
constexpr std::size_t kMostTyped = 240;

/// "-64 %": the change of a number of cycles.
std::string changeFrom(Cycles from, Cycles to) {
    const double change = static_cast<double>(to) - static_cast<double>(from);
    return withSign(inPercent(change, static_cast<double>(from)), change);
}

std::string savingOf(const LoopTrial& cure, const WhyReport& report) {
    std::string out;
    if (cure.savesAt) {
        out = fmt::format("{} of the {} misses, ",
                          shareInWords(static_cast<double>(cure.misses[*cure.savesAt]),
                                       static_cast<double>(report.misses[*cure.savesAt])),
                          report.machine.levelName(*cure.savesAt));
    }
    out += changeFrom(report.lost, cure.lost) + " stall cycles";
    if (cure.accesses == report.accesses) return out;
    return out + fmt::format(", {} of all cycles with {} instead of {}", changeFrom(report.cycles, cure.cycles),
                             counted(cure.accesses, "access", "accesses"), grouped(report.accesses));
}

std::string ordersTried(const WhyReport& report) {
    std::vector<std::string> tried;
    for (std::size_t t = 0; t < std::min(report.loops.size(), kMostListed); ++t) {
        const LoopTrial& trial = report.loops[t];
        tried.push_back(trial.loops.words);
        const auto saved = static_cast<double>(report.savedBy(trial));
        if (!isNothing(saved, static_cast<double>(report.cycles))) {
            tried.back() += fmt::format(" ({} cycles)", changeFrom(report.cycles, trial.cycles));
        }
    }
    if (report.loops.size() > tried.size()) tried.push_back(fmt::format("{} more", report.loops.size() - tried.size()));
    return joinNames(tried);
}

}  // namespace

std::string loopsInWords(const WhyReport& report) {
    if (report.loops.empty()) return {};
    const LoopTrial* const cure = report.loopCure();
    if (cure == nullptr) {
        return fmt::format("no other order of the loops saves {:.0f} % of all stall cycles; tried: {}", 100 * kMinGain,
                           ordersTried(report));
    }
    const OtherLoops& loops = cure->loops;
    const bool isShort = loops.text.size() <= kMostTyped;
    return fmt::format("{} (line {}): {}; {}", loops.words, loops.line, savingOf(*cure, report),
                       isShort ? fmt::format("type 'pattern:{}'", loops.text) : "whorl why --json has the pattern");
}

std::string loopTrialsInWords(const WhyReport& report) {
    if (report.loops.empty()) return {};
    return counted(report.loops.size(), "other order of the loops was", "other orders of the loops were") +
           " tried by running them";
}

JsonValue loopTrialAsJson(const LoopTrial& trial, const WhyReport& report) {
    JsonObject misses;
    for (std::size_t l = 0; l < trial.misses.size(); ++l) {
        misses.emplace_back(report.machine.levelName(l), trial.misses[l]);
    }
    return JsonObject{{"words", trial.loops.words},  {"line", trial.loops.line},
                      {"pattern", trial.loops.text}, {"accesses", trial.accesses},
                      {"cycles", trial.cycles},      {"saved_cycles", report.savedBy(trial)},
                      {"lost", trial.lost},          {"misses_then", std::move(misses)}};
}

}  // namespace whorl::sim
