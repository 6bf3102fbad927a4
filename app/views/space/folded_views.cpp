#include "app/views/space/folded_views.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "app/commands/cell_commands.h"
#include "app/commands/selection_commands.h"
#include "app/session/selection.h"
#include "app/views/space/describe_node.h"
#include "render/scene/cells/cell_painting.h"
#include "render/scene/cells/chart.h"
#include "render/scene/palette.h"
#include "render/scene/space/folded_graph.h"
#include "sim/report/table.h"

namespace whorl::app {

namespace {

/// With fewer objects than this, words are shown, because they are more informative.
constexpr std::size_t kFewObjects = 12;

constexpr const char* kNotRecorded = "height: nothing; recordings do not say who missed";
constexpr int kKeySteps = 6;  ///< colours of a ramp that its key shows

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

std::uint64_t FoldedViews::Counted::of(const NodeQuantity& quantity, std::size_t node) const {
    switch (quantity.metric) {
        case NodeMetric::cycles:
            return nodes[node].waited(lookUp);
        case NodeMetric::accesses:
            return nodes[node].accesses;
        case NodeMetric::misses:
            return counts.of(sim::NodeCount::misses, quantity.level, node);
        case NodeMetric::invalidations:
            return counts.of(sim::NodeCount::invalidations, quantity.level, node);
        case NodeMetric::none:
            break;
    }
    return 0;
}

std::vector<std::uint64_t> FoldedViews::Counted::ofAll(const NodeQuantity& quantity) const {
    std::vector<std::uint64_t> all(nodes.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = of(quantity, i);
    return all;
}

FoldedViews::Counted FoldedViews::countedIn(const sim::History& history, Nodes nodes) {
    const sim::NodeCounts& counts = nodes == Nodes::sources ? history.sourceCounts
                                    : nodes == Nodes::words ? history.wordCounts
                                                            : history.objectCounts;
    return {nodesOf(history, nodes), counts, history.lookUp};
}

std::uint64_t FoldedViews::mostOf(Nodes nodes, const NodeQuantity& quantity, const ViewSettings& viewSettings) const {
    std::uint64_t most = 0;
    const auto take = [&](const sim::History& history) {
        for (const std::uint64_t value : countedIn(history, nodes).ofAll(quantity)) most = std::max(most, value);
    };
    take(history());
    if (!viewSettings.commonScale) return most;
    for (const auto& other : shown().others) take(*other);
    return most;
}

std::string FoldedViews::wordsOf(const NodeQuantity& quantity, bool isOne) const {
    const auto inLevel = [&](std::string_view what) {
        const auto& levels = history().levels;
        return quantity.level < levels.size() ? fmt::format("{} in {}", what, levels[quantity.level].name)
                                              : std::string(what);
    };
    switch (quantity.metric) {
        case NodeMetric::cycles:
            return isOne ? "stall cycle" : "stall cycles";
        case NodeMetric::accesses:
            return isOne ? "access" : "accesses";
        case NodeMetric::misses:
            return inLevel(isOne ? "miss" : "misses");
        case NodeMetric::invalidations:
            return inLevel(isOne ? "invalidation" : "invalidations");
        case NodeMetric::none:
            break;
    }
    return "nothing";
}

const GraphChoice& FoldedViews::choiceOf(const ViewSettings& viewSettings, Nodes nodes) {
    return nodes == Nodes::sources ? viewSettings.sources : viewSettings.objects;
}

void FoldedViews::forget() {
    SpaceViews::forget();
    onPath_.clear();
}

const scene::FoldedGraph& FoldedViews::graphOf(Nodes nodes, const ViewSettings& viewSettings) {
    const GraphChoice& choice = choiceOf(viewSettings, nodes);
    const GraphKey key{nodes, choice.order, choice.heightBy};
    const auto known = graphs_.find(key);
    if (known != graphs_.end()) return known->second;
    const std::vector<std::uint64_t> values = countedIn(history(), nodes).ofAll(key.height);
    return graphs_.emplace(key, scene::FoldedGraph(nodesOf(history(), nodes), key.order, values)).first->second;
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

/// What the height is, for the graph and beside its title.
void FoldedViews::setHeight(scene::FoldedLook& look, Nodes nodes, const ViewSettings& viewSettings) const {
    const GraphChoice& choice = choiceOf(viewSettings, nodes);
    const bool areCompared = !shown().others.empty();
    look.key = fmt::format("height: {} of {}", wordsOf(choice.heightBy),
                           nodes == Nodes::sources ? "a line"
                           : nodes == Nodes::words ? "a word"
                                                   : "an object");
    if (areCompared) {
        look.key += ", " + scene::commonScaleInWords(viewSettings.commonScale ? shown().others.size() + 1 : 1);
    }
    if (choice.heightBy.metric >= NodeMetric::misses && !history().isCounted) look.key = kNotRecorded;
    look.height = choice.height;
    if (areCompared) look.full = mostOf(nodes, choice.heightBy, viewSettings);
    if (choice.heightBy.metric != NodeMetric::cycles) look.ends = {"most", "fewest"};
    look.costOf = [this, nodes, quantity = choice.heightBy, one = wordsOf(choice.heightBy, true),
                   many = wordsOf(choice.heightBy)](std::uint32_t node) {
        return sim::counted(countedIn(history(), nodes).of(quantity, node), one, many);
    };
}

/// The colours of a quantity, red for misses, with their key; else those of classes.
void FoldedViews::setColours(scene::FoldedLook& look, Nodes nodes, const Key& key) const {
    const NodeQuantity& quantity = choiceOf(key.viewSettings, nodes).colourBy;
    if (quantity.metric == NodeMetric::none) {
        if (nodes == Nodes::sources || !key.viewSettings.classColours) return;
        look.colours = shown().classColours(nodesOf(history(), nodes), key.viewSettings, key.ground,
                                            scene::paletteFor(key.ground).node);
        return;
    }
    const std::uint64_t most = std::max<std::uint64_t>(1, mostOf(nodes, quantity, key.viewSettings));
    const auto ramp = quantity.metric == NodeMetric::misses ? scene::CellRamp::misses : scene::CellRamp::neutral;
    const scene::ColourTable table(key.ground, ramp, static_cast<float>(most), true);
    std::vector<scene::Rgba> colours;
    for (const std::uint64_t value : countedIn(history(), nodes).ofAll(quantity)) {
        colours.push_back(table.of(static_cast<float>(value)));
    }
    look.colours = std::make_shared<const std::vector<scene::Rgba>>(std::move(colours));
    const scene::Rgba text = scene::paletteFor(key.ground).muted;
    look.colourKey.push_back({fmt::format("colour: {}, 0", wordsOf(quantity)), text});
    for (int i = 0; i < kKeySteps; ++i) {
        const float share = static_cast<float>(i) / static_cast<float>(kKeySteps - 1);
        look.colourKey.push_back({"■", scene::rampColour(key.ground, ramp, share)});
    }
    look.colourKey.push_back({sim::grouped(most) + " (logarithmic)", text});
}

scene::FoldedLook FoldedViews::look(const ViewQuery& query, const Key& key) {
    scene::FoldedLook look;
    setCommon(look, query.view, key);
    const Nodes nodes = nodesIn(query.view, key.viewSettings);
    const bool sources = nodes == Nodes::sources;
    const bool words = nodes == Nodes::words;
    const scene::Palette& palette = scene::paletteFor(key.ground);
    look.title = sources ? "SourceView" : words ? "ObjectView: words" : "ObjectView";
    const auto& all = nodesOf(history(), nodes);
    look.nameOf = [this, &all, words](std::uint32_t node) {
        return words ? nameOfWord(history(), trace(), all[node]) : nameOf(all[node], trace());
    };
    setHeight(look, nodes, key.viewSettings);
    look.key += partInWords({history().from, history().to}, trace());
    setColours(look, nodes, key);
    if (shown().path) look.highlights.push_back({onPath(nodes), scene::paletteFor(key.ground).criticalPath});
    const Highlights& highlights = highlightsOf(nodes, key);
    look.highlights.push_back({highlights.ofTheByte, scene::paletteFor(key.ground).mark});
    look.highlights.push_back({highlights.related, sources ? palette.object : palette.source});
    look.picked = highlights.picked;
    look.pickedColour = sources ? palette.source : palette.object;
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
