#include "app/commands/choice.h"

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>

#include "app/session/fuzzy.h"

namespace whorl::app {

namespace {

constexpr int kOfDetail = 5;  ///< how much worse a fit is that needs the detail
constexpr int kMostAhead = 8;

/// Which come first: what only changes the view, then what leads elsewhere, then what is opened in place of what is
/// open.
int groupOf(ChoiceKind kind) {
    switch (kind) {
        case ChoiceKind::setting:
            return 1;
        case ChoiceKind::region:
        case ChoiceKind::line:
        case ChoiceKind::bookmark:
        case ChoiceKind::marker:
            return 2;
        case ChoiceKind::scene:
            return 3;
        default:
            return 0;
    }
}

/// Whether it is called what is typed, with its kind or without.
bool isNamed(std::string_view typed, const Choice& choice) {
    return sameName(typed, choice.words) || sameName(typed, std::string(wordOf(choice.kind)) + ' ' + choice.words);
}

std::optional<int> scoreOf(std::string_view typed, const Choice& choice) {
    const auto own = fuzzyScore(typed, choice.words);
    std::string all(wordOf(choice.kind));
    all += ' ' + choice.words;
    if (!choice.detail.empty()) all += ' ' + choice.detail;
    auto whole = fuzzyScore(typed, all);
    if (whole) *whole -= kOfDetail;
    return own && whole ? std::max(own, whole) : (own ? own : whole);
}

}  // namespace

std::string_view wordOf(ChoiceKind kind) {
    static constexpr std::array<std::string_view, 14> kKinds{"command",     "setting",  "view",   "scene",  "region",
                                                             "source line", "bookmark", "marker", "recent", "program",
                                                             "tour",        "folder",   "file",   ""};
    return kKinds[static_cast<std::size_t>(kind)];
}

std::vector<std::size_t> ranked(std::string_view typed, const std::vector<Choice>& choices,
                                std::span<const std::string> recent) {
    struct Fit {
        std::size_t index;
        int group;
        int score;
        std::size_t since;
    };
    std::unordered_map<std::string_view, std::size_t> since;
    for (std::size_t i = 0; i < recent.size(); ++i) since.insert({recent[i], i});
    std::vector<Fit> fits;
    for (std::size_t i = 0; i < choices.size(); ++i) {
        const auto score = typed.empty() ? std::optional(0) : scoreOf(typed, choices[i]);
        if (!score) continue;
        const auto known = since.find(choices[i].command);
        const std::size_t age = known == since.end() ? recent.size() : known->second;
        const int ahead = known == since.end() ? 0 : std::max(1, kMostAhead - static_cast<int>(age));
        const int group = isNamed(typed, choices[i]) ? -1 : groupOf(choices[i].kind);
        fits.push_back({i, group, *score + ahead, age});
    }
    std::stable_sort(fits.begin(), fits.end(), [&](const Fit& a, const Fit& b) {
        if (typed.empty()) return a.since < b.since;
        if (a.group != b.group) return a.group < b.group;
        return a.score != b.score ? a.score > b.score : a.since < b.since;
    });
    std::vector<std::size_t> order;
    order.reserve(fits.size());
    for (const Fit& fit : fits) order.push_back(fit.index);
    return order;
}

}  // namespace whorl::app
