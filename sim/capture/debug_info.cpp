#include "sim/capture/debug_info.h"

#include <elfutils/libdwfl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "sim/capture/dwarf_types.h"
#include "sim/capture/source_names.h"

namespace whorl::sim {
namespace {

/// An address range of a function, or of code inlined into one.
struct Scope {
    std::uint64_t from = 0;
    std::uint64_t to = 0;
    std::uint64_t highest = 0;  ///< `to` of this one and of all that begin before it
    int depth = 0;
    Dwarf_Off die = 0;
    std::string function;
    std::string callFile;  ///< file of the call that was inlined
    std::uint32_t callLine = 0;
    std::uint32_t callColumn = 0;
};

/// A compilation unit. Data that is costly to read is read on first use.
struct CompilationUnit {
    Dwarf_Die die{};
    bool isRead = false;
    std::vector<Scope> scopes;  ///< by their beginning
};

struct CompilationRange {
    std::uint64_t from = 0;
    std::uint64_t to = 0;
    std::size_t unit = 0;
};

/// Whether a name contains a word, in small or capital letters.
bool has(const std::string& name, std::string_view word) {
    const auto isSame = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
    return std::search(name.begin(), name.end(), word.begin(), word.end(), isSame) != name.end();
}

/// Whether the name of a function says that it gives memory back, or makes it longer.
bool saysOtherwise(const std::string& name) {
    return has(name, "free") || has(name, "dealloc") || has(name, "realloc");
}

/// Whether the name of a function says that it hands out new memory.
bool saysAllocates(const std::string& name) {
    return has(name, "alloc") && !saysOtherwise(name);
}

/// Whether a function declares an array of variable length.
bool hasDynamic(Dwarf_Die& function) {
    const FunctionScope scope = scopeOf(function);
    return std::any_of(scope.variables.begin(), scope.variables.end(), [](const Declared& v) { return v.isDynamic; });
}

template <class F>
void forEachRange(Dwarf_Die& die, F&& f) {
    Dwarf_Addr base = 0;
    Dwarf_Addr from = 0;
    Dwarf_Addr to = 0;
    for (std::ptrdiff_t at = 0; (at = dwarf_ranges(&die, at, &base, &from, &to)) > 0;) f(from, to);
}

std::string functionName(Dwarf_Die& die) {
    Dwarf_Attribute attribute;
    for (const unsigned which : {DW_AT_linkage_name, DW_AT_MIPS_linkage_name}) {
        const char* const name = dwarf_formstring(dwarf_attr_integrate(&die, which, &attribute));
        if (name != nullptr) return readableFunction(name);
    }
    return nameOf(die);
}

/// The only operation of a constant location, if it has that kind; null otherwise.
const Dwarf_Op* onlyOp(Dwarf_Die& die, unsigned attributeName, Dwarf_Attribute& attribute) {
    if (dwarf_attr_integrate(&die, attributeName, &attribute) == nullptr) return nullptr;
    Dwarf_Op* ops = nullptr;
    std::size_t count = 0;
    if (dwarf_getlocation(&attribute, &ops, &count) != 0 || count != 1) return nullptr;
    return ops;
}

/// The address that an operation stands for: given directly, or as an index into a table of addresses, as clang writes
/// it.
std::optional<std::uint64_t> addressOf(Dwarf_Attribute& location, const Dwarf_Op& op) {
    if (op.atom == DW_OP_addr) return op.number;
    if (op.atom != DW_OP_addrx && op.atom != DW_OP_GNU_addr_index) return std::nullopt;
    Dwarf_Attribute indirect;
    Dwarf_Addr address = 0;
    if (dwarf_getlocation_attr(&location, &op, &indirect) != 0 || dwarf_formaddr(&indirect, &address) != 0) {
        return std::nullopt;
    }
    return address;
}

class DwarfDebugInfo final : public DebugInfo {
  public:
    explicit DwarfDebugInfo(Dwfl* dwfl, Dwfl_Module* module) : dwfl_(dwfl), module_(module) {
        Dwarf_Addr ignored = 0;
        dwfl_module_info(module_, nullptr, &ignored, nullptr, nullptr, nullptr, nullptr, nullptr);
        GElf_Addr bias = 0;
        dwfl_module_getelf(module_, &bias);
        bias_ = bias;
        Dwarf_Addr dwarfBias = 0;
        dwarf_ = dwfl_module_getdwarf(module_, &dwarfBias);
        if (dwarf_ != nullptr) findUnits();
    }
    ~DwarfDebugInfo() override { dwfl_end(dwfl_); }
    DwarfDebugInfo(const DwarfDebugInfo&) = delete;
    DwarfDebugInfo& operator=(const DwarfDebugInfo&) = delete;

    std::vector<CodePlace> placesAt(std::uint64_t address) override;
    std::vector<std::shared_ptr<const FunctionScope>> scopesAt(std::uint64_t address) override;
    std::vector<Variable> globals() override;
    std::vector<Variable> localsAt(std::uint64_t address) override;
    std::vector<FunctionRange> functionsWithLocals(std::uint64_t bytes) override;
    bool hasDynamicArrays() override;
    std::vector<AllocatingFunction> allocators(const std::vector<std::string>& names) override;
    std::vector<std::string> sources() override;
    std::shared_ptr<const ElementType> typeNamed(const std::string& name) override;

  private:
    Dwfl* dwfl_;
    Dwfl_Module* module_;
    Dwarf* dwarf_ = nullptr;
    std::uint64_t bias_ = 0;  ///< bias of the symbols that libdwfl returns
    std::vector<CompilationUnit> units_;
    std::vector<CompilationRange> ranges_;
    DwarfTypes types_;
    std::map<std::string, Dwarf_Off> typeDies_;  ///< by name
    bool typesRead_ = false;
    std::map<Dwarf_Off, std::shared_ptr<const FunctionScope>> functions_;
    std::map<std::pair<Dwarf_Off, std::string>, std::string> paths_;  ///< by unit and path in it

    void findUnits();
    CompilationUnit* unitAt(std::uint64_t address);
    void readScopes(CompilationUnit& unit, Dwarf_Die& die, int depth);
    std::vector<const Scope*> scopesIn(CompilationUnit& unit, std::uint64_t address);
    std::string symbolAt(std::uint64_t address);
    const std::string& wholePath(Dwarf_Die& unit, const std::string& path);
    void findGlobals(Dwarf_Die& parent, const std::string& prefix, std::vector<Variable>& found);
    std::optional<std::int64_t> frameBase(const Dwarf_Op& base, const Scope& function);
    std::optional<std::int64_t> frameSize(const Scope& function);
    void findLocals(Dwarf_Die& parent, std::vector<Variable>& found);
    void findTypes(Dwarf_Die& parent, const std::string& prefix);
};

void DwarfDebugInfo::findUnits() {
    Dwarf_CU* cu = nullptr;
    std::uint8_t type = 0;
    Dwarf_Die die;
    while (dwarf_get_units(dwarf_, cu, &cu, nullptr, &type, &die, nullptr) == 0) {
        if (type != DW_UT_compile) continue;
        units_.push_back({.die = die, .isRead = false, .scopes = {}});
        forEachRange(die, [&](std::uint64_t from, std::uint64_t to) {
            if (from < to) ranges_.push_back({from, to, units_.size() - 1});
        });
    }
    std::sort(ranges_.begin(), ranges_.end(),
              [](const CompilationRange& a, const CompilationRange& b) { return a.from < b.from; });
}

CompilationUnit* DwarfDebugInfo::unitAt(std::uint64_t address) {
    const auto above = std::upper_bound(ranges_.begin(), ranges_.end(), address,
                                        [](std::uint64_t a, const CompilationRange& r) { return a < r.from; });
    if (above == ranges_.begin() || address >= std::prev(above)->to) return nullptr;
    CompilationUnit& unit = units_[std::prev(above)->unit];
    if (!unit.isRead) {
        unit.isRead = true;
        readScopes(unit, unit.die, 0);
        std::stable_sort(unit.scopes.begin(), unit.scopes.end(),
                         [](const Scope& a, const Scope& b) { return a.from < b.from; });
        std::uint64_t highest = 0;
        for (Scope& s : unit.scopes) s.highest = highest = std::max(highest, s.to);
    }
    return &unit;
}

void DwarfDebugInfo::readScopes(CompilationUnit& unit, Dwarf_Die& die, int depth) {
    forEachChild(die, [&](Dwarf_Die& child) {
        const int tag = dwarf_tag(&child);
        const bool isCode = tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine;
        if (isCode) {
            Scope scope;
            scope.depth = depth;
            scope.die = dwarf_dieoffset(&child);
            std::uint64_t number = 0;
            if (numberOf(child, DW_AT_call_line, number)) scope.callLine = static_cast<std::uint32_t>(number);
            if (numberOf(child, DW_AT_call_column, number)) scope.callColumn = static_cast<std::uint32_t>(number);
            Dwarf_Files* files = nullptr;
            std::size_t count = 0;
            if (numberOf(child, DW_AT_call_file, number) && dwarf_getsrcfiles(&unit.die, &files, &count) == 0 &&
                number < count) {
                if (const char* path = dwarf_filesrc(files, number, nullptr, nullptr)) {
                    scope.callFile = wholePath(unit.die, path);
                }
            }
            bool isNamed = false;
            forEachRange(child, [&](std::uint64_t from, std::uint64_t to) {
                if (from >= to) return;
                if (!isNamed) scope.function = functionName(child);
                isNamed = true;
                scope.from = from;
                scope.to = to;
                unit.scopes.push_back(scope);
            });
        }
        if (isCode || tag == DW_TAG_lexical_block || tag == DW_TAG_namespace || tag == DW_TAG_module) {
            readScopes(unit, child, depth + 1);
        }
    });
}

/// The scopes that contain an address, innermost first.
std::vector<const Scope*> DwarfDebugInfo::scopesIn(CompilationUnit& unit, std::uint64_t address) {
    std::vector<const Scope*> found;
    const auto above = std::upper_bound(unit.scopes.begin(), unit.scopes.end(), address,
                                        [](std::uint64_t a, const Scope& s) { return a < s.from; });
    for (auto s = above; s != unit.scopes.begin() && std::prev(s)->highest > address; --s) {
        if (address < std::prev(s)->to) found.push_back(&*std::prev(s));
    }
    std::stable_sort(found.begin(), found.end(), [](const Scope* a, const Scope* b) { return a->depth > b->depth; });
    return found;
}

/// The path of a source file that may be relative to the folder that it was compiled in; as it is if it is not there.
const std::string& DwarfDebugInfo::wholePath(Dwarf_Die& unit, const std::string& path) {
    const auto [entry, isNew] = paths_.try_emplace({dwarf_dieoffset(&unit), path}, path);
    if (!isNew || path.starts_with('/')) return entry->second;
    Dwarf_Attribute attribute;
    const char* const folder = dwarf_formstring(dwarf_attr(&unit, DW_AT_comp_dir, &attribute));
    struct stat about {};
    if (folder == nullptr || folder[0] != '/') return entry->second;
    std::string whole = std::string(folder) + '/' + path;
    if (stat(whole.c_str(), &about) == 0) entry->second = std::move(whole);
    return entry->second;
}

std::string DwarfDebugInfo::symbolAt(std::uint64_t address) {
    GElf_Off offset = 0;
    GElf_Sym symbol;
    const char* const name =
        dwfl_module_addrinfo(module_, address + bias_, &offset, &symbol, nullptr, nullptr, nullptr);
    return name == nullptr ? std::string() : readableFunction(name);
}

std::vector<CodePlace> DwarfDebugInfo::placesAt(std::uint64_t address) {
    std::vector<CodePlace> places;
    CompilationUnit* const unit = unitAt(address);
    CodePlace inner;
    if (unit != nullptr) {
        if (Dwarf_Line* const line = dwarf_getsrc_die(&unit->die, address)) {
            int number = 0;
            const char* const file = dwarf_linesrc(line, nullptr, nullptr);
            if (file != nullptr && dwarf_lineno(line, &number) == 0 && number > 0) {
                inner.file = wholePath(unit->die, file);
                inner.line = static_cast<std::uint32_t>(number);
                if (dwarf_linecol(line, &number) == 0) inner.column = static_cast<std::uint32_t>(number);
            }
        }
        const auto scopes = scopesIn(*unit, address);
        for (const Scope* s : scopes) {
            inner.function = s->function;
            places.push_back(std::exchange(
                inner, {.file = s->callFile, .line = s->callLine, .column = s->callColumn, .function = {}}));
        }
    }
    if (places.empty()) {
        inner.function = symbolAt(address);
        if (!inner.function.empty() || inner.line > 0) places.push_back(inner);
    }
    return places;
}

std::vector<std::shared_ptr<const FunctionScope>> DwarfDebugInfo::scopesAt(std::uint64_t address) {
    std::vector<std::shared_ptr<const FunctionScope>> found;
    CompilationUnit* const unit = unitAt(address);
    if (unit == nullptr) return found;
    for (const Scope* s : scopesIn(*unit, address)) {
        auto& known = functions_[s->die];
        Dwarf_Die die;
        if (known == nullptr && dwarf_offdie(dwarf_, s->die, &die) != nullptr) {
            known = std::make_shared<const FunctionScope>(scopeOf(die));
        }
        found.push_back(known);
    }
    return found;
}

void DwarfDebugInfo::findGlobals(Dwarf_Die& parent, const std::string& prefix, std::vector<Variable>& found) {
    forEachChild(parent, [&](Dwarf_Die& child) {
        const int tag = dwarf_tag(&child);
        if (tag == DW_TAG_variable) {
            Dwarf_Attribute attribute;
            const Dwarf_Op* const op = onlyOp(child, DW_AT_location, attribute);
            const auto address = op == nullptr ? std::nullopt : addressOf(attribute, *op);
            if (!address) return;
            Variable v{.name = prefix + nameOf(child),
                       .address = *address,
                       .offset = 0,
                       .size = DwarfTypes::sizeOf(child),
                       .type = types_.of(child)};
            if (v.size > 0 && v.address != 0 && v.name.size() > prefix.size()) found.push_back(std::move(v));
        } else if (tag == DW_TAG_namespace || tag == DW_TAG_subprogram || tag == DW_TAG_module) {
            const std::string name = nameOf(child);
            findGlobals(child, name.empty() || name == "main" ? prefix : prefix + name + "::", found);
        } else if (tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine) {
            findGlobals(child, prefix, found);
        }
    });
}

std::vector<Variable> DwarfDebugInfo::globals() {
    std::vector<Variable> found;
    for (CompilationUnit& unit : units_) findGlobals(unit.die, {}, found);
    std::stable_sort(found.begin(), found.end(),
                     [](const Variable& a, const Variable& b) { return a.address < b.address; });
    // A variable is declared again at each place where its function is inlined.
    found.erase(std::unique(found.begin(), found.end(),
                            [](const Variable& a, const Variable& b) { return a.address == b.address; }),
                found.end());
    return found;
}

void DwarfDebugInfo::findLocals(Dwarf_Die& parent, std::vector<Variable>& found) {
    forEachChild(parent, [&](Dwarf_Die& child) {
        const int tag = dwarf_tag(&child);
        if (tag == DW_TAG_variable || tag == DW_TAG_formal_parameter) {
            Dwarf_Attribute attribute;
            const Dwarf_Op* const op = onlyOp(child, DW_AT_location, attribute);
            if (op == nullptr || op->atom != DW_OP_fbreg) return;
            found.push_back({.name = nameOf(child),
                             .address = 0,
                             .offset = static_cast<std::int64_t>(op->number),
                             .size = DwarfTypes::sizeOf(child),
                             .type = types_.of(child)});
        } else if (tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine) {
            findLocals(child, found);
        }
    });
    std::erase_if(found, [](const Variable& v) { return v.size == 0 || v.name.empty(); });
}

/// How far the base of the variables' offsets lies below the canonical frame address, in bytes; nothing if unknown.
std::optional<std::int64_t> DwarfDebugInfo::frameBase(const Dwarf_Op& base, const Scope& function) {
    if (base.atom == DW_OP_call_frame_cfa) return 0;
    // These are the frame pointer and the stack pointer, after the prologue has set them.
    if (base.atom == DW_OP_reg6) return 16;
    if (base.atom == DW_OP_reg7) return frameSize(function);
    return std::nullopt;
}

/// The maximum distance of the canonical frame address above the stack pointer in the body of a function, in bytes.
std::optional<std::int64_t> DwarfDebugInfo::frameSize(const Scope& function) {
    Dwarf_Addr bias = 0;
    Dwarf_CFI* const cfi = dwfl_module_eh_cfi(module_, &bias);
    std::optional<std::int64_t> most;
    for (std::uint64_t pc = function.from; cfi != nullptr && pc < function.to;) {
        Dwarf_Frame* frame = nullptr;
        if (dwarf_cfi_addrframe(cfi, pc + bias_ - bias, &frame) != 0) return std::nullopt;
        Dwarf_Op* ops = nullptr;
        std::size_t count = 0;
        Dwarf_Addr end = 0;
        const bool isKnown =
            dwarf_frame_cfa(frame, &ops, &count) == 0 && count == 1 && ops[0].atom == DW_OP_bregx && ops[0].number == 7;
        if (isKnown) most = std::max(most.value_or(0), static_cast<std::int64_t>(ops[0].number2));
        const bool hasEnd = dwarf_frame_info(frame, nullptr, &end, nullptr) >= 0 && end - bias_ + bias > pc;
        std::free(frame);
        if (!hasEnd) break;
        pc = end - bias_ + bias;
    }
    return most;
}

std::vector<Variable> DwarfDebugInfo::localsAt(std::uint64_t address) {
    CompilationUnit* const unit = unitAt(address);
    if (unit == nullptr) return {};
    const auto scopes = scopesIn(*unit, address);
    std::vector<Variable> found;
    Dwarf_Die function;
    if (scopes.empty() || dwarf_offdie(dwarf_, scopes.back()->die, &function) == nullptr) return {};
    Dwarf_Attribute attribute;
    const Dwarf_Op* const base = onlyOp(function, DW_AT_frame_base, attribute);
    const std::optional<std::int64_t> below = base == nullptr ? std::nullopt : frameBase(*base, *scopes.back());
    if (!below) return {};
    findLocals(function, found);
    for (Variable& v : found) v.offset -= *below;
    return found;
}

std::vector<FunctionRange> DwarfDebugInfo::functionsWithLocals(std::uint64_t bytes) {
    std::vector<FunctionRange> functions;
    const auto visit = [&](const auto& again, Dwarf_Die& parent) -> void {
        forEachChild(parent, [&](Dwarf_Die& child) {
            const int tag = dwarf_tag(&child);
            if (tag == DW_TAG_namespace) again(again, child);
            if (tag != DW_TAG_subprogram) return;
            std::vector<Variable> locals;
            findLocals(child, locals);
            const bool hasLarge =
                std::any_of(locals.begin(), locals.end(), [&](const Variable& v) { return v.size >= bytes; });
            if (!hasLarge && !hasDynamic(child)) return;
            // The first range contains the entry point; the others contain rarely executed code.
            bool isFirst = true;
            forEachRange(child, [&](std::uint64_t from, std::uint64_t to) {
                if (std::exchange(isFirst, false) && from < to) functions.push_back({from, to});
            });
        });
    };
    for (CompilationUnit& unit : units_) visit(visit, unit.die);
    std::sort(functions.begin(), functions.end(),
              [](const FunctionRange& a, const FunctionRange& b) { return a.start < b.start; });
    return functions;
}

std::vector<AllocatingFunction> DwarfDebugInfo::allocators(const std::vector<std::string>& names) {
    std::vector<AllocatingFunction> found;
    const auto isWanted = [&](Dwarf_Die& function) {
        const std::string name = nameOf(function);
        if (names.empty()) return saysAllocates(name) || (!saysOtherwise(name) && looksAllocating(function));
        return std::any_of(names.begin(), names.end(),
                           [&](const std::string& n) { return n == name || n == functionName(function); });
    };
    const auto visit = [&](const auto& again, Dwarf_Die& parent) -> void {
        forEachChild(parent, [&](Dwarf_Die& child) {
            const int tag = dwarf_tag(&child);
            if (tag == DW_TAG_namespace) again(again, child);
            if (tag != DW_TAG_subprogram || !isWanted(child)) return;
            auto one = allocatingOf(child);
            Dwarf_Addr start = 0;
            if (!one || dwarf_entrypc(&child, &start) != 0) return;
            one->start = start;
            found.push_back(*one);
        });
    };
    for (CompilationUnit& unit : units_) visit(visit, unit.die);
    return found;
}

bool DwarfDebugInfo::hasDynamicArrays() {
    bool any = false;
    const auto visit = [&](const auto& again, Dwarf_Die& parent) -> void {
        forEachChild(parent, [&](Dwarf_Die& child) {
            if (any) return;
            if (dwarf_tag(&child) == DW_TAG_namespace) again(again, child);
            any = any || (dwarf_tag(&child) == DW_TAG_subprogram && hasDynamic(child));
        });
    };
    for (CompilationUnit& unit : units_) visit(visit, unit.die);
    return any;
}

std::vector<std::string> DwarfDebugInfo::sources() {
    std::set<std::string> paths;
    for (CompilationUnit& unit : units_) {
        Dwarf_Files* files = nullptr;
        std::size_t count = 0;
        if (dwarf_getsrcfiles(&unit.die, &files, &count) != 0) continue;
        for (std::size_t i = 0; i < count; ++i) {
            if (const char* const path = dwarf_filesrc(files, i, nullptr, nullptr)) {
                paths.insert(wholePath(unit.die, path));
            }
        }
    }
    return {paths.begin(), paths.end()};
}

void DwarfDebugInfo::findTypes(Dwarf_Die& parent, const std::string& prefix) {
    forEachChild(parent, [&](Dwarf_Die& child) {
        const int tag = dwarf_tag(&child);
        const bool isType = tag == DW_TAG_base_type || tag == DW_TAG_structure_type || tag == DW_TAG_class_type ||
                            tag == DW_TAG_union_type || tag == DW_TAG_typedef || tag == DW_TAG_enumeration_type;
        const std::string name = isType || tag == DW_TAG_namespace ? nameOf(child) : std::string();
        if (isType && !name.empty() && dwarf_hasattr(&child, DW_AT_declaration) == 0) {
            typeDies_.try_emplace(name, dwarf_dieoffset(&child));
            if (!prefix.empty()) typeDies_.try_emplace(prefix + name, dwarf_dieoffset(&child));
        }
        const bool isScope = tag == DW_TAG_structure_type || tag == DW_TAG_class_type;
        if (tag == DW_TAG_namespace || isScope) findTypes(child, name.empty() ? prefix : prefix + name + "::");
        if (tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block) findTypes(child, prefix);
    });
}

std::shared_ptr<const ElementType> DwarfDebugInfo::typeNamed(const std::string& name) {
    if (!std::exchange(typesRead_, true)) {
        for (CompilationUnit& unit : units_) findTypes(unit.die, {});
    }
    const auto known = typeDies_.find(name);
    Dwarf_Die die;
    if (known == typeDies_.end() || dwarf_offdie(dwarf_, known->second, &die) == nullptr) return nullptr;
    Dwarf_Die bare;
    return types_.element(dwarf_peel_type(&die, &bare) == 0 ? bare : die, name);
}

}  // namespace

std::unique_ptr<DebugInfo> DebugInfo::of(const std::string& path) {
    // A program can claim that its code comes from a pipe or a device.
    struct stat about {};
    if (stat(path.c_str(), &about) != 0 || !S_ISREG(about.st_mode)) return nullptr;
    static char* noFolder = nullptr;
    static const Dwfl_Callbacks callbacks{.find_elf = dwfl_build_id_find_elf,
                                          .find_debuginfo = dwfl_standard_find_debuginfo,
                                          .section_address = dwfl_offline_section_address,
                                          .debuginfo_path = &noFolder};
    Dwfl* const dwfl = dwfl_begin(&callbacks);
    if (dwfl == nullptr) return nullptr;
    Dwfl_Module* const module = dwfl_report_offline(dwfl, path.c_str(), path.c_str(), -1);
    if (module == nullptr || dwfl_report_end(dwfl, nullptr, nullptr) != 0) {
        dwfl_end(dwfl);
        return nullptr;
    }
    return std::make_unique<DwarfDebugInfo>(dwfl, module);
}

}  // namespace whorl::sim
