// whorl manual and whorl icons: files that are installed with the program. Hidden; the build calls them.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/option_parser.h"
#include "app/cli/subcommands.h"
#include "app/window/icon.h"
#include "sim/base/byte_sink.h"
#include "sim/base/text.h"

namespace whorl::app {

// whorl manual: writes the manual pages into a folder. Hidden; the build calls it.

namespace {

struct ManualPage {
    std::string file;  ///< "whorl-frame.1"
    std::string text;
};

constexpr std::size_t kLineWidth = 78;

/// The text with the characters that roff takes for something else. A minus stays one, so that options can be copied.
std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        switch (c) {
            case '\\':
                out += "\\e";
                break;
            case '-':
                out += "\\-";
                break;
            case '~':
                out += "\\(ti";
                break;
            case '^':
                out += "\\(ha";
                break;
            default:
                out += c;
        }
    }
    return out;
}

/// Escapes text that users type: quotes stay straight, too.
std::string literal(std::string_view text) {
    std::string out;
    for (const char c : escaped(text)) {
        if (c == '\'') {
            out += "\\(aq";
        } else if (c == '`') {
            out += "\\(ga";
        } else {
            out += c;
        }
    }
    return out;
}

std::string bold(std::string_view text) {
    return "\\fB" + literal(text) + "\\fR";
}

std::string italic(std::string_view text) {
    return "\\fI" + literal(text) + "\\fR";
}

/// A line of text, which does not begin as a request does.
std::string textLine(const std::string& line) {
    const bool isRequest = line.starts_with('.') || line.starts_with('\'');
    return (isRequest ? "\\&" : "") + line + '\n';
}

/// An escaped text in lines.
std::string wrapped(const std::string& text) {
    std::string out;
    std::string line;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find_first_of(" \n", at), text.size());
        const std::string word = text.substr(at, end - at);
        at = end + 1;
        if (word.empty()) continue;
        if (!line.empty() && line.size() + 1 + word.size() > kLineWidth) out += textLine(std::exchange(line, ""));
        line += (line.empty() ? "" : " ") + word;
    }
    return line.empty() ? out : out + textLine(line);
}

bool isLower(char c) {
    return std::islower(static_cast<unsigned char>(c)) != 0;
}

/// The description of an option or a command as a sentence. A first word such as "x.mp4" or "mesi:" is not capitalized.
std::string sentence(std::string words) {
    const std::string first = words.substr(0, words.find(' '));
    const bool isWord =
        std::all_of(first.begin(), first.end(), [](char c) { return isLower(c) || c == ',' || c == '/'; });
    if (isWord && !words.empty()) words.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(words[0])));
    if (!words.ends_with('.')) words += '.';
    return words;
}

/// "draw one frame": what a command does in a few words, for the line of its name.
std::string summary(std::string words) {
    words.resize(std::min(words.find(": "), words.size()));
    if (words.size() > 1 && isLower(words[1])) {
        words[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(words[0])));
    }
    return words;
}

std::string valueIn(const OptionFacts& option) {
    if (!option.isOneOf) return italic(valueName(option));
    std::string out;
    for (const std::string& choice : option.choices) out += (out.empty() ? "" : "|") + bold(choice);
    return out;
}

/// "-o FILE, --output=FILE" in two faces.
std::string tagOf(const OptionFacts& option) {
    std::string out;
    for (const std::string& name : option.names) {
        out += (out.empty() ? "" : ", ") + bold(name);
        if (option.takesValue) out += (name.starts_with("--") ? "=" : " ") + valueIn(option);
    }
    return out;
}

/// The limits, default and repeatability of an option, which --help shows beside its words.
std::string additions(const OptionFacts& option) {
    std::string out;
    const bool saysLimits = option.words.find(fmt::format("{} to {}", option.least, option.most)) != std::string::npos;
    // A very large maximum is only a sanity check, so it is left out.
    const bool isWide = option.most.size() > 7;
    if (!option.least.empty() && !saysLimits) {
        out += isWide ? fmt::format(" At least {}.", option.least)
                      : fmt::format(" From {} to {}.", option.least, option.most);
    }
    if (!option.usual.empty()) out += fmt::format(" The default is {}.", option.usual);
    if (option.isRepeated && option.words.find("several") == std::string::npos) out += " May be given several times.";
    return out;
}

std::string entry(const std::string& tag, const std::string& words) {
    return ".TP\n" + textLine(tag) + wrapped(escaped(words));
}

std::string section(const std::string& title) {
    return ".SH " + title + '\n';
}

/// How a command is called: what must be given, and what may.
std::string synopsis(const std::string& called, const CommandFacts& command) {
    std::string out = bold(called);
    if (command.leavesRest) return out + ' ' + italic("COMPILER") + " [" + italic("ARGUMENTS") + "...]";
    out += " [" + italic("OPTIONS") + ']';
    for (const OptionFacts& option : command.options) {
        if (!option.isPositional && option.isRequired) out += ' ' + bold(option.names.front()) + ' ' + valueIn(option);
    }
    for (const OptionFacts& option : command.options) {
        if (!option.isPositional) continue;
        const std::string name = italic(option.names.front()) + (option.isRepeated ? "..." : "");
        const bool isOthers = option.kind == ValueKind::program;
        out += (isOthers ? ' ' + bold("--") : "") + ' ' + (option.isRequired ? name : '[' + name + ']');
    }
    return out;
}

std::string optionList(const CommandFacts& command) {
    std::string out = section("OPTIONS");
    for (const OptionFacts& option : command.options) {
        if (!option.isPositional) out += entry(tagOf(option), sentence(option.words) + additions(option));
    }
    return out;
}

std::string positionalList(const CommandFacts& command) {
    std::string out;
    for (const OptionFacts& option : command.options) {
        if (option.isPositional) out += entry(italic(option.names.front()), sentence(option.words));
    }
    return out;
}

std::string exampleList(const CommandFacts& command) {
    if (command.examples.empty()) return {};
    std::string out = section("EXAMPLES");
    bool isFirst = true;
    for (const Example& example : command.examples) {
        out += (isFirst ? "" : ".PP\n") + wrapped(escaped(example.words + (example.words.ends_with('?') ? "" : ":")));
        out += ".PP\n.RS 4\n.EX\n" + textLine(literal(example.line)) + ".EE\n.RE\n";
        isFirst = false;
    }
    return out;
}

/// Whether an option or example of a command mentions another command.
bool speaksOf(const CommandFacts& command, const std::string& other) {
    const auto says = [words = "whorl " + other](const std::string& text) {
        const std::size_t at = text.find(words);
        return at != std::string::npos && (at + words.size() == text.size() || !isLower(text[at + words.size()]));
    };
    const auto optionSays = [&](const OptionFacts& option) { return says(option.words); };
    const auto exampleSays = [&](const Example& example) { return says(example.line); };
    return std::any_of(command.options.begin(), command.options.end(), optionSays) ||
           std::any_of(command.examples.begin(), command.examples.end(), exampleSays);
}

std::string seeAlso(const std::vector<std::string>& names) {
    std::string out = section("SEE ALSO");
    for (std::size_t i = 0; i < names.size(); ++i) {
        out += bold(names[i]) + "(1)" + (i + 1 < names.size() ? ",\n" : "\n");
    }
    return out;
}

std::string head(const std::string& name, const std::string& words, const std::string& version,
                 const std::string& date) {
    std::string title = name;
    for (char& c : title) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return fmt::format(".\\\" Made by Whorl from its own options.\n.TH {} 1 {} \"whorl {}\" \"User Commands\"\n.nh\n",
                       escaped(title), date, version) +
           section("NAME") + wrapped(escaped(name) + " \\- " + escaped(words));
}

std::string exitStatus(const CommandFacts& program) {
    const auto runs = [](const OptionFacts& option) { return option.kind == ValueKind::program; };
    std::vector<std::string> runners;
    for (const CommandFacts& command : program.commands) {
        const bool runsOne = std::any_of(command.options.begin(), command.options.end(), runs);
        if (runsOne || command.leavesRest) runners.push_back(command.name);
    }
    return section("EXIT STATUS") + entry(bold("0"), "Success: all output is complete, and on the disk.") +
           entry(bold("2"), "Failure: a sentence on standard error says what is wrong, and what to do.") + ".PP\n" +
           wrapped(escaped(
               "Ctrl+C and other signals that ask to end do so as they usually do, and leave nothing behind. The "
               "commands " +
               sim::joinNames(runners) + " exit with the status of the program that they run."));
}

std::string programPage(const CommandFacts& program, const std::string& version, const std::string& date) {
    std::string out = head(program.name, "shows what a program does to the cache", version, date);
    out += section("SYNOPSIS") + synopsis(program.name, program) + "\n.br\n" + bold(program.name) + ' ' +
           italic("COMMAND") + " [" + italic("OPTIONS") + "] [" + italic("ARGUMENTS") + "...]\n";
    out += section("DESCRIPTION") +
           wrapped(
               escaped("Whorl plays a memory reference trace through a simulated memory hierarchy and draws it as an "
                       "animated picture. The CPU is in the centre, the cache levels are rings around it, every set is "
                       "a spiral arm and memory is the outer ring; blocks move in on a miss, drift outward as they age "
                       "and leave on an eviction.")) +
           ".PP\n" +
           wrapped(
               escaped("Without a command a window opens on INPUT, or on the built-in matrix multiply; the key ? lists "
                       "what can be done there.")) +
           positionalList(program);
    out += section("COMMANDS");
    std::vector<std::string> names;
    for (const CommandFacts& command : program.commands) {
        out += entry(bold(command.name), sentence(command.words));
        names.push_back(program.name + '-' + command.name);
    }
    out += optionList(program) + exampleList(program) + exitStatus(program);
    out += section("FILES") +
           entry(italic("~/.local/state/whorl/session.json"), "The last layout and contents of the window.");
    out += section("ENVIRONMENT") +
           entry(bold("XDG_STATE_HOME"), "The folder of whorl/session.json, in place of ~/.local/state.") +
           entry(bold("WHORL_SCALE"), "The scale of the window's text and lines.");
    return out + seeAlso(names);
}

std::string commandPage(const CommandFacts& program, const CommandFacts& command, const std::string& version,
                        const std::string& date) {
    const std::string called = program.name + ' ' + command.name;
    std::string out = head(program.name + '-' + command.name, summary(command.words), version, date);
    out += section("SYNOPSIS") + synopsis(called, command) + '\n';
    out += section("DESCRIPTION") + wrapped(escaped(sentence(command.words))) + positionalList(command);
    out += optionList(command) + exampleList(command);
    std::vector<std::string> names{program.name};
    for (const CommandFacts& other : program.commands) {
        if (other.name != command.name && speaksOf(command, other.name))
            names.push_back(program.name + '-' + other.name);
    }
    return out + seeAlso(names);
}

/// The page of the program and those of its commands, all in section 1. `version` is that of Whorl, `date` the day from
/// which it is, as in "2026-11-24".
std::vector<ManualPage> manualPages(const CommandFacts& program, const std::string& version, const std::string& date) {
    std::vector<ManualPage> pages{{program.name + ".1", programPage(program, version, date)}};
    for (const CommandFacts& command : program.commands) {
        pages.push_back({program.name + '-' + command.name + ".1", commandPage(program, command, version, date)});
    }
    return pages;
}

sim::Expected<void> writeManual(const CommandFacts& program, const std::string& folder) {
    for (const ManualPage& page : manualPages(program, WHORL_VERSION, WHORL_DATE)) {
        WHORL_TRY(sim::writeText(page.text, folder + '/' + page.file));
    }
    return {};
}

}  // namespace

void addManualCommand(OptionParser& program) {
    auto folder = std::make_shared<std::string>();
    OptionParser& command = program.addCommand("manual", "Write the manual pages");
    command.hide();
    command.add("FOLDER", *folder, "an existing folder", {.required = true, .kind = ValueKind::folder});
    command.onRun([folder, &program] { return writeManual(program.facts(), *folder); });
}

// whorl icons: writes the icon as PNG files into a folder. Hidden; the build calls it.

namespace {

sim::Expected<void> writeIcons(const std::string& folder) {
    for (const int size : {48, 128, 256}) {
        const std::string png = iconAsPng(size);
        const std::string file = fmt::format("{}/whorl-{}.png", folder, size);
        if (png.empty()) return sim::fail(file, "the icon cannot be drawn");
        WHORL_TRY(sim::writeText(png, file));
    }
    return {};
}

}  // namespace

void addIconsCommand(OptionParser& program) {
    auto folder = std::make_shared<std::string>();
    OptionParser& command = program.addCommand("icons", "Write the icon in several sizes");
    command.hide();
    command.add("FOLDER", *folder, "an existing folder", {.required = true, .kind = ValueKind::folder});
    command.onRun([folder] { return writeIcons(*folder); });
}

}  // namespace whorl::app
