// The debug information (DWARF) of an executable or library: the source lines and functions of its code, its global
// variables, the local variables of a function. Addresses are those in the file. Without debug information only
// functions are known, by the symbol table.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/capture/declarations.h"
#include "sim/trace/region.h"

namespace whorl::sim {

/// The source location of an instruction: a line of a function.
struct CodePlace {
    std::string file;          ///< empty: unknown
    std::uint32_t line = 0;    ///< 0: unknown
    std::uint32_t column = 0;  ///< from 1; 0: unknown
    std::string function;      ///< demangled, without its parameters; empty: unknown
};

struct Variable {
    std::string name;           ///< name in the source, with its namespace or function
    std::uint64_t address = 0;  ///< address of a global variable
    std::int64_t offset = 0;    ///< offset of a local variable from the canonical frame address
    std::uint64_t size = 0;     ///< bytes
    VariableType type;
};

/// The code of a function.
struct FunctionRange {
    std::uint64_t start = 0;  ///< entry point
    std::uint64_t end = 0;
};

class DebugInfo {
  public:
    /// The debug information of an executable or library, including that in a separate file (/usr/lib/debug). Null if
    /// it cannot be read.
    static std::unique_ptr<DebugInfo> of(const std::string& path);
    virtual ~DebugInfo() = default;

    /// The source locations of an instruction: that of the innermost inlined code first, then that of the call that
    /// inlined it, and so on outward. Empty if even the function is unknown.
    virtual std::vector<CodePlace> placesAt(std::uint64_t address) = 0;
    /// What the functions of placesAt() declare, in the same order; empty without debug information.
    virtual std::vector<std::shared_ptr<const FunctionScope>> scopesAt(std::uint64_t address) = 0;
    /// The variables with fixed addresses, by address.
    virtual std::vector<Variable> globals() = 0;
    /// The variables of the function at an address that have fixed offsets.
    virtual std::vector<Variable> localsAt(std::uint64_t address) = 0;
    /// The functions, by address, with local variables of at least `bytes` bytes at fixed offsets, or with arrays of
    /// variable length.
    virtual std::vector<FunctionRange> functionsWithLocals(std::uint64_t bytes) = 0;
    /// The functions with these names, and without any those whose names say that they allocate, that return a pointer
    /// and whose parameters, or the type of what they return, tell the size.
    virtual std::vector<AllocatingFunction> allocators(const std::vector<std::string>& names) = 0;
    /// Whether a function has an array of variable length.
    virtual bool hasDynamicArrays() = 0;
    /// The source files compiled into it, headers included.
    virtual std::vector<std::string> sources() = 0;
    /// A type by its name in the source ("Node", "double", "unsigned int"); null if there is none.
    virtual std::shared_ptr<const ElementType> typeNamed(const std::string& name) = 0;
};

}  // namespace whorl::sim
