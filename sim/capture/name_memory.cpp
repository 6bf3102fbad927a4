// Gives memory its names: see nameMemory().
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include "sim/capture/allocation_owner.h"
#include "sim/capture/program_names.h"
#include "sim/trace/region.h"

namespace whorl::sim {
namespace {

/// The maximum number of blocks allocated by one line that get regions of their own; more blocks share regions.
constexpr std::size_t kMaxOfOwn = 8;
/// Blocks of the same line at most this far apart, in bytes, belong to one region.
constexpr std::uint64_t kNear = 64;
/// The maximum number of regions for the blocks of one variable; more scattered blocks have none, but for those that
/// are at least a quarter as large as the largest.
constexpr std::size_t kMaxSpans = 4;
constexpr std::uint64_t kLarge = 4;

/// The longest name of a type that tells the memory of a variable from other memory of it.
constexpr std::size_t kMaxTypeName = 32;

/// Blocks of the heap of the same owner.
struct AllocationGroup {
    AllocationOwner owner;
    std::string name;
    std::vector<std::size_t> members;  ///< indices of allocations, by birth
    std::uint64_t bytes = 0;
    std::uint64_t lived = 0;  ///< ticks, of all blocks together
};

/// What the variable of a region is: "vector", "pointer". The library's own structures are called "_Vector_impl".
std::string kindOf(const Region& variable) {
    std::string type = variable.type == nullptr ? std::string() : variable.type->name;
    if (type.ends_with('*') || type.find("_ptr<") != type.npos) return "pointer";
    if (type.find("basic_string") != type.npos) return "string";
    const bool isInternal = type.starts_with('_');
    type.erase(0, std::min(type.find_first_not_of('_'), type.size()));
    const std::size_t end = isInternal ? type.find_first_of("_<") : type.find('<');
    if (end == type.npos) return "variable";
    std::string kind = type.substr(0, end);
    for (char& c : kind) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return kind;
}

/// What was touched in the granules at the edges of regions that nobody could announce (TraceBuilder::expectRegion): a
/// block of the heap is known after its allocator has written around it, and a variable on the stack later still.
class UnannouncedEdges {
  public:
    /// What lies before a region, and from an address behind it on, is assumed to be touched.
    void add(std::uint64_t base, std::uint64_t size, std::uint64_t touchedFrom) {
        constexpr std::uint64_t kEnd = ~std::uint64_t{0};
        touched_[granuleOf(base)] |= base == 0 ? 0 : bytesOfGranule(granuleOf(base), 0, base - 1);
        const std::uint64_t last = granuleOf(base + (size - 1));
        touched_[last] |= bytesOfGranule(last, touchedFrom, kEnd);
    }
    /// What was another block of the heap at some time was touched.
    void share(const std::vector<Allocation>& blocks) {
        for (const Allocation& block : blocks) {
            const std::uint64_t last = block.base.value + (block.size - 1);
            auto edge = touched_.lower_bound(granuleOf(block.base.value));
            for (; edge != touched_.end() && edge->first <= granuleOf(last); ++edge) {
                edge->second |= bytesOfGranule(edge->first, block.base.value, last);
            }
        }
    }
    void tell(TraceBuilder& builder) const {
        for (const auto& [granule, bytes] : touched_) builder.assumeTouched(granule, bytes);
    }

  private:
    std::map<std::uint64_t, std::uint32_t> touched_;  ///< bytes as bits, by granule

    static std::uint64_t granuleOf(std::uint64_t address) { return address / Footprint::kGranule; }
};

class MemoryNamer {
  public:
    MemoryNamer(TraceBuilder& builder, ProgramNames& names, CaptureLog& log)
        : builder_(builder), names_(names), log_(log), owners_(names, log) {}

    void name(std::vector<Object> arrays) {
        for (const RequestedRegion& r : log_.regions) addRequested(r);
        findGroups();
        for (const CapturedModule* module : names_.ownModules()) {
            for (const Region& global : names_.globalsOf(*module)) addVariable(global);
        }
        for (const Region& local : names_.localsOfMain()) addVariable(local);
        // Memory that several owners used one after the other is that of the one who had it longest.
        std::vector<const AllocationGroup*> order;
        for (const auto& [key, group] : groups_) order.push_back(&group);
        std::stable_sort(order.begin(), order.end(), [](const auto* a, const auto* b) { return a->lived > b->lived; });
        for (const AllocationGroup* group : order) addRegions(*group);
        std::vector<Object> all = objects();
        const std::size_t blocks = all.size();
        for (Object& array : arrays) {
            addVariable({.name = array.name,
                         .base = array.base,
                         .size = array.size,
                         .elementSize = array.type == nullptr ? 1 : array.type->size,
                         .rows = array.type == nullptr ? 0 : array.size / array.type->size,
                         .type = array.type});
            all.push_back(std::move(array));
        }
        addFrames(all);
        if (all.size() <= TraceBuilder::kMaxObjectRegions) {
            for (std::size_t o = 0; o < all.size(); ++o) addEdges(all[o].base.value, all[o].size, o < blocks);
        }
        edges_.share(log_.allocations);
        edges_.tell(builder_);
        endBeforeNext(all);
        builder_.keep(std::move(all));
    }

  private:
    TraceBuilder& builder_;
    ProgramNames& names_;
    CaptureLog& log_;
    OwnerFinder owners_;
    std::map<std::string, AllocationGroup> groups_;  ///< by key
    std::set<std::string> heapNames_;
    std::vector<const AllocationGroup*> groupOf_;  ///< by allocation
    std::vector<std::string> blockNames_;          ///< by allocation
    UnannouncedEdges edges_;

    /// Next to a variable are others. Behind a block of the heap is what its allocator has written there, if that was
    /// recorded, and what was read beyond the end of the block.
    void addEdges(std::uint64_t base, std::uint64_t size, bool isBlock) {
        constexpr std::uint64_t kNowhere = ~std::uint64_t{0};
        if (size > 0) edges_.add(base, size, isBlock && !log_.hasAllocators ? kNowhere : base + size);
    }

    /// The name of a variable's region. If heap memory has that name, as that to which the variable points or which it
    /// manages, the variable is called "NAME, the pointer itself" or "NAME, the vector itself".
    std::string nameOf(const Region& variable) const {
        if (variable.rows != 0 || !heapNames_.contains(variable.name)) return variable.name;
        return fmt::format("{}, the {} itself", variable.name, kindOf(variable));
    }

    /// Adds a region if its memory was touched and has no name yet.
    void addVariable(Region region) {
        region.name = nameOf(region);
        if (region.size == 0 || region.base.value + region.size < region.base.value) return;
        const ByteAddress end{region.base.value + region.size};
        if (!builder_.touches(region.base, end)) return;
        addEdges(region.base.value, region.size, false);
        builder_.addRegion(std::move(region));
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

    void findGroups() {
        groupOf_.resize(log_.allocations.size());
        blockNames_.resize(log_.allocations.size());
        for (std::size_t a = 0; a < log_.allocations.size(); ++a) {
            const Allocation& block = log_.allocations[a];
            AllocationOwner owner = owners_.of(block.callers);
            if (const auto file = log_.mappedFiles.find(a); file != log_.mappedFiles.end() && !owner.isNamed) {
                owner.variable = owner.key = std::filesystem::path(file->second).filename().string();
            }
            AllocationGroup& group = groups_[owner.key];
            group.owner = owner;
            group.bytes += block.size;
            group.lived += std::min(block.died.value, builder_.size()) - block.born.value;
            group.members.push_back(a);
            groupOf_[a] = &group;
        }
        nameGroups();
    }

    /// Gives each group its name. The function tells variables of the same name apart, and the type several parts of
    /// the memory of a variable, of which the largest has the plain name.
    void nameGroups() {
        std::map<std::string, std::set<std::string>> functions;
        for (const auto& [key, group] : groups_) functions[group.owner.name()].insert(group.owner.function);
        std::map<std::string, const AllocationGroup*> largest;
        for (auto& [key, group] : groups_) {
            group.name = group.owner.name(functions[group.owner.name()].size() > 1);
            const AllocationGroup*& most = largest[group.name];
            const auto rank = [](const AllocationGroup& g) { return std::pair(g.owner.isNamed, g.bytes); };
            if (most == nullptr || rank(*most) < rank(group)) most = &group;
        }
        for (auto& [key, group] : groups_) {
            const bool isPlain = largest[group.name] == &group;
            const std::string type = group.owner.type == nullptr ? std::string() : group.owner.type->name;
            if (!isPlain && !group.owner.isNamed) {
                group.name += " of a library";
            } else if (!isPlain && !type.empty() && type.size() <= kMaxTypeName) {
                group.name = type + " of " + group.name;
            }
            heapNames_.insert(group.name);
            nameBlocks(group);
        }
    }

    /// Names the blocks of a group: "b" if there is one; "b[16]" for a row of an array of rows, in the order in which
    /// they were made; "b#17" for others, and for rows that were gone before the last one was made.
    void nameBlocks(const AllocationGroup& group) {
        const Allocation& last = log_.allocations[group.members.back()];
        const auto isRow = [&](const Allocation& block) {
            return group.owner.areRows && block.size == last.size && block.died > last.born;
        };
        std::size_t rows = 0;
        for (std::size_t m = 0; m < group.members.size(); ++m) {
            const std::size_t a = group.members[m];
            blockNames_[a] = group.members.size() == 1    ? group.name
                             : isRow(log_.allocations[a]) ? fmt::format("{}[{}]", group.name, rows++)
                                                          : fmt::format("{}#{}", group.name, m + 1);
        }
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
        region.type = group.owner.type;
        if (group.owner.type == nullptr) return region;
        region.elementSize = group.owner.type->size;
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
        const bool areBlocks = merged.size() == group.members.size();
        // Of memory that grew, what is large.
        const std::size_t most = std::max(kMaxOfOwn, kMaxSpans);
        std::uint64_t largest = 0;
        for (const auto& [from, to] : merged) largest = std::max(largest, to - from);
        const bool areMany = merged.size() > most;
        std::erase_if(merged, [&](const auto& span) { return areMany && span.second - span.first < largest / kLarge; });
        if (merged.size() > most) return;
        for (const auto& [from, to] : merged) {
            const auto member = std::find_if(
                group.members.begin(), group.members.end(), [&, base = from, size = to - from](std::size_t a) {
                    return log_.allocations[a].base.value == base && log_.allocations[a].size == size;
                });
            const bool isBlock = (areBlocks || areMany) && member != group.members.end();
            addEdges(from, to - from, true);
            builder_.addRegion(arrayOf(group, isBlock ? blockNames_[*member] : group.name, from, to));
        }
    }

    std::vector<Object> objects() const {
        std::vector<Object> made;
        for (std::size_t a = 0; a < log_.allocations.size(); ++a) {
            const Allocation& block = log_.allocations[a];
            const AllocationGroup& group = *groupOf_[a];
            if (block.born == block.died) continue;
            made.push_back({.name = blockNames_[a],
                            .className = group.owner.type != nullptr ? group.owner.type->name : group.name,
                            .base = block.base,
                            .size = block.size,
                            .born = block.born,
                            .died = block.died,
                            .type = group.owner.type});
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

void nameMemory(TraceBuilder& builder, ProgramNames& names, CaptureLog& log, std::vector<Object> arrays) {
    builder.flush();
    MemoryNamer(builder, names, log).name(std::move(arrays));
}

}  // namespace whorl::sim
