// What a source line that allocates memory says of its name and type: `double* A = new double[n * n];` is A, of double.
#pragma once

#include <string>
#include <string_view>

namespace whorl::sim {

struct AllocationName {
    std::string name;  ///< empty: the line does not tell
    std::string type;  ///< of the elements; empty: the line does not tell
};

/// Understands new expressions, the functions of malloc's family, make_unique and make_shared, constructions of
/// containers and calls of their members, in C++, C and Rust. `before` is the text of the lines above, which a
/// statement may begin in; it may be empty. `column`, from 1, is where in the line the allocation is, if that is known:
/// it tells which of several declarations it belongs to.
AllocationName allocationName(std::string_view line, std::string_view before = {}, std::size_t column = 0);

/// The element type in the name of an allocator's function ("std::__new_allocator<Node>::allocate" is of Node); empty
/// for other functions.
std::string allocatedType(std::string_view function);

}  // namespace whorl::sim
