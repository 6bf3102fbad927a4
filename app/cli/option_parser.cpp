#include "app/cli/option_parser.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <string_view>

#include "app/cli/terminal.h"
#include "app/system/ending.h"
#include "sim/base/byte_sink.h"

namespace whorl::app {

namespace {

/// In the order of ValueKind.
constexpr std::array kValueNames = std::to_array<std::string_view>(
    {"VALUE",   "NUMBER",    "INPUT", "MACHINE", "KEY=VALUE", "VALUE",  "VALUE", "PLACE",
     "PLACE",   "FILE:LINE", "LEVEL", "NUMBER",  "VIEW",      "METRIC", "SCENE", "TOUR",
     "COMMAND", "FILE",      "FILE",  "FOLDER",  "PROGRAM",   "VALUE"});
static_assert(kValueNames.size() == static_cast<std::size_t>(ValueKind::argument) + 1);

}  // namespace

std::string valueName(const OptionFacts& option) {
    if (option.isPositional) return option.names.front();
    if (option.isOneOf) return fmt::format("{}", fmt::join(option.choices, "|"));
    return std::string(kValueNames.at(static_cast<std::size_t>(option.kind)));
}

const OptionFacts* optionNamed(const CommandFacts& command, std::string_view name) {
    for (const OptionFacts& option : command.options) {
        if (option.isPositional) continue;
        if (std::find(option.names.begin(), option.names.end(), name) != option.names.end()) return &option;
    }
    return nullptr;
}

/// Either the program's own parser or one that it owns.
struct OptionParser::Parsing {
    std::unique_ptr<CLI::App> own;
    CLI::App* app = own.get();
};

namespace {

/// The type of an option's value, which may be absent.
template <class Value>
struct Plain {
    using Type = Value;
};
template <class Value>
struct Plain<std::optional<Value>> {
    using Type = Value;
};

void limit(CLI::Option& option, const AnyLimits& limits) {
    const auto check = [&option](const auto& l) {
        if constexpr (!std::is_same_v<std::decay_t<decltype(l)>, std::monostate>) {
            option.check(CLI::Range(l.least, l.most));
        }
    };
    std::visit(check, limits);
}

/// The library takes "nan" and "inf" as numbers, and no limits exclude "nan". Gives what is wrong, or nothing.
std::string notFinite(const std::string& word) {
    return std::isfinite(std::strtod(word.c_str(), nullptr)) ? "" : "\"" + word + "\" is not a number";
}

/// An option whose value names something is not as if it were not given. Gives what is wrong, or nothing.
std::string isEmpty(const std::string& word) {
    return word.empty() ? "its value is empty: name one, or leave it out" : "";
}

/// The library takes a word in brackets for a list of several. A mark in front of it, which no word has, prevents that.
constexpr char kMark = '\x01';

std::string marked(const std::string& word) {
    const bool isBracketed = word.size() > 1 && word.front() == '[' && word.back() == ']';
    return isBracketed ? kMark + word : word;
}

std::string unmarked(std::string words) {
    std::erase(words, kMark);
    return words;
}

/// The names in "-o,--output".
std::vector<std::string> namesIn(const std::string& names) {
    std::vector<std::string> out;
    std::istringstream in(names);
    for (std::string name; std::getline(in, name, ',');) out.push_back(name);
    return out;
}

OptionFacts helpFacts() {
    return {.names = {"-h", "--help"}, .words = "Print this help message and exit", .takesValue = false};
}

/// The limits of a number, as text.
void take(OptionFacts& facts, const AnyLimits& limits) {
    const auto take = [&facts](const auto& l) {
        if constexpr (!std::is_same_v<std::decay_t<decltype(l)>, std::monostate>) {
            facts.least = fmt::format("{}", l.least);
            facts.most = fmt::format("{}", l.most);
        }
    };
    std::visit(take, limits);
}

/// Prints the answer to a command line that is not run: help, the version, or an error in it. Returns the exit status.
int answer(const CLI::App& app, const CLI::ParseError& e) {
    std::ostringstream out;
    std::ostringstream err;
    if (app.exit(e, out, err) != 0) {
        const auto chosen = app.get_subcommands();
        const std::string command = chosen.empty() ? "" : chosen.front()->get_name() + " ";
        return report({.where = {}, .what = unmarked(e.what()), .hint = fmt::format("see whorl {}--help", command)});
    }
    const auto written = sim::writeText(out.str(), "-");
    return written ? kExitSuccess : report(written.error());
}

}  // namespace

OptionParser::OptionParser(const std::string& name, const std::string& words, const std::string& version)
    : parsing_(std::make_unique<Parsing>(Parsing{.own = std::make_unique<CLI::App>(words)})),
      facts_{.name = name, .words = words} {
    facts_.options = {
        helpFacts(),
        {.names = {"--version"}, .words = "Display program version information and exit", .takesValue = false}};
    parsing_->app->name(name);
    parsing_->app->set_version_flag("--version", version);
    parsing_->app->require_subcommand(0, 1);
}

OptionParser::OptionParser(std::unique_ptr<Parsing> parsing, CommandFacts facts)
    : parsing_(std::move(parsing)), facts_(std::move(facts)) {}

OptionParser::~OptionParser() = default;

OptionParser& OptionParser::addCommand(const std::string& name, const std::string& words) {
    CLI::App* const app = parsing_->app->add_subcommand(name, words);
    commands_.push_back(
        std::unique_ptr<OptionParser>(new OptionParser(std::make_unique<Parsing>(Parsing{.own = {}, .app = app}),
                                                       {.name = name, .words = words, .options = {helpFacts()}})));
    return *commands_.back();
}

template <class Value>
void OptionParser::add(const std::string& names, Value& value, const std::string& words, const OptionTraits& traits) {
    CLI::Option& option = *parsing_->app->add_option(names, value, words);
    using Number = typename Plain<Value>::Type;
    constexpr bool kIsList = std::is_same_v<Value, std::vector<std::string>>;
    if constexpr (std::is_same_v<Value, std::string> || kIsList) option.transform(unmarked);
    if constexpr (kIsList) {
        if (traits.commaSeparated) option.delimiter(',');
        // One value for each occurrence of the option, so that a word after it can be the input.
        if (!option.get_positional()) option.take_all()->expected(1)->allow_extra_args(false);
    }
    if (traits.required) option.required();
    if (traits.showDefault) option.capture_default_str();
    if (!traits.oneOf.empty()) option.check(CLI::IsMember(traits.oneOf));
    if constexpr (std::is_floating_point_v<Number>) option.check(notFinite);
    if (!option.get_positional() && traits.kind != ValueKind::text) option.check(isEmpty);
    limit(option, traits.limits);
    OptionFacts facts{.names = namesIn(names), .words = words, .kind = traits.kind, .after = traits.after};
    if (std::is_arithmetic_v<Number> && facts.kind == ValueKind::text) facts.kind = ValueKind::number;
    facts.isPositional = option.get_positional();
    facts.isRequired = traits.required;
    facts.isRepeated = kIsList;
    facts.hasCommas = traits.commaSeparated;
    facts.isOneOf = !traits.oneOf.empty();
    facts.choices = facts.isOneOf ? traits.oneOf : traits.among;
    if (traits.showDefault) facts.usual = option.get_default_str();
    take(facts, traits.limits);
    facts_.options.push_back(std::move(facts));
}

template void OptionParser::add(const std::string&, std::string&, const std::string&, const OptionTraits&);
template void OptionParser::add(const std::string&, std::vector<std::string>&, const std::string&, const OptionTraits&);
template void OptionParser::add(const std::string&, int&, const std::string&, const OptionTraits&);
template void OptionParser::add(const std::string&, unsigned&, const std::string&, const OptionTraits&);
template void OptionParser::add(const std::string&, std::uint64_t&, const std::string&, const OptionTraits&);
template void OptionParser::add(const std::string&, float&, const std::string&, const OptionTraits&);
template void OptionParser::add(const std::string&, double&, const std::string&, const OptionTraits&);
template void OptionParser::add(const std::string&, std::optional<std::uint32_t>&, const std::string&,
                                const OptionTraits&);
template void OptionParser::add(const std::string&, std::optional<std::uint64_t>&, const std::string&,
                                const OptionTraits&);
template void OptionParser::add(const std::string&, std::optional<float>&, const std::string&, const OptionTraits&);
template void OptionParser::add(const std::string&, std::optional<double>&, const std::string&, const OptionTraits&);

void OptionParser::addWord(const std::string& names, const SetWord& set, const std::vector<std::string>& choices,
                           const std::string& words) {
    parsing_->app->add_option_function<std::string>(names, set, words)
        ->transform(unmarked)
        ->check(CLI::IsMember(choices));
    facts_.options.push_back({.names = namesIn(names), .words = words, .choices = choices, .isOneOf = true});
}

void OptionParser::addFlag(const std::string& names, bool& flag, const std::string& words) {
    parsing_->app->add_flag(names, flag, words);
    facts_.options.push_back({.names = namesIn(names), .words = words, .takesValue = false});
}

void OptionParser::addFlag(const std::string& names, std::function<void()> set, const std::string& words) {
    parsing_->app->add_flag_callback(names, std::move(set), words);
    facts_.options.push_back({.names = namesIn(names), .words = words, .takesValue = false});
}

void OptionParser::hide() {
    parsing_->app->group("");
    isHidden_ = true;
}

void OptionParser::addExample(const std::string& words, const std::string& line) {
    facts_.examples.push_back({words, line});
}

void OptionParser::allowLeftOver() {
    parsing_->app->allow_extras();
    facts_.takesLeftOver = true;
}

void OptionParser::leaveRest() {
    parsing_->app->prefix_command();
    facts_.leavesRest = true;
}

std::vector<std::string> OptionParser::leftOver() const {
    std::vector<std::string> words = parsing_->app->remaining();
    for (std::string& word : words) word = unmarked(std::move(word));
    return words;
}

const std::string& OptionParser::name() const {
    static const std::string kNone;
    return parsing_->own == nullptr ? parsing_->app->get_name() : kNone;
}

std::vector<std::string> OptionParser::commandNames() const {
    std::vector<std::string> names;
    names.reserve(commands_.size());
    for (const auto& command : commands_) {
        if (!command->isHidden_) names.push_back(command->name());
    }
    return names;
}

std::string OptionParser::help(const std::string& command) const {
    const CLI::App& app = *parsing_->app;
    if (!command.empty()) return app.get_subcommand(command)->help(app.get_name());
    // app.help() would return the help of the chosen subcommand.
    return app.get_formatter()->make_help(&app, app.get_name(), CLI::AppFormatMode::Normal);
}

CommandFacts OptionParser::facts() const {
    CommandFacts facts = facts_;
    for (const auto& command : commands_) {
        if (!command->isHidden_) facts.commands.push_back(command->facts());
    }
    return facts;
}

std::vector<std::string> OptionParser::optionNames() const {
    std::vector<std::string> names;
    for (const CLI::Option* const option : parsing_->app->get_options()) {
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    }
    return names;
}

bool OptionParser::given(const std::string& name) const {
    return !parsing_->app->get_option(name)->empty();
}

void OptionParser::onRun(std::function<sim::Expected<void>()> action) {
    action_ = [action = std::move(action)] { return action().map([] { return kExitSuccess; }); };
}

void OptionParser::onRun(std::function<sim::Expected<int>()> action) {
    action_ = std::move(action);
}

std::optional<sim::Error> OptionParser::unheardBefore(const OptionParser& command) const {
    for (const CLI::Option* const option : parsing_->app->get_options()) {
        if (option->empty()) continue;
        const std::string words = option->get_positional() ? option->results().front() : option->get_name();
        const bool isItsOwn =
            !option->get_positional() && command.parsing_->app->get_option_no_throw(option->get_name()) != nullptr;
        const std::string hint = isItsOwn ? fmt::format("write whorl {} {} …", command.name(), option->get_name())
                                          : fmt::format("see whorl {} --help", command.name());
        return sim::Error{.where = {},
                          .what = fmt::format("{} has no effect before {}", unmarked(words), command.name()),
                          .hint = hint};
    }
    return std::nullopt;
}

int OptionParser::run(int argc, char** argv) {
    // The library takes them from the last to the first.
    std::vector<std::string> words;
    for (int i = argc - 1; i > 0; --i) words.push_back(marked(argv[i]));
    try {
        parsing_->app->parse(std::move(words));
    } catch (const CLI::ParseError& e) {
        return answer(*parsing_->app, e);
    }
    const OptionParser* chosen = this;
    for (const auto& command : commands_) {
        if (command->parsing_->app->parsed()) chosen = command.get();
    }
    if (chosen != this) {
        if (const auto unheard = unheardBefore(*chosen)) return report(*unheard);
    }
    const auto done = chosen->action_();
    return done ? *done : report(done.error());
}

}  // namespace whorl::app
