#include "app/panels/tiles/cell_tile.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/labels.h"
#include "app/panels/tiles/tile_controls.h"
#include "app/panels/tiles/tile_mouse.h"
#include "app/panels/widgets.h"
#include "app/session/range.h"
#include "render/scene/cells/cell_metric.h"

namespace whorl::app {

namespace {

/// The controls in a row under the title.
class Controls {
  public:
    Controls(const PanelContext& c, TileControls& controls, const ViewId& view)
        : c_(c),
          view_(view),
          display_(*view.cells()),
          choice_(c.context.viewSettings.cellsOf(view)),
          controls_(controls) {}

    void draw() {
        drawMetric();
        if (scene::isOfMemory(display_)) {
            drawBytes();
            drawColumns();
            drawGroups();
            if (!scene::isLive(display_)) drawOrder();
            drawBoundaries();
        } else {
            controls_.toggle("interleaved", choice_.interleaved, command::Interleaved{view_, {}},
                             "the ways of a set side by side, or an array for each way");
        }
        if (scene::isLive(display_)) {
            drawHalfLife();
            if (scene::isOfMemory(display_)) drawConflicts();
        } else {
            controls_.toggle("log", choice_.logarithmic, command::CellLogarithmic{view_, {}},
                             "a logarithmic scale of colours");
            drawPin();
        }
        if (scene::isOfMemory(display_)) {
            controls_.toggle("+ pane", false, command::PaneAdd{view_, {}}, "a second view of memory beside this one");
        }
    }

  private:
    void drawMetric() {
        const auto quantities = scene::quantitiesOf(display_, c_.machine());
        scene::CellQuantity now = choice_.quantity.value_or(scene::usualQuantity(display_, c_.machine()));
        std::vector<std::string> words;
        std::size_t chosen = quantities.size();
        for (std::size_t i = 0; i < quantities.size(); ++i) {
            words.push_back(scene::isOfMemory(display_) ? inWords(quantities[i], c_.machine())
                                                        : std::string(scene::kindOf(quantities[i].metric).words));
            if (quantities[i] == now) chosen = i;
        }
        controls_.choose(
            "metric", 190, words, chosen,
            [&](std::size_t i) {
                return command::CellMetric{view_, quantities[i].metric, quantities[i].level};
            },
            "what the cells show");
    }

    void drawBytes() {
        const std::uint64_t block = c_.machine().blockBytes();
        std::vector<std::uint64_t> sizes{0};
        std::vector<std::string> words{fmt::format("{} bytes a cell", block)};
        for (std::uint64_t bytes = scene::kLeastCell; bytes <= 4096; bytes *= 2) {
            if (bytes == block) continue;
            sizes.push_back(bytes);
            words.push_back(fmt::format("{} bytes a cell", bytes));
        }
        const auto now = std::find(sizes.begin(), sizes.end(), choice_.cell == block ? 0 : choice_.cell);
        controls_.choose(
            "bytes", 130, words, static_cast<std::size_t>(now - sizes.begin()),
            [&](std::size_t i) {
                return command::CellBytes{view_, sizes[i]};
            },
            "how much memory a cell is");
    }

    void drawColumns() {
        std::vector<std::uint32_t> columns{0};
        std::vector<std::string> words{"rows fit"};
        for (std::uint32_t n = 8; n <= scene::kMostColumns; n *= 2) {
            columns.push_back(n);
            words.push_back(fmt::format("{} a row", n));
        }
        const auto now = std::find(columns.begin(), columns.end(), choice_.columns);
        controls_.choose(
            "columns", 86, words, static_cast<std::size_t>(now - columns.begin()),
            [&](std::size_t i) {
                return command::CellColumns{view_, columns[i]};
            },
            "the cells of a row; rows that fit are one way of L1 long, or a half, a quarter … of it");
    }

    void drawGroups() {
        const auto& levels = c_.machine().levels;
        struct Grouping {
            std::string words;
            scene::MemoryGroups groups;
            std::uint64_t piece;
        };
        std::vector<Grouping> all{{"by region", scene::MemoryGroups::regions, 0},
                                  {"by address", scene::MemoryGroups::address, 0}};
        for (std::size_t l = 0; l < std::min<std::size_t>(2, levels.size()); ++l) {
            const std::uint64_t way = levels[l].wayBytes();
            if (sim::isPowerOfTwo(way)) {
                all.push_back({fmt::format("by {} way", levels[l].name), scene::MemoryGroups::pieces, way});
            }
        }
        all.push_back({"by page", scene::MemoryGroups::pieces, c_.machine().pageBytes()});
        std::vector<std::string> words;
        std::size_t now = all.size();
        for (std::size_t i = 0; i < all.size(); ++i) {
            words.push_back(all[i].words);
            const bool same = all[i].groups == choice_.groups &&
                              (all[i].groups != scene::MemoryGroups::pieces || all[i].piece == choice_.piece);
            if (same && now == all.size()) now = i;
        }
        controls_.choose(
            "groups", 100, words, now,
            [&](std::size_t i) {
                const bool pieces = all[i].groups == scene::MemoryGroups::pieces;
                return command::CellGroups{view_, all[i].groups, pieces ? std::optional(all[i].piece) : std::nullopt};
            },
            "what is kept together");
        controls_.toggle("Hilbert", choice_.curve == scene::MemoryCurve::hilbert, command::CellCurve{view_, {}},
                         "row by row, or along a Hilbert curve, which keeps neighbours in memory together");
    }

    void drawOrder() {
        std::vector<std::string> words{"by address", "by penalty", "by misses"};
        // The group that suffers is that of the selected block.
        const auto victim = c_.context.marked();
        const bool isCaused = choice_.order == CellOrder::caused;
        if (victim || isCaused) words.emplace_back("by misses caused there");
        controls_.choose(
            "order", 110, words, static_cast<std::size_t>(choice_.order),
            [&](std::size_t i) {
                const auto order = static_cast<CellOrder>(i);
                return command::CellOrder{view_, order, order == CellOrder::caused ? victim : std::nullopt};
            },
            "the order of the groups; misses caused there: in the group of the selected block");
    }

    void drawBoundaries() {
        const auto& levels = c_.machine().levels;
        if (!levels.empty())
            controls_.toggle(c_.machine().levelName(0).c_str(), choice_.boundaries,
                             command::CellBoundary{view_, CellEdge::l1, {}},
                             fmt::format("boundaries of pieces as large as one way of {}", c_.machine().levelName(0)));
        if (levels.size() > 1) {
            controls_.toggle(levels[1].name.c_str(), choice_.boundaries2,
                             command::CellBoundary{view_, CellEdge::l2, {}},
                             fmt::format("boundaries of pieces as large as one way of {}", levels[1].name));
        }
        controls_.toggle("pages", choice_.pages, command::CellBoundary{view_, CellEdge::pages, {}},
                         "boundaries of pages");
    }

    void drawHalfLife() {
        controls_.slide("half-life", 130, static_cast<float>(choice_.halfLife),
                        static_cast<float>(CellChoice::kLeastHalfLife), static_cast<float>(CellChoice::kMostHalfLife),
                        "half-life %.0f", "the accesses after which the glow is half as bright",
                        [this](float accesses) {
                            return command::HalfLife{view_, static_cast<double>(accesses)};
                        });
    }

    void drawConflicts() {
        std::vector<std::string> words{"no lines"};
        for (const auto& level : c_.machine().levels) words.push_back(fmt::format("{} lines", level.name));
        const std::size_t now = choice_.conflictLevel ? *choice_.conflictLevel + 1u : 0;
        controls_.choose(
            "conflicts", 84, words, now,
            [&](std::size_t i) {
                const auto level = i == 0 ? std::nullopt : std::optional(static_cast<std::uint8_t>(i - 1));
                return command::ConflictLines{view_, level};
            },
            "lines of conflict: from what came into a level to what it evicted");
    }

    void drawPin() {
        if (choice_.range) {
            controls_.toggle(
                "pinned ×", true, command::ViewRangeOff{view_},
                fmt::format("this view keeps to {}; click to follow the chosen range again", inWords(*choice_.range)));
        } else if (c_.context.range) {
            controls_.toggle("pin", false, command::ViewRange{view_, c_.context.range->from, c_.context.range->to},
                             "keep this view at the chosen range");
        }
    }

    const PanelContext& c_;
    ViewId view_;
    scene::CellDisplay display_;
    const CellChoice& choice_;
    TileControls& controls_;
};

/// Mouse actions on the cells.
class CellMouse {
  public:
    CellMouse(const PanelContext& c, const Tile& tile, CellViews& views)
        : c_(c), tile_(tile), views_(views), view_(tile.view.withoutRun()), at_(mouseIn(tile)) {}

    /// `pressed`: a button was pressed and released on the cells.
    void act(bool pressed) {
        takeWanted();
        const bool isDoubleClick = beginsDoubleClick(c_);
        if (ImGui::IsItemClicked()) c_.edits.movesInset = views_.isInset(tile_.view, at_);
        if (c_.edits.movesInset && ImGui::IsItemActive()) {
            if (const auto sight = views_.movedTo(tile_.view, at_)) put(*sight);
            return;
        }
        if (drag() || !ImGui::IsItemHovered()) return;
        const float notches = ImGui::GetIO().MouseWheel;
        if (notches != 0) put(views_.zoomed(tile_.view, at_, notches > 0 ? 1 : -1));
        if (isDoubleClick) {
            c_.queue(command::CellFit{view_});
            return;
        }
        const auto cell = views_.under(tile_.view, at_);
        if (!cell) return;
        if (pressed && ImGui::IsMouseReleased(ImGuiMouseButton_Left) && !c_.edits.dragged) click(*cell);
        tellOf(c_, tile_, cell->box, views_.describe(tile_.view, c_.context, cell->cell));
    }

    /// Records for tests what can be picked where.
    void namePlaces() const {
        if (c_.places == nullptr || !c_.places->scans()) return;
        c_.places->scan(tile_.where, [&](glm::vec2 at) {
            const auto cell = views_.under(tile_.view, glm::ivec2(at));
            return cell ? pickOf(*cell).text() : std::string();
        });
    }

  private:
    void put(const CellSight& sight) const {
        c_.queue(command::CellZoom{view_, sight.scale.pixels, sight.scale.fold, sight.scroll.x, sight.scroll.y});
    }

    /// Zooming and panning by keys needs the picture's size.
    void takeWanted() const {
        const CellChoice& choice = c_.context.viewSettings.cellsOf(view_);
        const scene::PixelBox area = views_.areaOf(tile_.view);
        if (choice.wantedZoom != 0) {
            put(views_.zoomed(tile_.view, (area.low + area.high) / 2, choice.wantedZoom));
        } else if (choice.wantedPan != glm::vec2(0)) {
            const glm::vec2 size(area.width(), area.height());
            put(views_.panned(tile_.view, glm::ivec2(-choice.wantedPan * size)));
        }
    }

    bool drag() const {
        for (const ImGuiMouseButton button : {ImGuiMouseButton_Left, ImGuiMouseButton_Middle}) {
            if (!ImGui::IsItemActive() || !ImGui::IsMouseDragging(button)) continue;
            const ImVec2 way = ImGui::GetMouseDragDelta(button);
            ImGui::ResetMouseDragDelta(button);
            c_.edits.dragged = true;
            if (way.x != 0 || way.y != 0) {
                put(views_.panned(tile_.view, {static_cast<int>(way.x), static_cast<int>(way.y)}));
            }
            return true;
        }
        return false;
    }

    static Command pickOf(const CellUnder& cell) {
        const sim::Place& place = cell.cell;
        if (place.kind == sim::Place::Kind::memory) return command::PickMemory{place.from, place.bytes};
        return command::PickWay{place.level, place.cache, place.set, place.way};
    }

    /// A click picks; with Shift it also opens the history.
    void click(const CellUnder& cell) const {
        c_.queue(pickOf(cell));
        if (ImGui::GetIO().KeyShift) c_.queue(command::HistoryShow{});
    }

    const PanelContext& c_;
    const Tile& tile_;
    CellViews& views_;
    ViewId view_;
    glm::ivec2 at_;
};

/// How far the sums have come, in the upper right corner.
void drawProgress(const PanelContext& c, const Tile& tile, double fraction) {
    if (fraction < 0) return;
    const std::string words = fmt::format("{:.0f} %", 100 * fraction);
    const float right = static_cast<float>(tile.where.x + tile.where.width) - 8 * c.scale;
    const ImVec2 at(right - ImGui::CalcTextSize(words.c_str()).x, static_cast<float>(tile.where.y) + 4 * c.scale);
    ImGui::GetWindowDrawList()->AddText(at, packed(c.colours().accent), words.c_str());
}

}  // namespace

void drawCellTile(const PanelContext& c, const Tile& tile) {
    RunView* run = c.runs.at(tile.view.run);
    if (run == nullptr) return;
    CellViews& views = run->cellViews();
    const glm::ivec2 size(tile.where.width, tile.where.height);
    const scene::FlatScene& scene = views.scene(tile.view, c.context, size, c.scale);
    drawLabels(c, tile.where, scene.labels, scene.background, glm::vec2(size) / 2.0f);
    drawProgress(c, tile, views.fraction(tile.view));
    const scene::PixelBox area = views.areaOf(tile.view);
    if (!area.isEmpty()) {
        const bool pressed =
            takeMouse(tile, "cells", area, ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonMiddle);
        CellMouse mouse(c, tile, views);
        mouse.act(pressed);
        mouse.namePlaces();
    }
    if (!c.context.panels) return;
    TileControls::drawAll(c, tile, [&](TileControls& row) { Controls(c, row, tile.view.withoutRun()).draw(); });
}

}  // namespace whorl::app
