#include "sim/capture/binary_names.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <utility>
#include <vector>

#include "sim/base/input_file.h"
#include "sim/capture/program_names.h"
#include "sim/trace/region_file.h"

namespace whorl::sim {
namespace {

/// The biases at which versions of Valgrind, and Linux without randomization, load position-independent executables.
constexpr std::array<std::uint64_t, 3> kUsualBiases = {0x108000, 0x400000, 0x555555554000};
constexpr std::size_t kMaxHeaders = 1000;

/// The code of an executable, as addresses in the file.
struct BinaryCode {
    std::uint64_t start = 0;
    std::uint64_t end = 0;
    bool isMovable = false;  ///< position-independent
};

Expected<BinaryCode> codeOf(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file)
        return fail(path, "there is no such file, or it cannot be read", "give the executable that was recorded");
    Elf64_Ehdr head{};
    file.read(reinterpret_cast<char*>(&head), sizeof head);
    if (!file || std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_ident[EI_CLASS] != ELFCLASS64) {
        return fail(path, "this is not an executable for 64-bit Linux", "give the executable that was recorded");
    }
    BinaryCode code{.start = ~std::uint64_t{0}, .end = 0, .isMovable = head.e_type == ET_DYN};
    file.seekg(static_cast<std::streamoff>(head.e_phoff));
    for (std::size_t i = 0; i < std::min<std::size_t>(head.e_phnum, kMaxHeaders); ++i) {
        Elf64_Phdr segment{};
        file.read(reinterpret_cast<char*>(&segment), sizeof segment);
        if (!file) break;
        if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) == 0) continue;
        code.start = std::min<std::uint64_t>(code.start, segment.p_vaddr);
        code.end = std::max<std::uint64_t>(code.end, segment.p_vaddr + segment.p_memsz);
    }
    if (code.start >= code.end) return fail(path, "this file has no code", "give the executable that was recorded");
    return code;
}

std::size_t sitesIn(const Trace& trace, const BinaryCode& code, std::uint64_t bias) {
    return static_cast<std::size_t>(std::count_if(trace.sites().begin(), trace.sites().end(), [&](const Site& site) {
        return site.pc.value - bias - code.start < code.end - code.start;
    }));
}

/// The bias in the trace's list of modules.
std::optional<std::uint64_t> listedBias(const Trace& trace, const std::string& path, const BinaryCode& code) {
    const auto name = std::filesystem::path(path).filename();
    for (const Module& module : trace.modules()) {
        if (std::filesystem::path(module.path).filename() == name) return module.base.value - code.start;
    }
    return std::nullopt;
}

Expected<std::uint64_t> biasOf(const Trace& trace, const NamedBinary& binary, const BinaryCode& code) {
    std::uint64_t bias = 0;
    if (binary.bias) {
        bias = *binary.bias;
    } else if (const auto listed = listedBias(trace, binary.path, code)) {
        bias = *listed;
    } else if (code.isMovable) {
        bias = *std::max_element(kUsualBiases.begin(), kUsualBiases.end(), [&](std::uint64_t a, std::uint64_t b) {
            return sitesIn(trace, code, a) < sitesIn(trace, code, b);
        });
    }
    if (sitesIn(trace, code, bias) > 0) return bias;
    return fail(
        binary.path, fmt::format("{} has no instruction of this executable, loaded at {:#x}", trace.name(), bias),
        fmt::format("give the executable that was recorded, and where it was loaded: {}@0x55e0c0a3f000", binary.path));
}

/// Sets lines and functions of the instructions of the executable.
class BinarySites {
  public:
    BinarySites(TraceParts& parts, ProgramNames& names) : parts_(parts), names_(names) {
        for (std::size_t f = 0; f < parts.files.size(); ++f) files_.emplace(parts.files[f].path, f);
        if (parts.functions.empty()) parts.functions.emplace_back();
        for (std::size_t f = 0; f < parts.functions.size(); ++f) functions_.emplace(parts.functions[f], f);
    }

    void name(const BinaryCode& code, std::uint64_t bias) {
        for (Site& site : parts_.sites) {
            if (site.pc.value - bias - code.start >= code.end - code.start || site.line != 0) continue;
            const CodePlace place = names_.placeOf(site.pc.value);
            if (!place.function.empty()) site.function = numbered(functions_, parts_.functions, place.function);
            if (place.line == 0) continue;
            const auto [entry, isNew] = files_.try_emplace(place.file, parts_.files.size());
            if (isNew) parts_.files.push_back({.path = place.file, .lines = {}});
            site.file = static_cast<std::uint32_t>(entry->second);
            site.line = place.line;
        }
    }

    /// Reads the texts of the files that the debug information names.
    void readTexts() {
        for (SourceFile& file : parts_.files) {
            if (!file.lines.empty()) continue;
            if (const auto text = readSmallFile(file.path, kLargestSource, "a source file"))
                file.lines = SourceText(*text);
        }
    }

  private:
    TraceParts& parts_;
    ProgramNames& names_;
    std::map<std::string, std::size_t> files_;
    std::map<std::string, std::size_t> functions_;

    static std::uint32_t numbered(std::map<std::string, std::size_t>& numbers, std::vector<std::string>& all,
                                  const std::string& text) {
        const auto [entry, isNew] = numbers.try_emplace(text, all.size());
        if (isNew) all.push_back(text);
        return static_cast<std::uint32_t>(entry->second);
    }
};

bool overlapsDeclared(const Trace& trace, const Region& region) {
    return std::any_of(trace.regions().begin(), trace.regions().end(), [&](const Region& r) {
        return r.origin != RegionOrigin::inferred && r.base <= region.last() && region.base <= r.last();
    });
}

}  // namespace

Expected<NamedBinary> parseBinary(const std::string& words) {
    const std::size_t at = words.rfind("@0x");
    if (at == std::string::npos) return NamedBinary{words, std::nullopt};
    std::uint64_t bias = 0;
    const char* const end = words.data() + words.size();
    const auto [rest, error] = std::from_chars(words.data() + at + 3, end, bias, 16);
    if (error != std::errc{} || rest != end) {
        return fail("--binary", fmt::format("\"{}\" is not an address", words.substr(at + 1)),
                    "use PROGRAM or PROGRAM@0x108000");
    }
    return NamedBinary{words.substr(0, at), bias};
}

Expected<Trace> withBinary(Trace trace, const NamedBinary& binary, bool sources) {
    const auto code = WHORL_TRY(codeOf(binary.path));
    const std::uint64_t bias = WHORL_TRY(biasOf(trace, binary, code));
    CaptureLog log;
    log.modules.push_back(
        {.path = binary.path, .bias = bias, .start = code.start + bias, .size = code.end - code.start});
    ProgramNames names(log);
    if (names.infoOf(log.modules.front()) == nullptr) {
        return fail(binary.path, "this executable has neither debug information nor symbols", "compile it with -g");
    }
    std::vector<Region> globals;
    for (const Region& r : names.globalsOf(log.modules.front())) {
        const bool isValid = r.size > 0 && r.base.value + r.size > r.base.value;
        if (isValid && !trace.footprint().touchedBlocks(r.base, r.last(), Footprint::kGranule).empty() &&
            !overlapsDeclared(trace, r))
            globals.push_back(r);
    }
    TraceParts parts = std::move(trace).takeParts();
    BinarySites sites(parts, names);
    sites.name(code, bias);
    if (sources) sites.readTexts();
    Trace named(std::move(parts));
    if (globals.empty()) return named;
    std::sort(globals.begin(), globals.end(), [](const Region& a, const Region& b) { return a.base < b.base; });
    // If several names share memory, keep the first: none is better than the others.
    std::vector<Region> apart;
    for (Region& r : globals) {
        if (apart.empty() || apart.back().last() < r.base) apart.push_back(std::move(r));
    }
    return withRegions(std::move(named), std::move(apart), binary.path);
}

}  // namespace whorl::sim
