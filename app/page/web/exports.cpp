// The player of pages as functions that JavaScript calls (driver.js). Texts are UTF-8; those that are returned stay
// valid until the next call.
#include <emscripten/emscripten.h>

#include <fmt/format.h>

#include <memory>
#include <string>

#include "app/page/page.h"
#include "app/page/report.h"
#include "sim/report/json.h"

namespace {

using whorl::app::Page;
using whorl::app::PointerEvent;

std::unique_ptr<Page> page;

const char* kept(std::string text) {
    static std::string last;
    last = std::move(text);
    return last.c_str();
}

/// What a function of the page makes; empty while there is none.
template <class Make>
const char* made(Make&& make) {
    return kept(page ? make(*page) : std::string());
}

template <class Result>
std::string sentenceOf(const Result& result) {
    return result ? std::string() : result.error().sentence();
}

}  // namespace

extern "C" {

EMSCRIPTEN_KEEPALIVE const char* page_begin(const char* start, int isLight, int reducesMotion) {
    auto begin = whorl::app::pageStart(start);
    if (!begin) return kept(begin.error().sentence());
    const auto ground = isLight != 0 ? whorl::scene::Ground::light : whorl::scene::Ground::dark;
    page = std::make_unique<Page>(*std::move(begin), ground, reducesMotion != 0);
    return kept({});
}

EMSCRIPTEN_KEEPALIVE void page_size(int width, int height, double scale) {
    if (page) page->resize({width, height}, static_cast<float>(scale));
}

EMSCRIPTEN_KEEPALIVE const char* page_command(const char* text) {
    return made([&](Page& p) { return sentenceOf(p.command(text)); });
}

EMSCRIPTEN_KEEPALIVE int page_key(const char* chord) {
    return page && page->key(chord) ? 1 : 0;
}

EMSCRIPTEN_KEEPALIVE const char* page_pointer(const char* is, double x, double y, double dx, double dy, double by,
                                              int shift, int ctrl) {
    auto kind = whorl::app::pointerKind(is);
    if (!page || !kind) return kept({});
    if (ctrl != 0 && kind == PointerEvent::Kind::drag) kind = PointerEvent::Kind::turn;
    if (ctrl != 0 && kind == PointerEvent::Kind::zoom) kind = PointerEvent::Kind::zoomOther;
    const auto lines = page->point({.kind = *kind,
                                    .at = {static_cast<float>(x), static_cast<float>(y)},
                                    .by = {static_cast<float>(dx), static_cast<float>(dy)},
                                    .notches = static_cast<float>(by),
                                    .shift = shift != 0});
    if (*kind != PointerEvent::Kind::move) return kept({});
    return kept(whorl::sim::jsonLine(whorl::sim::JsonObject{{"lines", lines}}));
}

/// Bit 0: something was painted; bit 1: another frame would show something else; bit 2: it cannot be painted.
EMSCRIPTEN_KEEPALIVE int page_frame(double seconds, int paints) {
    if (!page) return 0;
    page->frame(seconds);
    const int more = page->needsFrame() ? 2 : 0;
    if (paints == 0) return more;
    const auto painted = page->paint();
    if (!painted) fmt::print(stderr, "{}\n", painted.error().sentence());
    return more | (painted ? 1 : 4);
}

EMSCRIPTEN_KEEPALIVE const char* page_labels() {
    return made([](Page& p) { return labelsText(p); });
}
EMSCRIPTEN_KEEPALIVE const char* page_report() {
    return made([](Page& p) { return reportText(p); });
}
EMSCRIPTEN_KEEPALIVE const char* page_keys() {
    return made([](Page& p) { return keysText(p); });
}
EMSCRIPTEN_KEEPALIVE const char* page_source(int file) {
    return made([&](Page& p) { return sourceText(p, static_cast<std::size_t>(file)); });
}
EMSCRIPTEN_KEEPALIVE const char* page_strip(int columns) {
    return made([&](Page& p) { return stripText(p, columns); });
}
EMSCRIPTEN_KEEPALIVE const char* page_contents(int store) {
    return made([&](Page& p) { return contentsText(p, static_cast<std::size_t>(store)); });
}
EMSCRIPTEN_KEEPALIVE const char* page_scene() {
    return made([](Page& p) { return sceneText(p); });
}

/// The file that holds the open run; empty if none does, as for a pattern.
EMSCRIPTEN_KEEPALIVE const char* page_saved() {
    return made([](Page& p) {
        const std::string& input = p.session().opened.request.input;
        return whorl::app::isProgram(input) ? std::string() : input;
    });
}

EMSCRIPTEN_KEEPALIVE const char* page_load(const char* name) {
    return made([&](Page& p) {
        const std::string text = whorl::sim::jsonLine(std::string(name));  // in quotes, as a word of a command
        return sentenceOf(p.command("open " + text));
    });
}

}  // extern "C"
