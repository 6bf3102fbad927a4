#include "app/window/speaker_pictures.h"

#include <backends/imgui_impl_opengl3.h>

#include <utility>

#include "app/panels/interface.h"
#include "app/tasks/opening.h"
#include "app/tasks/tour_player.h"
#include "app/window/context_scope.h"
#include "render/gl/painter.h"
#include "render/scene/palette.h"

namespace whorl::app {

namespace {

/// A session on the stage, from which a tour is entered: what is chosen for all pictures is as in the talk.
Session beforeStep(const Session& talk) {
    Session session;
    session.ground = talk.ownLook().ground;
    session.uiScale = talk.uiScale;
    session.reducedMotion = talk.reducedMotion;
    session.panels = false;
    session.caption = session.lecture = true;
    return session;
}

/// Opens and builds a run, unless it is the known one.
TourPlayer::OpenRun openerOfCompared(const Opened& known, sim::Progress& progress) {
    return [&progress, known](const OpenRequest& request,
                              std::shared_ptr<const sim::Trace> trace) -> sim::Expected<Opened> {
        if (isSameRun(known.request, request)) return known;
        if (!trace && known.request.input == request.input) trace = known.run->sharedTrace();
        auto opened = open(request, std::move(trace), progress);
        if (opened && !opened->run->build(progress)) return tl::unexpected(sim::Error::byUser());
        return opened;
    };
}

}  // namespace

SpeakerPictures::SpeakerPictures(TaskRunner& runner)
    : step_(runner), runs_(runner), context_(ImGui::CreateContext(ImGui::GetIO().Fonts)) {
    const ContextScope scope(context_);
    ImGui::GetIO().IniFilename = nullptr;
    ImGui::GetIO().MousePos = ImVec2(-FLT_MAX, -FLT_MAX);
    // Without a renderer, the window shows only the words of the next step.
    if (auto renderer = ViewRenderer::create()) renderer_ = *std::move(renderer);
}

SpeakerPictures::~SpeakerPictures() {
    ImGui::DestroyContext(context_);
}

void SpeakerPictures::update(const Session& session) {
    const auto& p = session.presentation;
    wanted_.reset();
    if (!p || p->isLast()) return;
    wanted_ = Key{p->tour, p->scene + 1};
    if (p->entered && session.complete()) {
        step_.ask(*wanted_, [key = *wanted_, before = beforeStep(session), file = p->file, reading = p->reading,
                             known = session.opened](sim::Progress& progress) {
            TourPlayer player(before, {*key.tour, file}, reading, openerOfCompared(known, progress));
            return player.enter(key.scene).map([&] {
                player.passUntil(player.time().arrival());
                return std::make_shared<const Step>(Step{key, player.session()});
            });
        });
    }
    if (step_.update()) painted_ = {};
}

const Session* SpeakerPictures::next() const {
    const auto& step = step_.answer();
    return step && (*step)->key == wanted_ ? &(*step)->session : nullptr;
}

void SpeakerPictures::paintNext(const PaintedWindow& window) {
    const Session* const step = next();
    const glm::ivec2 size(window.width, window.height);
    if (step == nullptr || renderer_ == nullptr || (painted_ == size && !runs_.working())) return;
    const gl::Rect canvas = canvasOf(*step, size.x, size.y, window.scale);
    const std::vector<Tile> tiles = tilesOn(*step, canvas, window.scale);
    runs_.follow(*step);
    runs_.update(*step, tiles, canvas, window.scale, step->player.moveTicks());
    ImDrawData* const drawn = drawNext(*step, window);
    gl::clear(scene::paletteFor(step->ground).ground, size.x, size.y);
    renderer_->paint(tiles, runs_, *step, window.scale, size.y);
    ImGui_ImplOpenGL3_RenderDrawData(drawn);
    next_.take(size.x, size.y);
    painted_ = size;
}

ImDrawData* SpeakerPictures::drawNext(const Session& step, const PaintedWindow& window) {
    const ContextScope scope(context_);
    applyStyle(step.ground, window.scale);
    ImGuiIO& io = ImGui::GetIO();
    io.FontDefault = window.fonts.body;
    io.DisplaySize = ImVec2(static_cast<float>(window.width), static_cast<float>(window.height));
    io.DeltaTime = 1.0f / 60.0f;
    ImGui::NewFrame();
    Commands ignored;
    Edits edits;
    const QueryResults none;
    drawInterface({.session = step,
                   .context = step.context(),
                   .opening = nullptr,
                   .runs = runs_,
                   .results = none,
                   .fonts = window.fonts,
                   .scale = window.scale,
                   .commands = ignored,
                   .edits = edits},
                  window.width, window.height);
    ImGui::Render();
    return ImGui::GetDrawData();
}

SpeakerSight SpeakerPictures::sight(const PaintedWindow& window) const {
    return {.now = now_.texture(),
            .next = next() != nullptr && painted_.x > 0 ? next_.texture() : 0,
            .aspect = static_cast<float>(window.width) / static_cast<float>(window.height)};
}

}  // namespace whorl::app
