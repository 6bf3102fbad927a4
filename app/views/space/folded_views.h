// SourceViews and ObjectViews: what lines of source code, objects or words cost, as folded graphs. Keeps where the
// nodes are, and which of them are highlighted.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "app/views/space/space_views.h"
#include "render/scene/space/folded_graph.h"
#include "render/scene/space/folded_scene.h"

namespace whorl::app {

class FoldedViews final : public SpaceViews {
  public:
    using SpaceViews::SpaceViews;

    std::optional<Hit> hitAt(const ViewQuery& query, glm::vec2 at) override;
    void forget() override;

    /// Whether the ObjectView shows words: by the user's choice, or because there are few objects.
    bool showsWords(const ViewSettings& viewSettings) const { return viewSettings.words.value_or(wordsFit()); }
    /// Whether there are so few objects that words are more informative.
    bool wordsFit() const;

  private:
    /// What a view folds.
    enum class Nodes : std::uint8_t { sources, objects, words };
    Nodes nodesIn(const ViewId& view, const ViewSettings& viewSettings) const;
    static const std::vector<sim::CostNode>& nodesOf(const sim::History& history, Nodes nodes);
    static const GraphChoice& choiceOf(const ViewSettings& viewSettings, Nodes nodes);

    scene::SpaceCamera firstCamera(const ViewQuery& query) const override;
    scene::SpaceCamera placed(const ViewQuery& query, const Key& key, const scene::SpaceCamera& camera) override;
    scene::SpaceScene make(const ViewQuery& query, const Key& key, const scene::SpaceCamera& camera) override;
    const scene::FoldedGraph& graphOf(Nodes nodes, const ViewSettings& viewSettings);
    const Highlights& highlightsOf(Nodes nodes, const Key& key);
    const std::vector<std::uint32_t>& onPath(Nodes nodes);
    scene::FoldedLook look(const ViewQuery& query, const Key& key);
    std::vector<std::string> describe(Nodes nodes, std::uint32_t node) const;

    /// The nodes of one kind, with what is counted of them.
    struct Counted {
        const std::vector<sim::CostNode>& nodes;
        const sim::NodeCounts& counts;
        sim::Cycles lookUp;

        std::uint64_t of(const NodeQuantity& quantity, std::size_t node) const;
        std::vector<std::uint64_t> ofAll(const NodeQuantity& quantity) const;
    };
    static Counted countedIn(const sim::History& history, Nodes nodes);
    /// The largest number of all nodes, and of those of the runs beside this one, if they have one scale.
    std::uint64_t mostOf(Nodes nodes, const NodeQuantity& quantity, const ViewSettings& viewSettings) const;
    /// "misses in L1": what is counted, for one or many.
    std::string wordsOf(const NodeQuantity& quantity, bool isOne = false) const;
    void setHeight(scene::FoldedLook& look, Nodes nodes, const ViewSettings& viewSettings) const;
    void setColours(scene::FoldedLook& look, Nodes nodes, const Key& key) const;

    struct GraphKey {
        Nodes nodes = Nodes::sources;
        scene::NodeOrder order = scene::NodeOrder::cost;
        NodeQuantity height;
        auto operator<=>(const GraphKey&) const = default;
    };
    struct KeptHighlights {
        Picks picks;
        Highlights highlights;
    };
    std::map<GraphKey, scene::FoldedGraph> graphs_;
    std::map<Nodes, KeptHighlights> highlights_;
    std::map<Nodes, std::vector<std::uint32_t>> onPath_;
};

}  // namespace whorl::app
