// Plays a page by its texts, without a browser and without a window: what a script does to it, and what it then shows.
// moments.mjs is the same program over the page's WebAssembly; fidelity.py compares the two.
//
//     moments FOLDER [light] [still] <SCRIPT
//
// FOLDER has the files of the page. The script's first line is the start of the page (pageStartText()), each other one
// a command: "size 1280 720 1", "frame 0.05", "settle", "command TEXT", "key CHORD", "pointer KIND X Y DX DY NOTCHES
// SHIFT", or a question: "report", "labels", "scene", "keys", "strip COLUMNS", "contents STORE", "source FILE". All but
// the first three print one line.
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iostream>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include "app/page/page.h"
#include "app/page/report.h"
#include "sim/report/json.h"

namespace {

using whorl::app::Page;
using whorl::app::PointerEvent;

/// So many frames without an end to them are a fault.
constexpr int kPatience = 50'000;

[[noreturn]] void fail(const std::string& words) {
    std::cerr << "moments: " << words << '\n';
    std::exit(2);
}

/// Frames in which no time passes, until another one would show nothing else. A page that plays never settles.
void settle(Page& page) {
    for (int i = 0; i < kPatience; ++i) {
        page.frame(0);
        if (!page.needsFrame()) return;
    }
    fail("it does not settle");
}

std::string commanded(Page& page, const std::string& text) {
    const auto done = page.command(text);
    return whorl::sim::jsonLine(done ? std::string() : done.error().sentence());
}

std::string pointed(Page& page, std::istream& words) {
    std::string kind;
    PointerEvent event;
    int shift = 0;
    words >> kind >> event.at.x >> event.at.y >> event.by.x >> event.by.y >> event.notches >> shift;
    const auto known = whorl::app::pointerKind(kind);
    if (!known || !words) fail("pointer KIND X Y DX DY NOTCHES SHIFT");
    event.kind = *known;
    event.shift = shift != 0;
    return whorl::sim::jsonLine(whorl::sim::JsonObject{{"lines", page.point(event)}});
}

/// The answer to a question.
std::string answer(const Page& page, const std::string& question, int number) {
    if (question == "report") return reportText(page);
    if (question == "labels") return labelsText(page);
    if (question == "scene") return sceneText(page);
    if (question == "keys") return keysText(page);
    if (question == "strip") return stripText(page, number);
    if (question == "contents") return contentsText(page, static_cast<std::size_t>(number));
    if (question == "source") return sourceText(page, static_cast<std::size_t>(number));
    fail("what is " + question + "?");
}

void execute(Page& page, const std::string& line) {
    std::istringstream words(line);
    std::string first;
    words >> first;
    if (first == "size") {
        int width = 0;
        int height = 0;
        float scale = 1;
        words >> width >> height >> scale;
        page.resize({width, height}, scale);
    } else if (first == "frame") {
        double seconds = 0;
        words >> seconds;
        page.frame(seconds);
    } else if (first == "settle") {
        settle(page);
    } else if (first == "command") {
        std::cout << commanded(page, line.substr(line.find(' ') + 1)) << '\n';
    } else if (first == "key") {
        std::cout << (page.key(line.substr(line.find(' ') + 1)) ? "true\n" : "false\n");
    } else if (first == "pointer") {
        std::cout << pointed(page, words) << '\n';
    } else {
        int number = 0;
        words >> number;
        std::cout << answer(page, first, number) << '\n';
    }
}

}  // namespace

int main(int count, char** arguments) {
    try {
        if (count < 2) fail("a folder is missing");
        auto ground = whorl::scene::Ground::dark;
        bool isStill = false;
        for (int i = 2; i < count; ++i) {
            const std::string_view word = arguments[i];
            if (word == "light") ground = whorl::scene::Ground::light;
            if (word == "still") isStill = true;
        }
        std::filesystem::current_path(arguments[1]);
        std::string line;
        std::getline(std::cin, line);
        auto start = whorl::app::pageStart(line);
        if (!start) fail(start.error().sentence());
        Page page(*std::move(start), ground, isStill);
        while (std::getline(std::cin, line)) {
            if (!line.empty()) execute(page, line);
        }
    } catch (const std::exception& error) {
        fail(error.what());
    }
    return 0;
}
