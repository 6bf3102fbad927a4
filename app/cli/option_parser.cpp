#include "app/cli/option_parser.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <sstream>

#include "app/cli/terminal.h"
#include "app/tasks/exit_status.h"

namespace whorl::app {

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

/// Prints the answer to a command line that is not run: help, the version, or an error in it. Returns the exit status.
int answer(const CLI::App& app, const CLI::ParseError& e) {
    std::ostringstream out;
    std::ostringstream err;
    if (app.exit(e, out, err) != 0) {
        const auto chosen = app.get_subcommands();
        const std::string command = chosen.empty() ? "" : chosen.front()->get_name() + " ";
        return report({.where = {}, .what = e.what(), .hint = fmt::format("see whorl {}--help", command)});
    }
    const auto written = writeText(out.str(), "-");
    return written ? kExitSuccess : report(written.error());
}

}  // namespace

OptionParser::OptionParser(const std::string& name, const std::string& words, const std::string& version)
    : parsing_(std::make_unique<Parsing>(Parsing{.own = std::make_unique<CLI::App>(words)})) {
    parsing_->app->name(name);
    parsing_->app->set_version_flag("--version", version);
    parsing_->app->require_subcommand(0, 1);
}

OptionParser::OptionParser(std::unique_ptr<Parsing> parsing) : parsing_(std::move(parsing)) {}

OptionParser::~OptionParser() = default;

OptionParser& OptionParser::addCommand(const std::string& name, const std::string& words) {
    CLI::App* const app = parsing_->app->add_subcommand(name, words);
    commands_.push_back(
        std::unique_ptr<OptionParser>(new OptionParser(std::make_unique<Parsing>(Parsing{.own = {}, .app = app}))));
    return *commands_.back();
}

template <class Value>
void OptionParser::add(const std::string& names, Value& value, const std::string& words, const OptionTraits& traits) {
    CLI::Option& option = *parsing_->app->add_option(names, value, words);
    if constexpr (std::is_same_v<Value, std::vector<std::string>>) {
        if (traits.commaSeparated) option.delimiter(',');
        // One value for each occurrence of the option, so that a word after it can be the input.
        if (!option.get_positional()) option.take_all()->expected(1)->allow_extra_args(false);
    }
    if (traits.required) option.required();
    if (traits.showDefault) option.capture_default_str();
    if (!traits.oneOf.empty()) option.check(CLI::IsMember(traits.oneOf));
    using Number = typename Plain<Value>::Type;
    if constexpr (std::is_floating_point_v<Number>) option.check(notFinite);
    limit(option, traits.limits);
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

void OptionParser::addWord(const std::string& names, const SetWord& set, const std::vector<std::string>& choices,
                           const std::string& words) {
    parsing_->app->add_option_function<std::string>(names, set, words)->check(CLI::IsMember(choices));
}

void OptionParser::addFlag(const std::string& names, bool& flag, const std::string& words) {
    parsing_->app->add_flag(names, flag, words);
}

void OptionParser::addFlagAction(const std::string& names, std::function<void()> set, const std::string& words) {
    parsing_->app->add_flag_callback(names, std::move(set), words);
}

void OptionParser::allowLeftOver() {
    parsing_->app->allow_extras();
}

void OptionParser::leaveRest() {
    parsing_->app->prefix_command();
}

std::vector<std::string> OptionParser::leftOver() const {
    return parsing_->app->remaining();
}

const std::string& OptionParser::name() const {
    static const std::string kNone;
    return parsing_->own == nullptr ? parsing_->app->get_name() : kNone;
}

std::vector<std::string> OptionParser::commandNames() const {
    std::vector<std::string> names;
    names.reserve(commands_.size());
    for (const auto& command : commands_) names.push_back(command->name());
    return names;
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

int OptionParser::run(int argc, char** argv) {
    try {
        parsing_->app->parse(argc, argv);
    } catch (const CLI::ParseError& e) {
        return answer(*parsing_->app, e);
    }
    const OptionParser* chosen = this;
    for (const auto& command : commands_) {
        if (command->parsing_->app->parsed()) chosen = command.get();
    }
    const auto done = chosen->action_();
    return done ? *done : report(done.error());
}

}  // namespace whorl::app
