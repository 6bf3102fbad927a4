// The actions that look for what comes next or came before, and choose what to look for.
#include <cstdlib>

#include "app/session/commands.h"

namespace whorl::app {

namespace {

void hunt(Session& s, Prey prey, sim::Way way) {
    s.remark.clear();
    if (!s.opened.run) return;
    auto wanted = huntFor(s, prey, way);
    if (wanted) {
        s.hunt = *std::move(wanted);
    } else {
        s.remark = "This cannot be looked for: " + wanted.error().sentence() + ".";
    }
}

Action search(std::string_view id, std::string_view words, std::string_view key, Prey prey, sim::Way way) {
    return {id, "Finding", words, {key}, [prey, way](Session& s, const Command&) { hunt(s, prey, way); }};
}

/// Choosing what is chosen already lets go of it.
template <class T>
void toggle(std::optional<T>& chosen, const T& now) {
    chosen = chosen == now ? std::nullopt : std::optional(now);
}

/// "2 0": culprit and victim.
RegionPair pairIn(const std::string& words) {
    char* rest = nullptr;
    const auto culprit = static_cast<std::uint32_t>(std::strtoul(words.c_str(), &rest, 10));
    return {culprit, static_cast<std::uint32_t>(std::strtoul(rest, nullptr, 10))};
}

}  // namespace

std::vector<Action> searchActions() {
    constexpr auto kNext = sim::Way::forward;
    constexpr auto kBefore = sim::Way::backward;
    return {
        search("next-miss", "the next miss, or the one before", "n", Prey::miss, kNext),
        search("previous-miss", "… the one before", "Shift+N", Prey::miss, kBefore),
        search("next-region-miss", "the next miss in the region of the chosen block, or the one before", "r",
               Prey::regionMiss, kNext),
        search("previous-region-miss", "… the one before", "Shift+R", Prey::regionMiss, kBefore),
        search("next-eviction", "the next eviction of the chosen block, or the one before", "v", Prey::eviction, kNext),
        search("previous-eviction", "… the one before", "Shift+V", Prey::eviction, kBefore),
        search("next-conflict", "the next conflict of the chosen regions, or the one before", "c", Prey::conflict,
               kNext),
        search("previous-conflict", "… the one before", "Shift+C", Prey::conflict, kBefore),
        search("next-transfer", "the next transfer between CPUs, or the one before", "t", Prey::transfer, kNext),
        search("previous-transfer", "… the one before", "Shift+T", Prey::transfer, kBefore),
        search("next-mark", "the next mark of the trace, or the one before", "k", Prey::mark, kNext),
        search("previous-mark", "… the one before", "Shift+K", Prey::mark, kBefore),
        {"hunting", "", "the search has begun", {}, [](Session& s, const Command&) { s.hunt.reset(); }},
        {"found",
         "",
         "show the access that was found",
         {},
         [](Session& s, const Command& c) {
             s.player.show(static_cast<std::uint64_t>(c.number), s.end());
             if (s.cpu) s.cpu = static_cast<std::uint32_t>(std::strtoul(c.text.c_str(), nullptr, 10));
         }},
        {"remark", "", "say something", {}, [](Session& s, const Command& c) { s.remark = c.text; }},
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
