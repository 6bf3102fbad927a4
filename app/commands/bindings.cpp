#include "app/commands/bindings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "app/commands/commands.h"
#include "app/session/layouts.h"

namespace whorl::app {

namespace command {
namespace {

constexpr auto kNext = sim::Direction::forward;
constexpr auto kPrevious = sim::Direction::backward;
constexpr float kHalf = 0.5f;  ///< a key press moves by half of half the picture's size
constexpr std::array<std::string_view, 9> kDigits = {"1", "2", "3", "4", "5", "6", "7", "8", "9"};

/// A key for each choice of the prediction's next part.
std::vector<Binding> choiceBindings() {
    static constexpr std::array<std::string_view, 9> kKeys = {"Alt+1", "Alt+2", "Alt+3", "Alt+4", "Alt+5",
                                                              "Alt+6", "Alt+7", "Alt+8", "Alt+9"};
    std::vector<Binding> all;
    for (std::uint32_t choice = 0; choice < kKeys.size(); ++choice) {
        all.push_back({PredictChoose{choice},
                       "Predicting",
                       choice == 0 ? "answer the next question: the first choice, …" : "… the next",
                       {kKeys[choice]},
                       fmt::format("answer the next question: choice {}", choice + 1)});
    }
    return all;
}

std::vector<Binding> allBindings() {
    std::vector<Binding> all = {
        {Play{}, "Playing", "play or pause", {"Space"}},
        {Step{1}, "Playing", "one access forward", {"Right", "."}},
        {Step{-1}, "Playing", "one access back", {"Left", ","}},
        {Stride{1},
         "Playing",
         "a fiftieth of the trace forward or back",
         {"PageDown"},
         "a fiftieth of the trace forward"},
        {Stride{-1}, "Playing", "… back", {"PageUp"}, "a fiftieth of the trace back"},
        {SeekStart{}, "Playing", "to the start", {"Home"}},
        {SeekEnd{}, "Playing", "to the end", {"End"}},
        {Faster{}, "Playing", "play faster or slower", {"Up"}, "play faster"},
        {Slower{}, "Playing", "… slower", {"Down"}, "play slower"},
        {PaceOverview{}, "Playing", "step by step, or all of the run in two minutes", {"Shift+G"}},
        {Loop{}, "Playing", "loop: start again at the end", {"l"}},

        {RangeStart{}, "Range", "start the range at the playhead", {"s"}},
        {RangeEnd{}, "Range", "end the range at the playhead", {"e"}},
        {RangeClear{}, "Range", "clear the range", {"x"}},

        {Search{kNext, SearchKind::miss}, "Finding", "the next or previous miss", {"n"}, "the next miss"},
        {Search{kPrevious, SearchKind::miss}, "Finding", "… the previous one", {"Shift+N"}, "the previous miss"},
        {Search{kNext, SearchKind::regionMiss},
         "Finding",
         "the next or previous miss in the region of the selected block",
         {"r"},
         "the next miss in the region of the selected block"},
        {Search{kPrevious, SearchKind::regionMiss},
         "Finding",
         "… the previous one",
         {"Shift+R"},
         "the previous miss in the region of the selected block"},
        {Search{kNext, SearchKind::eviction},
         "Finding",
         "the next or previous eviction of the selected block",
         {"v"},
         "the next eviction of the selected block"},
        {Search{kPrevious, SearchKind::eviction},
         "Finding",
         "… the previous one",
         {"Shift+V"},
         "the previous eviction of the selected block"},
        {Search{kNext, SearchKind::conflict},
         "Finding",
         "the next or previous conflict of the selected regions",
         {"c"},
         "the next conflict of the selected regions"},
        {Search{kPrevious, SearchKind::conflict},
         "Finding",
         "… the previous one",
         {"Shift+C"},
         "the previous conflict of the selected regions"},
        {Search{kNext, SearchKind::blockAccess},
         "Finding",
         "the next or previous access to the selected block, or miss of it",
         {"Alt+A"},
         "the next access to the selected block"},
        {Search{kPrevious, SearchKind::blockAccess},
         "Finding",
         "… the previous one",
         {"Alt+Shift+A"},
         "the previous access to the selected block"},
        {Search{kNext, SearchKind::blockMiss},
         "Finding",
         "… miss of it",
         {"Alt+N"},
         "the next miss of the selected block"},
        {Search{kPrevious, SearchKind::blockMiss},
         "Finding",
         "… the previous one",
         {"Alt+Shift+N"},
         "the previous miss of the selected block"},
        {Search{kNext, SearchKind::regionAccess},
         "Finding",
         "the next or previous access to the region of the selected block, or eviction from it",
         {"Alt+R"},
         "the next access to the region of the selected block"},
        {Search{kPrevious, SearchKind::regionAccess},
         "Finding",
         "… the previous one",
         {"Alt+Shift+R"},
         "the previous access to the region of the selected block"},
        {Search{kNext, SearchKind::regionEviction},
         "Finding",
         "… eviction",
         {"Alt+V"},
         "the next eviction of a block of the region of the selected block"},
        {Search{kPrevious, SearchKind::regionEviction},
         "Finding",
         "… the previous one",
         {"Alt+Shift+V"},
         "the previous eviction of a block of the region of the selected block"},
        {Search{kNext, SearchKind::lineAccess},
         "Finding",
         "the next or previous access, miss or eviction by the selected source line",
         {"Alt+L"},
         "the next access by the selected source line"},
        {Search{kPrevious, SearchKind::lineAccess},
         "Finding",
         "… the previous one",
         {"Alt+Shift+L"},
         "the previous access by the selected source line"},
        {Search{kNext, SearchKind::lineMiss},
         "Finding",
         "… miss",
         {"Alt+M"},
         "the next miss by the selected source line"},
        {Search{kPrevious, SearchKind::lineMiss},
         "Finding",
         "… the previous one",
         {"Alt+Shift+M"},
         "the previous miss by the selected source line"},
        {Search{kNext, SearchKind::lineEviction},
         "Finding",
         "… eviction",
         {"Alt+E"},
         "the next eviction by the selected source line"},
        {Search{kPrevious, SearchKind::lineEviction},
         "Finding",
         "… the previous one",
         {"Alt+Shift+E"},
         "the previous eviction by the selected source line"},
        {Search{kNext, SearchKind::transfer},
         "Finding",
         "the next or previous transfer between CPUs",
         {"t"},
         "the next transfer between CPUs"},
        {Search{kPrevious, SearchKind::transfer},
         "Finding",
         "… the previous one",
         {"Shift+T"},
         "the previous transfer between CPUs"},
        {Search{kNext, SearchKind::mark},
         "Finding",
         "the next or previous marker of the trace",
         {"k"},
         "the next marker of the trace"},
        {Search{kPrevious, SearchKind::mark},
         "Finding",
         "… the previous one",
         {"Shift+K"},
         "the previous marker of the trace"},
        {Search{kNext, SearchKind::watchedAccess},
         "Finding",
         "the next access to a watched block, fill of one, or loss of one",
         {"Shift+A"},
         "the next access to a watched block"},
        {Search{kNext, SearchKind::watchedFill},
         "Finding",
         "… the next fill of one",
         {"Shift+F"},
         "the next fill of a watched block"},
        {Search{kNext, SearchKind::watchedLoss},
         "Finding",
         "… the next loss of one",
         {"Shift+J"},
         "the next loss of a watched block"},
        {Ask{Asks::position, {}},
         "Finding",
         "go to an access by its number, a share such as 50%, +100, end",
         {"Ctrl+G"}},
        {SetBookmark{},
         "Finding",
         "set or remove a bookmark at the playhead, or set one with a note",
         {"Shift+B"},
         "set or remove a bookmark at the playhead"},
        {Ask{Asks::note, {}}, "Finding", "… with a note", {"Ctrl+B"}, "set a bookmark with a note at the playhead"},
        {BookmarkGo{kNext}, "Finding", "the next or previous bookmark", {"'"}, "the next bookmark"},
        {BookmarkGo{kPrevious}, "Finding", "… the previous one", {"\""}, "the previous bookmark"},

        {Predict{}, "Predicting", "predict what the next access will do: hit or miss, set, evicted block", {"Ctrl+E"}},
        {Predict{PredictKind::telling},
         "Predicting",
         "predict the next access that evicts a block, or misses again",
         {"Ctrl+T"}},
        {Predict{PredictKind::sequence}, "Predicting", "play the cache: all accesses to one set", {"Ctrl+K"}},
        {PredictOutcome{true}, "Predicting", "answer: a hit, or a miss", {"Ctrl+H"}, "answer: a hit"},
        {PredictOutcome{false}, "Predicting", "… a miss", {"Ctrl+M"}, "answer: a miss"},
        {PredictReveal{}, "Predicting", "play the access with the answers so far", {"Alt+0"}},
        {PredictNext{}, "Predicting", "the next question", {"Ctrl+N"}},
        {PredictLevel{}, "Predicting", "predict at the next level", {"Ctrl+Shift+E"}},

        {changeOf("panels"), "Looking", "show or hide everything but the picture", {"Tab"}},
        {changeOf("menu-bar"), "Looking", "show or hide the menu bar", {"Ctrl+Shift+M"}},
        {Focus{Field::menus}, "Looking", "open the menus: Left, Right, Up and Down choose", {"Alt+Shift+F10"}},
        {Focus{Field::contextMenu}, "Looking", "the menu of what is selected", {"Menu", "Ctrl+Shift+F10"}},
        {changeOf("legend"), "Looking", "show or hide the legend", {"j"}},
        {changeOf("caption"), "Looking", "describe the picture in words; shows a scene's words again", {"Shift+H"}},
        {changeOf("explain"),
         "Looking",
         "show the address in tag, set and offset, and why the access missed; on stage, the words that have no room "
         "next to the picture",
         {"i"}},
        {changeOf("strip"),
         "Looking",
         "the strip shows hit rates, kinds of misses, regions, traffic, or cycles",
         {"g"}},
        {changeOf("heat"), "Looking", "the source listing shows misses or access cycles", {"h"}},
        {Costs{}, "Looking", "show or hide what costs most: why, and tables of lines, functions, arrays, …", {"F10"}},
        {CostsBy{}, "Looking", "what costs most: the next table", {"Shift+F10"}},
        {Sharing{},
         "Looking",
         "show or hide sharing: the blocks that CPUs invalidate for each other, and what helps",
         {"Shift+Q"}},
        {CpuNext{},
         "Looking",
         "show the caches of the next or previous CPU alone",
         {"p"},
         "show the caches of the next CPU alone"},
        {CpuPrevious{}, "Looking", "… of the previous one", {"Shift+P"}, "show the caches of the previous CPU alone"},
        {Close{}, "Looking", "close what is open, then deselect, then clear the range", {"Escape"}},

        {ZoomIn{}, "Zoom", "zoom in or out", {"+", "="}, "zoom in"},
        {ZoomOut{}, "Zoom", "… away", {"-"}, "zoom out"},
        {ZoomReset{}, "Zoom", "show the whole picture", {"0", "Shift+Home"}},
        {Pan{{-kHalf, 0}}, "Zoom", "pan left, right, up, down", {"Shift+Left"}, "pan left"},
        {Pan{{kHalf, 0}}, "Zoom", "… right", {"Shift+Right"}, "pan right"},
        {Pan{{0, -kHalf}}, "Zoom", "… up", {"Shift+Up"}, "pan up"},
        {Pan{{0, kHalf}}, "Zoom", "… down", {"Shift+Down"}, "pan down"},
        {Turn{{-1, 0}},
         "Zoom",
         "turn a picture in space left, right, up, down",
         {"Ctrl+Left"},
         "turn a picture in space left"},
        {Turn{{1, 0}}, "Zoom", "… right", {"Ctrl+Right"}, "turn a picture in space right"},
        {Turn{{0, -1}}, "Zoom", "… up", {"Ctrl+Up"}, "turn a picture in space up"},
        {Turn{{0, 1}}, "Zoom", "… down", {"Ctrl+Down"}, "turn a picture in space down"},

        {PictureCard{}, "Picture", "show or hide the display settings", {"a"}},
        {TrailsLonger{}, "Picture", "longer or shorter pathlines", {"]"}, "longer pathlines"},
        {TrailsShorter{}, "Picture", "… shorter", {"["}, "shorter pathlines"},
        {LapseLonger{},
         "Picture",
         "time-lapse: more or fewer accesses per frame",
         {">"},
         "time-lapse: more accesses per frame"},
        {LapseShorter{}, "Picture", "… fewer", {"<"}, "time-lapse: fewer accesses per frame"},
        {LapseFollows{}, "Picture", "time-lapse follows the playback speed", {"*"}},
        {changeOf("by-cycles"), "Picture", "by cycles: each access takes as long as its CPU waits for it", {"Alt+T"}},
        {changeOf("reduced-motion"), "Picture", "reduced motion: glyphs fade instead of moving", {"Shift+M"}},
        {GaugeNext{},
         "Picture",
         "the next or previous measure of the level gauges",
         {"d"},
         "the next measure of the level gauges"},
        {GaugePrevious{}, "Picture", "… before", {"Shift+D"}, "the previous measure of the level gauges"},
        {changeOf("gauge-over"),
         "Picture",
         "the level gauges over the last accesses, the range or the whole run",
         {"Alt+D"}},
        {GaugeWindowLonger{},
         "Picture",
         "a longer or shorter window of the level gauges",
         {")"},
         "a longer window of the level gauges"},
        {GaugeWindowShorter{}, "Picture", "… fewer", {"("}, "a shorter window of the level gauges"},
        {changeOf("grain"), "Picture", "glyphs show blocks, elements, or what fits", {"f"}},
        {changeOf("lecture"), "Picture", "for a lecture hall: the picture and its words alone", {"Shift+L"}},
        {ScaleUp{}, "Picture", "everything larger or smaller", {"Ctrl++", "Ctrl+="}, "everything larger"},
        {ScaleDown{}, "Picture", "… smaller", {"Ctrl+-"}, "everything smaller"},
        {changeOf("scale"), "Picture", "everything at its initial size", {"Ctrl+0"}},
        {changeOf("fill-by-use"), "Picture", "glyphs fill up as bytes are used", {"Shift+U"}},
        {changeOf("ground"), "Picture", "dark or light ground", {"b"}},
        {RegionColourCard{}, "Picture", "choose the colour of the selected region", {"y"}},
        {RegionColoursReset{}, "Picture", "reset the colours of all regions", {"Shift+Y"}},
    };
    const auto predicting =
        std::find_if(all.rbegin(), all.rend(), [](const Binding& b) { return b.section == "Predicting"; });
    const std::vector<Binding> choices = choiceBindings();
    all.insert(predicting.base(), choices.begin(), choices.end());
    for (const ViewKind& kind : kViewKinds) {
        all.push_back({Views{kind.kind}, "Views", kind.help, {kind.key}});
    }
    const std::vector<Binding> views = {
        {ViewNext{}, "Views", "make the next view active", {"Enter"}},
        {ViewAlone{}, "Views", "show the active view alone, or all views", {"z"}},
        {Order{}, "Views", "sort by cost or by address", {"Shift+O"}},
        {Words{}, "Views", "in the ObjectView: objects, or words", {"u"}},
        {changeOf("block-draw"), "Views", "BlockViews: points, lines, faces, boxes, or automatic", {"F7"}},
        {changeOf("block-colours"), "Views", "BlockViews: coloured by CPU, by state, or by class", {"F8"}},
        {changeOf("stays-invalidated"),
         "Views",
         "BlockViews: show or hide stays that ended by invalidation, by replacement, and the others",
         {"Shift+I"},
         "BlockViews: show or hide stays that ended by invalidation"},
        {changeOf("stays-replaced"),
         "Views",
         "… by replacement",
         {"Shift+X"},
         "BlockViews: show or hide stays that ended by replacement"},
        {changeOf("stays-other"),
         "Views",
         "… the other stays",
         {"Shift+S"},
         "BlockViews: show or hide the other stays"},
        {changeOf("lit-only"), "Views", "BlockViews: only the blocks related to the pick, or all", {"Alt+O"}},
        {changeOf("solid"), "Views", "BlockViews: seen from the front, or at an angle with depth", {"Ctrl+D"}},
        {RowsIn{},
         "Views",
         "BlockViews: fewer rows, in more detail; or more rows",
         {"Alt++", "Alt+="},
         "BlockViews: fewer rows, in more detail"},
        {RowsOut{}, "Views", "… more rows", {"Alt+-"}, "BlockViews: more rows"},
        {LensView{}, "Views", "zoom the time to the lens", {"Shift+Z"}},
    };
    all.insert(all.end(), views.begin(), views.end());
    for (std::uint32_t cpu = 0; cpu < kDigits.size(); ++cpu) {
        all.push_back({CpuPlane{cpu},
                       "Views",
                       cpu == 0 ? "BlockViews: show or hide the lane of CPU 0, … to CPU 8" : "… of the next",
                       {kDigits[cpu]},
                       fmt::format("BlockViews: show or hide the lane of CPU {}", cpu)});
    }
    static constexpr std::array<std::string_view, 5> kLayoutKeys = {"Ctrl+1", "Ctrl+2", "Ctrl+3", "Ctrl+4", "Ctrl+5"};
    for (std::size_t i = 0; i < shippedLayouts().size(); ++i) {
        const std::string& name = shippedLayouts()[i].name;
        all.push_back({ShowLayout{{name}},
                       "Views",
                       i == 0 ? ShowLayout::kForm.words : "… the next",
                       {kLayoutKeys.at(i)},
                       "layout: " + name});
    }
    const std::vector<Binding> rest = {
        {changeOf("class-colours"), "Views", "colour objects by their classes", {"F9"}},
        {changeOf("compare"), "Views", "show each view for all compared runs, or for the first only", {"Shift+E"}},
        {Exchange{true}, "Views", "while held: show the compared run in place of the first", {"Backspace"}},
        {changeOf("lock"),
         "Views",
         "the playheads of compared runs are locked by access, share, or source line",
         {"Ctrl+L"}},
        {changeOf("critical-path"),
         "Views",
         "highlight the critical path, which determined the end of the run",
         {"Alt+P"}},

        {Focus{Field::lookUp}, "Choosing", "look up an address, a variable or a source line", {"/", "Ctrl+F"}},
        {WatchSelected{}, "Choosing", "watch or unwatch the selected block", {"w"}},
        {WatchNone{}, "Choosing", "clear the watch list", {"Shift+W"}},

        {Present{}, "Talk", "the picture and its words on the whole screen", {"F11"}},
        {TourNext{}, "Talk", "the next or previous step of the tour", {"Ctrl+PageDown"}, "the next step of the tour"},
        {TourPrevious{}, "Talk", "… before", {"Ctrl+PageUp"}, "the previous step of the tour"},
        {TourAdd{}, "Talk", "add this moment to the tour, or begin one", {"Ctrl+Enter"}},
        {TourEdit{},
         "Talk",
         "what can be changed of the tour: its steps as pictures, and a form",
         {"Ctrl+Shift+Enter"}},
        {Speaker{}, "Talk", "the speaker's window: notes, what comes next, the clock", {"Shift+F11"}},

        {Ask{Asks::command, {}},
         "Whorl",
         "find anything: commands, settings, views, scenes, regions, source lines",
         {"Ctrl+Shift+P", "Ctrl+P"}},
        {Help{}, "Whorl", "show or hide this list", {"?", "F1"}},
        {Focus{Field::input}, "Whorl", "type a file or program to open", {"o"}},
        {Focus{Field::machine}, "Whorl", "type another machine", {"m"}},
        {Live{}, "Whorl", "try other values of the machine and the program", {"F12"}},
        {Ask{Asks::file, {}}, "Whorl", "open a recent or another file, a program, a tour", {"Ctrl+O"}},
        {Reload{}, "Whorl", "reload the open file, and stay at this time", {"Ctrl+R"}},
        {Undo{},
         "Whorl",
         "undo or redo changes of the view, the selection, the range",
         {"Ctrl+Z"},
         "undo a change of the view"},
        {Redo{}, "Whorl", "… redo", {"Ctrl+Shift+Z", "Ctrl+Y"}, "redo a change of the view"},
        {CopyAddress{}, "Whorl", "copy the address of the selected block", {"Ctrl+C"}},
        {CopySentence{}, "Whorl", "copy what the current access does, as a sentence", {"Alt+C"}},
        {CopyCommand{}, "Whorl", "copy the command line that draws this moment", {"Ctrl+Shift+C"}},
        {SavePicture{}, "Whorl", "save the picture as a new PNG file", {"Ctrl+S"}},
        {Record{}, "Whorl", "record the range, or the next 20 seconds, as a new MP4 file", {"Ctrl+Shift+R"}},
        {Cancel{}, "Whorl", "stop the background work", {"Ctrl+."}},
        {Quit{}, "Whorl", "quit", {"Ctrl+Q"}},
    };
    all.insert(all.end(), rest.begin(), rest.end());
    return all;
}

}  // namespace
}  // namespace command

namespace command {
namespace {

const Binding* boundTo(std::string_view chord, std::span<const Binding> all) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const Binding& binding) {
        return std::find(binding.keys.begin(), binding.keys.end(), chord) != binding.keys.end();
    });
    return found == all.end() ? nullptr : &*found;
}

/// Whether a key of the window also works in a talk: with a tour, only if its effect ends with the step.
bool isAlsoOnStage(const Binding& binding, bool hasTour) {
    if (binding.section == "Zoom" || binding.command == Command(SavePicture{})) return true;
    static constexpr std::array<std::string_view, 6> kFree = {"Playing", "Range", "Finding",
                                                              "Picture", "Views", "Choosing"};
    return !hasTour && std::find(kFree.begin(), kFree.end(), binding.section) != kFree.end();
}

std::vector<Binding> allOfStage(bool hasTour) {
    std::vector<Binding> all = {
        {StageBlank{}, "On stage", "show nothing, or the picture again", {"b", "."}},
        {Pointer{}, "On stage", "show the mouse as a large spot", {"p"}},
        {Pen{}, "On stage", "the mouse draws", {"d"}},
        {PenClear{}, "On stage", "erase what was drawn", {"x"}},
        {ClockPause{}, "On stage", "pause or resume the clock of the talk", {"c"}},
        {ClockReset{}, "On stage", "restart the clock", {"Shift+C"}},
        {Play{}, "On stage", "continue from here, or pause", {"k"}},
        {Ask{Asks::command, "machine "}, "On stage", "type another machine", {"m"}},
        {Ask{Asks::file, {}}, "On stage", "type a file or program to open", {"o", "Ctrl+O"}},
        {Speaker{}, "On stage", "the speaker's window: notes, what comes next, the clock", {"Shift+F11"}},
        {changeOf("explain"),
         "On stage",
         "show the words that have no room next to the picture: access, hit rates, key",
         {"i"}},
        {Help{}, "On stage", "show or hide this list", {"?", "F1"}},
        {Present{}, "On stage", "end the talk", {"F11"}},
        {Close{}, "On stage", "close what is open, then end the talk", {"Escape"}},
    };
    if (hasTour) {
        const std::vector<Binding> steps = {
            {TourNext{},
             "On stage",
             "the next step",
             {"PageDown", "Right", "Space", "Enter", "Down", "n", "Ctrl+PageDown"}},
            {TourPrevious{}, "On stage", "the previous step", {"PageUp", "Left", "Up", "Backspace", "Ctrl+PageUp"}},
            {TourGo{0}, "On stage", "the first step", {"Home"}},
            {StageList{}, "On stage", "show or hide the list of scenes", {"l"}},
        };
        all.insert(all.end(), steps.begin(), steps.end());
        const std::vector<Binding> predictions = choiceBindings();
        for (std::uint32_t i = 0; i < kDigits.size(); ++i) {
            all.push_back({TourAnswer{i},
                           "On stage",
                           i == 0 ? "the first answer, …" : "… the next",
                           {kDigits[i], predictions[i].keys.front()},
                           fmt::format("answer {} of a question", i + 1)});
        }
    }
    for (Binding binding : bindings()) {
        if (!isAlsoOnStage(binding, hasTour)) continue;
        // The talk's own bindings take precedence.
        std::erase_if(binding.keys, [&](std::string_view key) { return boundTo(key, all) != nullptr; });
        if (binding.keys.empty()) continue;
        binding.section = "On stage";
        all.push_back(std::move(binding));
    }
    return all;
}

}  // namespace
}  // namespace command

std::span<const Binding> stageBindings(bool hasTour) {
    static const std::vector<Binding> with = command::allOfStage(true);
    static const std::vector<Binding> without = command::allOfStage(false);
    return hasTour ? with : without;
}

std::span<const Binding> bindings() {
    static const std::vector<Binding> all = command::allBindings();
    return all;
}

std::span<const FixedKey> fixedKeys() {
    static constexpr std::array kFixed = {
        FixedKey{"Enter", "in a text field", "run the typed text, or the entry chosen in the list below"},
        FixedKey{"Up", "in a text field with a list", "choose the entry above"},
        FixedKey{"Down", "in a text field with a list", "choose the entry below"},
        FixedKey{"PageUp", "in a text field with a list", "choose the entry a page above"},
        FixedKey{"PageDown", "in a text field with a list", "choose the entry a page below"},
        FixedKey{"Backspace", "in the empty field for files", "open the parent folder"},
        FixedKey{"Escape", "in a text field, a menu or a list that is open", "close it"},
        FixedKey{"Ctrl+A", "in a text field", "select all text"},
        FixedKey{"Ctrl+C", "in a text field", "copy the selected text"},
        FixedKey{"Ctrl+X", "in a text field", "cut the selected text"},
        FixedKey{"Ctrl+V", "in a text field", "paste"},
        FixedKey{"Ctrl+Z", "in a text field", "undo the typing"},
        FixedKey{"Ctrl+Y", "in a text field", "redo the typing"},
    };
    return kFixed;
}

std::string tableOfKeys() {
    // A bar would end a cell of the table.
    const auto cell = [](std::string_view text) {
        std::string out;
        for (const char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c);
        return out;
    };
    std::string out;
    std::string_view section;
    std::vector<Binding> all(bindings().begin(), bindings().end());
    all.insert(all.end(), stageBindings(true).begin(), stageBindings(true).end());
    for (const Binding& binding : all) {
        if (binding.section != section)
            out += fmt::format("{}## {}\n\n| key | |\n| --- | --- |\n", out.empty() ? "" : "\n", binding.section);
        section = binding.section;
        std::string keys;
        for (const std::string_view key : binding.keys) keys += fmt::format("{}`{}`", keys.empty() ? "" : " ", key);
        out += fmt::format("| {} | {} |\n", cell(keys), cell(binding.alone.empty() ? binding.words : binding.alone));
    }
    out += "\n## While a field or a list is open\n\n| key | | |\n| --- | --- | --- |\n";
    for (const FixedKey& fixed : fixedKeys())
        out += fmt::format("| `{}` | {} | {} |\n", cell(fixed.key), fixed.where, fixed.words);
    return out;
}

const Binding* bindingForKey(std::string_view chord) {
    return command::boundTo(chord, bindings());
}

const Binding* bindingForKey(std::string_view chord, const Session& session) {
    return command::boundTo(chord, session.talk.on ? stageBindings(session.presentation.has_value()) : bindings());
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
