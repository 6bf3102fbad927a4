// The actions that change what is shown beside the picture and over it, and whose caches are shown.
#include <algorithm>

#include "app/session/commands.h"

namespace whorl::app {

namespace {

/// One thing at a time: what lies over the others first.
void letGo(Session& s) {
    if (s.help) {
        s.help = false;
    } else if (!s.error.empty() || !s.message.empty()) {
        s.error.clear();
        s.message.clear();
    } else if (s.overlays.regionColour) {
        s.overlays.regionColour.reset();
    } else if (s.lookUp.open) {
        s.lookUp.open = false;
    } else if (s.overlays.picture) {
        s.overlays.picture = false;
    } else if (s.viewSettings.hasPicks()) {
        s.viewSettings.clearPicks();
        s.selected.reset();
    } else if (s.selected) {
        s.selected.reset();
    } else {
        s.range.reset();
    }
}

/// The caches of all CPUs, then of the first alone, and so on, round and round.
void turnCpu(Session& s, std::uint32_t by) {
    if (!s.opened.run || s.opened.run->machine().cpus == 1) return;
    const std::uint32_t cpus = s.opened.run->machine().cpus;
    const std::uint32_t next = ((s.cpu ? *s.cpu + 1 : 0) + by) % (cpus + 1);
    s.cpu = next == 0 ? std::nullopt : std::optional(next - 1);
}

std::vector<Action> beside() {
    return {
        {"panels",
         "Looking",
         "show or hide everything but the picture",
         {"Tab"},
         [](Session& s, const Command&) { s.panels = !s.panels; }},
        {"legend",
         "Looking",
         "show or hide the legend of what is on the screen",
         {"j"},
         [](Session& s, const Command&) { s.overlays.legend = !s.overlays.legend; }},
        {"explain",
         "Looking",
         "take the address of the access apart, and tell why it missed",
         {"i"},
         [](Session& s, const Command&) { s.overlays.explain = !s.overlays.explain; }},
        {"strip",
         "Looking",
         "in the strip: hit rates, kinds of misses, or regions",
         {"g"},
         [](Session& s, const Command&) {
             s.strip = static_cast<StripShows>((static_cast<int>(s.strip) + 1) % kStripShows);
         }},
        {"strip-shows",
         "",
         "one of those",
         {},
         [](Session& s, const Command& c) {
             s.strip = static_cast<StripShows>(std::clamp(static_cast<int>(c.number), 0, kStripShows - 1));
         }},
        {"heat",
         "Looking",
         "in the listing, of a range: misses, or cycles waited",
         {"h"},
         [](Session& s, const Command&) { s.heat = s.heat == Heat::misses ? Heat::cycles : Heat::misses; }},
    };
}

std::vector<Action> whose() {
    return {
        {"next-cpu",
         "Looking",
         "the caches of one CPU alone, of the next, or of the one before",
         {"p"},
         [](Session& s, const Command&) { turnCpu(s, 1); }},
        {"previous-cpu",
         "Looking",
         "… of the one before",
         {"Shift+P"},
         [](Session& s, const Command&) { turnCpu(s, s.opened.run ? s.opened.run->machine().cpus : 0); }},
        {"cpu",
         "",
         "the caches of one of the CPUs",
         {},
         [](Session& s, const Command& c) { s.cpu.reset(), turnCpu(s, static_cast<std::uint32_t>(c.number) + 1); }},
        {"deselect",
         "Looking",
         "close what lies over the picture; let go of the selection, then the range",
         {"Escape"},
         [](Session& s, const Command&) { letGo(s); }},
    };
}

}  // namespace

std::vector<Action> lookingActions() {
    std::vector<Action> out = beside();
    for (const Action& action : whose()) out.push_back(action);
    return out;
}

}  // namespace whorl::app
