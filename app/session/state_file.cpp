#include "app/session/state_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "app/session/settings.h"
#include "sim/base/byte_sink.h"
#include "sim/base/input_file.h"
#include "sim/base/json_rows.h"
#include "sim/base/output_file.h"

namespace whorl::app {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using nlohmann::ordered_json;
using sim::Field;
using sim::JsonPlace;
namespace row = sim::row;

constexpr std::uint64_t kMaxBytes = 1u << 20;

/// What of a session is kept.
struct Kept : Look {
    std::optional<WindowPlace> place;
    std::vector<Layout> layouts;
    std::string editor;
    glm::ivec2 pictureSize{0};
};

Kept keptOf(const Session& session, Look look) {
    return {std::move(look), session.place, session.layouts, session.editor, session.pictureSize};
}

row::NumberRule within(double least, double most) {
    return {least, most, fmt::format("a number from {:g} to {:g}", least, most)};
}

ordered_json getValue(const Setting& setting, const Look& look) {
    const auto written = [&](const auto& given) -> ordered_json {
        using T = std::remove_cvref_t<decltype(given)>;
        if constexpr (std::is_same_v<T, std::monostate>) return nullptr;
        if constexpr (std::is_same_v<T, WordIndex>) return setting.value.words[given.index];
        if constexpr (std::is_same_v<T, float>) return std::round(1000.0 * given) / 1000;
        if constexpr (std::is_arithmetic_v<T>) return given;
    };
    return std::visit(written, setting.value.get(look));
}

/// The value, if the JSON is one of the setting.
std::optional<SettingValue> valueIn(const JsonPlace& place, const SettingAccess& access) {
    const auto read = [&](auto kind) -> std::optional<SettingValue> {
        using T = decltype(kind);
        if constexpr (std::is_same_v<T, bool>) {
            if (row::isFlagIn(place)) return place.value.get<bool>();
        } else if constexpr (std::is_same_v<T, WordIndex>) {
            const auto found = std::ranges::find_if(access.words, [&](auto word) { return place.value == word; });
            if (found != access.words.end()) return WordIndex{static_cast<std::size_t>(found - access.words.begin())};
            place.isNot(fmt::format("one of {}", fmt::join(access.words, ", ")), {});
        } else if constexpr (std::is_arithmetic_v<T>) {
            if (const auto number = within(access.least, access.most).in(place)) return static_cast<T>(*number);
        }
        return std::nullopt;
    };
    return std::visit(read, access.kind);
}

bool setValue(const Setting& setting, Look& look, const JsonPlace& place) {
    const SettingAccess& access = setting.value;
    const bool isNone = place.value.is_null() && access.get(Look{}).index() == 0;
    const auto value = isNone ? SettingValue{} : valueIn(place, access);
    if (value) access.set(look, *value);
    return value.has_value();
}

std::vector<Field<WindowPlace>> placeFields() {
    using W = WindowPlace;
    return {
        row::number("width", &W::width, within(W::kMin, W::kMax)),
        row::number("height", &W::height, within(W::kMin, W::kMax)),
        row::number("x", &W::x, within(-W::kMax, W::kMax)),
        row::number("y", &W::y, within(-W::kMax, W::kMax)),
    };
}

bool setPlace(Kept& kept, const JsonPlace& place) {
    WindowPlace read{.width = 0};
    sim::readFields(place, placeFields(), read);
    if (read.width > 0 && read.height > 0) kept.place = read;
    return true;
}

ordered_json getPlace(const Kept& kept) {
    if (!kept.place) return nullptr;
    return sim::written(placeFields(), *kept.place, nullptr);
}

/// The views and their places. Which of them the machine has is not known yet.
bool setTiles(Kept& kept, const JsonPlace& place) {
    if (!place.value.is_string()) return place.isNot("a text", "write it as the command arrange has it");
    const auto tiling = tilingFrom(place.value.get<std::string>());
    if (!tiling) return place.fault(tiling.error().what, tiling.error().hint);
    kept.viewSettings.take(*tiling, [](const ViewId&) { return true; });
    return true;
}

/// By name, so that each window adds its own.
bool setLayouts(Kept& kept, const JsonPlace& place) {
    constexpr const char* kHint = "each layout is a name and a list of commands";
    if (!place.value.is_object()) return place.isNot("an object", kHint);
    std::vector<Layout> layouts;
    for (const auto& [name, commands] : place.value.items()) {
        if (!row::isListOfTexts(commands)) return place.isNot("an object with lists of texts", kHint);
        layouts.push_back({name, commands.get<std::vector<std::string>>()});
    }
    kept.layouts = std::move(layouts);
    return true;
}

bool setEditor(Kept& kept, const JsonPlace& place) {
    if (!place.value.is_string()) return place.isNot("a text", "write a command with {file} and {line}");
    kept.editor = place.value.get<std::string>();
    return true;
}

ordered_json getLayouts(const Kept& kept) {
    auto all = ordered_json::object();
    for (const Layout& layout : kept.layouts) all[layout.name] = layout.commands;
    return all;
}

sim::Fields<Kept> stateFields() {
    static const std::vector<Field<Kept>> kFields = [] {
        std::vector<Field<Kept>> fields = {
            {"window", {}, setPlace, getPlace},
            {"tiles",
             {},
             setTiles,
             [](const Kept& kept) { return ordered_json(textOf(kept.viewSettings.tiling(kept.pictureSize))); }},
            {"layouts", {}, setLayouts, getLayouts},
            {"editor", {}, setEditor, [](const Kept& kept) { return ordered_json(kept.editor); }},
        };
        for (const Setting& setting : settings()) {
            if (setting.kept.empty()) continue;
            fields.push_back({std::string(setting.kept),
                              {},
                              [&setting](Kept& kept, const JsonPlace& place) { return setValue(setting, kept, place); },
                              [&setting](const Kept& kept) { return getValue(setting, kept); }});
        }
        return fields;
    }();
    return kFields;
}

/// Renames the file of settings, which cannot be used, so that it is kept.
sim::Expected<void> keepBroken(const std::string& path) {
    std::error_code unknown;
    const fs::file_status there = fs::status(path, unknown);
    if (!fs::exists(there)) return {};
    if (!fs::is_regular_file(there)) {
        return sim::fail(path, "is not a file, so that the settings are not saved",
                         "remove it, or name another folder");
    }
    return sim::moveAside(path);
}

}  // namespace

std::string stateOf(const Session& session) {
    // Sorted by keys, as the library does it.
    return json(sim::written<Kept>(stateFields(), keptOf(session, session.ownLook()), nullptr)).dump(2) + "\n";
}

sim::Expected<void> takeState(const std::string& text, const std::string& file, Session& session) {
    Kept kept = keptOf(session, session.look());
    const auto errors = sim::jsonFileErrors(text, file, "a file of settings", R"(it opens with {)",
                                            [&](const JsonPlace& root) { sim::readFields(root, stateFields(), kept); });
    if (!errors.empty()) return tl::unexpected(errors.front());
    session.place = kept.place;
    session.layouts = std::move(kept.layouts);
    session.editor = std::move(kept.editor);
    session.look() = std::move(kept);
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
    const auto text = WHORL_TRY(sim::readSmallFile(path_, kMaxBytes, "the settings of Whorl"));
    WHORL_TRY(takeState(text, path_, session));
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
        WHORL_TRY(keepBroken(path_));
    }
    isBroken_ = false;
    return sim::writeText(text, path_).map([&] { kept_ = text; });
}

}  // namespace whorl::app
