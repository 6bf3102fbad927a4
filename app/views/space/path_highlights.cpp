#include "app/views/space/path_highlights.h"

#include <set>
#include <utility>

#include "sim/trace/source_lines.h"

namespace whorl::app {

namespace {

constexpr sim::Cycles kMinShare = 100;  ///< a part is lit if it has at least 1/kMinShare of the path's cycles

using Numbers = std::set<std::size_t>;

Numbers weighty(const std::vector<sim::PathCosts::Part>& parts, sim::Cycles all) {
    Numbers out;
    for (const sim::PathCosts::Part& part : parts) {
        if (part.sum() > 0 && part.sum() >= all / kMinShare) out.insert(part.of);
    }
    return out;
}

template <class IsIt>
std::vector<std::uint32_t> indicesIf(std::size_t count, const IsIt& isIt) {
    std::vector<std::uint32_t> out;
    for (std::size_t i = 0; i < count; ++i) {
        if (isIt(i)) out.push_back(static_cast<std::uint32_t>(i));
    }
    return out;
}

}  // namespace

std::shared_ptr<const HighlightedPath> highlightedPathOf(const sim::Run& run,
                                                         std::shared_ptr<const sim::RunCosts> costs,
                                                         sim::Progress& progress) {
    auto parts = costsOf(run, costs->path, progress);
    if (!parts) return nullptr;
    return std::make_shared<const HighlightedPath>(HighlightedPath{std::move(costs), *std::move(parts)});
}

std::vector<std::uint32_t> linesOn(const sim::History& history, const sim::Trace& trace, const HighlightedPath& path) {
    const Numbers lines = weighty(path.parts.lines, path.costs->path.length());
    const sim::SourceLines numbers(trace);
    return indicesIf(history.sources.size(),
                     [&](std::size_t i) { return lines.contains(numbers.of(sim::SiteId{history.sources[i].id})); });
}

std::vector<std::uint32_t> objectsOn(const sim::History& history, const sim::Trace& trace, const HighlightedPath& path,
                                     bool words) {
    const Numbers objects = weighty(path.parts.objects, path.costs->path.length());
    const auto isOn = [&](const sim::CostNode& node) {
        const std::size_t regions = trace.objects().size();
        switch (node.kind) {
            case sim::CostNode::Kind::object:
                return objects.contains(node.id);
            case sim::CostNode::Kind::region:
                return objects.contains(regions + node.id);
            default:
                return objects.contains(regions + trace.regionAt(node.address));
        }
    };
    if (!words) return indicesIf(history.objects.size(), [&](std::size_t i) { return isOn(history.objects[i]); });
    return indicesIf(history.words.size(), [&](std::size_t i) { return isOn(history.objects[history.words[i].id]); });
}

std::vector<std::uint32_t> staysOn(const sim::History& history, std::size_t level, const HighlightedPath& path) {
    const auto& stays = history.levels[level].stays;
    return indicesIf(stays.size(), [&](std::size_t i) {
        const sim::Stay& stay = stays[i];
        return stay.in != sim::Stay::kNever && stay.from > 0 && path.costs->path.contains(stay.cpu, stay.from - 1);
    });
}

}  // namespace whorl::app
