#include "app/export/film/film_plan.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <sstream>

#include "app/session/presentation.h"

namespace whorl::app {

namespace {

constexpr double kMinRest = 1;  ///< least seconds of a rest or card that is changed to fit a wished length
constexpr double kSame = 1e-6;

/// Sets the default rest of a scene.
void restAsUsual(FilmShot& shot, const TourScene& scene) {
    const SceneTiming& t = shot.timing;
    if (scene.wait.what == SceneWait::For::seconds) {
        shot.rest = scene.wait.seconds;
        return;
    }
    // Words are read while it plays; those of an answer only then.
    const bool isAsked = shot.asks > 0;
    const std::string words = isAsked ? t.answerTitle + " " + t.answerWords : t.title + " " + t.words;
    const double begun = isAsked ? shot.answeredAt() : 0;
    if (t.round > 0) shot.rounds = 2;
    const double least = t.round > 0 ? SceneTime::kRest : kMinRead;
    shot.rest = std::max(least, readingTime(words) - (shot.played() - begun));
}

sim::Expected<void> restAsWished(FilmShot& shot, const NamedWait& wait) {
    shot.rounds = 1;
    const double rest = wait.isOfFilm ? wait.seconds - shot.begin - shot.played() : wait.seconds;
    if (rest < -kSame) {
        return sim::fail("",
                         fmt::format("--wait {}={:g}: the scene has played only at {:.2f} s", shot.id, wait.seconds,
                                     shot.begin + shot.played()),
                         "give a later time, or an earlier one for the scenes before");
    }
    // A loop goes on as long as it can be played to its end.
    if (shot.timing.round > 0) shot.rounds += std::max(0.0, std::floor((rest + kSame) / shot.timing.round));
    shot.rest = std::max(0.0, rest - (shot.rounds - 1) * shot.timing.round);
    return {};
}

const NamedWait* waitOf(const FilmWishes& wishes, const std::string& id) {
    const NamedWait* found = nullptr;
    for (const NamedWait& wait : wishes.waits) {
        if (wait.scene == id) found = &wait;
    }
    return found;
}

void placeShots(FilmPlan& plan) {
    double at = plan.titleCard;
    for (FilmShot& shot : plan.shots) {
        shot.begin = at;
        at = shot.end();
    }
}

/// The times that may be changed so that the film takes a wished time.
std::vector<double*> changeable(FilmPlan& plan, const Tour& tour, const FilmWishes& wishes) {
    std::vector<double*> times;
    if (plan.titleCard > 0) times.push_back(&plan.titleCard);
    for (FilmShot& shot : plan.shots) {
        const NamedWait* const wait = waitOf(wishes, shot.id);
        // What comes before a time of the film that is fixed changes nothing.
        if (wait != nullptr && wait->isOfFilm) times.clear();
        if (wait != nullptr) continue;
        if (shot.asks > 0) times.push_back(&shot.asks);
        const bool isGiven = resolvedScene(tour, shot.scene).wait.what == SceneWait::For::seconds;
        if (!isGiven && shot.timing.round == 0) times.push_back(&shot.rest);
    }
    if (plan.endCard > 0) times.push_back(&plan.endCard);
    return times;
}

sim::Expected<void> fit(FilmPlan& plan, const Tour& tour, const FilmWishes& wishes) {
    const double wished = *wishes.seconds;
    const std::vector<double*> times = changeable(plan, tour, wishes);
    double now = 0;
    for (const double* time : times) now += *time;
    const double least = kMinRest * static_cast<double>(times.size());
    const double fixed = plan.total() - now;
    const double shortest = fixed + least;
    const bool isFixed = times.empty() && std::abs(wished - plan.total()) > kSame;
    if (isFixed || wished < shortest - kSame) {
        return sim::fail("",
                         fmt::format("--seconds {:g}: the film takes {} {:.1f} s", wished,
                                     isFixed ? "exactly" : "at least", shortest),
                         isFixed ? "no rest in it may be changed: change a --wait or the tour"
                                 : "give more, or change what the scenes play in the tour");
    }
    if (times.empty()) return {};
    // All times keep the same share of what exceeds their minimum.
    const double share = now > least ? (wished - shortest) / (now - least) : 0;
    const double each = now > least ? 0 : (wished - shortest) / static_cast<double>(times.size());
    for (double* time : times) *time = kMinRest + (*time - kMinRest) * share + each;
    placeShots(plan);
    return {};
}

}  // namespace

double FilmShot::sceneSeconds(double since) const {
    if (since < timing.arrival) return since;
    const double seconds = std::max(timing.arrival, since - asks);
    if (timing.round == 0) return seconds;
    // A loop that is over rests: its next round does not begin.
    constexpr double kAlmost = SceneTime::kRest * (1 - 1e-6);
    return std::min(seconds, timing.played + (rounds - 1) * timing.round + kAlmost);
}

std::size_t FilmPlan::frames(int framesPerSecond) const {
    return std::max<std::size_t>(1, static_cast<std::size_t>(std::ceil(total() * framesPerSecond - kSame)));
}

double readingTime(const std::string& words) {
    constexpr double kWordsASecond = 2.5;
    constexpr double kBefore = 1;
    constexpr std::string_view kUnbroken = "\u00a0";
    std::string apart = words;
    for (std::size_t at = apart.find(kUnbroken); at != std::string::npos; at = apart.find(kUnbroken, at)) {
        apart.replace(at, kUnbroken.size(), " ");
    }
    std::istringstream in(apart);
    double count = 0;
    for (std::string word; in >> word;) ++count;
    return std::max(kMinRead, kBefore + count / kWordsASecond);
}

sim::Expected<NamedWait> parseWait(const std::string& text) {
    const std::size_t at = text.find('=');
    if (at != std::string::npos && at > 0) {
        NamedWait wait{.scene = text.substr(0, at), .seconds = 0, .isOfFilm = true};
        std::string number = text.substr(at + 1);
        if (number.starts_with('+')) {
            wait.isOfFilm = false;
            number.erase(0, 1);
        }
        char* stop = nullptr;
        wait.seconds = std::strtod(number.c_str(), &stop);
        const bool isNumber = !number.empty() && (number[0] == '.' || (number[0] >= '0' && number[0] <= '9'));
        constexpr double kMax = 24 * 3600;
        if (isNumber && *stop == '\0' && wait.seconds >= 0 && wait.seconds <= kMax) return wait;
    }
    return sim::fail("", fmt::format("--wait \"{}\" is not understood", text),
                     "use ID=SECONDS, the second of the film at which the scene's rest ends, or ID=+SECONDS, how long "
                     "it rests");
}

sim::Expected<FilmPlan> planFilm(const Tour& tour, const std::vector<SceneTiming>& timings, const FilmWishes& wishes) {
    for (const NamedWait& wait : wishes.waits) {
        WHORL_TRY(sceneIndex(tour, wait.scene));
    }
    FilmPlan plan;
    if (!wishes.titleWords.empty()) plan.titleCard = readingTime(wishes.titleWords);
    if (!wishes.endWords.empty()) plan.endCard = readingTime(wishes.endWords);
    double at = plan.titleCard;
    for (std::size_t i = 0; i < timings.size(); ++i) {
        const TourScene scene = resolvedScene(tour, i);
        FilmShot& shot = plan.shots.emplace_back();
        shot.scene = i;
        shot.id = scene.id;
        shot.timing = timings[i];
        shot.begin = at;
        if (!shot.timing.answerTitle.empty()) shot.asks = readingTime(shot.timing.title + " " + shot.timing.words);
        if (const NamedWait* const wait = waitOf(wishes, scene.id)) {
            WHORL_TRY(restAsWished(shot, *wait));
        } else {
            restAsUsual(shot, scene);
        }
        at = shot.end();
    }
    if (wishes.seconds) {
        WHORL_TRY(fit(plan, tour, wishes));
        if (wishes.voice > *wishes.seconds + kSame) {
            return sim::fail("", fmt::format("--seconds {:g}: the voice takes {:.1f} s", *wishes.seconds, wishes.voice),
                             "give as many at least, or leave it out");
        }
    }
    if (plan.total() < wishes.voice) plan.shots.back().rest += wishes.voice - plan.total();
    return plan;
}

namespace {

long long milliseconds(double seconds) {
    return std::llround(seconds * 1000);
}

/// "00:01:02.500".
std::string stamp(double seconds) {
    const long long ms = milliseconds(seconds);
    return fmt::format("{:02}:{:02}:{:02}.{:03}", ms / 3'600'000, ms / 60'000 % 60, ms / 1000 % 60, ms % 1000);
}

/// A line of a cue: markup is only text, and no line is empty, which would end the cue.
std::string cueLine(const std::string& words) {
    std::string out;
    for (const char c : words) {
        if (c == '&') {
            out += "&amp;";
        } else if (c == '<') {
            out += "&lt;";
        } else if (c == '>') {
            out += "&gt;";
        } else {
            out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
        }
    }
    return out;
}

void addCue(std::string& to, const std::string& name, double from, double until, const std::string& title,
            const std::string& words) {
    if (milliseconds(from) >= milliseconds(until)) return;
    fmt::format_to(std::back_inserter(to), "\n{}\n{} --> {}\n{}\n", name, stamp(from), stamp(until), cueLine(title));
    if (!words.empty()) to += cueLine(words) + "\n";
}

}  // namespace

std::string captionsOf(const std::vector<FilmShot>& shots) {
    std::string text = fmt::format("WEBVTT\n\n{}\n", kCaptionsNote);
    for (const FilmShot& shot : shots) {
        const SceneTiming& t = shot.timing;
        const double answered = shot.asks > 0 ? shot.begin + shot.answeredAt() : shot.end();
        addCue(text, shot.id, shot.begin, answered, t.title, t.words);
        if (shot.asks > 0) addCue(text, shot.id + "-answer", answered, shot.end(), t.answerTitle, t.answerWords);
    }
    return text;
}

std::vector<FilmChapter> chaptersOf(const FilmPlan& plan) {
    std::vector<FilmChapter> chapters;
    for (const FilmShot& shot : plan.shots) {
        chapters.push_back({.begin = shot.begin, .end = shot.end(), .title = shot.timing.title});
    }
    chapters.front().begin = 0;
    chapters.back().end = plan.total();
    return chapters;
}

std::string metadataOf(const std::vector<FilmChapter>& chapters) {
    std::string text = ";FFMETADATA1\n";
    for (const FilmChapter& chapter : chapters) {
        std::string title;
        for (const char c : chapter.title) {
            if (std::string_view("=;#\\\n").find(c) != std::string_view::npos) title += '\\';
            title += c;
        }
        fmt::format_to(std::back_inserter(text), "[CHAPTER]\nTIMEBASE=1/1000\nSTART={}\nEND={}\ntitle={}\n",
                       milliseconds(chapter.begin), milliseconds(chapter.end), title);
    }
    return text;
}

}  // namespace whorl::app
