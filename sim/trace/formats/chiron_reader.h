// Reads Chiron's trace files (format: docs/traces.md): a header, objects, accesses, and the events of a simulated
// memory system, which become the trace's recording.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "sim/trace/formats/chiron_format.h"
#include "sim/trace/formats/chiron_occupancy.h"
#include "sim/trace/formats/line_reader.h"
#include "sim/trace/recording.h"

namespace whorl::sim {

class ChironReader : public LineReader {
  public:
    /// `scan` is the result of scanChiron for the text. `sources` are the paths of the source files in the order of
    /// their numbers.
    ChironReader(TraceBuilder& builder, const ChironScan& text, std::vector<std::string> sources);

    std::size_t read(std::string_view block) override;
    /// Adds the recording and the machine to the builder, once all lines are read.
    void finish() override;

  private:
    /// The last access that a CPU has begun.
    struct Begun {
        Tick tick;
        std::uint64_t address = 0;
        bool isWrite = false;
        bool isOpen = false;
        bool any = false;
    };
    /// The cache at which an event happens.
    struct Spot {
        std::uint8_t level = 0;
        std::uint8_t cache = 0;
    };
    /// Indices of recorded events whose access is not known yet.
    using Waiting = std::vector<std::size_t>;
    struct RecentSource {
        std::uint64_t source = 0;  ///< 0: none
        SiteId site;
    };

    bool readLine(std::string_view line);
    bool readFields(char letter, std::string_view line);
    void readComment(std::string_view line);
    void readTime(std::string_view words);
    bool readHeader();
    bool readObject(std::string_view line);
    bool readDeath();
    bool readBlockEvent(char letter);
    bool readAccessStart(char letter);
    bool readCompletion(char letter);

    bool spotOf(Spot& spot);
    bool isCpu(std::uint64_t cpu);
    bool isLevel(std::uint64_t level);
    bool timeGoesOn(Spot spot, std::uint64_t time);
    bool moveBlocks(char letter, Spot spot);
    void record(RecordedEvent event);
    void claim(Waiting& waiting, Tick access);
    SiteId siteOf(std::uint64_t source);
    std::uint64_t blockOf(std::uint64_t address, Spot spot) const { return address / recording_.blockSize[spot.level]; }
    std::string machine() const;
    bool refuseLine(std::string what, std::string hint = {}) { return refuse(std::move(what), std::move(hint), true); }

    TraceBuilder& builder_;
    ChironScan text_;
    std::vector<std::string> sources_;
    ChironFieldReader fields_;
    std::unique_ptr<LineReader> plainText_;  ///< parses comments that contain lines of Whorl's text format
    unsigned headerLines_ = 0;
    std::string machine_;  ///< from a comment
    Recording recording_;
    std::array<ChironOccupancy, 2> occupancy_;
    std::array<std::uint64_t, kMaxCpus> lastTime_{};  ///< by L1 cache

    std::array<Begun, kMaxCpus> begun_{};        ///< by CPU
    Tick goingOn_;                               ///< the access begun last, of any CPU
    std::array<Waiting, kMaxCpus> waitingNear_;  ///< events of L1, by cache
    std::array<Waiting, kMaxCpus> waitingFar_;   ///< events of L2, by cache
    Waiting waitingAny_;
    std::array<RecentSource, 4096> recentSources_{};
};

}  // namespace whorl::sim
