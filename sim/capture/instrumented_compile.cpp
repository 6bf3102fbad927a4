#include "sim/capture/instrumented_compile.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace whorl::sim {
namespace {

using Words = std::vector<std::string>;

bool has(const Words& words, std::string_view word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

/// Whether the command compiles or links a file, rather than only querying the compiler.
bool hasInput(const Words& command) {
    for (std::size_t i = wordsOfCompiler(command); i < command.size(); ++i) {
        if (command[i].empty() || command[i] == "-o") {
            ++i;
        } else if (command[i].front() != '-' || command[i].starts_with("-l")) {
            return true;
        }
    }
    return false;
}

bool makesExecutable(const Words& command) {
    static constexpr std::array<std::string_view, 10> kOther = {
        "-c", "-S", "-E", "-M", "-MM", "-shared", "-r", "-fsyntax-only", "-###", "--version"};
    return hasInput(command) &&
           std::none_of(kOther.begin(), kOther.end(), [&](std::string_view o) { return has(command, o); });
}

}  // namespace

std::size_t wordsOfCompiler(const Words& command) {
    static constexpr std::array<std::string_view, 4> kWrappers = {"ccache", "sccache", "distcc", "icecc"};
    if (command.size() < 2) return command.size();
    const std::string_view name = std::string_view(command[0]).substr(command[0].rfind('/') + 1);
    return std::find(kWrappers.begin(), kWrappers.end(), name) != kWrappers.end() ? 2 : 1;
}

Expected<Words> instrumentedCompile(const Words& command, CompilerKind kind, const std::string& folder) {
    for (const std::string& word : command) {
        if (word.starts_with("-fsanitize=")) {
            return fail(word, "a program cannot be recorded and checked by a sanitizer at once",
                        "leave it out; whorl cc uses the compiler's own for recording");
        }
    }
    Words words = command;
    words.push_back(kind == CompilerKind::gcc ? "-specs=" + folder + "/gcc.specs" : "@" + folder + "/clang.options");
    words.emplace_back("-fno-lto");
    if (!makesExecutable(command)) return words;
    for (const char* const option : {"-static", "-static-pie"}) {
        if (!has(command, option)) continue;
        return fail(option, "a static executable cannot be recorded this way",
                    "leave it out, or compile without whorl cc: whorl capture records static executables, too");
    }
    words.push_back("@" + folder + "/link.options");
    words.push_back("-Wl,--whole-archive," + folder + "/libwhorl_runtime.a,--no-whole-archive");
    return words;
}

}  // namespace whorl::sim
