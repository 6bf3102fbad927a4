#include "app/window/main_loop.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <utility>

#include "app/commands/bindings.h"
#include "app/commands/moment.h"
#include "app/panels/panels.h"
#include "app/session/command.h"
#include "app/system/background_programs.h"
#include "app/tasks/files.h"
#include "app/tours/presenting.h"
#include "app/tours/tour_catalogue.h"
#include "app/tours/tour_editing.h"
#include "render/gl/frame.h"
#include "render/scene/palette.h"

namespace whorl::app {

namespace {

/// Limits the writes while a slider is dragged, which changes the settings in every frame.
constexpr std::chrono::seconds kSavePeriod{2};
/// A window in which nothing happens is drawn so often: input, another program and a changed file end the wait.
constexpr std::chrono::milliseconds kWhileResting{10'000};
constexpr std::chrono::milliseconds kWhileStill{250};
constexpr std::chrono::milliseconds kWithSpeaker{20};  // a key in that window must not wait for this one
/// Work that has taken this long shows its progress a few times a second.
constexpr std::chrono::milliseconds kLongWork{500};
constexpr std::chrono::milliseconds kProgressEvery{150};

/// For measurements: the milliseconds of each frame, without the wait after it, as lines of the file that
/// WHORL_FRAME_LOG names.
class FrameLog {
  public:
    ~FrameLog() {
        static const char* const path = std::getenv("WHORL_FRAME_LOG");
        if (path == nullptr) return;
        const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - begun_;
        std::ofstream(path, std::ios::app) << fmt::format("{:.2f}\n", taken.count());
    }

  private:
    std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
};

/// "Saved as matmul.png in /srv/lectures."
std::string wordsOfDone(const char* done, const std::filesystem::path& file) {
    std::error_code unknown;
    const std::string folder = std::filesystem::absolute(file, unknown).parent_path().string();
    return fmt::format("{} as {} in {}.", done, file.filename().string(), folder);
}

}  // namespace

MainLoop::MainLoop(const WindowOptions& options, Window& window, ViewRenderer& renderer, TaskRunner& runner,
                   std::unique_ptr<LineServer> control)
    : window_(window),
      renderer_(renderer),
      runner_(runner),
      state_(options.stateFile),
      memory_(options.stateFile),
      writePicture_(options.savePicture),
      writePictureAs_(options.savePictureAs),
      whorl_(options.program),
      temporary_(options.temporary),
      requested_(runner),
      queries_(runner),
      telling_(runner),
      runs_(runner),
      offers_(runner),
      change_(runner),
      lastPlace_(window.place()),
      advancedAt_(Clock::now()) {
    if (auto loaded = state_.load(session_); !loaded) {
        showError(session_,
                  loaded.error().sentence() + ". It is left as it is, and moved aside when you change something.");
    }
    if (auto loaded = memory_.load(session_); !loaded && session_.error.empty()) {
        showError(session_, loaded.error().sentence() + ". Until then, nothing is remembered.");
    }
    startSession(session_, options.start);
    state_.begin(session_);
    if (options.watch) {
        watched_.emplace(runner_, *options.watch, options.first);
        watchedFile_ = options.watch->file;
    }
    if (control) control_.emplace(std::move(control));
    updateScale();
}

void MainLoop::frame() {
    drawFrame();
    waitWhenStill();
}

void MainLoop::drawFrame() {
    const FrameLog log;
    runner_.beginRound();
    updateScale();
    readInput();
    handleControl();
    applyCommands();
    updateWatched();
    updateTour();
    updateRuns();
    updateFile();
    updateMaking();
    flushRequests();
    updateStage();
    telling_.update(session_);
    advanceTime();
    composeViews();
    updateQueries();
    drawPanels();
    paint();
    drawSpeakerWindow();
    if (Clock::now() - savedAt_ >= kSavePeriod) {
        noteWindow();
        saveState();
    }
}

MainLoop::~MainLoop() {
    if (!speaker_) return;
    // The remaining members belong to the main window's OpenGL context.
    speaker_.reset();
    window_.activate();
}

/// Must not use the display: also runs after the display is lost.
sim::Expected<void> MainLoop::finish() {
    saveState();
    closeTour(session_);
    if (const std::string kept = keepTours(); !kept.empty())
        std::fputs(fmt::format("whorl: {}\n", kept).c_str(), stderr);
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
    take(window_.beginFrame(session_.talk.on));
    if (session_.exchanged && !window_.isDown(Key::backspace)) commands_.push_back(command::Exchange{false});
}

void MainLoop::take(const std::vector<KeyPress>& presses) {
    for (const KeyPress& press : presses) {
        const std::string keys = chord(press);
        if (keys == "Escape" && closeList()) continue;
        const Binding* binding = bindingForKey(keys, session_);
        if (binding == nullptr) continue;
        // A key that is held down repeats; what it does while it is held has begun.
        const bool isHeld = session_.exchanged && binding->command == Command(command::Exchange{true});
        if (!isHeld) commands_.push_back(binding->command);
    }
}

/// The session changes only from here up to composeViews(), except for an error in saveState().
void MainLoop::handleControl() {
    // Frames that ImGui needs to lay out changes.
    constexpr int kSettled = 3;
    if (!control_) return;
    const std::size_t obeyed = control_->update(session_, settledFrames_ >= kSettled);
    applied_ += obeyed;
    if (obeyed > 0) settledFrames_ = 0;
}

void MainLoop::applyCommands() {
    applied_ += commands_.size();
    applyAll(session_, std::exchange(commands_, {}));
    // Once: a field that is not shown never gets the focus, and must not keep all input from the program.
    const bool isNew = std::exchange(expected_, session_.focus) != session_.focus;
    const bool isText =
        session_.focus != Field::none && session_.focus != Field::menus && session_.focus != Field::contextMenu;
    if (isNew && isText) window_.expectTextField();
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

void MainLoop::updateRuns() {
    if (session_.requests.take<request::Cancel>()) {
        requested_.cancel();
        if (making_) making_->cancel();
        queries_.cancel();
        runs_.cancel();
    }
    if (const auto begun = requested_.begin(session_); begun && !begun->sameTrace) {
        const std::string& input = begun->request.input;
        change_.watch(!watched_ && !isProgram(input) && input != "-" ? input : "");
    }
    if (auto opened = requested_.takeOpened()) takeOver(*std::move(opened));
    requested_.update(session_);
}

/// A file is watched from when it begins to be read.
/// True once for each change.
bool MainLoop::updateFile() {
    if (!change_.update(Clock::now()) || !session_.opened.run) return false;
    noteChange(session_, session_.opened.request.input);
    return true;
}

/// What commands ask of the desktop.
void MainLoop::flushRequests() {
    if (const auto copy = session_.requests.take<request::Copy>()) window_.copyToClipboard(copy->text);
    if (const auto edit = session_.requests.take<request::OpenLine>()) {
        const auto begun = editors_.open(edit->editor, edit->file, edit->line);
        if (!begun) showError(session_, begun.error().sentence());
    }
    if (const auto failed = editors_.takeError()) showError(session_, failed->sentence());
    savingNew_ = session_.requests.take<request::SavePicture>() && writePicture_ != nullptr;
    saving_ = savingNew_ || (control_ && control_->wantedPicture() != nullptr);
    offers_.update(session_);
}

/// Notes the window's place once it has been changed, but not while the window fills the screen.
void MainLoop::noteWindow() {
    const Window::Place now = window_.place();
    const Window::Place before = std::exchange(lastPlace_, now);
    // A window manager may first move a new window to where it has room.
    const bool isSettling =
        !std::exchange(isSettled_, true) && now.width == before.width && now.height == before.height;
    if (now == before || isSettling || now.isWhole) return;
    if (now.width < WindowPlace::kMin || now.height < WindowPlace::kMin) return;
    notePlace(session_, {.width = now.width, .height = now.height, .x = now.x, .y = now.y});
}

/// Tours are written in the background.
void MainLoop::updateTour() {
    if (const auto save = session_.requests.take<request::SaveTour>(); save && session_.presentation) {
        const Presentation& p = *session_.presentation;
        writingTour_.emplace(runner_, [tour = p.tour, file = save->file, own = p.file](sim::Progress&) {
            return writeTour(*tour, file, own).map([&] { return WrittenTour{tour, file}; });
        });
    }
    if (std::string kept = keepTours(); !kept.empty()) session_.message = std::move(kept);
    if (writingTour_ && writingTour_->done()) {
        if (auto written = *std::exchange(writingTour_, std::nullopt)->take()) {
            tourIsSaved(session_, written->tour, written->file);
        } else {
            showError(session_, written.error().sentence());
        }
    }
}

/// Tours that were left with changes that are not saved become files of their own. Gives a sentence on that, if any
/// were.
std::string MainLoop::keepTours() {
    std::string words;
    while (const auto left = session_.requests.take<request::KeepTour>()) {
        const auto kept = writeNewFile("unsaved", ".tour.json", tourText(*left->tour));
        words = kept ? fmt::format("The tour had changes that were not saved: they are in {}.", *kept)
                     : kept.error().sentence();
    }
    return words;
}

/// The windows follow the session.
void MainLoop::updateStage() {
    if (isFullScreen_ != session_.talk.on) {
        isFullScreen_ = session_.talk.on;
        window_.setFullScreen(isFullScreen_);
    }
    if (speaker_ && speaker_->wantsToClose()) commands_.push_back(command::Speaker{false});
    if ((speaker_ != nullptr) == session_.talk.speaker) return;
    if (session_.talk.speaker) {
        auto opened = SpeakerWindow::open(window_.scale());
        if (opened) {
            speaker_ = *std::move(opened);
            window_.activate();
            speakerPictures_.emplace(runner_);
        } else {
            session_.talk.speaker = false;
            showError(session_, opened.error().sentence());
        }
    } else {
        speakerPictures_.reset();
        speaker_.reset();
    }
    window_.activate();
}

PaintedWindow MainLoop::paintedWindow() const {
    return {.width = window_.width(), .height = window_.height(), .scale = scale_, .fonts = fonts_};
}

void MainLoop::drawSpeakerWindow() {
    if (!speaker_) return;
    const SpeakerSight sight = speakerPictures_->sight(paintedWindow());
    const auto presses = speaker_->frame(session_.ground, [&](const Fonts& fonts) {
        drawSpeaker({.session = session_,
                     .context = session_.context(),
                     .opening = nullptr,
                     .runs = runs_,
                     .results = queries_.results(),
                     .fonts = fonts,
                     .scale = window_.scale(),
                     .commands = commands_,
                     .edits = edits_},
                    sight);
    });
    window_.activate();
    take(presses);
}

void MainLoop::takeOver(sim::Expected<Opened> result) {
    if (!result) {
        failOpening(session_, result.error());
        return;
    }
    saveState();  // the bookmarks of the last input
    enterRun(session_, *std::move(result));
    const bool isTemporary = watched_.has_value() || session_.opened.request.input == temporary_;
    memory_.enter(session_, !isTemporary);
    const bool sameTour = session_.presentation && edits_.tour.shown.lock() == session_.presentation->tour;
    edits_ = {.whatIf = std::exchange(edits_.whatIf, {}),
              .tour = sameTour ? std::exchange(edits_.tour, {}) : TourEdits{}};
    titleWindow();
}

/// One thing at a time.
void MainLoop::updateMaking() {
    if (const auto wanted = session_.requests.take<request::MakeOfTour>()) {
        if (making_) {
            commands_.push_back(command::Message{"Something is being made of a tour: wait for its end, or stop it."});
        } else {
            wish_ = wanted->wish;
            making_.emplace(runner_, [wish = wish_, program = whorl_](sim::Progress& progress) {
                return makeOfTour(*wish, program, progress);
            });
        }
    }
    if (!making_ || !making_->done()) return;
    const auto made = *making_->take();
    making_.reset();
    if (!made) {
        if (!made.error().cancelled) showError(session_, made.error().sentence());
    } else if (wish_->what == TourWish::What::check) {
        tourIsChecked(session_, wish_->of, *made);
    } else {
        commands_.push_back(
            command::Message{wordsOfDone(wish_->what == TourWish::What::film ? "Recorded" : "Written", *made)});
    }
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
    notePicture(session_, {canvas_.width, canvas_.height});
    runs_.follow(session_);
    runs_.update(session_, tiles_, canvas_, scale_, session_.player.moveTicks());
    if (speakerPictures_) speakerPictures_->update(session_);
    if (session_.showsTourForm()) {
        if (!thumbnails_) thumbnails_.emplace(runner_);
        thumbnails_->update(session_);
    }
    if (const auto error = runs_.takeError()) commands_.push_back(command::Message{error->sentence()});
}

void MainLoop::updateQueries() {
    if (runs_.open() != nullptr) queries_.update(session_, runs_.open()->composer().overview(), commands_);
}

void MainLoop::drawPanels() {
    // A picture that is saved has nothing over it.
    std::optional<Session> clean;
    if (saving_) closeCards(clean.emplace(session_));
    const Session& session = clean ? *clean : session_;
    const PanelContext context{
        .session = session,
        .context = session.context(),
        .opening = requested_.opening(),
        .runs = runs_,
        .results = queries_.results(),
        .fonts = fonts_,
        .scale = scale_,
        .commands = commands_,
        .edits = edits_,
        .places = places_ ? &*places_ : nullptr,
        .offers = &offers_,
        .isSaved = saving_,
        .making = making_ && !saving_ ? std::optional(making_->fraction()) : std::nullopt,
        .thumbnails = session_.showsTourForm() ? thumbnails_->textures() : std::vector<unsigned>{}};
    if (places_) places_->begin(applied_);
    drawInterface(context, window_.width(), window_.height());
    if (edits_.saved) saveTable(*std::exchange(edits_.saved, std::nullopt));
    if (places_) places_->finish();
}

void MainLoop::saveTable(const SavedTable& table) {
    const auto saved = writeNewFile(table.name, ".csv", table.text);
    commands_.push_back(command::Message{saved ? wordsOfDone("Saved", *saved) : saved.error().sentence()});
}

void MainLoop::paint() {
    const auto paintViews = [this] {
        if (speakerPictures_) speakerPictures_->paintNext(paintedWindow());
        if (session_.showsTourForm()) thumbnails_->paintNext(paintedWindow());
        gl::clear(scene::paletteFor(session_.ground).ground, window_.width(), window_.height());
        renderer_.paint(tiles_, runs_, session_, scale_, window_.height());
    };
    window_.endFrame(paintViews, [this] {
        if (speakerPictures_) speakerPictures_->takeNow(paintedWindow());
        if (std::exchange(saving_, false)) savePicture();
    });
}

void MainLoop::savePicture() {
    const int below = window_.height() - canvas_.y - canvas_.height;
    const std::vector<std::byte> pixels = gl::readWindow(canvas_.x, below, canvas_.width, canvas_.height);
    if (control_ && control_->wantedPicture() != nullptr) {
        control_->pictureIsSaved(writePictureAs_(*control_->wantedPicture(), canvas_.width, canvas_.height, pixels));
    }
    if (!savingNew_) return;
    const auto saved = writePicture_(pictureNameOf(session_), canvas_.width, canvas_.height, pixels);
    commands_.push_back(command::Message{saved ? wordsOfDone("Saved", *saved) : saved.error().sentence() + "."});
}

void MainLoop::saveState() {
    savedAt_ = Clock::now();
    savedAfter_ = applied_;
    if (auto saved = state_.save(session_); !saved) showError(session_, saved.error().sentence());
    if (auto saved = memory_.save(session_); !saved) showError(session_, saved.error().sentence());
}

/// Whether what is seen moves by itself, but by playing.
bool MainLoop::isMoving() const {
    return session_.viewSettings.moving() || session_.camera.moving() || !commands_.empty() || session_.resumeAt;
}

/// Whether something is computed that will change what is seen.
bool MainLoop::isWorking() const {
    return requested_.working() || writingTour_ || queries_.working() || telling_.working() || runs_.working() ||
           offers_.working() || (speakerPictures_ && speakerPictures_->working()) ||
           (session_.showsTourForm() && thumbnails_->working());
}

void MainLoop::waitWhenStill() {
    const bool changes = isMoving() || isWorking();
    const bool isStill = !changes && !session_.player.moving();
    // A film and a recording are waited for, although they need no frames.
    const bool isSettled =
        !changes && !making_ && !(watched_ && watched_->working()) && (isStill || session_.player.playing());
    settledFrames_ = isSettled ? settledFrames_ + 1 : 0;
    const auto now = Clock::now();
    if (isMoving() || session_.player.moving() || !isWorking()) waitsSince_ = now;
    // Long work needs the processor more than the picture that shows how far it is.
    const bool isLong = now - waitsSince_ > kLongWork;
    if (!(isStill || isLong) || !window_.idle()) return;
    // A film needs the processor more than the bar that shows how far it is.
    std::chrono::milliseconds limit = speaker_ ? kWithSpeaker : needsFrames() ? kWhileStill : kWhileResting;
    if (isLong) limit = std::min(limit, kProgressEvery);
    window_.waitForInput(limit, [this, isSettled] {
        return updateFile() || (control_ && (control_->hasNews() || (isSettled && control_->isAwaited())));
    });
}

/// Whether something is to be shown or done from time to time although nothing moves: the caret of a field, the buttons
/// that leave with the mouse, a message that goes when it has been read, the length of a recording, settings to be
/// saved, what tests look for.
bool MainLoop::needsFrames() const {
    const bool hidesButtons = session_.talk.on || !session_.panels;
    return hidesButtons || !session_.message.empty() || ImGui::GetIO().WantTextInput || watched_ || making_ ||
           places_ || savedAfter_ != applied_;
}

}  // namespace whorl::app
