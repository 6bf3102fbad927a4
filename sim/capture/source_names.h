// Names for memory and functions, from source lines and from symbols.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace whorl::sim {

/// An expression that names memory: `grid.cells` has the names grid and cells, and `m[i]` the name m and an index.
struct SourcePath {
    std::vector<std::string> names;  ///< without `this`; empty: the expression is not understood
    unsigned indices = 0;            ///< after the last name
    bool isDereferenced = false;     ///< `*out`
    bool isOfThis = false;           ///< it begins with `this`, or with Rust's self
    bool isReturned = false;         ///< it is none, but the value of a return statement

    /// The last name; empty if there is none.
    std::string name() const { return names.empty() ? std::string() : names.back(); }
};

/// The memory that a statement allocates: A and double for `double* A = new double[n * n];`.
struct AllocationName {
    SourcePath path;         ///< what it is assigned to, or constructed as
    std::string type;        ///< type of the elements; empty: the line does not contain it
    bool mayBeCall = false;  ///< the path may be that of a called function
};

/// A statement of a source in C++, C, Rust or Fortran, by the place of a call in it.
class SourceStatement {
  public:
    /// `before` is the text of the lines above, in which the statement may begin; it may be empty. `column` is that of
    /// the call in the line, from 1, or 0 if unknown: it selects one of several statements and declarations.
    SourceStatement(std::string_view line, std::string_view before, std::size_t column);

    /// Understands new expressions, the functions of malloc's family, make_unique and make_shared, constructions of
    /// containers and calls of their members, and assigned calls of any function. `number`: which of the allocations of
    /// the line, from 0, for an allocate statement of Fortran.
    AllocationName allocation(std::size_t number = 0) const;
    /// What a call of this function gets as an argument, counted from 0, without `&`.
    SourcePath argument(std::string_view function, std::size_t number) const;
    /// The object for which this member function is called.
    SourcePath objectOf(std::string_view function) const;
    /// The last of these members that is initialized up to the call: cells for `Grid(int n) : rows(n), cells(n) {}`.
    SourcePath initialized(const std::vector<std::string>& members) const;
    /// The column of a name that the statement may declare; 0 if it does not.
    std::uint32_t columnOf(std::string_view name) const;
    /// Whether the statement holds a column of the line, at or before the call.
    bool holds(std::size_t column) const;

  private:
    std::string_view line_;
    std::string_view before_;
    std::size_t column_;
    std::string_view statement_;

    AllocationName ofDeclarator() const;
};

/// Whether these lines of source return a variable.
bool returns(std::string_view text, std::string_view variable);

/// The names in a line that are followed by an index, or dereferenced, with their columns, from 1.
std::vector<std::pair<std::string, std::uint32_t>> accessedNames(std::string_view line);

/// The element type in the name of an allocator's function: "Node" for "std::__new_allocator<Node>::allocate". Empty
/// for other functions.
std::string allocatedType(std::string_view function);

/// The element type of a container or smart pointer: the first argument of its template, else the type itself.
std::string elementOf(std::string_view type);

/// A symbol's name, demangled (C++, and both forms of Rust's), without parameters, return type and hash:
/// "std::vector<int>::push_back". A name that is not mangled is returned unchanged.
std::string readableFunction(std::string_view symbol);

}  // namespace whorl::sim
