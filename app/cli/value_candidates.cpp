#include "app/cli/value_candidates.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "app/session/view_id.h"
#include "app/system/threads.h"
#include "app/tasks/opening.h"
#include "app/tours/scene_words.h"
#include "app/tours/tour_catalogue.h"
#include "render/scene/cells/cell_metric.h"
#include "sim/base/text.h"
#include "sim/machine/config_schema.h"
#include "sim/programs/program.h"
#include "sim/trace/layout/layout_change.h"

namespace whorl::app {

namespace {

/// Completion must answer within this time.
constexpr std::chrono::milliseconds kMoment{400};

/// Shells leave the ~ of words that they have not run.
std::string fromHome(const std::string& path) {
    const char* const home = std::getenv("HOME");
    return home != nullptr && path.starts_with("~/") ? home + path.substr(1) : path;
}

OpenRequest requestFor(const GivenInput& given) {
    OpenRequest request{.input = fromHome(given.input), .machine = given.machine, .settings = given.settings};
    if (!given.scene.empty()) {
        const auto tour = tourOf(given);
        const auto scene = tour ? sceneNamed(*tour, given.scene) : sim::fail({}, {});
        if (scene) {
            request.input = scene->input;
            if (request.machine.empty()) request.machine = scene->machine;
        }
    }
    request.reading.sources.none = true;
    request.reading.order = sim::AccessOrder::recorded;  // names do not depend on it
    request.reading.format = sim::formatNamed(given.format);
    request.reading.regions = fromHome(given.regions);
    request.reading.chironSources = fromHome(given.chironSources);
    return request;
}

std::shared_ptr<const sim::Trace> readWithin(std::chrono::milliseconds time, const OpenRequest& request) {
    sim::Progress progress;
    const Ticker limit(time, [&] { progress.cancel(); });
    auto trace = traceOf(request, progress);
    return trace ? std::make_shared<const sim::Trace>(*std::move(trace)) : nullptr;
}

/// More names nobody reads.
constexpr std::size_t kMaxNames = 500;

/// A name with a line break in it cannot be passed on.
bool isPrintable(const std::string& name) {
    return !name.empty() && std::none_of(name.begin(), name.end(), [](unsigned char c) { return c < ' '; });
}

/// Names that begin with what is typed, each once, and not too many. The names must outlive it.
class NameList {
  public:
    explicit NameList(std::string_view typed) : typed_(typed) {}

    void add(const std::string& name, const std::string& words = {}) {
        if (list_.size() >= kMaxNames || !name.starts_with(typed_) || !isPrintable(name)) return;
        if (known_.insert(name).second) list_.push_back({name, words});
    }
    std::vector<Candidate> take() && { return std::move(list_); }

  private:
    std::string_view typed_;
    std::set<std::string_view> known_;
    std::vector<Candidate> list_;
};

void addRegions(NameList& list, const sim::Trace& trace) {
    for (const sim::Region& region : trace.regions()) list.add(region.name, sim::bytesInWords(region.size));
}

/// The candidates with what comes before them in the word.
std::vector<Candidate> after(std::string_view before, std::vector<Candidate> list) {
    for (Candidate& candidate : list) candidate.word.insert(0, before);
    return list;
}

/// Removes the words that a list like "A,B" contains.
void removeKnown(std::vector<Candidate>& candidates, std::string_view list) {
    const std::string known = ',' + std::string(list);
    std::erase_if(candidates,
                  [&](const Candidate& candidate) { return known.find(',' + candidate.word + ',') != known.npos; });
}

void append(std::vector<Candidate>& list, std::vector<Candidate> more) {
    list.insert(list.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

/// The keys of a part of a machine, as in "L2.policy=", with the values that they have in the part `of` it.
template <class Object>
std::vector<Candidate> keysOf(const std::string& owner, sim::Fields<Object> fields, const sim::MachineConfig& machine,
                              const std::string& of) {
    std::vector<Candidate> out;
    for (const auto& field : fields) {
        if (sim::hasText(field.key)) continue;
        out.push_back(
            {owner + field.key + '=', fmt::format("now {}", sim::valueIn(machine, of + field.key).value_or(""))});
    }
    return out;
}

template <class Object>
void addWords(std::vector<Candidate>& list, sim::Fields<Object> fields, std::string_view key) {
    const auto* const field = sim::fieldOf(fields, key);
    if (field == nullptr) return;
    for (const std::string& word : field->words) list.push_back({word});
}

/// The values of a key that are words, "L2.policy".
std::vector<Candidate> valuesOf(std::string_view place) {
    const std::size_t dot = place.rfind('.');
    const std::string_view key = dot == std::string_view::npos ? place : place.substr(dot + 1);
    std::vector<Candidate> out;
    addWords(out, sim::machineFields(), key);
    addWords(out, sim::conventionFields(), key);
    if (out.empty()) addWords(out, sim::levelFields(), key);
    if (place == "levels") {
        for (std::size_t n = 0; n <= sim::kMaxLevels; ++n) out.push_back({std::to_string(n)});
    }
    return out;
}

}  // namespace

std::optional<Tour> tourOf(const GivenInput& given) {
    auto tour = tourFrom(fromHome(tourWords(given.input, given.tour)), given.sources);
    return tour ? std::optional(*std::move(tour)) : std::nullopt;
}

std::shared_ptr<const sim::Trace> traceAtOnce(const GivenInput& given) {
    OpenRequest request = requestFor(given);
    std::error_code unknown;
    const bool isBuiltIn = isProgram(request.input);
    if (!isBuiltIn && !std::filesystem::is_regular_file(request.input, unknown)) return nullptr;
    auto trace = readWithin(kMoment, request);
    if (trace || !isBuiltIn) return trace;
    // With its default options, a smaller input, the program's arrays have the same names.
    request.input = request.input.substr(0, request.input.find(':'));
    return readWithin(kMoment, request);
}

sim::MachineConfig machineOrUsual(const GivenInput& given, const sim::Trace* trace) {
    OpenRequest request = requestFor(given);
    if (auto machine = machineOf(request, trace)) return *std::move(machine);
    return sim::loadMachine("default").value_or(sim::MachineConfig{});
}

const sim::Trace* ValueCandidates::trace() {
    if (!trace_) trace_ = traceAtOnce(given_);
    return trace_->get();
}

const sim::MachineConfig& ValueCandidates::machine() {
    // Only the trace knows the machine that a file brings along.
    if (!machine_) machine_ = machineOrUsual(given_, given_.machine.empty() ? trace() : nullptr);
    return *machine_;
}

ValueCandidates::List ValueCandidates::regions(std::string_view typed) {
    NameList out(typed);
    if (trace() == nullptr) return {};
    addRegions(out, *trace());
    return std::move(out).take();
}

ValueCandidates::List ValueCandidates::places(std::string_view typed) {
    NameList out(typed);
    if (trace() == nullptr) return {};
    addRegions(out, *trace());
    for (const sim::Object& object : trace()->objects()) out.add(object.name, object.className);
    return std::move(out).take();
}

/// The variables that have blocks of the heap.
ValueCandidates::List ValueCandidates::variables(std::string_view typed) {
    NameList out(typed);
    if (trace() == nullptr) return {};
    const sim::Owners& owners = trace()->owners();
    for (std::size_t o = 0; o < owners.count(); ++o) {
        if (!owners.objects(o).empty()) out.add(owners.name(o));
    }
    return std::move(out).take();
}

ValueCandidates::List ValueCandidates::classes(std::string_view typed) {
    NameList out(typed);
    if (trace() == nullptr) return {};
    for (const sim::Object& object : trace()->objects()) out.add(object.className);
    return std::move(out).take();
}

ValueCandidates::List ValueCandidates::cpus() {
    const std::uint32_t count = std::max(machine().cpus, trace() == nullptr ? 1 : trace()->cpus());
    List out;
    for (std::uint32_t cpu = 0; cpu < count; ++cpu) out.push_back({fmt::format("{}", cpu)});
    return out;
}

ValueCandidates::List ValueCandidates::levels() {
    List out;
    for (const sim::LevelConfig& level : machine().levels) {
        out.push_back({level.name, fmt::format("{}, {} ways, blocks of {}", sim::formatBytes(level.size), level.ways,
                                               sim::formatBytes(level.block))});
    }
    return out;
}

ValueCandidates::List ValueCandidates::views() {
    List out;
    for (const ViewId& view : viewsOf(machine())) {
        if (!view.isOfPlace()) out.push_back({wordOf(view, machine()), titleOf(view, machine())});
    }
    return out;
}

ValueCandidates::List ValueCandidates::metrics() {
    List out;
    std::set<std::string> known;
    for (std::size_t d = 0; d < scene::kCellDisplays; ++d) {
        for (const scene::CellQuantity& quantity : quantitiesOf(static_cast<scene::CellDisplay>(d), machine())) {
            std::string word = wordOf(quantity, machine());
            if (known.insert(word).second) out.push_back({std::move(word), inWords(quantity, machine())});
        }
    }
    return out;
}

ValueCandidates::List ValueCandidates::machines() {
    List out;
    for (const std::string& name : sim::presetNames()) {
        const auto machine = sim::loadMachine(name);
        out.push_back({name, machine ? sim::geometryOf(*machine) : ""});
    }
    out.push_back({std::string(sim::kHostMachine), "this computer's caches"});
    return out;
}

ValueCandidates::List ValueCandidates::scenes() {
    List out;
    const auto tour = tourOf(given_);
    if (!tour) return out;
    for (std::size_t i = 0; i < tour->scenes.size(); ++i) {
        const TourScene scene = withExpressions(resolvedScene(*tour, i));
        out.push_back({scene.id, scene.title});
    }
    return out;
}

ValueCandidates::List ValueCandidates::settings(std::string_view typed) {
    if (const std::size_t equals = typed.find('='); equals != std::string_view::npos) {
        return after(typed.substr(0, typed.find_last_of("=,") + 1), valuesOf(typed.substr(0, equals)));
    }
    List out;
    const std::size_t dot = typed.rfind('.');
    if (dot == std::string_view::npos) {
        for (const sim::LevelConfig& level : machine().levels) out.push_back({level.name + '.', "a level"});
        append(out, {{"*.", "all levels"}, {"memory.", "bounded memory"}, {"tlb.", "the TLB"}});
        append(out, keysOf("", sim::machineFields(), machine(), ""));
        out.push_back({"levels=", fmt::format("now {}", machine().levels.size())});
        append(out, keysOf("", sim::conventionFields(), machine(), ""));
        return out;
    }
    const std::string owner(typed.substr(0, dot + 1));
    if (owner == "memory.") return keysOf(owner, sim::memoryFields(), machine(), owner);
    if (owner == "tlb.") return keysOf(owner, sim::tlbFields(), machine(), owner);
    for (const sim::LevelConfig& level : machine().levels) {
        const std::string own = level.name + '.';
        if (owner == own || owner == "*.") return keysOf(owner, sim::levelFields(), machine(), own);
    }
    return out;
}

ValueCandidates::List ValueCandidates::conditions(std::string_view typed) {
    const std::size_t equals = typed.find('=');
    if (equals == std::string_view::npos) {
        return {{"cpu=", "of these CPUs"}, {"region=", "to these regions"}, {"file=", "by lines of these files"}};
    }
    const std::string_view kind = typed.substr(0, equals);
    const std::size_t start = typed.find_last_of("=,") + 1;
    List out;
    if (kind == "cpu") out = cpus();
    if (kind == "region") out = regions(typed.substr(start));
    if (trace() != nullptr && kind == "file") {
        for (const sim::SourceFile& file : trace()->files()) {
            out.push_back({std::filesystem::path(file.path).filename().string(), file.path});
        }
    }
    removeKnown(out, typed.substr(equals + 1, start - equals - 1));
    return after(typed.substr(0, start), std::move(out));
}

ValueCandidates::List ValueCandidates::layoutChanges(std::string_view typed) {
    List out;
    const std::size_t colon = typed.find(':');
    if (colon == std::string_view::npos) {
        for (const char* const verb : sim::kChangeVerbs) out.push_back({std::string(verb) + ':'});
        return out;
    }
    const std::string_view verb = typed.substr(0, colon);
    const auto known = std::find(sim::kChangeVerbs.begin(), sim::kChangeVerbs.end(), verb);
    if (known == sim::kChangeVerbs.end()) return out;
    const auto kind = static_cast<sim::LayoutChange::Kind>(known - sim::kChangeVerbs.begin());
    const bool needsBytes = needsNumber(kind);
    const std::string_view rest = typed.substr(colon + 1);
    const auto isSized = [&](const Candidate& c) { return rest.starts_with(c.word + ':'); };
    List names = places(rest.substr(0, rest.find(':')));
    if (relocates(kind)) return after(typed.substr(0, colon + 1), variables(rest));
    if (!rest.starts_with("class:") && !reorders(kind)) names.push_back({"class:", "all instances of a class"});
    if (rest.starts_with("class:")) names = after("class:", classes(rest.substr(6, rest.find(':', 6) - 6)));
    const auto sized = std::find_if(names.begin(), names.end(), isSized);
    if (needsBytes && sized != names.end() && sized->word != "class:") {
        const bool isTile = kind == sim::LayoutChange::Kind::block;
        const std::string number = isTile ? "8" : fmt::format("{}", machine().blockBytes());
        const std::string_view words = isTile ? "rows of a tile" : "bytes of a block";
        return after(typed.substr(0, colon + 1), {{sized->word + ':' + number, std::string(words)}});
    }
    for (Candidate& name : names) {
        if (needsBytes && !name.word.ends_with(':')) name.word += ':';
    }
    return after(typed.substr(0, colon + 1), std::move(names));
}

ValueCandidates::List ValueCandidates::sourceLines(std::string_view typed) {
    List out;
    if (trace() == nullptr) return out;
    std::set<std::string> known;
    for (const sim::Site& site : trace()->sites()) {
        if (site.line == 0 || site.file >= trace()->files().size() || out.size() >= kMaxNames) continue;
        std::string word = std::filesystem::path(trace()->files()[site.file].path).filename().string() + ':';
        if (typed.starts_with(word)) word += fmt::format("{}", site.line);
        if (known.insert(word).second) out.push_back({std::move(word)});
    }
    return out;
}

Candidates ValueCandidates::ofKind(ValueKind kind, std::string_view typed) {
    switch (kind) {
        case ValueKind::text:
        case ValueKind::number:
            return {};
        case ValueKind::input: {
            const std::size_t colon = typed.find(':');
            const bool isSpec = colon != std::string_view::npos && sim::programNamed(typed.substr(0, colon)) != nullptr;
            return {programCandidates(typed), isSpec ? FilesWanted::none : FilesWanted::files};
        }
        case ValueKind::machine:
            return {machines(), FilesWanted::files};
        case ValueKind::setting:
            return {settings(typed)};
        case ValueKind::condition:
            return {conditions(typed)};
        case ValueKind::layoutChange:
            return {layoutChanges(typed)};
        case ValueKind::place:
            return {places(typed)};
        case ValueKind::placeOrCell: {
            List out = places(typed);
            for (const sim::LevelConfig& level : machine().levels) out.push_back({level.name + ':', "SET:WAY"});
            return {std::move(out)};
        }
        case ValueKind::sourceLine:
            return {sourceLines(typed)};
        case ValueKind::level:
            return {levels()};
        case ValueKind::cpu:
            return {cpus()};
        case ValueKind::view:
            return {views()};
        case ValueKind::metric:
            return {metrics()};
        case ValueKind::scene:
            return {scenes()};
        case ValueKind::tour: {
            List out;
            for (const std::string& name : tourNames()) out.push_back({name, "built in"});
            return {std::move(out), FilesWanted::files};
        }
        case ValueKind::command: {
            List out;
            for (const CommandFacts& command : program_.commands) out.push_back({command.name, command.words});
            return {std::move(out)};
        }
        case ValueKind::file:
        case ValueKind::output:
        case ValueKind::argument:
            return {{}, FilesWanted::files};
        case ValueKind::folder:
            return {{}, FilesWanted::folders};
        case ValueKind::program:
            return {{}, FilesWanted::programs};
    }
    return {};
}

Candidates ValueCandidates::of(const OptionFacts& option, std::string_view typed) {
    const std::size_t start = option.hasCommas ? typed.rfind(',') + 1 : 0;
    const std::string_view word = typed.substr(start);
    Candidates found = ofKind(option.kind, word);
    for (const std::string& choice : option.choices) {
        if (choice.ends_with(':') && word.starts_with(choice)) {
            append(found.list, after(choice, ofKind(option.after, word.substr(choice.size())).list));
        } else {
            found.list.push_back({choice});
        }
    }
    removeKnown(found.list, typed.substr(0, start));
    found.list = after(typed.substr(0, start), std::move(found.list));
    std::erase_if(found.list, [&](const Candidate& candidate) { return !candidate.word.starts_with(typed); });
    return found;
}

// --- built-in programs and their options ---

namespace {

/// The options in "n=16,variant=blocked".
std::map<std::string, std::string> optionsIn(std::string_view items) {
    std::map<std::string, std::string> out;
    while (!items.empty()) {
        const std::size_t comma = std::min(items.find(','), items.size());
        const std::string_view item = items.substr(0, comma);
        const std::size_t equals = std::min(item.find('='), item.size());
        out[std::string(item.substr(0, equals))] = item.substr(std::min(equals + 1, item.size()));
        items.remove_prefix(std::min(comma + 1, items.size()));
    }
    return out;
}

/// Whether an option has an effect beside those that are given.
bool hasEffect(const sim::Program& program, const sim::ProgramOption& option,
               const std::map<std::string, std::string>& given) {
    if (option.onlyWith.empty()) return true;
    for (const sim::ProgramOption& other : program.options) {
        const auto found = given.find(other.name);
        if (option.onlyWith == other.name + '=' + (found == given.end() ? other.defaultValue : found->second)) {
            return true;
        }
    }
    return false;
}

}  // namespace

std::vector<Candidate> programCandidates(std::string_view typed) {
    std::vector<Candidate> out;
    const std::size_t colon = typed.find(':');
    if (colon == std::string_view::npos) {
        for (const sim::Program& program : sim::programs()) out.push_back({program.name, program.description});
        return out;
    }
    const sim::Program* const program = sim::programNamed(typed.substr(0, colon));
    if (program == nullptr || program->options.front().isText) return out;
    const std::size_t start = typed.find_last_of(":,") + 1;
    const std::string before(typed.substr(0, start));
    const std::size_t equals = typed.find('=', start);
    const auto given = optionsIn(typed.substr(colon + 1, std::max(start, colon + 2) - colon - 2));
    for (const sim::ProgramOption& option : program->options) {
        const std::string item = before + option.name + '=';
        if (equals == std::string_view::npos) {
            if (!given.contains(option.name) && hasEffect(*program, option, given)) {
                out.push_back({item, option.description});
            }
        } else if (option.name == typed.substr(start, equals - start)) {
            for (const std::string& choice : option.choices) out.push_back({item + choice});
            if (!option.choices.empty()) continue;
            out.push_back({item + option.defaultValue, fmt::format("the default; {} to {}", option.min, option.max)});
        }
    }
    return out;
}

}  // namespace whorl::app
