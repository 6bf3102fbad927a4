#include "app/cli/film.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <utility>

#include "app/cli/input_options.h"
#include "app/cli/terminal.h"
#include "app/export/film/film_plan.h"
#include "app/export/offscreen_renderer.h"
#include "app/export/video.h"
#include "app/tours/presenting.h"
#include "app/tours/tour_catalogue.h"
#include "sim/base/byte_sink.h"
#include "sim/base/output_file.h"

namespace whorl::app {

namespace {

/// "film.mp4" has its captions in "film.vtt".
std::string captionsFileOf(std::string output) {
    while (output.size() > 1 && output.ends_with('/')) output.pop_back();
    return std::filesystem::path(output).replace_extension(".vtt").string();
}

/// Captions take the place of others only if Whorl wrote those: the name was not given.
sim::Expected<void> checkCaptions(const std::string& path) {
    WHORL_TRY(sim::checkOutput(path));
    std::ifstream file(path);
    std::string line;
    for (int i = 0; file && i < 3; ++i) std::getline(file, line);
    if (!std::filesystem::exists(path) || line == kCaptionsNote) return {};
    return sim::fail(path, "is not from Whorl, and would be replaced by the captions",
                     "move it, or name another output");
}

/// The outputs of a film, after all checks.
struct FilmPlace {
    std::string output;
    std::string captions;  ///< a file; empty: none
};

/// The outputs of a film, or of a clip.
sim::Expected<FilmPlace> placeOf(const FilmedTour& filmed, const FilmOptions& options, VideoOptions video) {
    WHORL_TRY(checkVideo(video));
    if (sim::outputTarget(video.path)) {
        WHORL_TRY(sim::checkOutput(video.path, inputsOf(filmed)));
    }
    FilmPlace place{.output = std::move(video.path), .captions = {}};
    if (options.captions != Captions::beside) return place;
    place.captions = captionsFileOf(place.output);
    WHORL_TRY(checkCaptions(place.captions));
    return place;
}

std::string clipName(const std::string& pattern, const std::string& id) {
    std::string name = pattern;
    return name.replace(name.find("%s"), 2, id);
}

sim::Expected<FilmWishes> wishesOf(const FilmOptions& options, const FilmLook& look) {
    FilmWishes wishes{.waits = {},
                      .seconds = options.seconds,
                      .voice = 0,
                      .titleWords = look.titleCard.words(),
                      .endWords = look.endCard.words()};
    for (const std::string& text : options.waits) wishes.waits.push_back(WHORL_TRY(parseWait(text)));
    constexpr double kMax = 24 * 3600;
    if (options.seconds && !(*options.seconds > 0 && *options.seconds <= kMax)) {
        return sim::fail("", fmt::format("--seconds {} is not a length", *options.seconds), "use seconds above 0");
    }
    if (!options.audio.empty()) {
        wishes.voice = WHORL_TRY(soundLength(options.audio));
    }
    return wishes;
}

/// The whole, but without what a clip cannot have.
sim::Expected<void> checkClips(const FilmOptions& options) {
    if (!options.audio.empty()) {
        return sim::fail("", "--audio is for one film, not for a clip a scene", "leave it out, or %s in the name");
    }
    if (!options.seconds) return {};
    return sim::fail("", "--seconds is for one film, not for a clip a scene",
                     "give --wait ID=+SECONDS for its scenes, or leave %s out of the name");
}

/// Draws into a video while progress is shown.
template <class Draw>
sim::Expected<void> drawn(const VideoOptions& video, std::size_t frames, const Draw& draw) {
    sim::Progress progress;
    progress.setTotal(frames);
    sim::Expected<void> result;
    withProgress("recording " + video.path, progress, [&] {
        auto sink = openVideo(video, progress);
        if (!sink) {
            result = tl::unexpected(sink.error());
            return;
        }
        result = draw(**sink, progress);
        if (result) result = (*sink)->finish();
    });
    return result;
}

sim::Expected<void> recordWhole(TourPlayer& player, const FilmPlan& plan, const FilmLook& look,
                                OffscreenRenderer& renderer, const FilmPlace& place, VideoOptions video) {
    video.chapters = chaptersOf(plan);
    auto done = drawn(video, plan.frames(look.framesPerSecond), [&](FrameSink& sink, sim::Progress& progress) {
        return drawFilm(plan, look, player, renderer, sink, progress);
    });
    if (!done || place.captions.empty()) return done;
    return sim::writeText(captionsOf(plan.shots), place.captions);
}

sim::Expected<void> recordClips(TourPlayer& player, const FilmPlan& plan, const FilmLook& look,
                                OffscreenRenderer& renderer, const std::vector<FilmPlace>& places, VideoOptions video) {
    for (FilmShot shot : plan.shots) {
        const FilmPlace& place = places[shot.scene];
        video.path = place.output;
        video.title = shot.timing.title;
        const auto frames = static_cast<std::size_t>(std::ceil(shot.length() * look.framesPerSecond));
        auto done = drawn(video, frames, [&](FrameSink& sink, sim::Progress& progress) {
            return drawShot(shot, look, player, renderer, sink, progress);
        });
        if (!done) return done;
        shot.begin = 0;
        if (place.captions.empty()) continue;
        WHORL_TRY(sim::writeText(captionsOf({shot}), place.captions));
    }
    return {};
}

/// The outputs of all films; reports any fault in them before anything is read.
sim::Expected<std::vector<FilmPlace>> placesOf(const FilmedTour& filmed, const FilmOptions& options,
                                               VideoOptions video) {
    std::vector<FilmPlace> places;
    const std::string pattern = video.path;
    const bool isClips = namesClips(pattern);
    if (isClips) {
        WHORL_TRY(checkClips(options));
    }
    for (const TourScene& scene : filmed.tour.tour.scenes) {
        if (isClips) video.path = clipName(pattern, scene.id);
        places.push_back(WHORL_TRY(placeOf(filmed, options, video)));
        if (!isClips) break;
    }
    return places;
}

}  // namespace

void addFilmOptions(OptionParser& command, FilmOptions& options) {
    command.add("--wait", options.waits,
                "of the film of a tour: ID=SECONDS, the second of the film at which the rest of that scene ends, or "
                "ID=+SECONDS, how long it rests after it has played; may be given several times",
                {.kind = ValueKind::scene});
    command.add("--seconds", options.seconds, "of the film of a tour: its length, reached by longer or shorter rests",
                {.kind = ValueKind::number});
    command.addChoice("--captions", options.captions,
                      {{"picture", Captions::picture}, {"beside", Captions::beside}, {"off", Captions::off}},
                      "of the film of a tour: its words in the picture, in a file x.vtt beside x.mp4, or nowhere");
    command.addFlag("--no-cards", options.noCards, "of the film of a tour: no pages of words at its start and end");
    command.add("--audio", options.audio,
                "of the film of a tour: a file with a voice, from the beginning on; if it is longer, the last scene "
                "rests until its end",
                {.kind = ValueKind::file});
}

std::vector<std::string> filmOptionNames() {
    return {"--wait", "--seconds", "--captions", "--no-cards", "--audio"};
}

sim::Expected<FilmedTour> filmedTour(const std::string& words, const std::vector<std::string>& sources,
                                     const Session& session) {
    FilmedTour filmed{.tour = {}, .name = {}, .reading = {}, .session = session};
    filmed.reading.sources = {.folders = sources};
    WHORL_TRY(sim::checkedSources(filmed.reading.sources));
    filmed.tour = WHORL_TRY(tourStart(words, sources));
    std::string name = std::filesystem::path(words).filename().string();
    filmed.name = name.substr(0, name.find('.', 1));
    return filmed;
}

TourPlayer playerOf(const FilmedTour& filmed) {
    return TourPlayer(filmed.session, filmed.tour, filmed.reading,
                      [](const OpenRequest& request, std::shared_ptr<const sim::Trace> known) {
                          const bool isKnown = known != nullptr;
                          auto run = openWhole(request, std::move(known));
                          if (run && !isKnown) sayWarnings(request, run->run->trace());
                          return run;
                      });
}

std::vector<std::string> inputsOf(const FilmedTour& filmed) {
    std::vector<std::string> files;
    if (!filmed.tour.file.empty()) files.push_back(filmed.tour.file);
    for (std::size_t i = 0; i < filmed.tour.tour.scenes.size(); ++i) {
        const SceneRuns runs = runsOf(resolvedScene(filmed.tour.tour, i), filmed.reading);
        for (const std::string& file : inputFiles(runs.first)) files.push_back(file);
        if (!runs.second) continue;
        for (const std::string& file : inputFiles(*runs.second)) files.push_back(file);
    }
    return files;
}

bool namesClips(const std::string& output) {
    return output.find("%s") != std::string::npos;
}

sim::Expected<void> recordFilm(const FilmedTour& filmed, const FilmOptions& options, VideoOptions video) {
    video.audio = options.audio;
    const auto places = WHORL_TRY(placesOf(filmed, options, video));
    FilmedTour shown = filmed;
    shown.session.caption = options.captions == Captions::picture;
    const bool isClips = namesClips(video.path);
    FilmLook look{.framesPerSecond = video.framesPerSecond,
                  .backdrop = video.transparent ? Backdrop::none : Backdrop::ground};
    if (!options.noCards && !isClips) {
        look.titleCard = titleCardOf(filmed.tour.tour, filmed.name);
        look.endCard = endCardOf(filmed.tour.tour, filmed.name);
    }
    video.title = titleCardOf(filmed.tour.tour, filmed.name).title;
    const auto wishes = WHORL_TRY(wishesOf(options, look));
    TourPlayer player = playerOf(shown);
    const auto timings = WHORL_TRY(rehearse(player));
    FilmWishes silent = wishes;
    silent.voice = 0;
    const auto plan = WHORL_TRY(planFilm(filmed.tour.tour, timings, wishes));
    if (const auto alone = planFilm(filmed.tour.tour, timings, silent); alone && alone->total() < plan.total()) {
        fmt::print(stderr,
                   "whorl: {}: the voice is {:.1f} s longer than the film, whose last scene rests until its end\n",
                   options.audio, plan.total() - alone->total());
    }
    player.startAgain();
    auto renderer = WHORL_TRY(OffscreenRenderer::create(video.width, video.height, filmed.session.ground,
                                                        filmScale(video.width, video.height)));
    return isClips ? recordClips(player, plan, look, *renderer, places, std::move(video))
                   : recordWhole(player, plan, look, *renderer, places.front(), std::move(video));
}

}  // namespace whorl::app
