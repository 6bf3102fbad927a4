#include "sim/capture/program_names.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "sim/base/input_file.h"
#include "sim/trace/region_file.h"

namespace whorl::sim {

namespace {

constexpr std::uint64_t kMaxSources = std::uint64_t{64} << 20;

template <std::size_t n>
bool startsWithAny(const std::string& text, const std::array<std::string_view, n>& starts) {
    return std::any_of(starts.begin(), starts.end(), [&](std::string_view s) { return text.starts_with(s); });
}

Region regionOf(const Variable& v, std::uint64_t base) {
    Region region{.name = v.name, .base = ByteAddress{base}, .size = v.size};
    region.type = v.type.element;
    if (v.type.element == nullptr) return region;
    region.elementSize = v.type.element->size;
    const std::uint64_t elements = v.size / region.elementSize;
    if (v.type.rows > 0 && v.type.rows <= elements / std::max<std::uint64_t>(v.type.columns, 1)) {
        region.rows = v.type.rows;
        region.columns = v.type.columns;
    }
    return region;
}

/// The name by which programs call a function that the C library has for several processors:
/// "__memset_avx2_unaligned_erms" is memset. One of them is both memcpy and memmove.
std::string asCalled(const std::string& function) {
    static constexpr std::array<std::string_view, 5> kProcessors = {"sse", "ssse3", "avx", "evex", "erms"};
    const std::size_t end = function.find('_', 2);
    if (!function.starts_with("__") || end == std::string::npos) return function;
    if (!startsWithAny(function.substr(end + 1), kProcessors)) return function;
    std::string name = function.substr(2, end - 2);
    return name == "memmove" ? "memcpy or memmove" : name;
}

std::string fileNameOf(const std::string& path) {
    return std::filesystem::path(path).filename().string();
}

}  // namespace

bool isLibrarySource(const std::string& path) {
    // Sources of compilers' runtimes have relative paths, or paths of the computer that built them.
    static constexpr std::array<std::string_view, 8> kFolders = {
        "/usr/include/", "/usr/lib/", "/usr/local/include/", "/usr/src/rustc-", "/rustc/", "library/", "../", "./"};
    static constexpr std::array<std::string_view, 3> kWithin = {"/../../../../include/c++/",
                                                                "/rustlib/src/rust/library/", "/.cargo/registry/src/"};
    return startsWithAny(path, kFolders) || std::any_of(kWithin.begin(), kWithin.end(), [&](std::string_view folder) {
               return path.find(folder) != std::string::npos;
           });
}

bool isSystemModule(const std::string& path) {
    static constexpr std::array<std::string_view, 5> kFolders = {"/usr/lib/", "/lib/", "/lib64/", "/usr/lib64/",
                                                                 "/usr/libexec/"};
    return startsWithAny(path, kFolders);
}

const CapturedModule* ProgramNames::moduleAt(std::uint64_t pc) const {
    // Search the latest first: a library may be loaded where another one was before.
    const auto found =
        std::find_if(log_.modules.rbegin(), log_.modules.rend(), [&](const CapturedModule& m) { return m.holds(pc); });
    return found == log_.modules.rend() ? nullptr : &*found;
}

bool ProgramNames::isOwn(std::uint64_t pc) const {
    const CapturedModule* const module = moduleAt(pc);
    return module != nullptr && !isSystemModule(module->path);
}

const SourceText& ProgramNames::textOf(const std::string& file) {
    const auto [entry, isNew] = texts_.try_emplace(file);
    if (isNew) {
        if (const auto text = readSmallFile(file, kLargestSource, "a source file")) entry->second = SourceText(*text);
    }
    return entry->second;
}

DebugInfo* ProgramNames::infoOf(const CapturedModule& module) {
    const auto [entry, isNew] = infos_.try_emplace(module.path);
    if (isNew) entry->second = DebugInfo::of(module.path);
    return entry->second.get();
}

std::vector<const CapturedModule*> ProgramNames::ownModules() const {
    std::vector<const CapturedModule*> own;
    for (const CapturedModule& m : log_.modules) {
        if (!isSystemModule(m.path)) own.push_back(&m);
    }
    return own;
}

const std::vector<Region>& ProgramNames::globalsOf(const CapturedModule& module) {
    const auto [entry, isNew] = globals_.try_emplace(module.path);
    DebugInfo* const info = !isNew || isSystemModule(module.path) ? nullptr : infoOf(module);
    if (info == nullptr) return entry->second;
    for (const Variable& v : info->globals()) entry->second.push_back(regionOf(v, v.address + module.bias));
    return entry->second;
}

const std::vector<Region>& ProgramNames::localsOfMain() {
    if (locals_) return *locals_;
    const CapturedModule* const module = moduleAt(log_.mainEntry);
    DebugInfo* const info = log_.mainStack == 0 || module == nullptr ? nullptr : infoOf(*module);
    locals_.emplace();
    if (info == nullptr) return *locals_;
    // The frame of a function begins 8 bytes above the stack pointer on entry, behind the return address.
    for (const Variable& v : info->localsAt(log_.mainEntry - module->bias)) {
        locals_->push_back(regionOf(v, log_.mainStack + 8 + static_cast<std::uint64_t>(v.offset)));
    }
    return *locals_;
}

const std::vector<Region>& ProgramNames::localsOf(std::uint64_t entry) {
    const auto [known, isNew] = frames_.try_emplace(entry);
    const CapturedModule* const module = isNew ? moduleAt(entry) : nullptr;
    DebugInfo* const info = module == nullptr ? nullptr : infoOf(*module);
    if (info == nullptr) return known->second;
    const std::vector<CodePlace>& places = placesAt(entry);
    const std::string prefix = places.empty() ? std::string() : places.back().function + "::";
    for (const Variable& v : info->localsAt(entry - module->bias)) {
        if (v.size < kMinLocal) continue;
        known->second.push_back(regionOf(v, static_cast<std::uint64_t>(v.offset)));
        known->second.back().name = prefix + v.name;
    }
    return known->second;
}

const std::vector<CodePlace>& ProgramNames::placesAt(std::uint64_t pc) {
    const auto [entry, isNew] = places_.try_emplace(pc);
    if (!isNew) return entry->second;
    const CapturedModule* const module = moduleAt(pc);
    if (module == nullptr) return entry->second;
    DebugInfo* const info = infoOf(*module);
    if (info != nullptr) entry->second = info->placesAt(pc - module->bias);
    if (entry->second.empty()) {
        entry->second.push_back({.file = {},
                                 .line = 0,
                                 .column = 0,
                                 .function = fmt::format("{}+{:#x}", fileNameOf(module->path), pc - module->bias)});
    }
    return entry->second;
}

const std::vector<std::shared_ptr<const FunctionScope>>& ProgramNames::scopesAt(std::uint64_t pc) {
    const auto [entry, isNew] = scopes_.try_emplace(pc);
    const CapturedModule* const module = isNew ? moduleAt(pc) : nullptr;
    DebugInfo* const info = module == nullptr ? nullptr : infoOf(*module);
    if (info != nullptr) entry->second = info->scopesAt(pc - module->bias);
    return entry->second;
}

CodePlace ProgramNames::placeOf(std::uint64_t pc) {
    return std::move(inlinedPlacesOf(pc).front());
}

std::vector<CodePlace> ProgramNames::inlinedPlacesOf(std::uint64_t pc) {
    const auto function = [](std::string name) {
        return std::vector{CodePlace{.file = {}, .line = 0, .column = 0, .function = std::move(name)}};
    };
    const CapturedModule* const module = moduleAt(pc);
    if (module != nullptr && fileNameOf(module->path).starts_with("ld-linux")) return function("the dynamic linker");
    const std::vector<CodePlace>& places = placesAt(pc);
    if (places.empty()) return function({});
    std::vector<CodePlace> own;
    std::copy_if(places.begin(), places.end(), std::back_inserter(own),
                 [](const CodePlace& p) { return p.line > 0 && !isLibrarySource(p.file); });
    // For code of a library, return its outermost function, as called from elsewhere.
    return own.empty() ? function(asCalled(places.back().function)) : own;
}

bool ProgramNames::isIn(std::uint64_t pc, const std::string& function) {
    const std::vector<CodePlace>& places = placesAt(pc);
    return std::any_of(places.begin(), places.end(), [&](const CodePlace& p) {
        return p.function == function || p.function.ends_with("::" + function);
    });
}

void nameSites(TraceBuilder& builder, ProgramNames& names, bool withTexts) {
    std::uint64_t left = kMaxSources;
    std::set<std::string> files;
    for (std::uint32_t s = 1; s < builder.sites().size(); ++s) {
        const CodePlace place = names.placeOf(builder.sites()[s].pc.value);
        builder.locate(SiteId{s}, place.file, place.line, place.function);
        if (!withTexts || place.line == 0 || !files.insert(place.file).second) continue;
        const auto text = readSmallFile(place.file, std::min(kLargestSource, left), "a source file");
        if (!text) continue;
        left -= text->size();
        builder.sourceText(place.file, *text);
    }
}

// --- traces that other tools recorded ---

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
