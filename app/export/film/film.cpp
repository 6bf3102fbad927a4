#include "app/export/film/film.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/session/opened.h"
#include "app/session/presentation.h"

namespace whorl::app {

namespace {

sim::Expected<void> addFrame(TourPlayer& player, const FilmLook& look, OffscreenRenderer& renderer, FrameSink& sink) {
    const Session& session = player.session();
    return sink.add(renderer.draw(session, session.player.moveTicks(), look.backdrop));
}

std::size_t framesIn(double seconds, int framesPerSecond) {
    return std::max<std::size_t>(1, static_cast<std::size_t>(std::ceil(seconds * framesPerSecond - 1e-6)));
}

/// "matmul:n=16 on paper".
std::string runInWords(const OpenRequest& run) {
    return nameOfInput(run.input) + (run.machine.empty() ? "" : " on " + run.machine);
}

}  // namespace

sim::Expected<std::vector<SceneTiming>> rehearse(TourPlayer& player) {
    std::vector<SceneTiming> timings;
    for (std::size_t i = 0; i < player.tour().scenes.size(); ++i) {
        WHORL_TRY(player.enter(i));
        const SceneTime& time = player.time();
        SceneTiming& t = timings.emplace_back();
        t.arrival = time.arrival();
        t.played = time.played();
        t.round = time.round();
        t.title = player.session().sceneText->title;
        t.words = player.session().sceneText->words;
        player.passUntil(t.arrival);
        if (player.asks()) {
            player.answerQuestion();
            t.answerTitle = player.session().sceneText->title;
            t.answerWords = player.session().sceneText->words;
        }
        player.passUntil(t.played);
    }
    return timings;
}

TitleCard titleCardOf(const Tour& tour, const std::string& name) {
    TitleCard card{.title = tour.title.empty() ? name : tour.title, .lines = {}};
    for (const std::string& line : {tour.author, tour.source}) {
        if (!line.empty()) card.lines.push_back(line);
    }
    return card;
}

TitleCard endCardOf(const Tour& tour, const std::string& name) {
    TitleCard card{.title = tour.title.empty() ? name : tour.title, .lines = {}};
    std::vector<std::string> shown;
    const auto add = [&](const std::string& words) {
        if (std::find(shown.begin(), shown.end(), words) == shown.end()) shown.push_back(words);
    };
    for (std::size_t i = 0; i < tour.scenes.size(); ++i) {
        const SceneRuns runs = runsOf(resolvedScene(tour, i), {});
        add(runInWords(runs.first));
        if (runs.second) add(runInWords(*runs.second));
    }
    constexpr std::size_t kMax = 6;
    if (shown.size() > kMax) {
        const std::size_t more = shown.size() - kMax + 1;
        shown.resize(kMax - 1);
        shown.push_back(fmt::format("and {} others", more));
    }
    card.lines = std::move(shown);
    if (!tour.next.empty()) card.lines.insert(card.lines.begin(), fmt::format("{}: {}", kTryNext, tour.next));
    if (!tour.source.empty()) card.lines.push_back(tour.source);
    card.lines.emplace_back("Drawn by Whorl");
    return card;
}

void showShot(const FilmShot& shot, double since, TourPlayer& player) {
    // A clip has the same moments as the film, in which the shot begins later.
    since = std::round(since / FilmShot::kSlack) * FilmShot::kSlack;
    if (shot.isAnswered(since)) {
        player.passUntil(shot.timing.arrival);
        player.answerQuestion();
    }
    player.passUntil(shot.sceneSeconds(since));
}

sim::Expected<void> drawShot(const FilmShot& shot, const FilmLook& look, TourPlayer& player,
                             OffscreenRenderer& renderer, FrameSink& sink, sim::Progress& progress) {
    if (auto entered = player.enter(shot.scene); !entered) return entered;
    const std::size_t frames = framesIn(shot.length(), look.framesPerSecond);
    for (std::size_t i = 0; i < frames; ++i) {
        if (progress.cancelled()) return tl::unexpected(sim::Error::byUser());
        showShot(shot, static_cast<double>(i) / look.framesPerSecond, player);
        if (auto added = addFrame(player, look, renderer, sink); !added) return added;
        progress.advance(1);
    }
    showShot(shot, shot.length(), player);
    return {};
}

sim::Expected<void> drawFilm(const FilmPlan& plan, const FilmLook& look, TourPlayer& player,
                             OffscreenRenderer& renderer, FrameSink& sink, sim::Progress& progress) {
    const std::size_t frames = plan.frames(look.framesPerSecond);
    progress.setTotal(frames);
    const scene::Ground ground = player.session().ground;
    std::size_t next = 0;  // shot
    for (std::size_t i = 0; i < frames; ++i) {
        if (progress.cancelled()) return tl::unexpected(sim::Error::byUser());
        const double at = static_cast<double>(i) / look.framesPerSecond + FilmShot::kSlack;
        const bool isEnd = at >= plan.shots.back().end() && plan.endCard > 0;
        if (at < plan.titleCard || isEnd) {
            const TitleCard& card = isEnd ? look.endCard : look.titleCard;
            if (auto added = sink.add(renderer.draw(card, ground, look.backdrop)); !added) return added;
            progress.setDone(i + 1);
            continue;
        }
        while (next < plan.shots.size() && at >= plan.shots[next].begin) {
            // The scene before is left as it ends, not as its last frame shows it.
            if (next > 0) showShot(plan.shots[next - 1], plan.shots[next - 1].length(), player);
            if (auto entered = player.enter(plan.shots[next].scene); !entered) return entered;
            ++next;
        }
        const FilmShot& shot = plan.shots[next - 1];
        showShot(shot, std::max(0.0, static_cast<double>(i) / look.framesPerSecond - shot.begin), player);
        if (auto added = addFrame(player, look, renderer, sink); !added) return added;
        progress.setDone(i + 1);
    }
    return {};
}

float filmScale(int width, int height) {
    // The film looks like a window of 1280 x 720 enlarged to its size. In steps, because fonts are made for each scale.
    constexpr float kSteps = 8;
    const auto larger = static_cast<float>(std::max(width, height));
    const auto smaller = static_cast<float>(std::min(width, height));
    return std::max(1.0f, std::floor(kSteps * std::min(larger / 1280, smaller / 720)) / kSteps);
}

}  // namespace whorl::app
