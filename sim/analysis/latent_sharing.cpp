#include "sim/analysis/latent_sharing.h"

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <utility>

#include "sim/analysis/latent_candidates.h"
#include "sim/analysis/sharing_trials.h"
#include "sim/machine/machine_config.h"
#include "sim/replay/run.h"
#include "sim/trace/layout/address_map.h"
#include "sim/trace/layout/layout_change.h"
#include "sim/trace/layout/mapped_trace.h"

namespace whorl::sim {

namespace {

/// The losses in overlapping blocks of all levels, in the run as it is and after the change.
struct Cluster {
    struct OfLevel {
        std::uint64_t missesNow = 0;
        std::uint64_t missesThen = 0;
        std::int64_t lost = 0;  ///< cycles lost after the change, beyond those lost now
    };
    std::map<std::size_t, OfLevel> levels;
    std::set<std::string> labels;
    std::set<std::string> names;
    std::set<std::uint32_t> cpus;

    void join(const Cluster& other) {
        for (const auto& [level, sums] : other.levels) {
            OfLevel& sum = levels[level];
            sum.missesNow += sums.missesNow;
            sum.missesThen += sums.missesThen;
            sum.lost += sums.lost;
        }
        names.insert(other.names.begin(), other.names.end());
        cpus.insert(other.cpus.begin(), other.cpus.end());
    }
    std::int64_t lost() const {
        std::int64_t sum = 0;
        for (const auto& [level, sums] : levels) sum += sums.lost;
        return sum;
    }
};

/// Matches the shared blocks of a run with those after a change. Overlapping blocks belong together, so that sharing
/// that only moved, or changed its company, does not count as new.
class Matching {
  public:
    /// `later` maps the addresses of the run to those after the change.
    Matching(const SharingReport& now, const SharingReport& then, const AddressMap& later) {
        for (const SharedBlock& block : then.blocks) {
            const std::uint64_t size = then.blockSizes[block.level];
            places_.push_back({{block.block.value * size, (block.block.value + 1) * size}, owners_++});
        }
        for (const SharedBlock& block : now.blocks) {
            const std::uint64_t size = then.blockSizes[block.level];
            for (const SharedField& field : block.fields) {
                const std::uint64_t at = later.of(field.address).value / size;
                places_.push_back({{at * size, (at + 1) * size}, owners_});
            }
            ++owners_;
        }
        joinOverlapping();
        sumUp(now, then);
    }

    /// The clusters of the blocks that overlap one of the extents (null: of all blocks), combined by the labels of
    /// their contents.
    std::vector<Cluster> clusters(const std::vector<Extent>* extents) const {
        std::set<std::size_t> wanted;
        for (const Place& place : places_) {
            const auto overlaps = [&](const Extent& e) { return e.from < place.extent.to && place.extent.from < e.to; };
            const bool isWanted = extents == nullptr || std::any_of(extents->begin(), extents->end(), overlaps);
            if (isWanted) wanted.insert(rootOf(place.owner));
        }
        std::map<std::set<std::string>, Cluster> byLabels;
        for (const std::size_t root : wanted) {
            const Cluster& cluster = sums_.at(root);
            Cluster& sum = byLabels[cluster.labels];
            sum.labels = cluster.labels;
            sum.join(cluster);
        }
        std::vector<Cluster> out;
        out.reserve(byLabels.size());
        for (auto& [labels, cluster] : byLabels) out.push_back(std::move(cluster));
        return out;
    }

  private:
    struct Place {
        Extent extent;
        std::size_t owner = 0;  ///< number of a block: the blocks of `then` come before those of `now`
    };

    std::size_t rootOf(std::size_t owner) const {
        while (parents_[owner] != owner) owner = parents_[owner];
        return owner;
    }
    void joinOverlapping() {
        parents_.resize(owners_);
        std::iota(parents_.begin(), parents_.end(), std::size_t{0});
        std::sort(places_.begin(), places_.end(), [](const Place& a, const Place& b) { return a.extent < b.extent; });
        std::uint64_t end = 0;
        for (std::size_t i = 0; i < places_.size(); ++i) {
            if (i > 0 && places_[i].extent.from < end) {
                const std::size_t root = rootOf(places_[i - 1].owner);
                parents_[rootOf(places_[i].owner)] = root;
            }
            end = std::max(end, places_[i].extent.to);
        }
    }
    void sumUp(const SharingReport& now, const SharingReport& then) {
        std::size_t owner = 0;
        for (const SharedBlock& block : then.blocks) {
            Cluster& cluster = sums_[rootOf(owner++)];
            cluster.levels[block.level].missesThen += block.falseMisses;
            cluster.levels[block.level].lost += static_cast<std::int64_t>(block.lost);
            if (block.falseMisses <= block.trueMisses) continue;
            for (const SharedField& field : block.fields) {
                cluster.labels.insert(then.things[field.thing].label);
                cluster.names.insert(then.things[field.thing].name);
                for (const FieldUse& use : field.uses) cluster.cpus.insert(use.cpu);
            }
        }
        for (const SharedBlock& block : now.blocks) {
            Cluster& cluster = sums_[rootOf(owner++)];
            cluster.levels[block.level].missesNow += block.falseMisses;
            cluster.levels[block.level].lost -= static_cast<std::int64_t>(block.lost);
        }
    }

    std::vector<Place> places_;
    std::size_t owners_ = 0;
    std::vector<std::size_t> parents_;     ///< by owner
    std::map<std::size_t, Cluster> sums_;  ///< by root
};

/// The new extents of the things whose offsets in blocks have changed.
std::vector<Extent> displacedIn(const Trace& view, const Trace& trace) {
    std::vector<Extent> out;
    const auto addMoved = [&](const auto& is, const auto& was) {
        for (std::size_t i = 0; i < is.size(); ++i) {
            if ((is[i].base.value - was[i].base.value) % kKeptAlignment == 0) continue;
            out.push_back({is[i].base.value, is[i].base.value + is[i].size});
        }
    };
    addMoved(view.regions(), trace.regions());
    addMoved(view.objects(), trace.objects());
    return out;
}

/// The steps of a view's map that the trace's does not have.
AddressMap laterSteps(const Trace& view, const Trace& trace) {
    AddressMap later;
    const std::size_t known = trace.map() == nullptr ? 0 : trace.map()->steps().size();
    for (std::size_t s = known; view.map() != nullptr && s < view.map()->steps().size(); ++s) {
        later.add(view.map()->steps()[s]);
    }
    return later;
}

/// The false sharing of a cluster beyond that of the run; empty if there is none.
std::optional<LatentGroup> groupOf(const Cluster& cluster, const std::vector<LayoutChange>& shifts) {
    constexpr std::size_t kFew = 3;
    std::uint64_t now = 0;
    std::uint64_t then = 0;
    auto most = cluster.levels.begin();
    for (auto level = cluster.levels.begin(); level != cluster.levels.end(); ++level) {
        now += level->second.missesNow;
        then += level->second.missesThen;
        if (level->second.lost > most->second.lost) most = level;
    }
    const Cluster::OfLevel& sums = most->second;
    if (cluster.labels.empty() || cluster.lost() <= 0 || then <= now || sums.missesThen <= sums.missesNow)
        return std::nullopt;
    const std::set<std::string>& things = cluster.names.size() <= kFew ? cluster.names : cluster.labels;
    return LatentGroup{.shifts = shifts,
                       .level = most->first,
                       .things = {things.begin(), things.end()},
                       .cpus = {cluster.cpus.begin(), cluster.cpus.end()},
                       .falseMisses = sums.missesThen - sums.missesNow,
                       .falseMissesNow = sums.missesNow,
                       .lost = static_cast<Cycles>(cluster.lost())};
}

class LatentFinder {
  public:
    LatentFinder(const Run& run, const SharingReport& now, Progress& progress)
        : run_(run), now_(now), progress_(progress) {}

    /// False when cancelled.
    bool tryPlacements(LatentReport& report) {
        startJob(0);
        const auto placements =
            latentPlacements(run_.trace(), now_.range, coherentBlockSizes(run_.machine()), kMaxPlacements, progress_);
        if (!placements) return false;
        jobs_ = 1 + 3 * placements->size() + 2;
        for (std::size_t p = 0; p < placements->size(); ++p) {
            startJob(1 + 3 * p);
            auto view = mapped(run_.sharedTrace(), (*placements)[p].shifts, progress_);
            if (progress_.cancelled()) return false;
            if (!view) continue;  // there is no room
            const auto trace = std::make_shared<const Trace>(*std::move(view));
            const auto then = sharingOn(trace, run_.machine(), 2 + 3 * p);
            if (!then) return false;
            ++report.placements;
            const Matching matching(now_, *then, laterSteps(*trace, run_.trace()));
            const std::vector<Extent> displaced = displacedIn(*trace, run_.trace());
            addLatent(report, matching.clusters(&displaced), (*placements)[p].shifts);
        }
        return true;
    }

    bool tryLargerBlocks(LatentReport& report) {
        MachineConfig machine = run_.machine();
        for (LevelConfig& level : machine.levels) level.block *= 2;
        const auto config = checked(std::move(machine), {});
        if (!config) return true;  // a cache is too small for larger blocks
        const auto then = sharingOn(run_.sharedTrace(), *config, jobs_ - 2);
        if (!then) return false;
        report.doubled = then->blockSizes;
        addLatent(report, Matching(now_, *then, AddressMap()).clusters(nullptr), {});
        return true;
    }

  private:
    void startJob(std::size_t job) { progress_.startPart(job, jobs_); }

    std::optional<SharingReport> sharingOn(const std::shared_ptr<const Trace>& trace, const MachineConfig& machine,
                                           std::size_t job) {
        startJob(job);
        Run run(trace, machine);
        if (!run.build(progress_)) return std::nullopt;
        startJob(job + 1);
        return sharingOf(run, now_.range, progress_);
    }

    static void addLatent(LatentReport& report, const std::vector<Cluster>& clusters,
                          const std::vector<LayoutChange>& shifts) {
        for (const Cluster& cluster : clusters) {
            if (auto group = groupOf(cluster, shifts)) report.groups.push_back(*std::move(group));
        }
    }

    const Run& run_;
    const SharingReport& now_;
    Progress& progress_;
    /// Parts of the progress: one for the choice of placements, three for each placement, two for the larger blocks.
    std::size_t jobs_ = 1 + 3 * kMaxPlacements + 2;
};

/// Sorts the groups by loss. Of the placements that share the same things, keeps only the costliest.
void order(std::vector<LatentGroup>& groups) {
    std::stable_sort(groups.begin(), groups.end(),
                     [](const LatentGroup& a, const LatentGroup& b) { return a.lost > b.lost; });
    std::set<std::pair<std::vector<std::string>, bool>> seen;
    std::erase_if(groups, [&](const LatentGroup& g) { return !seen.emplace(g.things, g.shifts.empty()).second; });
}

}  // namespace

std::optional<LatentReport> latentSharingOf(const Run& run, const SharingReport& now, Progress& progress) {
    LatentReport report{.levels = now.levels};
    if (!run.machine().isCoherent()) return report;
    LatentFinder finder(run, now, progress);
    if (!finder.tryPlacements(report) || !finder.tryLargerBlocks(report)) return std::nullopt;
    order(report.groups);
    return report;
}

}  // namespace whorl::sim
