#include "app/export/film/film_texts.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

namespace whorl::app {

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
