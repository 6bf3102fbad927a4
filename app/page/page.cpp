#include "app/page/page.h"

#include <algorithm>
#include <utility>

#include "app/commands/bindings.h"
#include "app/commands/prompt_commands.h"
#include "app/commands/time_commands.h"
#include "app/session/command.h"
#include "app/session/transitions.h"
#include "render/scene/palette.h"

namespace whorl::app {

Page::Page(PageStart start, scene::Ground ground, bool reducedMotion) : start_(std::move(start)) {
    session_.ground = ground;
    session_.reducedMotion = reducedMotion;
    SessionStart begin = start_.session;
    begin.paused = begin.paused || reducedMotion;
    if (begin.tour) {
        const TourScene scene = resolvedScene(begin.tour->tour, begin.tour->scene);
        begin.request = runsOf(scene, begin.request.reading).first;  // the scene asks for the second itself
        begin.lock = scene.lock;
    }
    startSession(session_, std::move(begin));
    if (session_.presentation) session_.presentation->asStarted = false;
    session_.isWindow = false;
    session_.panels = false;
    session_.caption = false;
    session_.legend = false;
}

void Page::resize(glm::ivec2 size, float scale) {
    size_ = glm::max(size, glm::ivec2(1));
    scale_ = std::clamp(scale, Session::kMinScale, Session::kMaxScale);
}

sim::Expected<void> Page::command(std::string_view text) {
    if (text == "page-own") return returnToOwn(), sim::Expected<void>();
    auto command = WHORL_TRY(typedCommand(session_, text));
    session_.refused.clear();
    applyAll(session_, {std::move(command)});
    if (!session_.refused.empty()) return sim::fail({}, session_.refused);
    return {};
}

/// What the page was made with, after something else was tried.
void Page::returnToOwn() {
    if (session_.presentation) return goToScene(session_, session_.presentation->scene);
    session_.requests.add(request::Open{start_.session.request});
    for (const OpenRequest& compared : start_.session.compared) {
        session_.requests.add(request::OpenCompared{compared});
    }
}

bool Page::key(std::string_view chord) {
    const Binding* const binding = bindingForKey(chord, session_);
    if (binding == nullptr) return false;
    commands_.push_back(binding->command);
    return true;
}

std::vector<std::string> Page::point(const PointerEvent& event) {
    if (runs_.open() == nullptr) return {};
    if (event.kind == PointerEvent::Kind::move) return wordsUnder(event.at, shown(), tiles_, scale_);
    for (Command& command : commandsFor(event, shown(), tiles_, scale_)) commands_.push_back(std::move(command));
    return {};
}

void Page::frame(double seconds) {
    runner_.beginRound();
    applyAll(session_, std::exchange(commands_, {}));
    if (session_.requests.take<request::Cancel>()) {
        requested_.cancel();
        queries_.cancel();
        runs_.cancel();
    }
    requested_.begin(session_);
    if (auto opened = requested_.takeOpened()) {
        if (*opened) {
            enterRun(session_, *std::move(*opened));
        } else {
            failOpening(session_, opened->error());
        }
    }
    requested_.update(session_);
    if (session_.opened.run && !std::exchange(isEntered_, true)) {
        for (const std::string& text : start_.commands) {
            if (auto command = parseCommand(text)) commands_.push_back(*std::move(command));
        }
    }
    telling_.update(session_);
    constexpr double kLongest = 0.25;  // after a pause of the whole page it goes on where it was
    passTime(session_, std::clamp(seconds, 0.0, kLongest));
    compose();
    runner_.runNext();
}

void Page::compose() {
    const gl::Rect canvas{0, 0, size_.x, size_.y};
    tiles_ = tilesOn(session_, canvas, scale_);
    notePicture(session_, size_);
    runs_.follow(session_);
    runs_.update(session_, tiles_, canvas, scale_, session_.player.moveTicks());
    for (const Tile& tile : tiles_) {
        RunView* const run = runs_.at(tile.view.run);
        if (run == nullptr) continue;
        const ViewQuery query{tile.view, session_, {tile.where.width, tile.where.height}, scale_};
        if (const auto wanted = run->views(tile.view).wanted(query)) commands_.push_back(*wanted);
    }
    if (const auto error = runs_.takeError()) commands_.push_back(command::Message{error->sentence()});
    if (runs_.open() != nullptr) queries_.update(session_, runs_.open()->composer().overview(), commands_);
}

sim::Expected<void> Page::paint() {
    if (!renderer_) renderer_ = WHORL_TRY(ViewRenderer::create());
    gl::clear(scene::paletteFor(session_.ground).ground, size_.x, size_.y);
    renderer_->paint(tiles_, runs_, session_, scale_, size_.y);
    return {};
}

bool Page::isWorking() const {
    return !commands_.empty() || session_.resumeAt || requested_.working() || queries_.working() ||
           telling_.working() || runs_.working();
}

bool Page::needsFrame() const {
    return session_.viewSettings.moving() || session_.camera.moving() || session_.player.moving() || isWorking();
}

}  // namespace whorl::app
