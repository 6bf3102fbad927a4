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
    const std::map<std::string_view, std::string> values{{"TITLE", htmlText(page.title)},
                                                         {"POLICY", policy()},
                                                         {"STYLE", std::string(part("page.css"))},
                                                         {"PICTURE", page.picture},
                                                         {"WORDS", page.words},
                                                         {"START", inScript(page.start)},
                                                         {"FILES", inScript(filesText(page))},
                                                         {"PLAYER", std::string(part("player.code"))},
                                                         {"WASM", std::string(part("player.packed"))},
                                                         {"SCRIPT", std::string(part("page.js"))}};
    const std::string_view shell = part("page.html");
    std::string html;
    for (std::size_t at = 0; at < shell.size();) {
        const std::size_t begin = shell.find('@', at);
        const std::size_t end = begin == std::string_view::npos ? begin : shell.find('@', begin + 1);
        const auto value =
            end == std::string_view::npos ? values.end() : values.find(shell.substr(begin + 1, end - begin - 1));
        if (value == values.end()) {
            const std::size_t next = begin == std::string_view::npos ? shell.size() : begin + 1;
            html += shell.substr(at, next - at);
            at = next;
            continue;
        }
        html += shell.substr(at, begin - at);
        html += value->second;
        at = end + 1;
    }
    return html;
}

}  // namespace whorl::app
