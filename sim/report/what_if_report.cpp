#include "sim/report/what_if_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "sim/report/table.h"

namespace whorl::sim {

namespace {

/// "1 234", "-1 234".
std::string savedOf(const Difference& d) {
    return (d.after > d.before ? "-" : "") + grouped(d.size());
}

std::string percentOf(const Difference& d) {
    const auto share = d.savedShare();
    return share ? fmt::format("{:.1f} %", 100 * *share) : "-";
}

std::string tableOf(const std::string& heading, std::span<const Difference> rows) {
    std::vector<std::vector<std::string>> lines{{heading, "as it is", "changed", "saved", ""}};
    lines.reserve(rows.size() + 1);
    for (const Difference& d : rows) {
        lines.push_back({d.words, grouped(d.before), grouped(d.after), savedOf(d), percentOf(d)});
    }
    return columnsAsText(lines);
}

std::string whatIfAsText(const WhatIf& whatIf, std::size_t top) {
    std::string out = whatIf.trace + "\n\n" + tableOf("", whatIf.figures);
    const auto add = [&](const char* heading, const std::vector<Difference>& things) {
        if (things.empty()) return;
        out += '\n' + tableOf(heading, std::span(things).first(std::min(top, things.size())));
        if (things.size() > top) out += fmt::format("… and {} more\n", grouped(things.size() - top));
    };
    add("cycles by region", whatIf.regions);
    add("cycles by class", whatIf.classes);
    add("cycles by object", whatIf.objects);
    return out;
}

JsonObject differenceAsJson(const Difference& d) {
    const auto share = d.savedShare();
    return {{"before", d.before},
            {"after", d.after},
            {"saved", static_cast<std::int64_t>(d.before) - static_cast<std::int64_t>(d.after)},
            {"saved_percent", share ? JsonValue(100 * *share) : JsonValue()}};
}

JsonArray thingsAsJson(const std::vector<Difference>& things) {
    return jsonArrayOf(things, [](const Difference& d) {
        JsonObject row = differenceAsJson(d);
        row.insert(row.begin(), {"name", d.key});
        return row;
    });
}

JsonValue whatIfAsJson(const WhatIf& whatIf) {
    JsonObject figures;
    for (const Difference& d : whatIf.figures) figures.emplace_back(d.key, differenceAsJson(d));
    return JsonObject{{"trace", whatIf.trace},
                      {"machine", whatIf.machine},
                      {"changes", whatIf.changes},
                      {"figures", std::move(figures)},
                      {"regions", thingsAsJson(whatIf.regions)},
                      {"objects", thingsAsJson(whatIf.objects)},
                      {"classes", thingsAsJson(whatIf.classes)}};
}

}  // namespace

Document whatIfDocument(WhatIf whatIf) {
    const auto done = std::make_shared<const WhatIf>(std::move(whatIf));
    return {.text = [=](std::size_t top) { return whatIfAsText(*done, top); },
            .json = [=] { return whatIfAsJson(*done); }};
}

}  // namespace whorl::sim
