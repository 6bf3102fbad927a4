// The text form of commands, `id argument argument …`: conversion of values to words and back. Words are separated by
// blanks and quoted as in text traces (sim/trace/formats/text_words.h). Numbers are written so that reading them back
// gives exactly the same value.
#pragma once

#include <concepts>
#include <cstdint>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <iterator>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "app/session/arrangement.h"
#include "app/session/position.h"
#include "app/session/selection.h"
#include "app/session/view_id.h"
#include "app/session/words.h"
#include "render/scene/scene.h"
#include "render/scene/space/space_camera.h"
#include "sim/base/error.h"
#include "sim/base/types.h"
#include "sim/trace/layout/layout_change.h"

namespace whorl::app {

/// A role of the palette, as an argument: index into scene::colourRoles().
struct RoleArgument {
    std::size_t role = 0;
    bool operator==(const RoleArgument&) const = default;
};

class WordWriter {
  public:
    /// Adds a word, quoted if necessary.
    void add(std::string_view word);
    const std::string& text() const { return text_; }

  private:
    std::string text_;
};

/// A text that needs no quotes, as it goes to the end of the command: its words with a blank between them.
struct Phrase {
    std::string words;
    bool operator==(const Phrase&) const = default;
};

class WordReader {
  public:
    /// An error if a quoted word is not terminated.
    static sim::Expected<WordReader> of(std::string_view text);

    bool empty() const { return next_ == words_.size(); }
    /// The next word; an error if there is none.
    sim::Expected<std::string> next();

  private:
    std::vector<std::string> words_;
    std::size_t next_ = 0;
};

// --- values: put() writes one, take() reads one. Errors quote the word and state what was expected.

void put(WordWriter& out, bool value);  ///< on, off
void put(WordWriter& out, float value);
void put(WordWriter& out, double value);
void put(WordWriter& out, const std::string& value);
void put(WordWriter& out, const Position& value);   ///< 1200.5, 50%
void put(WordWriter& out, sim::ByteAddress value);  ///< 0x1040
void put(WordWriter& out, glm::vec2 value);
void put(WordWriter& out, scene::Rgba value);    ///< f69518
void put(WordWriter& out, RoleArgument value);   ///< cpu-3
void put(WordWriter& out, const ViewId& value);  ///< block:0, see wordOf()
void put(WordWriter& out, const scene::Target& value);
void put(WordWriter& out, const scene::SpaceCamera& value);
void put(WordWriter& out, const ObjectPick& value);
void put(WordWriter& out, const StayPick& value);
void put(WordWriter& out, const sim::LayoutChange& value);  ///< align:B:64
void put(WordWriter& out, const Tiling& value);             ///< row(rings,memory)
void put(WordWriter& out, const Phrase& value);

sim::Expected<void> take(WordReader& in, bool& value);
sim::Expected<void> take(WordReader& in, float& value);  ///< finite
sim::Expected<void> take(WordReader& in, double& value);
sim::Expected<void> take(WordReader& in, std::string& value);
sim::Expected<void> take(WordReader& in, Position& value);
sim::Expected<void> take(WordReader& in, sim::ByteAddress& value);
sim::Expected<void> take(WordReader& in, glm::vec2& value);
sim::Expected<void> take(WordReader& in, scene::Rgba& value);
sim::Expected<void> take(WordReader& in, RoleArgument& value);
sim::Expected<void> take(WordReader& in, ViewId& value);
sim::Expected<void> take(WordReader& in, scene::Target& value);
sim::Expected<void> take(WordReader& in, scene::SpaceCamera& value);
sim::Expected<void> take(WordReader& in, ObjectPick& value);
sim::Expected<void> take(WordReader& in, StayPick& value);
sim::Expected<void> take(WordReader& in, sim::LayoutChange& value);
sim::Expected<void> take(WordReader& in, Tiling& value);
sim::Expected<void> take(WordReader& in, Phrase& value);

/// An integer within the given bounds.
sim::Expected<std::int64_t> takeSigned(WordReader& in, std::int64_t least, std::int64_t most);
sim::Expected<std::uint64_t> takeUnsigned(WordReader& in, std::uint64_t most);
/// The index of a word in a list.
sim::Expected<std::size_t> takeWord(WordReader& in, std::span<const std::string_view> words);

template <std::integral T>
void put(WordWriter& out, T value) {
    out.add(std::to_string(value));
}
template <std::integral T>
sim::Expected<void> take(WordReader& in, T& value) {
    using Limits = std::numeric_limits<T>;
    const auto assign = [&](auto number) { value = static_cast<T>(number); };
    if constexpr (std::signed_integral<T>) {
        return takeSigned(in, Limits::min(), Limits::max()).map(assign);
    } else {
        return takeUnsigned(in, Limits::max()).map(assign);
    }
}

template <class E>
requires std::is_enum_v<E>
void put(WordWriter& out, E value) {
    out.add(wordOf(value));
}
template <class E>
requires std::is_enum_v<E> sim::Expected<void> take(WordReader& in, E& value) {
    return takeWord(in, kWords<E>).map([&](std::size_t index) { value = static_cast<E>(index); });
}

template <class Tag, class Rep>
void put(WordWriter& out, sim::Strong<Tag, Rep> value) {
    put(out, value.value);
}
template <class Tag, class Rep>
sim::Expected<void> take(WordReader& in, sim::Strong<Tag, Rep>& value) {
    return take(in, value.value);
}

/// An absent value is omitted: only the last argument of a command may be optional.
template <class T>
void put(WordWriter& out, const std::optional<T>& value) {
    if (value) put(out, *value);
}
template <class T>
sim::Expected<void> take(WordReader& in, std::optional<T>& value) {
    value.reset();
    if (in.empty()) return {};
    return take(in, value.emplace());
}

// --- commands

/// An argument of a command: a member, and its name for error messages and help.
template <class C, class T>
struct Argument {
    std::string_view name;
    T C::*member;
    static constexpr bool kIsOptional = requires(T value) { value.has_value(); };
};
template <class C, class T>
constexpr Argument<C, T> argument(std::string_view name, T C::*member) {
    return {name, member};
}

/// Further properties of a command.
struct CommandFlags {
    /// Drags, sliders, held keys: changes soon after one another are undone as one.
    bool joins = false;
    /// A tour's scene may have it: it arranges what is shown, and opens, writes or ends nothing.
    bool ofScenes = false;
    /// It picks something or shows what is picked: a scene highlights by it, once the camera is still.
    bool picks = false;
};

/// The syntax of a command and a short description. Each command is a struct with such a `kForm`.
template <class... Arguments>
struct Form {
    std::string_view id;
    std::string_view words;
    std::tuple<Arguments...> arguments;
    CommandFlags flags = {};

    constexpr Form joining() const { return {id, words, arguments, {true, flags.ofScenes}}; }
    constexpr Form picking() const { return {id, words, arguments, {flags.joins, flags.ofScenes, true}}; }
};
template <class... Arguments>
constexpr Form<Arguments...> form(std::string_view id, std::string_view words, Arguments... arguments) {
    return {id, words, {arguments...}};
}
/// The form of a command that scenes may contain.
template <class... Arguments>
constexpr Form<Arguments...> sceneForm(std::string_view id, std::string_view words, Arguments... arguments) {
    return {id, words, {arguments...}, {.ofScenes = true}};
}

template <class C>
concept CommandStruct = requires {
    C::kForm.id;
};

template <CommandStruct C>
std::string textOf(const C& command) {
    WordWriter out;
    out.add(C::kForm.id);
    std::apply([&](const auto&... argument) { (put(out, command.*argument.member), ...); }, C::kForm.arguments);
    return out.text();
}

template <class T>
struct Required {
    using Type = T;
};
template <class T>
struct Required<std::optional<T>> {
    using Type = T;
};

/// Whether a command has an argument that may not be left out.
template <CommandStruct C>
constexpr bool needsArguments() {
    return std::apply([](const auto&... argument) { return (!argument.kIsOptional || ...); }, C::kForm.arguments);
}

/// The words that a command's only argument can be, if there are a few; else none.
template <CommandStruct C>
std::vector<std::string_view> choicesOf() {
    if constexpr (std::tuple_size_v<decltype(C::kForm.arguments)> == 1) {
        constexpr auto kArgument = std::get<0>(C::kForm.arguments);
        using T = typename Required<std::remove_cvref_t<decltype(C().*kArgument.member)>>::Type;
        if constexpr (std::is_same_v<T, bool>) return {"off", "on"};
        if constexpr (std::is_enum_v<T>) return {std::begin(kWords<T>), std::end(kWords<T>)};
    }
    return {};
}

struct ArgumentName {
    std::string_view name;
    bool isOptional;
};
/// "seek POSITION": the id and the argument names; an optional argument is in brackets.
std::string usageOf(std::string_view id, std::span<const ArgumentName> arguments);
template <CommandStruct C>
std::string usageOf() {
    return std::apply(
        [](const auto&... argument) {
            const std::vector<ArgumentName> names{{argument.name, argument.kIsOptional}...};
            return usageOf(C::kForm.id, names);
        },
        C::kForm.arguments);
}

/// Reads the arguments of a command in order and keeps the first error.
class ArgumentReader {
  public:
    explicit ArgumentReader(WordReader& in) : in_(in) {}

    template <class T>
    void read(std::string_view name, T& value) {
        read(name, [&] { return take(in_, value); });
    }
    /// `take` reads the argument, and returns an Expected<void>.
    template <std::invocable Take>
    void read(std::string_view name, const Take& take) {
        if (error_) return;
        if (const auto taken = take(); !taken) keep(name, taken.error());
    }
    /// The error, if one occurred or unused words remain.
    std::optional<sim::Error> end(std::string_view id, std::string usage);

  private:
    void keep(std::string_view name, const sim::Error& error);

    WordReader& in_;
    std::optional<sim::Error> error_;
};

/// Reads the arguments of a command after its id; all words must be used.
template <CommandStruct C>
std::optional<sim::Error> takeArguments(WordReader& in, C& command) {
    ArgumentReader reader(in);
    std::apply([&](const auto&... argument) { (reader.read(argument.name, command.*argument.member), ...); },
               C::kForm.arguments);
    return reader.end(C::kForm.id, usageOf<C>());
}

}  // namespace whorl::app
