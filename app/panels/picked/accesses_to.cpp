// The accesses to what is picked, in words: the last one, and how many there are; and what it is linked to.
#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "app/commands/searching.h"
#include "app/panels/picked/picked_accesses.h"
#include "app/panels/picked/picked_parts.h"
#include "app/panels/regions/regions_panel.h"
#include "app/panels/widgets.h"
#include "app/views/history/place_histories.h"
#include "sim/report/sentence.h"
#include "sim/trace/memory_names.h"
#include "sim/trace/source_lines.h"

namespace whorl::app {

namespace {

using Picked = PlaceHistories::Picked;
using PickedAccess = PlaceHistories::PickedAccess;

/// A button that looks like text, as wide as its words; they go on in the next line where there is no room.
void link(const PanelContext& c, const std::string& words, const std::string& name, const Command& command,
          const std::string& help) {
    ImGui::PushID(name.c_str());
    if (ImGui::SmallButton(cut(words, 20 * ImGui::GetFontSize()).c_str())) c.queue(command);
    ImGui::PopID();
    nameItem(c, "picked " + name);
    hint(help);
}

/// The accesses to a thing; null while they are being computed.
const PickedAccesses* accessesTo(const PanelContext& c, const PickedThing& thing) {
    const auto picked = c.runs.open()->of<PlaceHistories>().picked(c.context);
    if (!picked) return nullptr;
    PickedAccesses& kept = c.edits.picked;
    if (kept.among != picked || kept.memory != thing.memory) kept = accessesAmong(picked, thing.memory);
    return &kept;
}

/// "missed L1: conflict, L2: capacity", "hit in L1".
std::string outcomeOf(const PanelContext& c, const PickedAccess& access) {
    const sim::MachineConfig& machine = c.machine();
    if (machine.levels.empty()) return "served by memory";
    if (access.hit) return "hit in " + machine.levels.front().name;
    const auto& recent = c.picture()->snapshot.recent;
    const auto known =
        std::find_if(recent.begin(), recent.end(), [&](const sim::Step& s) { return s.tick == access.tick; });
    const sim::Step& step = known != recent.end() ? *known : c.runs.open()->of<PlaceHistories>().stepAt(access.tick);
    std::string missed;
    std::size_t kind = 0;
    for (const sim::Event& e : step.events) {
        if (e.kind != sim::EventKind::miss) continue;
        const std::size_t its = kind++;
        if (!e.demand || its >= step.kinds.size()) continue;
        const std::string words = fmt::format("{}: {}", machine.levels[e.level].name,
                                              sim::kMissKindWords[static_cast<std::size_t>(step.kinds[its])]);
        if (missed.find(words) == std::string::npos) missed += (missed.empty() ? "" : ", ") + words;
    }
    return "missed " + (missed.empty() ? machine.levels.front().name : missed);
}

/// The source line of an access; empty if it is not known.
std::string siteOf(const PanelContext& c, const PickedAccess& access) {
    const sim::Site& site = c.trace().site(access.site);
    return isNamed(site) ? siteName(c.trace(), site) : std::string();
}

/// "B[3][1] last read by CPU 1, access 1 234, sort.cpp:12, missed L1: conflict".
std::string lastInWords(const PanelContext& c, const PickedThing& thing, const PickedAccess& access) {
    const bool isPart = thing.memory && thing.memory->bytes > access.size;
    const std::string name = isPart ? c.trace().placeOf(access.address, access.tick) + " " : "";
    const std::string cpu = c.machine().cpus > 1 ? fmt::format(" by CPU {}", access.cpu) : "";
    const std::string site = siteOf(c, access);
    return fmt::format("{}last {}{}, access {}{}, {}", name, access.write ? "written" : "read", cpu,
                       sim::grouped(access.tick.value), site.empty() ? "" : ", " + site, outcomeOf(c, access));
}

/// What is known of the time before the playhead, where nothing is accessed in it.
std::string noneInWords(const PanelContext& c, const PickedAccesses& accesses) {
    const PickedAccess* const next = accesses.from(c.picture()->snapshot.begun());
    if (next != nullptr) return fmt::format("not accessed yet: first at access {}", sim::grouped(next->tick.value));
    const bool isWhole = accesses.among->span.size() == c.trace().size();
    return isWhole ? "never accessed" : "not accessed in " + inWords(accesses.among->span);
}

/// "range: 12 accesses, 2 missed L1, 3 writes; 5 so far".
std::string countsInWords(const PanelContext& c, const PickedAccesses& accesses) {
    const Picked& picked = *accesses.among;
    const bool isOfCache = picked.of.place.kind == sim::Place::Kind::cache;
    const std::uint64_t all = accesses.counted.size();
    std::string words =
        fmt::format("{}: {}", c.context.range ? "range" : "whole run",
                    isOfCache ? sim::counted(all, "request", "requests") : sim::counted(all, "access", "accesses"));
    if (all > 0) {
        const auto& levels = c.machine().levels;
        const std::size_t level = isOfCache ? picked.of.place.level : 0;
        if (level < levels.size())
            words += fmt::format(", {} missed {}", sim::grouped(accesses.missed), levels[level].name);
        words += fmt::format(", {}; {} so far", sim::counted(accesses.writes, "write", "writes"),
                             sim::grouped(accesses.countedBefore(c.picture()->snapshot.begun())));
    }
    if (picked.leftOut > 0) words += fmt::format("; the last {} are not counted", sim::grouped(picked.leftOut));
    return words;
}

/// The figures of a region are those of the tree.
void drawRegionCounts(const PanelContext& c, std::uint32_t region) {
    const KeptTable& kept = keptRegions(c);
    const auto& rows = c.edits.regionRows;
    const RegionTree::Row wanted{RegionTree::Kind::region, c.trace().owners().ofRegion(region)};
    const auto row = std::find(rows.begin(), rows.end(), wanted);
    if (row == rows.end() ||
        !std::holds_alternative<std::uint64_t>(kept.cell(static_cast<std::size_t>(row - rows.begin()), "accesses"))) {
        return muted(c, "its accesses: being counted");
    }
    const auto r = static_cast<std::size_t>(row - rows.begin());
    std::string words = fmt::format("{}: {} accesses", c.range() != nullptr ? "range" : "whole run",
                                    cellText(kept.cell(r, "accesses")));
    for (std::size_t l = 0; l < c.machine().levels.size(); ++l) {
        const std::string& level = c.machine().levels[l].name;
        words += fmt::format(", {} missed {}", cellText(kept.cell(r, l == 0 ? "misses" : level + "_misses")), level);
    }
    mutedWrapped(c, words);
}

/// The elements of the block of the picked memory, or its words where they have no names.
void drawElements(const PanelContext& c, const PickedThing& thing) {
    const std::uint64_t block = c.machine().blockBytes();
    const std::uint64_t base = thing.memory->from.value / block * block;
    if (thing.memory->last().value / block * block != base) return;
    const auto& regions = c.trace().regions();
    const std::uint64_t element = thing.region ? std::max(1u, regions[*thing.region].elementSize) : 8;
    const std::uint64_t step = element > 1 && element < block ? element : 8;
    constexpr std::uint64_t kMost = 16;
    const std::uint64_t first = thing.region && element > 1 ? regions[*thing.region].base.value % step : 0;
    std::uint64_t shown = 0;
    for (std::uint64_t at = base + (first + step - base % step) % step; at < base + block && shown < kMost;
         at += step) {
        const std::string name = c.trace().placeOf(sim::ByteAddress{at}, tickNow(c));
        if (shown++ == 0) {
            muted(c, "in the block");
            ImGui::SameLine();
        } else {
            flow(name);
        }
        const bool isIt = c.context.marked() == sim::ByteAddress{at};
        if (isIt) ImGui::PushStyleColor(ImGuiCol_Text, c.colours().accent);
        link(c, sim::shortPlace(name), "element " + name,
             command::PickObject{{.kind = sim::CostNode::Kind::word, .id = 0, .address = sim::ByteAddress{at}}},
             "pick " + name);
        if (isIt) ImGui::PopStyleColor();
    }
}

}  // namespace

void drawAccessesTo(const PanelContext& c, const PickedThing& thing) {
    if (thing.kind == PickedThing::Kind::region) return drawRegionCounts(c, *thing.region);
    const PickedAccesses* const accesses = accessesTo(c, thing);
    if (accesses == nullptr) return;
    if (const PickedAccess* const last = accesses->before(c.picture()->snapshot.begun())) {
        wrapped(lastInWords(c, thing, *last));
    } else {
        mutedWrapped(c, noneInWords(c, *accesses));
    }
    mutedWrapped(c, countsInWords(c, *accesses));
}

void drawLinks(const PanelContext& c, const PickedThing& thing) {
    const sim::Trace& trace = c.trace();
    const bool isAccessed = thing.kind == PickedThing::Kind::memory || thing.kind == PickedThing::Kind::way;
    const PickedAccesses* const accesses = isAccessed ? accessesTo(c, thing) : nullptr;
    const PickedAccess* const last = accesses == nullptr ? nullptr : accesses->before(c.picture()->snapshot.begun());
    bool isFirst = true;
    const auto next = [&](const std::string& words) {
        if (!std::exchange(isFirst, false)) flow(words);
    };
    if (last != nullptr) {
        next("go there");
        link(c, "go there", "seek", command::Seek{static_cast<double>(last->tick.value) + 1},
             "move the playhead to just after its last access");
        if (const std::string site = siteOf(c, *last); !site.empty()) {
            next(site);
            link(c, site, "line " + site, command::LookUp{site}, "show the line in the listing");
        }
    }
    if (thing.region && thing.kind != PickedThing::Kind::region) {
        const std::string& name = trace.regions()[*thing.region].name;
        next(name);
        link(c, name, "region " + name, command::SelectPart{regionAt(*thing.region).target}, "pick the region " + name);
    }
    if (thing.object) {
        const sim::Object& object = trace.objects()[*thing.object];
        next(object.name);
        link(c, object.name, "object " + object.name,
             command::PickObject{{.kind = sim::CostNode::Kind::object, .id = *thing.object, .address = object.base}},
             fmt::format("pick the allocation {}, {} bytes", object.name, sim::grouped(object.size)));
        if (!object.className.empty()) {
            next("class " + object.className);
            if (ImGui::SmallButton(("class " + object.className).c_str())) keptRegions(c).setFilter(object.className);
            nameItem(c, "picked class " + object.className);
            hint("show the class in the tree of regions");
        }
    }
    const auto range = [&](SearchKind kind, const std::string& words, const std::string& help) {
        if (!wordsFor(c.session, kind)) return;
        next(words);
        link(c, words, words, command::RangeOf{kind}, help);
    };
    using Kind = PickedThing::Kind;
    const SearchKind kind = thing.kind == Kind::line     ? SearchKind::lineAccess
                            : thing.kind == Kind::region ? SearchKind::regionAccess
                                                         : SearchKind::blockAccess;
    if (thing.kind != Kind::way) range(kind, "its range", "set the range from its first access to its last");
    if (thing.kind == Kind::line)
        range(SearchKind::functionAccess, "range of its function",
              "set the range from the first access by its function to the last");
    // The words that were accessed are in a table below.
    const bool hasWords = accesses != nullptr && !accesses->among->words.empty();
    if (thing.kind == PickedThing::Kind::memory && !hasWords) drawElements(c, thing);
}

}  // namespace whorl::app
