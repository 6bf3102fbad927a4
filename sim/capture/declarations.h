// What debug information says of types, variables and functions.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/trace/region.h"

namespace whorl::sim {

/// The type of a variable.
struct VariableType {
    std::shared_ptr<const ElementType> element;  ///< type of the array's elements, or of the variable; null: unknown
    std::uint64_t rows = 0;                      ///< 0: not an array
    std::uint64_t columns = 0;                   ///< 0: not two-dimensional
};

/// A variable, parameter or member, as its declaration in the source tells.
struct Declared {
    std::string name;
    std::uint32_t line = 0;    ///< of its name; 0: unknown
    std::uint32_t column = 0;  ///< from 1; 0: unknown
    /// "double", "vector<int, std::allocator<int> >"; without pointers and references, and of an array its elements'.
    std::string type;
    unsigned pointers = 0;  ///< 2 for a pointer to a pointer
    bool isReference = false;
    bool isArray = false;
    bool isDynamic = false;  ///< an array whose size is not constant
    bool isNumber = false;   ///< a number, a character or an enumerator, which owns no memory
};

/// What a function declares.
struct FunctionScope {
    std::string name;                  ///< without its namespaces, classes, parameters and template arguments
    std::vector<Declared> parameters;  ///< without `this`
    std::vector<Declared> variables;
    std::vector<Declared> members;  ///< of the class whose objects it is called for; empty: of none
    bool isConstructor = false;
};

/// A function that hands out memory: what it returns has `unit` bytes times the values of its parameters with these
/// numbers, from 1; 0: none.
struct AllocatingFunction {
    std::uint64_t start = 0;
    unsigned first = 0;
    unsigned second = 0;
    std::uint64_t unit = 1;
};

}  // namespace whorl::sim
