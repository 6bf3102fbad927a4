// Frames of ImGui without a window: panels are drawn, what is in them is found by its name and clicked, and the
// commands that this queues are returned.
#pragma once

#include <gtest/gtest.h>
#include <imgui.h>

#include <functional>
#include <iterator>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "app/panels/imgui_style.h"
#include "app/panels/panel_parts.h"
#include "app/session/compared_runs.h"
#include "app/views/tiles.h"

namespace whorl::app {

class PanelFrame {
  public:
    /// A panel or a tile, drawn in the window.
    using Draw = std::function<void(const PanelContext&)>;

    explicit PanelFrame(Session& session, Draw draw, ImVec2 size = {1280, 720})
        : session_(session), draw_(std::move(draw)) {
        ImGui::CreateContext();
        ImGuiIO& io = ImGui::GetIO();
        io.IniFilename = nullptr;
        io.DisplaySize = size;
        io.DeltaTime = 1.0f / 60;
        applyStyle(session.ground, 1);
        parts_.fonts = loadFonts(1);
        io.Fonts->Build();
        io.MousePos = {-1, -1};
        parts_.runs.follow(session_);
        settle();
    }
    ~PanelFrame() { ImGui::DestroyContext(); }
    PanelFrame(const PanelFrame&) = delete;
    PanelFrame& operator=(const PanelFrame&) = delete;

    /// Draws one frame.
    Commands next() {
        ImGui::NewFrame();
        ImGui::SetNextWindowPos({0, 0});
        ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
        ImGui::Begin("##root", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove);
        places_.begin(frames_++);
        PanelContext context = parts_.context(session_);
        context.places = &places_;
        draw_(context);
        places_.finish();
        ImGui::End();
        ImGui::Render();
        return std::exchange(parts_.commands, {});
    }

    /// What the last frame has, by name; nothing if it has no such thing.
    std::optional<ImVec2> place(const std::string& name) const {
        std::istringstream lines(places_.text());
        for (std::string line; std::getline(lines, line);) {
            std::istringstream words(line);
            ImVec2 at;
            std::string rest;
            if (words >> at.x >> at.y && std::getline(words >> std::ws, rest) && rest == name) return at;
        }
        return std::nullopt;
    }
    const std::string& places() const { return places_.text(); }

    Commands move(ImVec2 to) {
        ImGui::GetIO().MousePos = to;
        return next();
    }
    Commands button(std::size_t which, bool down) {
        ImGui::GetIO().MouseDown[which] = down;
        return next();
    }
    Commands wheel(float notches) {
        ImGui::GetIO().MouseWheel = notches;
        Commands commands = next();
        ImGui::GetIO().MouseWheel = 0;
        return commands;
    }
    /// Until the next call of it.
    void shift(bool down) { hold(down, false); }
    void hold(bool shift, bool ctrl) {
        ImGuiIO& io = ImGui::GetIO();
        io.KeyShift = shift;
        io.KeyCtrl = ctrl;
        io.KeyMods = (shift ? ImGuiKeyModFlags_Shift : 0) | (ctrl ? ImGuiKeyModFlags_Ctrl : 0);
    }

    /// The commands of a click.
    Commands click(ImVec2 at, std::size_t which = 0) {
        rest();
        Commands all = move(at);
        for (const bool down : {true, false}) add(all, button(which, down));
        return all;
    }
    Commands click(const std::string& name) {
        const auto at = place(name);
        EXPECT_TRUE(at) << name << " is not among\n" << places();
        return at ? click(*at) : Commands{};
    }
    Commands drag(ImVec2 from, ImVec2 to, std::size_t which = 0) {
        rest();
        Commands all = move(from);
        add(all, button(which, true));
        add(all, move({(from.x + to.x) / 2, (from.y + to.y) / 2}));
        add(all, move(to));
        add(all, button(which, false));
        return all;
    }

    /// Until nothing is computed any more.
    void settle() {
        const gl::Rect canvas{0, 0, static_cast<int>(ImGui::GetIO().DisplaySize.x),
                              static_cast<int>(ImGui::GetIO().DisplaySize.y)};
        do {
            parts_.runner.runAll();
            parts_.runs.update(session_, tilesOn(session_, canvas, 1), canvas, 1, 0.3);
        } while (parts_.runs.working());
    }

    PanelParts& parts() { return parts_; }

  private:
    static void add(Commands& all, Commands more) {
        all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
    }
    /// Long enough that the next press is no double click.
    void rest() {
        ImGui::GetIO().DeltaTime = 2;
        next();
        ImGui::GetIO().DeltaTime = 1.0f / 60;
    }

    Session& session_;
    Draw draw_;
    PanelParts parts_;
    NamedPlaces places_;
    std::uint64_t frames_ = 0;
};

/// The texts of commands.
inline std::vector<std::string> textsOf(const Commands& commands) {
    std::vector<std::string> texts;
    texts.reserve(commands.size());
    for (const Command& command : commands) texts.push_back(command.text());
    return texts;
}

}  // namespace whorl::app
