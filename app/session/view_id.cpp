#include "app/session/view_id.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/session/fuzzy.h"
#include "sim/base/text.h"

namespace whorl::app {

namespace {

/// The name of a per-level view's level; null for other views.
const std::string* levelOf(const ViewId& view, const sim::MachineConfig& machine) {
    const bool has = kindOf(view).ofLevel && view.level < machine.levels.size();
    return has ? &machine.levels[view.level].name : nullptr;
}

}  // namespace

std::vector<ViewId> viewsOf(const sim::MachineConfig& machine) {
    std::vector<ViewId> views;
    for (const ViewKind& k : kViewKinds) {
        const std::size_t count = k.ofLevel ? machine.levels.size() : 1;
        for (std::size_t l = 0; l < count; ++l) views.push_back({k.kind, static_cast<std::uint8_t>(l)});
    }
    return views;
}

std::string wordOf(const ViewId& view, const sim::MachineConfig& machine) {
    const std::string* level = levelOf(view, machine);
    std::string word = std::string(kindOf(view).word) + (level == nullptr ? "" : ":" + *level);
    if (view.part != 0) word += fmt::format("@{}", view.part);
    return word;
}

std::string titleOf(const ViewId& view, const sim::MachineConfig& machine) {
    const std::string* level = levelOf(view, machine);
    std::string title = (level == nullptr ? "" : *level + " ") + std::string(kindOf(view).title);
    const bool isCache = kindOf(view).ofLevel && kindOf(view).hasParts;
    if (isCache && view.level < machine.levels.size() && machine.caches(view.level) > 1) {
        title += fmt::format(" of CPU {}", view.part);
    } else if (view.part != 0) {
        title += fmt::format(" ({})", view.part + 1);
    }
    return title;
}

std::optional<ViewId> viewNamed(std::string_view word, const sim::MachineConfig& machine) {
    const std::size_t at = std::min(word.find('@'), word.size());
    const std::string_view name = word.substr(0, at);
    const std::size_t colon = name.find(':');
    const auto known = std::find_if(kViewKinds.begin(), kViewKinds.end(),
                                    [&](const ViewKind& k) { return sameName(k.word, name.substr(0, colon)); });
    if (known == kViewKinds.end()) return std::nullopt;
    ViewId view{known->kind};
    if (at < word.size()) {
        const auto part = sim::wholeNumber(word.substr(at + 1));
        const std::uint64_t parts = known->ofLevel ? machine.cpus : ViewId::kMaxParts;
        if (!known->hasParts || !part || *part >= parts) return std::nullopt;
        view.part = static_cast<std::uint8_t>(*part);
    }
    if (colon == std::string_view::npos) return view;
    if (!known->ofLevel) return std::nullopt;
    for (std::size_t l = 0; l < machine.levels.size(); ++l) {
        if (sameName(machine.levels[l].name, name.substr(colon + 1))) {
            view.level = static_cast<std::uint8_t>(l);
            return view;
        }
    }
    return std::nullopt;
}

std::string wordOf(const ViewId& view) {
    std::string word(kindOf(view).word);
    if (kindOf(view).ofLevel) word += fmt::format(":{}", view.level);
    if (view.part != 0) word += fmt::format(".{}", view.part);
    if (view.run != 0) word += fmt::format("@{}", view.run);
    return word;
}

std::optional<ViewId> viewOf(std::string_view word) {
    const std::size_t at = std::min(word.find('@'), word.size());
    const std::size_t dot = std::min(word.find('.'), at);
    const std::size_t colon = std::min(word.find(':'), dot);
    const auto known = std::find_if(kViewKinds.begin(), kViewKinds.end(),
                                    [&](const ViewKind& k) { return k.word == word.substr(0, colon); });
    if (known == kViewKinds.end() || (colon < dot) != known->ofLevel || (dot < at && !known->hasParts)) {
        return std::nullopt;
    }
    ViewId view{known->kind};
    if (known->ofLevel) {
        const auto level = sim::wholeNumber(word.substr(colon + 1, dot - colon - 1));
        if (!level || *level >= sim::kMaxLevels) return std::nullopt;
        view.level = static_cast<std::uint8_t>(*level);
    }
    if (dot < at) {
        const auto part = sim::wholeNumber(word.substr(dot + 1, at - dot - 1));
        if (!part || *part == 0 || *part >= sim::kMaxCpus) return std::nullopt;
        view.part = static_cast<std::uint8_t>(*part);
    }
    if (at < word.size()) {
        const auto run = sim::wholeNumber(word.substr(at + 1));
        if (!run || *run == 0 || *run > 255) return std::nullopt;
        view.run = static_cast<std::uint8_t>(*run);
    }
    return view;
}

}  // namespace whorl::app
