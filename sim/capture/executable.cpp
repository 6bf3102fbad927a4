#include "sim/capture/executable.h"

#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace whorl::sim {
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
