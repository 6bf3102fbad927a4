#include "sim/capture/allocation_owner.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

namespace whorl::sim {
namespace {

/// Lines above a call that are searched for the beginning of its statement.
constexpr std::uint32_t kLinesAbove = 3;
/// Lines of a function that are searched for what it returns.
constexpr std::uint32_t kLinesOfFunction = 400;
/// The longest chain of members that a name has.
constexpr std::size_t kMaxNames = 3;

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
    const bool isPointer = name.ends_with('*');
    if (known == kSizes.end() && !isPointer) return nullptr;
    const std::uint32_t size = isPointer ? 8 : known->second;
    return std::make_shared<const ElementType>(ElementType{.name = name, .size = size, .fields = {}});
}

/// What the library allocates for a container, by the type that it allocates: "nodes", "buckets"; empty: elements.
std::string partOf(std::string_view allocated) {
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kParts = {{
        {"_Hash_node_base*", "buckets"},
        {"_Rb_tree_node<", "nodes"},
        {"_Hash_node<", "nodes"},
        {"_List_node<", "nodes"},
        {"_Fwd_list_node<", "nodes"},
        {"_Node<", "nodes"},
        {"basic_string<", "strings"},
    }};
    const auto outer = allocated.substr(0, allocated.find('<') + 1);
    for (const auto& [type, part] : kParts) {
        if (type.ends_with('<') ? outer.ends_with(type) : allocated.ends_with(type)) return std::string(part);
    }
    if (outer.ends_with("vector<")) return "vectors";
    return allocated.ends_with('*') ? "pointers" : std::string();
}

const Declared* named(const std::vector<Declared>& all, const std::string& name) {
    const auto found = std::find_if(all.rbegin(), all.rend(), [&](const Declared& d) { return d.name == name; });
    return found == all.rend() ? nullptr : &*found;
}

/// The name of a function without its namespaces and classes.
std::string baseName(const std::string& function) {
    const std::size_t scope = function.rfind("::");
    return scope == std::string::npos ? function : function.substr(scope + 2);
}

}  // namespace

/// A call that led to an allocation.
struct OwnerFinder::Frame {
    CodePlace place;
    std::shared_ptr<const FunctionScope> scope;  ///< never null
    std::uint64_t pc = 0;
    bool isOwn = false;  ///< a line of the program itself
};

/// What is looked for in a call, and what is known from the calls within.
struct OwnerFinder::Sought {
    /// In the caller: what its call of `callee` gives, or gets as an argument, or is made for.
    enum class What : std::uint8_t { value, argument, object };
    What what = What::value;
    std::string callee;
    bool isConstructor = false;
    std::size_t argument = 0;
    std::vector<std::string> names;  ///< members of what is sought: "cells"

    CodePlace first;  ///< the innermost line of the program
    std::uint64_t pc = 0;
    std::string allocated;             ///< the type that the library allocates
    std::string type;                  ///< of the elements, as the source says
    unsigned indices = 0;              ///< 1 for m[i]
    std::optional<Declared> declared;  ///< the declaration of what holds the memory
    bool isLinked = false;             ///< it is held by another one of its type, as nodes of lists are
    // The outermost variable found.
    std::string variable;
    std::string function;  ///< that declares it; empty: none
    std::string key;
};

std::string AllocationOwner::name(bool isQualified) const {
    const std::string whole = isQualified && !function.empty() ? function + "::" + variable : variable;
    return part.empty() ? whole : part + " of " + whole;
}

OwnerFinder::OwnerFinder(ProgramNames& names, const CaptureLog& log) : names_(names), log_(log) {
    for (std::uint32_t c = 0; c < log_.callers.size(); ++c) {
        for (const Frame& frame : framesOf(c)) {
            if (!frame.isOwn) continue;
            auto& sites = sites_[{frame.place.file, frame.place.line}];
            const auto at = std::lower_bound(sites.begin(), sites.end(), frame.pc);
            if (at == sites.end() || *at != frame.pc) sites.insert(at, frame.pc);
            break;
        }
    }
}

const AllocationOwner& OwnerFinder::of(std::uint32_t callers) {
    const auto [entry, isNew] = owners_.try_emplace(callers);
    if (!isNew) return entry->second;
    Sought sought;
    std::string outside;
    const bool isCut = search(callers, sought, outside);
    entry->second = made(sought, outside);
    // Where the calls of a function by itself are too many to be listed, it is the same as with fewer.
    const auto same = ofSites_.find(sought.pc);
    if (!isCut) ofSites_[sought.pc] = callers;
    if (isCut && same != ofSites_.end()) entry->second = owners_.at(same->second);
    return entry->second;
}

std::vector<OwnerFinder::Frame> OwnerFinder::framesOf(std::uint32_t callers) {
    static const auto kUnknown = std::make_shared<const FunctionScope>();
    std::vector<Frame> frames;
    for (const std::uint64_t pc : log_.callers[callers]) {
        const std::vector<CodePlace>& places = names_.placesAt(pc);
        const auto& scopes = names_.scopesAt(pc);
        const bool isOwn = names_.isOwn(pc);
        for (std::size_t p = 0; p < places.size(); ++p) {
            frames.push_back({.place = places[p],
                              .scope = p < scopes.size() && scopes[p] != nullptr ? scopes[p] : kUnknown,
                              .pc = pc,
                              .isOwn = isOwn && places[p].line > 0 && !isLibrarySource(places[p].file)});
        }
    }
    return frames;
}

std::shared_ptr<const ElementType> OwnerFinder::typeNamed(const std::string& name, std::uint64_t pc) {
    if (name.empty()) return nullptr;
    const CapturedModule* const module = names_.moduleAt(pc);
    DebugInfo* const info = module == nullptr ? nullptr : names_.infoOf(*module);
    auto known = info == nullptr ? nullptr : info->typeNamed(name);
    return known != nullptr ? known : basicType(name);
}

/// Whether a function returns a variable, from a line of it to its end. Most functions end in a line that begins with a
/// bracket; others are a single line.
bool OwnerFinder::isReturned(const CodePlace& place, const std::string& variable) {
    const SourceText& text = names_.textOf(place.file);
    std::string rest;
    for (std::uint32_t l = place.line; l <= text.size() && l < place.line + kLinesOfFunction; ++l) {
        const std::string line(text[l - 1]);
        rest += line + '\n';
        const bool isFunction = !line.empty() && line[0] != ' ' && line[0] != '\t' &&
                                std::count(line.begin(), line.end(), '{') == std::count(line.begin(), line.end(), '}');
        if (line.starts_with('}') || (l == place.line && isFunction)) break;
    }
    return returns(rest, variable);
}

/// The variable that a statement declares, the last one up to the call.
const Declared* OwnerFinder::declaredIn(const Frame& frame, const SourceStatement& statement) const {
    const Declared* latest = nullptr;
    std::uint32_t column = 0;
    for (const Declared& v : frame.scope->variables) {
        if (v.line != frame.place.line || v.isNumber) continue;
        // clang tells no columns of declarations.
        const std::uint32_t at = v.column != 0 ? v.column : statement.columnOf(v.name);
        if (at <= column || !statement.holds(at)) continue;
        latest = &v;
        column = at;
    }
    return latest;
}

/// The expression in a call for what is sought. None where no expression names it; the caller of the call is to be
/// asked if it is returned, or of the object that the call is made for.
SourcePath OwnerFinder::pathIn(const Frame& frame, Sought& sought) {
    const SourceText& text = names_.textOf(frame.place.file);
    if (frame.place.line > text.size()) return {};
    std::string before;
    for (std::uint32_t l = frame.place.line > kLinesAbove ? frame.place.line - kLinesAbove : 1; l < frame.place.line;
         ++l)
        before += std::string(text[l - 1]) + '\n';
    const SourceStatement statement(text[frame.place.line - 1], before, frame.place.column);
    if (sought.what == Sought::What::argument) return statement.argument(sought.callee, sought.argument);
    if (sought.what == Sought::What::object && !sought.isConstructor) {
        SourcePath path = statement.objectOf(sought.callee);
        // A member function that calls another one of the same object.
        path.isOfThis = path.isOfThis || (path.names.empty() && !frame.scope->members.empty());
        return path;
    }
    const bool isFirst = frame.pc == sought.pc;
    const auto& sites = sites_[{frame.place.file, frame.place.line}];
    const auto number = std::lower_bound(sites.begin(), sites.end(), frame.pc) - sites.begin();
    AllocationName found = statement.allocation(static_cast<std::size_t>(number));
    if (isFirst && sought.type.empty()) sought.type = found.type;
    const Declared* const declared = declaredIn(frame, statement);
    if (declared != nullptr && found.path.name() != declared->name) return {.names = {declared->name}};
    if (found.path.isReturned) sought.what = Sought::What::value;
    const FunctionScope& scope = *frame.scope;
    const Declared* const scalar = named(scope.variables, found.path.name());
    if (scalar != nullptr && scalar->isNumber) found.path.names.clear();
    const auto isKnown = [&](const std::string& name) {
        return named(scope.variables, name) != nullptr || named(scope.parameters, name) != nullptr ||
               named(scope.members, name) != nullptr;
    };
    if (found.mayBeCall && !found.path.names.empty() && !isKnown(found.path.names[0])) found.path.names.clear();
    if (!scope.isConstructor || (!found.path.names.empty() && isKnown(found.path.names[0]))) return found.path;
    std::vector<std::string> members;
    for (const Declared& member : scope.members) members.push_back(member.name);
    SourcePath path = statement.initialized(members);
    path.isOfThis = true;
    return path;
}

/// A global variable of the program, as its declaration.
std::optional<Declared> OwnerFinder::globalNamed(const std::string& name, std::uint64_t pc) {
    const CapturedModule* const module = names_.moduleAt(pc);
    if (module == nullptr) return std::nullopt;
    for (const Region& r : names_.globalsOf(*module)) {
        if (r.name != name && !r.name.ends_with("::" + name)) continue;
        Declared made{.name = r.name, .type = r.type == nullptr ? std::string() : r.type->name};
        for (; made.type.ends_with('*'); made.type.pop_back()) ++made.pointers;
        return made;
    }
    return std::nullopt;
}

/// Looks in a call for what is sought. False when no caller knows more.
bool OwnerFinder::follow(const Frame& frame, Sought& sought) {
    const FunctionScope& scope = *frame.scope;
    // A function that calls itself has the same for each of its calls.
    const bool isAgain = !sought.callee.empty() && sought.callee == scope.name;
    if (isAgain && sought.what != Sought::What::value) return true;
    const SourcePath path = pathIn(frame, sought);
    sought.callee = scope.name.empty() ? baseName(frame.place.function) : scope.name;
    sought.isConstructor = scope.isConstructor;
    if (path.names.empty()) {
        if (path.isOfThis) sought.what = Sought::What::object;
        // A function that the compiler divides calls its second part from where it is declared.
        return path.isOfThis || path.isReturned || isAgain;
    }
    const std::string& root = path.names.front();
    const Declared* const variable = named(scope.variables, root);
    const Declared* const parameter = named(scope.parameters, root);
    const Declared* const member = variable == nullptr && parameter == nullptr ? named(scope.members, root) : nullptr;
    const bool isLocal = variable != nullptr || parameter != nullptr;
    const Declared* const inScope = variable != nullptr ? variable : parameter != nullptr ? parameter : member;
    const auto found = inScope != nullptr ? std::optional(*inScope) : globalNamed(root, frame.pc);

    const bool isWhole = path.names.size() == 1 && sought.names.empty();
    if (path.names.size() == 1) sought.indices += path.indices;
    if (isWhole && found && !found->type.empty()) sought.declared = found;
    if (found && found->pointers == 1 && !isWhole && !sought.type.empty() && found->type == sought.type) {
        sought.isLinked = true;
        sought.names.clear();
    } else {
        sought.names.insert(sought.names.begin(), path.names.begin() + 1, path.names.end());
    }
    sought.names.insert(sought.names.begin(), found && !isLocal && member == nullptr ? found->name : root);
    sought.variable = fmt::format("{}", fmt::join(sought.names, "."));
    sought.function = isLocal && scope.name != "main" && scope.name != "MAIN__" ? frame.place.function : std::string();
    sought.key =
        fmt::format("{}:{}", isLocal ? fmt::format("{}:{}", frame.place.file, found->line) : "", sought.variable);
    if (path.isOfThis || member != nullptr) {
        sought.what = Sought::What::object;
        return sought.names.size() <= kMaxNames;
    }
    sought.names.erase(sought.names.begin());
    if (variable != nullptr) {
        sought.what = Sought::What::value;
        return isWhole && isReturned(frame.place, root);
    }
    sought.what = Sought::What::argument;
    if (parameter == nullptr || sought.names.size() > kMaxNames) return false;
    sought.argument = static_cast<std::size_t>(parameter - scope.parameters.data());
    return parameter->isReference || path.isDereferenced || !isWhole || path.indices > 0;
}

/// Searches for the variable. True if the list of callers ends before that. `outside`: set to the function that
/// allocates.
bool OwnerFinder::search(std::uint32_t callers, Sought& sought, std::string& outside) {
    bool goesOn = true;
    for (const Frame& frame : framesOf(callers)) {
        if (sought.first.line == 0 && sought.allocated.empty()) sought.allocated = allocatedType(frame.place.function);
        if (outside.empty() && names_.isOwn(frame.pc)) outside = frame.place.function;
        if (!frame.isOwn || !goesOn) continue;
        if (sought.first.line == 0) {
            sought.first = frame.place;
            sought.pc = frame.pc;
        }
        goesOn = follow(frame, sought);
    }
    return goesOn && sought.what != Sought::What::value;
}

/// The owner, and which part of its memory it is. `outside`: the function that allocates, where no line is known.
AllocationOwner OwnerFinder::made(const Sought& sought, const std::string& outside) {
    AllocationOwner owner;
    std::string part = partOf(sought.allocated);
    std::string type = sought.allocated.empty() ? sought.type : sought.allocated;
    owner.type = typeNamed(type, sought.pc);
    const bool isDeclared = sought.allocated.empty() && sought.declared.has_value();
    const unsigned pointers = isDeclared ? sought.declared->pointers : 0;
    const unsigned left = pointers - std::min(pointers, sought.indices + 1);
    if (left > 0) part = "pointers";
    // The line may name no type, or one that only its template knows.
    if (isDeclared && (left > 0 || (owner.type == nullptr && (pointers > 0 || sought.declared->isArray)))) {
        type = sought.declared->type + std::string(left, '*');
        owner.type = typeNamed(type, sought.pc);
    }
    if (sought.isLinked) part = "nodes";
    owner.part = std::move(part);
    owner.variable = sought.variable;
    owner.isNamed = !sought.variable.empty();
    // The elements of a container, as of "vector<std::vector<double>>"; what Rust's allocate has no other type.
    std::string element = sought.declared && pointers == 0 ? elementOf(sought.declared->type) : std::string();
    const auto isVector = [&] {
        return element.find("vector<") != element.npos || element.find("Vec<") != element.npos;
    };
    const bool isOfVectors = isVector();
    while (isVector()) element = elementOf(element);
    if (owner.type == nullptr) owner.type = typeNamed(element, sought.pc);
    owner.areRows = owner.part.empty() && (sought.indices > 0 || isOfVectors);
    owner.function = sought.function;
    const bool isRecord = owner.type != nullptr && !owner.type->fields.empty();
    if (owner.variable.empty()) {
        owner.part.clear();
        owner.variable = sought.first.line == 0 ? (outside.empty() ? "heap" : "heap of " + outside)
                         : isRecord             ? owner.type->name
                                                : fmt::format("{}:{}", sought.first.function, sought.first.line);
    }
    owner.key = fmt::format("{} {} {} {}", sought.key, owner.variable, owner.part, type);
    return owner;
}

}  // namespace whorl::sim
