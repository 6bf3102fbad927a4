// Trying other values: every value of the machine and every option of a built-in program, each with the widget that
// suits it. What is changed is run again at once, and the playhead stays.
#include <fmt/format.h>
#include <imgui.h>
// After imgui.h, whose names it uses.
#include <imgui_stdlib.h>

#include <algorithm>
#include <charconv>

#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "sim/base/text.h"
#include "sim/machine/config_schema.h"
#include "sim/programs/program.h"

namespace whorl::app {

namespace {

/// The name of a value, and room for its widget beside it.
void label(const std::string& name, const std::string& words) {
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(cut(name, 0.5f * ImGui::GetContentRegionAvail().x).c_str());
    if (!words.empty()) hint(words);
    ImGui::SameLine(0.52f * ImGui::GetContentRegionAvail().x);
    ImGui::SetNextItemWidth(-1);
}

/// Buttons that halve or double a size, as sizes are powers of two, or small multiples of one.
void drawSize(const PanelContext& c, const std::string& key, std::uint64_t bytes) {
    const float side = ImGui::GetFrameHeight();
    if (ImGui::Button("-", {side, 0}) && bytes > 1) c.queue(command::Set{fmt::format("{}={}", key, bytes / 2)});
    nameItem(c, key + " less");
    ImGui::SameLine();
    if (ImGui::Button("+", {side, 0})) c.queue(command::Set{fmt::format("{}={}", key, bytes * 2)});
    nameItem(c, key + " more");
    ImGui::SameLine();
    ImGui::TextUnformatted(sim::formatBytes(bytes).c_str());
}

/// A number that is taken over when the field is left, or by its buttons.
template <class Queue>
void drawNumber(const PanelContext& c, const std::string& key, std::int64_t now, std::int64_t least, std::int64_t most,
                const Queue& queue) {
    std::int64_t value = now;
    const std::int64_t step = 1;
    const std::int64_t leap = 8;
    ImGui::InputScalar("##number", ImGuiDataType_S64, &value, &step, &leap);
    nameItem(c, key);
    const std::int64_t kept = std::clamp(value, least, most);
    const bool isOver = ImGui::IsItemDeactivatedAfterEdit() || (value != now && !ImGui::IsItemActive());
    if (isOver && kept != now) queue(kept);
}

bool isSize(const std::string& key) {
    return key == "size" || key == "block" || key == "page";
}

template <class Object>
void drawField(const PanelContext& c, const std::string& prefix, const sim::Field<Object>& field) {
    const std::string key = prefix + field.key;
    const std::string now = sim::valueIn(c.machine(), key).value_or("");
    const auto number = sim::hasText(field.key) ? std::nullopt : sim::wholeNumber(now);
    ImGui::PushID(key.c_str());
    if (!field.words.empty()) {
        label(field.key, {});
        const auto at = std::find(field.words.begin(), field.words.end(), now);
        combo(c, "##word", field.words, static_cast<std::size_t>(at - field.words.begin()),
              [&](std::size_t i) { return command::Set{fmt::format("{}={}", key, field.words[i])}; });
        nameItem(c, key);
    } else if (isSize(field.key)) {
        if (const auto bytes = sim::parseBytes(now)) {
            label(field.key, "bytes");
            drawSize(c, key, *bytes);
        }
    } else if (number) {
        label(field.key, {});
        drawNumber(c, key, static_cast<std::int64_t>(*number), 0, 1'000'000'000,
                   [&](std::int64_t kept) { c.queue(command::Set{fmt::format("{}={}", key, kept)}); });
    }
    ImGui::PopID();
}

template <class Object>
void drawFields(const PanelContext& c, const std::string& prefix, sim::Fields<Object> fields) {
    for (const sim::Field<Object>& field : fields) drawField(c, prefix, field);
}

/// A part of the machine that can be folded; open at first.
bool part(const PanelContext& c, const std::string& name, bool isOpen) {
    const bool shown = ImGui::CollapsingHeader(name.c_str(), isOpen ? ImGuiTreeNodeFlags_DefaultOpen : 0);
    nameItem(c, "live " + name);
    return shown;
}

void drawMachineValues(const PanelContext& c) {
    const sim::MachineConfig& machine = c.machine();
    ImGui::PushID("levels");
    label("levels", "number of cache levels; 0: every access goes to memory");
    drawNumber(c, "levels", static_cast<std::int64_t>(machine.levels.size()), 0, sim::kMaxLevels,
               [&](std::int64_t kept) { c.queue(command::Set{fmt::format("levels={}", kept)}); });
    ImGui::PopID();
    for (const sim::LevelConfig& level : machine.levels) {
        if (part(c, level.name, true)) drawFields(c, level.name + ".", sim::levelFields());
    }
    if (part(c, "machine", false)) drawFields(c, "", sim::machineFields());
    if (part(c, "TLB", false)) drawFields(c, "tlb.", sim::tlbFields());
    if (part(c, "memory", false)) drawFields(c, "memory.", sim::memoryFields());
}

/// A text is taken over by Ctrl+Enter or the button; until then, and after an error, it stays as it was typed.
void drawText(const PanelContext& c, const sim::ProgramOption& option, const std::string& now) {
    if (c.edits.pattern.of != now) c.edits.pattern = {now, now};
    std::string& typed = c.edits.pattern.typed;
    const bool entered =
        ImGui::InputTextMultiline("##text", &typed, {-1, 8 * ImGui::GetTextLineHeight()},
                                  ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AllowTabInput);
    nameItem(c, "live " + option.name);
    const bool pressed = ImGui::Button("Run");
    nameItem(c, "live run");
    hint("Ctrl+Enter in the text does the same");
    if ((entered || pressed) && typed != now) c.queue(command::Option{option.name, typed});
}

void drawOption(const PanelContext& c, const sim::ProgramSpec& spec, const sim::ProgramOption& option) {
    const auto given = spec.options.find(option.name);
    const std::string now = given == spec.options.end() ? option.defaultValue : given->second;
    ImGui::PushID(option.name.c_str());
    if (option.isText) {
        if (&option == &spec.program->options.front()) drawText(c, option, now);
    } else if (!option.choices.empty()) {
        label(option.name, option.description);
        const auto at = std::find(option.choices.begin(), option.choices.end(), now);
        combo(c, "##choice", option.choices, static_cast<std::size_t>(at - option.choices.begin()), [&](std::size_t i) {
            return command::Option{option.name, option.choices[i]};
        });
        nameItem(c, "live " + option.name);
    } else {
        std::int64_t number = 0;
        std::from_chars(now.data(), now.data() + now.size(), number);
        label(option.name, fmt::format("{}: {} to {}", option.description, option.min, option.max));
        drawNumber(c, "live " + option.name, number, option.min, option.max, [&](std::int64_t kept) {
            c.queue(command::Option{option.name, std::to_string(kept)});
        });
    }
    ImGui::PopID();
}

}  // namespace

void drawLivePanel(const PanelContext& c) {
    if (!c.session.overlays.live || !c.context.opened.run) return;
    heading(c, "TRY IT");
    const std::string& input = c.context.opened.request.input;
    if (isProgram(input)) {
        if (const auto spec = sim::parseProgramSpec(input)) {
            for (const sim::ProgramOption& option : spec->program->options) drawOption(c, *spec, option);
        }
    }
    drawMachineValues(c);
    if (ImGui::Button("Close")) c.queue(command::Live{false});
    ImGui::Dummy({0, 6 * c.scale});
}

}  // namespace whorl::app
