#include "app/window/main_loop.h"

#include <chrono>
#include <memory>

#include "app/panels/interface.h"
#include "app/session/state_file.h"
#include "app/session/transitions.h"
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
            showError(session_,
                      loaded.error().sentence() + ". It is left as it is, and moved aside when you change something.");
        }
        startSession(session_, options.start);
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
        if (session_.fatal) return tl::unexpected(*session_.fatal);
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
        if (takeCancelRequest(session_)) {
            if (opening_) opening_->cancel();
            queries_.cancel();
            for (RunView* shown : {runView_.get(), baseline_.get()}) {
                if (shown != nullptr) shown->history().cancel();
            }
        }
        if (const auto request = takeOpenRequest(session_)) {
            // The same input on another machine, or laid out in another way: its trace is here already.
            const Opened& open = session_.opened;
            const bool sameTrace = open.run && open.request.input == request->input;
            opening_.reset();
            opening_ = std::make_unique<Opening>(*request, sameTrace ? open.run->sharedTrace() : nullptr);
        }
        if (!opening_) return;
        if (auto result = opening_->take()) takeOver(std::move(*result));
        if (!opening_->working()) opening_.reset();
    }

    void takeOver(sim::Expected<Opened> result) {
        if (!result) {
            failOpening(session_, result.error());
            return;
        }
        enterRun(session_, *std::move(result));
        queries_.forget();
        runView_ = std::make_unique<RunView>(session_.opened);
        edits_ = {.whatIf = std::exchange(edits_.whatIf, {})};
        window_.setTitle("Whorl: " + session_.opened.run->trace().name());
    }

    void ask() {
        if (runView_) queries_.update(session_, runView_->composer().overview(), commands_);
    }

    void advance() {
        const auto now = Clock::now();
        // A pause of the whole program (a breakpoint, a laptop's sleep) is not time that has passed in the trace.
        const double seconds = std::min(0.25, std::chrono::duration<double>(now - last_).count());
        last_ = now;
        passTime(session_, seconds);
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
        if (!session_.baseline) {
            baseline_.reset();
            if (runView_->historyViews() != nullptr) runView_->historyViews()->compareWith(nullptr);
            return;
        }
        if (!baseline_ || baseline_->run() != session_.baseline->run)
            baseline_ = std::make_unique<RunView>(*session_.baseline);
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
        if (auto saved = state_.save(session_); !saved) showError(session_, saved.error().sentence());
    }

    bool remembering() const {
        return (runView_ && runView_->history().working()) || (baseline_ && baseline_->history().working());
    }

    /// Nothing moves and nobody does anything: waits for somebody to.
    void rest() {
        const bool still = !session_.player.moving() && !session_.camera.moving() && !opening_ && !queries_.working() &&
                           !remembering() && commands_.empty() && !session_.resumeAt;
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
