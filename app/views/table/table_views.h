// Makes the pictures of the tables of one run: of its caches, TLBs and bounded memory at the playhead. What is kept
// does not affect the pictures.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/session/opened.h"
#include "app/session/session.h"
#include "app/views/rings/frame_composer.h"
#include "app/views/views.h"
#include "render/scene/cells/table_scene.h"
#include "sim/cache/contents.h"

namespace whorl::app {

/// What a table shows; nothing if the machine lacks it.
std::optional<sim::Store> storeOf(const ViewId& view, const sim::MachineConfig& machine);

class TableViews final : public Views {
  public:
    static constexpr std::array kKinds{ViewId::Kind::table};

    explicit TableViews(const ViewSources& sources);
    ~TableViews() override;

    TileScene pictureOf(const ViewQuery& query) override;
    scene::PixelBox mouseArea(const ViewQuery& query) override;
    std::optional<Hit> hitAt(const ViewQuery& query, glm::ivec2 at) override;
    ViewControls controls(const ViewQuery& query) override;

  private:
    /// What a picture depends on, besides the run.
    struct Key {
        Picture::Time time;
        bool asks = false;
        scene::TableLook look;
        bool operator==(const Key&) const = default;
    };
    struct View {
        std::optional<Key> key;
        scene::TableFrame frame;
        scene::FlatScene scene;
    };

    /// The picture of a view; null while there is none.
    const View* view(const ViewQuery& query);
    void addData(scene::TableSubject& subject);
    std::string valuesOf(const sim::Contents& contents, sim::BlockAddress block, sim::Tick now);
    std::vector<std::string> describe(const sim::Store& store, const scene::TablePlace& place) const;

    Opened opened_;
    const FrameComposer& rings_;  ///< has the state at the playhead
    std::map<ViewId, View> views_;
    /// By region: its elements, and when each was last accessed.
    struct Elements;
    std::map<std::size_t, std::unique_ptr<Elements>> elements_;
};

}  // namespace whorl::app
