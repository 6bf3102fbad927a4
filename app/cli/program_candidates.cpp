// Built-in programs and their options, for completion.
#include <fmt/format.h>

#include <map>

#include "app/cli/value_candidates.h"
#include "sim/programs/program.h"

namespace whorl::app {

namespace {

/// The options in "n=16,variant=blocked".
std::map<std::string, std::string> optionsIn(std::string_view items) {
    std::map<std::string, std::string> out;
    while (!items.empty()) {
        const std::size_t comma = std::min(items.find(','), items.size());
        const std::string_view item = items.substr(0, comma);
        const std::size_t equals = std::min(item.find('='), item.size());
        out[std::string(item.substr(0, equals))] = item.substr(std::min(equals + 1, item.size()));
        items.remove_prefix(std::min(comma + 1, items.size()));
    }
    return out;
}

/// Whether an option has an effect beside those that are given.
bool hasEffect(const sim::Program& program, const sim::ProgramOption& option,
               const std::map<std::string, std::string>& given) {
    if (option.onlyWith.empty()) return true;
    for (const sim::ProgramOption& other : program.options) {
        const auto found = given.find(other.name);
        if (option.onlyWith == other.name + '=' + (found == given.end() ? other.defaultValue : found->second)) {
            return true;
        }
    }
    return false;
}

}  // namespace

std::vector<Candidate> programCandidates(std::string_view typed) {
    std::vector<Candidate> out;
    const std::size_t colon = typed.find(':');
    if (colon == std::string_view::npos) {
        for (const sim::Program& program : sim::programs()) out.push_back({program.name, program.description});
        return out;
    }
    const sim::Program* const program = sim::programNamed(typed.substr(0, colon));
    if (program == nullptr || program->options.front().isText) return out;
    const std::size_t start = typed.find_last_of(":,") + 1;
    const std::string before(typed.substr(0, start));
    const std::size_t equals = typed.find('=', start);
    const auto given = optionsIn(typed.substr(colon + 1, std::max(start, colon + 2) - colon - 2));
    for (const sim::ProgramOption& option : program->options) {
        const std::string item = before + option.name + '=';
        if (equals == std::string_view::npos) {
            if (!given.contains(option.name) && hasEffect(*program, option, given)) {
                out.push_back({item, option.description});
            }
        } else if (option.name == typed.substr(start, equals - start)) {
            for (const std::string& choice : option.choices) out.push_back({item + choice});
            if (!option.choices.empty()) continue;
            out.push_back({item + option.defaultValue, fmt::format("the default; {} to {}", option.min, option.max)});
        }
    }
    return out;
}

}  // namespace whorl::app
