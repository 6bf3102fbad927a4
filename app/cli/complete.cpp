// whorl complete: what the shells ask while a command line of whorl is typed. Hidden; assets/completions call it.
#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/option_parser.h"
#include "app/cli/subcommands.h"
#include "app/cli/value_candidates.h"
#include "sim/base/byte_sink.h"
#include "sim/programs/program.h"

namespace whorl::app {

namespace {

struct Completion {
    Candidates candidates;
    /// Where files are wanted: the beginning of the word that is not a part of their names, such as "--regions=".
    std::string beforeFile = {};
};

/// The short description of an option for a shell: its words up to the first semicolon.
std::string briefly(const std::string& words) {
    return words.substr(0, words.find("; "));
}

/// A command line up to the word that is being typed.
class TypedLine {
  public:
    TypedLine(const CommandFacts& program, std::span<const std::string> words) : program_(program), command_(&program) {
        for (const std::string& word : words) take(word);
    }

    Completion complete(const std::string& last) const;

  private:
    /// The built-in program that is the input, if its options may follow; else null.
    const sim::Program* builtIn() const;
    /// The name of an option of that program: "--n".
    const sim::ProgramOption* ofProgram(std::string_view name) const;

    void take(const std::string& word);
    void takeOption(const std::string& word);
    void takePositional(const std::string& word);

    /// The next positional argument; null if there is no more.
    const OptionFacts* positional() const;
    std::string valueOf(std::string_view name) const;
    std::vector<std::string> valuesOf(std::string_view name) const;
    std::string input() const;
    GivenInput given() const;

    Completion values(const OptionFacts& option, const std::string& before, const std::string& typed) const;
    Completion valuesOfProgram(const sim::ProgramOption& option, const std::string& before) const;
    Completion options() const;
    Completion positionals(const std::string& last) const;

    const CommandFacts& program_;
    const CommandFacts* command_;
    std::map<const OptionFacts*, std::vector<std::string>> given_;
    std::vector<std::string> positionals_;
    std::map<std::string, std::string> programOptions_;
    const OptionFacts* awaits_ = nullptr;                  ///< the option whose value comes next
    const sim::ProgramOption* awaitsOfProgram_ = nullptr;  ///< the built-in program's option whose value comes next
    bool onlyPositionals_ = false;
    bool isAnothers_ = false;  ///< the rest is another program's command line
};

const sim::Program* TypedLine::builtIn() const {
    return command_->takesLeftOver && !positionals_.empty() ? sim::programNamed(positionals_.front()) : nullptr;
}

const sim::ProgramOption* TypedLine::ofProgram(std::string_view name) const {
    const sim::Program* const program = builtIn();
    if (program == nullptr || !name.starts_with("--")) return nullptr;
    for (const sim::ProgramOption& option : program->options) {
        if (option.name == name.substr(2)) return &option;
    }
    return nullptr;
}

void TypedLine::take(const std::string& word) {
    if (isAnothers_) {
        positionals_.push_back(word);
    } else if (awaits_ != nullptr) {
        given_[awaits_].push_back(word);
        awaits_ = nullptr;
    } else if (awaitsOfProgram_ != nullptr) {
        programOptions_[awaitsOfProgram_->name] = word;
        awaitsOfProgram_ = nullptr;
    } else if (!onlyPositionals_ && word == "--") {
        onlyPositionals_ = true;
    } else if (!onlyPositionals_ && word.size() > 1 && word.front() == '-') {
        takeOption(word);
    } else {
        takePositional(word);
    }
}

void TypedLine::takeOption(const std::string& word) {
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    const OptionFacts* option = optionNamed(*command_, name);
    if (option == nullptr && !word.starts_with("--")) {
        // "-mlaptop"
        option = optionNamed(*command_, word.substr(0, 2));
        if (option != nullptr) given_[option].push_back(word.substr(2));
    } else if (option != nullptr && equals != std::string::npos) {
        given_[option].push_back(word.substr(equals + 1));
    } else if (option != nullptr) {
        given_[option];
        if (option->takesValue) awaits_ = option;
    } else if (const sim::ProgramOption* const own = ofProgram(name)) {
        if (equals == std::string::npos) {
            awaitsOfProgram_ = own;
        } else {
            programOptions_[own->name] = word.substr(equals + 1);
        }
    }
}

void TypedLine::takePositional(const std::string& word) {
    const auto named = [&](const CommandFacts& command) { return command.name == word; };
    const auto chosen = std::find_if(command_->commands.begin(), command_->commands.end(), named);
    if (chosen != command_->commands.end() && !onlyPositionals_) {
        command_ = &*chosen;
        given_.clear();
        positionals_.clear();
        return;
    }
    isAnothers_ = command_->leavesRest;
    positionals_.push_back(word);
}

const OptionFacts* TypedLine::positional() const {
    std::size_t before = positionals_.size();
    for (const OptionFacts& option : command_->options) {
        if (option.isPositional && (before == 0 || option.isRepeated)) return &option;
        if (option.isPositional) --before;
    }
    return nullptr;
}

std::vector<std::string> TypedLine::valuesOf(std::string_view name) const {
    const auto found = given_.find(optionNamed(*command_, name));
    return found == given_.end() ? std::vector<std::string>() : found->second;
}

std::string TypedLine::valueOf(std::string_view name) const {
    const auto values = valuesOf(name);
    return values.empty() ? "" : values.back();
}

std::string TypedLine::input() const {
    const auto isInput = [](const OptionFacts& option) {
        return option.isPositional && option.kind == ValueKind::input;
    };
    const auto& options = command_->options;
    if (positionals_.empty() || std::none_of(options.begin(), options.end(), isInput)) return {};
    std::string spec = positionals_.front();
    for (const auto& [name, value] : programOptions_) {
        spec += spec.find(':') == std::string::npos ? ':' : ',';
        spec += name;
        spec += '=';
        spec += value;
    }
    return spec;
}

GivenInput TypedLine::given() const {
    return {.input = input(),
            .machine = valueOf("--machine"),
            .settings = valuesOf("--set"),
            .format = valueOf("--format"),
            .regions = valueOf("--regions"),
            .chironSources = valueOf("--chiron-sources"),
            .scene = valueOf("--scene"),
            .tour = valueOf("--tour"),
            .sources = valuesOf("--sources")};
}

Completion TypedLine::values(const OptionFacts& option, const std::string& before, const std::string& typed) const {
    Completion out{.candidates = ValueCandidates(program_, given()).of(option, typed), .beforeFile = before};
    for (Candidate& candidate : out.candidates.list) candidate.word.insert(0, before);
    return out;
}

Completion TypedLine::valuesOfProgram(const sim::ProgramOption& option, const std::string& before) const {
    Completion out;
    for (const std::string& choice : option.choices) out.candidates.list.push_back({before + choice});
    if (option.choices.empty()) out.candidates.list.push_back({before + option.defaultValue, "the default"});
    return out;
}

Completion TypedLine::options() const {
    Completion out;
    auto& list = out.candidates.list;
    for (const OptionFacts& option : command_->options) {
        if (option.isPositional || (given_.contains(&option) && !option.isRepeated)) continue;
        for (const std::string& name : option.names) list.push_back({name, briefly(option.words)});
    }
    const sim::Program* const program = builtIn();
    if (program == nullptr) return out;
    for (const sim::ProgramOption& option : program->options) {
        if (!programOptions_.contains(option.name)) list.push_back({"--" + option.name, option.description});
    }
    return out;
}

Completion TypedLine::positionals(const std::string& last) const {
    Completion out;
    if (const OptionFacts* const next = positional()) out = values(*next, "", last);
    if (positionals_.empty() && !onlyPositionals_) {
        for (const CommandFacts& command : command_->commands) {
            out.candidates.list.push_back({command.name, command.words});
        }
    }
    if (command_->leavesRest) out.candidates.files = FilesWanted::programs;
    return out;
}

Completion TypedLine::complete(const std::string& last) const {
    if (isAnothers_) return {.candidates = {.files = FilesWanted::files}};
    if (awaits_ != nullptr) return values(*awaits_, "", last);
    if (awaitsOfProgram_ != nullptr) return valuesOfProgram(*awaitsOfProgram_, "");
    if (onlyPositionals_ || !last.starts_with('-')) return positionals(last);
    const std::size_t equals = last.find('=');
    if (equals == std::string::npos) return options();
    const std::string name = last.substr(0, equals);
    const std::string before = last.substr(0, equals + 1);
    const OptionFacts* const option = optionNamed(*command_, name);
    if (option != nullptr && option->takesValue) return values(*option, before, last.substr(equals + 1));
    const sim::ProgramOption* const own = ofProgram(name);
    return own == nullptr ? Completion{} : valuesOfProgram(*own, before);
}

/// `words` are those after the program's name; the last is to be completed, and may be empty.
Completion completionOf(const CommandFacts& program, std::span<const std::string> words) {
    if (words.empty()) return completionOf(program, std::vector<std::string>(1));
    const std::string& last = words.back();
    Completion out = TypedLine(program, words.first(words.size() - 1)).complete(last);
    std::erase_if(out.candidates.list, [&](const Candidate& candidate) { return !candidate.word.starts_with(last); });
    return out;
}

/// One candidate per line: word, tab, description. If files may follow as well, the last line has the kind of files, a
/// tab, and the beginning of the word that does not belong to the file name.
std::string linesOf(const Completion& completion) {
    std::string out;
    for (const Candidate& candidate : completion.candidates.list) {
        out += candidate.word + (candidate.words.empty() ? "" : '\t' + candidate.words) + '\n';
    }
    switch (completion.candidates.files) {
        case FilesWanted::none:
            return out;
        case FilesWanted::files:
            out += ":files";
            break;
        case FilesWanted::folders:
            out += ":folders";
            break;
        case FilesWanted::programs:
            out += ":programs";
            break;
    }
    return out + (completion.beforeFile.empty() ? "" : '\t' + completion.beforeFile) + '\n';
}

}  // namespace

void addCompleteCommand(OptionParser& program) {
    auto words = std::make_shared<std::vector<std::string>>();
    OptionParser& command = program.addCommand("complete", "List completions of the last word of a command line");
    command.hide();
    command.add("WORDS", *words, "the words after whorl, following --; the last one is being typed");
    command.onRun([words, &program] { return sim::writeText(linesOf(completionOf(program.facts(), *words)), "-"); });
}

}  // namespace whorl::app
