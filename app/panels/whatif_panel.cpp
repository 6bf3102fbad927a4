// What if things were elsewhere in memory: the applied changes, what they save, and a form for another.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "app/panels/panels.h"
#include "app/panels/table_widget.h"
#include "app/panels/widgets.h"
#include "app/views/comparison_words.h"
#include "app/views/space/describe_node.h"
#include "sim/trace/owners.h"

namespace whorl::app {

namespace {

constexpr auto kKinds = sim::kChangeVerbs;
constexpr std::array<const char*, kKinds.size()> kHints = {
    "moved by this many bytes",
    "moved up to the next multiple of this many bytes, a power of two",
    "padded so that nothing else shares its last block of this many bytes",
    "its elements placed this many bytes apart",
    "stored by columns; columns in a row, 0: from its shape",
    "an array for each field of its elements; bytes of a field, 0: from its type",
    "stored in square tiles of this many rows, each in one piece",
    "all blocks of a variable one behind the other, in memory of their own",
    "a variable that grows gets all its memory at once"};

void drawChanges(const PanelContext& c) {
    const auto& changes = c.context.opened.request.changes;
    for (std::size_t i = 0; i < changes.size(); ++i) {
        ImGui::PushID(static_cast<int>(i));
        if (ImGui::SmallButton("×")) c.queue(command::ChangeUndo{static_cast<std::uint32_t>(i)});
        hint("as it was");
        ImGui::SameLine();
        ImGui::TextUnformatted(sim::asText(changes[i]).c_str());
        ImGui::PopID();
    }
}

std::uint64_t sharingMisses(const sim::Run& run, std::size_t level) {
    const auto measures = run.measures();
    if (!measures) return 0;
    return measures->ledger->misses(run.machine(), level, sim::MissKind::trueSharing) +
           measures->ledger->misses(run.machine(), level, sim::MissKind::falseSharing);
}

/// A run as it was and as it is: over the range if there is one, else over all accesses.
struct BeforeAndNow {
    const sim::Run& before;
    const sim::Run& now;
    sim::Counters was;
    sim::Counters is;
    std::shared_ptr<const sim::History> historyWas = {};  ///< null while it is not known
    std::shared_ptr<const sim::History> historyIs = {};
};

/// The two runs figure by figure. Of a range the causes of misses are not known of both.
sim::Table savingsTable(const PanelContext& c, const BeforeAndNow& runs) {
    const bool isWhole = !c.context.range;
    sim::Table table{.name = "savings",
                     .title = {},
                     .columns = {{"figure", isWhole ? "whole run" : "range"},
                                 {"was", "was"},
                                 {"is", "is"},
                                 {"change_percent", "change"}},
                     .rows = {}};
    const auto add = [&](std::string name, std::uint64_t was, std::uint64_t is) {
        const auto old = static_cast<double>(was);
        sim::Cell change;
        if (was != 0) change = 100 * (static_cast<double>(is) - old) / old;
        table.rows.push_back({std::move(name), was, is, change});
    };
    const sim::History* const h0 = runs.historyWas.get();
    const sim::History* const h1 = runs.historyIs.get();
    if (h0 != nullptr && h1 != nullptr) {
        add("cycles, elapsed", h0->end - h0->begin, h1->end - h1->begin);
        add("cycles, accesses", h0->cycles(), h1->cycles());
    }
    for (std::size_t l = 0; l < c.machine().levels.size(); ++l) {
        const std::string& name = c.machine().levels[l].name;
        add(name + " misses", runs.was.level(l).misses(), runs.is.level(l).misses());
        if (isWhole) add(name + " sharing", sharingMisses(runs.before, l), sharingMisses(runs.now, l));
    }
    return table;
}

/// The misses of a run over the range if there is one, else over all accesses; nothing while they are not known.
std::optional<sim::Counters> countersOf(const PanelContext& c, std::size_t run) {
    if (!c.context.range) return c.session.openRuns()[run]->run->totals();
    const auto counts = countsOf(c, run);
    return counts ? std::optional(counts->counters) : std::nullopt;
}

/// "-12.3 %", in colour where it saves.
void drawChange(const PanelContext& c, const KeptTable& kept, std::size_t r) {
    const auto was = std::get<std::uint64_t>(kept.cell(r, "was"));
    const auto is = std::get<std::uint64_t>(kept.cell(r, "is"));
    const auto* const change = std::get_if<double>(&kept.cell(r, "change_percent"));
    ImGui::PushStyleColor(ImGuiCol_Text, is > was ? c.colours().text : c.colours().accent);
    rightAligned(is == was ? "=" : change == nullptr ? "new" : fmt::format("{:+.1f} %", *change));
    ImGui::PopStyleColor();
}

/// The history of a run over the same accesses as the other figures; null while it is not known, also if there is still
/// one of other accesses.
std::shared_ptr<const sim::History> historyOf(const PanelContext& c, std::size_t run) {
    if (c.historyViews(run) == nullptr) return nullptr;
    const sim::Range of = c.context.range.value_or(sim::Range{sim::Tick{0}, sim::Tick{c.trace().size()}});
    auto history = c.historyViews(run)->shared();
    return history != nullptr && history->from == of.from && history->to == of.to ? history : nullptr;
}

KeptTable& keepSavings(const PanelContext& c, const BeforeAndNow& runs) {
    std::vector<double> numbers{c.context.range ? 1.0 : 0.0};
    for (std::size_t l = 0; l < c.machine().levels.size(); ++l) {
        numbers.push_back(static_cast<double>(runs.was.level(l).misses()));
        numbers.push_back(static_cast<double>(runs.is.level(l).misses()));
    }
    KeptTable& kept = keptTable(c, "savings");
    kept.keep(
        TableSource({runs.historyWas, runs.historyIs, runs.before.measures(), runs.now.measures()}, std::move(numbers)),
        [&] { return savingsTable(c, runs); });
    return kept;
}

void drawSavings(const PanelContext& c) {
    const std::size_t unchanged = c.session.unchangedRun();
    if (unchanged == 0) return;
    bool compares = c.context.viewSettings.compares;
    if (ImGui::Checkbox("side by side", &compares)) c.queue(changeOf("compare"));
    hint(withKey("show each view for both runs", changeOf("compare")));
    const std::shared_ptr<sim::Run> before = c.session.openRuns()[unchanged]->run;
    const std::shared_ptr<sim::Run> now = c.context.opened.run;
    if (!before->complete() || !now->complete()) {
        muted(c, "being simulated …");
        return;
    }
    const auto was = countersOf(c, unchanged);
    const auto is = countersOf(c, 0);
    if (!was || !is) {
        muted(c, "being measured …");
        return;
    }
    KeptTable& kept = keepSavings(c, {*before, *now, *was, *is, historyOf(c, unchanged), historyOf(c, 0)});
    const auto rough = [](const char* key) { return ShownColumn{.key = key, .form = NumberForm::rough}; };
    drawTable(c, kept,
              {.thing = "saving",
               .columns = {{.key = "figure"},
                           rough("was"),
                           rough("is"),
                           {.key = "change_percent", .sample = "-100.0 %", .keeps = 1}},
               .sorts = false,
               .cell = [&](std::size_t r, const std::string& key) {
                   if (key == "change_percent") drawChange(c, kept, r);
                   return key == "change_percent";
               }});
}

sim::LayoutChange::Kind kindOf(const WhatIfEdit& edit) {
    return static_cast<sim::LayoutChange::Kind>(edit.kind);
}

/// The target of a change: what is picked, else nothing; the variable of a block if all its blocks are gathered.
std::string thingOf(const PanelContext& c, const WhatIfEdit& edit) {
    if (c.historyViews() == nullptr || !c.context.viewSettings.object) return {};
    const sim::History& history = c.historyViews()->history();
    const auto node = findObject(history, *c.context.viewSettings.object);
    if (!node) return {};
    const sim::CostNode& n = history.objects[*node];
    // Blocks are taken together by their variable, whatever their class.
    if (edit.ofClass && !relocates(kindOf(edit)) && n.classId != sim::CostNode::kNoClass)
        return "class:" + history.classes[n.classId].name;
    const std::string name = nameOf(n, c.historyViews()->trace());
    return relocates(kindOf(edit)) ? std::string(sim::variableOf(name)) : name;
}

/// What the number of a change counts.
const char* numberOf(sim::LayoutChange::Kind kind) {
    if (kind == sim::LayoutChange::Kind::transpose) return "columns";
    if (kind == sim::LayoutChange::Kind::block) return "rows";
    return kind == sim::LayoutChange::Kind::split ? "a field" : "bytes";
}

/// Usually shapes and types are known.
void choose(WhatIfEdit& edit, std::size_t kind) {
    const bool hadNumber = needsNumber(kindOf(edit));
    edit.kind = kind;
    if (needsNumber(kindOf(edit)) != hadNumber) edit.bytes = hadNumber ? 0 : WhatIfEdit{}.bytes;
}

sim::LayoutChange changeOf(const WhatIfEdit& edit) {
    constexpr std::string_view kClass = "class:";
    const bool ofClass = edit.thing.starts_with(kClass);
    return {.kind = kindOf(edit),
            .thing = edit.thing.substr(ofClass ? kClass.size() : 0),
            .ofClass = ofClass,
            .bytes = relocates(kindOf(edit)) ? 0 : edit.bytes};
}

/// The choice of what to do, as wide as the longest word.
void drawKind(WhatIfEdit& edit) {
    float width = 0;
    for (const char* const kind : kKinds) width = std::max(width, ImGui::CalcTextSize(kind).x);
    ImGui::SetNextItemWidth(width + 2 * ImGui::GetStyle().FramePadding.x + ImGui::GetFrameHeight());
    if (ImGui::BeginCombo("##kind", kKinds[edit.kind], ImGuiComboFlags_HeightLarge)) {
        for (std::size_t i = 0; i < kKinds.size(); ++i) {
            if (ImGui::Selectable(kKinds[i], i == edit.kind)) choose(edit, i);
            hint(kHints[i]);
        }
        ImGui::EndCombo();
    }
    hint(kHints[edit.kind]);
}

void drawNew(const PanelContext& c) {
    WhatIfEdit& edit = c.edits.whatIf;
    const std::string picked = thingOf(c, edit);
    if (picked != edit.picked) {
        edit.picked = picked;
        if (!picked.empty()) edit.thing = picked;
    }
    drawKind(edit);
    ImGui::SameLine(0, 4 * c.scale);
    ImGui::SetNextItemWidth(-1);
    std::array<char, 256> text{};
    std::copy_n(edit.thing.data(), std::min(edit.thing.size(), text.size() - 1), text.data());
    const bool entered = ImGui::InputTextWithHint("##thing", "name or class:…", text.data(), text.size(),
                                                  ImGuiInputTextFlags_EnterReturnsTrue);
    edit.thing = text.data();
    nameItem(c, "field what-if");
    hint(
        "the name of an object or a region: pick it in the ObjectView or type it; class:NAME means all objects of a "
        "class");
    if (!relocates(kindOf(edit))) {
        ImGui::SetNextItemWidth(104 * c.scale);
        ImGui::InputInt(numberOf(kindOf(edit)), &edit.bytes, reorders(kindOf(edit)) ? 1 : 16, 64);
        ImGui::SameLine();
    }
    ImGui::BeginDisabled(edit.thing.empty());
    if (ImGui::Button("try") || (entered && !edit.thing.empty())) {
        c.queue(command::Change{changeOf(edit)});
    }
    nameItem(c, "button what-if");
    ImGui::EndDisabled();
    if (relocates(kindOf(edit))) return;
    ImGui::Checkbox("all of its class", &edit.ofClass);
    hint("all objects of the picked object's class");
}

/// Draws a button that shows the layout changes found to help.
void drawCures(const PanelContext& c) {
    if (c.machine().cpus < 2) return;
    if (ImGui::SmallButton("what would help")) c.queue(command::Sharing{});
    nameItem(c, "button sharing");
    hint(withKey("layout changes that reduce the cost of sharing, simulated on this machine, with the blocks",
                 command::Sharing{}));
}

}  // namespace

void drawWhatIfPanel(const PanelContext& c) {
    if (!c.context.opened.run) return;
    const bool changed = !c.context.opened.request.changes.empty();
    if (!changed && !c.context.viewSettings.needsHistory()) return;
    if (!section(c, "WHAT IF", "section-what-if")) return;
    ImGui::PushFont(c.fonts.small);
    drawChanges(c);
    drawSavings(c);
    drawNew(c);
    drawCures(c);
    ImGui::PopFont();
    ImGui::Dummy({0, 6 * c.scale});
}

}  // namespace whorl::app
