#include "app/views/space/folded_views.h"

#include <algorithm>
#include <string>

#include "app/commands/cell_commands.h"
#include "app/commands/selection_commands.h"
#include "app/session/selection.h"
#include "app/views/space/describe_node.h"
#include "render/scene/palette.h"
#include "render/scene/space/folded_graph.h"

namespace whorl::app {

namespace {

/// With fewer objects than this, words are shown, because they are more informative.
constexpr std::size_t kFewObjects = 12;

sim::Cycles peakOf(const std::vector<sim::CostNode>& nodes, sim::Cycles lookUp) {
    sim::Cycles peak = 0;
    for (const sim::CostNode& n : nodes) peak = std::max(peak, n.waited(lookUp));
    return peak;
}

}  // namespace

bool FoldedViews::wordsFit() const {
    return history().objects.size() < kFewObjects && !history().words.empty();
}

FoldedViews::Nodes FoldedViews::nodesIn(const ViewId& view, const ViewSettings& viewSettings) const {
    if (view.kind == ViewId::Kind::sources) return Nodes::sources;
    return showsWords(viewSettings) ? Nodes::words : Nodes::objects;
}

const std::vector<sim::CostNode>& FoldedViews::nodesOf(const sim::History& history, Nodes nodes) {
    switch (nodes) {
        case Nodes::sources:
            return history.sources;
        case Nodes::words:
            return history.words;
        default:
            return history.objects;
    }
}

const GraphChoice& FoldedViews::choiceOf(const ViewSettings& viewSettings, Nodes nodes) {
    return nodes == Nodes::sources ? viewSettings.sources : viewSettings.objects;
}

void FoldedViews::forget() {
    SpaceViews::forget();
    onPath_.clear();
}

const scene::FoldedGraph& FoldedViews::graphOf(Nodes nodes, const ViewSettings& viewSettings) {
    const GraphKey key{nodes, choiceOf(viewSettings, nodes).order};
    const auto known = graphs_.find(key);
    if (known != graphs_.end()) return known->second;
    return graphs_.emplace(key, scene::FoldedGraph(nodesOf(history(), nodes), key.order, history().lookUp))
        .first->second;
}

const Highlights& FoldedViews::highlightsOf(Nodes nodes, const Key& key) {
    const auto [at, isNew] = highlights_.try_emplace(nodes);
    KeptHighlights& kept = at->second;
    if (!isNew && kept.picks == key.picks) return kept.highlights;
    kept.picks = key.picks;
    const std::uint64_t block = history().levels.empty() ? sim::kMemoryWord : history().levels.front().blockSize;
    kept.highlights = nodes == Nodes::sources ? sourceHighlights(history(), key.picks, block)
                                              : objectHighlights(history(), key.picks, nodes == Nodes::words, block);
    return kept.highlights;
}

const std::vector<std::uint32_t>& FoldedViews::onPath(Nodes nodes) {
    const auto [at, isNew] = onPath_.try_emplace(nodes);
    if (!isNew) return at->second;
    at->second = nodes == Nodes::sources ? linesOn(history(), trace(), *shown().path)
                                         : objectsOn(history(), trace(), *shown().path, nodes == Nodes::words);
    return at->second;
}

scene::FoldedLook FoldedViews::look(const ViewQuery& query, const Key& key) {
    scene::FoldedLook look;
    setCommon(look, query.view, key);
    const Nodes nodes = nodesIn(query.view, key.viewSettings);
    const bool sources = nodes == Nodes::sources;
    const bool words = nodes == Nodes::words;
    const scene::Palette& palette = scene::paletteFor(key.ground);
    look.title = sources ? "SourceView" : words ? "ObjectView: words" : "ObjectView";
    look.key = sources ? "height: cycles of a line"
               : words ? "height: cycles of a word"
                       : "height: cycles of an object";
    look.title += partInWords({history().from, history().to}, trace());
    const auto& all = nodesOf(history(), nodes);
    look.nameOf = [this, &all, words](std::uint32_t node) {
        return words ? nameOfWord(history(), trace(), all[node]) : nameOf(all[node], trace());
    };
    look.height = choiceOf(key.viewSettings, nodes).height;
    for (const auto& other : shown().others) {
        look.full = std::max(look.full, peakOf(nodesOf(*other, nodes), other->lookUp));
    }
    if (shown().path) look.highlights.push_back({onPath(nodes), scene::paletteFor(key.ground).criticalPath});
    const Highlights& highlights = highlightsOf(nodes, key);
    look.highlights.push_back({highlights.ofTheByte, scene::paletteFor(key.ground).mark});
    look.highlights.push_back({highlights.related, sources ? palette.object : palette.source});
    look.picked = highlights.picked;
    look.pickedColour = sources ? palette.source : palette.object;
    if (!sources && key.viewSettings.classColours) {
        look.colours = shown().classColours(all, key.viewSettings, key.ground, palette.node);
    }
    return look;
}

scene::SpaceCamera FoldedViews::firstCamera(const ViewQuery& /*query*/) const {
    return scene::foldedCamera();
}

scene::SpaceCamera FoldedViews::placed(const ViewQuery& query, const Key& key, const scene::SpaceCamera& camera) {
    const ViewSettings& viewSettings = query.context.viewSettings;
    return homeCamera(graphOf(nodesIn(query.view, viewSettings), viewSettings), look(query, key), camera);
}

scene::SpaceScene FoldedViews::make(const ViewQuery& query, const Key& key, const scene::SpaceCamera& camera) {
    scene::FoldedLook look = this->look(query, key);
    look.camera = camera;
    const ViewSettings& viewSettings = query.context.viewSettings;
    return foldedScene(graphOf(nodesIn(query.view, viewSettings), viewSettings), look);
}

std::optional<Hit> FoldedViews::hitAt(const ViewQuery& query, glm::vec2 at) {
    const auto found = pickNode(scene(query), at);
    if (!found) return std::nullopt;
    const Nodes nodes = nodesIn(query.view, query.context.viewSettings);
    Hit hit{.describe = [this, nodes, found = *found] { return describe(nodes, found); }};
    const sim::CostNode& node = nodesOf(history(), nodes)[*found];
    if (nodes == Nodes::sources) {
        hit.click = {command::PickSource{node.id}};
    } else {
        const Command pick = command::PickObject{objectPickOf(node)};
        hit.click = {pick};
        hit.shift = Commands{command::PickMemory{node.address, std::max<std::uint64_t>(1, node.size)}, pick,
                             command::HistoryShow{}};
    }
    return hit;
}

std::vector<std::string> FoldedViews::describe(Nodes nodes, std::uint32_t node) const {
    const NodeDescription description = nodes == Nodes::sources
                                            ? describeSource(history(), trace(), node)
                                            : describeObject(history(), trace(), nodes == Nodes::words, node);
    return description.inLines();
}

}  // namespace whorl::app
