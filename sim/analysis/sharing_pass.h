// The two passes over a stretch that the sharing report is made from: what was taken away and missed, and then who
// touched what in it.
#pragma once

#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "sim/analysis/residency_log.h"
#include "sim/analysis/sharing_report.h"

namespace whorl::sim {

class SharingPass {
  public:
    SharingPass(const Run& run, Stretch stretch) : run_(run), stretch_(stretch) {}

    /// Fills in the things and the blocks of a report, and the cycles. False when it was cancelled.
    bool fill(SharingReport& report, Progress& progress);
    /// The lines of each block.
    const std::vector<std::map<std::uint32_t, SharingLine>>& lines() const { return lines_; }

  private:
    struct Touch {
        std::uint64_t address;
        std::uint64_t size;
        std::size_t thing;
        auto operator<=>(const Touch&) const = default;
    };

    bool play(Progress& progress);
    void take(const Access& access, const EventList& events, std::vector<std::uint64_t>& missed, Cycles cost);
    std::size_t blockAt(std::size_t level, BlockAddress block);
    void order(SharingReport& report);
    bool touch(SharingReport& report, Progress& progress);
    std::size_t thingAt(SharingReport& report, ByteAddress address, Tick t);
    const Region* arrayOf(const SharedThing& thing) const;
    void addFields(SharingReport& report);

    const Run& run_;
    Stretch stretch_;
    Cycles cycles_ = 0;
    std::vector<SharedBlock> blocks_;
    std::vector<std::map<std::uint32_t, SharingLine>> lines_;  ///< by block, by site
    std::map<std::pair<std::size_t, BlockAddress>, std::size_t> placeOf_;
    std::map<std::pair<int, std::size_t>, std::size_t> placeOfThing_;
    std::vector<std::map<Touch, std::map<std::uint32_t, FieldUse>>> touches_;  ///< by block
    std::shared_ptr<const std::vector<MissKindList>> known_;
};

}  // namespace whorl::sim
