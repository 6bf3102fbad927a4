// A trace: the accesses of a program in the order in which they happened, and the data about the memory and source
// lines they refer to. Immutable once built; owns all of its data and may be shared between threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/types.h"
#include "sim/trace/access.h"
#include "sim/trace/calls.h"
#include "sim/trace/footprint.h"
#include "sim/trace/layout/address_map.h"
#include "sim/trace/layout/layout_change.h"
#include "sim/trace/owners.h"
#include "sim/trace/packed_accesses.h"
#include "sim/trace/region.h"
#include "sim/trace/source_text.h"
#include "sim/trace/sync_log.h"
#include "sim/trace/timing.h"
#include "sim/trace/windows.h"

namespace whorl::sim {

/// A source file that accesses refer to. `lines` is empty if its text is not available.
struct SourceFile {
    std::string path;
    SourceText lines;
};

/// The source line or instruction that made an access, and the calls that led to it: an instruction is a site for each
/// way in which its function was called. `file` is an index into Trace::files(), `line` counts from 1.
struct Site {
    std::uint32_t file = 0;
    std::uint32_t line = 0;      ///< 0: unknown
    ByteAddress pc;              ///< address of the instruction; 0: unknown
    std::uint32_t function = 0;  ///< index into Trace::functions(); 0: unknown
    std::uint32_t call = 0;      ///< the innermost call, an index into Trace::calls(); 0: unknown
    bool operator==(const Site&) const = default;
};

/// A loaded executable or library.
struct Module {
    std::string path;
    ByteAddress base;
    std::uint64_t size = 0;  ///< bytes
    bool operator==(const Module&) const = default;
};

/// A named point in time ("phase 2"), before the access with index `at`.
struct Mark {
    Tick at;
    std::string text;
};

class Trace;

/// The data of a trace. The builder or reader that fills it in is responsible for its consistency.
struct TraceParts {
    std::string name;
    /// Shared by traces that differ only in memory layout.
    std::shared_ptr<const PackedAccesses> accesses;
    std::uint64_t size = 0;  ///< accesses
    std::uint64_t writes = 0;
    std::uint32_t cpus = 1;
    std::vector<Region> regions;
    std::vector<Object> objects;
    Footprint footprint;
    std::vector<SourceFile> files;
    std::vector<Site> sites{Site{}};
    std::vector<Call> calls;             ///< empty: unknown; else the first stands for none
    std::vector<std::string> functions;  ///< the first, if any, is empty: the unknown function
    std::vector<std::string> cpuNames;   ///< names of the first CPUs; empty: CPUs have none
    std::vector<Mark> marks;
    std::vector<Module> modules;
    std::shared_ptr<const SyncLog> syncs;    ///< null: unknown
    std::shared_ptr<const Windows> windows;  ///< null: the accesses are not those of windows
    std::shared_ptr<const Excerpt> excerpt;  ///< null: the trace is not a stretch of a longer one
    bool isInVirtualTime = false;            ///< the accesses are no longer in the order in which they were recorded
    std::shared_ptr<const ValueLog> values;  ///< null: unknown
    std::string machine;
    Timing timing;
    std::shared_ptr<const Recording> recording;
    std::vector<std::string> losses;
    std::uint64_t skippedLines = 0;
    std::uint64_t accessesOff = 0;
    std::uint64_t instructions = 0;
    /// Maps the stored addresses to those of this trace; null: identity. All other members hold mapped
    /// addresses.
    std::shared_ptr<const AddressMap> map;
    std::shared_ptr<const Trace>
        original;  ///< the trace that this one is a mapped view of, or null; see mapped_trace.h
    /// The trace before the steps of the map, with its regions and objects in the same order; null without steps.
    std::shared_ptr<const Trace> unmoved;
    std::vector<LayoutChange> changes;  ///< the changes that lead from `original` to this trace
    std::uint64_t padding = 0;          ///< bytes of unused memory that the changes add

    bool hasTimes() const { return !timing.empty() || (syncs != nullptr && syncs->hasWaits()); }
};

/// Random access to the accesses of a trace: decodes them chunk by chunk, applies the trace's address map, and caches
/// the last chunk. Use one per thread. It does not own the trace, which must outlive its use. Returned spans belong to
/// the cursor and are valid until it decodes another chunk.
class TraceCursor {
  public:
    explicit TraceCursor(const Trace& trace);

    /// The accesses of a chunk: Trace::kChunk of them, or fewer in the last.
    std::span<const PackedAccess> chunk(std::size_t index);
    /// The accesses from tick t to the end of its chunk; empty at the end of the trace.
    std::span<const PackedAccess> from(Tick t);
    /// Gives the memory of the chunk decoded last away: the spans of it are valid there. The cursor uses this memory
    /// for another chunk.
    void exchange(std::vector<PackedAccess>& memory);
    /// The access at tick t, which must exist.
    Access at(Tick t);
    /// The time of capture of each access of a chunk, in the capturing tool's unit; empty if unknown.
    std::span<const std::uint64_t> stamps(std::size_t index);

    /// Calls f(Tick, const Access&) for each access in [from, to), up to the end of the trace.
    template <class F>
    void forEach(Tick from, Tick to, F&& f) {
        for (std::uint64_t t = from.value; t < to.value;) {
            const std::span<const PackedAccess> rest = this->from(Tick{t});
            if (rest.empty()) return;
            const std::uint64_t stop = std::min<std::uint64_t>(to.value, t + rest.size());
            for (const PackedAccess& access : rest.first(stop - t)) f(Tick{t++}, access.unpack());
        }
    }

  private:
    friend class CursorLoan;

    const Trace* trace_;
    std::uint64_t serial_;  ///< serial of the cached chunk's trace
    std::size_t kept_;      ///< index of the cached chunk
    std::span<const PackedAccess> accesses_;
    std::vector<PackedAccess> undecodable_;  ///< replaces a chunk that cannot be decoded
    ChunkReader reader_;
};

/// Lends the thread's cursor, which may already have the chunk cached, or a new one if the thread's is in use.
class CursorLoan {
  public:
    explicit CursorLoan(const Trace& trace);
    CursorLoan(const CursorLoan&) = delete;
    CursorLoan& operator=(const CursorLoan&) = delete;
    ~CursorLoan();

    TraceCursor& cursor() const { return *cursor_; }

  private:
    std::unique_ptr<TraceCursor> cursor_;
};

/// A trace. Its accesses are stored compressed; TraceCursor decodes them, one chunk at a time.
class Trace {
  public:
    static constexpr std::uint64_t kChunk = kMaxChunk;  ///< accesses per chunk; the last may have fewer

    Trace() : Trace(TraceParts{}) {}
    explicit Trace(TraceParts parts);

    /// The number of accesses.
    std::uint64_t size() const { return parts_.size; }
    std::uint64_t reads() const { return parts_.size - parts_.writes; }
    std::uint64_t writes() const { return parts_.writes; }
    /// One more than the highest CPU index, at least 1.
    std::uint32_t cpus() const { return parts_.cpus; }

    /// Calls f(Tick, const Access&) for each access in [from, to), up to the end of the trace.
    template <class F>
    void forEach(Tick from, Tick to, F&& f) const {
        const CursorLoan loan(*this);
        loan.cursor().forEach(from, to, std::forward<F>(f));
    }

    /// The accesses as stored, with addresses before mapping.
    const PackedAccesses& accesses() const { return *parts_.accesses; }
    /// The mapping of the stored addresses, or null.
    const AddressMap* map() const { return parts_.map.get(); }
    /// The unmapped trace if this one is a mapped view (see mapped_trace.h), else null.
    const std::shared_ptr<const Trace>& original() const { return parts_.original; }
    /// The trace as it would be without what moves memory in place; one with blocks gathered elsewhere is the same
    /// there. Regions and objects have the same indices, and the shapes that the program declares.
    const Trace& unmoved() const { return parts_.unmoved == nullptr ? *this : *parts_.unmoved; }
    const std::vector<LayoutChange>& changes() const { return parts_.changes; }
    /// The bytes of unused memory that the changes add.
    std::uint64_t padding() const { return parts_.padding; }
    /// Whether the accesses are the same except for their addresses, so that ticks correspond.
    bool sharesAccesses(const Trace& other) const { return parts_.accesses == other.parts_.accesses; }
    /// An id unique in this process, shared only by copies of this trace.
    std::uint64_t serial() const { return serial_; }

    /// The trace's name: a file name, or a program with its options.
    const std::string& name() const { return parts_.name; }

    /// The regions: disjoint, in address order. Every touched byte lies in one, except the last byte of the address
    /// space.
    const std::vector<Region>& regions() const { return parts_.regions; }
    /// The index of the region that holds an address; regions().size() if none does.
    std::size_t regionAt(ByteAddress a) const;
    /// The objects, by base address, then by birth.
    const std::vector<Object>& objects() const { return parts_.objects; }
    /// Whose memory regions and objects are.
    const Owners& owners() const { return owners_; }
    /// The owner of an object of this trace.
    std::uint32_t ownerOf(const Object& object) const {
        return owners_.ofObject(static_cast<std::size_t>(&object - parts_.objects.data()));
    }
    /// The owner of the memory at an address, which this object holds, or none if it is null; owners().count() if
    /// nobody has it.
    std::uint32_t ownerAt(ByteAddress a, const Object* object) const {
        return object != nullptr ? ownerOf(*object) : owners_.ofRegion(regionAt(a));
    }
    std::uint32_t ownerAt(ByteAddress a, Tick t) const { return ownerAt(a, objectAt(a, t)); }
    /// The object that holds an address at a time, or null.
    const Object* objectAt(ByteAddress a, Tick t) const;
    /// The object that holds an address at a time, with the memory and the time around that it, or none, holds.
    ObjectIndex::Stretch objectAround(ByteAddress a, Tick t) const;
    /// A readable name for an address: within an object as by placeIn(), else within a region with indices ("B[3][0]"),
    /// else the number in hex. A change of the layout keeps the names of elements.
    std::string placeOf(ByteAddress a, Tick t) const;
    /// As placeOf(), but for objects.
    std::string placeInRegion(ByteAddress a) const;
    /// A readable name for an address in an object: with indices if the object is an array of known shape, else
    /// "Quadrant 3+0x8".
    std::string placeIn(const Object& object, ByteAddress a) const;

    const Footprint& footprint() const { return parts_.footprint; }
    const std::vector<SourceFile>& files() const { return parts_.files; }
    const std::vector<Site>& sites() const { return parts_.sites; }
    const Site& site(SiteId id) const { return parts_.sites[id.value]; }
    /// The calls that led to the accesses; empty if they were not recorded.
    const std::vector<Call>& calls() const { return parts_.calls; }
    /// The first site of the instruction of a site: the same for all ways in which its function was called.
    SiteId instructionOf(SiteId site) const {
        return site.value < instructions_.size() ? instructions_[site.value] : site;
    }
    /// The instructions of the sites numbered in the order in which they come first, as sites are where calls are
    /// unknown.
    std::uint32_t instructionNumber(SiteId site) const {
        return site.value < numbers_.size() ? numbers_[site.value] : site.value;
    }
    /// The name of a site's function; empty if it is unknown.
    const std::string& functionOf(const Site& site) const;
    const std::vector<std::string>& functions() const { return parts_.functions; }
    /// The name of the thread that a CPU runs; empty if it has none.
    const std::string& cpuName(std::uint32_t cpu) const;
    const std::vector<Mark>& marks() const { return parts_.marks; }
    const std::vector<Module>& modules() const { return parts_.modules; }
    /// Where threads waited for each other; null if that was not recorded.
    const std::shared_ptr<const SyncLog>& syncs() const { return parts_.syncs; }
    /// Where the windows begin that were recorded; null if the trace does not consist of windows.
    const std::shared_ptr<const Windows>& windows() const { return parts_.windows; }
    /// Whether the accesses were put in virtual time (see virtual_time.h).
    bool isInVirtualTime() const { return parts_.isInVirtualTime; }
    /// Whether values of accesses are known at all.
    bool hasValues() const { return parts_.values != nullptr && !parts_.values->empty(); }
    /// The value that an access read or wrote, if known.
    std::optional<double> valueAt(Tick t) const {
        return parts_.values == nullptr ? std::nullopt : parts_.values->at(t);
    }
    /// The machine on which, or for which, the trace was made, as JSON; empty if unknown.
    const std::string& machine() const { return parts_.machine; }
    /// Work and waiting between the accesses, if known.
    const Timing& timing() const { return parts_.timing; }
    /// Whether the CPUs, on any machine, do more than one access after the other: they compute, or wait for each other.
    /// Their clocks are then more than sums of access costs.
    bool hasTimes() const { return parts_.hasTimes(); }
    /// The events of the memory system on which the trace was captured; null for most traces.
    const std::shared_ptr<const Recording>& recording() const { return parts_.recording; }
    /// The losses of a damaged file, and the source files that were too long to read, one sentence each.
    const std::vector<std::string>& losses() const { return parts_.losses; }

    /// Malformed lines skipped by lenient reading.
    std::uint64_t skippedLines() const { return parts_.skippedLines; }
    /// Accesses dropped between `off` and `on`, or by a filter.
    std::uint64_t accessesOff() const { return parts_.accessesOff; }
    /// The number of instructions that the program executed while it made the accesses; 0 if unknown.
    std::uint64_t instructions() const { return parts_.instructions; }

    const TraceParts& parts() const { return parts_; }
    /// Moves the data out, for a trace made from this one that replaces it.
    TraceParts takeParts() && { return std::move(parts_); }

  private:
    friend class TraceBuilder;

    std::optional<ByteAddress> unmovedFrom(ByteAddress a) const;
    void findInstructions();

    TraceParts parts_;
    ObjectIndex objectIndex_;
    Owners owners_;
    std::vector<SiteId> instructions_;    ///< by site; empty: each site is an instruction of its own
    std::vector<std::uint32_t> numbers_;  ///< of instructions, by site
    std::uint64_t serial_ = 0;
};

}  // namespace whorl::sim
