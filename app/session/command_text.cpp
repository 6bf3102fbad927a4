#include "app/session/command_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "render/scene/palette.h"
#include "sim/base/real_number.h"
#include "sim/base/text.h"
#include "sim/trace/formats/text_words.h"

namespace whorl::app {

namespace {

tl::unexpected<sim::Error> wrong(const std::string& word, const std::string& wanted) {
    return sim::fail({}, fmt::format("{} is not {}", sim::quotedText(word), wanted));
}

/// Parses the whole word in the given base; nothing if it is not a number or too large.
template <class T>
std::optional<T> numberIn(std::string_view word, int base = 10) {
    T value{};
    const char* const end = word.data() + word.size();
    const auto [stop, error] = std::from_chars(word.data(), end, value, base);
    if (word.empty() || error != std::errc() || stop != end) return std::nullopt;
    return value;
}

template <class T>
sim::Expected<void> takeReal(WordReader& in, T& value) {
    const auto word = WHORL_TRY(in.next());
    const auto read = sim::realNumber(word);
    if (!read || !std::isfinite(static_cast<T>(*read))) return wrong(word, "a number");
    value = static_cast<T>(*read);
    return {};
}

/// Writes several values in order.
template <class... T>
void putAll(WordWriter& out, const T&... values) {
    (put(out, values), ...);
}
template <class... T>
sim::Expected<void> takeAll(WordReader& in, T&... values) {
    sim::Expected<void> taken;
    ((taken = taken.and_then([&] { return take(in, values); })), ...);
    return taken;
}

}  // namespace

void WordWriter::add(std::string_view word) {
    if (!text_.empty()) text_ += ' ';
    text_ += sim::asWord(word);
}

sim::Expected<WordReader> WordReader::of(std::string_view text) {
    auto words = sim::splitWords(text);
    if (!words) {
        return sim::fail({}, "a word in quotes has no end, or an escape that is not known",
                         R"(close it with "; within quotes write \" and \\ for " and \)");
    }
    WordReader reader;
    for (sim::Word& word : *words) reader.words_.push_back(std::move(word.text));
    return reader;
}

sim::Expected<std::string> WordReader::next() {
    if (empty()) return sim::fail({}, "is missing");
    return words_[next_++];
}

sim::Expected<std::int64_t> takeSigned(WordReader& in, std::int64_t least, std::int64_t most) {
    const auto word = WHORL_TRY(in.next());
    const auto value = numberIn<std::int64_t>(word);
    if (!value || *value < least || *value > most) {
        return wrong(word, fmt::format("a whole number from {} to {}", least, most));
    }
    return *value;
}

sim::Expected<std::uint64_t> takeUnsigned(WordReader& in, std::uint64_t most) {
    const auto word = WHORL_TRY(in.next());
    const auto value = numberIn<std::uint64_t>(word);
    if (!value || *value > most) return wrong(word, fmt::format("a whole number from 0 to {}", most));
    return *value;
}

sim::Expected<std::size_t> takeWord(WordReader& in, std::span<const std::string_view> words) {
    const auto word = WHORL_TRY(in.next());
    std::vector<std::string> all;
    all.reserve(words.size());
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i] == word) return i;
        all.emplace_back(words[i]);
    }
    return wrong(word, sim::joinNames(all, "or"));
}

void put(WordWriter& out, bool value) {
    out.add(value ? "on" : "off");
}

sim::Expected<void> take(WordReader& in, bool& value) {
    static constexpr WordList<2> kSwitch{"off", "on"};
    return takeWord(in, kSwitch).map([&](std::size_t index) { value = index == 1; });
}

void put(WordWriter& out, float value) {
    out.add(fmt::format("{}", value));
}
void put(WordWriter& out, double value) {
    out.add(fmt::format("{}", value));
}

sim::Expected<void> take(WordReader& in, float& value) {
    return takeReal(in, value);
}
sim::Expected<void> take(WordReader& in, double& value) {
    return takeReal(in, value);
}

void put(WordWriter& out, const std::string& value) {
    out.add(value);
}

sim::Expected<void> take(WordReader& in, std::string& value) {
    return in.next().map([&](const std::string& word) { value = word; });
}

void put(WordWriter& out, const Position& value) {
    out.add(value.text());
}

sim::Expected<void> take(WordReader& in, Position& value) {
    return in.next().and_then(Position::from).map([&](const Position& position) { value = position; });
}

void put(WordWriter& out, sim::ByteAddress value) {
    out.add(fmt::format("{:#x}", value.value));
}

sim::Expected<void> take(WordReader& in, sim::ByteAddress& value) {
    const auto word = WHORL_TRY(in.next());
    const auto read =
        word.starts_with("0x") ? numberIn<std::uint64_t>(word.substr(2), 16) : numberIn<std::uint64_t>(word);
    if (!read) return wrong(word, "an address such as 0x1040");
    value = sim::ByteAddress{*read};
    return {};
}

void put(WordWriter& out, glm::vec2 value) {
    putAll(out, value.x, value.y);
}

sim::Expected<void> take(WordReader& in, glm::vec2& value) {
    return takeAll(in, value.x, value.y);
}

void put(WordWriter& out, scene::Rgba value) {
    out.add(fmt::format("{:02x}{:02x}{:02x}", value.r, value.g, value.b));
}

sim::Expected<void> take(WordReader& in, scene::Rgba& value) {
    const auto word = WHORL_TRY(in.next());
    const auto rgb = numberIn<std::uint32_t>(word, 16);
    if (!rgb || word.size() != 6) return wrong(word, "a colour such as f69518");
    value = scene::hex(*rgb);
    return {};
}

void put(WordWriter& out, RoleArgument value) {
    out.add(scene::colourRoles()[value.role].name);
}

sim::Expected<void> take(WordReader& in, RoleArgument& value) {
    const auto word = WHORL_TRY(in.next());
    const auto roles = scene::colourRoles();
    const auto at = std::ranges::find(roles, word, &scene::ColourRole::name);
    if (at == roles.end()) return wrong(word, "a role of colours such as cpu-0, source, object or state-shared");
    value.role = static_cast<std::size_t>(at - roles.begin());
    return {};
}

void put(WordWriter& out, const ViewId& value) {
    out.add(wordOf(value));
}

sim::Expected<void> take(WordReader& in, ViewId& value) {
    const auto word = WHORL_TRY(in.next());
    const auto view = viewOf(word);
    if (!view) return wrong(word, "a view such as rings, source, object, block:0 or collisions");
    value = *view;
    return {};
}

void put(WordWriter& out, const scene::Target& value) {
    putAll(out, value.kind, value.level, value.cache, value.cpu, value.rank, value.set, value.address, value.region,
           value.flow, value.tick);
}

sim::Expected<void> take(WordReader& in, scene::Target& value) {
    return takeAll(in, value.kind, value.level, value.cache, value.cpu, value.rank, value.set, value.address,
                   value.region, value.flow, value.tick);
}

void put(WordWriter& out, const scene::SpaceCamera& value) {
    putAll(out, value.target.x, value.target.y, value.target.z, value.azimuth, value.elevation, value.span,
           value.perspective);
}

sim::Expected<void> take(WordReader& in, scene::SpaceCamera& value) {
    return takeAll(in, value.target.x, value.target.y, value.target.z, value.azimuth, value.elevation, value.span,
                   value.perspective);
}

void put(WordWriter& out, const ObjectPick& value) {
    putAll(out, value.kind, value.id, value.address);
}

sim::Expected<void> take(WordReader& in, ObjectPick& value) {
    return takeAll(in, value.kind, value.id, value.address);
}

void put(WordWriter& out, const StayPick& value) {
    putAll(out, value.level, value.cache, value.block, value.from);
}

sim::Expected<void> take(WordReader& in, StayPick& value) {
    return takeAll(in, value.level, value.cache, value.block, value.from);
}

void put(WordWriter& out, const sim::LayoutChange& value) {
    out.add(sim::asText(value));
}

sim::Expected<void> take(WordReader& in, sim::LayoutChange& value) {
    return in.next().and_then(sim::parseLayoutChange).map([&](sim::LayoutChange change) { value = std::move(change); });
}

void put(WordWriter& out, const Tiling& value) {
    out.add(textOf(value));
}

sim::Expected<void> take(WordReader& in, Tiling& value) {
    Phrase text;
    return take(in, text).and_then([&] { return tilingFrom(text.words); }).map([&](Tiling read) {
        value = std::move(read);
    });
}

void put(WordWriter& out, const Phrase& value) {
    for (std::string_view rest = sim::trimmed(value.words); !rest.empty(); rest = sim::trimmed(rest)) {
        const std::size_t end = std::min(rest.find(' '), rest.size());
        out.add(rest.substr(0, end));
        rest.remove_prefix(end);
    }
}

sim::Expected<void> take(WordReader& in, Phrase& value) {
    value.words = WHORL_TRY(in.next());
    while (!in.empty()) value.words += ' ' + WHORL_TRY(in.next());
    return {};
}

std::string usageOf(std::string_view id, std::span<const ArgumentName> arguments) {
    std::string out(id);
    for (const ArgumentName& argument : arguments) {
        out += argument.isOptional ? " [" : " ";
        for (const char c : argument.name) out += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
        if (argument.isOptional) out += ']';
    }
    return out;
}

void ArgumentReader::keep(std::string_view name, const sim::Error& error) {
    error_ = error;
    error_->what = std::string(name) + " " + error.what;
}

std::optional<sim::Error> ArgumentReader::end(std::string_view id, std::string usage) {
    if (!error_ && !in_.empty()) error_ = sim::Error{.what = "there are too many words"};
    if (!error_) return std::nullopt;
    error_->where = id;
    if (error_->hint.empty()) error_->hint = "write " + std::move(usage);
    return error_;
}

}  // namespace whorl::app
