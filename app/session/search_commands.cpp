// The actions that look for what comes next or came before, and choose what to look for.
#include <cstdlib>

#include "app/session/commands.h"

namespace whorl::app {

namespace {

void search(Session& s, SearchKind searchKind, sim::Direction direction) {
    s.message.clear();
    if (!s.opened.run) return;
    auto wanted = searchFor(s, searchKind, direction);
    if (wanted) {
        s.search = *std::move(wanted);
    } else {
        s.message = "This cannot be looked for: " + wanted.error().sentence() + ".";
    }
}

Action search(std::string_view id, std::string_view words, std::string_view key, SearchKind searchKind,
              sim::Direction direction) {
    return {id, "Finding", words, {key}, [searchKind, direction](Session& s, const Command&) {
                search(s, searchKind, direction);
            }};
}

/// Choosing what is chosen already lets go of it.
template <class T>
void toggle(std::optional<T>& chosen, const T& now) {
    chosen = chosen == now ? std::nullopt : std::optional(now);
}

/// "2 0": evictor and victim.
RegionPair pairIn(const std::string& words) {
    char* rest = nullptr;
    const auto evictor = static_cast<std::uint32_t>(std::strtoul(words.c_str(), &rest, 10));
    return {evictor, static_cast<std::uint32_t>(std::strtoul(rest, nullptr, 10))};
}

}  // namespace

std::vector<Action> searchActions() {
    constexpr auto kNext = sim::Direction::forward;
    constexpr auto kBefore = sim::Direction::backward;
    return {
        search("next-miss", "the next miss, or the one before", "n", SearchKind::miss, kNext),
        search("previous-miss", "… the one before", "Shift+N", SearchKind::miss, kBefore),
        search("next-region-miss", "the next miss in the region of the chosen block, or the one before", "r",
               SearchKind::regionMiss, kNext),
        search("previous-region-miss", "… the one before", "Shift+R", SearchKind::regionMiss, kBefore),
        search("next-eviction", "the next eviction of the chosen block, or the one before", "v", SearchKind::eviction,
               kNext),
        search("previous-eviction", "… the one before", "Shift+V", SearchKind::eviction, kBefore),
        search("next-conflict", "the next conflict of the chosen regions, or the one before", "c", SearchKind::conflict,
               kNext),
        search("previous-conflict", "… the one before", "Shift+C", SearchKind::conflict, kBefore),
        search("next-transfer", "the next transfer between CPUs, or the one before", "t", SearchKind::transfer, kNext),
        search("previous-transfer", "… the one before", "Shift+T", SearchKind::transfer, kBefore),
        search("next-mark", "the next mark of the trace, or the one before", "k", SearchKind::mark, kNext),
        search("previous-mark", "… the one before", "Shift+K", SearchKind::mark, kBefore),
        {"hunting", "", "the search has begun", {}, [](Session& s, const Command&) { s.search.reset(); }},
        {"found",
         "",
         "show the access that was found",
         {},
         [](Session& s, const Command& c) {
             s.player.show(static_cast<std::uint64_t>(c.number), s.end());
             if (s.cpu) s.cpu = static_cast<std::uint32_t>(std::strtoul(c.text.c_str(), nullptr, 10));
         }},
        {"remark", "", "say something", {}, [](Session& s, const Command& c) { s.message = c.text; }},
        {"pick-region",
         "",
         "choose a region, or let go of it",
         {},
         [](Session& s, const Command& c) {
             toggle(s.region, static_cast<std::uint32_t>(c.number));
             s.pair.reset();
             const bool wasShown = s.selected && s.selected->target.kind == scene::Target::Kind::region;
             if (s.region) {
                 s.selected = regionAt(*s.region);
             } else if (wasShown) {
                 s.selected.reset();
             }
         }},
        {"pick-pair",
         "",
         "choose two regions that throw each other out, or let go of them",
         {},
         [](Session& s, const Command& c) { toggle(s.pair, pairIn(c.text)); }},
    };
}

}  // namespace whorl::app
