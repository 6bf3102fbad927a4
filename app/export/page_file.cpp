#include "app/export/page_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <span>
#include <string_view>

#include "render/svg/document.h"
#include "sim/base/base64.h"
#include "sim/report/json.h"

namespace whorl::app {

std::span<const std::pair<std::string_view, std::string_view>> embeddedPage();

namespace {

/// The content of an embedded file; empty if there is none of that name.
std::string_view part(std::string_view name) {
    const auto files = embeddedPage();
    const auto found = std::find_if(files.begin(), files.end(), [&](const auto& file) { return file.first == name; });
    return found == files.end() ? std::string_view() : found->second;
}

/// The bytes of a hexadecimal number.
std::string bytesOf(std::string_view hex) {
    const auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
    std::string bytes;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
        bytes += static_cast<char>(digit(hex[i]) << 4 | digit(hex[i + 1]));
    }
    return bytes;
}

/// Text in an element <script>, where it would end at a "</script": JSON may write < as an escape.
std::string inScript(std::string json) {
    for (std::size_t at = 0; (at = json.find('<', at)) != std::string::npos;) json.replace(at, 1, "\\u003c");
    return json;
}

std::string policy() {
    return fmt::format(
        "default-src 'none'; script-src 'sha256-{}' 'wasm-unsafe-eval' blob:; worker-src blob:; style-src "
        "'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'",
        sim::base64(bytesOf(part("page.js.sha256"))));
}

/// A shell in which each @NAME@ of a value has that value in its place.
std::string filled(std::string_view shell, const std::map<std::string_view, std::string>& values) {
    std::string html;
    while (!shell.empty()) {
        const std::size_t begin = std::min(shell.find('@'), shell.size());
        html += shell.substr(0, begin);
        shell.remove_prefix(begin);
        const std::size_t end = shell.find('@', 1);
        const auto value = end == std::string_view::npos ? values.end() : values.find(shell.substr(1, end - 1));
        html += value == values.end() ? shell.substr(0, 1) : value->second;
        shell.remove_prefix(value == values.end() ? std::min<std::size_t>(1, shell.size()) : end + 1);
    }
    return html;
}

std::string filesText(const PageFile& page) {
    const sim::JsonArray files = sim::jsonArrayOf(page.files, [](const auto& file) {
        return sim::JsonArray{file.first, sim::base64(file.second)};
    });
    return sim::jsonLine(files);
}

}  // namespace

std::string htmlText(std::string_view text) {
    return svg::escaped(text);
}

sim::Expected<void> checkPlayer() {
    if (!part("player.packed").empty()) return {};
    return sim::fail("", "this Whorl was built without the player of pages",
                     "install emscripten, and build it with WHORL_WEB=ON: see docs/pages.md");
}

sim::Expected<std::string> pageHtml(const PageFile& page) {
    WHORL_TRY(checkPlayer());
    const std::string player = page.hasAllViews ? "player" : "player_few";
    return filled(part("page.html"), {{"TITLE", htmlText(page.title)},
                                      {"POLICY", policy()},
                                      {"STYLE", std::string(part("page.css"))},
                                      {"PICTURE", page.picture},
                                      {"WORDS", page.words},
                                      {"START", inScript(page.start)},
                                      {"FILES", inScript(filesText(page))},
                                      {"PLAYER", std::string(part(player + ".code"))},
                                      {"WASM", std::string(part(player + ".packed"))},
                                      {"SCRIPT", std::string(part("page.js"))}});
}

bool isOwnPage(std::string_view beginning) {
    return beginning.starts_with("<!DOCTYPE html>") &&
           beginning.find(R"(<meta name="generator" content="Whorl">)") != std::string_view::npos;
}

std::string galleryHtml(const std::vector<GalleryItem>& items) {
    std::string list;
    for (const GalleryItem& item : items) {
        list += fmt::format(
            "<li><a href=\"{0}.html\"><img src=\"{0}.png\" alt=\"\" width=\"480\" height=\"270\" "
            "loading=\"lazy\"><b>{1}</b></a><p>{2}</p></li>\n",
            htmlText(item.name), htmlText(item.title), htmlText(item.about));
    }
    return filled(part("gallery.html"), {{"ITEMS", std::move(list)}});
}

}  // namespace whorl::app
