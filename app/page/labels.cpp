// The texts of a page's pictures.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/page/page.h"
#include "app/page/report.h"
#include "app/session/compared_runs.h"
#include "app/views/comparison_words.h"
#include "render/scene/palette.h"
#include "render/scene/text_width.h"
#include "sim/report/json.h"

namespace whorl::app {

namespace {

using sim::JsonArray;
using sim::JsonObject;

std::string rgbaText(scene::Rgba c) {
    return fmt::format("{:02x}{:02x}{:02x}{:02x}", c.r, c.g, c.b, c.a);
}

class Texts {
  public:
    void add(const scene::Label& label, const gl::Rect& where, glm::vec2 centre) {
        const bool isCurved = label.kind == scene::Label::Kind::curved;
        const glm::vec2 corner(where.x, where.y);
        const glm::vec2 at = isCurved ? label.at : label.at + corner;
        const int flags = (label.isBare ? 1 : 0) | (label.hasBed ? 2 : 0);
        items_.push_back(JsonArray{static_cast<int>(label.kind == scene::Label::Kind::curved  ? 0
                                                    : label.kind == scene::Label::Kind::plain ? 1
                                                                                              : 2),
                                   label.text, at.x, at.y, label.size, rgbaText(label.colour), flags,
                                   centre.x + corner.x, centre.y + corner.y, where.x, where.y, where.width,
                                   where.height});
    }
    /// Above a tile of a run that is compared.
    void addHeading(const Tile& tile, const std::string& words, float y, float size, scene::Rgba colour, bool isBold) {
        constexpr int kBare = 1;
        constexpr int kBold = 4;
        const gl::Rect room{tile.where.x, tile.where.y - tile.heading, tile.where.width, tile.heading};
        items_.push_back(JsonArray{1, words, static_cast<float>(room.x) + static_cast<float>(room.width) / 2, y, size,
                                   rgbaText(colour), kBare | (isBold ? kBold : 0), 0, 0, room.x, room.y, room.width,
                                   room.height});
    }
    JsonArray take() { return std::move(items_); }

  private:
    JsonArray items_;
};

void addHeading(Texts& texts, const Page& page, const Tile& tile, const std::vector<std::string>& titles) {
    const scene::Palette& palette = scene::paletteFor(page.session().ground);
    const auto top = static_cast<float>(tile.where.y - tile.heading);
    const float size = std::round(16 * page.scale());
    const float room = static_cast<float>(tile.where.width) - size;
    const auto fits = [&](const std::string& title) { return scene::widthOf(title, size) <= room; };
    const std::vector<std::string> brief = withoutAlike(titles, fits);
    const bool doFit = std::all_of(brief.begin(), brief.end(), fits);
    const std::string title = doFit ? brief[tile.view.run] : scene::shortened(titles[tile.view.run], room, size);
    texts.addHeading(tile, title, top + 0.7f * size, size, palette.text, true);
    const float small = std::round(13 * page.scale());
    std::string words;
    for (const std::string& part : headingWords(page.shown(), tile.view.run, LevelWords::brief)) {
        std::string more = words;
        if (!words.empty()) more += "    ";
        more += part;
        if (!words.empty() && scene::widthOf(more, small) > room) break;
        words = std::move(more);
    }
    texts.addHeading(tile, words, top + 1.2f * size + 0.7f * small, small, palette.muted, false);
}

}  // namespace

std::string labelsText(const Page& page) {
    const Session& session = page.session();
    Texts texts;
    if (page.shown().runs.open() != nullptr) {
        const std::vector<std::string> titles = titlesOfRuns(session);
        for (const Tile& tile : page.tiles()) {
            const TileScene shown = sceneOf(tile, page.shown().runs, session, page.scale());
            const glm::vec2 middle = glm::vec2(tile.where.width, tile.where.height) / 2.0f;
            if (const auto* rings = std::get_if<const scene::Scene*>(&shown)) {
                for (const scene::Label& label : (*rings)->labels) texts.add(label, tile.where, (*rings)->centre);
            } else if (const auto* flat = std::get_if<const scene::FlatScene*>(&shown)) {
                for (const scene::Label& label : (*flat)->labels) texts.add(label, tile.where, middle);
            } else if (const auto* space = std::get_if<const scene::SpaceScene*>(&shown)) {
                for (const scene::Label& label : (*space)->labels) texts.add(label, tile.where, middle);
            }
            if (tile.heading > 0) addHeading(texts, page, tile, titles);
        }
    }
    const std::string ground = rgbaText(scene::paletteFor(session.ground).ground).substr(0, 6);
    return sim::jsonLine(JsonObject{{"ground", "#" + ground}, {"items", texts.take()}});
}

}  // namespace whorl::app
