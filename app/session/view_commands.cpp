// The actions that choose which pictures stand on the window, and how those of the run's history are looked at.
#include <algorithm>
#include <array>
#include <sstream>

#include "app/session/commands.h"

namespace whorl::app {

namespace {

using Kind = ViewId::Kind;
using Draw = scene::BlockLook::Draw;
using Colour = scene::BlockLook::Colour;

constexpr int kDraws = 5;
constexpr int kColours = 3;

/// Shows the view, or those of all levels, or hides them if they are all shown.
void toggleViews(Session& s, const ViewKind& kind) {
    if (kind.ofLevel && !s.opened.run) return;
    const std::size_t count = kind.ofLevel ? s.opened.run->machine().levels.size() : 1;
    const auto view = [&](std::size_t l) { return ViewId{kind.kind, static_cast<std::uint8_t>(l)}; };
    bool all = true;
    for (std::size_t l = 0; l < count; ++l) all = all && s.viewSettings.shows(view(l));
    for (std::size_t l = 0; l < count; ++l) {
        if (s.viewSettings.shows(view(l)) == all) s.viewSettings.toggle(view(l));
    }
}

/// The views as they are turned to one after the other.
void nextView(ViewSettings& viewSettings) {
    const auto at = std::find(viewSettings.shown.begin(), viewSettings.shown.end(), viewSettings.active);
    const bool isLast = at == viewSettings.shown.end() || at + 1 == viewSettings.shown.end();
    viewSettings.active = isLast ? viewSettings.shown.front() : *(at + 1);
}

GraphChoice& graphOf(ViewSettings& viewSettings) {
    return viewSettings.active.kind == Kind::sources ? viewSettings.sources : viewSettings.objects;
}

template <class Order>
Order other(Order order) {
    return order == Order::cost ? Order::address : Order::cost;
}

/// Of the active view, or of all BlockViews.
void turnOrder(ViewSettings& viewSettings) {
    if (viewSettings.active.kind == Kind::blocks) {
        viewSettings.blocks.order = other(viewSettings.blocks.order);
    } else {
        graphOf(viewSettings).order = other(graphOf(viewSettings).order);
    }
}

void toggleCpu(ViewSettings& viewSettings, int cpu) {
    if (cpu >= 0 && cpu < 64) viewSettings.blocks.cpus ^= std::uint64_t{1} << cpu;
}

scene::SpaceCamera cameraIn(std::istream& in) {
    scene::SpaceCamera c;
    in >> c.target.x >> c.target.y >> c.target.z >> c.azimuth >> c.elevation >> c.span >> c.perspective;
    return c;
}

/// "camera", where the number is the view: whether it was moved by hand, then what cameraIn reads.
void putCamera(Session& s, const Command& c) {
    const ViewId view = viewOf(c.number).withoutRun();
    std::istringstream in(c.text);
    bool byHand = false;
    in >> byHand;
    const scene::SpaceCamera camera = cameraIn(in);
    if (!in) return;
    s.viewSettings.sights[view] = {camera, byHand};
    if (view.kind == Kind::blocks) s.viewSettings.lensWanted = false;
}

void setPerspective(Session& s, double share) {
    const auto sight = s.viewSettings.sights.find(s.viewSettings.active.withoutRun());
    if (sight == s.viewSettings.sights.end()) return;
    sight->second.camera.perspective = static_cast<float>(std::clamp(share, 0.0, 1.0));
    sight->second.byHand = true;
}

void pickSource(Session& s, const Command& c) {
    const auto site = static_cast<std::uint32_t>(std::max(0.0, c.number));
    if (!s.opened.run || site >= s.opened.run->trace().sites().size()) return;
    s.viewSettings.source = SourcePick{site};
    s.viewSettings.sourceIsNewer = true;
    const sim::Site& known = s.opened.run->trace().sites()[site];
    if (known.line != 0) s.line = SourceLine{known.file, known.line};
}

/// "kind id address".
void pickObject(Session& s, const Command& c) {
    std::istringstream in(c.text);
    int kind = 0;
    ObjectPick pick;
    if (!(in >> kind >> pick.id >> pick.address.value)) return;
    pick.kind = static_cast<sim::CostNode::Kind>(kind);
    s.viewSettings.object = pick;
    s.viewSettings.sourceIsNewer = false;
    s.viewSettings.stay.reset();
    s.selected = blockAt(pick.address);
}

/// "level cache block cycle byte".
void pickStay(Session& s, const Command& c) {
    std::istringstream in(c.text);
    int level = 0;
    int cache = 0;
    StayPick pick;
    sim::ByteAddress byte;
    if (!(in >> level >> cache >> pick.block.value >> pick.from >> byte.value)) return;
    pick.level = static_cast<std::uint8_t>(level);
    pick.cache = static_cast<std::uint8_t>(cache);
    s.viewSettings.stay = pick;
    s.selected = blockAt(byte);
}

void setLens(Session& s, const Command& c) {
    std::istringstream in(c.text);
    scene::Interval lens;
    if (in >> lens.from >> lens.to && lens.from < lens.to) s.viewSettings.blocks.lens = lens;
}

void classHue(Session& s, const Command& c) {
    std::istringstream in(c.text);
    std::uint32_t rgb = 0;
    std::string name;
    if (in >> std::hex >> rgb && std::getline(in >> std::ws, name)) s.viewSettings.hues[name] = scene::hex(rgb);
}

std::vector<Action> togglingViews() {
    std::vector<Action> out;
    for (const ViewKind& kind : kViewKinds) {
        out.push_back({kind.action, "Views", kind.help, {kind.key}, [&kind](Session& s, const Command&) {
                           toggleViews(s, kind);
                       }});
    }
    return out;
}

std::vector<Action> showing() {
    return {
        {"view-toggle",
         "",
         "show or hide a view",
         {},
         [](Session& s, const Command& c) { s.viewSettings.toggle(viewOf(c.number)); }},
        {"view-active",
         "",
         "work in a view",
         {},
         [](Session& s, const Command& c) { s.viewSettings.active = viewOf(c.number); }},
        {"view-next",
         "Views",
         "work in the next view",
         {"Enter"},
         [](Session& s, const Command&) { nextView(s.viewSettings); }},
        {"view-alone",
         "Views",
         "the view that you work in alone, or all again",
         {"z"},
         [](Session& s, const Command&) { s.viewSettings.toggleAlone(); }},
        {"recorded",
         "",
         "a trace with events of its own as it was recorded, or simulated again",
         {},
         [](Session& s, const Command&) { s.viewSettings.recorded = !s.viewSettings.recorded; }},
    };
}

std::vector<Action> looking() {
    return {
        {"order",
         "Views",
         "sort by cost or by address",
         {"Shift+O"},
         [](Session& s, const Command&) { turnOrder(s.viewSettings); }},
        {"words",
         "Views",
         "in the ObjectView: objects, or words",
         {"u"},
         [](Session& s, const Command&) {
             s.viewSettings.words = !s.viewSettings.words.value_or(s.viewSettings.wordsFit);
         }},
        {"words-fit",
         "",
         "words tell more, or objects",
         {},
         [](Session& s, const Command& c) { s.viewSettings.wordsFit = c.number != 0; }},
        {"words-are",
         "",
         "words, or objects",
         {},
         [](Session& s, const Command& c) { s.viewSettings.words = c.number != 0; }},
        {"height",
         "",
         "how high a folded graph is",
         {},
         [](Session& s, const Command& c) {
             graphOf(s.viewSettings).height = static_cast<float>(std::clamp(c.number, 0.1, 10.0));
         }},
        {"drag-turns",
         "Views",
         "dragging turns the picture, or moves it",
         {"q"},
         [](Session& s, const Command&) { s.viewSettings.plane = !s.viewSettings.plane; }},
        {"camera", "", "look from somewhere", {}, putCamera},
        {"perspective",
         "",
         "from orthographic to perspective",
         {},
         [](Session& s, const Command& c) { setPerspective(s, c.number); }},
    };
}

std::vector<Action> blocks() {
    std::vector<Action> out = {
        {"draw",
         "Views",
         "BlockViews: points, lines, faces, boxes, or as it fits",
         {"F7"},
         [](Session& s, const Command&) {
             s.viewSettings.blocks.draw =
                 static_cast<Draw>((static_cast<int>(s.viewSettings.blocks.draw) + 1) % kDraws);
         }},
        {"draw-is",
         "",
         "one of those",
         {},
         [](Session& s, const Command& c) {
             s.viewSettings.blocks.draw = static_cast<Draw>(std::clamp(static_cast<int>(c.number), 0, kDraws - 1));
         }},
        {"block-colours",
         "Views",
         "BlockViews: coloured by CPU, by state, or by class",
         {"F8"},
         [](Session& s, const Command&) {
             s.viewSettings.blocks.colour =
                 static_cast<Colour>((static_cast<int>(s.viewSettings.blocks.colour) + 1) % kColours);
         }},
        {"block-colours-are",
         "",
         "one of those",
         {},
         [](Session& s, const Command& c) {
             s.viewSettings.blocks.colour =
                 static_cast<Colour>(std::clamp(static_cast<int>(c.number), 0, kColours - 1));
         }},
        {"coherence",
         "Views",
         "BlockViews: show what was invalidated, or not",
         {"Shift+I"},
         [](Session& s, const Command&) { s.viewSettings.blocks.coherence = !s.viewSettings.blocks.coherence; }},
        {"replacement",
         "Views",
         "… what was replaced",
         {"Shift+X"},
         [](Session& s, const Command&) { s.viewSettings.blocks.replacement = !s.viewSettings.blocks.replacement; }},
        {"other-stays",
         "Views",
         "… what stayed",
         {"Shift+S"},
         [](Session& s, const Command&) { s.viewSettings.blocks.other = !s.viewSettings.blocks.other; }},
        {"cpu-plane",
         "",
         "the plane of a CPU",
         {},
         [](Session& s, const Command& c) { toggleCpu(s.viewSettings, static_cast<int>(c.number)); }},
        {"all-cpu-planes",
         "",
         "the planes of all CPUs",
         {},
         [](Session& s, const Command&) { s.viewSettings.blocks.cpus = ~std::uint64_t{0}; }},
        {"lens", "", "a lens over a stretch of time", {}, setLens},
        {"lens-view",
         "Views",
         "BlockViews: zoom to the lens",
         {"Shift+Z"},
         [](Session& s, const Command&) { s.viewSettings.lensWanted = s.viewSettings.blocks.lens.has_value(); }},
        {"lens-off", "", "no lens", {}, [](Session& s, const Command&) { s.viewSettings.blocks.lens.reset(); }},
    };
    static constexpr std::array<std::string_view, 9> kDigits = {"1", "2", "3", "4", "5", "6", "7", "8", "9"};
    static constexpr std::array<std::string_view, 9> kIds = {"cpu-plane-0", "cpu-plane-1", "cpu-plane-2",
                                                             "cpu-plane-3", "cpu-plane-4", "cpu-plane-5",
                                                             "cpu-plane-6", "cpu-plane-7", "cpu-plane-8"};
    for (std::size_t i = 0; i < kDigits.size(); ++i) {
        out.push_back({kIds[i],
                       "Views",
                       i == 0 ? "BlockViews: the plane of CPU 0, …" : "… of the next",
                       {kDigits[i]},
                       [i](Session& s, const Command&) { toggleCpu(s.viewSettings, static_cast<int>(i)); }});
    }
    return out;
}

std::vector<Action> picking() {
    return {
        {"pick-source", "", "pick a source line", {}, pickSource},
        {"pick-object", "", "pick an object or a word", {}, pickObject},
        {"pick-stay", "", "pick a stay of a block", {}, pickStay},
        {"pick-none",
         "",
         "let go of what is picked",
         {},
         [](Session& s, const Command&) { s.viewSettings.clearPicks(); }},
        {"class-colours",
         "Views",
         "colour objects by their classes",
         {"F9"},
         [](Session& s, const Command&) { s.viewSettings.classColours = !s.viewSettings.classColours; }},
        {"class",
         "",
         "colour a class, or not",
         {},
         [](Session& s, const Command& c) {
             if (s.viewSettings.classes.erase(c.text) == 0) s.viewSettings.classes.insert(c.text);
             s.viewSettings.classColours = true;
         }},
        {"class-hue", "", "the colour of a class", {}, classHue},
        {"collisions-of",
         "",
         "collisions among regions, objects or classes",
         {},
         [](Session& s, const Command& c) {
             s.viewSettings.collisionsOf = static_cast<sim::CollisionsOf>(std::clamp(static_cast<int>(c.number), 0, 2));
         }},
        {"collision-level",
         "",
         "collisions in a level",
         {},
         [](Session& s, const Command& c) {
             s.viewSettings.collisionLevel = static_cast<std::uint8_t>(std::max(0.0, c.number));
         }},
    };
}

/// The same trace on the same machine, with other changes of its layout.
void layOut(Session& s, std::vector<std::string> changes) {
    OpenRequest request = s.opened.request;
    request.changes = std::move(changes);
    s.error.clear();
    s.openNext = std::move(request);
}

std::vector<Action> layout() {
    return {
        {"compare",
         "Views",
         "what if: beside each view that of the run as it was",
         {"Shift+E"},
         [](Session& s, const Command&) { s.viewSettings.compares = !s.viewSettings.compares; }},
        {"cures",
         "Views",
         "what if: list what would keep CPUs from taking blocks from each other",
         {"Shift+Q"},
         [](Session& s, const Command&) { s.viewSettings.cures = !s.viewSettings.cures; }},
        {"change",
         "",
         "lay something out in another way",
         {},
         [](Session& s, const Command& c) {
             auto changes = s.opened.request.changes;
             changes.push_back(c.text);
             layOut(s, std::move(changes));
         }},
        {"change-undo",
         "",
         "lay it out as it was",
         {},
         [](Session& s, const Command& c) {
             auto changes = s.opened.request.changes;
             const auto i = static_cast<std::size_t>(std::max(0.0, c.number));
             if (i < changes.size()) changes.erase(changes.begin() + static_cast<std::ptrdiff_t>(i));
             layOut(s, std::move(changes));
         }},
    };
}

}  // namespace

std::vector<Action> viewsActions() {
    std::vector<Action> out = togglingViews();
    for (auto&& part : {showing(), looking(), blocks(), picking(), layout()})
        out.insert(out.end(), part.begin(), part.end());
    return out;
}

}  // namespace whorl::app
