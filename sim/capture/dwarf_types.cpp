#include "sim/capture/dwarf_types.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace whorl::sim {

std::string nameOf(Dwarf_Die& die) {
    Dwarf_Attribute attribute;
    const char* const name = dwarf_formstring(dwarf_attr_integrate(&die, DW_AT_name, &attribute));
    return name == nullptr ? std::string() : name;
}

bool numberOf(Dwarf_Die& die, unsigned attribute, std::uint64_t& value) {
    Dwarf_Attribute found;
    Dwarf_Word word = 0;
    if (dwarf_attr_integrate(&die, attribute, &found) == nullptr || dwarf_formudata(&found, &word) != 0) return false;
    value = word;
    return true;
}

namespace {

/// The maximum nesting depth of structures that are expanded, and the maximum number of fields of the result.
constexpr int kMaxDepth = 3;
constexpr std::size_t kMaxFields = 64;

std::optional<Dwarf_Die> typeOf(Dwarf_Die& die) {
    Dwarf_Attribute attribute;
    Dwarf_Die type;
    if (dwarf_attr_integrate(&die, DW_AT_type, &attribute) == nullptr) return std::nullopt;
    if (dwarf_formref_die(&attribute, &type) == nullptr) return std::nullopt;
    return type;
}

/// The type without typedefs and qualifiers.
Dwarf_Die peeled(Dwarf_Die type) {
    Dwarf_Die bare;
    return dwarf_peel_type(&type, &bare) == 0 ? bare : type;
}

std::uint64_t bytesOf(Dwarf_Die type) {
    Dwarf_Word size = 0;
    return dwarf_aggregate_size(&type, &size) == 0 ? size : 0;
}

bool isStructure(Dwarf_Die& type) {
    const int tag = dwarf_tag(&type);
    return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

/// The number of elements of an array in each dimension; 0 where it is unknown.
std::vector<std::uint64_t> dimensionsOf(Dwarf_Die& array) {
    std::vector<std::uint64_t> dimensions;
    forEachChild(array, [&](Dwarf_Die& child) {
        if (dwarf_tag(&child) != DW_TAG_subrange_type) return;
        std::uint64_t n = 0;
        if (!numberOf(child, DW_AT_count, n)) n = numberOf(child, DW_AT_upper_bound, n) ? n + 1 : 0;
        dimensions.push_back(n);
    });
    return dimensions;
}

/// The content of a structure with a single member, such as std::array and std::atomic; any other structure is returned
/// unchanged.
Dwarf_Die unwrapped(Dwarf_Die type) {
    for (int depth = 0; depth < kMaxDepth && isStructure(type); ++depth) {
        std::optional<Dwarf_Die> only;
        int members = 0;
        forEachChild(type, [&](Dwarf_Die& child) {
            if (dwarf_tag(&child) != DW_TAG_member && dwarf_tag(&child) != DW_TAG_inheritance) return;
            if (dwarf_hasattr(&child, DW_AT_external) != 0 && dwarf_hasattr(&child, DW_AT_declaration) != 0) return;
            ++members;
            only = typeOf(child);
        });
        if (members != 1 || !only) return type;
        Dwarf_Die inner = peeled(*only);
        if (bytesOf(inner) != bytesOf(type)) return type;
        if (dwarf_tag(&inner) != DW_TAG_array_type && !isStructure(inner)) return type;
        type = inner;
    }
    return type;
}

}  // namespace

std::uint64_t DwarfTypes::sizeOf(Dwarf_Die& variable) {
    const auto type = typeOf(variable);
    return type ? bytesOf(*type) : 0;
}

VariableType DwarfTypes::of(Dwarf_Die& variable) {
    const auto type = typeOf(variable);
    if (!type) return {};
    VariableType made;
    Dwarf_Die named = *type;
    Dwarf_Die inner = unwrapped(peeled(*type));
    while (dwarf_tag(&inner) == DW_TAG_array_type) {
        for (const std::uint64_t n : dimensionsOf(inner)) {
            if (made.rows == 0) {
                made.rows = n;
            } else {
                made.columns = std::max<std::uint64_t>(made.columns, 1) * n;
            }
        }
        const auto elements = typeOf(inner);
        if (!elements) return {};
        named = *elements;
        const Dwarf_Die bare = peeled(*elements);
        // If the elements are arrays, they add a dimension.
        inner = unwrapped(bare);
        if (dwarf_tag(&inner) != DW_TAG_array_type) inner = bare;
    }
    made.element = element(inner, typeName(named, 0));
    return made;
}

std::string DwarfTypes::typeName(Dwarf_Die type, int depth) {
    std::string name = nameOf(type);
    if (!name.empty() || depth > 4) return name;
    const auto target = typeOf(type);
    std::string inner = target ? typeName(*target, depth + 1) : "void";
    switch (dwarf_tag(&type)) {
        case DW_TAG_pointer_type:
            return inner + "*";
        case DW_TAG_reference_type:
        case DW_TAG_rvalue_reference_type:
            return inner + "&";
        case DW_TAG_const_type:
        case DW_TAG_volatile_type:
        case DW_TAG_restrict_type:
            return inner;
        case DW_TAG_array_type:
            return inner + "[]";
        default:
            return {};
    }
}

void DwarfTypes::addFields(Dwarf_Die structure, const std::string& prefix, std::uint64_t base, int depth,
                           std::vector<StructField>& fields) {
    if (dwarf_tag(&structure) == DW_TAG_union_type) return;
    forEachChild(structure, [&](Dwarf_Die& child) {
        const int tag = dwarf_tag(&child);
        if (tag != DW_TAG_member && tag != DW_TAG_inheritance) return;
        std::uint64_t offset = 0;
        // Static members have no offset in the structure; bit-fields have that of their first bit.
        if (!numberOf(child, DW_AT_data_member_location, offset)) {
            if (!numberOf(child, DW_AT_data_bit_offset, offset)) return;
            offset /= 8;
        }
        const auto type = typeOf(child);
        if (!type || fields.size() >= kMaxFields) return;
        const Dwarf_Die bare = peeled(*type);
        const std::string name = nameOf(child);
        Dwarf_Die inner = bare;
        const bool isNested = isStructure(inner) && depth < kMaxDepth && dwarf_haschildren(&inner) != 0;
        const std::size_t before = fields.size();
        if (tag == DW_TAG_inheritance || isNested) {
            const std::string path = tag == DW_TAG_inheritance || name.empty() ? prefix : prefix + name + '.';
            addFields(bare, path, base + offset, depth + 1, fields);
        }
        if (fields.size() > before || tag == DW_TAG_inheritance) return;
        fields.push_back({.name = prefix + name,
                          .offset = static_cast<std::uint32_t>(base + offset),
                          .size = static_cast<std::uint32_t>(bytesOf(bare))});
    });
}

std::shared_ptr<const ElementType> DwarfTypes::element(Dwarf_Die type, const std::string& otherName) {
    const auto [entry, isNew] = known_.try_emplace(dwarf_dieoffset(&type));
    if (!isNew) return entry->second;
    const std::uint64_t size = bytesOf(type);
    if (size == 0 || size > ~std::uint32_t{0}) return nullptr;
    ElementType made{.name = typeName(type, 0), .size = static_cast<std::uint32_t>(size), .fields = {}};
    if (made.name.empty()) made.name = otherName;
    if (isStructure(type)) addFields(type, {}, 0, 0, made.fields);
    std::erase_if(made.fields, [&](const StructField& f) { return f.size == 0 || f.offset + f.size > made.size; });
    std::stable_sort(made.fields.begin(), made.fields.end(),
                     [](const StructField& a, const StructField& b) { return a.offset < b.offset; });
    return known_[entry->first] = std::make_shared<const ElementType>(std::move(made));
}

// --- declarations ---

namespace {

/// The DIE that another one is a copy or the definition of; the DIE itself if there is none.
Dwarf_Die originOf(Dwarf_Die die, unsigned attributeName) {
    Dwarf_Attribute attribute;
    Dwarf_Die origin;
    if (dwarf_attr(&die, attributeName, &attribute) == nullptr) return die;
    return dwarf_formref_die(&attribute, &origin) == nullptr ? die : origin;
}

bool isArtificial(Dwarf_Die& die) {
    return dwarf_hasattr_integrate(&die, DW_AT_artificial) != 0;
}

Declared declared(Dwarf_Die& die) {
    Declared made{.name = nameOf(die), .type = {}};
    std::uint64_t number = 0;
    if (numberOf(die, DW_AT_decl_line, number)) made.line = static_cast<std::uint32_t>(number);
    if (numberOf(die, DW_AT_decl_column, number)) made.column = static_cast<std::uint32_t>(number);
    for (auto type = typeOf(die); type; type = typeOf(*type)) {
        Dwarf_Die bare = peeled(*type);
        const int tag = dwarf_tag(&bare);
        if (tag == DW_TAG_pointer_type) {
            ++made.pointers;
        } else if (tag == DW_TAG_reference_type || tag == DW_TAG_rvalue_reference_type) {
            made.isReference = true;
        } else if (tag == DW_TAG_array_type) {
            made.isArray = true;
            const auto sizes = dimensionsOf(bare);
            made.isDynamic = made.pointers == 0 && std::count(sizes.begin(), sizes.end(), 0) > 0;
        } else {
            made.type = nameOf(bare);
            made.isNumber =
                made.pointers == 0 && !made.isArray && (tag == DW_TAG_base_type || tag == DW_TAG_enumeration_type);
            break;
        }
        *type = bare;
    }
    return made;
}

void addVariables(Dwarf_Die& parent, std::vector<Declared>& found) {
    forEachChild(parent, [&](Dwarf_Die& child) {
        if (dwarf_tag(&child) == DW_TAG_lexical_block) addVariables(child, found);
        if (dwarf_tag(&child) != DW_TAG_variable || isArtificial(child)) return;
        found.push_back(declared(child));
        if (found.back().name.empty()) found.pop_back();
    });
}

/// Adds the data members of a class and of those that it is derived from.
void addMembers(Dwarf_Die& structure, int depth, std::vector<Declared>& found) {
    forEachChild(structure, [&](Dwarf_Die& child) {
        const int tag = dwarf_tag(&child);
        if (tag == DW_TAG_member && !isArtificial(child)) found.push_back(declared(child));
        const auto base = tag == DW_TAG_inheritance && depth < kMaxDepth ? typeOf(child) : std::nullopt;
        if (!base) return;
        Dwarf_Die bare = peeled(*base);
        addMembers(bare, depth + 1, found);
    });
}

}  // namespace

namespace {

/// Whether the name of a parameter says that it is a size or a number.
bool saysSize(const std::string& name) {
    static constexpr std::array<std::string_view, 11> kWords = {"size", "bytes", "len", "length", "count", "num",
                                                                "n",    "sz",    "cb",  "nmemb",  "amount"};
    return std::any_of(kWords.begin(), kWords.end(), [&](std::string_view word) {
        return name == word || (word.size() > 1 && (name.ends_with(word) || name.starts_with(word)));
    });
}

}  // namespace

std::optional<AllocatingFunction> allocatingOf(Dwarf_Die& function) {
    const Declared returned = declared(function);
    if (returned.pointers != 1) return std::nullopt;
    AllocatingFunction made;
    unsigned number = 0;
    forEachChild(function, [&](Dwarf_Die& child) {
        if (dwarf_tag(&child) != DW_TAG_formal_parameter) return;
        ++number;
        const Declared parameter = declared(child);
        if (parameter.isNumber && saysSize(parameter.name)) (made.first == 0 ? made.first : made.second) = number;
    });
    const auto type = typeOf(function);
    Dwarf_Die pointer = type ? peeled(*type) : function;
    const auto target = typeOf(pointer);
    Dwarf_Die bare = target ? peeled(*target) : function;
    const bool isOne = target && isStructure(bare) && made.first == 0;
    if (isOne) made.unit = bytesOf(bare);
    return isOne || (made.first != 0 && !(target && isStructure(bare))) ? std::optional(made) : std::nullopt;
}

bool looksAllocating(Dwarf_Die& function) {
    const auto isToBytes = [](const Declared& d) {
        return d.pointers == 1 && (d.type.empty() || d.type.ends_with("char"));
    };
    const Declared returned = declared(function);
    bool isFrom = false;
    forEachChild(function, [&](Dwarf_Die& child) {
        if (dwarf_tag(&child) == DW_TAG_formal_parameter) isFrom = isFrom || isToBytes(declared(child));
    });
    return returned.pointers == 1 && returned.type.empty() && !isFrom && allocatingOf(function).has_value();
}

FunctionScope scopeOf(Dwarf_Die& function) {
    Dwarf_Die origin = originOf(function, DW_AT_abstract_origin);
    FunctionScope scope{.name = nameOf(origin), .parameters = {}, .variables = {}, .members = {}};
    scope.name = scope.name.substr(0, scope.name.find('<', 1));
    addVariables(origin, scope.variables);
    forEachChild(origin, [&](Dwarf_Die& child) {
        if (dwarf_tag(&child) != DW_TAG_formal_parameter) return;
        if (!isArtificial(child)) {
            scope.parameters.push_back(declared(child));
        } else if (const auto pointer = typeOf(child); pointer && nameOf(child) == "this") {
            Dwarf_Die bare = peeled(*pointer);
            const auto type = typeOf(bare);
            if (!type) return;
            Dwarf_Die structure = peeled(*type);
            addMembers(structure, 0, scope.members);
            const std::string name = nameOf(structure);
            scope.isConstructor = scope.name == name.substr(0, name.find('<'));
        }
    });
    return scope;
}

}  // namespace whorl::sim
