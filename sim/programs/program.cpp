#include "sim/programs/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "sim/base/text.h"

namespace whorl::sim {

namespace {

std::vector<std::string> names(const auto& things) {
    std::vector<std::string> out;
    out.reserve(things.size());
    for (const auto& thing : things) out.push_back(thing.name);
    return out;
}

const ProgramOption* optionNamed(const Program& program, std::string_view name) {
    for (const ProgramOption& option : program.options) {
        if (option.name == name) return &option;
    }
    return nullptr;
}

std::string rangeOf(const ProgramOption& option) {
    return fmt::format("{} is a whole number from {} to {}", option.name, option.min, option.max);
}

/// The value in canonical form, or an error if it is invalid.
Expected<std::string> validValue(const Program& program, const ProgramOption& option, const std::string& value) {
    const std::string given = fmt::format("{}={}", option.name, value);
    const auto refused = [&](std::string_view why, const std::string& hint) {
        return fail(program.name, fmt::format("{} {}", quotedText(given), why), hint);
    };
    if (option.isText) return value;
    if (!option.choices.empty()) {
        const std::string hint = fmt::format("{} is {}", option.name, joinNames(option.choices, "or"));
        if (std::find(option.choices.begin(), option.choices.end(), value) != option.choices.end()) return value;
        if (value.empty()) return refused("has no value", hint);
        const bool numbers = wholeNumber(option.choices.front()).has_value();
        return refused("is not one of the choices", (numbers ? "" : didYouMean(value, option.choices)) + hint);
    }
    if (value.empty()) return refused("has no value", rangeOf(option));
    std::int64_t number = 0;
    const char* end = value.data() + value.size();
    const auto [stop, error] = std::from_chars(value.data(), end, number);
    if (stop != end || error == std::errc::invalid_argument) return refused("is not a whole number", rangeOf(option));
    if (error != std::errc{} || number < option.min || number > option.max) {
        return refused("is out of range", rangeOf(option));
    }
    return std::to_string(number);
}

/// The given value of an option, else its default.
std::string valueIn(const ProgramSpec& spec, const ProgramOption& option) {
    const auto given = spec.options.find(option.name);
    return given == spec.options.end() ? option.defaultValue : given->second;
}

/// Checks that a given option has an effect in combination with the others.
Expected<void> checkEffect(const ProgramSpec& spec, const ProgramOption& option) {
    if (option.onlyWith.empty()) return {};
    const std::string other = option.onlyWith.substr(0, option.onlyWith.find('='));
    const std::string now = fmt::format("{}={}", other, valueIn(spec, *optionNamed(*spec.program, other)));
    if (now == option.onlyWith) return {};
    return fail(spec.program->name,
                fmt::format("\"{}={}\" has no effect with {}", option.name, spec.options.at(option.name), now),
                fmt::format("give {} too, or leave {} out", option.onlyWith, option.name));
}

/// The values of all options of a sound spec.
ProgramArguments argumentsOf(const ProgramSpec& spec) {
    std::map<std::string, std::string> values;
    for (const ProgramOption& option : spec.program->options) values[option.name] = valueIn(spec, option);
    return ProgramArguments(std::move(values), specAsText(spec));
}

/// The spec with its values in canonical form, or an error if it is invalid.
Expected<ProgramSpec> checkedSpec(ProgramSpec spec) {
    for (auto& [name, value] : spec.options) {
        const ProgramOption* option = optionNamed(*spec.program, name);
        if (option == nullptr) {
            const auto known = names(spec.program->options);
            return fail(spec.program->name, fmt::format("there is no option {}", quotedText(name)),
                        fmt::format("{}{} {}", didYouMean(name, known),
                                    known.size() == 1 ? "the only option is" : "the options are", joinNames(known)));
        }
        value = WHORL_TRY(validValue(*spec.program, *option, value));
    }
    for (const auto& [name, value] : spec.options) {
        WHORL_TRY(checkEffect(spec, *optionNamed(*spec.program, name)));
    }
    if (spec.program->check) {
        WHORL_TRY(spec.program->check(argumentsOf(spec)));
    }
    return spec;
}

}  // namespace

const Program* programNamed(std::string_view name) {
    static const Program kPattern = patternProgram();
    if (name == kPattern.name) return &kPattern;
    for (const Program& program : programs()) {
        if (program.name == name) return &program;
    }
    return nullptr;
}

Expected<ProgramSpec> parseProgramSpec(std::string_view text) {
    const std::size_t colon = text.find(':');
    const std::string_view name = trimmed(text.substr(0, colon));
    ProgramSpec spec{.program = programNamed(name), .options = {}};
    if (spec.program == nullptr) {
        std::vector<std::string> known = names(programs());
        known.push_back(patternProgram().name);
        const std::string what =
            name.empty() ? "no program is named" : fmt::format("there is no program {}", quotedText(name));
        return fail({}, what, fmt::format("{}the programs are {}", didYouMean(name, known), joinNames(known)));
    }
    const ProgramOption& first = spec.program->options.front();
    if (first.isText) {
        spec.options.emplace(first.name, colon == std::string_view::npos ? "" : text.substr(colon + 1));
        return checkedSpec(std::move(spec));
    }
    if (colon == std::string_view::npos) return spec;
    for (std::string_view rest = text.substr(colon + 1); true;) {
        const std::size_t comma = rest.find(',');
        const std::string_view item = trimmed(rest.substr(0, comma));
        const std::size_t equals = item.find('=');
        if (equals == std::string_view::npos) {
            return fail(
                spec.program->name, fmt::format("{} is not an option with a value", quotedText(item)),
                fmt::format("options are given as {0}:{1}={2}", spec.program->name, first.name, first.defaultValue));
        }
        const std::string key(trimmed(item.substr(0, equals)));
        if (!spec.options.emplace(key, trimmed(item.substr(equals + 1))).second) {
            return fail(spec.program->name, fmt::format("the option {} is given twice", quotedText(key)),
                        "remove one of them");
        }
        if (comma == std::string_view::npos) break;
        rest.remove_prefix(comma + 1);
    }
    return checkedSpec(std::move(spec));
}

std::string optionInWords(const ProgramOption& option, const std::string& value) {
    auto known = option.words.find(value);
    if (known == option.words.end()) known = option.words.find("");
    return known == option.words.end() ? option.name + "=" + value : fmt::format(fmt::runtime(known->second), value);
}

std::string specAsText(const ProgramSpec& spec) {
    std::string out = spec.program->name;
    const ProgramOption& first = spec.program->options.front();
    if (first.isText) return out + ":" + valueIn(spec, first);
    for (const ProgramOption& option : spec.program->options) {
        const auto given = spec.options.find(option.name);
        if (given == spec.options.end()) continue;
        out += fmt::format("{}{}={}", out.size() == spec.program->name.size() ? ':' : ',', option.name, given->second);
    }
    return out;
}

Expected<std::string> withOption(const std::string& given, const std::string& name, const std::string& value) {
    auto spec = WHORL_TRY(parseProgramSpec(given));
    spec.options[name] = value;
    for (const ProgramOption& option : spec.program->options) {
        const std::size_t equals = option.onlyWith.find('=');
        if (equals == std::string::npos) continue;
        const std::string condition = option.onlyWith.substr(0, equals);
        const auto set = spec.options.find(condition);
        std::string has;
        for (const ProgramOption& other : spec.program->options) {
            if (other.name == condition) has = set == spec.options.end() ? other.defaultValue : set->second;
        }
        if (has != option.onlyWith.substr(equals + 1)) spec.options.erase(option.name);
    }
    std::string changed = specAsText(spec);
    WHORL_TRY(parseProgramSpec(changed));
    return changed;
}

Expected<Trace> runProgram(const ProgramSpec& spec, Progress& progress) {
    const auto valid = WHORL_TRY(checkedSpec(spec));
    return spec.program->run(argumentsOf(valid), progress);
}

}  // namespace whorl::sim
