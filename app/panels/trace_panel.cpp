// The trace and the machine: what is open, and fields for opening something else.
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_internal.h>
// After imgui.h, whose names it uses.
#include <imgui_stdlib.h>

#include <algorithm>
#include <array>

#include "app/panels/panels.h"
#include "app/panels/text_lines.h"
#include "app/panels/widgets.h"
#include "app/session/words.h"
#include "sim/machine/host_machine.h"
#include "sim/machine/machine_config.h"
#include "sim/programs/program.h"
#include "sim/report/window_words.h"

namespace whorl::app {

namespace {

/// A field that keeps what is typed, in another colour, until Enter makes it the current text, or that changes.
bool entered(const PanelContext& c, Field field, const char* id, const char* hintText, TypedText& text,
             const std::string& current) {
    const bool isLeftEmpty = text.typed.empty() && ImGui::GetActiveID() != ImGui::GetID(id);
    if (text.of != current || isLeftEmpty) text = {current, current};
    ImGui::SetNextItemWidth(-ImGui::GetFrameHeight());  // a list is beside it
    if (c.session.focus == field) {
        ImGui::SetKeyboardFocusHere();
        c.queue(command::Focus{Field::none});
    }
    const ImVec4 colour = ImGui::GetStyleColorVec4(ImGuiCol_Text);
    ImGui::PushStyleColor(ImGuiCol_Text, text.typed == current ? colour : c.colours().accent);
    const bool isEntered = ImGui::InputTextWithHint(id, hintText, &text.typed, ImGuiInputTextFlags_EnterReturnsTrue);
    ImGui::PopStyleColor();
    return isEntered;
}

void drawInput(const PanelContext& c) {
    TypedText& text = c.edits.input;
    const OpenRequest& request = c.context.opened.request;
    if (entered(c, Field::input, "##input", "file or program", text, request.input) && !text.typed.empty())
        c.queue(command::Open{text.typed});
    hint("A trace file, or a program such as matmul:n=32,variant=blocked. Enter opens it.");
    ImGui::SameLine(0, 0);
    const bool isOpen = ImGui::BeginCombo("##programs", "", ImGuiComboFlags_HeightLarge | ImGuiComboFlags_NoPreview);
    if (!isOpen) nameItem(c, "programs");
    if (!isOpen) return hint("built-in programs");
    for (const sim::Program& program : sim::programs()) {
        if (ImGui::Selectable(program.name.c_str())) c.queue(command::Open{program.name});
        hint(program.description);
    }
    ImGui::EndCombo();
}

/// What a machine is, and where its values are from.
void hintOn(const sim::MachineConfig& machine) {
    if (!ImGui::IsItemHovered() || machine.note.empty()) return;
    ImGui::BeginTooltip();
    std::string words = machine.note;
    if (!machine.source.empty()) words += "\nSource: " + machine.source;
    const float size = ImGui::GetFontSize();
    ImGui::TextUnformatted(inLines(*ImGui::GetFont(), size, 36 * size, words).c_str());
    ImGui::EndTooltip();
}

void drawMachine(const PanelContext& c) {
    TypedText& text = c.edits.machine;
    // The name of a machine stands for more than the sizes of its caches.
    const std::string& chosen = c.context.opened.request.machine;
    const std::string& name = chosen.empty() ? c.machine().name : chosen;
    const std::string current = name.empty() ? sim::geometryOf(c.machine()) : name;
    const bool isEntered = entered(c, Field::machine, "##machine", "size/ways/block, …", text, current);
    if (isEntered && !text.typed.empty() && text.typed != current) c.queue(command::Machine{text.typed});
    hint(
        "size/ways/block of each level from the CPU outward, such as 32K/8/64, 1M/16/64; a preset; host for this "
        "computer's caches; or a JSON file.");
    ImGui::SameLine(0, 0);
    const bool isOpen = ImGui::BeginCombo("##presets", "", ImGuiComboFlags_HeightLarge | ImGuiComboFlags_NoPreview);
    if (!isOpen) {
        hintOn(c.machine());
        return;
    }
    for (const std::string& known : sim::machineNames()) {
        if (ImGui::Selectable(known.c_str())) c.queue(command::Machine{known});
        if (ImGui::IsItemHovered()) hintOn(sim::loadMachine(known).value_or(sim::MachineConfig{}));
    }
    ImGui::EndCombo();
}

std::string accessesInWords(const sim::Trace& trace) {
    std::string words = fmt::format("{} accesses", grouped(trace.size()));
    if (trace.cpus() > 1) words += fmt::format(" by {} CPUs", trace.cpus());
    return words + fmt::format(": {} reads, {} writes", grouped(trace.reads()), grouped(trace.writes()));
}

/// The order of the accesses, where there is a choice: of several CPUs that have no times of their own.
void drawOrder(const PanelContext& c) {
    const sim::Trace& trace = c.trace();
    if (!sim::hasOrders(trace)) return;
    constexpr std::array kOrders = {sim::AccessOrder::recorded, sim::AccessOrder::virtualTime};
    ImGui::SetNextItemWidth(-1);
    combo(c, "##order", kOrderWords, trace.isInVirtualTime() ? 1 : 0,
          [&](std::size_t i) { return command::Interleaving{kOrders[i]}; });
    nameItem(c, "order");
    hint(
        "The order of the accesses of several CPUs: as recorded, or in virtual time, where each CPU makes an access a "
        "tick, and waits where its threads waited for others.");
}

/// A part of the machine, and what it consists of, below its name where it does not fit beside it.
void drawPart(const PanelContext& c, const std::string& name, const std::string& words) {
    ImGui::TextUnformatted(name.c_str());
    ImGui::SameLine();
    const bool fits = ImGui::CalcTextSize(words.c_str()).x <= ImGui::GetContentRegionAvail().x;
    if (fits) {
        muted(c, words);
        return;
    }
    ImGui::NewLine();
    const float indent = 8 * c.scale;
    ImGui::Indent(indent);
    mutedWrapped(c, words);
    ImGui::Unindent(indent);
}

/// What is open, and the field and the list for something else.
void drawTrace(const PanelContext& c) {
    drawInput(c);
    const sim::Trace& trace = c.trace();
    ImGui::PushFont(c.fonts.small);
    mutedWrapped(c, accessesInWords(trace));
    ImGui::PopFont();
    drawOrder(c);
    if (trace.skippedLines() != 0) muted(c, fmt::format("{} lines skipped", grouped(trace.skippedLines())));
    std::uint64_t off = trace.accessesOff();
    if (const sim::Windows* const windows = trace.windows().get()) {
        off -= std::min(off, windows->between);
        mutedWrapped(c, sim::windowsInWords(windows->begins.size(), windows->length, windows->every));
    }
    if (off != 0) muted(c, fmt::format("{} accesses excluded by markers", grouped(off)));
    ImGui::Dummy({0, 6 * c.scale});
}

/// The machine, and what it consists of.
void drawParts(const PanelContext& c) {
    drawMachine(c);
    ImGui::PushFont(c.fonts.small);
    for (const sim::LevelConfig& level : c.machine().levels) {
        drawPart(c, fmt::format("{}  {}", level.name, sim::formatBytes(level.size)),
                 fmt::format("{} × {} × {} B", sim::counted(level.sets(), "set", "sets"),
                             sim::counted(level.ways, "way", "ways"), level.block));
    }
    const sim::TlbConfig& tlb = c.machine().tlb;
    if (tlb.entries != 0) {
        drawPart(c, "TLB", fmt::format("{} × pages of {}", grouped(tlb.entries), sim::formatBytes(tlb.page)));
    }
    const sim::MemoryConfig& memory = c.machine().memory;
    if (memory.isBounded()) {
        drawPart(c, "memory  " + sim::formatBytes(memory.size),
                 fmt::format("{} × pages of {}", grouped(memory.frames()), sim::formatBytes(memory.page)));
    }
    for (const std::string& setting : c.context.opened.request.settings) mutedWrapped(c, "set: " + setting);
    ImGui::PopFont();
    ImGui::Dummy({0, 6 * c.scale});
}

/// The heading of its section has a button for other values. Returns whether the section is open.
bool drawMachineHeading(const PanelContext& c) {
    constexpr const char* kTry = "try other values";
    ImGui::PushFont(c.fonts.small);
    const ImVec2 at = ImGui::GetCursorPos();
    const float all = ImGui::GetContentRegionAvail().x;
    const bool isOpen = section(c, "MACHINE", "section-machine");
    const ImVec2 below = ImGui::GetCursorPos();
    const float button = ImGui::CalcTextSize(kTry).x + 2 * ImGui::GetStyle().FramePadding.x;
    ImGui::SetCursorPos({at.x + std::max(0.0f, all - button), at.y});
    if (ImGui::SmallButton(kTry)) c.queue(command::Live{});
    nameItem(c, "try it");
    hint(wordsWithKey(command::Live{}));
    ImGui::PopFont();
    ImGui::SetCursorPos(below);
    return isOpen;
}

}  // namespace

void drawTracePanel(const PanelContext& c) {
    if (!c.context.opened.run) {
        heading(c, "TRACE");
        muted(c, "nothing is open yet");
        return;
    }
    // A key that goes to a field opens its section.
    const Sections& open = c.context.sections;
    if (c.session.focus == Field::input && !open.trace) c.queue(changeOf("section-trace", true));
    if (c.session.focus == Field::machine && !open.machine) c.queue(changeOf("section-machine", true));
    if (section(c, "TRACE", "section-trace")) drawTrace(c);
    if (drawMachineHeading(c)) drawParts(c);
}

}  // namespace whorl::app
