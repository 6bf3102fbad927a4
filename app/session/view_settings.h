// Which pictures stand on the window, and how those of a run's history are looked at: the part of the session that
// belongs to Chiron's views. Plain data.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/session/picks.h"
#include "app/session/view_id.h"
#include "render/scene/space/block_scene.h"
#include "render/scene/space/folded_graph.h"
#include "sim/analysis/collisions.h"

namespace whorl::app {

/// How a folded graph is looked at, whichever picture it is in.
struct GraphChoice {
    scene::NodeOrder order = scene::NodeOrder::cost;
    float height = 1;
    bool operator==(const GraphChoice&) const = default;
};

/// How all BlockViews are.
struct BlockChoice {
    scene::BlockOrder order = scene::BlockOrder::cost;
    scene::BlockLook::Draw draw = scene::BlockLook::Draw::automatic;
    scene::BlockLook::Colour colour = scene::BlockLook::Colour::cpu;
    bool coherence = true;
    bool replacement = true;
    bool other = true;
    std::uint64_t cpus = ~std::uint64_t{0};  ///< whose planes are shown: a bit each
    std::optional<scene::Interval> lens;
    bool operator==(const BlockChoice&) const = default;
};

/// A camera, and whether a person has moved it; else it shows all.
struct Sight {
    scene::SpaceCamera camera;
    bool byHand = false;
    bool operator==(const Sight&) const = default;
};

struct ViewSettings {
    std::vector<ViewId> shown{ViewId{}};  ///< never empty
    ViewId active;
    std::vector<ViewId> aside;  ///< shown again when one is no longer looked at alone

    std::map<ViewId, Sight> sights;  ///< of pictures in space, as they were last seen
    std::optional<glm::vec2>
        direction;  ///< azimuth and elevation of cameras that were not moved by hand; none: their own
    std::optional<float> perspective;  ///< likewise
    bool lensWanted = false;           ///< the BlockViews shall zoom to the lens
    bool dragMoves = false;            ///< dragging moves the picture instead of turning it
    bool cures = false;                ///< the layout changes that would prevent sharing misses are listed
    bool compares = true;              ///< beside each view that of the first run, where there is one
    bool recorded = true;              ///< a trace that tells events of its own is shown as it was
    std::optional<bool> words;         ///< the ObjectView shows words; nothing: as it fits
    bool wordsFit = false;             ///< there are few objects, so that words tell more
    GraphChoice sources;
    GraphChoice objects;
    BlockChoice blocks;

    bool classColours = false;
    std::set<std::string> classes;            ///< those that are coloured; none: all
    std::map<std::string, scene::Rgba> hues;  ///< colours that a person has given

    std::optional<SourcePick> source;
    std::optional<ObjectPick> object;
    std::optional<StayPick> stay;
    bool sourceIsNewer = false;

    std::uint8_t collisionLevel = 0;
    sim::CollisionsOf collisionsOf = sim::CollisionsOf::region;

    bool shows(const ViewId& view) const;
    /// Whether any of them needs the history of the run.
    bool needsHistory() const;
    void toggle(const ViewId& view);
    /// Looks at the active one alone, or at all again.
    void toggleAlone();
    void clearPicks();
    /// What was picked by its address: in another layout that is something else.
    void clearAddressPicks();
    /// For a machine with so many levels: BlockViews of others go.
    void keepLevels(std::size_t levels);
    bool hasPicks() const { return source || object || stay; }

    bool operator==(const ViewSettings&) const = default;
};

}  // namespace whorl::app
