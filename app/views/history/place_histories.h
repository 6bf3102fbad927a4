// Makes the pictures of the histories of places of one run, and describes what they show; a click goes to an access.
// Histories are computed in the background. What is kept does not affect the pictures.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/views/views.h"
#include "render/scene/cells/history_scene.h"
#include "sim/analysis/place_history.h"
#include "sim/replay/snapshot.h"

namespace whorl::app {

class PlaceHistories final : public Views {
  public:
    static constexpr std::array kKinds{ViewId::Kind::history};

    explicit PlaceHistories(const ViewSources& sources);
    ~PlaceHistories() override;

    void update(const RunContext& context) override;
    TileScene pictureOf(const ViewQuery& query) override {
        return &scene(query.view, query.context, query.size, query.scale);
    }
    std::optional<double> largest(const ViewQuery& query) override;
    void setCommon(const ViewId& view, const std::optional<scene::CommonScale>& common) override;
    scene::PixelBox mouseArea(const ViewQuery& query) override;
    std::optional<Hit> hitAt(const ViewQuery& query, glm::ivec2 at) override;
    std::optional<TimePointer> timeAt(const ViewQuery& query, glm::ivec2 at) override;
    ViewControls controls(const ViewQuery& query) override;

    /// What a picture shows: null while there is none.
    const sim::PlaceHistory* history(const ViewId& view) const;

    /// A place, and the accesses in which it is looked at.
    struct PlaceRequest {
        sim::Place place;
        sim::Range range;
        bool operator==(const PlaceRequest&) const = default;
    };
    /// An access to what is picked, or a request of a cell of a cache.
    struct PickedAccess {
        sim::Tick tick;
        sim::ByteAddress address;
        sim::SiteId site;
        std::uint8_t size = 1;  ///< bytes; at most 255
        std::uint8_t cpu = 0;
        bool write : 1 = false;  ///< as in sim::PlaceAccess
        bool hit : 1 = false;
        bool counts : 1 = true;
    };
    /// What lived in the place that was picked last, and which lines used it, over the chosen range or all of the time;
    /// and all accesses to it.
    struct Picked {
        PlaceRequest of;  ///< the range is that of the names, words and lines
        std::string title;
        std::vector<sim::PlaceRow> names;
        std::vector<sim::PlaceRow> words;  ///< words of a cell of memory; empty if it has one, or very many
        std::vector<sim::PlaceRow> lines;
        sim::Range span;                     ///< of the accesses: the whole run if that is built, else the range
        std::vector<PickedAccess> accesses;  ///< by time
        std::uint64_t leftOut = 0;           ///< the last accesses, for lack of room
    };
    /// What is picked; null while nothing is, or it is being computed.
    std::shared_ptr<const Picked> picked(const RunContext& context) const;
    /// The progress of computing it; negative if unknown.
    double fractionOfPicked() const { return picked_.fraction(); }
    /// An access with its events and the kinds of its misses; it must be built. The reference is valid until the next
    /// call.
    const sim::Step& stepAt(sim::Tick tick);

  private:
    struct View;
    using SharedPicked = std::shared_ptr<const Picked>;
    static std::optional<PlaceRequest> requestOf(const RunContext& context);
    static SharedPicked pickedOf(const sim::Run& run, const PlaceRequest& request, sim::Range span,
                                 sim::Progress& progress);
    /// What a picture shows, and how.
    struct ShownHistory {
        scene::HistorySubject subject;
        scene::HistoryLook look;
    };
    View& at(const ViewId& view);
    std::optional<scene::CommonScale> commonOf(const ViewId& view) const;
    void updatePicked(const RunContext& context);
    std::optional<ShownHistory> shownBy(const ViewQuery& query) const;
    const scene::FlatScene& scene(const ViewId& view, const RunContext& context, glm::ivec2 size, float scale);
    scene::HistorySubject subjectOf(const sim::PlaceHistory& history) const;
    scene::HistoryLook historyLook(const ViewId& view, const RunContext& context, glm::ivec2 size, float scale) const;
    /// A bar, or a stay, in words; the first line is the heading.
    std::vector<std::string> describeBar(const sim::PlaceHistory& history, const scene::HistoryBar& bar) const;
    std::vector<std::string> describeStay(const sim::PlaceHistory& history, std::size_t stay) const;

    const sim::MachineConfig& machine() const { return opened_.run->machine(); }
    const sim::Trace& trace() const { return opened_.run->trace(); }

    Opened opened_;
    TaskRunner& runner_;
    std::map<ViewId, std::unique_ptr<View>> views_;
    LatestTask<std::pair<PlaceRequest, sim::Range>, SharedPicked> picked_;
    sim::SnapshotReader steps_;
};

}  // namespace whorl::app
