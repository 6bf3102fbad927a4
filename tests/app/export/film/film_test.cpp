// The film of a tour: its frames are those that a window shows at the same seconds of its scenes.
#include "app/export/film/film.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <sstream>

#include "app/export/film/film_plan.h"
#include "app/session/transitions.h"
#include "app/tasks/opening.h"
#include "app/tours/presenting.h"
#include "app/tours/tour_json.h"

namespace whorl::app {
namespace {

constexpr int kWidth = 320;
constexpr int kHeight = 180;
constexpr int kFps = 10;

constexpr std::string_view kTour = R"({
    "title": "Rows & <columns>", "source": "A test",
    "scenes": [
        {"id": "first", "title": "First", "words": "It --> plays.", "input": "matmul:n=8", "at": 100,
         "to": 140, "seconds": 2, "ramp": 0.5, "wait": 0.7},
        {"id": "asked", "title": "Asked", "words": "It was so.",
         "question": {"text": "What comes?", "choices": ["A hit", "A miss"], "answer": "A miss", "why": "It is new."},
         "to": 150, "camera": {"zoom": 2, "focus": [0.2, 0.1]}},
        {"id": "both", "title": "Both", "words": "Beside each other.", "input": "matmul:n=8",
         "with": "matmul:n=8,variant=transposed", "at": 200, "to": 205, "seconds": 1, "wait": "loop"}
    ]
})";

Tour testTour() {
    auto tour = parseTour(kTour, "test.tour.json");
    EXPECT_TRUE(tour) << (tour ? "" : tour.error().sentence());
    return tour.value_or(Tour{});
}

Session filmSession() {
    Session session;
    session.panels = false;
    session.caption = true;
    return session;
}

sim::Expected<Opened> openBuilt(const OpenRequest& request, std::shared_ptr<const sim::Trace> known) {
    sim::Progress progress;
    auto opened = open(request, std::move(known), progress);
    if (opened) opened->run->build(progress);
    return opened;
}

TourPlayer testPlayer() {
    return {filmSession(), {.tour = testTour(), .file = {}, .scene = 0}, {}, openBuilt};
}

std::unique_ptr<OffscreenRenderer> testRenderer() {
    auto renderer = OffscreenRenderer::create(kWidth, kHeight, scene::Ground::dark, 1);
    EXPECT_TRUE(renderer) << (renderer ? "" : renderer.error().sentence());
    return renderer ? *std::move(renderer) : nullptr;
}

using Pixels = std::vector<std::byte>;

/// Counts frames and keeps some.
class KeepingSink final : public FrameSink {
  public:
    sim::Expected<void> add(std::span<const std::byte> rgba) override {
        frames.emplace_back(rgba.begin(), rgba.end());
        return {};
    }
    sim::Expected<void> finish() override { return {}; }
    std::vector<Pixels> frames;
};

FilmPlan testPlan(TourPlayer& player,
                  FilmWishes wishes = {.waits = {}, .seconds = {}, .voice = 0, .titleWords = "t", .endWords = "e"}) {
    const auto timings = rehearse(player);
    EXPECT_TRUE(timings) << (timings ? "" : timings.error().sentence());
    player.startAgain();
    auto plan = planFilm(player.tour(), timings.value_or(std::vector<SceneTiming>{}), wishes);
    EXPECT_TRUE(plan) << (plan ? "" : plan.error().sentence());
    return plan.value_or(FilmPlan{});
}

FilmLook testLook(const Tour& tour) {
    return {.framesPerSecond = kFps,
            .backdrop = Backdrop::ground,
            .titleCard = titleCardOf(tour, "x"),
            .endCard = endCardOf(tour, "x")};
}

/// A session that is led to a moment as the main loop of a window does it, in frames of 1/60 s, with a person who
/// answers and goes on.
class WindowSession {
  public:
    WindowSession() : session_(filmSession()) {
        beginTour(session_, testTour(), {}, 0, {});
        goToScene(session_, 0);
        openAll();
    }
    /// Lets this many of the scene's own seconds pass.
    void passTo(double seconds) {
        while (session_.presentation->seconds < seconds - 1e-9) {
            passTime(session_, std::min(1.0 / 60, seconds - session_.presentation->seconds));
        }
    }
    void next() {
        nextStep(session_);
        openAll();
    }
    /// A loop ends at the end of its round.
    void passUntilNext() {
        const std::size_t scene = session_.presentation->scene;
        for (int i = 0; i < 6000 && session_.presentation->scene == scene; ++i) passTime(session_, 1.0 / 60);
        openAll();
    }
    const Session& session() const { return session_; }

  private:
    void openAll() {
        if (const auto request = session_.requests.take<request::Open>()) {
            const bool isSame = session_.opened.run && session_.opened.request.input == request->input;
            enterRun(session_, *openBuilt(*request, isSame ? session_.opened.run->sharedTrace() : nullptr));
        }
        while (const auto request = takeComparedRequest(session_)) {
            const Opened opened = *openBuilt(*request, nullptr);
            enterCompared(session_,
                          {.opened = opened, .lines = linesOfBoth(session_.opened.run->trace(), opened.run->trace())});
        }
    }

    Session session_;
};

TEST(Film, ShowsWhatAWindowShows) {
    TourPlayer player = testPlayer();
    const FilmPlan plan = testPlan(player);
    const auto renderer = testRenderer();
    ASSERT_EQ(plan.shots.size(), 3u);
    ASSERT_NE(renderer, nullptr);
    KeepingSink sink;
    sim::Progress progress;
    ASSERT_TRUE(drawFilm(plan, testLook(player.tour()), player, *renderer, sink, progress));
    ASSERT_EQ(sink.frames.size(), plan.frames(kFps));
    EXPECT_EQ(static_cast<double>(sink.frames.size()), std::ceil(plan.total() * kFps - 1e-6));

    WindowSession window;
    const auto compare = [&](std::size_t index, std::size_t frame) {
        const FilmShot& shot = plan.shots[index];
        const double since = static_cast<double>(frame) / kFps - shot.begin;
        ASSERT_GE(since, -1e-9);
        ASSERT_LT(since, shot.length());
        ASSERT_EQ(window.session().presentation->scene, index);
        window.passTo(shot.sceneSeconds(since));
        const Session& session = window.session();
        EXPECT_EQ(sink.frames[frame], renderer->draw(session, session.player.moveTicks())) << "frame " << frame;
    };
    const auto firstOf = [&](std::size_t index) {
        return static_cast<std::size_t>(std::ceil(plan.shots[index].begin * kFps - 1e-6));
    };
    for (const std::size_t i : {0, 3, 12, 19, 22}) compare(0, firstOf(0) + i);
    window.passTo(plan.shots[0].length());
    window.next();
    for (const std::size_t i : {0, 5, 20}) compare(1, firstOf(1) + i);
    window.next();  // answers
    const auto answered =
        static_cast<std::size_t>(std::ceil((plan.shots[1].begin + plan.shots[1].answeredAt()) * kFps));
    for (const std::size_t i : {0, 4, 9, 30}) compare(1, answered + i);
    window.passTo(plan.shots[1].sceneSeconds(plan.shots[1].length()));
    window.next();
    for (const std::size_t i : {0, 5, 12, 23}) compare(2, firstOf(2) + i);
    // The cards are neither of them.
    EXPECT_NE(sink.frames.front(), sink.frames[firstOf(0)]);
    EXPECT_NE(sink.frames.back(), sink.frames.front());
}

TEST(Film, IsTheSameTwiceAndInClips) {
    TourPlayer player = testPlayer();
    const FilmPlan plan = testPlan(player, {});
    const auto renderer = testRenderer();
    const FilmLook look = testLook(player.tour());
    std::vector<std::vector<Pixels>> films;
    for (int i = 0; i < 2; ++i) {
        player.startAgain();
        KeepingSink sink;
        sim::Progress progress;
        ASSERT_TRUE(drawFilm(plan, look, player, *renderer, sink, progress));
        films.push_back(std::move(sink.frames));
    }
    EXPECT_EQ(films[0], films[1]);
    player.startAgain();
    for (const FilmShot& shot : plan.shots) {
        KeepingSink sink;
        sim::Progress progress;
        ASSERT_TRUE(drawShot(shot, look, player, *renderer, sink, progress));
        EXPECT_EQ(sink.frames.size(), static_cast<std::size_t>(std::ceil(shot.length() * kFps - 1e-6)));
        const double begin = shot.begin * kFps;
        // Where it begins with a frame, it has the film's.
        if (std::abs(begin - std::round(begin)) < 1e-6) {
            EXPECT_EQ(sink.frames[3], films[0][static_cast<std::size_t>(std::lround(begin)) + 3]) << shot.id;
        }
    }
}

TEST(Film, HasNothingBehindItIfItIsTransparent) {
    TourPlayer player = testPlayer();
    ASSERT_TRUE(player.enter(0));
    player.passUntil(1);
    const auto renderer = testRenderer();
    const Session& session = player.session();
    const Pixels on = renderer->draw(session, session.player.moveTicks(), Backdrop::ground);
    const Pixels off = renderer->draw(session, session.player.moveTicks(), Backdrop::none);
    ASSERT_EQ(on.size(), off.size());
    EXPECT_EQ(std::to_integer<int>(off[3]), 0) << "the corner";
    EXPECT_EQ(std::to_integer<int>(on[3]), 255);
    const auto ground = std::span(on).first(3);
    std::size_t covered = 0;
    std::size_t partly = 0;
    // Laid over the ground, it is the same picture again.
    for (std::size_t i = 0; i < on.size(); i += 4) {
        const int alpha = std::to_integer<int>(off[i + 3]);
        covered += alpha == 255;
        partly += alpha > 0 && alpha < 255;
        for (std::size_t k = 0; k < 3; ++k) {
            const double over =
                (std::to_integer<int>(off[i + k]) * alpha + std::to_integer<int>(ground[k]) * (255 - alpha)) / 255.0;
            ASSERT_NEAR(over, std::to_integer<int>(on[i + k]), 12) << "pixel " << i / 4 << " channel " << k;
        }
    }
    EXPECT_GT(covered, 100u);
    EXPECT_GT(partly, 1000u);
}

// --- captions, read by a reader that only knows the format ---

struct Cue {
    std::string name;
    double from = 0;
    double until = 0;
    std::vector<std::string> lines;
};

double secondsOf(const std::string& stamp) {
    int h = 0;
    int m = 0;
    int s = 0;
    int ms = 0;
    EXPECT_EQ(std::sscanf(stamp.c_str(), "%2d:%2d:%2d.%3d", &h, &m, &s, &ms), 4) << stamp;
    return h * 3600 + m * 60 + s + ms / 1000.0;
}

std::vector<Cue> cuesOf(const std::string& text) {
    std::istringstream in(text);
    std::vector<std::vector<std::string>> blocks(1);
    for (std::string line; std::getline(in, line);) {
        if (!line.empty()) {
            blocks.back().push_back(line);
        } else if (!blocks.back().empty()) {
            blocks.emplace_back();
        }
    }
    EXPECT_EQ(blocks.front(), std::vector<std::string>{"WEBVTT"});
    std::vector<Cue> cues;
    for (const auto& block : blocks) {
        if (block.size() < 2) continue;
        const std::size_t arrow = block[1].find(" --> ");
        if (arrow == std::string::npos) {
            ADD_FAILURE() << block[1];
            continue;
        }
        Cue& cue = cues.emplace_back();
        cue.name = block[0];
        cue.from = secondsOf(block[1].substr(0, arrow));
        cue.until = secondsOf(block[1].substr(arrow + 5));
        cue.lines.assign(block.begin() + 2, block.end());
    }
    return cues;
}

TEST(Captions, AreThoseOfTheScenesAtTheirTimes) {
    TourPlayer player = testPlayer();
    const FilmPlan plan = testPlan(player);
    const std::vector<Cue> cues = cuesOf(captionsOf(plan.shots));
    ASSERT_EQ(cues.size(), 4u);
    EXPECT_EQ(cues[0].name, "first");
    EXPECT_EQ(cues[0].lines, (std::vector<std::string>{"First", "It --&gt; plays."}));
    EXPECT_EQ(cues[1].lines, (std::vector<std::string>{"What comes?", "1)\u00a0A\u00a0hit    2)\u00a0A\u00a0miss"}));
    EXPECT_EQ(cues[2].name, "asked-answer");
    EXPECT_EQ(cues[2].lines, (std::vector<std::string>{"What comes? Answer: A miss", "It is new. It was so."}));
    EXPECT_NEAR(cues[0].from, plan.titleCard, 0.0006);
    EXPECT_NEAR(cues[0].until, plan.shots[0].end(), 0.0006);
    // After the pause it plays 2 s, and waits 0.7 s.
    EXPECT_NEAR(cues[0].until - cues[0].from, SceneTime::kPause + 2.7, 0.0011);
    EXPECT_NEAR(cues[1].until, plan.shots[1].begin + plan.shots[1].answeredAt(), 0.0006);
    EXPECT_NEAR(cues[2].until, plan.shots[1].end(), 0.0006);
    EXPECT_NEAR(cues[3].until, plan.total() - plan.endCard, 0.0006);
    for (std::size_t i = 1; i < cues.size(); ++i) EXPECT_EQ(cues[i].from, cues[i - 1].until);
}

TEST(Chapters, FillTheFilm) {
    TourPlayer player = testPlayer();
    const FilmPlan plan = testPlan(player);
    const auto chapters = chaptersOf(plan);
    ASSERT_EQ(chapters.size(), 3u);
    EXPECT_EQ(chapters.front().begin, 0);
    EXPECT_EQ(chapters.back().end, plan.total());
    for (std::size_t i = 1; i < chapters.size(); ++i) EXPECT_EQ(chapters[i].begin, chapters[i - 1].end);
    EXPECT_NE(
        metadataOf({{.begin = 0, .end = 1.5, .title = "a=b;#\\"}}).find("START=0\nEND=1500\ntitle=a\\=b\\;\\#\\\\\n"),
        std::string::npos);
}

}  // namespace
}  // namespace whorl::app
