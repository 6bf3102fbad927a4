// The built-in program that runs a pattern, given as text.
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "sim/base/input_file.h"
#include "sim/base/text.h"
#include "sim/programs/catalogue.h"
#include "sim/programs/pattern/pattern.h"

namespace whorl::sim {

namespace {

Expected<Pattern> patternOf(const ProgramArguments& arguments) {
    const std::string& file = arguments.word("file");
    return parsePattern(arguments.word("text"), file.empty() ? "pattern" : file);
}

/// The name of the trace: the title of a typed pattern, or the name of the file.
std::string nameOf(const ProgramArguments& arguments) {
    const std::string& file = arguments.word("file");
    return file.empty() ? patternTitle(arguments.word("text")) : file.substr(file.rfind('/') + 1);
}

Expected<Trace> run(const ProgramArguments& arguments, Progress& progress) {
    const auto pattern = WHORL_TRY(patternOf(arguments));
    return runPattern(pattern, nameOf(arguments), progress);
}

Expected<void> check(const ProgramArguments& arguments) {
    if (trimmed(arguments.word("text")).empty()) {
        const std::string& file = arguments.word("file");
        return fail(file.empty() ? "pattern" : file, "the pattern is empty",
                    "write one, such as pattern:for i in 0..16 { read A[i] }");
    }
    return patternOf(arguments).map([](const Pattern&) {});
}

}  // namespace

std::string patternTitle(std::string_view text) {
    text = trimmed(text);
    const bool isComment = text.starts_with("#") || text.starts_with("//");
    if (!isComment) return "pattern " + quotedText(text);
    text = text.substr(0, text.find('\n'));
    text = trimmed(text.substr(std::min(text.find_first_not_of("#/ \t"), text.size())));
    const std::string quoted = quotedText(text);
    return text.empty() ? "pattern" : quoted.substr(1, quoted.size() - 2);
}

Program patternProgram() {
    return {.name = "pattern",
            .description = "Makes the accesses that loops and arrays describe: see docs/patterns.md.",
            .options = {{.name = "text", .description = "the pattern", .defaultValue = "", .isText = true},
                        {.name = "file", .description = "where it is from", .defaultValue = "", .isText = true}},
            .machine = "default",
            .run = run,
            .check = check};
}

Expected<ProgramSpec> patternIn(const std::string& path) {
    return readSmallFile(path, kMaxPatternBytes, "a pattern").map([&](std::string&& text) {
        return ProgramSpec{.program = programNamed("pattern"), .options = {{"text", std::move(text)}, {"file", path}}};
    });
}

}  // namespace whorl::sim
