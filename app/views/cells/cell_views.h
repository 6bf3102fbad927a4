// Makes the pictures of cells of one run: of memory and of caches, over a range and at the playhead. Keeps what is slow
// to compute (sums, places, the last picture of each view) as long as nothing changes; that does not affect the
// pictures.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/session/opened.h"
#include "app/session/session.h"
#include "app/views/cells/cell_colouring.h"
#include "app/views/cells/cell_tables.h"
#include "app/views/cells/memory_overlays.h"
#include "app/views/views.h"
#include "render/scene/cells/cell_measures.h"
#include "render/scene/cells/cell_scene.h"
#include "sim/analysis/activity.h"
#include "sim/analysis/place.h"

namespace whorl::app {

/// The cell under a point of a picture.
struct CellUnder {
    scene::CellPlace place;
    scene::PixelBox box;  ///< in pixels of the picture
    sim::Place cell;
};

class CellViews final : public Views {
  public:
    static constexpr std::array kKinds{ViewId::Kind::memory, ViewId::Kind::memoryLive, ViewId::Kind::cache,
                                       ViewId::Kind::cacheLive};

    explicit CellViews(const ViewSources& sources) : CellViews(sources.opened, sources.runner) {}
    CellViews(Opened opened, TaskRunner& runner);
    ~CellViews() override;

    void update(const RunContext& context) override;
    double fraction(const ViewId& view) const override;

    std::optional<double> largest(const ViewQuery& query) override;
    void setCommon(const ViewId& view, const std::optional<scene::CommonScale>& common) override;
    TileScene pictureOf(const ViewQuery& query) override {
        return &scene(query.view, query.context, query.size, query.scale);
    }
    scene::PixelBox mouseArea(const ViewQuery& query) override { return areaOf(query.view); }
    std::optional<Hit> hitAt(const ViewQuery& query, glm::ivec2 at) override;
    std::optional<PlanePointer> planeAt(const ViewQuery& query, glm::ivec2 at) override;
    ViewControls controls(const ViewQuery& query) override;

    /// The picture of a view, `size` in pixels. Valid until the next call for that view.
    const scene::FlatScene& scene(const ViewId& view, const RunContext& context, glm::ivec2 size, float scale);
    /// The cell under a pixel of the view's last picture.
    std::optional<CellUnder> under(const ViewId& view, glm::ivec2 at) const;
    /// Describes a cell in lines for a tooltip; the first is its name.
    std::vector<std::string> describe(const ViewId& view, const RunContext& context, const sim::Place& cell);
    /// The sight after zooming by some steps at a pixel, or after panning by some pixels; of the view's last picture.
    CellSight zoomed(const ViewId& view, glm::ivec2 at, int steps) const;
    CellSight panned(const ViewId& view, glm::ivec2 by) const;
    /// Whether a pixel lies in the small picture of all cells; and the sight centred on the cell under that pixel.
    bool isInset(const ViewId& view, glm::ivec2 at) const;
    std::optional<CellSight> movedTo(const ViewId& view, glm::ivec2 at) const;
    /// The area of the cells in the view's last picture.
    scene::PixelBox areaOf(const ViewId& view) const;

  private:
    /// The state of a view: its sums or its activity, its places, its picture.
    struct View;

    /// Kept alive while something made from it is: else another could have its address.
    using Shared = std::shared_ptr<const void>;

    /// What a picture depends on.
    struct Key {
        CellChoice choice;
        glm::ivec2 size{0};
        float scale = 1;
        scene::Ground ground = scene::Ground::dark;
        bool controls = false;
        double t = -1;  ///< live views
        CellMarks marks;
        std::map<std::size_t, scene::Rgba> hues;
        Shared table;          ///< the sums
        Shared causes;         ///< sim::Causes
        std::size_t runs = 1;  ///< beside each other
        bool operator==(const Key&) const = default;
    };

    View& at(const ViewId& view);
    const View* find(const ViewId& view) const;
    Key keyOf(const ViewId& view, const RunContext& context, glm::ivec2 size, float scale) const;
    scene::CellLook lookOf(const ViewId& view, const RunContext& context, const Key& key) const;
    scene::CellQuantity quantityOf(const ViewId& view, const CellChoice& choice) const;
    sim::Range rangeOf(const CellChoice& choice, const RunContext& context) const;

    std::vector<std::string> linesOf(View& v, const sim::Place& cell, const sim::Range& range) const;
    void askCauses(View& v, const CellChoice& choice, const sim::Range& range) const;

    void arrangeMemory(View& v, const Key& key, const scene::FlowLook& look) const;
    void arrangeCache(View& v, const ViewId& view, const Key& key, const scene::FlowLook& look) const;
    static void place(View& v, const Key& key, const scene::CellLook& look);
    void layOut(View& v, const ViewId& view, const Key& key, scene::CellLook& look) const;
    void makeValues(View& v, const scene::CellQuantity& quantity, bool isOfMemory) const;
    Colouring colouringFor(const ViewId& view, const Key& key, float most, const View* laidOut) const;
    static bool isTreemap(const ViewId& view, const Key& key);
    void makeTreemap(View& v, const Key& key, const scene::CellLook& look) const;
    const sim::Activity* activityFor(View& v, const ViewId& view, const Key& key) const;
    void makeMemoryNumbers(View& v, const ViewId& view, const Key& key, scene::CellLook& look) const;
    void makeCacheNumbers(View& v, const ViewId& view, const Key& key, scene::CellLook& look) const;
    void prepare(View& v, const ViewId& view, const RunContext& context, glm::ivec2 size, float scale) const;
    template <class Table>
    static void noteState(scene::CellLook& look, const std::shared_ptr<const Table>& table, const Key& key);
    static void addInset(View& v, scene::FlatScene& scene, const scene::EntryColour& colourOf,
                         scene::MemoryCurve curve);
    void addCacheMarks(scene::CachePicture& picture, const View& v, const Key& key,
                       const sim::Activity* activity) const;
    scene::FlatScene memoryPicture(View& v, const ViewId& view, Colouring colouring) const;
    scene::FlatScene cachePicture(View& v, const ViewId& view, Colouring colouring) const;
    scene::FlatScene treePicture(View& v, Colouring colouring) const;
    void paint(View& v, const ViewId& view) const;

    /// Whether the machine has the level of a view: of runs beside each other, another one may have more.
    bool has(const ViewId& view) const {
        return scene::isOfMemory(*view.cells()) || view.level < machine().levels.size();
    }
    const sim::MachineConfig& machine() const { return opened_.run->machine(); }
    const sim::Trace& trace() const { return opened_.run->trace(); }

    Opened opened_;
    TaskRunner& runner_;
    std::map<ViewId, std::unique_ptr<View>> views_;
};

}  // namespace whorl::app
