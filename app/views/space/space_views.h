// Views in space of a history: what those of all kinds have in common. The last picture of each is kept as long as
// nothing changes, which does not affect it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/session/selection.h"
#include "app/session/session.h"
#include "app/session/view_settings.h"
#include "app/views/space/highlights.h"
#include "app/views/views.h"
#include "render/scene/palette.h"
#include "render/scene/space/space_scene.h"
#include "sim/analysis/history.h"
#include "sim/trace/trace.h"

namespace whorl::app {

/// A history as its views show it.
class ShownHistory {
  public:
    ShownHistory(std::shared_ptr<const sim::Trace> trace, std::shared_ptr<const sim::History> history);

    const sim::Trace& trace() const { return *trace_; }
    const sim::History& history() const { return *history_; }
    const std::shared_ptr<const sim::History>& shared() const { return history_; }

    /// The histories of other runs shown beside this one; compared histories share one scale.
    std::vector<std::shared_ptr<const sim::History>> others;
    /// The critical path that is lit; null: none.
    std::shared_ptr<const HighlightedPath> path;

    /// The colours of the history's classes: those chosen by the user, else the palette's in the order of the names of
    /// all classes of the trace, so that they are the same for another run or range.
    std::vector<scene::Rgba> hues(const ViewSettings& viewSettings, scene::Ground ground) const;
    /// The colours of nodes by their classes. `plain`: of those without a class, or with one that is not coloured.
    std::shared_ptr<const std::vector<scene::Rgba>> classColours(const std::vector<sim::CostNode>& nodes,
                                                                 const ViewSettings& viewSettings, scene::Ground ground,
                                                                 scene::Rgba plain) const;

  private:
    std::shared_ptr<const sim::Trace> trace_;
    std::shared_ptr<const sim::History> history_;
    std::map<std::string, std::uint32_t> placeOfClass_;  ///< index among all classes of the trace, sorted by name
};

/// The picks, and the block selected elsewhere.
Picks picksOf(const RunContext& context);

class SpaceViews {
  public:
    /// The history outlives the views.
    explicit SpaceViews(const ShownHistory& shown) : shown_(shown) {}
    virtual ~SpaceViews() = default;
    SpaceViews(const SpaceViews&) = delete;
    SpaceViews& operator=(const SpaceViews&) = delete;

    const sim::History& history() const { return shown_.history(); }
    /// Whether the history contains the data of a view.
    virtual bool has(const ViewId& /*view*/) const { return true; }
    /// The picture of a view. Valid until the next call for that view.
    const scene::SpaceScene& scene(const ViewQuery& query);
    scene::SpaceCamera cameraOf(const ViewQuery& query);
    /// Whether the camera has come nearer than where it sees everything.
    bool isZoomed(const ViewQuery& query);
    /// What is under a pixel of the view's last picture, and what a click there does.
    virtual std::optional<Hit> hitAt(const ViewQuery& query, glm::vec2 at) = 0;
    /// To be called when what is compared, or lit, has changed.
    virtual void forget() { kept_.clear(); }

  protected:
    /// The values on which a picture depends, besides the history.
    struct Key {
        ViewSettings viewSettings;
        Picks picks;
        glm::ivec2 size{0};
        float scale = 1;
        scene::Ground ground = scene::Ground::dark;
        // Only for BlockViews.
        std::optional<scene::TimeSpan> seen = {};
        std::optional<sim::Range> range = {};
        bool operator==(const Key&) const = default;
    };
    virtual Key keyOf(const ViewQuery& query) const;
    /// The direction from which a view is seen at first.
    virtual scene::SpaceCamera firstCamera(const ViewQuery& query) const = 0;
    /// The camera, moved to where it sees everything.
    virtual scene::SpaceCamera placed(const ViewQuery& query, const Key& key, const scene::SpaceCamera& camera) = 0;
    virtual scene::SpaceScene make(const ViewQuery& query, const Key& key, const scene::SpaceCamera& camera) = 0;
    /// Moves what goes with the time in a picture that make() has given.
    virtual void moveTo(scene::SpaceScene& /*scene*/, const ViewQuery& /*query*/) {}

    /// Fills in what all looks have in common.
    template <class Look>
    static void setCommon(Look& look, const ViewId& view, const Key& key) {
        look.size = key.size;
        look.ground = key.ground;
        look.textSize = viewText(key.scale);
        const auto sight = key.viewSettings.sights.find(view.withoutRun());
        if (sight != key.viewSettings.sights.end()) look.camera = sight->second.camera;
    }
    const ShownHistory& shown() const { return shown_; }
    const sim::Trace& trace() const { return shown_.trace(); }

  private:
    struct Kept {
        Key key;
        scene::SpaceScene scene;
    };

    const ShownHistory& shown_;
    std::map<ViewId, Kept> kept_;
};

}  // namespace whorl::app
