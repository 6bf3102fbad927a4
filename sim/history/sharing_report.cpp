#include "sim/history/sharing_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "sim/history/sharing_pass.h"

namespace whorl::sim {

namespace {

using Cause = SharingGroup::Cause;

Cause causeOf(const SharedBlock& block) {
    if (block.trueMisses + block.falseMisses == 0) return Cause::noMiss;
    return block.falseMisses > block.trueMisses ? Cause::falseSharing : Cause::trueSharing;
}

/// Which CPUs use a field, and which of them write it, a bit each.
struct Users {
    std::uint64_t all = 0;
    std::uint64_t writers = 0;
    bool operator==(const Users&) const = default;
};

Users usersOf(const SharedField& field) {
    Users users;
    for (const FieldUse& use : field.uses) {
        users.all |= std::uint64_t{1} << use.cpu;
        if (use.writes > 0) users.writers |= std::uint64_t{1} << use.cpu;
    }
    return users;
}

/// Whether CPUs lose a block for one of two fields in it on account of the other only: one CPU uses just one of them,
/// and it or one of the other's writes.
bool disturb(const Users& a, const Users& b) {
    const std::uint64_t onlyA = a.all & ~b.all;
    const std::uint64_t onlyB = b.all & ~a.all;
    return (onlyA != 0 && b.writers != 0) || (onlyB != 0 && a.writers != 0) || (onlyA & a.writers) != 0 ||
           (onlyB & b.writers) != 0;
}

/// What keeps the CPUs apart that share blocks of a group falsely.
class Curing {
  public:
    Curing(const SharingReport& report, const SharingGroup& group)
        : report_(report), blockSize_(report.blockSizes[group.level]) {
        for (const std::size_t b : group.blocks) takeBlock(report.blocks[b]);
    }

    std::vector<LayoutChange> cures() const {
        std::vector<LayoutChange> out;
        for (const auto& [label, needs] : needs_) {
            const LayoutChange cure{
                .thing = label, .ofClass = needs.isOfClass, .bytes = static_cast<std::int64_t>(blockSize_)};
            const auto add = [&](LayoutChange::Kind kind, std::uint64_t element) {
                out.push_back(cure);
                out.back().kind = kind;
                out.back().element = element;
            };
            if (needs.align) add(LayoutChange::Kind::align, 0);
            if (needs.pad && !needs.align) add(LayoutChange::Kind::pad, 0);
            if (needs.spread) add(LayoutChange::Kind::spread, needs.together == needs.element ? 0 : needs.together);
        }
        return out;
    }

  private:
    struct Needs {
        bool isOfClass = false;
        bool align = false;
        bool pad = false;
        bool spread = false;
        std::uint64_t element = 1;
        std::uint64_t together = 0;  ///< bytes that the same CPUs use, from the start of the thing
    };

    void takeBlock(const SharedBlock& block) {
        std::vector<Users> users;
        users.reserve(block.fields.size());
        for (const SharedField& field : block.fields) users.push_back(usersOf(field));
        bool isBetween = false;
        for (std::size_t i = 0; i < users.size(); ++i) {
            for (std::size_t j = i + 1; j < users.size() && !isBetween; ++j) {
                isBetween = block.fields[i].thing != block.fields[j].thing && disturb(users[i], users[j]);
            }
            const bool isNext = i > 0 && block.fields[i - 1].thing == block.fields[i].thing;
            if (isNext && disturb(users[i - 1], users[i])) spreadAt(block.fields[i]);
        }
        if (isBetween) separate(block);
    }

    /// Different things of a block are used by different CPUs.
    void separate(const SharedBlock& block) {
        const std::uint64_t begin = block.block.value * blockSize_;
        bool any = false;
        std::set<std::size_t> things;
        for (const SharedField& field : block.fields) things.insert(field.thing);
        for (const std::size_t t : things) {
            const SharedThing& thing = report_.things[t];
            // What begins with the block, or before it, can stay.
            if (!thing.isNamed || thing.base.value <= begin) continue;
            needsOf(thing).align = any = true;
        }
        if (any) return;
        for (const std::size_t t : things) {
            if (report_.things[t].isNamed) needsOf(report_.things[t]).pad = true;
        }
    }

    /// From a field on a thing is used by other CPUs than before it.
    void spreadAt(const SharedField& field) {
        const SharedThing& thing = report_.things[field.thing];
        if (!thing.isNamed) return;
        Needs& needs = needsOf(thing);
        needs.spread = true;
        needs.together = std::gcd(std::gcd(needs.together, field.address.value - thing.base.value), blockSize_);
        // An element stays whole.
        if (needs.together % thing.element != 0) needs.together = thing.element;
        const bool straddles = thing.base.value % blockSize_ + needs.together > blockSize_;
        needs.align = needs.align || straddles;
    }

    Needs& needsOf(const SharedThing& thing) {
        Needs& needs = needs_[thing.label];
        needs.isOfClass = thing.isOfClass;
        needs.element = thing.element;
        return needs;
    }

    const SharingReport& report_;
    std::uint64_t blockSize_;
    std::map<std::string, Needs> needs_;
};

std::vector<std::string> labelsOf(const SharingReport& report, const SharedBlock& block) {
    std::set<std::string> labels;
    for (const SharedField& field : block.fields) labels.insert(report.things[field.thing].label);
    return {labels.begin(), labels.end()};
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

void addGroups(SharingReport& report, const SharingPass& pass, const Trace& trace) {
    std::map<std::tuple<std::size_t, Cause, std::vector<std::string>>, SharingGroup> groups;
    for (std::size_t b = 0; b < report.blocks.size(); ++b) {
        const SharedBlock& block = report.blocks[b];
        const auto key = std::tuple(block.level, causeOf(block), labelsOf(report, block));
        SharingGroup& group = groups[key];
        std::tie(group.level, group.cause, group.labels) = key;
        group.blocks.push_back(b);
        group.invalidations += block.invalidations;
        group.trueMisses += block.trueMisses;
        group.falseMisses += block.falseMisses;
        group.lost += block.lost;
    }
    for (auto& [key, group] : groups) {
        addLines(group, pass.lines(), trace);
        if (group.cause == Cause::falseSharing) group.cures = Curing(report, group).cures();
        report.lost += group.lost;
        report.groups.push_back(std::move(group));
    }
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
