// Makes the picture of the collisions in a run's history, and describes what it shows. Keeps the last picture as long
// as nothing changes.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/session/session.h"
#include "app/views/space/histories.h"
#include "app/views/views.h"
#include "render/scene/cells/collision_scene.h"
#include "sim/analysis/collisions.h"
#include "sim/analysis/history.h"
#include "sim/trace/trace.h"

namespace whorl::app {

class CollisionView {
  public:
    CollisionView(std::shared_ptr<const sim::Trace> trace, std::shared_ptr<const sim::History> history);

    struct Picture {
        scene::CollisionFrame frame;
        scene::FlatScene scene;
    };
    /// The level and the things that the session chooses; `size` in pixels. Valid until the next call.
    const Picture& picture(const RunContext& context, glm::ivec2 size, float scale);

    /// The look of the picture that was made last.
    const scene::CollisionLook& look() const { return key_->look; }

    /// The largest number of the picture, and that of all runs beside each other, which its colours are then relative
    /// to; none: its own.
    double largest(const RunContext& context);
    void setCommon(const std::optional<scene::CommonScale>& common) { common_ = common; }

    /// The regions of a pair of the picture, as numbered in the ledger; nothing if it is a pair of objects or classes.
    std::optional<RegionPair> regionsOf(const RunContext& context, const sim::Collision& pair);
    /// A pair in words; the first line is the heading.
    std::vector<std::string> describe(const RunContext& context, const sim::Collision& pair);

  private:
    /// The values on which a picture depends, besides the history.
    struct Key {
        sim::CollisionsOf of = sim::CollisionsOf::region;
        std::size_t level = 0;
        std::optional<sim::CollisionThing> picked;  ///< what only is shown; without a name: nothing is picked
        scene::CollisionLook look;
        bool operator==(const Key&) const = default;
    };

    std::size_t levelOf(const RunContext& context) const;
    std::string nameOf(std::size_t level) const;
    const sim::Collisions& collisions(sim::CollisionsOf of);
    std::optional<scene::CollisionPair> chosen(const RunContext& context);
    std::optional<sim::CollisionThing> picked(const RunContext& context);
    scene::CollisionSubject subjectOf(const RunContext& context);

    std::shared_ptr<const sim::Trace> trace_;
    std::shared_ptr<const sim::History> history_;
    std::map<sim::CollisionsOf, sim::Collisions> collisions_;
    std::optional<scene::CommonScale> common_;
    std::optional<Key> key_;
    Picture picture_;
};

/// The collisions of a run's history, once it is there.
class CollisionViews final : public Views {
  public:
    static constexpr std::array kKinds{ViewId::Kind::collisions};

    explicit CollisionViews(const ViewSources& sources) : run_(sources.opened.run), histories_(sources.histories) {}

    TileScene pictureOf(const ViewQuery& query) override;
    std::optional<double> largest(const ViewQuery& query) override;
    void setCommon(const ViewId& view, const std::optional<scene::CommonScale>& common) override;
    scene::PixelBox mouseArea(const ViewQuery& query) override;
    std::optional<Hit> hitAt(const ViewQuery& query, glm::ivec2 at) override;
    std::optional<PlanePointer> planeAt(const ViewQuery& query, glm::ivec2 at) override;
    ViewControls controls(const ViewQuery& query) override;

  private:
    /// The view of the current history; null without one.
    CollisionView* view();

    std::shared_ptr<const sim::Run> run_;
    const Histories& histories_;
    std::shared_ptr<const sim::History> of_;
    std::unique_ptr<CollisionView> view_;
};

/// The moment of a pair that follows the playhead at `position`; the first one when none does.
sim::Tick nextCollision(const sim::Collision& pair, double position);

}  // namespace whorl::app
