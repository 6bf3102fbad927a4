#include "app/tours/tour_form.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "app/tours/tour_json.h"
#include "sim/base/text.h"

namespace whorl::app {

namespace {

using nlohmann::ordered_json;
using Pointer = ordered_json::json_pointer;

constexpr std::string_view kOfTour = "tour.";
constexpr std::string_view kQuestion = "question";
constexpr std::string_view kChoices = "choices";

constexpr std::array<std::string_view, 3> kLocks = {"access", "share", "line"};
constexpr std::array<std::string_view, 3> kWaits = {"click", "loop", "1"};
/// A question with choices, or what a question predicts.
constexpr std::array<std::string_view, 4> kQuestions = {kChoices, "outcome", "set", "victim"};

constexpr auto kForm = std::to_array<FormRow>({
    {"Words", "title", "Title"},
    {"Words", "words", "Words", "a sentence or two on what to see; numbers of the run in braces: {L1.misses}"},
    {"Words", "notes", "Notes, for the speaker alone"},
    {"Words", "claim", "Claims", "what holds while it plays, such as L1.misses == 64; Check tries it", FormKind::texts},
    {"Question", kQuestion, "Asks",
     "choices of your own, or what the first access does: hit or miss, which set, which "
     "block leaves",
     FormKind::choice, FormOffer::choices, kQuestions},
    {"Question", "question.text", "Question"},
    {"Question", "question.level", "Level", "the level that it asks about; empty: the nearest"},
    {"Question", "question.choices", "Choices", {}, FormKind::texts},
    {"Question", "question.answer", "Answer", "one of the choices", FormKind::choice, FormOffer::choices},
    {"Question", "question.why", "Why", "said with the answer"},
    {"Beside it",
     "with",
     "Program or file",
     "another program, pattern or trace; empty: the same",
     FormKind::text,
     FormOffer::programs,
     {},
     {},
     true},
    {"Beside it",
     "with_machine",
     "Machine",
     "another machine; empty: the same",
     FormKind::text,
     FormOffer::machines,
     {},
     {},
     true},
    {"Beside it",
     "with_settings",
     "Values of its machine",
     "such as L1.write=back: they replace those of the first",
     FormKind::texts,
     FormOffer::values,
     {},
     {},
     true},
    {"Beside it",
     "lock",
     "Together by",
     "the same number of accesses, the same share of them, or the same line",
     FormKind::choice,
     FormOffer::choices,
     kLocks,
     {},
     true},
    {"Time", "at", "From access", {}, FormKind::number, FormOffer::nothing, {}, {}, true},
    {"Time", "to", "To access", "empty: it stands still", FormKind::number, FormOffer::nothing, {}, {}, true},
    {"Time", "seconds", "In seconds", {}, FormKind::number, FormOffer::nothing, {}, "pace"},
    {"Time", "pace", "Or accesses a second", {}, FormKind::number, FormOffer::nothing, {}, "seconds"},
    {"Time", "ramp", "Comes up to pace in seconds", "and to rest: 0.5, or [0.5, 1]", FormKind::number},
    {"Time", "transition", "Comes from the step before in seconds", {}, FormKind::number},
    {"Time", "wait", "Goes on after", "a click, or these seconds; loop: it repeats until a click", FormKind::number,
     FormOffer::choices, kWaits},
    {"Time", "plan", "Planned, in seconds", "the speaker's window tells how far behind you are", FormKind::number},
    {"Run",
     "input",
     "Program or file",
     "a program with its options, a pattern, or a trace",
     FormKind::text,
     FormOffer::programs,
     {},
     {},
     true},
    {"Run", "machine", "Machine", "empty: the program's own", FormKind::text, FormOffer::machines, {}, {}, true},
    {"Run",
     "settings",
     "Values of the machine",
     "such as L1.write=through",
     FormKind::texts,
     FormOffer::values,
     {},
     {},
     true},
    {"Run", "id", "Id", "whorl --scene ID opens it"},
    {"Tour", "tour.title", "Title"},
    {"Tour", "tour.author", "Author"},
    {"Tour", "tour.source", "Source of what it says"},
});

/// "/question/text" in the JSON of a scene.
Pointer pointerTo(std::string_view key) {
    std::string path(key.starts_with(kOfTour) ? key.substr(kOfTour.size()) : key);
    std::replace(path.begin(), path.end(), '.', '/');
    return Pointer("/" + path);
}

ordered_json jsonOf(const Tour& tour) {
    return ordered_json::parse(tourText(tour));
}

std::string inText(const ordered_json& value) {
    if (value.is_null()) return {};
    if (value.is_string()) return value.get<std::string>();
    if (!value.is_array() || value.empty() || !value.front().is_string()) return value.dump();
    std::string lines;
    for (const auto& line : value) lines += (lines.empty() ? "" : "\n") + line.get<std::string>();
    return lines;
}

/// Null where nothing is typed.
ordered_json inJson(const FormRow& row, const std::string& text) {
    const std::string typed(sim::trimmed(text));
    if (typed.empty()) return nullptr;
    if (row.kind == FormKind::texts) return linesIn(text);
    if (row.kind == FormKind::number) {
        auto number = ordered_json::parse(typed, nullptr, false);
        if (number.is_number() || number.is_array()) return number;
    }
    return typed;
}

/// The kind of question, from a question.
std::string kindOf(const ordered_json& question) {
    if (question.is_null()) return {};
    return question.contains("predict") ? question["predict"].get<std::string>() : std::string(kChoices);
}

/// A question of a kind that can be asked as it is.
ordered_json questionOf(const std::string& kind) {
    if (kind.empty()) return nullptr;
    if (kind != kChoices) return {{"predict", kind}};
    return {{"text", "Hit or miss?"}, {"choices", {"hit", "miss"}}, {"answer", "hit"}};
}

/// The answer stays one of the choices, whose texts have changed.
void keepAnswer(ordered_json& question, const ordered_json& before) {
    const auto& choices = question["choices"];
    auto& answer = question["answer"];
    if (!choices.is_array() || std::find(choices.begin(), choices.end(), answer) != choices.end()) return;
    const auto old = std::find(before.begin(), before.end(), answer);
    const auto index = static_cast<std::size_t>(old - before.begin());
    answer = choices[index < choices.size() ? index : 0];
}

void setIn(ordered_json& object, const FormRow& row, const std::string& text) {
    if (!row.replaces.empty() && !text.empty()) object.erase(std::string(row.replaces));
    const Pointer at = pointerTo(row.key);
    const ordered_json value = row.key == kQuestion ? questionOf(text) : inJson(row, text);
    const ordered_json before = object.value(at, ordered_json());
    if (!value.is_null()) {
        object[at] = value;
    } else if (auto& parent = object[at.parent_pointer()]; parent.is_object()) {
        parent.erase(at.back());
    }
    if (row.key == "question.choices" && value.is_array()) keepAnswer(object["question"], before);
    // Without a stretch there is nothing to be said about it.
    if (row.key != "to" || !value.is_null()) return;
    for (const char* key : {"seconds", "pace", "ramp"}) object.erase(key);
    if (object.value("wait", ordered_json()) == "loop") object.erase("wait");
}

}  // namespace

std::vector<std::string> linesIn(std::string_view text) {
    std::vector<std::string> lines;
    for (std::size_t from = 0; from < text.size();) {
        const std::size_t end = std::min(text.find('\n', from), text.size());
        if (const auto line = sim::trimmed(text.substr(from, end - from)); !line.empty()) lines.emplace_back(line);
        from = end + 1;
    }
    return lines;
}

std::span<const FormRow> tourForm() {
    return kForm;
}

sim::Expected<const FormRow*> formRow(std::string_view key) {
    const auto* const row = std::find_if(kForm.begin(), kForm.end(), [&](const FormRow& r) { return r.key == key; });
    if (row != kForm.end()) return row;
    std::vector<std::string> keys;
    for (const FormRow& known : kForm) keys.emplace_back(known.key);
    return sim::fail("", "no field of a tour is called " + sim::quotedText(key),
                     sim::didYouMean(std::string(key), keys) + "the fields are " + sim::joinNames(keys));
}

FormValues valuesOf(const Tour& tour, std::size_t scene) {
    Tour shown = tour;
    shown.scenes = {resolvedScene(tour, scene)};
    const ordered_json all = jsonOf(shown);
    const ordered_json& one = all["scenes"][0];
    FormValues values;
    for (const FormRow& row : kForm) {
        const ordered_json value = (row.key.starts_with(kOfTour) ? all : one).value(pointerTo(row.key), ordered_json());
        values[row.key] = row.key == kQuestion ? kindOf(value) : inText(value);
    }
    return values;
}

bool applies(const FormRow& row, const FormValues& values) {
    const auto has = [&](std::string_view key) { return !values.at(key).empty(); };
    const std::string& asks = values.at(kQuestion);
    if (row.key == "seconds" || row.key == "pace" || row.key == "ramp") return has("to");
    if (row.key == "lock") return has("with") || has("with_machine") || has("with_settings");
    if (row.key == "question.level") return has(kQuestion) && asks != kChoices;
    if (row.key == "question.choices" || row.key == "question.answer") return asks == kChoices;
    return row.key == kQuestion || !row.key.starts_with(kQuestion) || has(kQuestion);
}

void standAlone(Tour& tour, std::size_t scene) {
    if (scene < tour.scenes.size() && tour.scenes[scene].continues) tour.scenes[scene] = resolvedScene(tour, scene);
}

sim::Expected<Tour> withField(Tour tour, std::size_t scene, const FormRow& row, const std::string& text) {
    if (row.ofRun) {
        standAlone(tour, scene + 1);
        standAlone(tour, scene);
    }
    ordered_json all = jsonOf(tour);
    setIn(row.key.starts_with(kOfTour) ? all : all["scenes"][scene], row, text);
    return parseTour(all.dump(), "");
}

}  // namespace whorl::app
