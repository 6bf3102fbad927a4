#include "app/views/cells/cell_controls.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/commands/cell_commands.h"
#include "app/commands/place_commands.h"
#include "app/session/range.h"
#include "render/scene/cells/cell_metric.h"

namespace whorl::app {

namespace {

class CellControls {
  public:
    CellControls(const ViewId& view, const RunContext& context, const sim::MachineConfig& machine)
        : view_(view),
          display_(*view.cells()),
          context_(context),
          machine_(machine),
          choice_(context.viewSettings.cellsOf(view)) {}

    ViewControls made() {
        addMetric();
        if (scene::isOfMemory(display_)) {
            addBytes();
            addColumns();
            addGroups();
            if (!scene::isLive(display_)) addOrder();
            addBoundaries();
        } else {
            controls_.toggle("interleaved", choice_.interleaved, command::Interleaved{view_, {}},
                             "the ways of a set side by side, or an array for each way");
        }
        if (scene::isLive(display_)) {
            addHalfLife();
            if (scene::isOfMemory(display_)) addConflicts();
        } else {
            controls_.toggle("log", choice_.logarithmic, command::CellLogarithmic{view_, {}},
                             "a logarithmic scale of colours");
            addPin();
        }
        if (scene::isOfMemory(display_)) {
            controls_.toggle("+ pane", false, command::PaneAdd{view_, {}}, "a second view of memory beside this one");
        }
        return std::move(controls_);
    }

  private:
    void addMetric() {
        const auto quantities = scene::quantitiesOf(display_, machine_);
        const auto now = std::find(quantities.begin(), quantities.end(),
                                   choice_.quantity.value_or(scene::usualQuantity(display_, machine_)));
        const auto optionOf = [&](const scene::CellQuantity& q) {
            return ViewControl::Option{
                scene::isOfMemory(display_) ? inWords(q, machine_) : std::string(scene::kindOf(q.metric).words),
                command::CellMetric{view_, q.metric, q.level}};
        };
        controls_.choose("metric", "what the cells show",
                         {190, optionsOf(quantities, optionOf), static_cast<std::size_t>(now - quantities.begin())});
    }

    void addBytes() {
        const std::uint64_t block = machine_.blockBytes();
        std::vector<std::uint64_t> sizes{0};
        for (std::uint64_t bytes = scene::kMinCell; bytes <= 4096; bytes *= 2) {
            if (bytes != block) sizes.push_back(bytes);
        }
        const auto now = std::find(sizes.begin(), sizes.end(), choice_.cell == block ? 0 : choice_.cell);
        const auto optionOf = [&](std::uint64_t bytes) {
            return ViewControl::Option{fmt::format("{} bytes a cell", bytes == 0 ? block : bytes),
                                       command::CellBytes{view_, bytes}};
        };
        controls_.choose("bytes", "how much memory a cell is",
                         {130, optionsOf(sizes, optionOf), static_cast<std::size_t>(now - sizes.begin())});
    }

    void addColumns() {
        std::vector<std::uint32_t> columns{0};
        for (std::uint32_t n = 8; n <= scene::kMaxColumns; n *= 2) columns.push_back(n);
        const auto now = std::find(columns.begin(), columns.end(), choice_.columns);
        const auto optionOf = [&](std::uint32_t n) {
            return ViewControl::Option{n == 0 ? "rows fit" : fmt::format("{} a row", n),
                                       command::CellColumns{view_, n}};
        };
        controls_.choose("columns",
                         "the cells of a row; rows that fit are one way of L1 long, or a half, a quarter … of it",
                         {86, optionsOf(columns, optionOf), static_cast<std::size_t>(now - columns.begin())});
    }

    void addGroups() {
        const auto& levels = machine_.levels;
        struct Grouping {
            std::string words;
            scene::MemoryGroups groups;
            std::uint64_t piece;
        };
        std::vector<Grouping> all{{"by region", scene::MemoryGroups::regions, 0},
                                  {"by address", scene::MemoryGroups::address, 0}};
        for (std::size_t l = 0; l < std::min<std::size_t>(2, levels.size()); ++l) {
            const std::uint64_t way = levels[l].wayBytes();
            if (sim::isPowerOfTwo(way)) {
                all.push_back({fmt::format("by {} way", levels[l].name), scene::MemoryGroups::pieces, way});
            }
        }
        all.push_back({"by page", scene::MemoryGroups::pieces, machine_.pageBytes()});
        const auto now = std::find_if(all.begin(), all.end(), [&](const Grouping& g) {
            return g.groups == choice_.groups && (g.groups != scene::MemoryGroups::pieces || g.piece == choice_.piece);
        });
        const auto optionOf = [&](const Grouping& g) {
            const bool pieces = g.groups == scene::MemoryGroups::pieces;
            return ViewControl::Option{
                g.words, command::CellGroups{view_, g.groups, pieces ? std::optional(g.piece) : std::nullopt}};
        };
        controls_.choose("groups", "what is kept together",
                         {100, optionsOf(all, optionOf), static_cast<std::size_t>(now - all.begin())});
        controls_.toggle("Hilbert", choice_.curve == scene::MemoryCurve::hilbert, command::CellCurve{view_, {}},
                         "row by row, or along a Hilbert curve, which keeps neighbours in memory together");
    }

    void addOrder() {
        // The group that suffers is that of the selected block.
        const auto victim = context_.marked();
        std::vector<ViewControl::Option> options{{"by address", command::CellOrder{view_, CellOrder::address, {}}},
                                                 {"by penalty", command::CellOrder{view_, CellOrder::penalty, {}}},
                                                 {"by misses", command::CellOrder{view_, CellOrder::misses, {}}}};
        if (victim || choice_.order == CellOrder::caused) {
            options.push_back({"by misses caused there", command::CellOrder{view_, CellOrder::caused, victim}});
        }
        controls_.choose("order", "the order of the groups; misses caused there: in the group of the selected block",
                         {110, std::move(options), static_cast<std::size_t>(choice_.order)});
    }

    void addBoundaries() {
        const auto ofWay = [&](std::size_t level, bool on, CellEdge edge) {
            if (level >= machine_.levels.size()) return;
            controls_.toggle(machine_.levelName(level), on, command::CellBoundary{view_, edge, {}},
                             fmt::format("boundaries of pieces as large as one way of {}", machine_.levelName(level)));
        };
        ofWay(0, choice_.boundaries, CellEdge::l1);
        ofWay(1, choice_.boundaries2, CellEdge::l2);
        controls_.toggle("pages", choice_.pages, command::CellBoundary{view_, CellEdge::pages, {}},
                         "boundaries of pages");
    }

    void addHalfLife() {
        controls_.slide("half-life", "the accesses after which the glow is half as bright",
                        {.width = 130,
                         .now = static_cast<float>(choice_.halfLife),
                         .least = static_cast<float>(CellChoice::kMinHalfLife),
                         .most = static_cast<float>(CellChoice::kMaxHalfLife),
                         .format = "half-life %.0f",
                         .commandFor = [view = view_](float accesses) {
                             return command::HalfLife{view, static_cast<double>(accesses)};
                         }});
    }

    void addConflicts() {
        std::vector<ViewControl::Option> options{{"no lines", command::ConflictLines{view_, {}}}};
        options.reserve(1 + machine_.levels.size());
        for (std::size_t l = 0; l < machine_.levels.size(); ++l) {
            options.push_back({fmt::format("{} lines", machine_.levels[l].name),
                               command::ConflictLines{view_, static_cast<std::uint8_t>(l)}});
        }
        const std::size_t now = choice_.conflictLevel ? *choice_.conflictLevel + 1u : 0;
        controls_.choose("conflicts", "lines of conflict: from what came into a level to what it evicted",
                         {84, std::move(options), now});
    }

    void addPin() {
        if (choice_.range) {
            controls_.toggle(
                "pinned ×", true, command::ViewRangeOff{view_},
                fmt::format("this view keeps to {}; click to follow the chosen range again", inWords(*choice_.range)));
        } else if (context_.range) {
            controls_.toggle("pin", false, command::ViewRange{view_, context_.range->from, context_.range->to},
                             "keep this view at the chosen range");
        }
    }

    ViewId view_;
    scene::CellDisplay display_;
    const RunContext& context_;
    const sim::MachineConfig& machine_;
    const CellChoice& choice_;
    ViewControls controls_;
};

}  // namespace

ViewControls cellControls(const ViewId& view, const RunContext& context, const sim::MachineConfig& machine) {
    return CellControls(view, context, machine).made();
}

}  // namespace whorl::app
