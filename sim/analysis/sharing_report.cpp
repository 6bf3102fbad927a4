#include "sim/analysis/sharing_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "sim/analysis/sharing_cures.h"
#include "sim/analysis/sharing_pass.h"

namespace whorl::sim {

namespace {

using Cause = SharingGroup::Cause;

Cause causeOf(const SharedBlock& block) {
    if (block.trueMisses + block.falseMisses == 0) return Cause::noMiss;
    return block.falseMisses > block.trueMisses ? Cause::falseSharing : Cause::trueSharing;
}

std::vector<std::string> labelsOf(const SharingReport& report, const SharedBlock& block) {
    std::set<std::string> labels;
    for (const SharedField& field : block.fields) labels.insert(report.things[field.thing].label);
    return {labels.begin(), labels.end()};
}

/// What the blocks of a group hold: by name where there are few.
std::vector<std::string> thingsOf(const SharingReport& report, const SharingGroup& group,
                                  const std::vector<std::string>& labels) {
    constexpr std::size_t kFew = 3;
    std::set<std::string> names;
    for (const std::size_t b : group.blocks) {
        for (const SharedField& field : report.blocks[b].fields) names.insert(report.things[field.thing].name);
    }
    return names.size() <= kFew ? std::vector(names.begin(), names.end()) : labels;
}

void addLines(SharingGroup& group, const std::vector<std::map<std::uint32_t, SharingLine>>& lines, const Trace& trace) {
    // Instructions of one line are one.
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint64_t>, SharingLine> sums;
    for (const std::size_t b : group.blocks) {
        for (const auto& [id, line] : lines[b]) {
            const Site& site = trace.site(line.site);
            const auto key = site.line != 0 ? std::tuple(site.file, site.line, std::uint64_t{0})
                                            : std::tuple(std::uint32_t{0}, std::uint32_t{0}, site.pc.value);
            SharingLine& sum = sums.try_emplace(key, SharingLine{.site = line.site}).first->second;
            sum.misses += line.misses;
            sum.invalidations += line.invalidations;
            sum.lost += line.lost;
        }
    }
    for (const auto& [key, line] : sums) group.lines.push_back(line);
    std::stable_sort(group.lines.begin(), group.lines.end(), [](const SharingLine& a, const SharingLine& b) {
        return std::tuple(a.lost, a.misses, a.invalidations) > std::tuple(b.lost, b.misses, b.invalidations);
    });
}

/// Blocks that different CPUs have no part of are taken along with the larger one of a farther level that they lie in.
void addFartherCures(SharingReport& report) {
    std::map<std::pair<std::size_t, std::uint64_t>, const SharingGroup*> groupOf;  // by level and block
    for (const SharingGroup& group : report.groups) {
        for (const std::size_t b : group.blocks) groupOf[{group.level, report.blocks[b].block.value}] = &group;
    }
    for (SharingGroup& group : report.groups) {
        const bool isOpen = group.cause == Cause::falseSharing && group.cures.empty();
        for (std::size_t l = group.level + 1; isOpen && l < report.levels.size() && !group.through; ++l) {
            const std::uint64_t together = report.blockSizes[l] / report.blockSizes[group.level];
            for (const std::size_t b : group.blocks) {
                const auto at = groupOf.find({l, report.blocks[b].block.value / together});
                if (together == 1 || at == groupOf.end() || at->second->cures.empty()) continue;
                group.through = l;
                for (const LayoutChange& cure : at->second->cures) {
                    if (std::find(group.cures.begin(), group.cures.end(), cure) == group.cures.end()) {
                        group.cures.push_back(cure);
                    }
                }
            }
        }
    }
}

void addGroups(SharingReport& report, const SharingPass& pass, const Trace& trace) {
    std::map<std::tuple<std::size_t, Cause, std::vector<std::string>>, SharingGroup> groups;
    for (std::size_t b = 0; b < report.blocks.size(); ++b) {
        const SharedBlock& block = report.blocks[b];
        const auto key = std::tuple(block.level, causeOf(block), labelsOf(report, block));
        SharingGroup& group = groups[key];
        std::tie(group.level, group.cause, group.things) = key;
        group.blocks.push_back(b);
        group.invalidations += block.invalidations;
        group.trueMisses += block.trueMisses;
        group.falseMisses += block.falseMisses;
        group.lost += block.lost;
    }
    for (auto& [key, group] : groups) {
        addLines(group, pass.lines(), trace);
        group.things = thingsOf(report, group, group.things);
        if (group.cause == Cause::falseSharing) group.cures = curesOf(report, group);
        report.lost += group.lost;
        report.groups.push_back(std::move(group));
    }
    addFartherCures(report);
    std::stable_sort(report.groups.begin(), report.groups.end(), [](const SharingGroup& a, const SharingGroup& b) {
        return std::tuple(a.lost, a.trueMisses + a.falseMisses, a.invalidations) >
               std::tuple(b.lost, b.trueMisses + b.falseMisses, b.invalidations);
    });
}

}  // namespace

std::string asAdvice(const LayoutChange& change) {
    const std::string thing = change.ofClass ? "each " + change.thing : change.thing;
    switch (change.kind) {
        case LayoutChange::Kind::shift:
            return fmt::format("shift {} by {} bytes", thing, change.bytes);
        case LayoutChange::Kind::align:
            return fmt::format("align {} to {} bytes", thing, change.bytes);
        case LayoutChange::Kind::pad:
            return fmt::format("pad {} to {} bytes", thing, change.bytes);
        case LayoutChange::Kind::spread:
            break;
    }
    const std::string parts = change.element == 0 ? "the elements" : fmt::format("every {} bytes", change.element);
    return fmt::format("spread {} of {} to {} bytes each", parts, thing, change.bytes);
}

std::optional<SharingReport> sharingOf(const Run& run, Stretch stretch, Progress& progress) {
    SharingReport report{.stretch = stretch};
    for (const LevelConfig& level : run.machine().levels) {
        report.levels.push_back(level.name);
        report.blockSizes.push_back(level.block);
    }
    SharingPass pass(run, stretch);
    if (!pass.fill(report, progress)) return std::nullopt;
    addGroups(report, pass, run.trace());
    return report;
}

}  // namespace whorl::sim
