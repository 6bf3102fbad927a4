#include "app/system/editors.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "app/system/child_process.h"
#include "sim/base/text.h"

namespace whorl::app {

std::string editorCommand(std::string_view editor, const std::string& file, std::uint32_t line) {
    std::string out;
    const auto put = [&](std::string_view word, const std::string& value) {
        if (!editor.starts_with(word)) return false;
        out += value;
        editor.remove_prefix(word.size());
        return true;
    };
    while (!editor.empty()) {
        if (put("{file}", shellQuoted(file)) || put("{line}", std::to_string(line))) continue;
        out += editor.front();
        editor.remove_prefix(1);
    }
    return out;
}

sim::Expected<void> Editors::open(const std::string& editor, const std::string& file, std::uint32_t line) {
    const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (nothing < 0) return sim::fail("/dev/null", std::strerror(errno));
    Begun begun{.command = editorCommand(editor, file, line)};
    const int error = spawnChild(begun.process, {"/bin/sh", "-c", begun.command}, nothing, STDERR_FILENO);
    close(nothing);
    if (error != 0) return sim::fail("", fmt::format("the editor cannot be started: {}", std::strerror(error)));
    begun_.push_back(std::move(begun));
    return {};
}

std::optional<sim::Error> Editors::takeError() {
    for (std::size_t i = 0; i < begun_.size(); ++i) {
        int status = 0;
        if (waitpid(begun_[i].process, &status, WNOHANG) <= 0) continue;
        const std::string command = begun_[i].command;
        begun_.erase(begun_.begin() + static_cast<std::ptrdiff_t>(i));
        if (status == 0) return takeError();
        constexpr int kNotFound = 127;  // of a shell
        const bool isUnknown = WIFEXITED(status) && WEXITSTATUS(status) == kNotFound;
        return sim::Error{.where = {},
                          .what = fmt::format("the editor {}: {}", isUnknown ? "was not found" : howItEnded(status),
                                              sim::quotedText(command)),
                          .hint = "choose another one with the command editor"};
    }
    return std::nullopt;
}

}  // namespace whorl::app
