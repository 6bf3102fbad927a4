// The list of the built-in programs. A player of pages has none of them: a page brings their traces.
#include <array>

#include "sim/programs/program.h"

namespace whorl::sim {

std::span<const Program> programs() {
    static const std::array all = {matmulProgram(),     bubblesortProgram(), mergesortProgram(), arrayinitProgram(),
                                   conflictProgram(),   alignedProgram(),    mpmProgram(),       vecaddProgram(),
                                   windtunnelProgram(), nbodyProgram()};
    return all;
}

}  // namespace whorl::sim
