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

/// Whether there is a file to compile or to link, and not only a question about the compiler.
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
    static constexpr std::array<std::string_view, 11> kOther = {
        "-c", "-S", "-E", "-M", "-MM", "-shared", "-r", "-fsyntax-only", "-v", "-###", "--version"};
    return hasInput(command) &&
           std::none_of(kOther.begin(), kOther.end(), [&](std::string_view o) { return o != "-v" && has(command, o); });
}

void add(Words& words, std::initializer_list<const char*> more) {
    words.insert(words.end(), more.begin(), more.end());
}

/// clang's hooks of -fsanitize=thread leave accesses out (see docs/capture.md); those of the kernel's address sanitizer
/// do not. They are calls, without redzones and without a run-time library.
void addHooks(Words& words, CompilerKind kind, const std::string& folder) {
    if (kind == CompilerKind::gcc) {
        // Only the compiler proper is told of the sanitizer: the linker would add its run-time library.
        words.push_back("-specs=" + folder + "/gcc.specs");
    } else {
        add(words, {"-Qunused-arguments", "-fsanitize=kernel-address", "-fno-omit-frame-pointer"});
        for (const char* const option :
             {"-asan-instrumentation-with-call-threshold=0", "-asan-globals=0", "-asan-stack=0", "-asan-opt=0"}) {
            add(words, {"-mllvm", option});
        }
    }
    words.emplace_back("-fno-lto");
}

void addRuntime(Words& words, const std::string& folder) {
    words.emplace_back("-Wl,--wrap=main,--wrap=memcpy,--wrap=memmove,--wrap=memset");
    words.emplace_back("-rdynamic");
    words.push_back("-Wl,--whole-archive," + folder + "/libwhorl_runtime.a,--no-whole-archive");
    add(words, {"-ldl", "-pthread"});
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
    addHooks(words, kind, folder);
    if (!makesExecutable(command)) return words;
    for (const char* const option : {"-static", "-static-pie"}) {
        if (!has(command, option)) continue;
        return fail(option, "a static executable cannot be recorded this way",
                    "leave it out, or compile without whorl cc: whorl capture records static executables, too");
    }
    addRuntime(words, folder);
    return words;
}

}  // namespace whorl::sim
