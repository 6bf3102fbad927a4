// Makes the pictures of the lives of objects of one run, and describes what they show; a click on a box picks its
// source line. Lives are computed in the background. What is kept does not affect the pictures.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/session/opened.h"
#include "app/session/session.h"
#include "app/tasks/task.h"
#include "app/views/views.h"
#include "render/scene/cells/life_scene.h"
#include "sim/analysis/object_life.h"

namespace whorl::app {

class LifeViews final : public Views {
  public:
    static constexpr std::array kKinds{ViewId::Kind::life};

    explicit LifeViews(const ViewSources& sources);
    ~LifeViews() override;

    void update(const RunContext& context) override;
    TileScene pictureOf(const ViewQuery& query) override { return &of(query).scene; }
    scene::PixelBox mouseArea(const ViewQuery& query) override;
    std::optional<Hit> hitAt(const ViewQuery& query, glm::ivec2 at) override;
    ViewControls controls(const ViewQuery& query) override;

    struct Picture {
        scene::LifeFrame frame;
        scene::FlatScene scene;
    };
    /// The picture of a view, `size` in pixels. Valid until the next call for that view.
    const Picture& picture(const ViewId& view, const RunContext& context, glm::ivec2 size, float scale);
    /// What a view's picture shows: null while there is none.
    const sim::ObjectLife* life(const ViewId& view) const;

    /// A node, or an edge, in words; the first line is the heading.
    std::vector<std::string> describeNode(const sim::ObjectLife& life, std::uint32_t node) const;
    std::vector<std::string> describeEdge(const sim::ObjectLife& life, std::size_t edge) const;

  private:
    struct View;
    View& at(const ViewId& view);
    const Picture& of(const ViewQuery& query) { return picture(query.view, query.context, query.size, query.scale); }
    scene::LifeLook look(const ViewId& view, const RunContext& context, glm::ivec2 size, float scale) const;
    sim::LifeWords wordsOf(const sim::ObjectLife& life) const {
        return {life, opened_.run->trace(), opened_.run->machine()};
    }
    std::optional<std::uint32_t> chosenIn(const sim::ObjectLife& life, const RunContext& context) const;

    Opened opened_;
    TaskRunner& runner_;
    std::map<ViewId, std::unique_ptr<View>> views_;
};

}  // namespace whorl::app
