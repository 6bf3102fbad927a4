#include "app/session/view_id.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/text.h"

namespace whorl::app {

namespace {

/// What stands for the places beyond the levels, in commands and, in capitals where it is short, on screen.
struct PageStore {
    std::uint8_t level;
    std::string_view word;
    std::string_view name;
};
constexpr PageStore kPageStores[] = {{ViewId::kTlb, "tlb", "TLB"}, {ViewId::kPages, "pages", "pages"}};

/// The one that a view shows; null for a level of the machine.
const PageStore* pageStoreOf(const ViewId& view) {
    for (const PageStore& store : kPageStores) {
        if (kindOf(view).ofPages && view.level == store.level) return &store;
    }
    return nullptr;
}

}  // namespace

std::vector<ViewId> viewsOf(ViewId::Kind kind, const sim::MachineConfig& machine) {
    std::vector<ViewId> views;
    const auto add = [&](std::size_t level) {
        const ViewId view{kind, static_cast<std::uint8_t>(level)};
        if (exists(view, machine)) views.push_back(view);
    };
    const bool ofLevel = kindOf({kind}).ofLevel;
    for (std::size_t l = 0; l < (ofLevel ? machine.levels.size() : 1); ++l) add(l);
    for (const PageStore& store : kPageStores) {
        if (kindOf({kind}).ofPages) add(store.level);
    }
    return views;
}

std::vector<ViewId> viewsOf(const sim::MachineConfig& machine) {
    std::vector<ViewId> views;
    for (const ViewKind& k : kViewKinds) {
        const std::vector<ViewId> all = viewsOf(k.kind, machine);
        views.insert(views.end(), all.begin(), all.end());
    }
    return views;
}

bool exists(const ViewId& view, const sim::MachineConfig& machine) {
    if (!isOffered(view.kind)) return false;
    if (!kindOf(view).ofLevel) return true;
    if (pageStoreOf(view) == nullptr) return view.level < machine.levels.size();
    return view.level == ViewId::kTlb ? machine.tlb.entries > 0 : machine.memory.isBounded();
}

std::string levelName(const ViewId& view, const sim::MachineConfig& machine) {
    if (const PageStore* const store = pageStoreOf(view)) return std::string(store->name);
    return kindOf(view).ofLevel && view.level < machine.levels.size() ? machine.levels[view.level].name : "";
}

std::string wordOf(const ViewId& view, const sim::MachineConfig& machine) {
    const PageStore* const store = pageStoreOf(view);
    const std::string level = store != nullptr ? std::string(store->word) : levelName(view, machine);
    std::string word = std::string(kindOf(view).word) + (level.empty() ? "" : ":" + level);
    if (view.part != 0) word += fmt::format("@{}", view.part);
    return word;
}

std::string titleOf(const ViewId& view, const sim::MachineConfig& machine) {
    const std::string level = levelName(view, machine);
    std::string title = (level.empty() ? "" : level + " ") + std::string(kindOf(view).title);
    const bool isCache = kindOf(view).ofLevel && kindOf(view).hasParts && view.level != ViewId::kPages;
    const bool isOfLevel = view.level < machine.levels.size();
    if (isCache && (isOfLevel ? machine.caches(view.level) : machine.cpus) > 1) {
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
                                    [&](const ViewKind& k) { return sim::sameName(k.word, name.substr(0, colon)); });
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
    for (const ViewId& of : viewsOf(view.kind, machine)) {
        if (!sim::sameName(levelName(of, machine), name.substr(colon + 1))) continue;
        view.level = of.level;
        return view;
    }
    return std::nullopt;
}

std::string wordOf(const ViewId& view) {
    std::string word(kindOf(view).word);
    if (const PageStore* const store = pageStoreOf(view)) {
        word += fmt::format(":{}", store->word);
    } else if (kindOf(view).ofLevel) {
        word += fmt::format(":{}", view.level);
    }
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
        const std::string_view name = word.substr(colon + 1, dot - colon - 1);
        const auto level = sim::wholeNumber(name);
        const auto store = std::find_if(std::begin(kPageStores), std::end(kPageStores),
                                        [&](const PageStore& s) { return known->ofPages && s.word == name; });
        if (store == std::end(kPageStores) && (!level || *level >= sim::kMaxLevels)) return std::nullopt;
        view.level = store != std::end(kPageStores) ? store->level : static_cast<std::uint8_t>(*level);
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
