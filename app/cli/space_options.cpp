#include "app/cli/space_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <glm/trigonometric.hpp>

#include "app/cli/values.h"
#include "app/commands/cell_commands.h"
#include "app/commands/lookup.h"
#include "sim/analysis/place.h"
#include "sim/base/text.h"
#include "sim/trace/layout/array_shape.h"
#include "sim/trace/memory_names.h"

namespace whorl::app {

namespace {

using Draw = scene::BlockLook::Draw;
using Colour = scene::BlockLook::Colour;

template <class Value>
struct Word {
    std::string_view word;
    Value value;
};

constexpr std::array kDraws = {Word<Draw>{"points", Draw::points}, Word<Draw>{"temperature", Draw::points},
                               Word<Draw>{"lines", Draw::lines},   Word<Draw>{"faces", Draw::faces},
                               Word<Draw>{"boxes", Draw::boxes},   Word<Draw>{"auto", Draw::automatic}};
constexpr std::array kColours = {Word<Colour>{"cpu", Colour::cpu}, Word<Colour>{"state", Colour::state},
                                 Word<Colour>{"class", Colour::objectClass}};

/// How stays end, and whether those are shown.
using Ending = bool BlockChoice::*;
constexpr std::array kEndings = {Word<Ending>{"invalidated", &BlockChoice::coherence},
                                 Word<Ending>{"replaced", &BlockChoice::replacement},
                                 Word<Ending>{"others", &BlockChoice::other}};

template <class Value, std::size_t N>
std::vector<std::string> wordsIn(const std::array<Word<Value>, N>& words) {
    std::vector<std::string> out;
    out.reserve(N);
    for (const auto& known : words) out.emplace_back(known.word);
    return out;
}

template <class Value, std::size_t N>
sim::Expected<Value> valueOf(const std::string& option, const std::string& word,
                             const std::array<Word<Value>, N>& words) {
    std::string all;
    for (const auto& known : words) {
        if (known.word == word) return known.value;
        all += fmt::format("{}{}", all.empty() ? "" : ", ", known.word);
    }
    return sim::fail("", fmt::format("{} \"{}\" is not one of the choices", option, word), "use one of " + all);
}

sim::Expected<void> chooseCollisions(const SpaceOptions& options, Session& session) {
    if (!options.by.empty()) {
        const auto of = WHORL_TRY(parseCollisionsOf(options.by));
        session.viewSettings.collisionsOf = of;
    }
    if (options.level.empty()) return {};
    return levelNamed(options.level, session.opened.run->machine()).map([&](std::size_t level) {
        session.viewSettings.collisionLevel = static_cast<std::uint8_t>(level);
    });
}

/// "12-34": two times, the second later; `number` reads one.
template <class Number>
sim::Expected<std::pair<std::uint64_t, std::uint64_t>> rangeIn(const std::string& option, const std::string& words,
                                                               Number number) {
    const std::size_t dash = std::min(words.find('-'), words.size());
    const std::optional<std::uint64_t> from = number(std::string_view(words).substr(0, dash));
    const std::optional<std::uint64_t> to = number(std::string_view(words).substr(std::min(dash + 1, words.size())));
    if (from && to && *from < *to) return std::pair{*from, *to};
    return sim::fail("", fmt::format("{} \"{}\" is not a range", option, words), "use FROM-TO, for example 1000-2000");
}

/// "history:B[3]", "life:B[3]": the place to which a view keeps; `of` is "B[3]".
sim::Expected<sim::Place> placeFor(const ViewId& view, std::string_view of, const sim::Trace& trace,
                                   const sim::MachineConfig& machine) {
    const auto place = WHORL_TRY(sim::placeNamed(of, trace, machine));
    if (view.kind == ViewId::Kind::life && place.kind != sim::Place::Kind::memory) {
        return sim::fail("", fmt::format("--view \"life:{}\": a cell of a cache has no life of its own", of),
                         "name an object, a region, a place such as B[3], or an address");
    }
    return place;
}

/// What may follow the word of a view on the command line.
std::string_view formBehind(const ViewId& view) {
    if (view.kind == ViewId::Kind::array) return ":ARRAY";
    return view.isOfPlace() ? ":PLACE" : "";
}

/// "array:B": the name of the region; `of` is "B".
sim::Expected<std::string> arrayFor(std::string_view of, const sim::Trace& trace) {
    const auto named = sim::memoryNamed(of, trace);
    const bool isRegion = named && named->has_value() && (**named).kind == sim::NamedMemory::Kind::region;
    if (isRegion && sim::ArrayShape::of(trace, (**named).region)) return trace.regions()[(**named).region].name;
    constexpr std::size_t kNamedArrays = 8;
    std::vector<std::string> arrays;
    for (std::size_t r = 0; r < trace.regions().size() && arrays.size() < kNamedArrays; ++r) {
        if (sim::ArrayShape::of(trace, r)) arrays.push_back(trace.regions()[r].name);
    }
    return sim::fail("", fmt::format("--view \"array:{}\": there is no array of this name", of),
                     arrays.empty() ? "no region of this trace has elements of known number and size"
                                    : "use " + sim::joinNames(arrays, "or"));
}

sim::Expected<NamedView> namedView(const std::string& word, const sim::Trace& trace,
                                   const sim::MachineConfig& machine) {
    const std::size_t colon = std::min(word.find(':'), word.size());
    if (const auto view = viewNamed(word.substr(0, colon), machine); view && colon < word.size()) {
        const std::string_view of = std::string_view(word).substr(colon + 1);
        if (view->isOfPlace()) return NamedView{*view, WHORL_TRY(placeFor(*view, of, trace, machine)), {}};
        if (view->kind == ViewId::Kind::array) return NamedView{*view, {}, WHORL_TRY(arrayFor(of, trace))};
    }
    if (const auto view = viewNamed(word, machine)) return NamedView{*view, {}, {}};
    std::vector<std::string> all;
    for (const ViewId& known : viewsOf(machine)) {
        all.push_back(wordOf(known, machine) + std::string(formBehind(known)));
    }
    return sim::fail("", fmt::format("--view \"{}\": there is no such view", word), "use " + sim::joinNames(all, "or"));
}

sim::Expected<void> chooseViews(const std::vector<std::string>& words, Session& session) {
    if (words.empty()) return {};
    const sim::Run& run = *session.opened.run;
    ViewSettings& settings = session.viewSettings;
    settings.shown.clear();
    for (const NamedView& named : WHORL_TRY(namedViews(words, run.trace(), run.machine()))) {
        settings.shown.push_back(named.view);
        if (named.place) settings.histories[named.view].place = named.place;
        if (!named.array.empty()) settings.arrays[named.view] = named.array;
    }
    settings.active = settings.shown.front();
    return {};
}

sim::Expected<void> chooseStays(const std::string& words, BlockChoice& blocks) {
    if (words.empty()) return {};
    blocks.coherence = blocks.replacement = blocks.other = false;
    for (std::size_t from = 0; from <= words.size();) {
        const std::size_t comma = std::min(words.find(',', from), words.size());
        const std::string word = words.substr(from, comma - from);
        const auto ending =
            std::find_if(kEndings.begin(), kEndings.end(), [&](const auto& e) { return e.word == word; });
        if (ending == kEndings.end()) {
            return sim::fail("", fmt::format("--shows \"{}\": \"{}\" is not a kind of stay", words, word),
                             "use invalidated, replaced, others, or several with commas");
        }
        blocks.*ending->value = true;
        from = comma + 1;
    }
    return {};
}

/// Accesses of the trace.
sim::Expected<sim::Range> rangeIn(const std::string& option, const std::string& words, const Session& session) {
    const std::uint64_t size = session.opened.run->trace().size();
    const auto number = [&](std::string_view text) -> std::optional<std::uint64_t> {
        const auto position = Position::from(text);
        if (!position || position->isRelative()) return std::nullopt;
        constexpr double kBeyondAll = 1e18;  // a number of this type
        return static_cast<std::uint64_t>(std::min(position->in(static_cast<double>(size)), kBeyondAll));
    };
    const auto range = WHORL_TRY(rangeIn(option, words, number));
    if (range.second > size) {
        return sim::fail("", fmt::format("{} {}: the trace has only {} accesses", option, words, size),
                         "end it at most there");
    }
    return sim::Range{sim::Tick{range.first}, sim::Tick{range.second}};
}

sim::Expected<void> chooseRange(const std::string& words, Session& session) {
    if (words.empty()) return {};
    session.range = WHORL_TRY(rangeIn("--range", words, session));
    return {};
}

sim::Expected<void> chooseSeen(const std::string& words, Session& session) {
    if (words.empty()) return {};
    const auto range = WHORL_TRY(rangeIn("--seen", words, session));
    const scene::TimeSpan seen = scene::spanOf(range);
    apply(session, command::TimeSeen{seen.from, seen.to});
    return {};
}

sim::Expected<void> chooseLine(const std::string& words, Session& session) {
    if (words.empty()) return {};
    const auto found = WHORL_TRY(lookUp(session, words));
    const sim::Trace& trace = session.opened.run->trace();
    for (std::size_t s = 0; found.line && s < trace.sites().size(); ++s) {
        const sim::Site& site = trace.sites()[s];
        if (site.file != found.line->file || site.line != found.line->line) continue;
        session.viewSettings.source = SourcePick{static_cast<std::uint32_t>(s)};
        session.viewSettings.sourceIsNewer = session.viewSettings.object == std::nullopt;
        return {};
    }
    return sim::fail("", fmt::format("--line \"{}\": no access has this source line", words),
                     "use FILE:LINE of a line that makes accesses");
}

/// Selects an object or region by its name, else a place or an address.
sim::Expected<void> chooseObject(const std::string& words, Session& session) {
    if (words.empty()) return {};
    const sim::Trace& trace = session.opened.run->trace();
    const auto named = [&](const auto& things) {
        return std::find_if(things.begin(), things.end(), [&](const auto& t) { return t.name == words; });
    };
    if (const auto object = named(trace.objects()); object != trace.objects().end()) {
        const auto id = static_cast<std::uint32_t>(object - trace.objects().begin());
        session.viewSettings.object = ObjectPick{sim::CostNode::Kind::object, id, object->base};
        return {};
    }
    if (const auto region = named(trace.regions()); region != trace.regions().end()) {
        const auto id = static_cast<std::uint32_t>(region - trace.regions().begin());
        session.viewSettings.object = ObjectPick{sim::CostNode::Kind::region, id, region->base};
        return {};
    }
    // "ArrayC" of "Global.ArrayC".
    if (const auto memory = sim::memoryNamed(words, trace); memory && *memory) {
        using Kind = sim::NamedMemory::Kind;
        const bool isObject = (*memory)->kind == Kind::object;
        if (isObject || (*memory)->kind == Kind::region) {
            const auto id =
                isObject ? static_cast<std::uint32_t>((*memory)->object - trace.objects().data()) : (*memory)->region;
            const auto kind = isObject ? sim::CostNode::Kind::object : sim::CostNode::Kind::region;
            session.viewSettings.object = ObjectPick{kind, id, (*memory)->from};
            return {};
        }
    }
    const auto found = WHORL_TRY(lookUp(session, words));
    if (!found.selection || !found.selection->byte) {
        return sim::fail("", fmt::format("--object \"{}\" is not an object, region or address", words),
                         "use the name of an object or a region, a place such as B[3], or an address");
    }
    session.viewSettings.object = ObjectPick{sim::CostNode::Kind::word, 0, *found.selection->byte};
    return {};
}

/// "rings, block:LEVEL, cache:LEVEL[@CPU] or history:PLACE": all kinds of views.
std::string viewForms() {
    std::vector<std::string> forms;
    for (const ViewKind& kind : kViewKinds) {
        forms.push_back(fmt::format("{}{}{}", kind.word, formBehind({kind.kind}), kind.ofLevel ? ":LEVEL" : ""));
        if (kind.ofLevel && kind.hasParts) forms.back() += "[@CPU]";
        if (kind.ofPages)
            forms.insert(forms.end(), {fmt::format("{}:tlb[@CPU]", kind.word), fmt::format("{}:pages", kind.word)});
    }
    return sim::joinNames(forms, "or");
}

/// What views of a place, or of an array, begin with.
std::vector<std::string> ofPlaces() {
    std::vector<std::string> words;
    for (const ViewKind& kind : kViewKinds) {
        if (!formBehind({kind.kind}).empty()) words.push_back(fmt::format("{}:", kind.word));
    }
    return words;
}

}  // namespace

void addViewOption(OptionParser& command, std::vector<std::string>& views) {
    command.add("--view", views, viewForms() + "; several, with commas, stand side by side",
                {.commaSeparated = true, .kind = ValueKind::view, .among = ofPlaces(), .after = ValueKind::place});
}

sim::Expected<std::vector<NamedView>> namedViews(const std::vector<std::string>& words, const sim::Trace& trace,
                                                 const sim::MachineConfig& machine) {
    std::vector<NamedView> views;
    const auto isThere = [&](const ViewId& view) {
        return std::any_of(views.begin(), views.end(), [&](const NamedView& v) { return v.view == view; });
    };
    for (const std::string& word : words) {
        NamedView named = WHORL_TRY(namedView(word, trace, machine));
        // A view is shown once, whatever it is named; several may keep to places or arrays.
        const bool isOwn = named.place || !named.array.empty();
        while (isOwn && isThere(named.view)) ++named.view.part;
        if (!isThere(named.view)) views.push_back(std::move(named));
    }
    return views;
}

void addSpaceOptions(OptionParser& command, SpaceOptions& options, Session& session) {
    addViewOption(command, options.views);
    command.addFlag("--critical-path", session.viewSettings.path,
                    "highlight the critical path, which determined the end of the run, in the views that can show it");
    command.add("--sort", options.sort, "the order in views: by cost, or by address", {.oneOf = {"cost", "address"}});
    command.addFlag("--simulate", session.viewSettings.recorded, false,
                    "a trace with its own events, such as Chiron's: simulated again instead of as recorded");
    command.addFlag("--words", options.words, "in the ObjectView: words; without either, what fits");
    command.addFlag("--objects", options.objects, "in the ObjectView: objects");
    command.addFlag("--classes", session.viewSettings.classColours, "in the ObjectView: coloured by class");
    command.add("--height", options.height, "the height of SourceView and ObjectView, 0.1 to 10",
                {.limits = Limits<float>{0.1f, 10.0f}});
    command.add("--draw", options.draw, "how BlockViews draw stays: points, lines, faces, boxes or auto",
                {.among = wordsIn(kDraws)});
    command.add("--colour", options.colour, "what colours mean in BlockViews: cpu, state or class",
                {.among = wordsIn(kColours)});
    command.add("--shows", options.shows,
                "which stays BlockViews show, by how they ended: invalidated, replaced, others, or several with commas",
                {.commaSeparated = true, .among = wordsIn(kEndings)});
    command.addFlag("--solid", options.solid, "BlockViews: seen at an angle, with a plane for each CPU");
    command.addFlag("--lit-only", options.highlightedOnly, "BlockViews: only the blocks related to the pick");
    command.add("--rows", options.rows, "FROM-TO: BlockViews show this part of their rows, in percent from the top");
    command.add("--lens", options.lens, "FROM-TO: in these cycles BlockViews draw boxes");
    command.add("--range", options.range,
                "FROM-TO, such as 1000-2000 or 10%-50%: only these accesses are counted; pictures over time mark them");
    command.add("--seen", options.seen, "FROM-TO: pictures over time, such as BlockViews, show these accesses");
    command.add("--line", options.line, "FILE:LINE: pick a source line; what belongs to it is highlighted in all views",
                {.kind = ValueKind::sourceLine});
    command.add("--object", options.object, "pick an object, a region, or the word at a place or address, likewise",
                {.kind = ValueKind::place});
    command.add("--by", options.by, "what the rows of the collisions are: region, object or class",
                {.among = collisionWords()});
    command.add("--level", options.level, "LEVEL: the collisions in this level; without it, in the nearest one",
                {.kind = ValueKind::level});
    command.add("--turn", options.turn,
                "AZIMUTH,ELEVATION: the direction from which pictures in space are seen, degrees");
    command.add("--perspective", options.perspective, "0, orthographic, to 1", {.limits = Limits<float>{0.0f, 1.0f}});
}

namespace {

/// "0-2.5": percent of the rows, from the top.
sim::Expected<void> chooseRows(const std::string& words, BlockChoice& blocks) {
    if (words.empty()) return {};
    double from = 0;
    double to = 0;
    int used = 0;
    const bool isRead = std::sscanf(words.c_str(), "%lf-%lf%n", &from, &to, &used) == 2 &&
                        static_cast<std::size_t>(used) == words.size();
    if (!isRead || !(from >= 0 && from < to && to <= 100)) {
        return sim::fail("", fmt::format("--rows \"{}\" is not a part of the rows", words),
                         "use FROM-TO in percent from the top, for example 0-2.5");
    }
    blocks.rows = scene::RowSpan{from / 100, to / 100};
    return {};
}

void sortBy(bool address, ViewSettings& viewSettings) {
    viewSettings.sources.order = viewSettings.objects.order =
        address ? scene::NodeOrder::address : scene::NodeOrder::cost;
    viewSettings.blocks.order = address ? scene::BlockOrder::address : scene::BlockOrder::cost;
}

}  // namespace

sim::Expected<void> takeOver(const SpaceOptions& options, Session& session) {
    ViewSettings& viewSettings = session.viewSettings;
    if (!options.draw.empty()) viewSettings.blocks.draw = WHORL_TRY(valueOf("--draw", options.draw, kDraws));
    if (!options.colour.empty()) viewSettings.blocks.colour = WHORL_TRY(valueOf("--colour", options.colour, kColours));
    if (!options.sort.empty()) sortBy(options.sort == "address", viewSettings);
    viewSettings.sources.height = viewSettings.objects.height = options.height;
    if (options.words || options.objects) viewSettings.words = options.words;
    if (!options.lens.empty()) {
        const auto [from, to] = WHORL_TRY(rangeIn("--lens", options.lens, sim::wholeNumber));
        viewSettings.lens = scene::Interval{static_cast<double>(from), static_cast<double>(to)};
    }
    if (!options.turn.empty()) {
        scene::SpaceCamera turned;
        int used = 0;
        const bool read = std::sscanf(options.turn.c_str(), "%f,%f%n", &turned.azimuth, &turned.elevation, &used) == 2;
        const bool isFinite = std::isfinite(turned.azimuth) && std::isfinite(turned.elevation);
        if (!read || !isFinite || static_cast<std::size_t>(used) != options.turn.size()) {
            return sim::fail("", fmt::format("--turn \"{}\" is not a direction", options.turn),
                             "use AZIMUTH,ELEVATION in degrees, for example -30,20");
        }
        viewSettings.direction = glm::radians(glm::vec2(turned.azimuth, turned.elevation));
    }
    viewSettings.perspective = options.perspective;
    viewSettings.blocks.solid = options.solid;
    viewSettings.blocks.depth = options.solid ? 1.0f : 0.0f;
    viewSettings.blocks.highlightedOnly = options.highlightedOnly;
    return chooseViews(options.views, session)
        .and_then([&] { return chooseCollisions(options, session); })
        .and_then([&] { return chooseStays(options.shows, viewSettings.blocks); })
        .and_then([&] { return chooseRows(options.rows, viewSettings.blocks); })
        .and_then([&] { return chooseRange(options.range, session); })
        .and_then([&] { return chooseSeen(options.seen, session); })
        .and_then([&] { return chooseObject(options.object, session); })
        .and_then([&] { return chooseLine(options.line, session); });
}

}  // namespace whorl::app
