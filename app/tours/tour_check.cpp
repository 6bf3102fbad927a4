#include "app/tours/tour_check.h"

#include <fmt/format.h>

#include <sstream>
#include <utility>

#include "sim/base/text.h"
#include "sim/report/table.h"

namespace whorl::app {

namespace {

/// The words that follow a side of a claim which does not hold.
std::string_view opposite(std::string_view sign) {
    if (sign == "==") return "is not equal to";
    if (sign == "!=") return "is equal to";
    if (sign == "<") return "is not less than";
    if (sign == "<=") return "is greater than";
    return sign == ">" ? "is not greater than" : "is less than";
}

/// Why the claim is wrong; nothing if it holds.
sim::Expected<std::string> refuted(const std::string& claim, const NamedQuantity& named) {
    const TriedClaim tried = WHORL_TRY(triedClaim(claim, named));
    if (tried.holds) return std::string();
    return fmt::format("{} does not hold: {} {} {}", sim::quotedText(claim), sim::quantityInWords(tried.left),
                       opposite(tried.sign), sim::quantityInWords(tried.right));
}

void addSameChoices(const Question& question, std::vector<Finding>& found) {
    const auto& choices = question.choices;
    for (std::size_t i = 0; i < choices.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            if (choices[i] != choices[j]) continue;
            found.push_back(
                {fmt::format("question.choices[{}]", i),
                 fmt::format("{} is the choice {} too; the choices must differ", sim::quotedText(choices[i]), j + 1)});
        }
    }
}

}  // namespace

std::string pathIn(std::size_t scene, const std::string& key) {
    return fmt::format("scenes[{}]{}{}", scene, key.empty() ? "" : ".", key);
}

std::vector<Finding> positionsBeyond(const TourScene& scene, const sim::Trace& trace) {
    std::vector<Finding> found;
    const auto check = [&](const char* key, double position) {
        if (position <= static_cast<double>(trace.size())) return;
        found.push_back({key, fmt::format("{:g} is after the end of the trace, which has {} accesses", position,
                                          sim::grouped(trace.size()))});
    };
    check("at", scene.position());
    if (scene.range) check("to", scene.range->to);
    return found;
}

std::vector<Finding> missingSources(const sim::Trace& trace, const std::string& key) {
    constexpr std::size_t kNamed = 4;
    std::vector<std::string> missing;
    for (const sim::SourceFile& file : trace.files()) {
        if (!file.path.empty() && file.lines.empty()) missing.push_back(file.path);
    }
    if (missing.empty()) return {};
    return {
        {key, fmt::format("source files are missing: {}; put them beside the tour, or name their folder with --sources",
                          sim::firstNames(missing, kNamed))}};
}

sim::Expected<std::vector<Finding>> untrueIn(const TourScene& scene, const ShownRuns& runs, sim::Progress& progress) {
    std::vector<Finding> found;
    SceneQuantities quantities(scene, runs, progress);
    const NamedQuantity named = [&](std::string_view name) { return quantities.named(name); };
    for (std::size_t i = 0; i < scene.claims.size(); ++i) {
        const std::string key = scene.claims.size() == 1 ? "claim" : fmt::format("claim[{}]", i);
        const auto why = refuted(scene.claims[i], named);
        if (!why || !why->empty()) found.push_back({key, why ? *why : why.error().sentence()});
    }
    const SceneInWords said = WHORL_TRY(inWords(scene, runs, progress));
    for (const sim::Error& error : said.errors) {
        found.push_back({error.where, sim::Error{.where = {}, .what = error.what, .hint = error.hint}.sentence()});
    }
    if (said.scene.question && said.errors.empty()) addSameChoices(*said.scene.question, found);
    return found;
}

std::vector<Finding> faultsOf(const sim::Error& error, const std::string& file) {
    std::vector<Finding> found;
    std::istringstream lines(error.sentence());
    const std::string opening = file + ": ";
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with(opening)) line.erase(0, opening.size());
        const std::size_t colon = line.starts_with("scenes") ? line.find(": ") : std::string::npos;
        if (colon == std::string::npos) {
            found.push_back({"", line});
        } else {
            found.push_back({line.substr(0, colon), line.substr(colon + 2)});
        }
    }
    return found;
}

}  // namespace whorl::app
