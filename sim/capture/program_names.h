// Gives a trace its names from debug information: source lines and functions of instructions, and regions and objects
// for memory.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/progress.h"
#include "sim/capture/debug_info.h"
#include "sim/capture/record_reader.h"
#include "sim/trace/source_text.h"
#include "sim/trace/trace.h"
#include "sim/trace/trace_builder.h"

namespace whorl::sim {

/// The minimum size in bytes of local variables that get names: arrays and structures.
inline constexpr std::uint64_t kMinLocal = 32;

/// Longer source files are not read.
inline constexpr std::uint64_t kLargestSource = std::uint64_t{8} << 20;

/// Looks up code and data of a running or ended program.
class ProgramNames {
  public:
    explicit ProgramNames(const CaptureLog& log) : log_(log) {}

    /// The location of an instruction in the program's own source: code from library headers counts for the line that
    /// uses it. Without debug information only the function is known, or only the library and the offset in it.
    CodePlace placeOf(std::uint64_t pc);
    /// The location as by placeOf(), and then the calls that were inlined there, the innermost first.
    std::vector<CodePlace> inlinedPlacesOf(std::uint64_t pc);
    /// Whether an instruction is part of a function of that name ("push", "Stack::push"), including inlined copies.
    bool isIn(std::uint64_t pc, const std::string& function);
    /// All source locations of an instruction, innermost first.
    const std::vector<CodePlace>& placesAt(std::uint64_t pc);
    /// What the functions of placesAt() declare, in the same order; empty without debug information.
    const std::vector<std::shared_ptr<const FunctionScope>>& scopesAt(std::uint64_t pc);
    /// The text of a source file; empty if it cannot be read.
    const SourceText& textOf(const std::string& file);
    /// Whether an instruction is in a module of the program itself.
    bool isOwn(std::uint64_t pc) const;
    /// The module that holds an instruction; null if none does.
    const CapturedModule* moduleAt(std::uint64_t pc) const;
    /// The debug information of a module; null if it cannot be read.
    DebugInfo* infoOf(const CapturedModule& module);
    /// The program's own modules, without those of the system.
    std::vector<const CapturedModule*> ownModules() const;
    /// The global variables of a module, as regions of the program's memory; none for modules of the system.
    const std::vector<Region>& globalsOf(const CapturedModule& module);
    /// The variables of a function, by its address, with at least kMinLocal bytes, as regions of the memory of a
    /// frame: their bases are offsets from the canonical frame address.
    const std::vector<Region>& localsOf(std::uint64_t entry);
    /// The variables of main, which live as long as the program.
    const std::vector<Region>& localsOfMain();

  private:
    const CaptureLog& log_;
    std::map<std::string, std::unique_ptr<DebugInfo>> infos_;
    std::map<std::uint64_t, std::vector<CodePlace>> places_;
    std::map<std::uint64_t, std::vector<std::shared_ptr<const FunctionScope>>> scopes_;
    std::map<std::string, SourceText> texts_;
    std::map<std::string, std::vector<Region>> globals_;
    std::map<std::uint64_t, std::vector<Region>> frames_;
    std::optional<std::vector<Region>> locals_;
};

/// Whether a source file is part of a library installed on the system, or of a compiler.
bool isLibrarySource(const std::string& path);
/// Whether an executable or library belongs to the system.
bool isSystemModule(const std::string& path);

/// Gives the sites of a builder their lines and functions, and reads the texts of the source files if `withTexts`.
void nameSites(TraceBuilder& builder, ProgramNames& names, bool withTexts);
/// Adds regions for the memory that the program itself named, its global variables, the variables of main, and the
/// blocks of the heap, if they were touched; and all blocks of the heap as objects. `arrays`: others on the stack.
void nameMemory(TraceBuilder& builder, ProgramNames& names, CaptureLog& log, std::vector<Object> arrays);

// Names for traces that other tools recorded.

/// An executable, and the bias that the recording tool added to its addresses.
struct NamedBinary {
    std::string path;
    std::optional<std::uint64_t> bias;  ///< none: to be determined
};

/// Reads "./prog" or "./prog@0x108000".
Expected<NamedBinary> parseBinary(const std::string& words);

/// The trace with lines and functions for the instructions of an executable, regions for its global variables that the
/// trace touches, and the texts of its sources, if wanted. Without a bias, uses that of the trace's own list of
/// modules, or the usual one of Valgrind with which the trace has instructions of the executable. Fails if the
/// executable cannot be read, or the trace has no instruction of it.
Expected<Trace> withBinary(Trace trace, const NamedBinary& binary, bool sources);

}  // namespace whorl::sim
