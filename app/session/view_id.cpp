#include "app/session/view_id.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace whorl::app {

namespace {

using Kind = ViewId::Kind;

struct Words {
    Kind kind;
    std::string_view word;
    std::string_view title;
};

constexpr std::array kWords = {Words{Kind::rings, "rings", "Rings"}, Words{Kind::sources, "source", "SourceView"},
                               Words{Kind::objects, "object", "ObjectView"}, Words{Kind::blocks, "block", "BlockView"},
                               Words{Kind::collisions, "collisions", "Collisions"}};

const Words& wordsOf(Kind kind) {
    return *std::find_if(kWords.begin(), kWords.end(), [&](const Words& w) { return w.kind == kind; });
}

bool sameName(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
        return std::tolower(static_cast<unsigned char>(x)) == std::tolower(static_cast<unsigned char>(y));
    });
}

}  // namespace

std::string wordOf(const ViewId& view, const sim::MachineConfig& machine) {
    std::string word(wordsOf(view.kind).word);
    if (view.kind != Kind::blocks || view.level >= machine.levels.size()) return word;
    return fmt::format("{}:{}", word, machine.levels[view.level].name);
}

std::string titleOf(const ViewId& view, const sim::MachineConfig& machine) {
    std::string title(wordsOf(view.kind).title);
    if (view.kind != Kind::blocks || view.level >= machine.levels.size()) return title;
    return fmt::format("{} {}", machine.levels[view.level].name, title);
}

std::optional<ViewId> viewNamed(std::string_view word, const sim::MachineConfig& machine) {
    const std::size_t colon = word.find(':');
    const auto known = std::find_if(kWords.begin(), kWords.end(),
                                    [&](const Words& w) { return sameName(w.word, word.substr(0, colon)); });
    if (known == kWords.end()) return std::nullopt;
    if (colon == std::string_view::npos) return ViewId{known->kind};
    if (known->kind != Kind::blocks) return std::nullopt;
    for (std::size_t l = 0; l < machine.levels.size(); ++l) {
        if (sameName(machine.levels[l].name, word.substr(colon + 1))) {
            return ViewId{Kind::blocks, static_cast<std::uint8_t>(l)};
        }
    }
    return std::nullopt;
}

double asNumber(const ViewId& view) {
    return static_cast<int>(view.kind) * 256 + view.level * 2 + (view.isBaseline ? 1 : 0);
}

ViewId viewOf(double number) {
    const int n = std::max(0, static_cast<int>(number));
    return {static_cast<Kind>(std::min(n / 256, static_cast<int>(kWords.size()) - 1)),
            static_cast<std::uint8_t>(n % 256 / 2), n % 2 == 1};
}

}  // namespace whorl::app
