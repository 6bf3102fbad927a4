#include "app/session/bindings.h"

#include <algorithm>
#include <array>

#include "app/session/commands.h"

namespace whorl::app {

namespace command {
namespace {

constexpr auto kNext = sim::Direction::forward;
constexpr auto kPrevious = sim::Direction::backward;
constexpr float kHalf = 0.5f;  ///< a key moves by half of half the picture

std::vector<Binding> allBindings() {
    std::vector<Binding> all = {
        {Play{}, "Playing", "play or pause", {"Space"}},
        {Step{1}, "Playing", "one access on", {"Right", "."}},
        {Step{-1}, "Playing", "one access back", {"Left", ","}},
        {Stride{1}, "Playing", "a stretch on, or back", {"PageDown"}},
        {Stride{-1}, "Playing", "… back", {"PageUp"}},
        {SeekStart{}, "Playing", "to the start", {"Home"}},
        {SeekEnd{}, "Playing", "to the end", {"End"}},
        {Faster{}, "Playing", "faster, or slower", {"Up"}},
        {Slower{}, "Playing", "… slower", {"Down"}},
        {Loop{}, "Playing", "start again at the end, or stop there", {"l"}},

        {RangeStart{}, "Range", "the range starts at the playhead", {"s"}},
        {RangeEnd{}, "Range", "the range ends at the playhead", {"e"}},
        {RangeClear{}, "Range", "no range: the whole trace again", {"x"}},

        {Search{kNext, SearchKind::miss}, "Finding", "the next miss, or the one before", {"n"}},
        {Search{kPrevious, SearchKind::miss}, "Finding", "… the one before", {"Shift+N"}},
        {Search{kNext, SearchKind::regionMiss},
         "Finding",
         "the next miss in the region of the chosen block, or the one before",
         {"r"}},
        {Search{kPrevious, SearchKind::regionMiss}, "Finding", "… the one before", {"Shift+R"}},
        {Search{kNext, SearchKind::eviction},
         "Finding",
         "the next eviction of the chosen block, or the one before",
         {"v"}},
        {Search{kPrevious, SearchKind::eviction}, "Finding", "… the one before", {"Shift+V"}},
        {Search{kNext, SearchKind::conflict},
         "Finding",
         "the next conflict of the chosen regions, or the one before",
         {"c"}},
        {Search{kPrevious, SearchKind::conflict}, "Finding", "… the one before", {"Shift+C"}},
        {Search{kNext, SearchKind::transfer}, "Finding", "the next transfer between CPUs, or the one before", {"t"}},
        {Search{kPrevious, SearchKind::transfer}, "Finding", "… the one before", {"Shift+T"}},
        {Search{kNext, SearchKind::mark}, "Finding", "the next mark of the trace, or the one before", {"k"}},
        {Search{kPrevious, SearchKind::mark}, "Finding", "… the one before", {"Shift+K"}},

        {Panels{}, "Looking", "show or hide everything but the picture", {"Tab"}},
        {Legend{}, "Looking", "show or hide the legend of what is on the screen", {"j"}},
        {Explain{}, "Looking", "take the address of the access apart, and tell why it missed", {"i"}},
        {Strip{}, "Looking", "in the strip: hit rates, kinds of misses, or regions", {"g"}},
        {Heat{}, "Looking", "in the listing, of a range: misses, or cycles waited", {"h"}},
        {CpuNext{}, "Looking", "the caches of one CPU alone, of the next, or of the one before", {"p"}},
        {CpuPrevious{}, "Looking", "… of the one before", {"Shift+P"}},
        {Close{}, "Looking", "close what lies over the picture; let go of the selection, then the range", {"Escape"}},

        {ZoomIn{}, "Zoom", "nearer, or farther away", {"+", "="}},
        {ZoomOut{}, "Zoom", "… away", {"-"}},
        {ZoomReset{}, "Zoom", "all of it", {"0"}},
        {Pan{{-kHalf, 0}}, "Zoom", "look to the left, right, up, down", {"Shift+Left"}},
        {Pan{{kHalf, 0}}, "Zoom", "… right", {"Shift+Right"}},
        {Pan{{0, -kHalf}}, "Zoom", "… up", {"Shift+Up"}},
        {Pan{{0, kHalf}}, "Zoom", "… down", {"Shift+Down"}},
        {Turn{{-1, 0}}, "Zoom", "turn a picture in space to the left, right, up, down", {"Ctrl+Left"}},
        {Turn{{1, 0}}, "Zoom", "… right", {"Ctrl+Right"}},
        {Turn{{0, -1}}, "Zoom", "… up", {"Ctrl+Up"}},
        {Turn{{0, 1}}, "Zoom", "… down", {"Ctrl+Down"}},

        {PictureCard{}, "Picture", "all of this, to be chosen with the mouse", {"a"}},
        {TrailsLonger{}, "Picture", "longer pathlines, or shorter", {"]"}},
        {TrailsShorter{}, "Picture", "… shorter", {"["}},
        {LapseLonger{}, "Picture", "time-lapse: more accesses a frame, or fewer", {">"}},
        {LapseShorter{}, "Picture", "… fewer", {"<"}},
        {LapseFollows{}, "Picture", "time-lapse follows the pace", {"*"}},
        {ReducedMotion{}, "Picture", "reduced motion: nothing travels", {"Shift+M"}},
        {GaugeNext{}, "Picture", "what the disks behind the levels show: the next, or the one before", {"d"}},
        {GaugePrevious{}, "Picture", "… before", {"Shift+D"}},
        {GaugeWindowLonger{}, "Picture", "the disks look back over more accesses, or fewer", {")"}},
        {GaugeWindowShorter{}, "Picture", "… fewer", {"("}},
        {Grain{}, "Picture", "a glyph is a block, an element, or whatever fits", {"f"}},
        {Lecture{}, "Picture", "text for the last row of a lecture hall", {"Shift+L"}},
        {Ground{}, "Picture", "dark or light ground", {"b"}},
        {RegionColourCard{}, "Picture", "choose the colour of the region that is chosen", {"y"}},
        {RegionColoursReset{}, "Picture", "all regions wear their own colours again", {"Shift+Y"}},
    };
    for (const ViewKind& kind : kViewKinds) all.push_back({Views{kind.kind}, "Views", kind.help, {kind.key}});
    const std::vector<Binding> views = {
        {ViewNext{}, "Views", "work in the next view", {"Enter"}},
        {ViewAlone{}, "Views", "the view that you work in alone, or all again", {"z"}},
        {Order{}, "Views", "sort by cost or by address", {"Shift+O"}},
        {Words{}, "Views", "in the ObjectView: objects, or words", {"u"}},
        {DragMoves{}, "Views", "dragging turns the picture, or moves it", {"q"}},
        {BlockDraw{}, "Views", "BlockViews: points, lines, faces, boxes, or as it fits", {"F7"}},
        {BlockColours{}, "Views", "BlockViews: coloured by CPU, by state, or by class", {"F8"}},
        {StaysInvalidated{}, "Views", "BlockViews: show what was invalidated, or not", {"Shift+I"}},
        {StaysReplaced{}, "Views", "… what was replaced", {"Shift+X"}},
        {StaysOther{}, "Views", "… what stayed", {"Shift+S"}},
        {LensView{}, "Views", "BlockViews: zoom to the lens", {"Shift+Z"}},
    };
    all.insert(all.end(), views.begin(), views.end());
    static constexpr std::array<std::string_view, 9> kDigits = {"1", "2", "3", "4", "5", "6", "7", "8", "9"};
    for (std::uint32_t cpu = 0; cpu < kDigits.size(); ++cpu) {
        all.push_back(
            {CpuPlane{cpu}, "Views", cpu == 0 ? "BlockViews: the plane of CPU 0, …" : "… of the next", {kDigits[cpu]}});
    }
    const std::vector<Binding> rest = {
        {ClassColours{}, "Views", "colour objects by their classes", {"F9"}},
        {Compare{}, "Views", "what if: beside each view that of the run as it was", {"Shift+E"}},
        {Cures{}, "Views", "what if: list what would keep CPUs from taking blocks from each other", {"Shift+Q"}},

        {Focus{Field::lookUp}, "Choosing", "look up an address, a variable or a source line", {"/", "Ctrl+F"}},
        {WatchSelected{}, "Choosing", "watch the selected block, or do so no longer", {"w"}},
        {WatchNone{}, "Choosing", "watch nothing any more", {"Shift+W"}},

        {Help{}, "Whorl", "show or hide this list", {"?", "F1"}},
        {Focus{Field::input}, "Whorl", "type the name of a file or program to open", {"o"}},
        {Focus{Field::machine}, "Whorl", "type another machine", {"m"}},
        {Cancel{}, "Whorl", "stop what is being read or worked out", {"Ctrl+."}},
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
