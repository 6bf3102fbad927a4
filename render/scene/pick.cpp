#include "render/scene/pick.h"

#include <fmt/format.h>

#include <algorithm>
#include <glm/geometric.hpp>

namespace whorl::scene {

namespace {

/// Small glyphs can be hit from this far, pixels.
constexpr float kReach = 6.0f;

float distanceTo(const Stroke& stroke, glm::vec2 point) {
    const glm::vec2 along = stroke.b - stroke.a;
    const float length2 = glm::dot(along, along);
    const float share = length2 == 0 ? 0 : std::clamp(glm::dot(point - stroke.a, along) / length2, 0.0f, 1.0f);
    return glm::distance(point, stroke.a + along * share);
}

/// The nearest so far, measured from the outline, so that a large glyph does not hide a small one beside it.
struct Nearest {
    float distance = kReach;
    Target target;

    void offer(const Target& candidate, float away) {
        if (candidate.kind == Target::Kind::none || away >= distance) return;
        distance = away;
        target = candidate;
    }
};

/// "B[3][0] to B[3][3]": the elements that a block holds, as far as its region goes.
std::string elementsOf(const sim::Trace& trace, sim::ByteAddress base, std::uint64_t block, sim::Tick tick) {
    sim::ByteAddress first = base;
    sim::ByteAddress last{base.value + block - 1};
    std::size_t r = trace.regionAt(first);
    if (r == trace.regions().size()) {
        // The block begins before its region.
        r = trace.regionAt(last);
        if (r == trace.regions().size()) return fmt::format("{:#x}", base.value);
        first = std::max(first, trace.regions()[r].base);
    }
    const sim::Region& region = trace.regions()[r];
    if (region.rows == 0) return trace.placeOf(first, tick);
    last = std::min(last, sim::ByteAddress{region.end().value - 1});
    const std::string from = region.placeOf(first);
    const std::string to = region.placeOf(last);
    return from == to ? from : from + " to " + to;
}

/// "L1: set 3, most recently used of 8, dirty": the block at each level that holds it.
void addResidences(std::vector<std::string>& lines, sim::ByteAddress address, const sim::Moment& moment,
                   const Subject& subject) {
    bool anywhere = false;
    for (std::size_t l = 0; l < subject.machine.levels.size(); ++l) {
        const sim::Cache& cache = moment.cache(l);
        const sim::BlockAddress block = cache.blockOf(address);
        const std::uint32_t way = cache.find(block);
        if (way == sim::Cache::kNoWay) continue;
        anywhere = true;
        const sim::SetIndex set = cache.setOf(block);
        const sim::Line line = cache.line(set, sim::WayIndex{way});
        lines.push_back(fmt::format("{}: set {}, way {}, rank {} of {}, {}", subject.machine.levels[l].name, set.value,
                                    way, line.rank + 1, cache.ways(), line.dirty ? "dirty" : "clean"));
    }
    if (!anywhere) lines.emplace_back("in memory only");
}

}  // namespace

Target pick(const Scene& scene, glm::vec2 point) {
    Nearest nearest;
    for (std::size_t i = scene.moving.size(); i-- > 0;) {
        nearest.offer(scene.movingTargets[i], glm::distance(scene.moving[i].at, point) - scene.moving[i].radius);
    }
    for (std::size_t i = scene.resting.size(); i-- > 0;) {
        nearest.offer(scene.restingTargets[i], glm::distance(scene.resting[i].at, point) - scene.resting[i].radius);
    }
    for (std::size_t i = 0; i < scene.cells.size(); ++i) {
        nearest.offer(scene.cellTargets[i], distanceTo(scene.cells[i], point) - scene.cells[i].width / 2);
    }
    return nearest.target;
}

std::vector<std::string> describe(const Target& target, const sim::Moment& moment, const Subject& subject) {
    if (target.kind == Target::Kind::none) return {};
    const std::uint64_t size =
        target.kind == Target::Kind::home ? subject.homes.blockSize() : subject.machine.levels[target.level].block;
    const sim::Tick now{moment.begun().value == 0 ? 0 : moment.begun().value - 1};
    std::vector<std::string> lines;
    lines.push_back(elementsOf(subject.trace, target.address, size, now));
    lines.push_back(
        fmt::format("address {:#x}, {} bytes, block {:#x}", target.address.value, size, target.address.value / size));
    const std::size_t region = subject.trace.regionAt(target.address);
    if (region < subject.trace.regions().size()) lines.push_back("region " + subject.trace.regions()[region].name);
    addResidences(lines, target.address, moment, subject);
    return lines;
}

}  // namespace whorl::scene
