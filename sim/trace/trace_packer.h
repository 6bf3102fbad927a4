// Packs the accesses of a trace for a file, as small as possible. The trace is taken in stretches; each is tried with
// no dictionary, with the one of the stretches before it and, unless that one still serves well, with one of its own.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/progress.h"
#include "sim/trace/address_dictionary.h"
#include "sim/trace/pack_codec.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// A part of a trace, packed.
struct PackedStretch {
    std::string dictionary;  ///< what must come before the packs: a dictionary, with the next number; or empty
    std::vector<std::string> packs;
};

class TracePacker {
  public:
    explicit TracePacker(const Trace& trace) : trace_(&trace), cursor_(trace) {}

    bool done() const { return next_ == trace_->accesses().chunks(); }
    /// Packs the next stretch. Nothing if it was cancelled. Progress advances by its accesses.
    std::optional<PackedStretch> next(Progress& progress);

  private:
    struct Attempt;
    struct Stretch;
    struct Way;

    const Trace* trace_;
    TraceCursor cursor_;
    std::size_t next_ = 0;  ///< chunk
    AddressDictionary dictionary_;
    std::uint32_t number_ = 0;   ///< of the dictionary; 0: there is none
    double bytesPerAccess_ = 0;  ///< with it, in the stretch that it was made for

    Stretch taken(std::size_t chunks);
    static std::optional<PackedStretch> finished(Attempt& attempt, std::string dictionary, Progress& progress);
    static bool consider(const Way& way, const Stretch& stretch, std::optional<Attempt>& best,
                         const Progress& progress);
    bool considerKnown(const Stretch& stretch, std::optional<Attempt>& best, const Progress& progress);
};

}  // namespace whorl::sim
