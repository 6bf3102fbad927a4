// Names for memory and functions, from source lines and from symbols.
#pragma once

#include <string>
#include <string_view>

namespace whorl::sim {

// The name and type of allocated memory, from the source line that allocates it: A and double for `double* A = new
// double[n * n];`.

struct AllocationName {
    std::string name;  ///< empty: the line does not contain it
    std::string type;  ///< type of the elements; empty: the line does not contain it
};

/// Understands new expressions, the functions of malloc's family, make_unique and make_shared, constructions of
/// containers and calls of their members, in C++, C and Rust. `before` is the text of the lines above, in which a
/// statement may begin; it may be empty. `column` is the column of the allocation in the line, from 1, or 0 if unknown:
/// it selects one of several declarations.
AllocationName allocationName(std::string_view line, std::string_view before = {}, std::size_t column = 0);

/// The element type in the name of an allocator's function: "Node" for "std::__new_allocator<Node>::allocate". Empty
/// for other functions.
std::string allocatedType(std::string_view function);

/// A symbol's name, demangled (C++, and Rust's older form), without parameters, return type and hash:
/// "std::vector<int>::push_back". A name that is not mangled is returned unchanged.
std::string readableFunction(std::string_view symbol);

}  // namespace whorl::sim
