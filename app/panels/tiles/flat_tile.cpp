// A flat view in its tile.
#include <fmt/format.h>

#include <cmath>
#include <span>
#include <string>

#include "app/panels/labels.h"
#include "app/panels/mouse.h"
#include "app/panels/panels.h"
#include "app/panels/tiles/tile_frame.h"
#include "app/panels/widgets.h"
#include "app/views/views.h"

namespace whorl::app {

namespace {

/// Draws controls one after the other: in a row, or in a list.
class ControlRow {
  public:
    ControlRow(const PanelContext& c, const Tile& tile, float right, bool isList)
        : c_(c), tile_(tile), right_(right), room_(right - ImGui::GetCursorScreenPos().x), isList_(isList) {}

    void draw(const ViewControl& control) {
        std::visit([&](const auto& is) { draw(control, is); }, control.is);
    }
    /// Some did not fit.
    bool isOver() const { return isOver_; }
    /// None did.
    bool isEmpty() const { return isFirst_; }

  private:
    void draw(const ViewControl& control, const ViewControl::Toggle& toggle) {
        const char* const words = control.id.c_str();
        if (!next(ImGui::CalcTextSize(words).x + 2 * ImGui::GetStyle().FramePadding.x)) return;
        ImGui::PushStyleColor(ImGuiCol_Text, toggle.on ? c_.colours().accent : c_.colours().muted);
        if (ImGui::SmallButton(words)) c_.queue(toggle.command);
        ImGui::PopStyleColor();
        name(control);
    }
    void draw(const ViewControl& control, const ViewControl::Choice& choice) {
        // In a small tile it is narrower, so that another control has room, too.
        const float most = isList_ ? choice.width * c_.scale : std::max(90 * c_.scale, 0.55f * room_);
        const float width = std::min(choice.width * c_.scale, most);
        if (!next(width)) return;
        ImGui::SetNextItemWidth(width);
        std::vector<std::string_view> words;
        words.reserve(choice.options.size());
        for (const ViewControl::Option& option : choice.options) words.emplace_back(option.words);
        combo(c_, fmt::format("##{}", control.id).c_str(), words, choice.now,
              [&](std::size_t i) { return choice.options[i].command; });
        name(control);
    }
    void draw(const ViewControl& control, const ViewControl::Slider& slider) {
        if (!next(slider.width * c_.scale)) return;
        ImGui::SetNextItemWidth(slider.width * c_.scale);
        const auto flags = ImGuiSliderFlags_Logarithmic | ImGuiSliderFlags_AlwaysClamp;
        float now = slider.now;
        const std::string id = fmt::format("##{}", control.id);
        if (ImGui::SliderFloat(id.c_str(), &now, slider.least, slider.most, slider.format, flags)) {
            c_.queue(slider.commandFor(std::round(now)));
        }
        name(control);
    }

    /// Whether another control of this width fits; continues the line.
    bool next(float width) {
        if (isList_) return true;
        const float gap = 6 * c_.scale;
        const float left = isFirst_ ? ImGui::GetCursorScreenPos().x : ImGui::GetItemRectMax().x + gap;
        // What follows one that does not fit is not drawn before it.
        isOver_ = isOver_ || left + width > right_;
        if (isOver_) return false;
        if (!isFirst_) ImGui::SameLine(0, gap);
        isFirst_ = false;
        return true;
    }
    void name(const ViewControl& control) const {
        nameItem(c_, fmt::format("{}{} {}", isList_ ? "list " : "", control.id, wordOf(tile_.view)));
        hint(control.help);
    }

    const PanelContext& c_;
    const Tile& tile_;
    float right_;
    float room_;   ///< the width of the row
    bool isList_;  ///< below each other: all fit
    bool isFirst_ = true;
    bool isOver_ = false;
};

/// Draws all controls in a popup, opened by the button at the end of the row.
void drawList(const PanelContext& c, const Tile& tile, std::span<const ViewControl> controls) {
    if (!ImGui::BeginPopup("controls")) return;
    ControlRow list(c, tile, 0, true);
    for (const ViewControl& control : controls) list.draw(control);
    ImGui::EndPopup();
}

void drawControls(const PanelContext& c, const Tile& tile, std::span<const ViewControl> controls) {
    const float top = std::round(1.9f * viewText(c.scale));
    // A picture that is hardly higher than its title has no room for them.
    if (controls.empty() || static_cast<float>(tile.where.height) < 2 * top) return;
    const float margin = 8 * c.scale;
    ImGui::PushFont(c.fonts.small);
    ImGui::PushID(wordOf(tile.view).c_str());
    const float more = ImGui::CalcTextSize("…").x + 2 * ImGui::GetStyle().FramePadding.x + 6 * c.scale;
    const float right = static_cast<float>(tile.where.x + tile.where.width) - margin - more;
    ImGui::SetCursorScreenPos({static_cast<float>(tile.where.x) + margin, static_cast<float>(tile.where.y) + top});
    ControlRow row(c, tile, right, false);
    for (const ViewControl& control : controls) row.draw(control);
    if (row.isOver()) {
        if (!row.isEmpty()) ImGui::SameLine(0, 6 * c.scale);
        if (ImGui::SmallButton("…")) ImGui::OpenPopup("controls");
        nameItem(c, fmt::format("more {}", wordOf(tile.view)));
        hint("all settings of this view");
    }
    drawList(c, tile, controls);
    ImGui::PopID();
    ImGui::PopFont();
}

class FlatMouse {
  public:
    FlatMouse(const PanelContext& c, const Tile& tile, Views& views, const ViewQuery& query)
        : c_(c), tile_(tile), views_(views), query_(query), at_(mouseIn(tile)) {}

    void act() const {
        if (!usesMouse()) return;
        const auto time = views_.timeAt(query_, at_);
        const auto plane = views_.planeAt(query_, at_);
        const auto hit = views_.hitAt(query_, at_);
        Gestures gestures;
        if (time) addTime(c_, gestures, *time);
        if (plane) addPlane(gestures, *plane);
        gestures.click = [&] {
            if (hit) return clickOn(c_, *hit);
            // Where there is nothing to pick, the playhead moves.
            if (time) c_.queue(command::Seek{std::floor(time->here.from)});
        };
        gestures.ask = [&] {
            return subjectAt(c_, tile_, hit, time ? std::optional(std::floor(time->here.from)) : std::nullopt);
        };
        if (hit) {
            gestures.tell = [&] {
                if (hit->box.isEmpty()) return drawTooltip(c_, wordsOf(*hit));
                tellOf(c_, tile_, hit->box, wordsOf(*hit));
            };
        }
        app::act(c_, gestures);
    }

    /// Records for tests what can be clicked where.
    void namePlaces() const {
        if (c_.places == nullptr || !c_.places->scans()) return;
        c_.places->scan(tile_.where, [&](glm::vec2 at) {
            const auto hit = views_.hitAt(query_, glm::ivec2(at));
            if (hit && hit->time) return Command(c_.ofOpenRun(command::Seek{*hit->time})).text();
            return hit && !hit->click.empty() ? hit->click.front().text() : std::string();
        });
    }

  private:
    void addPlane(Gestures& gestures, const PlanePointer& plane) const {
        gestures.zoom = [&](float notches) { c_.queue(plane.zoomed(notches > 0 ? 1 : -1)); };
        if (plane.moved) gestures.move = [&](glm::vec2 pixels) { c_.queue(plane.moved(glm::ivec2(pixels))); };
        gestures.showAll = [&] { c_.queue(plane.fitted); };
        if (plane.isInset) gestures.handle = Handle{.atOnce = true};
        gestures.carry = [&](const Handle&) {
            if (const auto centred = plane.centred ? plane.centred() : std::nullopt) c_.queue(*centred);
        };
    }

    const PanelContext& c_;
    const Tile& tile_;
    Views& views_;
    const ViewQuery& query_;
    glm::ivec2 at_;
};

/// How much of what the view shows has been computed, in the upper right corner.
void drawProgress(const PanelContext& c, const Tile& tile, double fraction) {
    if (fraction < 0) return;
    const std::string words = fmt::format("{:.0f} %", 100 * fraction);
    const float right = static_cast<float>(tile.where.x) + titleRoom(c, tile) - 8 * c.scale;
    const ImVec2 at(right - ImGui::CalcTextSize(words.c_str()).x, static_cast<float>(tile.where.y) + 4 * c.scale);
    ImGui::GetWindowDrawList()->AddText(at, packed(c.colours().accent), words.c_str());
}

}  // namespace

void drawFlatTile(const PanelContext& c, const Tile& tile, Views& views, const scene::FlatScene& picture) {
    const ViewQuery query{tile.view, c.context, {tile.where.width, tile.where.height}, c.scale};
    drawLabels(c, tile.where, labelsUnderBar(c, tile, picture.labels), picture.background,
               glm::vec2(query.size) / 2.0f);
    drawProgress(c, tile, views.fraction(tile.view));
    if (const auto wanted = views.wanted(query)) c.queue(*wanted);
    const scene::PixelBox area = views.mouseArea(query);
    if (!area.isEmpty()) {
        takeMouse(tile, area);
        const FlatMouse mouse(c, tile, views, query);
        mouse.act();
        mouse.namePlaces();
    }
    if (c.context.panels) drawControls(c, tile, views.controls(query).all());
}

}  // namespace whorl::app
