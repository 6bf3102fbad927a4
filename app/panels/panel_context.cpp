#include "app/panels/panel_context.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <vector>

#include "app/session/compared_runs.h"

namespace whorl::app {

namespace {

double timeOf(const Position& position, const PanelContext& c) {
    return position.in(static_cast<double>(c.trace().size()), c.context.player.position());
}

constexpr int kScanStep = 12;  ///< pixels between sampled points

std::string frameLine(std::uint64_t appliedCommands) {
    const ImGuiIO& io = ImGui::GetIO();
    unsigned buttons = 0;
    for (unsigned b = 0; b < 3; ++b) buttons |= io.MouseDown[b] ? 1U << b : 0U;
    const bool isInside = ImGui::IsMousePosValid(&io.MousePos);
    const std::string mouse = isInside ? fmt::format("{:.0f} {:.0f}", io.MousePos.x, io.MousePos.y) : "outside";
    return fmt::format("applied {} mouse {} buttons {}\n", appliedCommands, mouse, buttons);
}

}  // namespace

command::Seek PanelContext::ofOpenRun(const command::Seek& seek) const {
    return run == 0 ? seek : command::Seek{openRunTime(session, run, timeOf(seek.position, *this))};
}

void PanelContext::queue(const command::Range& range) const {
    if (run == 0) return queue(Command(range));
    const auto in = [&](const Position& t) { return openRunTime(session, run, timeOf(t, *this)); };
    queue(Command(command::Range{in(range.from), in(range.to)}));
}

void PanelContext::queue(const command::TimeSeen& seen) const {
    if (run == 0) return queue(Command(seen));
    const scene::TimeSpan in = openRunSeen(session, run, {timeOf(seen.from, *this), timeOf(seen.to, *this)});
    queue(Command(command::TimeSeen{in.from, in.to}));
}

void PanelContext::queue(const command::ViewRange& range) const {
    if (run == 0) return queue(Command(range));
    const auto in = [&](const Position& t) { return std::round(openRunTime(session, run, timeOf(t, *this))); };
    queue(Command(command::ViewRange{range.view, in(range.from), in(range.to)}));
}

std::optional<NamedPlaces> NamedPlaces::asked() {
    const char* const file = std::getenv("WHORL_PLACES");
    if (file == nullptr) return std::nullopt;
    return NamedPlaces(file);
}

void NamedPlaces::begin(std::uint64_t appliedCommands) {
    applied_ = appliedCommands;
    lines_.clear();
    scans_ = Clock::now() >= nextScan_;
    scanning_ = {};
    if (scans_ || scannedAt_ != applied_) scanned_.clear();
}

void NamedPlaces::add(const std::string& name, ImVec2 from, ImVec2 to) {
    lines_ += fmt::format("{:.0f} {:.0f} {}\n", (from.x + to.x) / 2, (from.y + to.y) / 2, name);
}

void NamedPlaces::scan(const gl::Rect& picture, const std::function<std::string(glm::vec2)>& nameAt) {
    const auto start = Clock::now();
    std::map<std::string, std::vector<glm::ivec2>> found;
    for (int y = kScanStep; y < picture.height; y += kScanStep) {
        for (int x = kScanStep; x < picture.width; x += kScanStep) {
            const std::string name = nameAt({x, y});
            if (!name.empty()) found[name].push_back({picture.x + x, picture.y + y});
        }
    }
    for (const auto& [name, points] : found) {
        const glm::ivec2 at = points[points.size() / 2];
        scanned_ += fmt::format("{} {} {}\n", at.x, at.y, name);
    }
    scanning_ += Clock::now() - start;
}

void NamedPlaces::finish() {
    if (scans_) {
        scannedAt_ = applied_;
        nextScan_ = Clock::now() + 5 * scanning_;
    }
    std::string text = frameLine(applied_) + lines_ + scanned_;
    if (text == written_) return;
    written_ = std::move(text);
    if (file_.empty()) return;
    const std::string part = file_ + ".part";
    std::ofstream(part) << written_;
    std::error_code ignored;  // errors are ignored: a test that finds no file reports it
    std::filesystem::rename(part, file_, ignored);
}

}  // namespace whorl::app
