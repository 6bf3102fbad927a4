// whorl cc: compiles a program so that it can be recorded with little delay, and all its threads at once.
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "app/cli/subcommands.h"
#include "app/system/child_process.h"
#include "sim/capture/capture.h"
#include "sim/capture/instrumented_compile.h"

namespace whorl::app {

namespace {

/// Asks the compiler which one it is.
sim::Expected<sim::CompilerKind> kindOf(const std::vector<std::string>& command) {
    std::string question;
    for (std::size_t i = 0; i < sim::wordsOfCompiler(command); ++i) question += shellQuoted(command[i]) + ' ';
    std::string words;
    if (!runInShell(question + "-dM -E -x c /dev/null", words)) {
        return sim::fail(command[0], "this is not a compiler that whorl cc knows, or it cannot be run",
                         "give g++, gcc, clang++ or clang, as in: whorl cc g++ -O2 -g a.cpp -o a");
    }
    return words.find("__clang__") != std::string::npos ? sim::CompilerKind::clang : sim::CompilerKind::gcc;
}

sim::Expected<std::vector<std::string>> instrumented(const std::vector<std::string>& command) {
    if (command.empty()) {
        return sim::fail("cc", "the compiler is missing", "as in: whorl cc g++ -O2 -g a.cpp -o a");
    }
    auto folder = WHORL_TRY(sim::captureFolderWith("libwhorl_runtime.a"));
    const auto kind = WHORL_TRY(kindOf(command));
    return sim::instrumentedCompile(command, kind, folder);
}

/// Replaces this process with the compiler, whose command line gets the options that instrument the program.
sim::Expected<void> compile(std::vector<std::string> command) {
    if (!command.empty() && command.front() == "--") command.erase(command.begin());
    auto words = WHORL_TRY(instrumented(command));
    std::vector<char*> pointers;
    for (std::string& w : words) pointers.push_back(w.data());
    pointers.push_back(nullptr);
    // Signals that are ignored stay so.
    std::signal(SIGPIPE, SIG_DFL);
    std::signal(SIGXFSZ, SIG_DFL);
    execvp(pointers[0], pointers.data());
    return sim::fail(command[0], std::strerror(errno));
}

}  // namespace

void addCcCommand(OptionParser& program) {
    OptionParser& command =
        program.addCommand("cc", "Compile a program so that it records itself: whorl cc g++ -O2 -g a.cpp -o a");
    command.leaveRest();
    command.addExample("Compile a program, and see all its threads at once",
                       "whorl cc g++ -O2 -g a.cpp -o a && whorl run -- ./a");
    command.addExample("The same from a makefile", "make CXX=\"whorl cc g++\"");
    command.onRun([&command] { return compile(command.leftOver()); });
}

}  // namespace whorl::app
