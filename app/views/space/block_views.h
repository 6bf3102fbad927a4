// BlockViews of the levels: when which blocks were in the caches, one axis of which is the time that all pictures over
// time share. Keeps which rows they have, and which stays are highlighted.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/views/space/space_views.h"
#include "render/scene/space/block_scene.h"
#include "render/scene/space/block_time.h"

namespace whorl::app {

/// Where in its picture a BlockView has its rows and its time: pixels from the upper left corner.
struct BlockPlot {
    glm::vec2 low{0};
    glm::vec2 high{0};
};

class BlockViews final : public SpaceViews {
  public:
    using SpaceViews::SpaceViews;

    bool has(const ViewId& view) const override { return view.level < history().levels.size(); }
    /// The description also names the other stays that are folded into one cell with this stay.
    std::optional<Hit> hitAt(const ViewQuery& query, glm::vec2 at) override;
    void forget() override;

    /// The cycles that the BlockViews show, and their zoom and position in time.
    scene::BlockTime time() const;
    /// How many rows a view has, whichever of them are shown.
    std::uint32_t rowsOf(const ViewQuery& query) { return blocksSeen(query).rows(); }
    /// How much the blocks of equal parts of its rows cost, from the top: 0 to 1, the square root of the share of the
    /// most expensive part.
    std::vector<float> rowWeights(const ViewQuery& query, std::size_t parts);
    /// Where a view has its rows and time with its first camera.
    BlockPlot plotOf(const ViewQuery& query);
    /// The position of a pixel in the view's rows, as a share of all rows from the top; and the share of the rows in
    /// `pixels` downwards. For a view seen face on.
    double rowShareAt(const ViewQuery& query, glm::vec2 at);
    double rowsAcross(const ViewQuery& query, float pixels);
    /// The time under a pixel, cycles with a fraction.
    double timeAt(const ViewQuery& query, glm::vec2 at);
    /// The cycles that `pixels` to the right cover, in a view seen face on.
    double cyclesAcross(const ViewQuery& query, float pixels);

    /// The stays of a level related to the picks or the selection, sorted by start.
    const std::vector<std::uint32_t>& highlightedStays(std::size_t level, const Picks& picks);

  private:
    /// The block whose name is at a pixel, beside its row.
    std::optional<Hit> nameAt(const ViewQuery& query, glm::vec2 at);
    Key keyOf(const ViewQuery& query) const override;
    scene::SpaceCamera firstCamera(const ViewQuery& query) const override;
    scene::SpaceCamera placed(const ViewQuery& query, const Key& key, const scene::SpaceCamera& camera) override;
    scene::SpaceScene make(const ViewQuery& query, const Key& key, const scene::SpaceCamera& camera) override;
    void moveTo(scene::SpaceScene& scene, const ViewQuery& query) override;
    /// The view's rows for the whole time, which place its camera, whatever time it shows.
    const scene::BlockView& blocksOf(const ViewQuery& query);
    /// The view's rows for the visible time. If the whole time has too many stays for a row per block, only blocks that
    /// are cached in the visible time have rows. If only lit blocks are wanted, and any are lit, only those have rows.
    const scene::BlockView& blocksSeen(const ViewQuery& query);
    /// The rows of the blocks that go with the picks; nothing if there are none.
    const scene::BlockView* highlightedBlocks(const ViewId& view, scene::BlockOrder order, const Picks& picks);
    const Highlights& highlightsOf(std::uint8_t level, const Picks& picks);
    const std::vector<std::uint32_t>& onPath(std::uint8_t level);
    scene::BlockLook look(const ViewQuery& query, const Key& key);
    /// The look of the picture that scene() gives, with its camera.
    scene::BlockLook lookSeen(const ViewQuery& query);
    /// What is lit: "what accesses to ArrayC brought in".
    std::string highlightsInWords(const Picks& picks, const sim::HistoryLevel& level) const;
    /// How wide the names of blocks are at a size of text.
    float widthOfNames(const ViewQuery& query, const scene::BlockLook& look);
    std::vector<scene::BlockLook::ClassKey> classKeys(const Key& key) const;

    std::map<std::pair<std::uint8_t, scene::BlockOrder>, scene::BlockView> blocks_;
    struct BlocksKey {
        scene::BlockOrder order = scene::BlockOrder::cost;
        scene::Interval during;
        bool operator==(const BlocksKey&) const = default;
    };
    /// The last visible rows, by level.
    std::map<std::uint8_t, std::optional<std::pair<BlocksKey, scene::BlockView>>> blocksDuring_;
    struct HighlightKey {
        scene::BlockOrder order = scene::BlockOrder::cost;
        Picks picks;
        bool operator==(const HighlightKey&) const = default;
    };
    std::map<std::uint8_t, std::optional<std::pair<HighlightKey, scene::BlockView>>>
        highlightedBlocks_;  ///< last ones, by level
    struct NamesKey {
        std::uint8_t level = 0;
        scene::BlockOrder order = scene::BlockOrder::cost;
        float textSize = 0;
        float most = 0;  ///< the picture's width
        auto operator<=>(const NamesKey&) const = default;
    };
    std::map<NamesKey, float> namesWidths_;
    std::map<std::uint8_t, std::pair<Picks, Highlights>> highlights_;
    std::map<std::uint8_t, std::vector<std::uint32_t>> onPath_;
    std::optional<std::pair<std::size_t, Picks>> timedOf_;
    std::vector<std::uint32_t> timed_;  ///< the last result of highlightedStays()
};

}  // namespace whorl::app
