// Reads ChampSim's binary traces: a record of 64 bytes for each instruction, without a header.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "sim/trace/formats/line_reader.h"
#include "sim/trace/trace_builder.h"

namespace whorl::sim {

/// The size of a record, in bytes.
inline constexpr std::size_t kChampsimRecord = 64;

/// Whether a file's name says that it is a trace of ChampSim, since nothing in such a trace does: it ends in .champsim
/// or .champsimtrace, behind which .xz, .gz or .zst may follow.
bool namesChampsim(std::string_view path);

/// Adds the accesses of records to a builder, which it does not own.
class ChampsimReader {
  public:
    /// `instructions`: treat instruction fetches as reads.
    ChampsimReader(TraceBuilder& builder, bool instructions) : builder_(builder), instructions_(instructions) {}

    /// Reads the records in `bytes`, of which the last may be incomplete. Returns the bytes consumed: all, or those
    /// before the first malformed or incomplete record, for which malformed() gives the reason.
    std::size_t read(std::string_view bytes);
    const Malformed& malformed() const { return malformed_; }

  private:
    bool readRecord(std::string_view record);

    TraceBuilder& builder_;
    bool instructions_;
    Malformed malformed_;
};

}  // namespace whorl::sim
