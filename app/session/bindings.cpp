#include "app/session/bindings.h"

#include <algorithm>
#include <array>

#include "app/session/commands.h"

namespace whorl::app {

namespace command {
namespace {

constexpr auto kNext = sim::Direction::forward;
constexpr auto kPrevious = sim::Direction::backward;
constexpr float kHalf = 0.5f;  ///< a key press moves by half of half the picture's size

std::vector<Binding> allBindings() {
    std::vector<Binding> all = {
        {Play{}, "Playing", "play or pause", {"Space"}},
        {Step{1}, "Playing", "one access forward", {"Right", "."}},
        {Step{-1}, "Playing", "one access back", {"Left", ","}},
        {Stride{1}, "Playing", "a fiftieth of the trace forward or back", {"PageDown"}},
        {Stride{-1}, "Playing", "… back", {"PageUp"}},
        {SeekStart{}, "Playing", "to the start", {"Home"}},
        {SeekEnd{}, "Playing", "to the end", {"End"}},
        {Faster{}, "Playing", "play faster or slower", {"Up"}},
        {Slower{}, "Playing", "… slower", {"Down"}},
        {PaceOverview{}, "Playing", "step by step, or all of the run in two minutes", {"Shift+G"}},
        {Loop{}, "Playing", "loop: start again at the end", {"l"}},

        {RangeStart{}, "Range", "start the range at the playhead", {"s"}},
        {RangeEnd{}, "Range", "end the range at the playhead", {"e"}},
        {RangeClear{}, "Range", "clear the range", {"x"}},

        {Search{kNext, SearchKind::miss}, "Finding", "the next or previous miss", {"n"}},
        {Search{kPrevious, SearchKind::miss}, "Finding", "… the previous one", {"Shift+N"}},
        {Search{kNext, SearchKind::regionMiss},
         "Finding",
         "the next or previous miss in the region of the selected block",
         {"r"}},
        {Search{kPrevious, SearchKind::regionMiss}, "Finding", "… the previous one", {"Shift+R"}},
        {Search{kNext, SearchKind::eviction}, "Finding", "the next or previous eviction of the selected block", {"v"}},
        {Search{kPrevious, SearchKind::eviction}, "Finding", "… the previous one", {"Shift+V"}},
        {Search{kNext, SearchKind::conflict},
         "Finding",
         "the next or previous conflict of the selected regions",
         {"c"}},
        {Search{kPrevious, SearchKind::conflict}, "Finding", "… the previous one", {"Shift+C"}},
        {Search{kNext, SearchKind::transfer}, "Finding", "the next or previous transfer between CPUs", {"t"}},
        {Search{kPrevious, SearchKind::transfer}, "Finding", "… the previous one", {"Shift+T"}},
        {Search{kNext, SearchKind::mark}, "Finding", "the next or previous marker of the trace", {"k"}},
        {Search{kPrevious, SearchKind::mark}, "Finding", "… the previous one", {"Shift+K"}},
        {Search{kNext, SearchKind::watchedAccess}, "Finding", "the next access to a watched block", {"Shift+A"}},
        {Search{kNext, SearchKind::watchedFill}, "Finding", "… the next time that one comes into a cache", {"Shift+F"}},
        {Search{kNext, SearchKind::watchedLoss}, "Finding", "… the next time that one leaves a cache", {"Shift+J"}},

        {Panels{}, "Looking", "show or hide everything but the picture", {"Tab"}},
        {Legend{}, "Looking", "show or hide the legend", {"j"}},
        {Caption{}, "Looking", "what the picture shows, in words; calls back those of a scene", {"Shift+H"}},
        {Explain{}, "Looking", "show the address in tag, set and offset, and why the access missed", {"i"}},
        {Strip{}, "Looking", "the strip shows hit rates, kinds of misses, or regions", {"g"}},
        {Heat{}, "Looking", "the source listing shows misses or access cycles", {"h"}},
        {Costs{}, "Looking", "show or hide what costs most: why, and tables of lines, functions, arrays, …", {"F10"}},
        {CostsBy{}, "Looking", "… the next table", {"Shift+F10"}},
        {CpuNext{}, "Looking", "show the caches of the next or previous CPU alone", {"p"}},
        {CpuPrevious{}, "Looking", "… of the previous one", {"Shift+P"}},
        {Close{}, "Looking", "close what is open, then deselect, then clear the range", {"Escape"}},

        {ZoomIn{}, "Zoom", "zoom in or out", {"+", "="}},
        {ZoomOut{}, "Zoom", "… away", {"-"}},
        {ZoomReset{}, "Zoom", "show the whole picture", {"0"}},
        {Pan{{-kHalf, 0}}, "Zoom", "pan left, right, up, down", {"Shift+Left"}},
        {Pan{{kHalf, 0}}, "Zoom", "… right", {"Shift+Right"}},
        {Pan{{0, -kHalf}}, "Zoom", "… up", {"Shift+Up"}},
        {Pan{{0, kHalf}}, "Zoom", "… down", {"Shift+Down"}},
        {Turn{{-1, 0}}, "Zoom", "turn a picture in space left, right, up, down", {"Ctrl+Left"}},
        {Turn{{1, 0}}, "Zoom", "… right", {"Ctrl+Right"}},
        {Turn{{0, -1}}, "Zoom", "… up", {"Ctrl+Up"}},
        {Turn{{0, 1}}, "Zoom", "… down", {"Ctrl+Down"}},

        {PictureCard{}, "Picture", "show or hide the display settings", {"a"}},
        {TrailsLonger{}, "Picture", "longer or shorter pathlines", {"]"}},
        {TrailsShorter{}, "Picture", "… shorter", {"["}},
        {LapseLonger{}, "Picture", "time-lapse: more or fewer accesses per frame", {">"}},
        {LapseShorter{}, "Picture", "… fewer", {"<"}},
        {LapseFollows{}, "Picture", "time-lapse follows the playback speed", {"*"}},
        {ReducedMotion{}, "Picture", "reduced motion: glyphs fade instead of moving", {"Shift+M"}},
        {GaugeNext{}, "Picture", "the next or previous measure of the level gauges", {"d"}},
        {GaugePrevious{}, "Picture", "… before", {"Shift+D"}},
        {GaugeWindowLonger{}, "Picture", "a longer or shorter window of the level gauges", {")"}},
        {GaugeWindowShorter{}, "Picture", "… fewer", {"("}},
        {Grain{}, "Picture", "glyphs show blocks, elements, or what fits", {"f"}},
        {Lecture{}, "Picture", "large text for a lecture hall", {"Shift+L"}},
        {ScaleUp{}, "Picture", "everything larger or smaller", {"Ctrl++", "Ctrl+="}},
        {ScaleDown{}, "Picture", "… smaller", {"Ctrl+-"}},
        {Scale{}, "Picture", "everything as large as at first", {"Ctrl+0"}},
        {FillByUse{}, "Picture", "glyphs fill up as bytes are used", {"Shift+U"}},
        {Ground{}, "Picture", "dark or light ground", {"b"}},
        {RegionColourCard{}, "Picture", "choose the colour of the selected region", {"y"}},
        {RegionColoursReset{}, "Picture", "reset the colours of all regions", {"Shift+Y"}},
    };
    for (const ViewKind& kind : kViewKinds) all.push_back({Views{kind.kind}, "Views", kind.help, {kind.key}});
    const std::vector<Binding> views = {
        {ViewNext{}, "Views", "make the next view active", {"Enter"}},
        {ViewAlone{}, "Views", "show the active view alone, or all views", {"z"}},
        {Order{}, "Views", "sort by cost or by address", {"Shift+O"}},
        {Words{}, "Views", "in the ObjectView: objects, or words", {"u"}},
        {DragMoves{}, "Views", "dragging turns or pans the picture", {"q"}},
        {BlockDraw{}, "Views", "BlockViews: points, lines, faces, boxes, or automatic", {"F7"}},
        {BlockColours{}, "Views", "BlockViews: coloured by CPU, by state, or by class", {"F8"}},
        {StaysInvalidated{}, "Views", "BlockViews: show or hide stays that ended by invalidation", {"Shift+I"}},
        {StaysReplaced{}, "Views", "… by replacement", {"Shift+X"}},
        {StaysOther{}, "Views", "… the other stays", {"Shift+S"}},
        {LensView{}, "Views", "zoom the time to the lens", {"Shift+Z"}},
    };
    all.insert(all.end(), views.begin(), views.end());
    static constexpr std::array<std::string_view, 9> kDigits = {"1", "2", "3", "4", "5", "6", "7", "8", "9"};
    for (std::uint32_t cpu = 0; cpu < kDigits.size(); ++cpu) {
        all.push_back(
            {CpuPlane{cpu}, "Views", cpu == 0 ? "BlockViews: the plane of CPU 0, …" : "… of the next", {kDigits[cpu]}});
    }
    const std::vector<Binding> rest = {
        {ClassColours{}, "Views", "colour objects by their classes", {"F9"}},
        {Compare{}, "Views", "show each view for all runs that are compared, or for the first", {"Shift+E"}},
        {Exchange{true}, "Views", "while it is held: the compared run in place of the first", {"Backspace"}},
        {Lock{}, "Views", "the playheads of compared runs are locked by access, share, or source line", {"Ctrl+L"}},
        {Cures{}, "Views", "what if: list layout changes that save cycles of sharing", {"Shift+Q"}},

        {Focus{Field::lookUp}, "Choosing", "look up an address, a variable or a source line", {"/", "Ctrl+F"}},
        {WatchSelected{}, "Choosing", "watch or unwatch the selected block", {"w"}},
        {WatchNone{}, "Choosing", "clear the watch list", {"Shift+W"}},

        {Help{}, "Whorl", "show or hide this list", {"?", "F1"}},
        {Focus{Field::input}, "Whorl", "type a file or program to open", {"o"}},
        {Focus{Field::machine}, "Whorl", "type another machine", {"m"}},
        {Cancel{}, "Whorl", "stop the work in the background", {"Ctrl+."}},
        {Quit{}, "Whorl", "quit", {"Ctrl+Q"}},
    };
    all.insert(all.end(), rest.begin(), rest.end());
    return all;
}

}  // namespace
}  // namespace command

std::span<const Binding> bindings() {
    static const std::vector<Binding> all = command::allBindings();
    return all;
}

const Binding* bindingForKey(std::string_view chord) {
    const auto all = bindings();
    const auto found = std::find_if(all.begin(), all.end(), [&](const Binding& binding) {
        return std::find(binding.keys.begin(), binding.keys.end(), chord) != binding.keys.end();
    });
    return found == all.end() ? nullptr : &*found;
}

const Binding* bindingOf(const Command& command) {
    const auto all = bindings();
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const Binding& binding) { return binding.command == command; });
    return found == all.end() ? nullptr : &*found;
}

std::string keysOf(const Command& command) {
    std::string out;
    const Binding* binding = bindingOf(command);
    if (binding == nullptr) return out;
    for (const std::string_view key : binding->keys) out += (out.empty() ? "" : ", ") + std::string(key);
    return out;
}

}  // namespace whorl::app
