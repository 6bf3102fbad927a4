// Whose memory a block of the heap is: the variable of the program that holds it, also where a helper or a library
// allocates for it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/capture/program_names.h"
#include "sim/capture/source_names.h"

namespace whorl::sim {

/// The owner of blocks of the heap.
struct AllocationOwner {
    std::string key;       ///< equal for the same part of the memory of the same variable
    std::string variable;  ///< "b", "grid.cells"; "main:12", "heap of f" where nothing names the memory
    bool isNamed = false;  ///< it is a variable
    bool areRows = false;  ///< each block is a row of an array of rows
    std::string part;      ///< of a container: "nodes", "buckets", "pointers"; empty: its elements
    std::string function;  ///< that declares the variable; empty: none, or main, or not known
    std::shared_ptr<const ElementType> type;  ///< type of the elements; null: unknown

    /// "b", "nodes of index", "multiply::b".
    std::string name(bool isQualified = false) const;
};

/// Finds owners from calls, declarations and source lines. A variable is followed to the caller where the function that
/// allocates returns it, has it as a parameter, or is a member function of its object.
class OwnerFinder {
  public:
    OwnerFinder(ProgramNames& names, const CaptureLog& log);

    /// The owner of what these callers allocated, an index into CaptureLog::callers.
    const AllocationOwner& of(std::uint32_t callers);

  private:
    struct Frame;
    struct Sought;

    ProgramNames& names_;
    const CaptureLog& log_;
    std::map<std::uint32_t, AllocationOwner> owners_;
    std::map<std::uint64_t, std::uint32_t> ofSites_;  ///< callers whose owner is known, by the innermost call
    /// The instructions that allocate in each line, by file and line.
    std::map<std::pair<std::string, std::uint32_t>, std::vector<std::uint64_t>> sites_;

    std::vector<Frame> framesOf(std::uint32_t callers);
    bool search(std::uint32_t callers, Sought& sought, std::string& outside);
    bool follow(const Frame& frame, Sought& sought);
    SourcePath pathIn(const Frame& frame, Sought& sought);
    const Declared* declaredIn(const Frame& frame, const SourceStatement& statement) const;
    std::optional<Declared> globalNamed(const std::string& name, std::uint64_t pc);
    bool isReturned(const CodePlace& place, const std::string& variable);
    AllocationOwner made(const Sought& sought, const std::string& outside);
    std::shared_ptr<const ElementType> typeNamed(const std::string& name, std::uint64_t pc);
};

}  // namespace whorl::sim
