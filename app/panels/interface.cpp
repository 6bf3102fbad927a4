#include "app/panels/interface.h"

#include <fmt/format.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

#include "app/panels/caption.h"
#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "app/session/compared_runs.h"

namespace whorl::app {

namespace {

constexpr float kSplitter = 5;

/// Largest shares of the window for panels, if room is short.
constexpr float kMaxOfHeight = 0.35f;
constexpr float kMaxOfWidth = 0.4f;
constexpr float kMinRight = 200;  ///< pixels at scale 1 in which the statistics can be read

/// The columns and the bottom panel as laid out in a window of this size: when it is too small for all, the picture
/// keeps its part, the left column is hidden, the right one gets narrow and is then hidden too.
struct Measures {
    float left = 0;
    float right = 0;
    float bottom = 0;
    float splitter = 0;
    float width = 0;
    float height = 0;

    float middle() const { return height - bottom - (bottom > 0 ? splitter : 0); }
};

Measures measure(const Session& session, int width, int height, float scale) {
    Measures m{.width = static_cast<float>(width), .height = static_cast<float>(height)};
    if (!session.panels) return m;
    m.splitter = kSplitter * scale;
    const float leastPicture = 220 * scale;
    const float bottom = std::clamp(session.sizes.bottom, PanelSizes::kMinBottom, PanelSizes::kMaxBottom) * scale;
    m.bottom = std::min(bottom, std::max(PanelSizes::kMinBottom * scale, kMaxOfHeight * m.height)) +
               explainHeight(session, scale);
    m.right = std::clamp(session.sizes.right, PanelSizes::kMinColumn, PanelSizes::kMaxColumn) * scale;
    m.left = std::clamp(session.sizes.left, PanelSizes::kMinColumn, PanelSizes::kMaxColumn) * scale;
    if (m.width - m.left - m.right < leastPicture) m.left = 0;
    if (m.width - m.right < leastPicture) {
        m.right = kMaxOfWidth * m.width;
        if (m.right < kMinRight * scale) m.right = 0;
    }
    if (m.height - m.bottom < leastPicture / 2) m.bottom = 0;
    return m;
}

constexpr auto kPanelFlags = ImGuiWindowFlags_None;

/// A callback of ImGui: clears the rectangle to which drawing is restricted.
void clearPanel(const ImDrawList*, const ImDrawCmd* command) {
    const ImVec4 at = command->ClipRect;
    const ImVec4 colour = *static_cast<const ImVec4*>(command->UserCallbackData);
    const auto byte = [](float share) { return static_cast<std::uint8_t>(std::lround(255 * share)); };
    const gl::Rect where{static_cast<int>(at.x), static_cast<int>(at.y), static_cast<int>(at.z - at.x),
                         static_cast<int>(at.w - at.y)};
    gl::clear({byte(colour.x), byte(colour.y), byte(colour.z), 255}, where,
              static_cast<int>(ImGui::GetDrawData()->DisplaySize.y));
}

/// The ground of the panel at the cursor. Between its rounded corners it is cleared: a software renderer takes a
/// quarter of a frame to blend the grounds of all panels.
void drawGround(ImVec2 size) {
    const ImVec2 cursor = ImGui::GetCursorScreenPos();
    const ImVec2 from(std::floor(cursor.x), std::floor(cursor.y));
    const ImVec2 to(from.x + std::floor(size.x), from.y + std::floor(size.y));
    ImGuiStyle& style = ImGui::GetStyle();
    ImVec4& colour = style.Colors[ImGuiCol_WindowBg];
    const float round = style.ChildRounding;
    const float strip = std::ceil(round) + 1;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.PushClipRect(from, to);
    if (!style.AntiAliasedFill || to.y - from.y < 2 * strip) {  // drawn as areas, not as pixels; or low
        list.AddRectFilled(from, to, packed(colour), round);
    } else {
        list.AddRectFilled(from, {to.x, from.y + strip}, packed(colour), round, ImDrawFlags_RoundCornersTop);
        list.AddRectFilled({from.x, to.y - strip}, to, packed(colour), round, ImDrawFlags_RoundCornersBottom);
        list.PushClipRect({from.x, from.y + strip}, {to.x, to.y - strip});
        list.AddCallback(clearPanel, &colour);
        list.PopClipRect();
    }
    list.PopClipRect();
}

/// A child window that contains a panel.
template <class Draw>
void panel(const char* id, ImVec2 at, ImVec2 size, Draw&& draw) {
    if (size.x < 8 || size.y < 8) return;
    ImGui::SetCursorPos(at);
    drawGround(size);
    ImGui::BeginChild(id, size, false, ImGuiWindowFlags_AlwaysUseWindowPadding | kPanelFlags);
    draw();
    ImGui::EndChild();
}

/// A line that can be dragged; `size` is the size that it changes, in pixels. Returns true when it changed.
bool splitter(const PanelContext& c, PanelEdge edge, ImVec2 at, ImVec2 extent, float& size, float& other) {
    const ImVec2 origin = ImGui::GetWindowPos();
    const ImRect box(origin.x + at.x, origin.y + at.y, origin.x + at.x + extent.x, origin.y + at.y + extent.y);
    const std::string id = "splitter " + std::string(wordOf(edge));
    if (c.places != nullptr) c.places->add(id, box.Min, box.Max);
    const ImGuiAxis axis = extent.x < extent.y ? ImGuiAxis_X : ImGuiAxis_Y;
    return ImGui::SplitterBehavior(box, ImGui::GetID(id.c_str()), axis, &size, &other, 1, 1, 2);
}

/// The heights of the right column's panels. For a trace without source lines there is no listing, and the statistics
/// get half of its height; in a low column there are no last accesses.
struct RightColumn {
    float statistics = 0;
    float source = 0;

    float accesses(const Measures& m) const { return statistics + source + (source > 0 ? 2 : 1) * m.splitter; }
};

float usableHeight(const Measures& m) {
    return m.middle() - 2 * m.splitter;
}

bool hasListing(const Session& session) {
    return session.opened.run && !session.opened.run->trace().files().empty();
}

/// The height that the statistics get beyond their own share.
float inheritance(const Session& session) {
    return hasListing(session) ? 0 : session.sizes.source / 2;
}

/// Whether the right column is too low for three panels.
bool isLow(const Measures& m, float scale) {
    constexpr float kMinHeight = 300;
    return usableHeight(m) < kMinHeight * scale;
}

RightColumn rightColumn(const Session& session, const Measures& m, float scale) {
    const bool listing = hasListing(session);
    if (isLow(m, scale)) {
        constexpr float kStatistics = 0.56f;
        const float statistics = std::floor(m.middle() * (listing ? kStatistics : 1));
        return {.statistics = statistics, .source = listing ? m.middle() - statistics - m.splitter : 0};
    }
    return {.statistics = std::floor(usableHeight(m) * (session.sizes.statistics + inheritance(session))),
            .source = listing ? std::floor(usableHeight(m) * session.sizes.source) : 0};
}

/// The height of what is picked, which has its room whether something is picked or not. A tour that is edited needs all
/// of the column.
float pickedHeight(const Session& session, const Measures& m) {
    return session.showsTourForm() ? 0 : std::floor((m.middle() - m.splitter) * session.sizes.picked);
}

void drawLeftColumn(const PanelContext& c, const Measures& m) {
    const float picked = pickedHeight(c.session, m);
    panel("picked", {0, 0}, {m.left, picked}, [&] { drawPickedPanel(c); });
    const float below = picked > 0 ? picked + m.splitter : 0;
    panel("left", {0, below}, {m.left, m.middle() - below}, [&] {
        if (c.session.welcome) drawWelcome(c);
        // A tour that is edited comes before all else.
        if (c.session.showsTourForm()) drawTourPanel(c);
        drawWatchedPanel(c);
        drawTracePanel(c);
        drawLivePanel(c);
        if (c.session.presentation && !c.session.showsTourForm()) drawTourPanel(c);
        drawViewsPanel(c);
        if (c.context.opened.run) drawRegionsPanel(c);
        drawClassesPanel(c);
        drawWhatIfPanel(c);
        if (!c.session.presentation) drawTourPanel(c);
    });
}

void drawColumns(const PanelContext& c, const Measures& m) {
    if (m.left > 0) drawLeftColumn(c, m);
    if (m.right <= 0) return;
    const RightColumn r = rightColumn(c.session, m, c.scale);
    const float x = m.width - m.right;
    panel("statistics", {x, 0}, {m.right, r.statistics}, [&] { drawStatisticsPanel(c); });
    panel("source", {x, r.statistics + m.splitter}, {m.right, r.source}, [&] { drawSourcePanel(c); });
    const float y = r.accesses(m);
    panel("accesses", {x, y}, {m.right, m.middle() - y}, [&] { drawAccessesPanel(c); });
}

void drawSplitters(const PanelContext& c, const Measures& m) {
    float other = 1e6f;
    if (float left = m.left;
        left > 0 && splitter(c, PanelEdge::left, {m.left, 0}, {m.splitter, m.middle()}, left, other)) {
        c.queue(command::PanelSize{PanelEdge::left, left / c.scale});
    }
    if (m.left > 0 && !c.session.showsTourForm()) {
        float picked = pickedHeight(c.session, m);
        const float usable = m.middle() - m.splitter;
        float below = usable - picked;
        if (splitter(c, PanelEdge::picked, {0, picked}, {m.left, m.splitter}, picked, below)) {
            c.queue(command::PanelSize{PanelEdge::picked, picked / usable});
        }
    }
    if (float right = m.right; right > 0) {
        float before = m.width - right;
        const ImVec2 at(m.width - right - m.splitter, 0);
        if (splitter(c, PanelEdge::right, at, {m.splitter, m.middle()}, before, right)) {
            c.queue(command::PanelSize{PanelEdge::right, right / c.scale});
        }
    }
    if (m.right > 0 && !isLow(m, c.scale)) {
        const float usable = usableHeight(m);
        auto [statistics, source] = rightColumn(c.session, m, c.scale);
        float below = source > 0 ? source : usable - statistics;
        const float x = m.width - m.right;
        if (splitter(c, PanelEdge::statistics, {x, statistics}, {m.right, m.splitter}, statistics, below)) {
            const float share = statistics / usable - inheritance(c.session);
            c.queue(command::PanelSize{PanelEdge::statistics, std::clamp(share, 0.05f, 0.9f - c.context.sizes.source)});
        }
        float rest = usable - statistics - source;
        const float y = statistics + source + m.splitter;
        if (source > 0 && splitter(c, PanelEdge::source, {x, y}, {m.right, m.splitter}, source, rest)) {
            c.queue(command::PanelSize{PanelEdge::source,
                                       std::clamp(source / usable, 0.05f, 0.95f - c.context.sizes.statistics)});
        }
    }
    if (float bottom = m.bottom; bottom > 0) {
        float above = m.middle();
        if (splitter(c, PanelEdge::bottom, {0, m.middle()}, {m.width, m.splitter}, above, bottom)) {
            const float own = bottom - explainHeight(c.session, c.scale);
            c.queue(command::PanelSize{PanelEdge::bottom, own / c.scale});
        }
    }
}

/// The tiles, and over them the caption: it is made first, as the numbers in the rings depend on what it has room for.
void drawPicture(const PanelContext& c, const gl::Rect& canvas, const std::optional<StageLayout>& stage, bool hasBand) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    ImDrawListSplitter layers;
    layers.Split(&list, 2);
    layers.SetCurrentChannel(&list, 1);
    c.edits.touching = {};
    c.edits.numbersAreExplained = !stage || drawWords(c, *stage);
    if (hasBand) drawBand(c, canvas);
    if (c.edits.touching != c.session.touched.value_or(scene::Target{})) c.queue(command::Touch{c.edits.touching});
    layers.SetCurrentChannel(&list, 0);
    drawTiles(c, canvas);
    layers.Merge(&list);
}

/// Nothing is under the mouse, so that neither hints nor the buttons that come with it are drawn.
class UnseenMouse {
  public:
    explicit UnseenMouse(bool on) {
        // What is dragged would follow it.
        if (on && !ImGui::IsAnyItemActive()) at_ = std::exchange(ImGui::GetIO().MousePos, ImVec2(-FLT_MAX, -FLT_MAX));
    }
    ~UnseenMouse() {
        if (at_) ImGui::GetIO().MousePos = *at_;
    }
    UnseenMouse(const UnseenMouse&) = delete;
    UnseenMouse& operator=(const UnseenMouse&) = delete;

  private:
    std::optional<ImVec2> at_;  ///< position of the mouse while it is hidden from ImGui
};

void drawBottom(const PanelContext& c, const Measures& m) {
    if (m.bottom <= 0) return;
    ImGui::SetCursorPos({0, m.height - m.bottom});
    drawGround({m.width, m.bottom});
    ImGui::BeginChild(
        "bottom", {m.width, m.bottom}, false,
        ImGuiWindowFlags_AlwaysUseWindowPadding | ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    drawTransportPanel(c);
    ImGui::EndChild();
}

/// The height of what costs most, below the views.
float costsHeight(const Session& session, float room, float scale) {
    if (!session.overlays.costs || !session.opened.run) return 0;
    const float share = isCompared(session) ? 3 : 2;  // pictures of several runs need room
    return std::clamp(room / share, std::min(room, 160 * scale), room);
}

}  // namespace

gl::Rect canvasOf(const Session& session, int width, int height, float scale) {
    if (session.onStage()) return stageLayout(session, width, height, scale).picture;
    const float top = menuBarHeight(session, scale);
    const Measures m = measure(session, width, height - static_cast<int>(top), scale);
    const float left = m.left > 0 ? m.left + m.splitter : 0;
    const float right = m.right > 0 ? m.right + m.splitter : 0;
    const int between = std::max(1, static_cast<int>(m.width - right) - static_cast<int>(left));
    const float room = m.middle() - costsHeight(session, m.middle(), scale);
    const float caption = bandHeight(session, static_cast<float>(between), room, scale);
    return {static_cast<int>(left), static_cast<int>(top), between, std::max(1, static_cast<int>(room - caption))};
}

void drawInterface(const PanelContext& c, int width, int height) {
    const UnseenMouse unseen(c.isSaved);
    if (c.session.talk.on) hideRestingMouse(c);
    const float top = menuBarHeight(c.session, c.scale);
    const Measures m = measure(c.session, width, height - static_cast<int>(top), c.scale);
    if (top > 0) drawMenuBar(c, m.width);
    ImGui::SetNextWindowPos({0, top});
    ImGui::SetNextWindowSize({m.width, m.height});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
    const auto flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoBackground |
                       ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoSavedSettings |
                       ImGuiWindowFlags_NoNav;
    ImGui::Begin("##root", nullptr, flags);
    ImGui::PopStyleVar(3);
    const gl::Rect canvas = canvasOf(c.session, width, height, c.scale);
    const bool isOnStage = c.session.onStage();
    const auto stage = isOnStage ? std::optional(stageLayout(c.session, width, height, c.scale)) : std::nullopt;
    const float costs = costsHeight(c.session, isOnStage ? static_cast<float>(canvas.height) : m.middle(), c.scale);
    const float below = isOnStage ? static_cast<float>(canvas.y + canvas.height) : top + m.middle();
    const float band = below - costs - static_cast<float>(canvas.y + canvas.height);
    drawPicture(c, canvas, stage, !isOnStage && std::floor(band) >= 1);
    if (c.context.panels) {
        drawColumns(c, m);
        drawBottom(c, m);
        drawSplitters(c, m);
    }
    ImGui::End();
    // On the stage, below the bar of buttons, which it would take the mouse from.
    const float bar = ImGui::GetFrameHeight() + 2 * ImGui::GetStyle().WindowPadding.y + 16 * c.scale;
    drawMessages(c, {static_cast<float>(canvas.x), static_cast<float>(canvas.y) + (c.session.talk.on ? bar : 0)},
                 {static_cast<float>(canvas.width), static_cast<float>(canvas.height)});
    if (costs > 0) {
        drawCostsCard(c, {canvas.x, static_cast<int>(below - costs), canvas.width, static_cast<int>(costs)});
    }
    if (c.session.prediction && c.context.opened.run) drawPredictCard(c, canvas);
    if (c.session.lookUp.open) drawFindCard(c, canvas);
    if (!c.session.changedOnDisk.empty()) drawChangeBar(c, canvas);
    if (c.session.overlays.picture) drawPictureCard(c, canvas);
    if (c.session.overlays.regionColour) drawColourCard(c, canvas);
    if (c.session.talk.on) {
        drawStage(c, canvas);
    } else if (!c.context.panels && !c.isSaved) {
        drawPanelsButton(c, canvas);
    }
    if (c.session.help) drawHelp(c);
    if (c.session.prompt.isOpen()) drawPromptCard(c, canvas);
    drawContextMenu(c);
}

bool isListOpen() {
    return ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
}

bool closeList() {
    if (endTileDrag()) return true;
    if (!isListOpen()) return false;
    ImGui::ClosePopupToLevel(ImGui::GetCurrentContext()->OpenPopupStack.Size - 1, true);
    return true;
}

}  // namespace whorl::app
