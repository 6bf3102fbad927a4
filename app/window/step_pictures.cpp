#include "app/window/step_pictures.h"

#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include <algorithm>
#include <cfloat>
#include <utility>

#include "app/panels/interface.h"
#include "app/tasks/opening.h"
#include "app/tasks/tour_player.h"
#include "app/window/imgui_platform.h"
#include "render/gl/painter.h"
#include "render/scene/palette.h"

namespace whorl::app {

namespace {

/// A session from which a tour is entered: what is chosen for all pictures is as the user has it.
Session beforeStep(const Session& now) {
    Session session;
    session.ground = now.ownLook().ground;
    session.uiScale = now.uiScale;
    session.reducedMotion = now.reducedMotion;
    session.panels = false;
    return session;
}

/// Opens and builds a run, unless it is the known one.
TourPlayer::OpenRun openerOfCompared(const Opened& known, sim::Progress& progress) {
    return [&progress, known](const OpenRequest& request,
                              std::shared_ptr<const sim::Trace> trace) -> sim::Expected<Opened> {
        if (known.run && known.run->complete() && isSameRun(known.request, request)) return known;
        if (!trace && known.run && isSameTrace(known.request, request)) trace = known.run->sharedTrace();
        auto opened = open(request, std::move(trace), progress);
        if (opened && !opened->run->build(progress)) return tl::unexpected(sim::Error::byUser());
        return opened;
    };
}

}  // namespace

StepPainter::StepPainter(TaskRunner& runner)
    : step_(runner), runs_(runner), context_(ImGui::CreateContext(ImGui::GetIO().Fonts)) {
    const ContextScope scope(context_);
    ImGui::GetIO().IniFilename = nullptr;
    ImGui::GetIO().MousePos = ImVec2(-FLT_MAX, -FLT_MAX);
    // Without a renderer there are no pictures.
    if (auto renderer = ViewRenderer::create()) renderer_ = *std::move(renderer);
}

StepPainter::~StepPainter() {
    ImGui::DestroyContext(context_);
}

void StepPainter::ask(const Session& session, const Key& key, const Session& before) {
    step_.ask(key, [key, before, file = session.presentation->file, reading = session.presentation->reading,
                    known = session.opened](sim::Progress& progress) {
        TourPlayer player(before, {*key.tour, file}, reading, openerOfCompared(known, progress));
        return player.enter(key.scene).map([&] {
            if (key.atEnd) player.answerQuestion();
            player.passUntil(key.atEnd ? player.time().played() : player.time().arrival());
            return std::make_shared<const Step>(Step{key, player.session()});
        });
    });
}

const Session* StepPainter::opened(const Key& key) const {
    const auto& step = step_.answer();
    return step && (*step)->key == key ? &(*step)->session : nullptr;
}

bool StepPainter::paint(const Session& step, const PaintedWindow& window, gl::PaintedPicture& into) {
    if (renderer_ == nullptr) return false;
    const glm::ivec2 size(window.width, window.height);
    const gl::Rect canvas = canvasOf(step, size.x, size.y, window.scale);
    const std::vector<Tile> tiles = tilesOn(step, canvas, window.scale);
    runs_.follow(step);
    runs_.update(step, tiles, canvas, window.scale, step.player.moveTicks());
    ImDrawData* const drawn = draw(step, window);
    gl::clear(scene::paletteFor(step.ground).ground, size.x, size.y);
    renderer_->paint(tiles, runs_, step, window.scale, size.y);
    ImGui_ImplOpenGL3_RenderDrawData(drawn);
    into.take(size.x, size.y);
    return true;
}

ImDrawData* StepPainter::draw(const Session& step, const PaintedWindow& window) {
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

void SpeakerPictures::update(const Session& session) {
    const auto& p = session.presentation;
    wanted_.reset();
    if (!p || p->isLast()) return;
    wanted_ = StepPainter::Key{p->tour, p->scene + 1};
    if (p->entered && session.complete()) {
        Session before = beforeStep(session);
        before.caption = before.lecture = true;
        painter_.ask(session, *wanted_, before);
    }
    if (painter_.update()) painted_ = {};
}

void SpeakerPictures::paintNext(const PaintedWindow& window) {
    const Session* const step = next();
    const glm::ivec2 size(window.width, window.height);
    if (step == nullptr || (painted_ == size && !painter_.isPartial())) return;
    if (painter_.paint(*step, window, next_)) painted_ = size;
}

SpeakerSight SpeakerPictures::sight(const PaintedWindow& window) const {
    return {.now = now_.texture(),
            .next = next() != nullptr && painted_.x > 0 ? next_.texture() : 0,
            .aspect = static_cast<float>(window.width) / static_cast<float>(window.height),
            .said = next() != nullptr ? std::optional(saidScene(*next()->presentation, wanted_->scene)) : std::nullopt};
}

namespace {

/// The resolved scene as far as it is seen where it comes to rest, without words.
TourScene asPicture(const Tour& tour, std::size_t index) {
    TourScene scene = resolvedScene(tour, index);
    TourScene seen{.input = scene.input, .machine = scene.machine, .settings = scene.settings, .order = scene.order};
    seen.with = scene.with;
    seen.withMachine = scene.withMachine;
    seen.withSettings = scene.withSettings;
    seen.lock = scene.lock;
    seen.at = scene.end();
    seen.camera = scene.camera;
    seen.fields = std::move(scene.fields);
    seen.commands = std::move(scene.commands);
    return seen;
}

}  // namespace

void StepThumbnails::follow(const Presentation& p, scene::Ground ground) {
    if (tour_ == p.tour && ground_ == ground) return;
    const auto before = std::exchange(scenes_, {});
    for (std::size_t i = 0; i < p.tour->scenes.size(); ++i) {
        const TourScene seen = asPicture(*p.tour, i);
        const auto known = std::find_if(before.begin(), before.end(),
                                        [&](const auto& t) { return ground_ == ground && t->of == seen; });
        scenes_.push_back(known != before.end() ? *known : std::make_shared<Thumbnail>(Thumbnail{seen}));
    }
    tour_ = p.tour;
    ground_ = ground;
}

void StepThumbnails::update(const Session& session) {
    const auto& p = session.presentation;
    wanted_.reset();
    if (!p) return;
    follow(*p, session.ownLook().ground);
    if (!p->entered || !session.complete()) return;
    const auto missing = std::find_if(scenes_.begin(), scenes_.end(), [](const auto& t) { return !t->isDone; });
    if (missing == scenes_.end()) return;
    wanted_ = StepPainter::Key{tour_, static_cast<std::size_t>(missing - scenes_.begin()), true};
    Session before = beforeStep(session);
    before.legend = false;
    painter_.ask(session, *wanted_, before);
    // What cannot be opened says so when it is shown.
    if (painter_.update() && painter_.takeError()) (*missing)->isDone = true;
}

void StepThumbnails::paintNext(const PaintedWindow& window) {
    const Session* const step = wanted_ ? painter_.opened(*wanted_) : nullptr;
    if (step == nullptr) return;
    constexpr float kThumbnail = 640;
    const int width = std::min(static_cast<int>(kThumbnail * window.scale), window.width);
    const int height = std::min(static_cast<int>(static_cast<float>(width) / kAspect), window.height);
    Thumbnail& thumbnail = *scenes_[wanted_->scene];
    if (thumbnail.picture == nullptr) thumbnail.picture = std::make_unique<gl::PaintedPicture>();
    const bool isPainted = painter_.paint(*step, {width, height, window.scale, window.fonts}, *thumbnail.picture);
    thumbnail.isDone = !isPainted || !painter_.isPartial();
}

std::vector<unsigned> StepThumbnails::textures() const {
    std::vector<unsigned> out;
    out.reserve(scenes_.size());
    for (const auto& t : scenes_) out.push_back(t->picture == nullptr ? 0 : t->picture->texture());
    return out;
}

}  // namespace whorl::app
