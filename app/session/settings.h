// The settings that have a command of their own, as rows: one row gives the command (its text, its arguments, what it
// does without one), the palette's choices, what a tour may arrange and how its file spells it, the place in the file
// of settings, the option with its help, completion and manual page, and the part of the command line that draws a
// moment.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "app/session/command.h"
#include "app/session/look.h"

namespace whorl::app {

/// How a setting is read and written, whatever its type.
struct SettingAccess {
    SettingValue kind;                             ///< an example: of the type that its values have
    std::span<const std::string_view> words = {};  ///< all words of a setting that is a word
    double least = 0;                              ///< numbers beyond these limits are moved to them
    double most = 0;
    std::uint64_t readable = 0;  ///< the largest whole number that its command reads
    std::function<SettingValue(const Look&)> get = {};
    std::function<void(Look&, const SettingValue&)> set = {};
    /// The number itself, for an option that reads it; null where it has another type.
    std::function<std::variant<std::uint32_t*, std::optional<std::uint64_t>*, float*>(Look&)> number = {};

    /// A number as a value of this type.
    SettingValue numberOf(double given) const;

    template <class T>
    SettingAccess within(T from, T to) && {
        least = static_cast<double>(from);
        most = static_cast<double>(to);
        if constexpr (std::is_integral_v<T>) readable = std::numeric_limits<T>::max();
        return std::move(*this);
    }
};

/// A setting on the command line of `frame`, `film` and others; without a name it has no option.
struct SettingOption {
    std::string_view name;
    std::string_view words;
    std::optional<SettingValue> flag = {};  ///< the option has no value, and chooses this one
    bool showsDefault = false;
};

struct SettingTraits {
    /// What its command does without an argument: it toggles, or takes the next word; a number takes this value. Where
    /// the argument is needed, that is an error.
    bool needsArgument = false;
    std::optional<SettingValue> bare = {};
    std::string_view kept = {};   ///< its place in the file of settings, "disk/window"; empty: it is not kept
    std::string_view field = {};  ///< its name in the scenes of a tour's file; empty: there it is a command
    bool ofScenes = false;        ///< a scene may arrange it
    bool joins = false;           ///< changes soon after one another are undone as one
    SettingOption option = {};
    std::string_view unsaid = {};   ///< what a command line cannot express, for values without an option
    void (*then)(Look&) = nullptr;  ///< what else changes with it
};

struct Setting : SettingTraits {
    Setting(std::string_view commandId, std::string_view inWords, std::string_view ofArgument, SettingAccess access,
            const SettingTraits& traits = {})
        : SettingTraits(traits), id(commandId), words(inWords), argument(ofArgument), value(std::move(access)) {}

    std::string_view id;        ///< id of its command; empty: it has none
    std::string_view words;     ///< what the command does
    std::string_view argument;  ///< its name in help
    SettingAccess value;
};

std::span<const Setting> settings();
/// The setting with that id, or with that place in the file of settings; it must exist.
const Setting& settingNamed(std::string_view id);
const Setting& settingKept(std::string_view place);

/// The value that is set, moved into the limits.
void setTo(Look& look, const Setting& setting, const SettingValue& value);

/// "on", "24": the argument of that command.
std::string argumentOf(const Setting& setting, const SettingValue& value);
/// "lecture on", "trails 24": the text form of the command that sets it to what it is in `look`.
std::string textOf(const Setting& setting, const SettingValue& value);

/// The command that sets a setting; without a value: toggles, takes the next word, or the number of the row.
struct SettingCommand {
    const Setting* setting = nullptr;
    SettingValue value = {};
};
CommandType commandTypeOf(const Setting& setting);

/// The command that changes the setting with this id, which must exist. The value is an enumerator of the setting's
/// enumeration, a bool or a number.
Command changeOf(std::string_view id);
Command changeOf(std::string_view id, const SettingValue& value);
template <class T>
requires(std::is_enum_v<T> || std::is_arithmetic_v<T>) Command changeOf(std::string_view id, T value) {
    if constexpr (std::is_enum_v<T>) {
        return changeOf(id, SettingValue(WordIndex{static_cast<std::size_t>(value)}));
    } else if constexpr (std::is_same_v<T, bool>) {
        return changeOf(id, SettingValue(value));
    } else {
        return changeOf(id, settingNamed(id).value.numberOf(static_cast<double>(value)));
    }
}

}  // namespace whorl::app
