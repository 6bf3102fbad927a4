#include "app/panels/tiles/collisions_tile.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "app/panels/labels.h"
#include "app/panels/tiles/tile_frame.h"
#include "app/panels/widgets.h"

namespace whorl::app {

namespace {

/// The maximum number of rows and columns; the rarest are omitted.
constexpr std::size_t kMost = 16;
constexpr std::array<const char*, 3> kAmong = {"regions", "objects", "classes"};

/// The cells of one level, with their evictors and victims by frequency.
struct Matrix {
    std::vector<std::uint32_t> evictors;
    std::vector<std::uint32_t> victims;
    std::vector<const sim::Collision*> cells;
    std::uint64_t most = 1;   ///< in a cell
    std::uint64_t total = 0;  ///< in all cells, including the omitted ones
    std::size_t hidden = 0;   ///< cells that do not fit
};

std::vector<std::uint32_t> ranked(const std::map<std::uint32_t, std::uint64_t>& counts, std::size_t most) {
    std::vector<std::uint32_t> out;
    out.reserve(counts.size());
    for (const auto& [name, count] : counts) out.push_back(name);
    std::stable_sort(out.begin(), out.end(), [&](auto a, auto b) { return counts.at(a) > counts.at(b); });
    out.resize(std::min(out.size(), most));
    return out;
}

Matrix matrixOf(const sim::Collisions& collisions, std::size_t level, std::size_t rows, std::size_t columns) {
    std::map<std::uint32_t, std::uint64_t> evictors;
    std::map<std::uint32_t, std::uint64_t> victims;
    Matrix m;
    for (const sim::Collision& cell : collisions.cells) {
        if (cell.level != level) continue;
        evictors[cell.evictor] += cell.count();
        victims[cell.victim] += cell.count();
        m.total += cell.count();
    }
    m.evictors = ranked(evictors, rows);
    m.victims = ranked(victims, columns);
    const auto has = [](const std::vector<std::uint32_t>& names, std::uint32_t name) {
        return std::find(names.begin(), names.end(), name) != names.end();
    };
    for (const sim::Collision& cell : collisions.cells) {
        if (cell.level != level) continue;
        if (!has(m.evictors, cell.evictor) || !has(m.victims, cell.victim)) {
            ++m.hidden;
            continue;
        }
        m.cells.push_back(&cell);
        m.most = std::max(m.most, cell.count());
    }
    return m;
}

class MatrixView {
  public:
    MatrixView(const PanelContext& c, const Tile& tile, const sim::Collisions& collisions)
        : c_(c),
          collisions_(collisions),
          level_(std::min<std::size_t>(c.session.viewSettings.collisionLevel, c.machine().levels.size() - 1)),
          from_(static_cast<float>(tile.where.x), static_cast<float>(tile.where.y)),
          size_(static_cast<float>(tile.where.width), static_cast<float>(tile.where.height)) {
        const float gap = 10 * c.scale;
        const float line = ImGui::GetTextLineHeight();
        top_ = from_.y + 4 * ImGui::GetTextLineHeightWithSpacing();
        names_ = std::min(0.3f * size_.x, 150 * c.scale);
        left_ = from_.x + gap + names_;
        const ImVec2 room(from_.x + size_.x - gap - left_,
                          from_.y + size_.y - gap - 2 * ImGui::GetTextLineHeightWithSpacing() - top_);
        // As many rows and columns as leave room for a number in each.
        const auto fit = [](float length, float each) {
            return static_cast<std::size_t>(std::clamp(length / each, 0.0f, static_cast<float>(kMost)));
        };
        matrix_ = matrixOf(collisions, level_, fit(room.y, line), fit(room.x, 2 * line));
        const auto rows = static_cast<float>(std::max<std::size_t>(1, matrix_.evictors.size()));
        const auto columns = static_cast<float>(std::max<std::size_t>(1, matrix_.victims.size()));
        cell_.x = std::min(room.x / columns, 160 * c.scale);
        cell_.y = std::min(room.y / rows, 80 * c.scale);
    }

    void draw() {
        drawHead();
        if (matrix_.cells.empty()) {
            muted(c_, matrix_.total == 0 ? "No block was evicted from this level." : "no room");
            return;
        }
        drawNames();
        for (const sim::Collision* cell : matrix_.cells) drawCell(*cell);
        drawFoot();
    }

  private:
    void at(float x, float y) const { ImGui::SetCursorScreenPos({x, y}); }

    void drawHead() const {
        const float gap = 10 * c_.scale;
        at(from_.x + gap, from_.y + 5 * c_.scale);
        ImGui::TextUnformatted("Collisions: what evicts what");
        at(from_.x + gap, from_.y + 8 * c_.scale + ImGui::GetTextLineHeightWithSpacing());
        ImGui::PushFont(c_.fonts.small);
        for (std::size_t l = 0; l < c_.machine().levels.size(); ++l) {
            if (l > 0) ImGui::SameLine(0, 4 * c_.scale);
            choice(c_.machine().levels[l].name, l == level_, command::CollisionsLevel{static_cast<std::uint8_t>(l)});
        }
        const auto of = static_cast<std::size_t>(c_.session.viewSettings.collisionsOf);
        for (std::size_t i = 0; i < kAmong.size(); ++i) {
            ImGui::SameLine(0, (i == 0 ? 16 : 4) * c_.scale);
            choice(kAmong[i], i == of, command::CollisionsOf{static_cast<sim::CollisionsOf>(i)});
        }
        ImGui::PopFont();
        at(from_.x + gap, top_);
    }

    void choice(const std::string& words, bool on, const Command& command) const {
        ImGui::PushStyleColor(ImGuiCol_Text, on ? c_.colours().accent : c_.colours().muted);
        if (ImGui::SmallButton(words.c_str())) c_.queue(command);
        ImGui::PopStyleColor();
    }

    void drawNames() const {
        ImDrawList& list = *ImGui::GetWindowDrawList();
        const float height = ImGui::GetTextLineHeight();
        for (std::size_t i = 0; i < matrix_.evictors.size(); ++i) {
            const std::string name = cut(collisions_.names[matrix_.evictors[i]], names_ - 6 * c_.scale);
            const float width = ImGui::CalcTextSize(name.c_str()).x;
            list.AddText({left_ - width - 6 * c_.scale, rowTop(i) + (cell_.y - height) / 2}, packed(c_.colours().text),
                         name.c_str());
        }
        // Names of columns are above their cells, and every other one is raised where they would touch.
        const bool touch = std::any_of(matrix_.victims.begin(), matrix_.victims.end(), [&](std::uint32_t victim) {
            return ImGui::CalcTextSize(collisions_.names[victim].c_str()).x > cell_.x - 6 * c_.scale;
        });
        for (std::size_t i = 0; i < matrix_.victims.size(); ++i) {
            const std::string name = cut(collisions_.names[matrix_.victims[i]], 2 * cell_.x - 6 * c_.scale);
            const float width = ImGui::CalcTextSize(name.c_str()).x;
            const bool isHigh = touch && i % 2 == 1;
            const float y = top_ - (isHigh ? 2 : 1) * height - 3 * c_.scale;
            const float x = columnLeft(i) + (cell_.x - width) / 2;
            list.AddText({std::clamp(x, left_ - names_ / 2, std::max(left_, from_.x + size_.x - width - 2)), y},
                         packed(c_.colours().text), name.c_str());
        }
    }

    void drawCell(const sim::Collision& cell) const {
        const auto placeOf = [](const std::vector<std::uint32_t>& names, std::uint32_t name) {
            return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
        };
        const float x = columnLeft(placeOf(matrix_.victims, cell.victim));
        const float y = rowTop(placeOf(matrix_.evictors, cell.evictor));
        // On a logarithmic scale, so that pairs that collide rarely remain visible.
        const double share =
            std::log1p(static_cast<double>(cell.count())) / std::log1p(static_cast<double>(matrix_.most));
        ImVec4 warmth = c_.colours().warning;
        warmth.w = 0.12f + 0.6f * static_cast<float>(share);
        const ImVec2 to(x + cell_.x - 1, y + cell_.y - 1);
        ImGui::GetWindowDrawList()->AddRectFilled({x, y}, to, packed(warmth));
        const std::string words = roughCount(cell.count());
        const ImVec2 size = ImGui::CalcTextSize(words.c_str());
        if (size.x < cell_.x - 2 && size.y < cell_.y) {
            ImGui::GetWindowDrawList()->AddText({x + (cell_.x - size.x) / 2, y + (cell_.y - size.y) / 2},
                                                packed(c_.colours().text), words.c_str());
        }
        at(x, y);
        ImGui::PushID(static_cast<int>(cell.evictor * 65536 + cell.victim));
        const bool pressed = ImGui::InvisibleButton("cell", {std::max(1.0f, cell_.x - 1), std::max(1.0f, cell_.y - 1)});
        ImGui::PopID();
        const command::Seek seek{static_cast<double>(nextOf(cell).value) + 1};
        nameItem(c_, Command(seek).text());
        if (pressed) c_.queue(seek);
        if (!ImGui::IsItemHovered()) return;
        ImGui::GetWindowDrawList()->AddRect({x, y}, to, packed(c_.colours().accent));
        drawTooltip(c_, {fmt::format("{} evicts {}", collisions_.names[cell.evictor], collisions_.names[cell.victim]),
                         fmt::format("{} times in {}, first at access {}", grouped(cell.count()),
                                     c_.machine().levels[level_].name, grouped(cell.moments.front().value)),
                         "click to go to the next one"});
    }

    /// The cell's next tick after the playhead; the first one when there is none.
    sim::Tick nextOf(const sim::Collision& cell) const {
        const auto now = static_cast<std::uint64_t>(std::ceil(c_.session.player.position()));
        const auto next = std::lower_bound(cell.moments.begin(), cell.moments.end(), sim::Tick{now});
        return next == cell.moments.end() ? cell.moments.front() : *next;
    }

    void drawFoot() const {
        at(from_.x + 10 * c_.scale, from_.y + size_.y - ImGui::GetTextLineHeightWithSpacing() - 4 * c_.scale);
        ImGui::PushFont(c_.fonts.small);
        std::string words = fmt::format("{} evictions; the row evicts the column", grouped(matrix_.total));
        if (matrix_.hidden > 0) words += fmt::format("; {} rare pairs are not shown", grouped(matrix_.hidden));
        muted(c_, cut(words, size_.x - 20 * c_.scale));
        ImGui::PopFont();
    }

    float rowTop(std::size_t i) const { return top_ + static_cast<float>(i) * cell_.y; }
    float columnLeft(std::size_t i) const { return left_ + static_cast<float>(i) * cell_.x; }

    const PanelContext& c_;
    const sim::Collisions& collisions_;
    std::size_t level_;
    Matrix matrix_;
    ImVec2 from_;
    ImVec2 size_;
    float top_ = 0;    ///< of the cells
    float left_ = 0;   ///< likewise
    float names_ = 0;  ///< room for the names of rows
    ImVec2 cell_;
};

}  // namespace

void drawCollisionsTile(const PanelContext& c, const Tile& tile) {
    HistoryViews* historyViews = c.historyViews(tile.view.run);
    if (historyViews == nullptr) {
        drawHistoryPending(c, tile);
        return;
    }
    ImGui::PushID(tile.view.run);
    MatrixView(c, tile, historyViews->collisions(c.session.viewSettings.collisionsOf)).draw();
    ImGui::PopID();
}

}  // namespace whorl::app
