#include "app/window/main_loop.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <memory>

#include "app/panels/interface.h"
#include "app/session/scene_view.h"
#include "app/session/state_file.h"
#include "app/session/warnings.h"
#include "app/tasks/background_queries.h"
#include "app/views/rings/frame_composer.h"
#include "app/views/run_view.h"
#include "app/views/view_renderer.h"
#include "app/window/window.h"
#include "render/scene/palette.h"

namespace whorl::app {

namespace {

using Clock = std::chrono::steady_clock;

class MainLoop {
  public:
    MainLoop(const WindowOptions& options, Window& window, ViewRenderer& viewRenderer)
        : window_(window),
          viewRenderer_(viewRenderer),
          scale_(window.scale()),
          fonts_(loadFonts(scale_)),
          state_(options.stateFile) {
        if (auto loaded = state_.load(session_); !loaded) {
            session_.notice =
                loaded.error().sentence() + ". It is left as it is, and moved aside when you change something.";
        }
        if (options.ground) session_.ground = *options.ground;
        session_.wanted = options.request;
        playAtOnce_ = !options.paused && !options.scene;
        if (options.scene) takeView(*options.scene, session_);
        scene_ = options.scene;
        state_.begin(session_);
    }

    /// The error is that of the first input, when it could not be opened: nothing was ever seen then.
    sim::Expected<int> run() {
        last_ = Clock::now();
        while (window_.isOpen() && !session_.quit) {
            takeKeys();
            applyAll(session_, std::exchange(commands_, {}));
            if (session_.focus != Field::none) window_.expectTextField();
            manageOpening();
            advance();
            ask();
            drawPanels(compose());
            window_.endFrame([this] { paint(); });
            keep(false);
            rest();
        }
        keep(true);
        if (failed_) return tl::unexpected(*failed_);
        return 0;
    }

  private:
    void takeKeys() {
        for (const KeyPress& press : window_.beginFrame()) {
            if (const Action* action = actionForKey(chord(press))) commands_.push_back({action->id});
        }
        if (styled_ != session_.ground) {
            applyStyle(session_.ground, scale_);
            styled_ = session_.ground;
        }
    }

    /// Starts what is wanted, takes over what is there, lets go of what is done.
    void manageOpening() {
        if (std::exchange(session_.cancelWanted, false)) {
            if (opening_) opening_->cancel();
            queries_.cancel();
            for (RunView* shown : {runView_.get(), baseline_.get()}) {
                if (shown != nullptr) shown->history().cancel();
            }
        }
        if (session_.wanted) {
            // The same input on another machine, or laid out in another way: its trace is here already.
            const Opened& open = session_.opened;
            const bool sameTrace = open.run && open.request.input == session_.wanted->input;
            opening_.reset();
            opening_ = std::make_unique<Opening>(*session_.wanted, sameTrace ? open.run->sharedTrace() : nullptr);
            session_.wanted.reset();
        }
        if (!opening_) return;
        if (auto result = opening_->take()) takeOver(std::move(*result));
        if (!opening_->working()) opening_.reset();
    }

    void takeOver(sim::Expected<Opened> result) {
        if (!result) {
            if (!session_.opened.run) {
                failed_ = result.error();
                session_.quit = true;
            } else if (!result.error().cancelled) {
                session_.notice = result.error().sentence();
            }
            return;
        }
        const bool sameMoments =
            session_.opened.run && session_.opened.run->trace().sharesAccesses(result->run->trace());
        keptPosition_ = sameMoments ? session_.player.position() : 0;
        keepBaseline(*result);
        if (result->request.changes != session_.opened.request.changes) session_.viewSettings.letGoOfAddresses();
        session_.opened = std::move(*result);
        session_.selected.reset();
        session_.search.reset();
        if (session_.cpu && *session_.cpu >= session_.opened.run->machine().cpus) session_.cpu.reset();
        session_.viewSettings.keepLevels(session_.opened.run->machine().levels.size());
        if (!sameMoments) leaveTrace();
        if (scene_) openScene(*std::exchange(scene_, std::nullopt));
        queries_.forget();
        runView_ = std::make_unique<RunView>(session_.opened);
        edits_ = {.whatIf = std::exchange(edits_.whatIf, {})};
        window_.setTitle("Whorl: " + session_.opened.run->trace().name());
        session_.player.seek(0, 0);
        if (std::exchange(playAtOnce_, false)) session_.player.play();
    }

    /// What is laid out in another way is compared with what it was, on the same machine.
    void keepBaseline(const Opened& next) {
        const Opened& last = session_.opened;
        std::optional<Opened>& first = session_.first;
        if (!first && last.run && last.request.changes.empty()) first = last;
        const bool fits = first && !next.request.changes.empty() && first->run->machine() == next.run->machine() &&
                          first->run->trace().sharesAccesses(next.run->trace());
        if (!fits) first.reset();
    }

    /// Goes to the moment of the scene as soon as the run has come there, and tells what to see.
    void openScene(const TourScene& scene) {
        keptPosition_ = scene.at;
        std::string words = fmt::format("{}. {}", scene.title, scene.words);
        if (!session_.remark.empty()) words += "\n" + session_.remark;
        session_.remark = std::move(words);
    }

    /// What was chosen in one trace has no meaning in another.
    void leaveTrace() {
        session_.range.reset();
        session_.region.reset();
        session_.pair.reset();
        session_.line.reset();
        session_.watched.clear();
        session_.over.colours.reset();
        session_.look.hues.clear();
        session_.look.gauge.region = 0;
        session_.remark = fmt::format("{}", fmt::join(warningsOf(session_.opened.run->trace()), "\n"));
    }

    void ask() {
        if (runView_) queries_.update(session_, runView_->composer().overview(), commands_);
    }

    void advance() {
        const auto now = Clock::now();
        // A pause of the whole program (a breakpoint, a laptop's sleep) is not time that has passed in the trace.
        const double seconds = std::min(0.25, std::chrono::duration<double>(now - last_).count());
        last_ = now;
        // On another machine the playhead waits until the new run has come to where it was.
        if (keptPosition_ > 0 && (session_.end() >= keptPosition_ || session_.complete())) {
            session_.player.seek(std::exchange(keptPosition_, 0), session_.end());
        }
        std::optional<Player::Loop> loop;
        if (const auto& range = session_.range) {
            loop = {static_cast<double>(range->from.value), static_cast<double>(range->to.value)};
        }
        session_.player.advance(seconds, session_.end(), session_.complete(), loop);
        if (session_.look.reducedMotion) session_.camera.put(session_.camera.target());
        session_.camera.advance(seconds);
    }

    const Picture* compose() {
        canvas_ = canvasOf(session_, window_.width(), window_.height(), scale_);
        picture_ = nullptr;
        if (!runView_) return nullptr;
        tiles_ = tilesOn(session_, canvas_, scale_);
        const gl::Rect rings = ringsOf(tiles_, canvas_);
        const scene::View view = session_.view({rings.width, rings.height}, scale_);
        picture_ = &runView_->composer().compose(session_.player.position(), view);
        runView_->update(session_);
        composeBaseline();
        return picture_;
    }

    /// The run that is compared with, at the same moment.
    void composeBaseline() {
        baselinePicture_ = nullptr;
        if (!session_.first) {
            baseline_.reset();
            if (runView_->historyViews() != nullptr) runView_->historyViews()->compareWith(nullptr);
            return;
        }
        if (!baseline_ || baseline_->run() != session_.first->run)
            baseline_ = std::make_unique<RunView>(*session_.first);
        baseline_->update(session_);
        HistoryViews* own = runView_->historyViews();
        HistoryViews* other = baseline_->historyViews();
        if (own != nullptr && other != nullptr) {
            own->compareWith(other->shared());
            other->compareWith(own->shared());
        }
        const gl::Rect rings = ringsOf(tiles_, canvas_, true);
        const scene::View view = session_.view({rings.width, rings.height}, scale_);
        baselinePicture_ = &baseline_->composer().compose(session_.player.position(), view);
    }

    void drawPanels(const Picture* picture) {
        const PanelContext context{session_,
                                   opening_.get(),
                                   picture,
                                   runView_ ? &runView_->composer().overview() : nullptr,
                                   queries_.results(),
                                   runView_ ? runView_->historyViews() : nullptr,
                                   runView_ ? runView_->history().fraction() : -1,
                                   baselinePicture_,
                                   baseline_ ? &baseline_->composer() : nullptr,
                                   baseline_ ? baseline_->historyViews() : nullptr,
                                   fonts_,
                                   scale_,
                                   commands_,
                                   edits_};
        drawInterface(context, runView_ ? &runView_->composer() : nullptr, window_.width(), window_.height());
    }

    void paint() {
        gl::clear(scene::paletteFor(session_.ground).ground, window_.width(), window_.height());
        if (picture_ == nullptr) return;
        const Pictures pictures{.rings = picture_,
                                .historyViews = runView_->historyViews(),
                                .baselineRings = baselinePicture_,
                                .baselineHistoryViews = baseline_ ? baseline_->historyViews() : nullptr};
        viewRenderer_.paint(tiles_, pictures, session_, scale_, window_.height());
    }

    /// Writes what has been chosen, now and then and at the end: a slider that is dragged changes it in every frame.
    void keep(bool atOnce) {
        constexpr std::chrono::seconds kEvery{2};
        const auto now = Clock::now();
        if (!atOnce && now - saved_ < kEvery) return;
        saved_ = now;
        if (auto saved = state_.save(session_); !saved) session_.notice = saved.error().sentence();
    }

    bool remembering() const {
        return (runView_ && runView_->history().working()) || (baseline_ && baseline_->history().working());
    }

    /// Nothing moves and nobody does anything: waits for somebody to.
    void rest() {
        const bool still = !session_.player.moving() && !session_.camera.moving() && !opening_ && !queries_.working() &&
                           !remembering() && commands_.empty() && keptPosition_ == 0;
        if (still && window_.idle()) window_.waitForInput(std::chrono::milliseconds(250));
    }

    Window& window_;
    ViewRenderer& viewRenderer_;
    float scale_;
    Fonts fonts_;
    StateFile state_;
    std::optional<scene::Ground> styled_;

    Session session_;
    Commands commands_;
    Edits edits_;
    std::unique_ptr<RunView> runView_;
    std::unique_ptr<Opening> opening_;
    BackgroundQueries queries_;
    const Picture* picture_ = nullptr;
    gl::Rect canvas_;
    std::vector<Tile> tiles_;
    std::unique_ptr<RunView> baseline_;  ///< the run that is compared with
    const Picture* baselinePicture_ = nullptr;
    Clock::time_point last_;
    Clock::time_point saved_;
    double keptPosition_ = 0;
    bool playAtOnce_ = true;
    std::optional<TourScene> scene_;  ///< until it is open
    std::optional<sim::Error> failed_;
};

}  // namespace

sim::Expected<int> runWindow(const WindowOptions& options) {
    auto window = Window::open({.title = "Whorl", .width = 1280, .height = 800});
    if (!window) return tl::unexpected(window.error());
    auto viewRenderer = ViewRenderer::create();
    if (!viewRenderer) return tl::unexpected(viewRenderer.error());
    return MainLoop(options, **window, **viewRenderer).run();
}

}  // namespace whorl::app
