// A trace: the accesses of a program in the order in which they happened, and what is known about the memory and the
// source lines that they name. It never changes once built; it owns all of its data and is shared between threads.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/types.h"
#include "sim/trace/access.h"
#include "sim/trace/chunk_codec.h"
#include "sim/trace/footprint.h"
#include "sim/trace/layout/address_map.h"
#include "sim/trace/layout/layout_change.h"
#include "sim/trace/object_index.h"
#include "sim/trace/recording.h"
#include "sim/trace/region.h"
#include "sim/trace/timing.h"
#include "sim/trace/trace_cursor.h"

namespace whorl::sim {

/// A source file that accesses refer to. `lines` is empty when its text is not known.
struct SourceFile {
    std::string path;
    std::vector<std::string> lines;
};

/// A place in the source or in the code that made accesses: `line` counts from 1; file is an index into Trace::files().
struct Site {
    std::uint32_t file = 0;
    std::uint32_t line = 0;  ///< 0: not known
    ByteAddress pc;          ///< of the instruction; 0: not known
    bool operator==(const Site&) const = default;
};

/// A file whose code was in memory: the program or a library.
struct Module {
    std::string path;
    ByteAddress base;
    std::uint64_t size = 0;  ///< bytes
    bool operator==(const Module&) const = default;
};

/// A named moment ("phase 2"), before the access with index `at`.
struct Mark {
    Tick at;
    std::string text;
};

class Trace;

/// What a trace consists of. Whoever fills it in, a builder or a reader, sees to it that it is sound.
struct TraceParts {
    std::string name;
    /// Of ChunkEncoder, Trace::kChunk accesses in each but the last. Traces that differ in nothing but where things lie
    /// have them in common.
    std::shared_ptr<const std::vector<std::string>> chunks;
    std::uint64_t size = 0;  ///< accesses
    std::uint64_t writes = 0;
    std::uint32_t cpus = 1;
    std::vector<Region> regions;
    std::vector<Object> objects;
    Footprint footprint;
    std::vector<SourceFile> files;
    std::vector<Site> sites{Site{}};
    std::vector<Mark> marks;
    std::vector<Module> modules;
    std::string machine;
    Timing timing;
    std::shared_ptr<const Recording> recording;
    std::vector<std::string> losses;
    std::uint64_t skippedLines = 0;
    std::uint64_t accessesOff = 0;
    /// Where the addresses in the chunks come to be; null: they stay. All else here is as it came to be.
    std::shared_ptr<const AddressMap> map;
    std::shared_ptr<const Trace> original;  ///< what it is a view of; null: it is none. See mapped_trace.h
    std::vector<LayoutChange> changes;      ///< by which it came from that
};

/// The accesses are kept packed, in chunks; TraceCursor unpacks them.
class Trace {
  public:
    static constexpr std::uint64_t kChunk = kMaxChunk;  ///< accesses a chunk; the last may have fewer

    Trace() : Trace(TraceParts{}) {}
    explicit Trace(TraceParts parts);

    /// The number of accesses.
    std::uint64_t size() const { return parts_.size; }
    std::uint64_t reads() const { return parts_.size - parts_.writes; }
    std::uint64_t writes() const { return parts_.writes; }
    /// One more than the highest CPU named, at least 1.
    std::uint32_t cpus() const { return parts_.cpus; }

    /// Calls f(Tick, const Access&) for each access in [from, to), at most to the end.
    template <class F>
    void forEach(Tick from, Tick to, F&& f) const {
        const CursorLoan loan(*this);
        loan.cursor().forEach(from, to, std::forward<F>(f));
    }

    /// The chunks as they are packed, before the map; see chunk_codec.h.
    const std::vector<std::string>& chunks() const { return *parts_.chunks; }
    /// Where the addresses in the chunks come to be, or null.
    const AddressMap* map() const { return parts_.map.get(); }
    /// The trace as it was read, when this one is a view of it with other addresses (see mapped_trace.h); else null.
    const std::shared_ptr<const Trace>& original() const { return parts_.original; }
    const std::vector<LayoutChange>& changes() const { return parts_.changes; }
    /// Whether the accesses are the same save for their addresses: their moments mean the same.
    bool sharesAccesses(const Trace& other) const { return parts_.chunks == other.parts_.chunks; }
    /// What no other trace of this process has, save copies of this one.
    std::uint64_t serial() const { return serial_; }

    /// What the trace is called: a file's name, or a program with its options.
    const std::string& name() const { return parts_.name; }

    /// Disjoint, in address order; every byte touched lies in one.
    const std::vector<Region>& regions() const { return parts_.regions; }
    /// The index of the region that holds an address; regions().size() when none does.
    std::size_t regionAt(ByteAddress a) const;
    /// By base address, then by birth.
    const std::vector<Object>& objects() const { return parts_.objects; }
    /// The object that holds an address at a time, or null.
    const Object* objectAt(ByteAddress a, Tick t) const;
    /// How a person calls an address: as placeIn() does, or by the region with indices ("B[3][0]"), or the bare number.
    std::string placeOf(ByteAddress a, Tick t) const;
    /// An address in an object: with indices where the object is an array of known shape, else "Quadrant 3+0x8".
    std::string placeIn(const Object& object, ByteAddress a) const;

    const Footprint& footprint() const { return parts_.footprint; }
    const std::vector<SourceFile>& files() const { return parts_.files; }
    const std::vector<Site>& sites() const { return parts_.sites; }
    const Site& site(SiteId id) const { return parts_.sites[id.value]; }
    const std::vector<Mark>& marks() const { return parts_.marks; }
    const std::vector<Module>& modules() const { return parts_.modules; }
    /// The machine that the trace was made on, or for, as JSON; empty when it is not known.
    const std::string& machine() const { return parts_.machine; }
    /// What is known of time beyond the accesses.
    const Timing& timing() const { return parts_.timing; }
    /// What the memory system that it was taken on said of itself; null for most.
    const std::shared_ptr<const Recording>& recording() const { return parts_.recording; }
    /// What a damaged file has lost, a sentence each.
    const std::vector<std::string>& losses() const { return parts_.losses; }

    /// Lines that a lenient reading left out.
    std::uint64_t skippedLines() const { return parts_.skippedLines; }
    /// Accesses that were left out: between `off` and `on`, and by a filter.
    std::uint64_t accessesOff() const { return parts_.accessesOff; }

    const TraceParts& parts() const { return parts_; }

  private:
    friend class TraceBuilder;

    TraceParts parts_;
    ObjectIndex objectIndex_;
    std::uint64_t serial_ = 0;
};

}  // namespace whorl::sim
