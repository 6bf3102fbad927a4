#include "sim/capture/program_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>

#include "sim/base/input_file.h"

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

std::string fileNameOf(const std::string& path) {
    return std::filesystem::path(path).filename().string();
}

}  // namespace

bool isLibrarySource(const std::string& path) {
    // Sources of compilers' runtimes have relative paths, or paths of the computer that built them.
    static constexpr std::array<std::string_view, 6> kFolders = {"/usr/include/", "/usr/lib/",   "/usr/local/include/",
                                                                 "/rustc/",       "../sysdeps/", "./"};
    return startsWithAny(path, kFolders) || path.find("/../../../../include/c++/") != std::string::npos;
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

CodePlace ProgramNames::placeOf(std::uint64_t pc) {
    const std::vector<CodePlace>& places = placesAt(pc);
    if (places.empty()) return {};
    const auto own = std::find_if(places.begin(), places.end(),
                                  [](const CodePlace& p) { return p.line > 0 && !isLibrarySource(p.file); });
    if (own != places.end()) return *own;
    // For code of a library, return its outermost function, as called from elsewhere.
    return {.file = {}, .line = 0, .column = 0, .function = places.back().function};
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

}  // namespace whorl::sim
