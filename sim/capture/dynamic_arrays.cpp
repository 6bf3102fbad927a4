#include "sim/capture/dynamic_arrays.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/capture/source_names.h"

namespace whorl::sim {
namespace {

/// No array is farther below the frame that it belongs to, in bytes.
constexpr std::uint64_t kMaxStack = std::uint64_t{1} << 30;
constexpr std::string_view kAlloca = "alloca";

}  // namespace

bool DynamicArrays::mayHave(const CapturedModule& module) {
    const auto [entry, isNew] = modules_.try_emplace(module.path);
    DebugInfo* const info = isNew && !isSystemModule(module.path) ? names_.infoOf(module) : nullptr;
    if (info == nullptr) return entry->second;
    entry->second = info->hasDynamicArrays();
    for (const std::string& file : info->sources()) {
        if (entry->second) break;
        if (isLibrarySource(file)) continue;
        const SourceText& text = names_.textOf(file);
        for (std::uint32_t l = 0; l < text.size() && !entry->second; ++l) {
            entry->second = text[l].find(kAlloca) != std::string_view::npos;
        }
    }
    return entry->second;
}

/// The array of a function that a line accesses: the only one, or the last one up to the column. Null if there is none.
const Declared* DynamicArrays::accessed(const CodePlace& place, const FunctionScope& scope) {
    const SourceText& text = names_.textOf(place.file);
    if (place.line == 0 || place.line > text.size()) return nullptr;
    const Declared* only = nullptr;
    const Declared* last = nullptr;
    bool areSeveral = false;
    for (const auto& [name, column] : accessedNames(text[place.line - 1])) {
        const auto v = std::find_if(scope.variables.begin(), scope.variables.end(),
                                    [&, called = name](const Declared& d) { return d.name == called; });
        if (v == scope.variables.end()) continue;
        const bool isAllocated = v->pointers == 1 && v->line > 0 && v->line <= text.size() &&
                                 text[v->line - 1].find(kAlloca) != std::string_view::npos;
        if (!v->isDynamic && !isAllocated) continue;
        areSeveral = areSeveral || (only != nullptr && only != &*v);
        only = &*v;
        if (column <= place.column) last = &*v;
    }
    return areSeveral ? last : only;
}

std::uint32_t DynamicArrays::numberOf(std::uint64_t pc) {
    const CapturedModule* const module = names_.moduleAt(pc);
    if (module == nullptr || !mayHave(*module)) return 0;
    const std::vector<CodePlace>& places = names_.placesAt(pc);
    const auto& scopes = names_.scopesAt(pc);
    for (std::size_t p = 0; p < std::min(places.size(), scopes.size()); ++p) {
        if (scopes[p] == nullptr || isLibrarySource(places[p].file)) continue;
        const Declared* const array = accessed(places[p], *scopes[p]);
        if (array == nullptr) continue;
        const std::string& function = places[p].function;
        const auto [at, isNew] =
            numbers_.try_emplace(fmt::format("{}:{}:{}", function, array->line, array->name), variables_.size());
        if (isNew) {
            DebugInfo* const info = names_.infoOf(*module);
            variables_.push_back({.name = function == "main" ? array->name : function + "::" + array->name,
                                  .type = info == nullptr ? nullptr : info->typeNamed(array->type)});
        }
        sites_.push_back({.variable = at->second});
        return static_cast<std::uint32_t>(sites_.size());
    }
    return 0;
}

void DynamicArrays::take(std::uint32_t number, ByteAddress address, std::uint32_t size, std::uint64_t stack,
                         Tick tick) {
    if (stack - address.value > kMaxStack) return;
    OfSite& site = sites_[number - 1];
    if (site.accesses++ == 0) site.first = tick;
    if (site.before != address.value) ++site.moves;
    site.before = address.value;
    site.from = std::min(site.from, address.value);
    site.to = std::max(site.to, address.value + size);
    site.last = tick;
}

std::vector<Object> DynamicArrays::found() const {
    std::vector<Object> arrays(variables_.size());
    for (const OfSite& site : sites_) {
        // An instruction that accesses a variable on the stack, which such a line has, too, is mostly in one place.
        if (site.accesses == 0 || 2 * site.moves < site.accesses || site.to - site.from < kMinLocal) continue;
        Object& array = arrays[site.variable];
        const bool isFirst = array.size == 0;
        const std::uint64_t from = isFirst ? site.from : std::min(array.base.value, site.from);
        const std::uint64_t to = isFirst ? site.to : std::max(array.base.value + array.size, site.to);
        array.born = isFirst ? site.first : std::min(array.born, site.first);
        array.died = isFirst ? Tick{site.last.value + 1} : std::max(array.died, Tick{site.last.value + 1});
        array.base = ByteAddress{from};
        array.size = to - from;
    }
    for (std::size_t v = 0; v < arrays.size(); ++v) {
        arrays[v].name = variables_[v].name;
        arrays[v].type = variables_[v].type;
        arrays[v].className = arrays[v].type != nullptr ? arrays[v].type->name : arrays[v].name;
    }
    std::erase_if(arrays, [](const Object& o) { return o.size == 0; });
    return arrays;
}

}  // namespace whorl::sim
