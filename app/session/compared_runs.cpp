#include "app/session/compared_runs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "render/scene/palette.h"
#include "sim/programs/program.h"
#include "sim/report/machine_words.h"
#include "sim/trace/layout/mapped_trace.h"

namespace whorl::app {

namespace {

sim::Tick lockedTick(sim::Tick t, TimeLock lock, const LockedTraces& traces) {
    const double time = lockedTime(static_cast<double>(t.value), lock, traces);
    return sim::Tick{static_cast<std::uint64_t>(std::llround(time))};
}

/// Moves a range to the second trace; none if it is empty there.
void lockRange(std::optional<sim::Range>& range, TimeLock lock, const LockedTraces& traces) {
    if (!range) return;
    range = sim::Range{lockedTick(range->from, lock, traces), lockedTick(range->to, lock, traces)};
    if (range->size() == 0) range.reset();
}

/// The hue of a region of the first trace is that of the region of this name in the second.
std::map<std::size_t, scene::Rgba> huesByName(const Session& session, const sim::Trace& first,
                                              const sim::Trace& second) {
    std::map<std::size_t, scene::Rgba> hues;
    for (std::size_t i = 0; i < second.regions().size(); ++i) {
        const auto& regions = first.regions();
        const auto known = std::find_if(regions.begin(), regions.end(),
                                        [&](const sim::Region& r) { return r.name == second.regions()[i].name; });
        if (known == regions.end()) continue;
        const auto region = static_cast<std::size_t>(known - regions.begin());
        hues[i] = session.opened.regionLooks->hueOf(region, session.ringView.hues, session.ground);
    }
    return hues;
}

/// The words that describe a run, by property; the keys sort in the order of the words in a title.
using Traits = std::map<std::string, std::string>;

/// The input as it was named, without the folders of a file.
std::string inputOf(const OpenRequest& request) {
    return isProgram(request.input) ? nameOfInput(request.input)
                                    : std::filesystem::path(request.input).filename().string();
}

void addInput(Traits& traits, const OpenRequest& request, bool inWords) {
    const auto spec = isProgram(request.input) ? sim::parseProgramSpec(request.input)
                                               : sim::Expected<sim::ProgramSpec>(tl::unexpected(sim::Error{}));
    if (!spec || spec->program->options.front().isText) {
        traits["1"] = inputOf(request);
        return;
    }
    traits["1"] = spec->program->name;
    for (const sim::ProgramOption& option : spec->program->options) {
        const auto given = spec->options.find(option.name);
        const std::string& value = given == spec->options.end() ? option.defaultValue : given->second;
        traits["2" + option.name] = inWords ? sim::optionInWords(option, value) : option.name + "=" + value;
    }
}

/// First character of the trait keys of machine settings; traits are sorted by key.
constexpr char kValue = '4';

/// `inWords`: describe the program's options in words, as in a lecture; else as they are typed.
Traits traitsOf(const Opened& opened, bool inWords) {
    Traits traits;
    addInput(traits, opened.request, inWords);
    traits["3"] = opened.run->machine().name;
    for (const std::string& setting : opened.request.settings) {
        traits[kValue + setting.substr(0, setting.find('='))] = setting;
    }
    return traits;
}

/// Whether the machine's name only lists the size, ways and block size of each level.
bool isGeometry(const sim::MachineConfig& machine) {
    return machine.name == sim::geometryOf(machine);
}

/// Adds to each run the values that another run's settings change; for two machines that are named by their geometry
/// alone, the differing sizes, ways and blocks take the place of the names.
void addValues(std::vector<Traits>& traits, const std::vector<const Opened*>& runs) {
    std::map<std::string, std::string> keys;  // trait keys to names of settings, "L2.ways"
    const sim::MachineConfig& first = runs.front()->run->machine();
    const sim::MachineConfig& last = runs.back()->run->machine();
    if (runs.size() == 2 && isGeometry(first) && isGeometry(last) && first.levels.size() == last.levels.size()) {
        for (Traits& run : traits) run.erase("3");
        for (const sim::LevelConfig& level : first.levels) {
            for (const char* field : {"size", "ways", "block"}) {
                const std::string key = level.name + "." + field;
                keys[kValue + key] = key;
            }
        }
    }
    for (const Opened* run : runs) {
        for (const std::string& setting : run->request.settings) {
            const std::string key = setting.substr(0, setting.find('='));
            keys[kValue + key] = key;
        }
    }
    for (std::size_t i = 0; i < runs.size(); ++i) {
        for (const auto& [trait, key] : keys) {
            const auto value = sim::valueIn(runs[i]->run->machine(), key);
            if (value && !traits[i].contains(trait)) traits[i][trait] = fmt::format("{}={}", key, *value);
        }
    }
}

bool isSaidByAll(const std::vector<Traits>& runs, const std::string& key, const std::string& words) {
    return std::all_of(runs.begin(), runs.end(), [&](const Traits& traits) {
        const auto found = traits.find(key);
        return found != traits.end() && found->second == words;
    });
}

}  // namespace

LockedTraces lockedTraces(const Session& session, const ComparedRun& compared) {
    return {session.opened.run->trace().size(), compared.opened.run->trace().size(), compared.lines.get()};
}

double openRunTime(const Session& session, std::size_t run, double t) {
    if (run == 0 || run > session.compared.size()) return t;
    return unlockedTime(t, session.lock, lockedTraces(session, session.compared[run - 1]));
}

scene::TimeSpan openRunSeen(const Session& session, std::size_t run, const scene::TimeSpan& seen) {
    if (session.lock == TimeLock::access) return seen;
    return {openRunTime(session, run, seen.from), openRunTime(session, run, seen.to)};
}

void movePicks(RunContext& context, const sim::Trace& from, const sim::Trace& to) {
    const auto moved = [&](sim::ByteAddress byte) { return sim::sameByte(from, to, byte); };
    context.viewSettings.movePicks(moved);
    if (const auto byte = context.marked()) context.selected = blockAt(moved(*byte));
    std::ranges::transform(context.watched, context.watched.begin(), moved);
}

RunContext contextOf(const Session& session, std::size_t run) {
    RunContext of = session.context();
    if (run == 0 || run > session.compared.size()) return of;
    const ComparedRun& compared = session.compared[run - 1];
    const LockedTraces traces = lockedTraces(session, compared);
    of.opened = compared.opened;
    of.prediction.reset();  // it asks about the open run
    of.player.seek(lockedTime(session.player.position(), session.lock, traces), of.end());
    lockRange(of.range, session.lock, traces);
    for (auto& [view, choice] : of.viewSettings.cells) lockRange(choice.range, session.lock, traces);
    for (auto& [view, choice] : of.viewSettings.histories) lockRange(choice.range, session.lock, traces);
    if (of.seen && session.lock != TimeLock::access) {
        of.seen = scene::TimeSpan{lockedTime(of.seen->from, session.lock, traces),
                                  lockedTime(of.seen->to, session.lock, traces)};
    }
    const sim::MachineConfig& machine = of.opened.run->machine();
    if (machine != session.opened.run->machine()) of.viewSettings.keepLevels(machine);
    const sim::Trace& trace = session.opened.run->trace();
    if (!trace.sharesAccesses(of.opened.run->trace())) {
        of.viewSettings.carryPicks(trace, of.opened.run->trace());
    } else if (compared.opened.request.changes != session.opened.request.changes) {
        movePicks(of, trace, of.opened.run->trace());
    }
    of.ringView.hues = huesByName(session, trace, of.opened.run->trace());
    if (of.cpu && *of.cpu >= machine.cpus) of.cpu.reset();
    const double pace = lockedPace(session.lock, traces);
    of.lapse = static_cast<std::uint64_t>(std::max(1.0, std::round(static_cast<double>(session.lapseNow()) * pace)));
    return of;
}

std::vector<std::size_t> orderOfRuns(const Session& session) {
    std::vector<std::size_t> order(session.openRuns().size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (const std::size_t was = session.unchangedRun(); was != 0) {
        order.erase(order.begin() + static_cast<std::ptrdiff_t>(was));
        order.insert(order.begin(), was);
    }
    if (session.exchanged && order.size() > 1) std::swap(order[0], order[1]);
    return order;
}

std::vector<std::string> titlesOfRuns(const Session& session) {
    const std::vector<const Opened*> runs = session.openRuns();
    std::vector<Traits> traits;
    traits.reserve(runs.size());
    for (const Opened* run : runs) traits.push_back(traitsOf(*run, runs.size() == 2));
    addValues(traits, runs);
    const std::size_t was = session.unchangedRun();
    std::vector<std::string> titles;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        std::vector<std::string> words;
        for (const auto& [key, trait] : traits[i]) {
            if (isSaidByAll(traits, key, trait)) continue;
            // Two runs get values in words; more, as in a sweep, get the spelling of the option.
            const bool isValue = runs.size() == 2 && key.front() == kValue;
            words.push_back(isValue ? sim::valueInWords(key.substr(1), trait.substr(key.size())) : trait);
        }
        if (was != 0 && (i == 0 || i == was)) words.emplace_back(i == 0 ? "changed" : "as it was");
        titles.push_back(words.empty() ? runs[i]->run->trace().name() : fmt::format("{}", fmt::join(words, ", ")));
    }
    return titles;
}

std::string fullTitleOfRun(const Session& session, std::size_t run) {
    const Opened& of = *session.openRuns()[run];
    std::string title = inputOf(of.request);
    // A geometry shared by all runs does not distinguish their titles.
    const std::vector<const Opened*> runs = session.openRuns();
    const sim::MachineConfig& machine = of.run->machine();
    const bool isOfAll =
        std::all_of(runs.begin(), runs.end(), [&](const Opened* o) { return o->run->machine().name == machine.name; });
    if (!machine.name.empty() && !(isOfAll && isGeometry(machine))) title += " on " + sim::machineCalled(machine.name);
    for (const std::string& setting : of.request.settings) title += ", " + setting;
    std::string differs = titlesOfRuns(session)[run];
    // The rest of the title already names the machine.
    if (const std::string said = machine.name + ", "; differs.starts_with(said)) differs.erase(0, said.size());
    const std::size_t was = session.unchangedRun();
    // Different inputs show their difference in their names.
    const bool isOneInput = runs.size() == 2 && inputOf(runs[0]->request) == inputOf(runs[1]->request);
    if (was == 0 && isOneInput && title.find(differs) == std::string::npos) title = differs + ": " + title;
    if (was != 0 && (run == 0 || run == was)) title += run == 0 ? ", changed" : ", as it was";
    return title;
}

std::string commonTitleOfRuns(const Session& session) {
    const std::vector<const Opened*> runs = session.openRuns();
    const auto common = [&](const auto& wordsOf) {
        const std::string words = wordsOf(*runs.front());
        const bool isOne = std::all_of(runs.begin(), runs.end(), [&](const Opened* o) { return wordsOf(*o) == words; });
        return isOne ? words : std::string();
    };
    std::string input = common([](const Opened& o) { return inputOf(o.request); });
    if (input.empty()) input = common([](const Opened& o) { return traitsOf(o, false).at("1"); });
    const std::string machine = common([](const Opened& o) { return o.run->machine().name; });
    if (input.empty() && machine.empty()) return fmt::format("{} runs", runs.size());
    if (input.empty()) return fmt::format("{} inputs on {}", runs.size(), sim::machineCalled(machine));
    return machine.empty() ? fmt::format("{} on {} machines", input, runs.size())
                           : input + " on " + sim::machineCalled(machine);
}

}  // namespace whorl::app
