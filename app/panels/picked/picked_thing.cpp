#include "app/panels/picked/picked_thing.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/commands/cell_commands.h"
#include "app/views/space/describe_node.h"
#include "render/scene/rings/describe.h"
#include "sim/trace/source_lines.h"

namespace whorl::app {

namespace {

using Kind = PickedThing::Kind;
using TargetKind = scene::Target::Kind;

std::string nameOfRegion(const sim::Region& region) {
    if (region.rows == 0) return region.name;
    if (region.columns == 0) return fmt::format("{} [{}]", region.name, region.rows);
    return fmt::format("{} [{}×{}]", region.name, region.rows, region.columns);
}

PickedThing regionThing(const PanelContext& c, std::uint32_t r) {
    const sim::Region& region = c.trace().regions()[r];
    return {.kind = Kind::region,
            .name = nameOfRegion(region),
            .of = region.type ? region.type->name : "",
            .memory = sim::Place{.from = region.base, .bytes = region.size},
            .region = r};
}

/// What a byte is a part of: its object and its class, else its region.
void addWhole(const PanelContext& c, PickedThing& thing, sim::ByteAddress byte) {
    const sim::Trace& trace = c.trace();
    const std::size_t region = trace.regionAt(byte);
    if (region < trace.regions().size()) thing.region = static_cast<std::uint32_t>(region);
    if (!thing.object) {
        if (const sim::Object* object = trace.objectAt(byte, tickNow(c))) {
            thing.object = static_cast<std::uint32_t>(object - trace.objects().data());
        }
    }
    if (thing.object) {
        const sim::Object& object = trace.objects()[*thing.object];
        if (!thing.name.starts_with(object.name)) thing.of = object.name;
        const bool hasClass = !object.className.empty() && object.className != object.name;
        if (hasClass) thing.of += (thing.of.empty() ? "" : ", ") + ("class " + object.className);
    } else if (thing.region) {
        thing.of = nameOfRegion(trace.regions()[*thing.region]);
    }
}

/// Some memory: by the name of its element where a byte in it is meant, else with its first and last.
PickedThing memoryThing(const PanelContext& c, const sim::Place& place, std::optional<sim::ByteAddress> byte = {}) {
    const sim::Tick now = tickNow(c);
    const bool isWhole = !byte || *byte == place.from;
    PickedThing thing{
        .kind = Kind::memory,
        .name = isWhole ? sim::inWords(place, c.trace(), c.machine(), now) : c.trace().placeOf(*byte, now),
        .memory = place};
    addWhole(c, thing, byte.value_or(place.from));
    return thing;
}

PickedThing objectThing(const PanelContext& c, const ObjectPick& pick) {
    const sim::Trace& trace = c.trace();
    if (pick.kind == sim::CostNode::Kind::region && pick.id < trace.regions().size()) return regionThing(c, pick.id);
    constexpr std::uint64_t kWord = 4;  // as the ObjectView has them
    const auto memory = memoryOf(pick, trace);
    const bool isObject = pick.kind == sim::CostNode::Kind::object && memory;
    PickedThing thing{.kind = Kind::memory,
                      .name = nameOfPick(pick, memory, trace),
                      .memory = isObject ? sim::Place{.from = memory->from, .bytes = memory->bytes}
                                         : sim::Place{.from = pick.address, .bytes = kWord}};
    if (!isObject) thing.name = trace.placeOf(pick.address, tickNow(c));
    if (isObject) thing.object = pick.id;
    addWhole(c, thing, thing.memory->from);
    return thing;
}

PickedThing lineThing(const PanelContext& c, const SourcePick& pick) {
    const sim::Site& site = c.trace().site(sim::SiteId{pick.site});
    const std::string& function = c.trace().functionOf(site);
    return {.kind = Kind::line, .name = siteName(c.trace(), site), .of = function.empty() ? "" : function + "()"};
}

PickedThing selectedThing(const PanelContext& c, const Selection& selected) {
    if (selected.byte) {
        const std::uint64_t block = c.machine().blockBytes();
        const sim::ByteAddress base{selected.byte->value / block * block};
        return memoryThing(c, {.from = base, .bytes = block}, selected.byte);
    }
    const auto& regions = c.trace().regions();
    if (selected.target.kind == TargetKind::region && selected.target.region < regions.size()) {
        return regionThing(c, selected.target.region);
    }
    const auto lines = scene::describe(selected.target, c.picture()->snapshot, c.runs.open()->composer().subject());
    return {.kind = Kind::part, .name = lines.empty() ? "It is no longer in the picture." : lines.front()};
}

}  // namespace

sim::Tick tickNow(const PanelContext& c) {
    return sim::Tick{std::max<std::uint64_t>(c.picture()->snapshot.begun().value, 1) - 1};
}

std::optional<PickedThing> pickedThing(const PanelContext& c) {
    const ViewSettings& picks = c.context.viewSettings;
    if (picks.source && picks.sourceIsNewer) return lineThing(c, *picks.source);
    if (picks.stay) {
        if (const auto place = pickedPlace(c.context)) return memoryThing(c, *place);
    }
    if (picks.object) return objectThing(c, *picks.object);
    if (picks.place && picks.place->kind == sim::Place::Kind::memory) return memoryThing(c, *picks.place);
    if (picks.place) {
        return PickedThing{.kind = Kind::way, .name = sim::inWords(*picks.place, c.trace(), c.machine(), tickNow(c))};
    }
    if (c.context.selected) return selectedThing(c, *c.context.selected);
    if (picks.source) return lineThing(c, *picks.source);
    return std::nullopt;
}

}  // namespace whorl::app
