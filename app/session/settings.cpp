#include "app/session/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <type_traits>
#include <vector>

#include "app/session/session.h"
#include "app/session/words.h"
#include "render/scene/palette.h"

namespace whorl::app {

namespace {

template <class T>
SettingValue valueOf(T value) {
    if constexpr (std::is_enum_v<T>) {
        return WordIndex{static_cast<std::size_t>(value)};
    } else if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
        return std::uint64_t{value};
    } else {
        return value;
    }
}
template <class T>
SettingValue valueOf(const std::optional<T>& value) {
    return value ? valueOf(*value) : SettingValue{};
}

template <class T>
void assign(T& to, const SettingValue& value) {
    if constexpr (std::is_enum_v<T>) {
        to = static_cast<T>(std::get<WordIndex>(value).index);
    } else if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
        to = static_cast<T>(std::get<std::uint64_t>(value));
    } else {
        to = std::get<T>(value);
    }
}
template <class T>
void assign(std::optional<T>& to, const SettingValue& value) {
    to.reset();
    if (value.index() != 0) assign(to.emplace(), value);
}

/// The access for values of this type; the caller sets the functions that read and write the value.
template <class T>
SettingAccess accessOf() {
    SettingAccess access{.kind = valueOf(T{})};
    if constexpr (std::is_enum_v<T>) access.words = kWords<T>;
    return access;
}

/// How to reach a member through others: in(&Look::ringView, &scene::View::use).
template <class... Path>
SettingAccess in(Path... path) {
    const auto of = [path...](auto& look) -> auto& {
        return (look.*....*path);
    };
    using Member = std::remove_cvref_t<decltype(of(std::declval<Look&>()))>;
    SettingAccess access = accessOf<typename Required<Member>::Type>();
    access.get = [of](const Look& look) { return valueOf(of(look)); };
    access.set = [of](Look& look, const SettingValue& value) { assign(of(look), value); };
    using Number = std::invoke_result_t<decltype(access.number), Look&>;
    if constexpr (std::is_constructible_v<Number, Member*>)
        access.number = [of](Look& look) { return Number(&of(look)); };
    return access;
}

/// A member of the settings of the active BlockView; of all if the active view is none.
template <class T>
SettingAccess inBlocks(T BlockChoice::*member) {
    SettingAccess access = accessOf<T>();
    access.get = [member](const Look& look) {
        return valueOf(look.viewSettings.blocksOf(look.viewSettings.active).*member);
    };
    access.set = [member](Look& look, const SettingValue& value) {
        look.viewSettings.changeBlocks([&](BlockChoice& blocks) { assign(blocks.*member, value); });
    };
    return access;
}

/// A member of what the active folded graph shows, as height or colour; of all if the active view is none.
template <class T>
SettingAccess inGraphs(NodeQuantity GraphChoice::*by, T NodeQuantity::*member) {
    SettingAccess access = accessOf<T>();
    access.get = [=](const Look& look) { return valueOf(look.viewSettings.activeGraph().*by.*member); };
    access.set = [=](Look& look, const SettingValue& value) {
        look.viewSettings.changeGraphs([&](GraphChoice& graph) { assign(graph.*by.*member, value); });
    };
    return access;
}

void showAllRows(Look& look) {
    look.viewSettings.changeBlocks([](BlockChoice& blocks) { blocks.rows.reset(); });
}

/// Resets the cameras of BlockViews from where they were moved by hand to where their settings put them.
void putCameras(Look& look) {
    look.viewSettings.putBlockCameras();
}

/// A lecture shows only the picture and its words, so it hides the panels, and showing the panels ends it.
void setLecture(Look& look, bool on) {
    if (on != look.lecture) {
        look.panels = !on;
        look.caption = on;
    }
    look.lecture = on;
}

SettingAccess asLecture() {
    SettingAccess access = in(&Look::lecture);
    access.set = [](Look& look, const SettingValue& value) { setLecture(look, std::get<bool>(value)); };
    return access;
}

/// Colours that were chosen by hand are chosen on the other ground, too.
SettingAccess asGround() {
    SettingAccess access = in(&Look::ground);
    access.get = [](const Look& look) { return SettingValue(WordIndex{scene::isDark(look.ground) ? 0u : 1u}); };
    access.set = [](Look& look, const SettingValue& value) {
        look.ground = scene::withColours(static_cast<scene::Ground>(std::get<WordIndex>(value).index), look.ground);
    };
    return access;
}

SettingAccess asPanels() {
    SettingAccess access = in(&Look::panels);
    access.set = [](Look& look, const SettingValue& value) {
        look.panels = std::get<bool>(value);
        if (look.panels) setLecture(look, false);
    };
    return access;
}

/// Settings of the interface around and over the picture.
std::vector<Setting> ofTheInterface() {
    const auto size = [](float PanelSizes::*edge) { return in(&Look::sizes, edge); };
    const auto column = [&](float PanelSizes::*edge) {
        return size(edge).within(PanelSizes::kMinColumn, PanelSizes::kMaxColumn);
    };
    const auto share = [&](float PanelSizes::*edge) {
        return size(edge).within(PanelSizes::kMinShare, PanelSizes::kMaxShare);
    };
    return {
        Setting("ground", "dark or light ground", "ground", asGround(),
                {.kept = "ground", .ofScenes = true, .option = {"--ground", "dark or light"}}),
        Setting("lecture", "for a lecture hall: the picture as large as can be, its words beside it", "on", asLecture(),
                {.kept = "lecture",
                 .option = {"--lecture", "for a lecture hall: the picture as large as can be, its words beside it"}}),
        Setting("panels", "show or hide everything but the picture", "on", asPanels(),
                {.option = {"--panels", "with the panels around the picture"}}),
        Setting("menu-bar", "show or hide the menus above the panels", "on", in(&Look::menuBar), {.kept = "menuBar"}),
        Setting("caption", "show or hide the picture's description, and show a scene's words again", "on",
                in(&Look::caption),
                {.option = {"--caption",
                            "with a caption: what the picture shows, in words, the key, the machine, the hit rates"}}),
        Setting("strip", "the strip shows hit rates, kinds of misses, or regions", "shows", in(&Look::strip)),
        Setting("heat", "the source listing shows misses or access cycles", "of", in(&Look::heat)),
        Setting("", "", "", column(&PanelSizes::left), {.kept = "panels/left"}),
        Setting("", "", "", column(&PanelSizes::right), {.kept = "panels/right"}),
        Setting("", "", "", size(&PanelSizes::bottom).within(PanelSizes::kMinBottom, PanelSizes::kMaxBottom),
                {.kept = "panels/bottom"}),
        Setting("", "", "", share(&PanelSizes::statistics), {.kept = "panels/statistics"}),
        Setting("", "", "", share(&PanelSizes::source), {.kept = "panels/source"}),
        Setting("", "", "", share(&PanelSizes::picked), {.kept = "panels/picked"}),
    };
}

/// Sections of the left column, folded by a click on their headings.
std::vector<Setting> ofTheSections() {
    const auto section = [](std::string_view id, std::string_view words, std::string_view kept, bool Sections::*open) {
        return Setting(id, words, "open", in(&Look::sections, open), {.kept = kept});
    };
    return {
        section("section-watched", "unfold or fold what is watched", "sections/watched", &Sections::watched),
        section("section-trace", "unfold or fold what is open", "sections/trace", &Sections::trace),
        section("section-machine", "unfold or fold the machine", "sections/machine", &Sections::machine),
        section("section-views", "unfold or fold the list of views", "sections/views", &Sections::views),
        section("section-regions", "unfold or fold the tree of regions", "sections/regions", &Sections::regions),
        section("section-evictions", "unfold or fold which regions evict which", "sections/evictions",
                &Sections::evictions),
        section("section-classes", "unfold or fold the classes", "sections/classes", &Sections::classes),
        section("section-what-if", "unfold or fold other layouts", "sections/whatIf", &Sections::whatIf),
        section("section-tour", "unfold or fold the tour", "sections/tour", &Sections::tour),
    };
}

/// What the level gauges show.
std::vector<Setting> ofTheGauges() {
    using Gauge = sim::GaugeSettings;
    constexpr double kMaxScore = 100;
    const auto gauge = [](auto... path) { return in(&Look::ringView, &scene::View::gauge, path...); };
    const auto score = [&](double sim::TemperatureScores::*of) {
        return gauge(&Gauge::scores, of).within(-kMaxScore, kMaxScore);
    };
    return {
        Setting("gauge", "the measure of the level gauges", "measure", gauge(&Gauge::what),
                {.needsArgument = true, .kept = "disk/shows", .ofScenes = true}),
        Setting("gauge-over", "the span of the level gauges: the last accesses, the range or the run", "over",
                gauge(&Gauge::over), {.kept = "disk/over", .ofScenes = true}),
        Setting("gauge-window", "the window of the level gauges, in accesses", "accesses",
                gauge(&Gauge::window).within(1u, Gauge::kMaxWindow),
                {.needsArgument = true, .kept = "disk/window", .ofScenes = true, .joins = true}),
        Setting("", "", "", score(&sim::TemperatureScores::nearestMiss), {.kept = "disk/nearestMiss"}),
        Setting("", "", "", score(&sim::TemperatureScores::miss), {.kept = "disk/miss"}),
        Setting("", "", "", score(&sim::TemperatureScores::hit), {.kept = "disk/hit"}),
        Setting("gauge-region", "the region whose share the level gauges show", "region",
                gauge(&Gauge::region).within(0u, std::numeric_limits<std::uint32_t>::max()),
                {.needsArgument = true, .ofScenes = true}),
        Setting("gauge-kind", "the kind of misses whose share the level gauges show", "kind", gauge(&Gauge::kind),
                {.needsArgument = true, .kept = "disk/kind", .ofScenes = true}),
    };
}

std::vector<Setting> ofTheRings() {
    return {
        Setting("trails", "show the pathlines of this many accesses", "accesses",
                in(&Look::trails).within(0u, Look::kMaxTrails),
                {.needsArgument = true,
                 .kept = "trails",
                 .field = "history",
                 .joins = true,
                 .option = {"--trails", "number of accesses whose pathlines are shown", {}, true}}),
        Setting("lapse", "time-lapse: this many accesses per frame", "accesses",
                in(&Look::lapse).within(std::uint64_t{1}, Look::kMaxLapse),
                {.needsArgument = true,
                 .kept = "lapse",
                 .field = "lapse",
                 .joins = true,
                 .option = {"--lapse", "time-lapse: this many accesses per frame, 1 to 1000000"}}),
        Setting("by-cycles", "each access takes as long as its CPU waits for it, or all take the same time", "on",
                in(&Look::ringView, &scene::View::byCycles),
                {.kept = "byCycles",
                 .ofScenes = true,
                 .option = {"--by-cycles", "each access takes as long as its CPU waits for it"}}),
        Setting("grain", "glyphs show blocks, elements, or what fits", "grain",
                in(&Look::ringView, &scene::View::grain),
                {.kept = "glyphs",
                 .field = "elements",
                 .ofScenes = true,
                 .option = {"--elements", "a glyph for each element, instead of each block",
                            valueOf(scene::Grain::elements)},
                 .unsaid = "elements where they have room"}),
        Setting("rings", "ring sizes follow what the caches can hold of the trace, or their capacity", "sizes",
                in(&Look::ringView, &scene::View::rings),
                {.kept = "rings",
                 .ofScenes = true,
                 .option = {"--rings", "ring sizes follow what the caches can hold of the trace, or their capacity"}}),
        Setting("fill-by-use", "glyphs fill up as the bytes of their blocks are used", "on",
                in(&Look::ringView, &scene::View::use),
                {.kept = "fillByUse",
                 .ofScenes = true,
                 .option = {"--fill-by-use", "glyphs fill up as the bytes of their blocks are used"}}),
        Setting("explain", "show the address in tag, set and offset, and why the access missed", "on",
                in(&Look::explain), {.kept = "explain", .ofScenes = true}),
        Setting("legend", "show or hide the legend", "on", in(&Look::legend),
                {.kept = "legend", .ofScenes = true, .unsaid = "that the legend is hidden"}),
        Setting("scale", "the scale of everything, relative to the display's", "factor",
                in(&Look::uiScale).within(Look::kMinUiScale, Look::kMaxUiScale),
                {.bare = 1.0f,
                 .kept = "scale",
                 .joins = true,
                 .option = {"--scale", "the scale of text and lines, 0.5 to 4"}}),
        Setting(
            "reduced-motion", "reduced motion: glyphs fade instead of moving", "on", in(&Look::reducedMotion),
            {.kept = "reducedMotion", .option = {"--reduced-motion", "reduced motion: glyphs fade instead of moving"}}),
    };
}

std::vector<Setting> ofTheViews() {
    const auto view = [](auto member) { return in(&Look::viewSettings, member); };
    return {
        Setting("compare", "show each view for all compared runs, or for the first only", "on",
                view(&ViewSettings::compares)),
        Setting("common-scale", "compared runs have one scale, or each its own", "on", view(&ViewSettings::commonScale),
                {.ofScenes = true}),
        Setting("lock", "lock the playheads of compared runs by access, share or line", "by", in(&Look::lock)),
        Setting("recorded", "a trace with its own events: as recorded, or simulated again", "on",
                view(&ViewSettings::recorded), {.ofScenes = true}),
        Setting("critical-path", "highlight the critical path, which determined the end of the run", "on",
                view(&ViewSettings::path), {.ofScenes = true}),
        Setting("block-draw", "BlockViews: points, lines, faces, boxes, or automatic", "draw",
                inBlocks(&BlockChoice::draw), {.ofScenes = true}),
        Setting("block-others", "BlockViews: beside what is highlighted, lines, points, or all alike", "draw",
                inBlocks(&BlockChoice::others), {.ofScenes = true}),
        Setting("block-colours", "BlockViews: coloured by CPU, by state, or by class", "by",
                inBlocks(&BlockChoice::colour), {.ofScenes = true}),
        Setting("stays-invalidated", "BlockViews: show or hide stays that ended by invalidation", "on",
                inBlocks(&BlockChoice::coherence), {.ofScenes = true}),
        Setting("stays-replaced", "BlockViews: show or hide stays that ended by replacement", "on",
                inBlocks(&BlockChoice::replacement), {.ofScenes = true}),
        Setting("stays-other", "BlockViews: show or hide the other stays", "on", inBlocks(&BlockChoice::other),
                {.ofScenes = true}),
        Setting("lit-only", "BlockViews: only the blocks related to the pick, or all", "on",
                inBlocks(&BlockChoice::highlightedOnly), {.ofScenes = true, .then = showAllRows}),
        Setting("solid", "BlockViews: seen from the front, or at an angle with a plane for each CPU", "on",
                inBlocks(&BlockChoice::solid), {.ofScenes = true, .then = putCameras}),
        Setting("class-colours", "colour objects by their classes", "on", view(&ViewSettings::classColours),
                {.ofScenes = true}),
        Setting("collisions-of", "collisions among regions, objects or classes", "things",
                view(&ViewSettings::collisionsOf), {.needsArgument = true, .ofScenes = true}),
        Setting("collisions-level", "collisions in a level", "level",
                view(&ViewSettings::collisionLevel).within(std::uint8_t{0}, std::numeric_limits<std::uint8_t>::max()),
                {.needsArgument = true, .ofScenes = true}),
        Setting("collisions-picked", "all collisions, or only those of what is picked", "on",
                view(&ViewSettings::collisionsPicked), {.ofScenes = true}),
        Setting("phase-shows", "phases by miss rate, or by misses", "shows",
                in(&Look::viewSettings, &ViewSettings::phases, &PhaseChoice::shows), {.ofScenes = true}),
    };
}

/// What folded graphs show as height and as colour.
std::vector<Setting> ofTheGraphs() {
    const auto level = [](NodeQuantity GraphChoice::*by) {
        return inGraphs(by, &NodeQuantity::level).within(std::uint8_t{0}, std::numeric_limits<std::uint8_t>::max());
    };
    return {
        Setting("graph-height-by", "folded graphs: what the height is", "metric",
                inGraphs(&GraphChoice::heightBy, &NodeQuantity::metric), {.ofScenes = true}),
        Setting("graph-height-level", "folded graphs: the level whose misses or invalidations are the height", "level",
                level(&GraphChoice::heightBy), {.needsArgument = true, .ofScenes = true}),
        Setting("graph-colour-by", "folded graphs: what the colour is", "metric",
                inGraphs(&GraphChoice::colourBy, &NodeQuantity::metric), {.ofScenes = true}),
        Setting("graph-colour-level", "folded graphs: the level whose misses or invalidations are the colour", "level",
                level(&GraphChoice::colourBy), {.needsArgument = true, .ofScenes = true}),
    };
}

/// What a switch, or a word, becomes without an argument.
SettingValue nextOf(const Setting& setting, const SettingValue& now) {
    if (setting.bare) return *setting.bare;
    if (const auto* word = std::get_if<WordIndex>(&now))
        return WordIndex{(word->index + 1) % setting.value.words.size()};
    return !std::get<bool>(now);
}

template <class T>
T within(T value, const SettingAccess& access) {
    return std::clamp(value, static_cast<T>(access.least), static_cast<T>(access.most));
}

}  // namespace

std::span<const Setting> settings() {
    static const std::vector<Setting> kAll = [] {
        std::vector<Setting> all;
        for (const auto& part :
             {ofTheInterface(), ofTheSections(), ofTheRings(), ofTheGauges(), ofTheViews(), ofTheGraphs()}) {
            all.insert(all.end(), part.begin(), part.end());
        }
        return all;
    }();
    return kAll;
}

SettingValue SettingAccess::numberOf(double given) const {
    if (std::holds_alternative<float>(kind)) return static_cast<float>(given);
    if (std::holds_alternative<double>(kind)) return given;
    return static_cast<std::uint64_t>(given);
}

const Setting& settingNamed(std::string_view id) {
    return *std::ranges::find(settings(), id, &Setting::id);
}

const Setting& settingKept(std::string_view place) {
    return *std::ranges::find(settings(), place, &Setting::kept);
}

void setTo(Look& look, const Setting& setting, const SettingValue& value) {
    const SettingAccess& access = setting.value;
    const auto move = [&](const auto& given) -> SettingValue {
        using T = std::remove_cvref_t<decltype(given)>;
        if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) {
            return within(given, access);
        } else {
            return given;
        }
    };
    access.set(look, std::visit(move, value));
    if (setting.then != nullptr) setting.then(look);
}

std::string argumentOf(const Setting& setting, const SettingValue& value) {
    const auto text = [&](const auto& given) -> std::string {
        using T = std::remove_cvref_t<decltype(given)>;
        if constexpr (std::is_same_v<T, std::monostate>) return {};
        if constexpr (std::is_same_v<T, WordIndex>) return std::string(setting.value.words[given.index]);
        if constexpr (std::is_same_v<T, bool>) return given ? "on" : "off";
        if constexpr (std::is_arithmetic_v<T>) return fmt::format("{}", given);
    };
    return std::visit(text, value);
}

std::string textOf(const Setting& setting, const SettingValue& value) {
    WordWriter out;
    out.add(setting.id);
    if (value.index() != 0) out.add(argumentOf(setting, value));
    return out.text();
}

struct Command::OfSetting final : AnyHolder {
    explicit OfSetting(const SettingCommand& c) : command(c) {}
    std::string_view id() const override { return command.setting->id; }
    std::string_view words() const override { return command.setting->words; }
    std::string text() const override { return textOf(*command.setting, command.value); }
    CommandFlags flags() const override { return {command.setting->joins, command.setting->ofScenes}; }
    void applyTo(Session& session) const override {
        const Setting& setting = *command.setting;
        const bool isGiven = command.value.index() != 0;
        setTo(session, setting, isGiven ? command.value : nextOf(setting, setting.value.get(session)));
    }
    SettingCommand command;
};

Command::Command(const SettingCommand& command) : holder_(std::make_shared<const OfSetting>(command)) {}

namespace {

/// Reads a value of the type of the setting.
sim::Expected<SettingValue> takeValue(WordReader& in, const Setting& setting) {
    const SettingAccess& access = setting.value;
    const auto read = [&](auto kind) -> sim::Expected<SettingValue> {
        using T = decltype(kind);
        if constexpr (std::is_same_v<T, std::monostate>) return SettingValue{};
        if constexpr (std::is_same_v<T, WordIndex>) {
            return takeWord(in, access.words).map([](std::size_t index) { return SettingValue(WordIndex{index}); });
        }
        if constexpr (std::is_same_v<T, std::uint64_t>) {
            return takeUnsigned(in, access.readable).map([](std::uint64_t number) { return SettingValue(number); });
        }
        if constexpr (std::is_same_v<T, bool> || std::is_floating_point_v<T>) {
            T value{};
            return take(in, value).map([&] { return SettingValue(value); });
        }
    };
    return std::visit(read, access.kind);
}

}  // namespace

Command changeOf(std::string_view id, const SettingValue& value) {
    return SettingCommand{&settingNamed(id), value};
}

Command changeOf(std::string_view id) {
    return SettingCommand{&settingNamed(id)};
}

CommandType commandTypeOf(const Setting& setting) {
    const bool isWord = !setting.value.words.empty();
    const bool isSwitch = std::holds_alternative<bool>(setting.value.kind);
    CommandType type{.id = setting.id,
                     .words = setting.words,
                     .usage = usageOf(setting.id, std::vector{ArgumentName{setting.argument, !setting.needsArgument}}),
                     .needsArguments = setting.needsArgument};
    if (isSwitch) type.choices = {"off", "on"};
    if (isWord) type.choices.assign(setting.value.words.begin(), setting.value.words.end());
    type.parse = [&setting, usage = type.usage](WordReader& in) -> sim::Expected<Command> {
        SettingCommand command{&setting};
        ArgumentReader reader(in);
        if (setting.needsArgument || !in.empty()) {
            reader.read(setting.argument, [&] {
                return takeValue(in, setting).map([&](const SettingValue& value) { command.value = value; });
            });
        }
        if (auto error = reader.end(setting.id, usage)) return tl::unexpected(*std::move(error));
        return Command(command);
    };
    return type;
}

}  // namespace whorl::app
