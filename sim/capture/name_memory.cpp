// Gives memory its names: see nameMemory().
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "sim/base/input_file.h"
#include "sim/capture/program_names.h"
#include "sim/capture/source_names.h"
#include "sim/trace/region.h"
#include "sim/trace/source_text.h"

namespace whorl::sim {
namespace {

/// The maximum number of blocks allocated by one line that get regions of their own; more blocks share regions.
constexpr std::size_t kMaxOfOwn = 8;
/// Blocks of the same line at most this far apart, in bytes, belong to one region.
constexpr std::uint64_t kNear = 64;
/// The maximum number of regions for the blocks of one line; more scattered blocks have none.
constexpr std::size_t kMaxSpans = 4;

/// Blocks of the heap that were allocated by the same line of the program.
struct AllocationGroup {
    std::string name;
    std::shared_ptr<const ElementType> type;
    std::vector<std::size_t> members;  ///< indices of allocations, by birth
};

/// The source line that allocated memory, with the name and the type from its text.
struct Allocator {
    std::string key;  ///< equal for the same line
    std::string name;
    std::shared_ptr<const ElementType> type;
};

std::shared_ptr<const ElementType> basicType(const std::string& name) {
    static const std::map<std::string, std::uint32_t> kSizes = {
        {"char", 1},         {"bool", 1},         {"unsigned char", 1}, {"signed char", 1}, {"int8_t", 1},
        {"uint8_t", 1},      {"short", 2},        {"int16_t", 2},       {"uint16_t", 2},    {"int", 4},
        {"unsigned", 4},     {"unsigned int", 4}, {"int32_t", 4},       {"uint32_t", 4},    {"float", 4},
        {"long", 8},         {"size_t", 8},       {"double", 8},        {"int64_t", 8},     {"uint64_t", 8},
        {"long long", 8},    {"i32", 4},          {"u32", 4},           {"f32", 4},         {"i64", 8},
        {"u64", 8},          {"f64", 8},          {"usize", 8},         {"u8", 1},          {"i8", 1},
        {"unsigned long", 8}};
    const std::size_t scope = name.rfind("::");
    const auto known = kSizes.find(scope == std::string::npos ? name : name.substr(scope + 2));
    if (known == kSizes.end()) return nullptr;
    return std::make_shared<const ElementType>(ElementType{.name = name, .size = known->second, .fields = {}});
}

class MemoryNamer {
  public:
    MemoryNamer(TraceBuilder& builder, ProgramNames& names, CaptureLog& log)
        : builder_(builder), names_(names), log_(log) {}

    void name() {
        for (const RequestedRegion& r : log_.regions) addRequested(r);
        findGroups();
        for (const CapturedModule* module : names_.ownModules()) {
            for (const Region& global : names_.globalsOf(*module)) addVariable(global);
        }
        for (const Region& local : names_.localsOfMain()) addVariable(local);
        for (auto& [key, group] : groups_) addRegions(group);
        std::vector<Object> all = objects();
        addFrames(all);
        endBeforeNext(all);
        builder_.keep(std::move(all));
    }

  private:
    TraceBuilder& builder_;
    ProgramNames& names_;
    CaptureLog& log_;
    std::map<std::uint32_t, Allocator> allocators_;  ///< by list of callers
    std::map<std::string, AllocationGroup> groups_;  ///< by key
    std::set<std::string> heapNames_;
    std::vector<const AllocationGroup*> groupOf_;  ///< by allocation
    std::map<std::string, SourceText> texts_;

    /// The name of a variable's region. If heap memory has that name, as that to which the variable points or which it
    /// manages, the variable itself is called "variable NAME".
    std::string nameOf(const Region& variable) const {
        return variable.rows == 0 && heapNames_.contains(variable.name) ? "variable " + variable.name : variable.name;
    }

    /// Adds a region if its memory was touched and has no name yet.
    void addVariable(Region region) {
        region.name = nameOf(region);
        if (region.size == 0 || region.base.value + region.size < region.base.value) return;
        const ByteAddress end{region.base.value + region.size};
        if (builder_.touches(region.base, end)) builder_.addRegion(std::move(region));
    }

    void addRequested(const RequestedRegion& r) {
        if (r.size == 0 || r.base.value > ~r.size) return;
        Region region{.name = r.name, .base = r.base, .size = r.size};
        region.elementSize = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(r.elementSize, 1, ~0u));
        const std::uint64_t elements = r.size / region.elementSize;
        const bool fits = r.rows > 0 && r.rows <= elements / std::max<std::uint64_t>(r.columns, 1);
        region.rows = fits ? r.rows : elements;
        region.columns = fits ? r.columns : 0;
        if (region.elementSize == 1 && r.rows == 0) region.rows = 0;
        builder_.addRegion(std::move(region));
    }

    // --- the heap
    // -----------------------------------------------------------------------------------------------------

    const SourceText& textOf(const std::string& file) {
        const auto [entry, isNew] = texts_.try_emplace(file);
        if (isNew) {
            if (const auto text = readSmallFile(file, std::uint64_t{8} << 20, "a source file")) {
                entry->second = SourceText(*text);
            }
        }
        return entry->second;
    }

    AllocationName nameAt(const CodePlace& place) {
        const SourceText& text = textOf(place.file);
        if (place.line == 0 || place.line > text.size()) return {};
        std::string before;
        for (std::uint32_t l = place.line > 3 ? place.line - 3 : 1; l < place.line; ++l) {
            before += std::string(text[l - 1]) + '\n';
        }
        return allocationName(text[place.line - 1], before, place.column);
    }

    std::shared_ptr<const ElementType> typeNamed(const std::string& name, std::uint64_t pc) {
        if (name.empty()) return nullptr;
        const CapturedModule* const module = names_.moduleAt(pc);
        DebugInfo* const info = module == nullptr ? nullptr : names_.infoOf(*module);
        auto known = info == nullptr ? nullptr : info->typeNamed(name);
        return known != nullptr ? known : basicType(name);
    }

    /// The innermost caller in the program's own source is the allocator; a library function in between may determine
    /// the type.
    const Allocator& allocatorOf(std::uint32_t callers) {
        const auto [entry, isNew] = allocators_.try_emplace(callers);
        if (!isNew) return entry->second;
        Allocator& made = entry->second;
        std::string type;
        std::string outside;
        for (const std::uint64_t pc : log_.callers[callers]) {
            for (const CodePlace& place : names_.placesAt(pc)) {
                if (type.empty()) type = allocatedType(place.function);
                const CapturedModule* const module = names_.moduleAt(pc);
                const bool isOwn = module != nullptr && !isSystemModule(module->path);
                if (isOwn && outside.empty()) outside = place.function;
                if (!isOwn || place.line == 0 || isLibrarySource(place.file)) continue;
                const AllocationName said = nameAt(place);
                made.key = fmt::format("{}:{}:{}", place.file, place.line, place.column);
                made.name = said.name.empty() ? fmt::format("{}:{}", place.function, place.line) : said.name;
                made.type = typeNamed(type.empty() ? said.type : type, pc);
                return made;
            }
        }
        made.name = outside.empty() ? "heap" : "heap of " + outside;
        made.key = made.name;
        return made;
    }

    void findGroups() {
        groupOf_.resize(log_.allocations.size());
        for (std::size_t a = 0; a < log_.allocations.size(); ++a) {
            const Allocator& allocator = allocatorOf(log_.allocations[a].callers);
            AllocationGroup& group = groups_[allocator.key];
            group.name = allocator.name;
            heapNames_.insert(group.name);
            if (group.type == nullptr) group.type = allocator.type;
            group.members.push_back(a);
            groupOf_[a] = &group;
        }
    }

    std::string nameOf(const AllocationGroup& group, std::size_t number) const {
        const bool isAlone = group.members.size() == 1;
        return isAlone ? group.name : fmt::format("{}#{}", group.name, number + 1);
    }

    /// The memory of a group's blocks at any time, as ranges without overlap.
    std::vector<std::pair<std::uint64_t, std::uint64_t>> spansOf(const AllocationGroup& group) const {
        std::vector<std::pair<std::uint64_t, std::uint64_t>> spans;
        for (const std::size_t a : group.members) {
            const Allocation& block = log_.allocations[a];
            if (builder_.touches(block.base, ByteAddress{block.base.value + block.size})) {
                spans.emplace_back(block.base.value, block.base.value + block.size);
            }
        }
        std::sort(spans.begin(), spans.end());
        return spans;
    }

    static Region arrayOf(const AllocationGroup& group, std::string name, std::uint64_t base, std::uint64_t end) {
        Region region{.name = std::move(name), .base = ByteAddress{base}, .size = end - base};
        region.type = group.type;
        if (group.type == nullptr) return region;
        region.elementSize = group.type->size;
        const std::uint64_t elements = region.size / region.elementSize;
        if (elements > 1) region.rows = elements;
        return region;
    }

    void addRegions(const AllocationGroup& group) {
        const auto spans = spansOf(group);
        // Blocks that used the same memory one after the other form one region.
        std::vector<std::pair<std::uint64_t, std::uint64_t>> merged;
        const std::uint64_t near = group.members.size() > kMaxOfOwn ? kNear : 0;
        for (const auto& [from, to] : spans) {
            if (!merged.empty() && from < merged.back().second + near) {
                merged.back().second = std::max(merged.back().second, to);
            } else {
                merged.emplace_back(from, to);
            }
        }
        if (merged.size() > std::max(kMaxOfOwn, kMaxSpans)) return;
        const bool areBlocks = merged.size() == group.members.size();
        for (std::size_t i = 0; i < merged.size(); ++i) {
            const std::string name = areBlocks ? nameOf(group, i) : group.name;
            builder_.addRegion(arrayOf(group, name, merged[i].first, merged[i].second));
        }
    }

    std::vector<Object> objects() const {
        std::vector<Object> made;
        std::map<const AllocationGroup*, std::size_t> next;
        for (std::size_t a = 0; a < log_.allocations.size(); ++a) {
            const Allocation& block = log_.allocations[a];
            const AllocationGroup& group = *groupOf_[a];
            const std::size_t number = next[&group]++;
            if (block.born == block.died) continue;
            made.push_back({.name = nameOf(group, number),
                            .className = group.type != nullptr ? group.type->name : group.name,
                            .base = block.base,
                            .size = block.size,
                            .born = block.born,
                            .died = block.died,
                            .type = group.type});
        }
        return made;
    }

    // --- the stack
    // ----------------------------------------------------------------------------------------------------

    /// A frame begins 8 bytes above the stack pointer on entry, behind the return address.
    static std::uint64_t frameAddress(const StackFrame& frame) { return frame.stack + 8; }

    void addFrames(std::vector<Object>& objects) {
        std::map<std::uint64_t, std::size_t> calls;
        std::map<std::uint64_t, bool> isInOnePlace;
        std::map<std::uint64_t, std::uint64_t> places;
        // The variables of main already are regions.
        std::erase_if(log_.frames, [&](const StackFrame& frame) { return frame.entry == log_.mainEntry; });
        for (const StackFrame& frame : log_.frames) {
            ++calls[frame.entry];
            const auto [place, isFirst] = places.try_emplace(frame.entry, frame.stack);
            bool& isSame = isInOnePlace.try_emplace(frame.entry, true).first->second;
            isSame = isSame && place->second == frame.stack;
        }
        std::map<std::uint64_t, std::size_t> next;
        for (const StackFrame& frame : log_.frames) {
            const std::size_t number = ++next[frame.entry];
            for (const Region& local : names_.localsOf(frame.entry)) {
                Region variable = local;
                variable.base = ByteAddress{frameAddress(frame) + local.base.value};
                if (variable.base.value > ~variable.size) continue;
                if (number == 1 && isInOnePlace[frame.entry]) addVariable(variable);
                const std::string name = nameOf(local);
                objects.push_back({.name = calls[frame.entry] == 1 ? name : fmt::format("{}#{}", name, number),
                                   .className = local.type != nullptr ? local.type->name : name,
                                   .base = variable.base,
                                   .size = local.size,
                                   .born = frame.born,
                                   .died = frame.died,
                                   .type = local.type});
            }
        }
    }
};

}  // namespace

void nameMemory(TraceBuilder& builder, ProgramNames& names, CaptureLog& log) {
    builder.flush();
    MemoryNamer(builder, names, log).name();
}

}  // namespace whorl::sim
