#include "sim/capture/traced_process.h"

#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "sim/capture/instrumented_build.h"

namespace whorl::sim {

namespace {

/// Runs between fork and exec: calls only async-signal-safe functions.
[[noreturn]] void become(char* const* arguments, char* const* environment, const std::vector<int>& inherited,
                         int report) {
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    for (const int signal : {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ}) std::signal(signal, SIG_DFL);
    for (const int fd : inherited) fcntl(fd, F_SETFD, 0);
    execvpe(arguments[0], arguments, environment);
    const int error = errno;
    [[maybe_unused]] const ssize_t written = write(report, &error, sizeof error);
    _exit(127);
}

std::vector<char*> pointersTo(std::vector<std::string>& texts) {
    std::vector<char*> pointers;
    pointers.reserve(texts.size() + 1);
    for (std::string& t : texts) pointers.push_back(t.data());
    pointers.push_back(nullptr);
    return pointers;
}

}  // namespace

Expected<ChildProcess> ChildProcess::start(const std::vector<std::string>& command,
                                           const std::vector<std::string>& environment,
                                           const std::vector<int>& inherited) {
    std::vector<std::string> words = command;
    std::vector<std::string> variables = environment;
    for (char** v = environ; *v != nullptr; ++v) variables.emplace_back(*v);
    const std::vector<char*> arguments = pointersTo(words);
    const std::vector<char*> everything = pointersTo(variables);
    std::array<int, 2> report{};
    if (pipe2(report.data(), O_CLOEXEC) != 0) return fail(command[0], std::strerror(errno));
    const pid_t id = fork();
    if (id == 0) become(arguments.data(), everything.data(), inherited, report[1]);
    const int forkError = errno;
    close(report[1]);
    int error = 0;
    const bool failed = id < 0 || read(report[0], &error, sizeof error) == static_cast<ssize_t>(sizeof error);
    close(report[0]);
    if (!failed) return ChildProcess(id);
    if (id > 0) waitpid(id, nullptr, 0);
    return fail(command[0], std::string("cannot be started: ") + std::strerror(id < 0 ? forkError : error));
}

std::optional<int> ChildProcess::ended() {
    int status = 0;
    if (!status_ && waitpid(id_, &status, WNOHANG) == id_) status_ = status;
    return status_;
}

void ChildProcess::send(int signal) const {
    if (!status_) kill(id_, signal);
}

int shellStatus(int status) {
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

namespace {

void takeSegments(Elf* elf, Executable& of) {
    std::size_t count = 0;
    if (elf_getphdrnum(elf, &count) != 0) return;
    for (std::size_t i = 0; i < count; ++i) {
        GElf_Phdr segment;
        if (gelf_getphdr(elf, static_cast<int>(i), &segment) == nullptr) continue;
        if (segment.p_type == PT_INTERP) of.isStatic = false;
        if (segment.p_type != PT_LOAD || segment.p_memsz < segment.p_filesz) continue;
        of.loadedEnd = std::max<std::uint64_t>(of.loadedEnd, segment.p_vaddr + segment.p_memsz);
        of.zeroed = std::max<std::uint64_t>(of.zeroed, segment.p_memsz - segment.p_filesz);
    }
}

void takeSymbols(Elf* elf, Elf_Scn* section, Executable& of) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr || header.sh_entsize == 0) return;
    if (header.sh_type != SHT_DYNSYM && header.sh_type != SHT_SYMTAB) return;
    of.hasSymbols = of.hasSymbols || header.sh_type == SHT_SYMTAB;
    Elf_Data* const data = elf_getdata(section, nullptr);
    const auto count = static_cast<int>(header.sh_size / header.sh_entsize);
    for (int i = 0; i < count; ++i) {
        GElf_Sym symbol;
        if (gelf_getsym(data, i, &symbol) == nullptr || symbol.st_shndx == SHN_UNDEF) continue;
        const char* const name = elf_strptr(elf, header.sh_link, symbol.st_name);
        if (name == nullptr) continue;
        of.hasRuntime = of.hasRuntime || std::strcmp(name, "whorl_runtime_request") == 0;
        of.startsOther = of.startsOther || std::strcmp(name, "whorl_has_recorded") == 0;
        of.isGo = of.isGo || std::strcmp(name, "main.main") == 0;
    }
}

}  // namespace

Executable executableAt(const std::string& path) {
    Executable found;
    elf_version(EV_CURRENT);
    const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) return found;
    Elf* const elf = elf_begin(fd, ELF_C_READ, nullptr);
    GElf_Ehdr header;
    if (elf_kind(elf) == ELF_K_ELF && gelf_getehdr(elf, &header) != nullptr) {
        found.isStatic = true;
        found.isMovable = header.e_type == ET_DYN;
        takeSegments(elf, found);
        for (Elf_Scn* s = elf_nextscn(elf, nullptr); s != nullptr; s = elf_nextscn(elf, s)) takeSymbols(elf, s, found);
    }
    elf_end(elf);
    close(fd);
    if (!found.startsOther) return found;
    // Beside the file itself, where a link leads.
    std::error_code ignored;
    const std::string other = std::filesystem::canonical(path, ignored).string() + kRecordedSuffix;
    found.hasRuntime = access(other.c_str(), X_OK) == 0;
    return found;
}

std::string findProgram(const std::string& name) {
    const auto isProgram = [](const std::string& path) {
        struct stat about {};
        return stat(path.c_str(), &about) == 0 && S_ISREG(about.st_mode) && access(path.c_str(), X_OK) == 0;
    };
    if (name.find('/') != std::string::npos) return isProgram(name) ? name : std::string();
    const char* const path = std::getenv("PATH");
    std::string folders = path == nullptr ? "/usr/bin:/bin" : path;
    for (std::size_t from = 0; from <= folders.size();) {
        const std::size_t end = std::min(folders.find(':', from), folders.size());
        std::string candidate = folders.substr(from, end - from) + '/' + name;
        if (isProgram(candidate)) return candidate;
        from = end + 1;
    }
    return {};
}

}  // namespace whorl::sim
