#include "app/session/state_file.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>

#include "app/session/tour/presenting.h"
#include "app/session/words.h"
#include "sim/base/byte_sink.h"
#include "sim/base/json_text.h"
#include "sim/base/output_target.h"
#include "sim/base/small_file.h"

namespace whorl::app {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::uint64_t kMostBytes = 1u << 20;

json jsonOf(const WindowPlace& place) {
    return {{"width", place.width}, {"height", place.height}, {"x", place.x}, {"y", place.y}};
}

json jsonOf(const Session& s) {
    const sim::GaugeSettings& gauge = s.look.gauge;
    return {{"window", s.place ? jsonOf(*s.place) : json(nullptr)},
            {"ground", wordOf(s.ground)},
            {"lecture", s.lecture},
            {"scale", std::round(1000.0 * s.enlarged) / 1000},
            {"reducedMotion", s.look.reducedMotion},
            {"fillByUse", s.look.use},
            {"legend", s.overlays.legend},
            {"explain", s.overlays.explain},
            {"trails", s.trails},
            {"lapse", s.lapse ? json(*s.lapse) : json(nullptr)},
            {"glyphs", wordOf(s.look.grain)},
            {"rings", wordOf(s.look.rings)},
            {"disk",
             {{"shows", wordOf(gauge.what)},
              {"over", wordOf(gauge.over)},
              {"window", gauge.window},
              {"kind", wordOf(gauge.kind)},
              {"nearestMiss", gauge.scores.nearestMiss},
              {"miss", gauge.scores.miss},
              {"hit", gauge.scores.hit}}},
            {"panels",
             {{"left", s.sizes.left},
              {"right", s.sizes.right},
              {"bottom", s.sizes.bottom},
              {"statistics", s.sizes.statistics},
              {"source", s.sizes.source}}}};
}

/// Reads values by path and keeps the first error. Missing values are left unchanged.
class Values {
  public:
    Values(const json& root, std::string file) : root_(root), file_(std::move(file)) {}

    void flag(const char* path, bool& value) {
        const json* found = at(path);
        if (found == nullptr) return;
        if (!found->is_boolean()) return wrong(path, "true or false");
        value = found->get<bool>();
    }
    template <class T>
    void number(const char* path, double least, double most, T& value) {
        const json* found = at(path);
        if (found == nullptr) return;
        const bool isIn = found->is_number() && found->get<double>() >= least && found->get<double>() <= most;
        if (!isIn) return wrong(path, fmt::format("a number from {:g} to {:g}", least, most));
        value = static_cast<T>(found->get<double>());
    }
    template <class T>
    void word(const char* path, T& value) {
        const json* found = at(path);
        if (found == nullptr) return;
        const auto known =
            found->is_string() ? valueNamed<T>(found->get_ref<const std::string&>()) : std::optional<T>();
        if (known) {
            value = *known;
            return;
        }
        std::string all;
        for (const std::string_view w : kWords<T>) all += (all.empty() ? "" : ", ") + std::string(w);
        wrong(path, "one of " + all);
    }
    void lapse(const char* path, std::optional<std::uint64_t>& value) {
        const json* found = at(path);
        if (found == nullptr) return;
        if (found->is_null()) {
            value.reset();
            return;
        }
        number(path, 1, static_cast<double>(Session::kMostLapse), value.emplace());
    }
    void place(std::optional<WindowPlace>& value) {
        const json* found = at("window");
        if (found == nullptr || found->is_null()) return;
        WindowPlace place{.width = 0};
        number("window/width", WindowPlace::kLeast, WindowPlace::kMost, place.width);
        number("window/height", WindowPlace::kLeast, WindowPlace::kMost, place.height);
        number("window/x", -WindowPlace::kMost, WindowPlace::kMost, place.x);
        number("window/y", -WindowPlace::kMost, WindowPlace::kMost, place.y);
        if (place.width > 0 && place.height > 0) value = place;
    }
    const std::optional<sim::Error>& fault() const { return fault_; }

  private:
    const json* at(const char* path) const {
        const json::json_pointer pointer(std::string("/") + path);
        return root_.contains(pointer) ? &root_.at(pointer) : nullptr;
    }
    void wrong(std::string path, const std::string& wanted) {
        if (fault_) return;
        std::replace(path.begin(), path.end(), '/', '.');
        fault_ = sim::Error{.where = file_, .what = path + " is not " + wanted, .hint = {}};
    }

    const json& root_;
    std::string file_;
    std::optional<sim::Error> fault_;
};

void readGauge(Values& values, sim::GaugeSettings& gauge) {
    values.word("disk/shows", gauge.what);
    values.word("disk/over", gauge.over);
    values.number("disk/window", 1, sim::GaugeSettings::kMostWindow, gauge.window);
    values.word("disk/kind", gauge.kind);
    values.number("disk/nearestMiss", -100, 100, gauge.scores.nearestMiss);
    values.number("disk/miss", -100, 100, gauge.scores.miss);
    values.number("disk/hit", -100, 100, gauge.scores.hit);
}

void readPanels(Values& values, PanelSizes& sizes) {
    values.number("panels/left", PanelSizes::kLeastColumn, PanelSizes::kMostColumn, sizes.left);
    values.number("panels/right", PanelSizes::kLeastColumn, PanelSizes::kMostColumn, sizes.right);
    values.number("panels/bottom", PanelSizes::kLeastBottom, PanelSizes::kMostBottom, sizes.bottom);
    values.number("panels/statistics", 0.05, 0.9, sizes.statistics);
    values.number("panels/source", 0.05, 0.9, sizes.source);
}

/// Gives a file that cannot be used another name beside it, one that is free.
sim::Expected<void> moveAside(const std::string& path) {
    std::error_code unknown;
    const fs::file_status there = fs::status(path, unknown);
    if (!fs::exists(there)) return {};
    if (!fs::is_regular_file(there)) {
        return sim::fail(path, "is not a file, so that the settings are not saved",
                         "remove it, or name another folder");
    }
    std::string name = path + ".broken";
    for (int i = 2; renameat2(AT_FDCWD, path.c_str(), AT_FDCWD, name.c_str(), RENAME_NOREPLACE) != 0; ++i) {
        if (errno != EEXIST) return sim::fail(path, "cannot be moved aside: " + sim::whyNotWritten(errno));
        name = fmt::format("{}.broken{}", path, i);
    }
    return {};
}

}  // namespace

std::string stateOf(const Session& session) {
    return jsonOf(withOwnSettings(session)).dump(2) + "\n";
}

sim::Expected<void> takeState(const std::string& text, const std::string& file, Session& session) {
    if (auto faults = sim::jsonErrors(text, file); !faults.empty()) return tl::unexpected(faults.front());
    const json root = json::parse(text, nullptr, false);
    if (!root.is_object()) return sim::fail(file, "holds no JSON object");
    Session read = session;
    Values values(root, file);
    values.place(read.place);
    values.word("ground", read.ground);
    values.flag("lecture", read.lecture);
    values.number("scale", Session::kLeastEnlarged, Session::kMostEnlarged, read.enlarged);
    values.flag("reducedMotion", read.look.reducedMotion);
    values.flag("fillByUse", read.look.use);
    values.flag("legend", read.overlays.legend);
    values.flag("explain", read.overlays.explain);
    values.number("trails", 0, Session::kMostTrails, read.trails);
    values.lapse("lapse", read.lapse);
    values.word("glyphs", read.look.grain);
    values.word("rings", read.look.rings);
    readGauge(values, read.look.gauge);
    readPanels(values, read.sizes);
    if (values.fault()) return tl::unexpected(*values.fault());
    session = std::move(read);
    return {};
}

std::string StateFile::usualPath() {
    const auto folder = [](const char* name) {
        const char* value = std::getenv(name);
        // The XDG specification requires relative paths to be ignored.
        return value != nullptr && *value == '/' ? std::string(value) : std::string();
    };
    if (const std::string state = folder("XDG_STATE_HOME"); !state.empty()) return state + "/whorl/session.json";
    const std::string home = folder("HOME");
    return home.empty() ? home : home + "/.local/state/whorl/session.json";
}

sim::Expected<void> StateFile::load(Session& session) {
    std::error_code error;
    if (path_.empty() || !fs::exists(path_, error)) return {};
    isBroken_ = true;
    const auto text = sim::readSmallFile(path_, kMostBytes, "the settings of Whorl");
    if (!text) return tl::unexpected(text.error());
    if (auto taken = takeState(*text, path_, session); !taken) return taken;
    kept_ = stateOf(session);
    isBroken_ = false;
    return {};
}

void StateFile::begin(const Session& session) {
    if (kept_.empty()) kept_ = stateOf(Session{});
    begun_ = stateOf(session);
}

sim::Expected<void> StateFile::save(const Session& session) {
    const std::string now = stateOf(session);
    if (path_.empty() || now == begun_) return {};
    const json change = json::diff(json::parse(begun_), json::parse(now));
    const std::string text = json::parse(kept_).patch(change).dump(2) + "\n";
    begun_ = now;  // also on failure, so that the error is reported only once
    std::error_code error;
    fs::create_directories(fs::path(path_).parent_path(), error);
    if (error) return sim::fail(path_, "cannot be written: " + error.message());
    if (isBroken_) {
        if (auto moved = moveAside(path_); !moved) return moved;
    }
    isBroken_ = false;
    return sim::writeText(text, path_).map([&] { kept_ = text; });
}

}  // namespace whorl::app
