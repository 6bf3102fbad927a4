#include "app/session/session.h"

#include <algorithm>
#include <cmath>

namespace whorl::app {

namespace {

/// Highlights in the rings what is picked in any view.
void takePicks(const RunContext& run, scene::View& view) {
    if (!run.opened.run) return;
    const sim::Trace& trace = run.opened.run->trace();
    const ViewSettings& picks = run.viewSettings;
    if (const auto memory = picks.object ? memoryOf(*picks.object, trace) : std::nullopt) {
        view.picked = scene::PickedBytes{memory->from, memory->bytes};
    }
    if (picks.source) view.site = sim::SiteId{picks.source->site};
}

}  // namespace

std::vector<const Opened*> Session::openRuns() const {
    std::vector<const Opened*> runs;
    if (opened.run) runs.push_back(&opened);
    for (const ComparedRun& other : compared) {
        if (opened.run) runs.push_back(&other.opened);
    }
    return runs;
}

std::size_t Session::unchangedRun() const {
    const auto found = std::find_if(compared.begin(), compared.end(), [](const ComparedRun& b) { return b.unchanged; });
    return found == compared.end() ? 0 : 1 + static_cast<std::size_t>(found - compared.begin());
}

std::uint64_t RunContext::lapseNow() const {
    const double pace = player.playing() ? player.pace() : 0;
    return std::min(scene::lapseAt(pace, kFramesPerSecond, lapse), kMaxLapse);
}

scene::TimeSpan RunContext::played() const {
    if (range) return {static_cast<double>(range->from.value), static_cast<double>(range->to.value)};
    return {0, opened.run ? static_cast<double>(opened.run->trace().size()) : 0};
}

bool RunContext::watches(sim::ByteAddress byte) const {
    const std::uint64_t block = opened.run ? opened.run->machine().blockBytes() : 1;
    return std::any_of(watched.begin(), watched.end(),
                       [&](sim::ByteAddress other) { return other.value / block == byte.value / block; });
}

double RunContext::toPlay() const {
    return opened.run ? static_cast<double>(opened.run->trace().size() - opened.start) : 0;
}

sim::AccessClock* RunContext::clock() {
    if (!ringView.byCycles || !complete()) return nullptr;
    if (!opened.clock) opened.clock = std::make_shared<sim::AccessClock>(opened.run);
    return opened.clock.get();
}

float Session::sceneTextOpacity() const {
    if (!sceneText) return 0;
    if (caption) return 1;
    constexpr double kNear = 48;  // accesses
    constexpr double kFading = 32;
    const double at = player.position();
    const double away = std::max({sceneText->at - at, at - sceneText->to, 0.0});
    return static_cast<float>(std::clamp((kNear + kFading - away) / kFading, 0.0, 1.0));
}

float Session::scaleIn(glm::vec2 size, float display) const {
    const float chosen = std::clamp(uiScale * display, kMinScale, kMaxScale);
    // In steps, because fonts are made anew for each scale.
    constexpr float kSteps = 8;
    float share = 0;
    if (onStage()) {
        share = std::ceil(kSteps * std::max(std::min(size.x, size.y) / kStageSide, size.y / kStageHeight));
    } else if (!panels && compares()) {
        share = std::floor(kSteps * std::min(std::max(size.x, size.y) / 1280, std::min(size.x, size.y) / 720));
    }
    return std::min(std::max(chosen, share / kSteps), kMaxScale);
}

bool Session::compares() const {
    return viewSettings.compares && openRuns().size() > 1;
}

bool Session::framesTiles() const {
    return isWindow && panels && (viewSettings.shown.size() > 1 || !viewSettings.aside.empty());
}

bool Session::showsRingsAlone() const {
    const auto& shown = viewSettings.shown;
    return shown.size() == 1 && shown.front().kind == ViewId::Kind::rings && !compares();
}

scene::View Session::view(const RunContext& run, glm::vec2 size, float scale) const {
    scene::View view = run.ringView;
    view.size = size;
    view.textScale = scale;
    view.ground = run.ground;
    view.reducedMotion = run.reducedMotion;
    view.moveTicks = run.player.moveTicks();
    view.pace = run.paceNow();
    view.numbered = view.pace == 0;
    view.trails = run.trails;
    view.lapse = run.lapseNow();
    view.zoom = run.camera.now().zoom;
    view.focus = run.camera.now().focus;
    view.cpu = run.cpu;
    view.marked = run.marked();
    view.watched = run.watched;
    takePicks(run, view);
    if (touched && touched->kind == scene::Target::Kind::region && run.opened.run == opened.run) {
        const sim::Region& lit = opened.run->trace().regions()[touched->region];
        view.picked = scene::PickedBytes{lit.base, lit.size};
    }
    view.compared = compares();
    view.stage = onStage();
    return view;
}

Look Session::ownLook() const {
    Look own = look();
    if (talk.on) own.lecture = talk.lecture;
    if (!presentation) return own;
    own.sceneLook() = presentation->before->look;
    if (own.ground == presentation->ground) own.ground = presentation->before->ground;
    return own;
}

const Session& newSession() {
    static const Session kNew;
    return kNew;
}

}  // namespace whorl::app
