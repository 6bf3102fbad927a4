// Creates pictures in space from a history and the session. Caches what is slow to compute (node positions, highlighted
// stays, the last picture of each view) as long as nothing changes; the cache does not affect the pictures.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/session/picks.h"
#include "app/session/session.h"
#include "app/session/view_settings.h"
#include "app/views/space/highlights.h"
#include "app/views/space/path_highlights.h"
#include "render/scene/space/block_pick.h"
#include "render/scene/space/block_scene.h"
#include "render/scene/space/block_time.h"
#include "render/scene/space/folded_scene.h"
#include "sim/analysis/history.h"
#include "sim/trace/trace.h"

namespace whorl::app {

/// Where in its picture a BlockView has its rows and its time: pixels from the upper left corner.
struct BlockPlot {
    glm::vec2 low{0};
    glm::vec2 high{0};
};

class HistoryViews {
  public:
    HistoryViews(std::shared_ptr<const sim::Trace> trace, std::shared_ptr<const sim::History> history);

    /// The colours of the history's classes: those chosen by the user, else the palette's in the order of the names of
    /// all classes of the trace, so that they are the same for another run or range.
    std::vector<scene::Rgba> hues(const ViewSettings& viewSettings, scene::Ground ground) const;

    const sim::History& history() const { return *history_; }
    const std::shared_ptr<const sim::History>& shared() const { return history_; }
    const sim::Trace& trace() const { return *trace_; }

    /// Sets the histories of other runs shown beside this one; compared histories share one scale.
    void compareWith(std::vector<std::shared_ptr<const sim::History>> others);
    /// The critical path that is lit; null: none.
    void light(std::shared_ptr<const LitPath> path);
    /// Whether the history contains the data of a view in space.
    bool has(const ViewId& view) const {
        return view.kind != ViewId::Kind::blocks || view.level < history_->levels.size();
    }
    /// The picture of a view in space; `size` in pixels. Valid until the next call for that view.
    const scene::SpaceScene& scene(const ViewId& view, const RunContext& context, glm::vec2 size, float scale);
    /// The camera of a view.
    scene::SpaceCamera cameraOf(const ViewId& view, const RunContext& context, glm::vec2 size, float scale);
    /// The node or stay under a pixel of the view's last picture.
    std::optional<std::uint32_t> pick(const ViewId& view, const RunContext& context, glm::vec2 size, float scale,
                                      glm::vec2 at);
    /// What else is folded into one cell with a stay under a pixel of a BlockView.
    std::optional<scene::CellAround> cellAround(const ViewId& view, const RunContext& context, glm::vec2 size,
                                                float scale, std::uint32_t stay, glm::vec2 at);
    /// Which cycles a BlockView shows, and how it is zoomed and moved along the time.
    scene::BlockTime blockTime() const;
    /// How many rows a BlockView has, whichever of them are shown.
    std::uint32_t rowsOf(const ViewId& view, const RunContext& context) { return blocksSeen(view, context).rows(); }
    /// How much the blocks of equal parts of a BlockView's rows cost, from the top: 0 to 1, the square root of the
    /// share of the most expensive part.
    std::vector<float> rowWeights(const ViewId& view, const RunContext& context, std::size_t parts);
    /// Where its rows and time are, as it is first seen.
    BlockPlot plotOf(const ViewId& view, const RunContext& context, glm::vec2 size, float scale);
    /// The share of a BlockView's rows under a pixel, from the top, and along so many pixels down; seen face on.
    double rowShareAt(const ViewId& view, const RunContext& context, glm::vec2 size, float scale, glm::vec2 at);
    double rowsAcross(const ViewId& view, const RunContext& context, glm::vec2 size, float scale, float pixels);
    /// The time under a pixel of a BlockView, cycles with a fraction.
    double timeAt(const ViewId& view, const RunContext& context, glm::vec2 size, float scale, glm::vec2 at);
    /// The cycles along so many pixels to the right in a BlockView that is seen face on.
    double cyclesAcross(const ViewId& view, const RunContext& context, glm::vec2 size, float scale, float pixels);

    /// The stays of a level related to the picks or the selection, sorted by start.
    const std::vector<std::uint32_t>& highlightedStays(std::size_t level, const Picks& picks);

    /// Whether the ObjectView shows words: by the user's choice, or because there are few objects.
    bool showsWords(const ViewSettings& viewSettings) const { return viewSettings.words.value_or(wordsFit()); }
    /// Whether there are so few objects that words are more informative.
    bool wordsFit() const;

  private:
    /// What a picture depends on, besides the history.
    struct Key {
        ViewSettings viewSettings;
        Picks picks;
        glm::vec2 size{0};
        float scale = 1;
        scene::Ground ground = scene::Ground::dark;
        // Of BlockViews.
        std::optional<double> playhead;
        std::optional<scene::TimeSpan> seen;
        std::optional<sim::Range> range;
        bool operator==(const Key&) const = default;
    };
    struct Kept {
        Key key;
        scene::SpaceScene scene;
    };
    struct KeptHighlights {
        Picks picks;
        bool words = false;
        Highlights highlights;
    };

    Key keyOf(const ViewId& view, const RunContext& context, glm::vec2 size, float scale) const;
    const scene::FoldedGraph& graphOf(const ViewId& view, const ViewSettings& viewSettings);
    /// The rows of a BlockView of all of the time: from them its camera is placed, whatever time it shows.
    const scene::BlockView& blocksOf(const ViewId& view, const ViewSettings& viewSettings);
    /// Its rows for the time that is seen. Where all of the time has too many stays for a row of each block, they are
    /// those of blocks in the caches at that time. If only what is lit is wanted, and anything is, those of its blocks.
    const scene::BlockView& blocksSeen(const ViewId& view, const RunContext& context);
    /// The rows of the blocks that go with the picks; nothing if there are none.
    const scene::BlockView* blocksLit(const ViewId& view, scene::BlockOrder order, const Picks& picks);
    const Highlights& highlightsOf(const ViewId& view, const Key& key);
    const std::vector<std::uint32_t>& onPath(const ViewId& view, bool words);
    scene::FoldedLook foldedLook(const ViewId& view, const Key& key);
    scene::BlockLook blockLook(const ViewId& view, const Key& key);
    /// What is lit in a BlockView: "what accesses to ArrayC brought in".
    std::string litInWords(const Picks& picks, const sim::HistoryLevel& level) const;
    /// How wide the names of blocks of a BlockView are at a size of text.
    float widthOfNames(const ViewId& view, const ViewSettings& viewSettings, const scene::BlockLook& look);
    /// The look of the picture that scene() gives, with its camera.
    scene::BlockLook blockLookOf(const ViewId& view, const RunContext& context, glm::vec2 size, float scale);
    template <class Look>
    void setCommon(Look& look, const ViewId& view, const Key& key) const;
    std::vector<scene::BlockLook::ClassKey> classKeys(const Key& key) const;
    std::shared_ptr<const std::vector<scene::Rgba>> classColours(const std::vector<sim::CostNode>& nodes,
                                                                 const Key& key, scene::Rgba plain) const;

    std::shared_ptr<const sim::Trace> trace_;
    std::map<std::string, std::uint32_t> placeOfClass_;  ///< index among all classes of the trace, sorted by name
    std::shared_ptr<const sim::History> history_;
    std::vector<std::shared_ptr<const sim::History>> others_;  ///< compared with this one

    struct GraphKey {
        bool sources = false;
        bool words = false;
        scene::NodeOrder order = scene::NodeOrder::cost;
        auto operator<=>(const GraphKey&) const = default;
    };
    std::map<GraphKey, scene::FoldedGraph> graphs_;
    std::map<std::pair<std::uint8_t, scene::BlockOrder>, scene::BlockView> blocks_;
    struct BlocksKey {
        scene::BlockOrder order = scene::BlockOrder::cost;
        scene::Interval during;
        bool operator==(const BlocksKey&) const = default;
    };
    /// By level: the last ones that were seen.
    std::map<std::uint8_t, std::optional<std::pair<BlocksKey, scene::BlockView>>> blocksDuring_;
    struct LitKey {
        scene::BlockOrder order = scene::BlockOrder::cost;
        Picks picks;
        bool operator==(const LitKey&) const = default;
    };
    std::map<std::uint8_t, std::optional<std::pair<LitKey, scene::BlockView>>> blocksLit_;  ///< likewise
    struct NamesKey {
        std::uint8_t level = 0;
        scene::BlockOrder order = scene::BlockOrder::cost;
        float textSize = 0;
        float most = 0;  ///< the picture's width
        auto operator<=>(const NamesKey&) const = default;
    };
    std::map<NamesKey, float> namesWidths_;
    std::map<ViewId, KeptHighlights> highlights_;
    std::optional<std::pair<std::size_t, Picks>> timedOf_;
    std::vector<std::uint32_t> timed_;  ///< the last result of highlightedStays()
    std::map<ViewId, Kept> kept_;
    std::shared_ptr<const LitPath> path_;
    std::map<std::pair<ViewId, bool>, std::vector<std::uint32_t>> onPath_;  ///< of the views, and of words
};

/// The picks, and the block selected elsewhere.
Picks picksOf(const RunContext& context);

}  // namespace whorl::app
