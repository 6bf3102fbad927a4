#include "sim/trace/layout/layout_change.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "sim/base/text.h"
#include "sim/base/types.h"

namespace whorl::sim {
namespace {

using Kind = LayoutChange::Kind;

constexpr std::array<std::string_view, 4> kVerbs = {"shift", "align", "pad", "spread"};
constexpr std::array<std::string_view, 4> kDone = {"shifted by", "aligned to", "padded to", "spread to"};
constexpr std::string_view kClass = "class:";
constexpr std::string_view kChangeForms = "use shift:NAME:BYTES, align:NAME:BYTES, pad:NAME:BYTES or spread:NAME:BYTES";

/// A number of bytes with an optional sign.
std::optional<std::int64_t> signedBytes(std::string_view text) {
    const bool negative = text.starts_with('-');
    if (negative || text.starts_with('+')) text.remove_prefix(1);
    const auto bytes = parseBytes(text);
    if (!bytes || *bytes > static_cast<std::uint64_t>(kMaxChangeBytes)) return std::nullopt;
    const auto number = static_cast<std::int64_t>(*bytes);
    return negative ? -number : number;
}

/// Removes ":BYTES" from the end of a text. Anything else is left, because it may be part of a name.
std::optional<std::int64_t> takeBytes(std::string_view& text) {
    const std::size_t colon = text.rfind(':');
    if (colon == std::string_view::npos || colon == 0) return std::nullopt;
    const auto bytes = signedBytes(text.substr(colon + 1));
    if (bytes) text = text.substr(0, colon);
    return bytes;
}

std::string where(std::string_view text) {
    return fmt::format("--map {}", quotedText(text));
}

}  // namespace

Expected<LayoutChange> parseLayoutChange(std::string_view text) {
    const std::size_t colon = std::min(text.find(':'), text.size());
    const auto verb = std::find(kVerbs.begin(), kVerbs.end(), text.substr(0, colon));
    if (verb == kVerbs.end() || colon == text.size()) {
        return fail(where(text), "it is not a layout change", std::string(kChangeForms));
    }
    LayoutChange change{.kind = static_cast<Kind>(verb - kVerbs.begin()), .thing = {}};
    std::string_view rest = text.substr(colon + 1);
    auto bytes = takeBytes(rest);
    if (!bytes) {
        return fail(where(text), "it does not end with a number of bytes",
                    fmt::format("{}; bytes are such as 64, -16 or 4K, at most 1024G", kChangeForms));
    }
    if (change.kind == Kind::spread) {
        if (const auto before = takeBytes(rest)) {
            if (*bytes <= 0) return fail(where(text), "an element has no bytes", "use 1 or more");
            change.element = static_cast<std::uint64_t>(*bytes);
            bytes = before;
        }
    }
    change.bytes = *bytes;
    change.ofClass = rest.starts_with(kClass);
    if (change.ofClass) rest.remove_prefix(kClass.size());
    change.thing = rest;
    if (auto sound = checkedChange(change); !sound) return tl::unexpected(sound.error());
    return change;
}

Expected<void> checkedChange(const LayoutChange& change) {
    const std::string place = where(asText(change));
    if (change.thing.empty()) return fail(place, "the name is missing", std::string(kChangeForms));
    if (change.bytes > kMaxChangeBytes || change.bytes < -kMaxChangeBytes) {
        return fail(place, "the number of bytes is too large", "use at most 1024G");
    }
    if (change.kind == Kind::shift) return {};
    if (change.bytes <= 0)
        return fail(place, fmt::format("{} is not a valid number of bytes", change.bytes), "use 1 or more");
    const bool needsPower = change.kind != Kind::spread;
    if (needsPower && !isPowerOfTwo(static_cast<std::uint64_t>(change.bytes))) {
        return fail(place, fmt::format("{} is not a power of two", change.bytes),
                    "use a block's or a page's size, such as 64 or 4096");
    }
    if (change.element > static_cast<std::uint64_t>(change.bytes)) {
        return fail(place,
                    fmt::format("elements of {} bytes do not fit at {} bytes from one to the next", change.element,
                                change.bytes),
                    "make the first number the larger one");
    }
    return {};
}

std::string asText(const LayoutChange& change) {
    std::string text = fmt::format("{}:{}{}:{}", kVerbs[static_cast<std::size_t>(change.kind)],
                                   change.ofClass ? kClass : "", change.thing, change.bytes);
    if (change.element != 0) text += fmt::format(":{}", change.element);
    return text;
}

std::string inWords(const LayoutChange& change) {
    return fmt::format("{}{} {} {}", change.ofClass ? "each " : "", change.thing,
                       kDone[static_cast<std::size_t>(change.kind)], change.bytes);
}

}  // namespace whorl::sim
