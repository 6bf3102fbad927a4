// The open tour as a form: the steps as small pictures, which can be dragged to another place, and a field for all that
// a step and the tour can say.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "app/panels/panels.h"
#include "app/panels/text_lines.h"
#include "app/panels/tour/wrapped_field.h"
#include "app/panels/widgets.h"
#include "app/tours/presenting.h"
#include "app/tours/tour_form.h"
#include "sim/base/text.h"
#include "sim/machine/config_schema.h"
#include "sim/machine/host_machine.h"
#include "sim/machine/machine_config.h"
#include "sim/programs/program.h"

namespace whorl::app {

namespace {

constexpr const char* kStep = "step";  ///< the kind of what is dragged

/// Drags a step, and takes one that is dropped on it.
void dragStep(const PanelContext& c, std::size_t scene, const std::string& title) {
    if (ImGui::BeginDragDropSource()) {
        const auto index = static_cast<std::uint32_t>(scene);
        ImGui::SetDragDropPayload(kStep, &index, sizeof index);
        ImGui::TextUnformatted(title.c_str());
        ImGui::EndDragDropSource();
    }
    if (!ImGui::BeginDragDropTarget()) return;
    if (const ImGuiPayload* const dropped = ImGui::AcceptDragDropPayload(kStep)) {
        c.queue(
            command::TourMove{*static_cast<const std::uint32_t*>(dropped->Data), static_cast<std::uint32_t>(scene)});
    }
    ImGui::EndDragDropTarget();
}

void drawThumbnail(const PanelContext& c, std::size_t scene, ImVec2 from, ImVec2 size) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 to(from.x + size.x, from.y + size.y);
    const unsigned texture = scene < c.thumbnails.size() ? c.thumbnails[scene] : 0;
    if (texture != 0) {
        const auto id = reinterpret_cast<ImTextureID>(static_cast<std::uintptr_t>(texture));
        list.AddImage(id, from, to, {0, 1}, {1, 0});
    }
    list.AddRect(from, to, packed(c.colours().border));
}

/// A step: its picture, if that has a size, its number and title.
void drawStep(const PanelContext& c, const Presentation& p, std::size_t scene, ImVec2 picture) {
    const TourScene said = saidScene(p, scene);
    const std::string title = fmt::format("{}  {}", scene + 1, said.title);
    const ImVec2 from = ImGui::GetCursorScreenPos();
    ImGui::PushID(static_cast<int>(scene));
    if (ImGui::Selectable("##step", scene == p.scene, 0, {0, picture.y})) {
        c.queue(command::TourGo{static_cast<std::uint32_t>(scene)});
    }
    nameItem(c, fmt::format("scene {}", scene));
    hint(said.question ? said.question->text : said.words);
    dragStep(c, scene, title);
    ImGui::PopID();
    const bool isPictured = picture.x > 0;
    const ImVec2 at(from.x + picture.x + (isPictured ? 6 * c.scale : 0), from.y);
    const float width = from.x + ImGui::GetContentRegionAvail().x - at.x;
    const ImFont& font = *ImGui::GetFont();
    const std::string words = isPictured ? inLines(font, ImGui::GetFontSize(), width, title)
                                         : cutAtEnd(font, ImGui::GetFontSize(), width, title);
    if (isPictured) drawThumbnail(c, scene, from, picture);
    ImGui::PushClipRect(at, {at.x + width, at.y + picture.y}, true);
    ImGui::GetWindowDrawList()->AddText(at, packed(c.colours().text), words.c_str());
    ImGui::PopClipRect();
}

// What is offered beside a field.

/// The programs, those like the given one first: "matmul:n=16,variant=blocked".
std::vector<std::string> programsLike(const std::string& input) {
    std::vector<std::string> out;
    if (const auto spec = sim::parseProgramSpec(input)) {
        for (const sim::ProgramOption& option : spec->program->options) {
            for (const std::string& choice : option.choices) {
                const auto other = sim::withOption(input, option.name, choice);
                if (other && *other != input) out.push_back(*other);
            }
        }
    }
    for (const sim::Program& program : sim::programs()) out.push_back(program.name);
    return out;
}

/// "L1.write=through", "L1.ways=4": each value of a level by another word, by half and by double.
std::vector<std::string> valuesLike(const sim::MachineConfig& machine) {
    std::vector<std::string> out;
    for (const sim::LevelConfig& level : machine.levels) {
        for (const auto& field : sim::levelFields()) {
            const std::string key = fmt::format("{}.{}", level.name, field.key);
            const std::string now = sim::valueIn(machine, key).value_or("");
            const auto add = [&](const std::string& value) {
                const std::string setting = fmt::format("{}={}", key, value);
                if (value != now && sim::withValue(machine, setting)) out.push_back(setting);
            };
            for (const std::string& word : field.words) add(word);
            if (const auto bytes = sim::parseBytes(now); bytes && *bytes > 0 && field.words.empty()) {
                add(std::to_string(2 * *bytes));
                add(std::to_string(*bytes / 2));
            }
        }
    }
    return out;
}

std::vector<std::string> offersOf(const PanelContext& c, const FormRow& row, const FormValues& values) {
    if (row.kind == FormKind::program) return programsLike(values.at("input"));
    if (row.kind == FormKind::machine) return sim::machineNames();
    if (row.kind == FormKind::settings) return valuesLike(c.machine());
    return choicesOf(row, values);
}

/// Draws the fields of one step.
class TourForm {
  public:
    TourForm(const PanelContext& c, const Presentation& p) : c_(c), edits_(c.edits.tour), scene_(p.scene) {
        if (edits_.shown.lock() == p.tour && edits_.scene == p.scene) return;
        if (edits_.scene != p.scene) {
            edits_.fields.clear();
            ImGui::ClearActiveID();
        }
        edits_.shown = p.tour;
        edits_.scene = p.scene;
        edits_.values = valuesOf(*p.tour, p.scene);
    }

    void draw() {
        std::optional<FormPart> part;
        bool isOpen = false;
        for (const FormRow& row : tourForm()) {
            if (row.part != part) isOpen = begin(row.part);
            part = row.part;
            if (isOpen && applies(row, edits_.values)) drawRow(row);
        }
    }

  private:
    /// A part can be folded; the words, a question and what stands beside it are open at first.
    bool begin(FormPart part) {
        bool isUsed = part == FormPart::words;
        for (const FormRow& row : tourForm()) {
            const bool opens = part == FormPart::question || part == FormPart::beside;
            isUsed |= row.part == part && opens && !now(row).empty();
        }
        const std::string name(kFormParts[static_cast<std::size_t>(part)]);
        ImGui::PushID(static_cast<int>(scene_));
        const bool isOpen = ImGui::CollapsingHeader(name.c_str(), isUsed ? ImGuiTreeNodeFlags_DefaultOpen : 0);
        ImGui::PopID();
        nameItem(c_, "tour part " + name);
        return isOpen;
    }

    const std::string& now(const FormRow& row) const { return edits_.values.at(row.key); }
    void say(const FormRow& row, const std::string& text) {
        c_.queue(command::TourSay{static_cast<std::uint32_t>(scene_), std::string(row.key), text});
    }

    void drawRow(const FormRow& row) {
        ImGui::PushID(row.key.data());
        if (row.kind == FormKind::number) {
            // Numbers are short: they stand beside their label.
            ImGui::AlignTextToFramePadding();
            muted(c_, std::string(row.label));
            ImGui::SameLine(std::max(0.0f, ImGui::GetContentRegionAvail().x - 84 * c_.scale));
        } else {
            mutedWrapped(c_, std::string(row.label));
        }
        if (row.kind == FormKind::choice) {
            drawChoice(row);
        } else if (row.isList()) {
            drawTexts(row);
        } else if (const auto typed = field(row, std::string(row.key), now(row), row.offers())) {
            say(row, *typed);
        }
        ImGui::PopID();
    }

    /// What was typed, once its field is left.
    std::optional<std::string> field(const FormRow& row, const std::string& name, const std::string& text,
                                     bool offers) {
        const float arrow = offers ? ImGui::GetFrameHeight() + 2 * c_.scale : 0;
        WrappedText& kept = edits_.fields[name];
        std::optional<std::string> typed;
        if (wrappedField(("##" + name).c_str(), kept, text, ImGui::GetContentRegionAvail().x - arrow)) {
            typed = textIn(kept);
        }
        nameItem(c_, "tour " + name);
        if (!row.means.empty() && !ImGui::IsItemActive()) hint(std::string(row.means));
        if (!offers) return typed;
        ImGui::SameLine(0, 2 * c_.scale);
        if (ImGui::BeginCombo("##offers", "", ImGuiComboFlags_NoPreview | ImGuiComboFlags_HeightLarge)) {
            for (const std::string& offer : offersOf(c_, row, edits_.values)) {
                if (ImGui::Selectable(offer.c_str())) typed = offer;
                nameItem(c_, "offer " + offer);
            }
            ImGui::EndCombo();
        }
        nameItem(c_, fmt::format("tour {} offers", name));
        return typed;
    }

    /// A field for each text, and one for another.
    void drawTexts(const FormRow& row) {
        std::vector<std::string> texts = linesIn(now(row));
        texts.emplace_back();
        for (std::size_t i = 0; i < texts.size(); ++i) {
            const bool isNew = i + 1 == texts.size();
            ImGui::PushID(static_cast<int>(i));
            const auto typed = field(row, fmt::format("{} {}", row.key, i + 1), texts[i], isNew && row.offers());
            ImGui::PopID();
            if (!typed) continue;
            texts[i] = *typed;
            say(row, fmt::format("{}", fmt::join(texts, "\n")));
            return;
        }
    }

    void drawChoice(const FormRow& row) {
        std::vector<std::string> words = offersOf(c_, row, edits_.values);
        // One of the choices is the answer, and runs are always locked in some way.
        if (row.key == "question") words.insert(words.begin(), "nothing");
        const auto at = std::find(words.begin(), words.end(), now(row));
        ImGui::SetNextItemWidth(-1);
        const auto index = at == words.end() ? 0 : static_cast<std::size_t>(at - words.begin());
        if (ImGui::BeginCombo("##choice", words[index].c_str(), ImGuiComboFlags_HeightLarge)) {
            for (const std::string& word : words) {
                if (ImGui::Selectable(word.c_str())) say(row, word == "nothing" ? "" : word);
                nameItem(c_, "offer " + word);
            }
            ImGui::EndCombo();
        } else {
            nameItem(c_, fmt::format("tour {}", row.key));
        }
        hint(std::string(row.means));
    }

    const PanelContext& c_;
    TourEdits& edits_;
    std::size_t scene_;
};

}  // namespace

void drawTourSteps(const PanelContext& c, const Presentation& p, bool pictures) {
    const std::size_t most = pictures ? 5 : 7;
    const std::size_t steps = p.tour->scenes.size();
    ImGui::PushFont(pictures ? c.fonts.small : c.fonts.body);
    const ImVec2 picture = pictures ? ImVec2(96 * c.scale, 54 * c.scale) : ImVec2(0, ImGui::GetTextLineHeight());
    const float row = picture.y + ImGui::GetStyle().ItemSpacing.y;
    const float rows = static_cast<float>(std::min(steps, most)) + (steps > most ? 0.4f : 0);
    if (ImGui::BeginChild("##scenes", {0, rows * row}, false)) {
        for (std::size_t i = 0; i < steps; ++i) {
            drawStep(c, p, i, picture);
            if (i != p.scene || c.edits.tour.listed == i) continue;
            ImGui::SetScrollHereY();
            c.edits.tour.listed = i;
        }
    }
    ImGui::EndChild();
    ImGui::PopFont();
}

void drawTourFindings(const PanelContext& c, const Presentation& p) {
    const auto told = p.told.find(p.scene);
    if (told != p.told.end() && !told->second->error.empty() && told->second->of == resolvedScene(*p.tour, p.scene)) {
        wrapped(told->second->error);
    }
    if (p.checked == nullptr) return;
    if (p.checked != p.tour) return muted(c, "changed since it was checked");
    std::size_t lines = 0;
    for (const std::string& line : linesIn(p.findings)) {
        wrapped(line);
        nameItem(c, fmt::format("finding {}", lines++));
        // "scenes[1].words: …" leads to its scene.
        constexpr std::string_view kScenes = "scenes[";
        if (!line.starts_with(kScenes) || !ImGui::IsItemClicked()) continue;
        c.queue(command::TourGo{static_cast<std::uint32_t>(std::strtoul(line.c_str() + kScenes.size(), nullptr, 10))});
    }
}

void drawTourForm(const PanelContext& c, const Presentation& p) {
    ImGui::PushFont(c.fonts.small);
    TourForm(c, p).draw();
    ImGui::PopFont();
}

}  // namespace whorl::app
