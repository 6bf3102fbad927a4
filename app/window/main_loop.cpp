#include "app/window/main_loop.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/session/bindings.h"
#include "app/tasks/new_file.h"
#include "render/scene/palette.h"

namespace whorl::app {

namespace {

/// Limits the writes while a slider is dragged, which changes the settings in every frame.
constexpr std::chrono::seconds kSavePeriod{2};

}  // namespace

MainLoop::MainLoop(const WindowOptions& options, Window& window, ViewRenderer& renderer, TaskRunner& runner)
    : window_(window),
      renderer_(renderer),
      runner_(runner),
      state_(options.stateFile),
      queries_(runner),
      runs_(runner),
      advancedAt_(Clock::now()) {
    if (auto loaded = state_.load(session_); !loaded) {
        showError(session_,
                  loaded.error().sentence() + ". It is left as it is, and moved aside when you change something.");
    }
    startSession(session_, options.start);
    state_.begin(session_);
    if (options.watch) {
        watched_.emplace(runner_, *options.watch, options.first);
        watchedFile_ = options.watch->file;
    }
    updateScale();
}

void MainLoop::frame() {
    updateScale();
    readInput();
    applyCommands();
    updateWatched();
    updateOpening();
    updateBeside();
    advanceTime();
    composeViews();
    updateQueries();
    drawPanels();
    paint();
    if (Clock::now() - savedAt_ >= kSavePeriod) saveState();
    waitWhenStill();
}

sim::Expected<void> MainLoop::finish() {
    saveState();
    if (session_.fatal) return tl::unexpected(*session_.fatal);
    return {};
}

/// Between frames of ImGui, because its fonts are made anew.
void MainLoop::updateScale() {
    const float scale = session_.scaleIn({window_.width(), window_.height()}, window_.scale());
    if (scale == scale_) return;
    scale_ = scale;
    fonts_ = loadFonts(scale_);
    styled_.reset();
}

void MainLoop::readInput() {
    for (const KeyPress& press : window_.beginFrame()) {
        const std::string keys = chord(press);
        if (keys == "Escape" && closeList()) continue;
        const Binding* binding = bindingForKey(keys);
        if (binding == nullptr) continue;
        // A key that is held down repeats; what it does while it is held has begun.
        const bool isHeld = session_.exchanged && binding->command == Command(command::Exchange{true});
        if (!isHeld) commands_.push_back(binding->command);
    }
    if (session_.exchanged && !window_.isDown(Key::backspace)) commands_.push_back(command::Exchange{false});
}

/// The session changes only from here up to composeViews(), except for an error in saveState().
void MainLoop::applyCommands() {
    applied_ += commands_.size();
    applyAll(session_, std::exchange(commands_, {}));
    // Once: a field that is not shown never gets the focus, and must not keep all input from the program.
    const bool isNew = std::exchange(expected_, session_.focus) != session_.focus;
    if (isNew && session_.focus != Field::none) window_.expectTextField();
    if (styled_ != session_.ground) {
        applyStyle(session_.ground, scale_);
        styled_ = session_.ground;
    }
}

/// A new recording of a watched program takes the place of the last.
void MainLoop::updateWatched() {
    if (!watched_ || !session_.opened.run) return;
    if (auto made = watched_->update()) {
        if (*made) {
            reopen(session_, (*made)->trace);
        } else if (!made->error().cancelled) {
            showError(session_, made->error().sentence());
        }
    }
    if (watched_->working() != isTitled_) {
        isTitled_ = watched_->working();
        titleWindow();
    }
}

void MainLoop::titleWindow() {
    const std::string name = !watchedFile_.empty() ? watchedFile_ : session_.opened.run->trace().name();
    window_.setTitle("Whorl: " + name + (isTitled_ ? " (compiling and recording …)" : ""));
}

void MainLoop::updateOpening() {
    if (takeCancelRequest(session_)) {
        if (opening_) opening_->cancel();
        if (besideOpening_) besideOpening_->cancel();
        queries_.cancel();
        runs_.cancel();
    }
    if (const auto request = takeOpenRequest(session_)) {
        // The same input on another machine or with another layout: its trace is already in memory.
        const Opened& open = session_.opened;
        const bool sameTrace = open.run && open.request.input == request->input;
        if (!sameTrace) {
            besideOpening_.reset();
            matching_.reset();
        }
        opening_.emplace(runner_, *request, sameTrace ? open.run->sharedTrace() : nullptr);
    }
    if (!opening_) return;
    if (auto result = opening_->update()) takeOver(std::move(*result));
    if (!opening_->working()) opening_.reset();
}

/// What is asked for beside the open run is opened one after the other, once the open run is there.
void MainLoop::updateBeside() {
    if (matching_ && matching_->done()) {
        enterBeside(session_, **matching_->take());
        matching_.reset();
    }
    if (!besideOpening_) {
        const auto request = takeBesideRequest(session_);
        if (!request) return;
        const Opened& open = session_.opened;
        besideOpening_.emplace(runner_, *request,
                               open.request.input == request->input ? open.run->sharedTrace() : nullptr);
    }
    if (auto result = besideOpening_->update()) {
        if (!*result) {
            showError(session_, result->error().sentence());
        } else {
            matching_.emplace(runner_, [opened = **result, first = session_.opened.run](sim::Progress&) {
                return sim::Expected<Beside>(
                    Beside{.opened = opened, .lines = linesOfBoth(first->trace(), opened.run->trace())});
            });
        }
    }
    if (!besideOpening_->working()) besideOpening_.reset();
}

void MainLoop::takeOver(sim::Expected<Opened> result) {
    if (!result) {
        failOpening(session_, result.error());
        return;
    }
    enterRun(session_, *std::move(result));
    edits_ = {.whatIf = std::exchange(edits_.whatIf, {})};
    titleWindow();
}

void MainLoop::advanceTime() {
    const auto now = Clock::now();
    // A pause of the whole program (a breakpoint, a laptop in sleep mode) does not advance the playback.
    const double seconds = std::min(0.25, std::chrono::duration<double>(now - advancedAt_).count());
    advancedAt_ = now;
    passTime(session_, seconds);
}

void MainLoop::composeViews() {
    canvas_ = canvasOf(session_, window_.width(), window_.height(), scale_);
    tiles_ = tilesOn(session_, canvas_, scale_);
    runs_.follow(session_);
    runs_.update(session_, tiles_, canvas_, scale_, session_.player.moveTicks());
    if (const auto error = runs_.takeError()) commands_.push_back(command::Message{error->sentence()});
}

void MainLoop::updateQueries() {
    if (runs_.open() != nullptr) queries_.update(session_, runs_.open()->composer().overview(), commands_);
}

void MainLoop::drawPanels() {
    const PanelContext context{.session = session_,
                               .opening = opening_ ? &*opening_ : nullptr,
                               .runs = runs_,
                               .results = queries_.results(),
                               .fonts = fonts_,
                               .scale = scale_,
                               .commands = commands_,
                               .edits = edits_,
                               .places = places_ ? &*places_ : nullptr};
    if (places_) places_->begin(applied_);
    drawInterface(context, window_.width(), window_.height());
    if (edits_.costs.saved) saveTable(*std::exchange(edits_.costs.saved, std::nullopt));
    if (places_) places_->finish();
}

void MainLoop::saveTable(const SavedTable& table) {
    const auto saved = writeNewFile(table.name, ".csv", table.text);
    commands_.push_back(command::Message{saved ? fmt::format("Saved as {}.", *saved) : saved.error().sentence()});
}

void MainLoop::paint() {
    window_.endFrame([this] {
        gl::clear(scene::paletteFor(session_.ground).ground, window_.width(), window_.height());
        renderer_.paint(tiles_, runs_, session_, scale_, window_.height());
    });
}

void MainLoop::saveState() {
    savedAt_ = Clock::now();
    if (auto saved = state_.save(session_); !saved) showError(session_, saved.error().sentence());
}

void MainLoop::waitWhenStill() {
    const bool isStill = !session_.viewSettings.moving() && !session_.player.moving() && !session_.camera.moving() &&
                         !opening_ && !besideOpening_ && !matching_ && !queries_.working() && !runs_.working() &&
                         commands_.empty() && !session_.resumeAt;
    if (isStill && window_.idle()) window_.waitForInput(std::chrono::milliseconds(250));
}

}  // namespace whorl::app
