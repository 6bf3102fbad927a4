// Commands that change the interface around and over the picture, and whose caches are shown.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "app/session/command.h"

namespace whorl::app {

namespace command {

struct Panels {
    Switch on;
    static constexpr auto kForm =
        form("panels", "show or hide everything but the picture", argument("on", &Panels::on));
};
void apply(Session& session, const Panels& command);

struct PanelSize {
    PanelEdge edge = PanelEdge::left;
    float size = 0;  ///< as PanelSizes has it
    static constexpr auto kForm = form("panel-size", "the size of a column or of a panel in it",
                                       argument("edge", &PanelSize::edge), argument("size", &PanelSize::size));
};
void apply(Session& session, const PanelSize& command);

struct Legend {
    Switch on;
    static constexpr auto kForm =
        form("legend", "show or hide the legend of what is on the screen", argument("on", &Legend::on));
};
void apply(Session& session, const Legend& command);

struct Explain {
    Switch on;
    static constexpr auto kForm =
        form("explain", "take the address of the access apart, and tell why it missed", argument("on", &Explain::on));
};
void apply(Session& session, const Explain& command);

struct Help {
    Switch on;
    static constexpr auto kForm = form("help", "show or hide the list of keys", argument("on", &Help::on));
};
void apply(Session& session, const Help& command);

struct Strip {
    std::optional<StripShows> shows;
    static constexpr auto kForm =
        form("strip", "in the strip: hit rates, kinds of misses, or regions", argument("shows", &Strip::shows));
};
void apply(Session& session, const Strip& command);

struct Heat {
    std::optional<app::Heat> of;
    static constexpr auto kForm =
        form("heat", "in the listing, of a range: misses, or cycles waited", argument("of", &Heat::of));
};
void apply(Session& session, const Heat& command);

/// Without a CPU: all of them.
struct Cpu {
    std::optional<std::uint32_t> cpu;
    static constexpr auto kForm = form("cpu", "the caches of one CPU alone, or of all", argument("cpu", &Cpu::cpu));
};
void apply(Session& session, const Cpu& command);

/// All CPUs, then the first alone, and so on, round and round.
struct CpuNext {
    static constexpr auto kForm = form("cpu-next", "the caches of the next CPU alone");
};
void apply(Session& session, const CpuNext&);

struct CpuPrevious {
    static constexpr auto kForm = form("cpu-previous", "the caches of the CPU before alone");
};
void apply(Session& session, const CpuPrevious&);

/// With none, no field is to take the keyboard any more: it has it.
struct Focus {
    Field field = Field::none;
    static constexpr auto kForm = form("focus", "a text field takes the keyboard", argument("field", &Focus::field));
};
void apply(Session& session, const Focus& command);

struct Dismiss {
    static constexpr auto kForm = form("dismiss", "close the messages");
};
void apply(Session& session, const Dismiss&);

/// One thing at a time: what lies over the others first.
struct Close {
    static constexpr auto kForm =
        form("close", "close what lies over the picture; let go of the selection, then the range");
};
void apply(Session& session, const Close&);

using DisplayCommands = CommandList<Panels, PanelSize, Legend, Explain, Help, Strip, Heat, Cpu, CpuNext, CpuPrevious,
                                    Focus, Dismiss, Close>;
std::vector<CommandType> typesOf(DisplayCommands);

}  // namespace command
}  // namespace whorl::app
