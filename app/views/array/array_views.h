// Makes the pictures of the arrays of one run in rows and columns, at the playhead, and describes their elements; a
// click picks one. What is kept does not affect the pictures.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/session/opened.h"
#include "app/session/session.h"
#include "app/views/rings/frame_composer.h"
#include "app/views/views.h"
#include "render/scene/cells/array_scene.h"

namespace whorl::app {

class ArrayViews final : public Views {
  public:
    static constexpr std::array kKinds{ViewId::Kind::array};

    explicit ArrayViews(const ViewSources& sources);
    ~ArrayViews() override;

    TileScene pictureOf(const ViewQuery& query) override {
        return rings_.picture() == nullptr ? TileScene() : TileScene(&of(query).scene);
    }
    scene::PixelBox mouseArea(const ViewQuery& query) override;
    std::optional<Hit> hitAt(const ViewQuery& query, glm::ivec2 at) override;
    ViewControls controls(const ViewQuery& query) override;

    struct Picture {
        scene::ArrayFrame frame;
        scene::FlatScene scene;
    };
    /// The picture of a view, once the rings have theirs. Valid until the next call for that view.
    const Picture& of(const ViewQuery& query);

    /// An element, or a cell of several, in words; the first line is the heading. Of the view's last picture.
    std::vector<std::string> describe(const ViewQuery& query, const scene::ArrayUnder& under);

  private:
    struct View;
    View& at(const ViewId& view);
    /// Sets up the array that a view shows; false if there is none.
    bool choose(View& v, const ViewQuery& query) const;
    std::string accessInWords(const View& v, const sim::Step& step) const;
    scene::ArraySubject subjectOf(const View& v) const;
    const sim::Trace& trace() const { return opened_.run->trace(); }

    Opened opened_;
    const FrameComposer& rings_;  ///< has the state at the playhead
    std::map<ViewId, std::unique_ptr<View>> views_;
};

}  // namespace whorl::app
