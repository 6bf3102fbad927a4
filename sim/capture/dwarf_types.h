// Types and declarations in debug information (DWARF).
#pragma once

#include <dwarf.h>
#include <elfutils/libdw.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/capture/declarations.h"

namespace whorl::sim {

/// Calls f with each immediate child of a DIE, an entry of debug information.
template <class F>
void forEachChild(Dwarf_Die& parent, F&& f) {
    Dwarf_Die child;
    if (dwarf_child(&parent, &child) != 0) return;
    do {
        f(child);
    } while (dwarf_siblingof(&child, &child) == 0);
}

/// The name of a DIE, even if it is inherited from another DIE; empty if there is none.
std::string nameOf(Dwarf_Die& die);
/// Reads a whole-number attribute of a DIE, such as an offset; false if it has none.
bool numberOf(Dwarf_Die& die, unsigned attribute, std::uint64_t& value);

/// Types of variables, read from debug information.
class DwarfTypes {
  public:
    /// The type of a variable; for an array, its shape and the type of its elements.
    VariableType of(Dwarf_Die& variable);
    /// The size of a variable in bytes; 0 if it is unknown.
    static std::uint64_t sizeOf(Dwarf_Die& variable);
    /// The type of an element. A type without a name gets `otherName`, that of the typedef through which it is used.
    std::shared_ptr<const ElementType> element(Dwarf_Die type, const std::string& otherName = {});

  private:
    std::map<Dwarf_Off, std::shared_ptr<const ElementType>> known_;

    std::string typeName(Dwarf_Die type, int depth);
    void addFields(Dwarf_Die structure, const std::string& prefix, std::uint64_t base, int depth,
                   std::vector<StructField>& fields);
};

/// How a function tells the size of the memory that it returns; nothing if it returns no pointer, or does not tell it.
std::optional<AllocatingFunction> allocatingOf(Dwarf_Die& function);

/// Whether a function looks like one that hands out new memory, whatever its name is: it returns a `void*`, and of its
/// parameters none is a pointer to bytes, but one a size.
bool looksAllocating(Dwarf_Die& function);

/// What the function of a DIE declares, a subprogram or a copy of it that is inlined.
FunctionScope scopeOf(Dwarf_Die& function);

}  // namespace whorl::sim
