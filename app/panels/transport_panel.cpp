// The bottom panel: what the current access did, the playback controls, the strip.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "app/commands/searching.h"
#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "app/session/selection.h"
#include "sim/analysis/explain.h"
#include "sim/report/sentence.h"

namespace whorl::app {

namespace {

constexpr float kRow = 22;
constexpr float kGap = 12;  ///< between the controls of the row

/// A field of an address in a box as wide as its column, so that those of all levels can be compared.
void drawField(const PanelContext& c, const std::string& words, ImVec4 colour, const std::string& description) {
    ImGui::TableNextColumn();
    ImGui::PushFont(c.fonts.mono);
    const ImVec2 size = ImGui::CalcTextSize(words.c_str());
    const float pad = 5 * c.scale;
    const float width = std::max(ImGui::GetContentRegionAvail().x, size.x + 2 * pad);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 to(at.x + width, at.y + size.y + 2 * c.scale);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    ImVec4 bed = colour;
    bed.w = 0.16f;
    list.AddRectFilled(at, to, packed(bed), 2);
    list.AddRect(at, to, packed(colour), 2);
    list.AddText({at.x + (width - size.x) / 2, at.y + c.scale}, packed(c.colours().text), words.c_str());
    ImGui::Dummy({size.x + 2 * pad, size.y + 2 * c.scale});
    ImGui::PopFont();
    hint(description);
}

/// "1 0000 = 16"; the number alone when it would have too many digits.
std::string digits(std::uint64_t value, unsigned bits) {
    constexpr unsigned kMaxDigits = 14;
    if (bits == 0) return "–";
    return bits > kMaxDigits ? fmt::format("{:#x}", value)
                             : fmt::format("{} = {}", sim::binaryDigits(value, bits), value);
}

void drawPage(const PanelContext& c, const sim::PageExplanation& page) {
    const Theme colours = c.colours();
    ImGui::TableNextRow(ImGuiTableRowFlags_None, kRow * c.scale);
    ImGui::TableNextColumn();
    ImGui::TextUnformatted("page");
    drawField(c, fmt::format("page {:#x}", page.page), colours.muted, "the number of the virtual page");
    drawField(c, page.frame ? fmt::format("frame {}", *page.frame) : "–", colours.accent,
              page.frame ? "the frame of memory that holds the page" : "memory is unbounded: every page is present");
    drawField(c, "byte " + digits(page.offset, page.offsetBits), colours.text,
              fmt::format("{} bits select one of the {} bytes of a page", page.offsetBits,
                          std::uint64_t{1} << page.offsetBits));
    ImGui::TableNextColumn();
    ImGui::PushStyleColor(ImGuiCol_Text, page.walked || page.faulted ? colours.warning : colours.text);
    ImGui::TextUnformatted(page.words.c_str());
    ImGui::PopStyleColor();
    hint(page.words);
}

void drawLevel(const PanelContext& c, const sim::LevelExplanation& level) {
    const Theme colours = c.colours();
    ImGui::TableNextRow(ImGuiTableRowFlags_None, kRow * c.scale);
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(level.name.c_str());
    drawField(c, fmt::format("tag {:#x}", level.tag), colours.muted, "distinguishes the blocks of a set");
    if (sim::isPowerOfTwo(level.sets)) {
        drawField(c, "set " + digits(level.set, level.setBits), colours.accent,
                  fmt::format("{} bits select one of {} sets", level.setBits, level.sets));
    } else {
        drawField(c, fmt::format("set {} (mod {})", level.set, level.sets), colours.accent,
                  fmt::format("the number of the block, {:#x}, modulo {} sets", level.tag * level.sets + level.set,
                              level.sets));
    }
    drawField(c, "byte " + digits(level.offset, level.offsetBits), colours.text,
              fmt::format("{} bits select one of the {} bytes of a block", level.offsetBits,
                          std::uint64_t{1} << level.offsetBits));
    ImGui::TableNextColumn();
    const bool missed = level.asked && !level.hit;
    ImGui::PushStyleColor(ImGuiCol_Text, missed ? colours.warning : level.asked ? colours.text : colours.muted);
    ImGui::TextUnformatted(level.words.c_str());
    ImGui::PopStyleColor();
    hint(level.words);
}

/// The page of the current access and how it was translated, then its address as each level splits it into bit
/// fields, and what happened there.
void drawExplainRows(const PanelContext& c) {
    const sim::Step* step = c.picture() == nullptr ? nullptr : c.picture()->snapshot.current();
    const ImVec2 from = ImGui::GetCursorPos();
    ImGui::PushFont(c.fonts.small);
    if (step == nullptr) {
        muted(c, "The address of each access is shown here in tag, set and offset.");
    } else if (ImGui::BeginTable("fields", 5, ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_NoKeepColumnsVisible)) {
        for (const char* column : {"level", "tag", "set", "byte"}) {
            ImGui::TableSetupColumn(column, ImGuiTableColumnFlags_WidthFixed);
        }
        ImGui::TableSetupColumn("words", ImGuiTableColumnFlags_WidthStretch);
        const auto page = sim::explainPage(*step, c.picture()->snapshot.now.hierarchy());
        if (page) drawPage(c, *page);
        for (const sim::LevelExplanation& level : sim::explainAccess(*step, c.machine())) drawLevel(c, level);
        ImGui::EndTable();
    }
    ImGui::PopFont();
    ImGui::SetCursorPos({from.x, from.y + explainHeight(c.session, c.scale)});
}

/// A button for a command, with the command's words and key as its hint.
void button(const PanelContext& c, const char* sign, const Command& command, bool isOn = false) {
    if (isOn) ImGui::PushStyleColor(ImGuiCol_Text, c.colours().accent);
    ImGui::PushID(command.text().c_str());
    if (ImGui::Button(sign, {34 * c.scale, 0})) c.queue(command);
    ImGui::PopID();
    if (isOn) ImGui::PopStyleColor();
    hint(wordsWithKey(command));
    ImGui::SameLine(0, 4 * c.scale);
}

/// "4 accesses/s", on average "4/s by cycles"; where single accesses are not followed, how long the whole takes, in
/// accesses: "1.6M in 2 min".
std::string paceInWords(double pace, double accesses, bool byCycles) {
    if (byCycles && pace <= Session::kLapsePace) return fmt::format("{:.3g}/s by cycles", pace);
    if (pace < 1) return fmt::format("1 access in {:.3g} s", 1 / pace);
    if (pace <= Session::kLapsePace) return fmt::format("{:.3g} accesses/s", pace);
    const double seconds = accesses / pace;
    const std::string time =
        seconds < 99.5 ? fmt::format("{:.2g} s", seconds) : fmt::format("{:.0f} min", seconds / 60);
    return roughCount(static_cast<std::uint64_t>(std::llround(accesses))) + " in " + time;
}

void drawSentence(const PanelContext& c) {
    ImGui::PushFont(c.fonts.heading);
    const sim::Step* step = c.picture() == nullptr ? nullptr : c.picture()->snapshot.current();
    const std::string words = step == nullptr ? "before the first access: every cache is empty"
                                              : sim::sentenceFor(*step, c.trace(), c.machine());
    if (step == nullptr) {
        muted(c, words);
    } else {
        ImGui::TextUnformatted(words.c_str());
        if (ImGui::IsItemClicked()) c.queue(changeOf("explain"));
        hint(words + "\nClick to see its address in tag, set and offset (i).");
    }
    ImGui::PopFont();
}

/// Whether an item of this width still fits into the row; if so, continues the row.
bool fits(const PanelContext& c, float width, float kept) {
    ImGui::SameLine(0, kGap * c.scale);
    return ImGui::GetContentRegionAvail().x >= width + kept;
}

float buttonWidth(const std::string& words) {
    return ImGui::CalcTextSize(words.c_str()).x + 2 * ImGui::GetStyle().FramePadding.x;
}

/// Kinds that make no sense here are omitted from the menu.
bool isOffered(const PanelContext& c, SearchKind kind) {
    if (kind == SearchKind::transfer) return c.machine().cpus > 1;
    if (kind == SearchKind::pageFault) return c.machine().memory.isBounded();
    if (kind == SearchKind::mark) return !c.trace().marks().empty();
    return true;
}

void drawSearch(const PanelContext& c, SearchKind kind) {
    const Command next = command::Search{sim::Direction::forward, kind};
    const Command previous = command::Search{sim::Direction::backward, kind};
    const auto words = wordsFor(c.session, kind);
    ImGui::PushID(static_cast<int>(kind));
    ImGui::BeginDisabled(!words);
    for (const auto& [sign, command] : {std::pair("⏴", previous), std::pair("⏵", next)}) {
        if (ImGui::Button(sign, {34 * c.scale, 0})) c.queue(command);
        hint(keysOf(command));
        ImGui::SameLine(0, 4 * c.scale);
    }
    ImGui::EndDisabled();
    ImGui::AlignTextToFramePadding();
    const std::string both = fmt::format("  {}, {}", keysOf(next), keysOf(previous));
    const std::string keys = keysOf(next).empty() ? "" : both;
    if (words) {
        ImGui::TextUnformatted(words->c_str());
        ImGui::SameLine(0, 0);
        muted(c, keys);
    } else {
        // std::to_array counts the texts; a declared size would silently accept too few.
        constexpr auto kPlain = std::to_array(
            {"miss", "miss in a region", "eviction of a block", "conflict", "transfer", "page fault", "mark",
             "access to a watched block", "fill of a watched block", "loss of a watched block", "access to a block",
             "miss of a block", "access to a region", "eviction from a region", "access by a source line",
             "miss by a source line", "eviction by a source line", "access by a function"});
        static_assert(kPlain.size() == kSearchKinds);
        muted(c, fmt::format("{}: {}", kPlain[static_cast<std::size_t>(kind)], words.error().sentence()));
    }
    ImGui::PopID();
}

void drawSearches(const PanelContext& c) {
    const char* words = c.results.searching ? "searching …" : "next …";
    if (ImGui::Button(words, {buttonWidth("searching …"), 0})) ImGui::OpenPopup("searches");
    nameItem(c, "next");
    hint("search for the next or previous miss, eviction, conflict, …");
    if (!ImGui::BeginPopup("searches")) return;
    for (std::size_t i = 0; i < kSearchKinds; ++i) {
        const auto kind = static_cast<SearchKind>(i);
        if (isOffered(c, kind)) drawSearch(c, kind);
    }
    ImGui::EndPopup();
}

float comboWidth(const char* words) {
    return buttonWidth(words) + ImGui::GetFrameHeight();
}

constexpr const char* kWidestCpu = "CPU 10 of 64";
constexpr const char* kWidestStrip = "miss kinds";

/// The caches of all CPUs, or of one.
void drawCpu(const PanelContext& c) {
    std::vector<std::string> words = {fmt::format("all {} CPUs", c.machine().cpus)};
    for (std::uint32_t cpu = 0; cpu < c.machine().cpus; ++cpu) {
        words.push_back(fmt::format("CPU {} of {}", cpu, c.machine().cpus));
    }
    ImGui::SetNextItemWidth(comboWidth(kWidestCpu));
    combo(c, "##cpus", words, c.context.cpu ? *c.context.cpu + 1 : 0, [](std::size_t row) {
        return command::Cpu{row == 0 ? std::nullopt : std::optional(static_cast<std::uint32_t>(row - 1))};
    });
    nameItem(c, "cpus");
    hint("show the caches of all CPUs, or of one (p, Shift+P)");
}

void drawStripSwitch(const PanelContext& c) {
    constexpr std::array<const char*, kStripShows> kWords = {"hit rates", kWidestStrip, "regions", "traffic", "cycles"};
    ImGui::SetNextItemWidth(comboWidth(kWidestStrip));
    combo(c, "##strip", kWords, static_cast<std::size_t>(c.context.strip),
          [](std::size_t row) { return changeOf("strip", static_cast<StripShows>(row)); });
    nameItem(c, "strip shows");
    hint("the strip shows hit rates, kinds of misses, regions, memory traffic, or cycles (g)");
}

/// What limits what is shown or measured, and the command that ends it.
struct Filter {
    std::string words;
    std::string shorter;  ///< where there is less room
    std::string help;
    Command end;
};

std::vector<Filter> filtersOf(const PanelContext& c) {
    std::vector<Filter> filters;
    if (const auto& range = c.context.range) {
        const std::string ends = fmt::format("{} – {}", grouped(range->from.value), grouped(range->to.value));
        filters.push_back({inWords(*range), ends,
                           withKey("the range that is measured and played", command::RangeClear{}),
                           command::RangeClear{}});
    }
    if (const auto& seen = c.context.seen) {
        const std::string ends = fmt::format("{} – {}", grouped(static_cast<std::uint64_t>(seen->from)),
                                             grouped(static_cast<std::uint64_t>(seen->to)));
        filters.push_back({"shown " + ends, "shown " + ends, "the time span that strip, BlockViews and histories show",
                           command::TimeAll{}});
    }
    return filters;
}

float filterWidth(const PanelContext& c, const std::string& words) {
    return ImGui::CalcTextSize(words.c_str()).x + 4 * c.scale + buttonWidth("×");
}

/// The least room that they take.
float widthOf(const PanelContext& c, std::span<const Filter> filters) {
    float width = 0;
    for (const Filter& filter : filters) width += filterWidth(c, filter.shorter) + kGap * c.scale;
    return width;
}

/// Draws the filters that fit, each with an × that ends it; in full words where all others still fit.
void drawFilters(const PanelContext& c, const std::vector<Filter>& filters, float kept) {
    float others = widthOf(c, filters);
    for (const Filter& filter : filters) {
        others -= widthOf(c, {&filter, 1});
        const bool isLong = fits(c, filterWidth(c, filter.words), kept + others);
        if (!isLong && !fits(c, filterWidth(c, filter.shorter), kept)) return;
        ImGui::AlignTextToFramePadding();
        ImGui::PushStyleColor(ImGuiCol_Text, c.colours().accent);
        ImGui::TextUnformatted((isLong ? filter.words : filter.shorter).c_str());
        ImGui::PopStyleColor();
        hint(filter.words + ": " + filter.help);
        ImGui::SameLine(0, 4 * c.scale);
        ImGui::PushID(filter.shorter.c_str());
        if (ImGui::Button("×")) c.queue(filter.end);
        nameItem(c, "end " + filter.end.text());
        ImGui::PopID();
    }
}

struct OverlayButton {
    const char* words;
    Command command;
    bool isOpen;
};

std::array<OverlayButton, 3> overlayButtons(const PanelContext& c) {
    return {{{"find", command::Ask{Asks::command, {}}, c.session.prompt.asks == Asks::command},
             {"display", command::PictureCard{}, c.session.overlays.picture},
             {"? keys", command::Help{}, c.session.help}}};
}

/// Draws the buttons for the overlays at the right edge. If they do not all fit, the first ones are left out.
void drawOverlayButtons(const PanelContext& c) {
    const auto all = overlayButtons(c);
    const float gap = 4 * c.scale;
    ImGui::SameLine();
    float room = ImGui::GetContentRegionAvail().x;
    std::size_t first = all.size();
    float width = 0;
    while (first > 0 && width + buttonWidth(all[first - 1].words) <= room) {
        width += buttonWidth(all[--first].words) + gap;
    }
    if (first == all.size()) {
        ImGui::NewLine();
        return;
    }
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.0f, room - width + gap));
    for (std::size_t i = first; i < all.size(); ++i) {
        if (i > first) ImGui::SameLine(0, gap);
        if (all[i].isOpen) ImGui::PushStyleColor(ImGuiCol_Text, c.colours().accent);
        if (ImGui::Button(all[i].words)) c.queue(all[i].command);
        if (all[i].isOpen) ImGui::PopStyleColor();
        nameItem(c, fmt::format("button {}", all[i].words));
        hint(wordsWithKey(all[i].command));
    }
}

/// Draws the other controls that fit. What limits the numbers on screen has its room before any of them.
void drawMore(const PanelContext& c) {
    const std::vector<Filter> filters = filtersOf(c);
    float keys = kGap * c.scale;
    for (const OverlayButton& button : overlayButtons(c)) keys += buttonWidth(button.words) + 4 * c.scale;
    const float kept = keys + widthOf(c, filters);
    if (fits(c, buttonWidth("searching …"), kept)) drawSearches(c);
    if (c.machine().cpus > 1 && fits(c, comboWidth(kWidestCpu), kept)) drawCpu(c);
    if (fits(c, comboWidth(kWidestStrip), kept)) drawStripSwitch(c);
    drawFilters(c, filters, keys);
    drawOverlayButtons(c);
}

void drawControls(const PanelContext& c) {
    const Player& player = c.context.player;
    // In a narrow row the position must still be seen.
    const bool narrow = ImGui::GetContentRegionAvail().x < 620 * c.scale;
    button(c, "⏮", command::SeekStart{});
    button(c, "−1", command::Step{-1});
    button(c, player.playing() ? "⏸" : "⏵", command::Play{}, player.playing());
    button(c, "+1", command::Step{1});
    button(c, "⏭", command::SeekEnd{});
    button(c, "↻", command::Loop{}, player.loops());
    auto pace = static_cast<float>(player.pace());
    ImGui::SetNextItemWidth((narrow ? 50 : 120) * c.scale);
    ImGui::SameLine(0, 12 * c.scale);
    if (ImGui::SliderFloat("##pace", &pace, static_cast<float>(Player::kSlowest), static_cast<float>(Player::kFastest),
                           "", ImGuiSliderFlags_Logarithmic | ImGuiSliderFlags_NoInput)) {
        c.queue(command::Pace{pace});
    }
    hint(fmt::format("playback speed, now {:.4g} accesses/s (Up and Down; {}: step by step, or all in two minutes)",
                     player.pace(), keysOf(command::PaceOverview{})));
    ImGui::SameLine(0, 8 * c.scale);
    const float column = ImGui::GetCursorPosX();
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(paceInWords(player.pace(), c.context.toPlay(), c.context.ringView.byCycles).c_str());
    // As wide as the longest text, so that what follows does not move.
    const float widest = ImGui::CalcTextSize("10000 accesses/s").x;
    ImGui::SameLine(narrow ? 0 : column + widest + 16 * c.scale, narrow ? 16 * c.scale : -1);
    const auto done = static_cast<std::uint64_t>(std::ceil(player.position()));
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(grouped(done).c_str());
    ImGui::SameLine(0, 6 * c.scale);
    muted(c, fmt::format("of {}", grouped(c.trace().size())));
    drawMore(c);
}

}  // namespace

float explainHeight(const Session& session, float scale) {
    if (!session.explain || !session.opened.run) return 0;
    const sim::MachineConfig& machine = session.opened.run->machine();
    const bool translates = machine.tlb.entries != 0 || machine.memory.isBounded();
    const std::size_t rows = machine.levels.size() + (translates ? 1 : 0);
    return (static_cast<float>(rows) * kRow + 8) * scale;
}

void drawTransportPanel(const PanelContext& c) {
    if (!c.context.opened.run) return;
    drawSentence(c);
    if (c.context.explain) drawExplainRows(c);
    drawControls(c);
    ImGui::Dummy({0, 2 * c.scale});
    drawOverviewStrip(c, ImGui::GetContentRegionAvail().y);
}

}  // namespace whorl::app
