// Makes the pictures of the histories of places of one run, and describes what they show; a click goes to an access.
// Histories are computed in the background. What is kept does not affect the pictures.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/views/views.h"
#include "render/scene/cells/history_scene.h"
#include "sim/analysis/place_history.h"

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

    /// What lived in the cell that was picked last, and which lines used it, over the chosen range or all of the time.
    struct Picked {
        std::string title;
        std::vector<sim::PlaceRow> names;
        std::vector<sim::PlaceRow> words;  ///< words of a cell of memory; empty if it has one, or very many
        std::vector<sim::PlaceRow> lines;
    };
    /// Null while nothing is picked, or it is being computed.
    std::shared_ptr<const Picked> picked() const;

  private:
    struct View;
    struct PlaceRequest {
        sim::Place place;
        sim::Range range;
        bool operator==(const PlaceRequest&) const = default;
    };
    using SharedPicked = std::shared_ptr<const Picked>;
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
    LatestTask<PlaceRequest, SharedPicked> picked_;
};

}  // namespace whorl::app
