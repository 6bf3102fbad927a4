// Arrays on the stack whose size only the running program knows: arrays of variable length, and memory from alloca.
// Debug information does not tell where they are, but the lines of the instructions that access them do.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sim/capture/program_names.h"

namespace whorl::sim {

class DynamicArrays {
  public:
    explicit DynamicArrays(ProgramNames& names) : names_(names) {}

    /// A number, from 1, for an instruction that may access such an array; 0 for others.
    std::uint32_t numberOf(std::uint64_t pc);
    /// Takes an access by the instruction with this number. `stack`: the stack pointer where the innermost known
    /// function, or main, was called.
    void take(std::uint32_t number, ByteAddress address, std::uint32_t size, std::uint64_t stack, Tick tick);
    /// The arrays, each for as long as it was accessed.
    std::vector<Object> found() const;

  private:
    /// A variable that is such an array, or points to it.
    struct Variable {
        std::string name;
        std::shared_ptr<const ElementType> type;
    };
    /// The accesses of an instruction.
    struct OfSite {
        std::size_t variable = 0;
        std::uint64_t from = ~std::uint64_t{0};
        std::uint64_t to = 0;
        Tick first;
        Tick last;
        std::uint64_t accesses = 0;
        std::uint64_t moves = 0;  ///< accesses at another address than that before
        std::uint64_t before = 0;
    };

    ProgramNames& names_;
    std::map<std::string, bool> modules_;         ///< by path: whether there may be such arrays
    std::map<std::string, std::size_t> numbers_;  ///< of variables, by function, line and name
    std::vector<Variable> variables_;
    std::vector<OfSite> sites_;

    bool mayHave(const CapturedModule& module);
    const Declared* accessed(const CodePlace& place, const FunctionScope& scope);
};

}  // namespace whorl::sim
