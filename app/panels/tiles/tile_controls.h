// The controls of a view, in a row under its title: as many as fit, the first ones first; a button at its end opens all
// of them. Their places do not depend on what is picked.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "app/panels/panel_context.h"
#include "app/panels/widgets.h"

namespace whorl::app {

class TileControls {
  public:
    /// Calls draw(TileControls&) for the row, and again for all controls below each other, if they have been opened.
    template <class Draw>
    static void drawAll(const PanelContext& c, const Tile& tile, const Draw& draw) {
        TileControls row(c, tile);
        row.begin();
        draw(row);
        if (row.endsOpen()) {
            row.isList_ = true;
            draw(row);
            ImGui::EndPopup();
        }
        row.end();
    }

    /// A choice of one of several words, `width` pixels wide at scale 1; see combo().
    template <class Words, class CommandFor>
    void choose(const char* id, float width, const Words& words, std::size_t now, const CommandFor& commandFor,
                const std::string& help) {
        if (!next(width * c_.scale)) return;
        ImGui::SetNextItemWidth(width * c_.scale);
        combo(c_, fmt::format("##{}", id).c_str(), words, now, commandFor);
        named(id, help);
    }

    /// A button that is bright while something is on.
    void toggle(const char* words, bool on, const Command& command, const std::string& help);

    /// A number on a logarithmic scale.
    template <class CommandFor>
    void slide(const char* id, float width, float now, float least, float most, const char* format,
               const std::string& help, const CommandFor& commandFor) {
        if (!next(width * c_.scale)) return;
        ImGui::SetNextItemWidth(width * c_.scale);
        const auto flags = ImGuiSliderFlags_Logarithmic | ImGuiSliderFlags_AlwaysClamp;
        if (ImGui::SliderFloat(fmt::format("##{}", id).c_str(), &now, least, most, format, flags)) {
            c_.queue(commandFor(std::round(now)));
        }
        named(id, help);
    }

  private:
    TileControls(const PanelContext& c, const Tile& tile) : c_(c), tile_(tile) {}
    void begin();
    bool endsOpen();
    void end() const;
    bool next(float width);
    void named(const char* id, const std::string& help) const;

    const PanelContext& c_;
    const Tile& tile_;
    float right_ = 0;
    bool isFirst_ = true;
    bool isOver_ = false;  ///< some did not fit
    bool isList_ = false;  ///< below each other: all fit
};

}  // namespace whorl::app
