// Builds a trace incrementally; used by every reader and recorder.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/trace/footprint.h"
#include "sim/trace/packed_accesses.h"
#include "sim/trace/region_inference.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// Receives accesses in batches.
using AccessConsumer = std::function<void(std::span<const PackedAccess>)>;

/// Whether streamed accesses have distinct sites.
enum class StreamedSites : std::uint8_t { none, numbered };

template <class T>
class Handover;

/// Accesses on their way to be packed; they come in pieces that stay in the host's nearer caches.
struct AccessPiece {
    std::vector<PackedAccess> accesses;
    std::size_t count = 0;              ///< of them, the first ones
    std::vector<std::uint64_t> stamps;  ///< their times of capture, or none
    std::uint64_t writes = 0;
};

/// finish() returns the trace and leaves the builder empty. A builder with a consumer passes the accesses on instead
/// (all of them after flush()), and keeps neither accesses nor footprint, so that its memory use does not depend on the
/// length of the trace. It numbers sites only on request.
class TraceBuilder {
  public:
    /// With more objects than this, a colour for each would not be distinguishable.
    static constexpr std::size_t kMaxObjectRegions = 16;

    explicit TraceBuilder(std::string name);
    TraceBuilder(AccessConsumer consumer, StreamedSites sites);

    /// Inline, because it is called for every access of every trace.
    void add(const Access& access) {
        if (!recording_) [[unlikely]] {
            addOff(access);
            return;
        }
        put(PackedAccess(access));
    }
    void add(const PackedAccess& access) {
        if (!recording_) [[unlikely]] {
            addOff(access.unpack());
            return;
        }
        put(access);
    }
    /// Space for the next accesses, at least one; none while recording is off. For readers that add many at once: fill
    /// the first ones and call written() with their number.
    std::span<PackedAccess> room() {
        if (next_ == end_) makeRoom();
        return {next_, recording_ ? static_cast<std::size_t>(end_ - next_) : 0};
    }
    void written(std::size_t count) { next_ += count; }
    /// Adds an access with the time of its capture, in any unit; the default is 0.
    void add(const Access& access, std::uint64_t stamp);
    std::uint64_t size() const { return parts_.size + held(); }
    std::uint64_t accessesOff() const { return parts_.accessesOff; }
    std::uint64_t writes() const { return parts_.writes; }  ///< writes among the accesses flushed so far
    std::uint32_t cpus() const { return parts_.cpus; }      ///< one more than the highest CPU index flushed so far
    /// Announces memory that may become a region, before its first access, so that finish() need not go over all
    /// accesses.
    void expectRegion(ByteAddress base, std::uint64_t size);
    /// Says which bytes of a granule at the edge of a region were touched, if that was not announced.
    void assumeTouched(std::uint64_t granule, std::uint32_t bytes) { edges_.assume(granule, bytes); }
    /// Passes on or encodes the buffered accesses. Only at the end of a trace: an encoded chunk is not extended.
    void flush();
    /// From now on, hands the accesses over to a thread that calls pack() for each piece of them, until packHere().
    void packElsewhere(Handover<AccessPiece>& there) { there_ = &there; }
    void pack(AccessPiece& piece);
    /// The other thread has packed all that was handed over.
    void packHere();

    /// The approximate memory used, in bytes, counting data that grows with the trace.
    std::uint64_t bytes() const;
    /// From now on, stores packed accesses there instead of in memory.
    void keepIn(std::shared_ptr<PackStore> store) { store_ = std::move(store); }
    /// Whether the store failed to keep a pack; later accesses are dropped.
    bool isStoreFull() const { return isStoreFull_.load(std::memory_order_relaxed); }
    /// Limits memory from now on: data beyond the limit is not kept. isBeyondMemory() is then true, and the trace is
    /// useless.
    void limitMemory(std::uint64_t bytes) { mostBytes_ = bytes; }
    bool isBeyondMemory() const { return mostBytes_ != ~std::uint64_t{0} && bytes() > mostBytes_; }

    void name(std::string name) { parts_.name = std::move(name); }

    /// Whether accesses are passed on instead of being kept.
    bool streams() const { return consumer_ != nullptr; }
    /// Whether sites are numbered; if not, all accesses get the same id.
    bool numbersSites() const { return numbersSites_; }
    /// The id of a source line; equal lines give equal ids. Line 0 gives site 0.
    SiteId site(std::string_view file, std::uint32_t line);
    /// The id of a source line within a function; equal ones give equal ids.
    SiteId site(std::string_view file, std::uint32_t line, std::string_view function);
    /// The id of an instruction, reached by a call; address 0 gives site 0.
    SiteId siteAt(ByteAddress pc, std::uint32_t call = kNoCall) {
        const RecentSite& recent = recentSites_[pc.value % recentSites_.size()];
        return recent.pc == pc.value && recent.call == call ? recent.id : findSiteAt(pc, call);
    }
    /// Stores the calls that sites were given for.
    void keep(std::vector<Call> calls) { parts_.calls = std::move(calls); }
    const std::vector<Site>& sites() const { return parts_.sites; }
    /// Sets the source line and the function of a site; an empty file or function means unknown.
    void locate(SiteId site, std::string_view file, std::uint32_t line, std::string_view function);
    /// Names the thread that a CPU runs.
    void nameCpu(std::uint32_t cpu, std::string name);
    /// Whether the accesses flushed so far touch any of [from, to), rounded to granules.
    bool touches(ByteAddress from, ByteAddress to) const { return footprint_.touches(from, to); }
    /// Sets the text of a source file.
    void sourceText(std::string_view file, std::string_view text);
    /// The source files referred to so far.
    const std::vector<SourceFile>& files() const { return parts_.files; }

    /// Declares a region, which must not be empty nor extend beyond the address space. False, with nothing changed, if
    /// it overlaps a declared region, whose name is then stored in `overlapped` (if given).
    bool addRegion(Region region, std::string* overlapped = nullptr);

    /// Creates an object, alive from the next access on. False if it overlaps an object that is alive.
    bool newObject(Object object);
    /// Adds objects whose lifetimes are known; no two may hold the same address at the same time.
    void keep(std::vector<Object> objects);
    /// Ends the lifetime of the object that starts at `base`. False if there is none.
    bool deleteObject(ByteAddress base);

    void mark(std::string text);
    /// Adopts everything known about another trace except its accesses, their number, and what follows from them. From
    /// now on site ids are those of that trace; objects and marks keep the ticks given.
    void adopt(TraceParts known);
    void addModule(Module module);
    void machine(std::string json) { parts_.machine = std::move(json); }
    /// Sets the cycles of work before every access.
    void workBeforeEach(std::uint64_t cycles) { parts_.timing.each = cycles; }
    /// Delays the next access by `work` more cycles, and until the earlier access `after` has completed. At most once
    /// per access.
    void delay(std::uint64_t work, Tick after = Delay::kNoAccess) {
        parts_.timing.delays.push_back({Tick{size()}, work, after});
    }
    void keep(Timing timing) { parts_.timing = std::move(timing); }
    const Timing& timing() const { return parts_.timing; }
    /// See Trace::hasTimes.
    bool hasTimes() const { return parts_.hasTimes(); }
    /// Adopts the log. A thread without accesses has a CPU, too, if others may have to wait for it.
    void keep(SyncLog syncs) {
        parts_.cpus = std::max(parts_.cpus, syncs.cpus());
        parts_.syncs = std::make_shared<const SyncLog>(std::move(syncs));
    }
    void keep(Windows windows) { parts_.windows = std::make_shared<const Windows>(std::move(windows)); }
    void keep(ValueLog values) { parts_.values = std::make_shared<const ValueLog>(std::move(values)); }
    void keep(Recording recorded) { parts_.recording = std::make_shared<const Recording>(std::move(recorded)); }
    /// Switches recording; accesses added while it is off are counted and dropped.
    void recording(bool on) { recording_ = on; }
    /// Counts accesses that are dropped elsewhere.
    void leftOut(std::uint64_t accesses) { parts_.accessesOff += accesses; }
    /// From now on, each access is of its first byte alone.
    void ignoreSizes() { ignoresSizes_ = true; }
    /// From now on, accesses added while recording is off are kept as unrecorded accesses.
    void keepUnrecorded() { keepUnrecorded_ = true; }
    /// Counts executed instructions.
    void instructions(std::uint64_t count) { parts_.instructions += count; }
    std::uint64_t instructions() const { return parts_.instructions; }
    void lineSkipped() { ++parts_.skippedLines; }
    /// Records a loss of the file, as a sentence.
    void lost(std::string what) { parts_.losses.push_back(std::move(what)); }
    const std::vector<std::string>& losses() const { return parts_.losses; }
    std::uint64_t skippedLines() const { return parts_.skippedLines; }

    /// Finishes the trace. Touched memory without a region is grouped into inferred regions (see region_inference.h).
    /// At most 16 objects, if they overlap neither each other nor regions, become regions themselves.
    Trace finish();
    /// Adds inferred regions to a trace that has only declared ones.
    static Trace withInferredRegions(Trace trace, const EdgeWatch& watched = {});
    /// Finishes a trace whose regions are all known: infers none.
    Trace finishWith(std::vector<Region> regions);

  private:
    struct PathHash {
        using is_transparent = void;
        std::size_t operator()(std::string_view path) const { return std::hash<std::string_view>{}(path); }
    };
    struct RecentSite {
        std::uint64_t pc = 0;
        std::uint32_t call = 0;
        SiteId id;
    };

    TraceParts parts_;
    PackedAccesses packed_;
    std::shared_ptr<PackStore> store_;
    std::atomic<bool> isStoreFull_ = false;
    AccessConsumer consumer_;
    Handover<AccessPiece>* there_ = nullptr;  ///< the thread that packs; null: this one
    std::uint64_t kept_ = 0;                  ///< accesses in packs that were kept
    std::uint64_t keptWrites_ = 0;            ///< writes among them
    FootprintBuilder footprint_;
    EdgeWatch edges_;
    bool watchesEdges_ = false;
    PackEncoder encoder_;
    std::size_t inPack_ = 0;  ///< accesses in the pack that was begun
    std::uint64_t writesInPack_ = 0;
    bool hasStamps_ = false;  ///< it has times
    AccessPiece piece_;       ///< buffered accesses: those before next_; stamps of the first of them
    PackedAccess* next_ = nullptr;
    PackedAccess* end_ = nullptr;

    std::unordered_map<std::string, std::uint32_t, PathHash, std::equal_to<>> fileIds_;
    std::unordered_map<std::string, std::uint32_t, PathHash, std::equal_to<>> functionIds_;
    std::unordered_map<std::uint64_t, std::uint32_t> siteIds_;     ///< file << 32 | line
    std::map<std::array<std::uint32_t, 3>, SiteId> placeSiteIds_;  ///< by file, line and function
    /// By instruction, in a map for each call.
    std::unordered_map<std::uint32_t, std::unordered_map<std::uint64_t, std::uint32_t>> pcSiteIds_;
    std::array<RecentSite, 4096> recentSites_;     ///< by the low bits of the instruction's address
    std::map<std::uint64_t, std::size_t> alive_;   ///< base address to index in objects
    std::map<std::uint64_t, Region> declared_;     ///< regions by base address
    std::uint64_t textBytes_ = 0;                  ///< bytes of names and texts
    std::uint64_t mostBytes_ = ~std::uint64_t{0};  ///< see limitMemory()
    bool recording_ = true;
    bool keepUnrecorded_ = false;
    bool ignoresSizes_ = false;
    bool numbersSites_ = true;

    std::uint64_t held() const { return static_cast<std::uint64_t>(next_ - piece_.accesses.data()); }
    void put(const PackedAccess& access) {
        if (next_ == end_) [[unlikely]] {
            makeRoom();
        }
        *next_++ = access;
    }
    void makeRoom();
    void addOff(const Access& access);
    SiteId findSiteAt(ByteAddress pc, std::uint32_t call);
    std::uint32_t fileId(std::string_view path);
    void passOn();
    void endPack();
    void loseUnkept();
    std::uint64_t count(std::span<const PackedAccess> accesses);
    void promoteObjects();
    TraceParts takeParts();
};

}  // namespace whorl::sim
