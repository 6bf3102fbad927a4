#include "app/commands/moment.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "app/session/position.h"
#include "app/session/settings.h"
#include "app/session/words.h"
#include "render/scene/palette.h"
#include "sim/machine/machine_config.h"

namespace whorl::app {

namespace {

using What = sim::GaugeSettings::What;

class OptionLine {
  public:
    explicit OptionLine(std::string begin) : text_(std::move(begin)) {}

    void word(std::string_view word) { text_ += " " + shellWord(word); }
    void option(std::string_view name, std::string_view value) {
        text_ += fmt::format(" {}", name);
        word(value);
    }
    void flag(std::string_view name, bool on) {
        if (on) text_ += fmt::format(" {}", name);
    }
    std::string text() && { return std::move(text_); }

  private:
    std::string text_;
};

void addReading(OptionLine& line, const sim::ReadOptions& reading, std::vector<std::string>& missing) {
    for (const std::string& name : sim::formatNames()) {
        if (reading.format && sim::formatNamed(name) == reading.format) line.option("--format", name);
    }
    if (reading.columns) {
        const sim::TableColumns& table = *reading.columns;
        line.option("--columns", sim::namesOf(table.kinds));
        line.flag("--hex", table.hex);
        if (table.skipped > 0) line.option("--skip", std::to_string(table.skipped));
        if (table.unit != 1) line.option("--unit", std::to_string(table.unit));
        for (const std::string& word : table.reads) line.option("--reads", word);
        for (const std::string& word : table.writes) line.option("--writes", word);
    }
    if (reading.ignoresSizes) line.option("--sizes", "ignored");
    if (!reading.chironSources.empty()) line.option("--chiron-sources", reading.chironSources);
    if (!reading.regions.empty()) line.option("--regions", reading.regions);
    for (const std::string& folder : reading.sources.folders) line.option("--sources", folder);
    line.flag("--no-sources", reading.sources.none);
    line.flag("--lenient", reading.lenient);
    line.flag("--instructions", reading.instructions);
    if (reading.order != sim::AccessOrder::automatic) line.option("--interleaving", wordOf(reading.order));
    if (!reading.only.wantsAll() || reading.only.unwanted != sim::Unwanted::drop)
        missing.emplace_back("which accesses were selected");
    if (reading.naming) missing.emplace_back("the executable that names come from");
}

void addInput(OptionLine& line, const OpenRequest& request, std::vector<std::string>& missing) {
    line.word(request.input);
    if (!request.machine.empty()) line.option("--machine", request.machine);
    for (const std::string& setting : request.settings) line.option("--set", setting);
    for (const sim::LayoutChange& change : request.changes) line.option("--map", sim::asText(change));
    addReading(line, request.reading, missing);
}

/// "temperature@200", "misses@run", "region:A", "kind:conflict".
std::string wordsOf(const sim::GaugeSettings& gauge, const sim::Trace& trace) {
    std::string words(wordOf(gauge.what));
    if (gauge.what == What::regionShare && gauge.region < trace.regions().size()) {
        words += ":" + trace.regions()[gauge.region].name;
    }
    if (gauge.what == What::missKind) words += ":" + std::string(wordOf(gauge.kind));
    if (gauge.isOfSpan()) return fmt::format("{}@{}", words, wordOf(gauge.over));
    return fmt::format("{}@{}", words, gauge.window);
}

/// Adds the settings that differ from the defaults.
void addSettings(OptionLine& line, const Session& session, std::vector<std::string>& missing) {
    Look shown = session.look();
    // Fast playback is a time-lapse, too.
    if (session.lapseNow() > 1) shown.lapse = session.lapseNow();
    shown.panels = newSession().panels;  // the command line draws the picture without panels
    for (const Setting& setting : settings()) {
        const SettingOption& option = setting.option;
        const SettingValue value = setting.value.get(shown);
        if (value == setting.value.get(newSession())) continue;
        if (option.flag ? value == *option.flag : std::holds_alternative<bool>(value) && !option.name.empty()) {
            line.flag(option.name, true);
        } else if (!option.name.empty() && !option.flag) {
            line.option(option.name, argumentOf(setting, value));
        } else if (!setting.unsaid.empty()) {
            missing.emplace_back(setting.unsaid);
        }
    }
}

void addRings(OptionLine& line, const Session& s, std::vector<std::string>& missing) {
    const sim::GaugeSettings& gauge = s.ringView.gauge;
    const sim::GaugeSettings& usual = newSession().ringView.gauge;
    if (s.cpu) line.option("--cpu", std::to_string(*s.cpu));
    if (gauge != usual) line.option("--disk", wordsOf(gauge, s.opened.run->trace()));
    if (gauge.scores != usual.scores) missing.emplace_back("the scores of the temperature");
    const Camera::Sight& sight = s.camera.target();
    if (sight.zoom != 1) line.option("--zoom", fmt::format("{}", sight.zoom));
    if (sight.focus != glm::vec2{0, 0}) line.option("--focus", fmt::format("{},{}", sight.focus.x, sight.focus.y));
    if (s.sceneTextOpacity() > 0) missing.emplace_back("the words of the scene");
    if (!s.ringView.hues.empty()) missing.emplace_back("the colours chosen for regions");
    if (!scene::chosenColours(s.ground).empty()) missing.emplace_back("the colours chosen by hand");
    if (s.selected) missing.emplace_back("the selection");
    if (!s.watched.empty()) missing.emplace_back("the watched blocks");
}

void addViews(OptionLine& line, const Session& s, std::vector<std::string>& missing) {
    const ViewSettings& settings = s.viewSettings;
    const sim::MachineConfig& machine = s.opened.run->machine();
    std::string names;
    bool isRings = true;
    for (const ViewId& view : settings.shown) {
        isRings = isRings && view.kind == ViewId::Kind::rings;
        if (view.isOfPlace()) {
            missing.push_back(fmt::format("a {}", kindOf(view).button));
            continue;
        }
        names += (names.empty() ? "" : ",") + wordOf(view, machine);
        const auto array = settings.arrays.find(view.withoutRun());
        if (view.kind == ViewId::Kind::array && array != settings.arrays.end()) names += ':' + array->second;
    }
    if (!isRings && !names.empty()) line.option("--view", names);
    if (!isRings) missing.emplace_back("settings of views other than the rings");
    if (settings.tiling(s.pictureSize).arrangement) missing.emplace_back("the places of the views");
    if (settings.hasPicks()) missing.emplace_back("the picks");
    if (s.range) line.option("--range", fmt::format("{}-{}", s.range->from.value, s.range->to.value));
    if (!s.compared.empty()) missing.emplace_back("the compared runs");
}

/// Whether a field in a scene's file can express this value of a setting: a number, or a flag for the value that the
/// setting's option chooses in place of the default.
bool isField(const Setting& setting, const SettingValue& value) {
    return !setting.field.empty() && value.index() != 0 && (!setting.option.flag || value == *setting.option.flag);
}

/// Adds the settings that are not as a scene begins, as fields where the file has some, else as commands.
void addSettings(TourScene& scene, const Session& session) {
    Look usual = newSession().look();
    usual.ground = session.presentation ? session.presentation->before->ground : session.ground;
    for (const Setting& setting : settings()) {
        const SettingValue now = setting.value.get(session);
        if (now == setting.value.get(usual)) continue;
        if (isField(setting, now)) {
            scene.fields[setting.id] = now;
        } else if (setting.ofScenes) {
            scene.commands.push_back(textOf(setting, now));
        }
    }
    const sim::TemperatureScores& scores = session.ringView.gauge.scores;
    if (scores != usual.ringView.gauge.scores) {
        scene.commands.push_back(textOf(command::GaugeScores{scores.nearestMiss, scores.miss, scores.hit}));
    }
    for (const auto& [region, colour] : session.ringView.hues) {
        scene.commands.push_back(textOf(command::RegionColour{static_cast<std::uint32_t>(region), colour}));
    }
    const scene::Ground before = session.presentation ? usual.ground : scene::plain(session.ground);
    for (const scene::ChosenColour& chosen : scene::chosenColours(session.ground)) {
        if (scene::roleColour(before, chosen.role) == chosen.colour) continue;
        scene.commands.push_back(textOf(command::Colour{{chosen.role}, chosen.colour}));
    }
    if (session.cpu) scene.commands.push_back(textOf(command::Cpu{session.cpu}));
}

/// The machine of the run beside the open one: by values that differ where these are all, else by its name.
void setSecondMachine(const Session& session, TourScene& scene) {
    const Opened& second = session.compared.front().opened;
    scene.withSettings = second.request.settings;
    sim::Expected<sim::MachineConfig> changed = session.opened.run->machine();
    for (const std::string& setting : scene.withSettings) {
        if (changed) changed = sim::withValue(*std::move(changed), setting);
    }
    if (changed && *changed == second.run->machine()) return;
    // A machine that nobody has named is known by its caches.
    scene.withMachine =
        second.request.machine.empty() ? sim::geometryOf(second.run->machine()) : second.request.machine;
}

/// The commands that show the views which are shown, as they are.
std::vector<std::string> viewsOf(const Session& session) {
    std::vector<std::string> out;
    const std::vector<ViewId>& shown = session.viewSettings.shown;
    const Tiling tiling = session.viewSettings.tiling(session.pictureSize);
    if (tiling.arrangement && session.viewSettings.aside.empty()) {
        out.push_back(textOf(command::Arrange{tiling}));
    } else if (shown != std::vector<ViewId>{ViewId{}}) {
        for (std::size_t i = 0; i < shown.size(); ++i) {
            out.push_back(i == 0 ? textOf(command::ViewOnly{shown[i]}) : textOf(command::View{shown[i]}));
        }
    }
    for (std::string& text : cellsAsCommands(session)) out.push_back(std::move(text));
    if (session.range) {
        out.push_back(textOf(command::Range{static_cast<double>(session.range->from.value),
                                            static_cast<double>(session.range->to.value)}));
    }
    for (const sim::ByteAddress byte : session.watched) out.push_back(textOf(command::Watch{byte}));
    if (const auto marked = session.marked()) out.push_back(textOf(command::Select{*marked}));
    return out;
}

}  // namespace

std::string shellWord(std::string_view word) {
    const auto isPlain = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
               std::string_view("_-./:=,@%+").find(c) != std::string_view::npos;
    };
    if (!word.empty() && std::all_of(word.begin(), word.end(), isPlain)) return std::string(word);
    std::string quoted = "'";
    for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

std::string pictureNameOf(const Session& session) {
    std::string name = std::filesystem::path(session.opened.request.input).filename().string();
    name = name.substr(0, name.find_first_of(":."));
    return !name.empty() && name.front() != '-' ? name : "moment";
}

MomentCommand momentCommandOf(const Session& s, glm::ivec2 size) {
    MomentCommand moment;
    OptionLine line("whorl frame");
    addInput(line, s.opened.request, moment.missing);
    line.option("--at", Position(s.player.position()).text());
    line.option("--size", fmt::format("{}x{}", size.x, size.y));
    if (s.player.playing()) line.option("--speed", fmt::format("{}", s.player.pace()));
    addSettings(line, s, moment.missing);
    addRings(line, s, moment.missing);
    addViews(line, s, moment.missing);
    line.option("-o", pictureNameOf(s) + ".png");
    moment.text = std::move(line).text();
    return moment;
}

TourScene momentOf(const Session& session) {
    const OpenRequest& request = session.opened.request;
    TourScene scene{.input = request.input,
                    .machine = request.machine,
                    .settings = request.settings,
                    .order = request.reading.order};
    if (!session.compared.empty() && !session.compared.front().unchanged) {
        const OpenRequest& second = session.compared.front().opened.request;
        if (second.input != request.input) scene.with = second.input;
        if (second.machine != request.machine || second.settings != request.settings) setSecondMachine(session, scene);
        if (scene.isPair()) scene.lock = session.lock;
    }
    scene.at = std::round(session.player.position() * 100) / 100;
    const Camera::Sight& sight = session.camera.target();
    if (sight.zoom > 1) scene.camera = SceneCamera{.zoom = sight.zoom, .focus = sight.focus};
    scene.commands = viewsOf(session);
    addSettings(scene, session);
    return scene;
}

}  // namespace whorl::app
