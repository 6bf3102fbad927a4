// The sharing report as JSON.
#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "sim/analysis/sharing_report.h"

namespace whorl::sim {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::array kCauses = {"false_sharing", "true_sharing", "no_miss"};
constexpr std::array kCures = {"shift", "align", "pad", "spread"};

Json asJson(const SharedBlock& block, const SharingReport& report) {
    Json fields = Json::array();
    for (const SharedField& field : block.fields) {
        Json cpus = Json::array();
        for (const FieldUse& use : field.uses) {
            cpus.push_back({{"cpu", use.cpu}, {"reads", use.reads}, {"writes", use.writes}});
        }
        fields.push_back({{"place", field.place},
                          {"address", fmt::format("{:#x}", field.address.value)},
                          {"size", field.size},
                          {"cpus", std::move(cpus)}});
    }
    return {{"block", fmt::format("{:#x}", block.block.value * report.blockSizes[block.level])},
            {"invalidations", block.invalidations},
            {"true_sharing", block.trueMisses},
            {"false_sharing", block.falseMisses},
            {"lost", block.lost},
            {"fields", std::move(fields)}};
}

Json asJson(const SharingLine& line, const Trace& trace) {
    const Site& site = trace.site(line.site);
    Json name = nullptr;
    if (site.line != 0) {
        name = fmt::format("{}:{}", trace.files()[site.file].path, site.line);
    } else if (site.pc.value != 0) {
        name = fmt::format("{:#x}", site.pc.value);
    }
    return {
        {"line", std::move(name)}, {"misses", line.misses}, {"invalidations", line.invalidations}, {"lost", line.lost}};
}

Json asJson(const LayoutChange& cure) {
    return {{"kind", kCures[static_cast<std::size_t>(cure.kind)]},
            {"thing", cure.thing},
            {"of_class", cure.ofClass},
            {"bytes", cure.bytes},
            {"element", cure.element},
            {"spec", asText(cure)}};
}

}  // namespace

std::string sharingAsJson(const SharingReport& report, const Trace& trace) {
    Json groups = Json::array();
    for (const SharingGroup& group : report.groups) {
        Json blocks = Json::array();
        Json lines = Json::array();
        Json cures = Json::array();
        for (const std::size_t b : group.blocks) blocks.push_back(asJson(report.blocks[b], report));
        for (const SharingLine& line : group.lines) lines.push_back(asJson(line, trace));
        for (const LayoutChange& cure : group.cures) cures.push_back(asJson(cure));
        groups.push_back({{"level", report.levels[group.level]},
                          {"cause", kCauses[static_cast<std::size_t>(group.cause)]},
                          {"things", group.things},
                          {"invalidations", group.invalidations},
                          {"true_sharing", group.trueMisses},
                          {"false_sharing", group.falseMisses},
                          {"lost", group.lost},
                          {"lines", std::move(lines)},
                          {"cures", std::move(cures)},
                          {"through", group.through ? Json(report.levels[*group.through]) : Json()},
                          {"blocks", std::move(blocks)}});
    }
    const Json json = {{"lost", report.lost}, {"cycles", report.cycles}, {"groups", std::move(groups)}};
    return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace whorl::sim
