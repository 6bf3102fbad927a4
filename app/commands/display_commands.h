// Commands that change the interface around and over the picture, and select the CPU whose caches are shown.
#pragma once

#include <cstdint>
#include <optional>

#include "app/commands/cost_tables.h"
#include "app/session/command.h"

namespace whorl::app {

namespace command {

struct PanelSize {
    PanelEdge edge = PanelEdge::left;
    float size = 0;  ///< as in PanelSizes
    static constexpr auto kForm = form("panel-size", "the size of a column or of a panel in it",
                                       argument("edge", &PanelSize::edge), argument("size", &PanelSize::size))
                                      .joining();
};
void apply(Session& session, const PanelSize& command);

struct Help {
    Switch on;
    static constexpr auto kForm = form("help", "show or hide the list of keys", argument("on", &Help::on));
};
void apply(Session& session, const Help& command);

struct Costs {
    Switch on;
    static constexpr auto kForm =
        form("costs", "show or hide what costs most: why, and tables of lines, regions, …", argument("on", &Costs::on));
};
void apply(Session& session, const Costs& command);

struct CostsBy {
    std::optional<CostTab> tab;
    static constexpr auto kForm =
        form("costs-by", "show what costs most: why, or one of the tables", argument("tab", &CostsBy::tab));
};
void apply(Session& session, const CostsBy& command);

/// Shows or hides the table of sharing in "What costs most".
struct Sharing {
    Switch on;
    static constexpr auto kForm =
        form("sharing", "show or hide the blocks that CPUs invalidate for each other, by offset, and what helps",
             argument("on", &Sharing::on));
};
void apply(Session& session, const Sharing& command);

/// Without a CPU: shows the caches of all CPUs.
struct Cpu {
    std::optional<std::uint32_t> cpu;
    static constexpr auto kForm = sceneForm("cpu", "show the caches of one CPU, or of all", argument("cpu", &Cpu::cpu));
};
void apply(Session& session, const Cpu& command);

/// Cycles through all CPUs together, then each CPU alone.
struct CpuNext {
    static constexpr auto kForm = form("cpu-next", "show the caches of the next CPU alone");
};
void apply(Session& session, const CpuNext&);

struct CpuPrevious {
    static constexpr auto kForm = form("cpu-previous", "show the caches of the previous CPU alone");
};
void apply(Session& session, const CpuPrevious&);

/// Requests keyboard focus for a text field; `none` clears the request once the field has the focus.
struct Focus {
    Field field = Field::none;
    static constexpr auto kForm = form("focus", "a text field takes the keyboard", argument("field", &Focus::field));
};
void apply(Session& session, const Focus& command);

struct Dismiss {
    static constexpr auto kForm = form("dismiss", "close the messages");
};
void apply(Session& session, const Dismiss&);

/// Closes one item per call, topmost first.
struct Close {
    static constexpr auto kForm = form("close", "close what is open, then deselect, then clear the range");
};
void apply(Session& session, const Close&);

using DisplayCommands =
    CommandList<PanelSize, Help, Costs, CostsBy, Sharing, Cpu, CpuNext, CpuPrevious, Focus, Dismiss, Close>;

}  // namespace command
}  // namespace whorl::app
