// Takes a trace down, one thing after the other: what every reader and recorder fills.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/trace/chunk_codec.h"
#include "sim/trace/footprint.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// Takes accesses as they come, a batch at a time.
using AccessConsumer = std::function<void(std::span<const PackedAccess>)>;

/// finish() gives the trace and leaves the builder empty. A builder with a consumer hands the accesses on instead, all
/// of them when flush() was called, and keeps neither them nor where they touched memory, nor sites: of a trace of any
/// length it takes no more memory than of a short one.
class TraceBuilder {
  public:
    explicit TraceBuilder(std::string name);
    explicit TraceBuilder(AccessConsumer consumer);

    /// Inline, for it is called for every access of every trace.
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
    /// Room for the next accesses, at least one; none while recording is off. For a reader that writes many at once: it
    /// fills the first of them, and says how many.
    std::span<PackedAccess> room() {
        if (next_ == end_) makeRoom();
        return {next_, recording_ ? static_cast<std::size_t>(end_ - next_) : 0};
    }
    void written(std::size_t count) { next_ += count; }
    /// Also says when it was captured, in any unit; without that it counts as captured at 0.
    void add(const Access& access, std::uint64_t stamp);
    std::uint64_t size() const { return parts_.size + held(); }
    std::uint64_t accessesOff() const { return parts_.accessesOff; }
    std::uint64_t writes() const { return parts_.writes; }  ///< of those that were flushed
    std::uint32_t cpus() const { return parts_.cpus; }      ///< of those that were flushed
    /// Hands on, or packs, what is held back. Only at the end of a trace: a chunk that is packed is not added to.
    void flush();

    void name(std::string name) { parts_.name = std::move(name); }

    /// Whether sites are of use; without them the same id is given for all.
    bool keepsSites() const { return consumer_ == nullptr; }
    /// The id of a source line; the same line gives the same id. Line 0 gives site 0.
    SiteId site(std::string_view file, std::uint32_t line);
    /// The id of an instruction; address 0 gives site 0.
    SiteId siteAt(ByteAddress pc) {
        const RecentSite& recent = recentSites_[pc.value % recentSites_.size()];
        return recent.pc == pc.value ? recent.id : findSiteAt(pc);
    }
    /// Gives the text of a source file.
    void sourceText(std::string_view file, std::string_view text);
    /// The source files named so far.
    const std::vector<SourceFile>& files() const { return parts_.files; }

    /// Declares a region, whose size must not be 0 nor reach beyond the address space. False when it overlaps one that
    /// is already declared; nothing is changed then, and `overlapped` (if given) is told that region's name.
    bool addRegion(Region region, std::string* overlapped = nullptr);

    /// An object is born at the next access. False when an object is alive at one of its addresses.
    bool newObject(Object object);
    /// The object alive at `base` dies. False when there is none.
    bool deleteObject(ByteAddress base);

    void mark(std::string text);
    /// All that another trace knew, save its accesses, their number, and what follows from them: the ids of sites are
    /// those of that trace from now on, and objects and marks have the moments that they are given with.
    void adopt(TraceParts known);
    void addModule(Module module) { parts_.modules.push_back(std::move(module)); }
    void machine(std::string json) { parts_.machine = std::move(json); }
    /// Every access comes after so many cycles of work.
    void workBeforeEach(std::uint64_t cycles) { parts_.timing.each = cycles; }
    /// The next access comes after `work` more, and only when the earlier access `after` is through. At most once for
    /// each access.
    void delay(std::uint64_t work, Tick after = Delay::kNoAccess) {
        parts_.timing.delays.push_back({Tick{size()}, work, after});
    }
    void keep(Timing timing) { parts_.timing = std::move(timing); }
    const Timing& timing() const { return parts_.timing; }
    void keep(Recording recorded) { parts_.recording = std::make_shared<const Recording>(std::move(recorded)); }
    /// Recording off or on: accesses that are added while it is off are counted and left out.
    void recording(bool on) { recording_ = on; }
    /// From now on, accesses that are added while recording is off are kept as unrecorded ones.
    void keepUnrecorded() { keepUnrecorded_ = true; }
    void lineSkipped() { ++parts_.skippedLines; }
    std::uint64_t skippedLines() const { return parts_.skippedLines; }

    /// Groups what no region names into regions, by the gaps between touched addresses (see region_inference.h). A few
    /// objects, at most 16 that lie apart from each other and from regions, become regions themselves.
    Trace finish();
    /// The same for a trace whose regions are known, as they were found when it was first read: none is inferred.
    Trace finishWith(std::vector<Region> regions);

  private:
    struct PathHash {
        using is_transparent = void;
        std::size_t operator()(std::string_view path) const { return std::hash<std::string_view>{}(path); }
    };
    struct RecentSite {
        std::uint64_t pc = 0;
        SiteId id;
    };

    TraceParts parts_;
    std::vector<std::string> chunks_;
    AccessConsumer consumer_;
    FootprintBuilder footprint_;
    ChunkEncoder encoder_;
    std::vector<PackedAccess> buffer_;   ///< accesses that are held back: those before next_
    std::vector<std::uint64_t> stamps_;  ///< of the first of them, when there are any
    PackedAccess* next_ = nullptr;
    PackedAccess* end_ = nullptr;

    std::unordered_map<std::string, std::uint32_t, PathHash, std::equal_to<>> fileIds_;
    std::unordered_map<std::uint64_t, std::uint32_t> siteIds_;    ///< file << 32 | line
    std::unordered_map<std::uint64_t, std::uint32_t> pcSiteIds_;  ///< instruction
    std::array<RecentSite, 4096> recentSites_;                    ///< by the low bits of the instruction's address
    std::map<std::uint64_t, std::size_t> alive_;                  ///< base address to index in objects
    bool recording_ = true;
    bool keepUnrecorded_ = false;

    std::uint64_t held() const { return static_cast<std::uint64_t>(next_ - buffer_.data()); }
    void put(const PackedAccess& access) {
        if (next_ == end_) [[unlikely]] {
            makeRoom();
        }
        *next_++ = access;
    }
    void makeRoom();
    void addOff(const Access& access);
    SiteId findSiteAt(ByteAddress pc);
    std::uint32_t fileId(std::string_view path);
    void promoteObjects();
    TraceParts takeParts();
};

}  // namespace whorl::sim
