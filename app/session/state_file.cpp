#include "app/session/state_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>

#include "app/session/settings.h"
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

/// "/disk/window".
json::json_pointer pointerTo(std::string_view path) {
    return json::json_pointer("/" + std::string(path));
}

json jsonOf(const Setting& setting, const SettingValue& value) {
    const auto written = [&](const auto& given) -> json {
        using T = std::remove_cvref_t<decltype(given)>;
        if constexpr (std::is_same_v<T, std::monostate>) return nullptr;
        if constexpr (std::is_same_v<T, WordIndex>) return setting.value.words[given.index];
        if constexpr (std::is_same_v<T, float>) return std::round(1000.0 * given) / 1000;
        if constexpr (std::is_arithmetic_v<T>) return given;
    };
    return std::visit(written, value);
}

json jsonOf(const Look& look, const std::optional<WindowPlace>& place) {
    json out = {{"window", place ? jsonOf(*place) : json(nullptr)}};
    for (const Setting& setting : settings()) {
        if (!setting.kept.empty()) out[pointerTo(setting.kept)] = jsonOf(setting, setting.value.get(look));
    }
    return out;
}

/// Reads values by path and keeps the first error. Missing values are left unchanged.
class Values {
  public:
    Values(const json& root, std::string file) : root_(root), file_(std::move(file)) {}

    void read(const Setting& setting, Look& look) {
        const json* found = at(setting.kept);
        if (found == nullptr) return;
        if (const auto value = valueIn(*found, setting)) setting.value.set(look, *value);
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
    const json* at(std::string_view path) const {
        const json::json_pointer pointer = pointerTo(path);
        return root_.contains(pointer) ? &root_.at(pointer) : nullptr;
    }
    /// The value, if the JSON is one of the setting.
    std::optional<SettingValue> valueIn(const json& found, const Setting& setting) {
        const SettingAccess& access = setting.value;
        if (found.is_null() && access.get(Look{}).index() == 0) return SettingValue{};
        const auto read = [&](auto kind) -> std::optional<SettingValue> {
            using T = decltype(kind);
            if constexpr (std::is_same_v<T, bool>) {
                if (found.is_boolean()) return found.get<bool>();
                wrong(setting.kept, "true or false");
            } else if constexpr (std::is_same_v<T, WordIndex>) {
                for (std::size_t i = 0; i < access.words.size(); ++i) {
                    if (found == access.words[i]) return WordIndex{i};
                }
                wrong(setting.kept, fmt::format("one of {}", fmt::join(access.words, ", ")));
            } else if constexpr (std::is_arithmetic_v<T>) {
                if (isNumber(found, access.least, access.most)) return static_cast<T>(found.get<double>());
                wrongNumber(setting.kept, access.least, access.most);
            }
            return std::nullopt;
        };
        return std::visit(read, access.kind);
    }
    static bool isNumber(const json& found, double least, double most) {
        return found.is_number() && found.get<double>() >= least && found.get<double>() <= most;
    }
    void number(std::string_view path, double least, double most, int& value) {
        const json* found = at(path);
        if (found == nullptr) return;
        if (!isNumber(*found, least, most)) return wrongNumber(path, least, most);
        value = static_cast<int>(found->get<double>());
    }
    void wrongNumber(std::string_view path, double least, double most) {
        wrong(path, fmt::format("a number from {:g} to {:g}", least, most));
    }
    void wrong(std::string_view path, const std::string& wanted) {
        if (fault_) return;
        std::string name(path);
        std::replace(name.begin(), name.end(), '/', '.');
        fault_ = sim::Error{.where = file_, .what = name + " is not " + wanted, .hint = {}};
    }

    const json& root_;
    std::string file_;
    std::optional<sim::Error> fault_;
};

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
    return jsonOf(session.ownLook(), session.place).dump(2) + "\n";
}

sim::Expected<void> takeState(const std::string& text, const std::string& file, Session& session) {
    if (auto faults = sim::jsonErrors(text, file); !faults.empty()) return tl::unexpected(faults.front());
    const json root = json::parse(text, nullptr, false);
    if (!root.is_object()) return sim::fail(file, "holds no JSON object");
    Session read = session;
    Values values(root, file);
    values.place(read.place);
    for (const Setting& setting : settings()) {
        if (!setting.kept.empty()) values.read(setting, read);
    }
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
