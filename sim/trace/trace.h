// A trace: the accesses of a program in the order in which they happened, and what is known about the memory and the
// source lines that they name. It never changes once built; it owns all of its data and is shared between threads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sim/trace/access.h"
#include "sim/trace/footprint.h"
#include "sim/trace/object_index.h"
#include "sim/trace/region.h"
#include "sim/types.h"

namespace whorl::sim {

/// A source file that accesses refer to. `lines` is empty when its text is not known.
struct SourceFile {
    std::string path;
    std::vector<std::string> lines;
};

/// A place in the source: `line` counts from 1; file is an index into Trace::files().
struct Site {
    std::uint32_t file = 0;
    std::uint32_t line = 0;  ///< 0: not known
};

/// A named moment ("phase 2"), before the access with index `at`.
struct Mark {
    Tick at;
    std::string text;
};

class Trace {
  public:
    static constexpr std::uint64_t kChunk = 1u << 16;  ///< accesses a chunk

    /// The number of accesses.
    std::uint64_t size() const { return size_; }
    std::uint64_t reads() const { return size_ - writes_; }
    std::uint64_t writes() const { return writes_; }
    /// One more than the highest CPU named, at least 1.
    std::uint32_t cpus() const { return cpus_; }

    Access operator[](Tick t) const { return chunks_[t.value / kChunk][t.value % kChunk].unpack(); }

    /// Calls f(Tick, const Access&) for each access in [from, to).
    template <class F>
    void forEach(Tick from, Tick to, F&& f) const {
        for (std::uint64_t t = from.value; t < to.value;) {
            const auto& chunk = chunks_[t / kChunk];
            const std::uint64_t stop = std::min(to.value, (t / kChunk + 1) * kChunk);
            for (; t < stop; ++t) f(Tick{t}, chunk[t % kChunk].unpack());
        }
    }

    /// What the trace is called: a file's name, or a program with its options.
    const std::string& name() const { return name_; }

    /// Disjoint, in address order; every byte touched lies in one.
    const std::vector<Region>& regions() const { return regions_; }
    /// The index of the region that holds an address; regions().size() when none does.
    std::size_t regionAt(ByteAddress a) const;
    const std::vector<Object>& objects() const { return objects_; }
    /// The object that holds an address at a time, or null.
    const Object* objectAt(ByteAddress a, Tick t) const;
    /// How a person calls an address: the object's name, or the region's with indices ("B[3][0]"), or the bare number.
    std::string placeOf(ByteAddress a, Tick t) const;

    const Footprint& footprint() const { return footprint_; }
    const std::vector<SourceFile>& files() const { return files_; }
    const std::vector<Site>& sites() const { return sites_; }
    const Site& site(SiteId id) const { return sites_[id.value]; }
    const std::vector<Mark>& marks() const { return marks_; }

    /// Lines that a lenient reading left out.
    std::uint64_t skippedLines() const { return skippedLines_; }
    /// Accesses between `off` and `on`, which are not part of the trace.
    std::uint64_t accessesOff() const { return accessesOff_; }

  private:
    friend class TraceBuilder;

    std::string name_;
    std::vector<std::vector<PackedAccess>> chunks_;
    std::uint64_t size_ = 0;
    std::uint64_t writes_ = 0;
    std::uint32_t cpus_ = 1;
    std::vector<Region> regions_;
    std::vector<Object> objects_;  ///< by base address, then by birth
    ObjectIndex objectIndex_;
    Footprint footprint_;
    std::vector<SourceFile> files_;
    std::vector<Site> sites_{Site{}};
    std::vector<Mark> marks_;
    std::uint64_t skippedLines_ = 0;
    std::uint64_t accessesOff_ = 0;
};

/// Takes a trace down, one thing after the other; finish() gives the trace and leaves the builder empty.
class TraceBuilder {
  public:
    explicit TraceBuilder(std::string name);

    /// Inline, for it is called for every access of every trace.
    void add(const Access& access) {
        if (!recording_) [[unlikely]] {
            ++trace_.accessesOff_;
            return;
        }
        if (trace_.size_ % Trace::kChunk == 0) [[unlikely]] {
            startChunk();
        }
        trace_.chunks_.back().emplace_back(access);
        ++trace_.size_;
        trace_.writes_ += access.isWrite() ? 1 : 0;
        trace_.cpus_ = std::max(trace_.cpus_, access.cpu + 1u);
        footprint_.touch(access.address, access.size);
    }
    std::uint64_t size() const { return trace_.size_; }
    std::uint64_t accessesOff() const { return trace_.accessesOff_; }

    /// The id of a source line; the same line gives the same id. Line 0 gives site 0.
    SiteId site(std::string_view file, std::uint32_t line);
    /// Gives the text of a source file.
    void sourceText(std::string_view file, std::string_view text);
    /// The source files named so far.
    const std::vector<SourceFile>& files() const { return trace_.files_; }

    /// Declares a region, whose size must not be 0 nor reach beyond the address space. False when it overlaps one that
    /// is already declared; nothing is changed then, and `overlapped` (if given) is told that region's name.
    bool addRegion(Region region, std::string* overlapped = nullptr);

    /// An object is born at the next access. False when an object is alive at one of its addresses.
    bool newObject(Object object);
    /// The object alive at `base` dies. False when there is none.
    bool deleteObject(ByteAddress base);

    void mark(std::string text);
    /// Recording off or on: accesses that are added while it is off are counted and left out.
    void recording(bool on) { recording_ = on; }
    void lineSkipped() { ++trace_.skippedLines_; }
    std::uint64_t skippedLines() const { return trace_.skippedLines_; }

    /// Groups what no region names into regions, by the gaps between touched addresses (see region_inference.h). A few
    /// objects, at most 16 that lie apart from each other and from regions, become regions themselves.
    Trace finish();

  private:
    Trace trace_;
    FootprintBuilder footprint_;
    struct PathHash {
        using is_transparent = void;
        std::size_t operator()(std::string_view path) const { return std::hash<std::string_view>{}(path); }
    };

    std::unordered_map<std::string, std::uint32_t, PathHash, std::equal_to<>> fileIds_;
    std::unordered_map<std::uint64_t, std::uint32_t> siteIds_;  ///< file << 32 | line
    std::map<std::uint64_t, std::size_t> alive_;                ///< base address to index in objects_
    bool recording_ = true;

    std::uint32_t fileId(std::string_view path);
    void startChunk();
    void promoteObjects();
};

}  // namespace whorl::sim
