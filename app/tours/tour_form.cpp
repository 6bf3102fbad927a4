#include "app/tours/tour_form.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "app/tours/tour_json.h"
#include "sim/base/json_rows.h"
#include "sim/base/text.h"

namespace whorl::app {

namespace {

using nlohmann::ordered_json;
using Pointer = ordered_json::json_pointer;

constexpr std::string_view kOfTour = "tour.";
constexpr std::string_view kQuestion = "question";
constexpr std::string_view kChoices = "choices";

constexpr FormKind kTexts = FormKind::texts;
constexpr FormKind kNumber = FormKind::number;
constexpr FormKind kChoice = FormKind::choice;
constexpr auto kForm = std::to_array<FormRow>({
    {FormPart::words, "title", "Title"},
    {FormPart::words, "words", "Words", "a sentence or two on what to see; numbers of the run in braces: {L1.misses}"},
    {FormPart::words, "notes", "Notes, for the speaker alone"},
    {FormPart::words, "claim", "Claims", "what holds while it plays, such as L1.misses == 64; Check tries it", kTexts},
    {FormPart::question, kQuestion, "Asks", "choices of your own, or to predict what the first access does", kChoice},
    {FormPart::question, "question.text", "Question"},
    {FormPart::question, "question.level", "Level", "the level that it asks about; empty: the nearest"},
    {FormPart::question, "question.choices", "Choices", {}, kTexts},
    {FormPart::question, "question.answer", "Answer", "one of the choices", kChoice},
    {FormPart::question, "question.why", "Why", "said with the answer"},
    {FormPart::time, "at", "From access", {}, kNumber},
    {FormPart::time, "to", "To access", "empty: it stands still", kNumber},
    {FormPart::time, "seconds", "In seconds", "empty: as its pace says", kNumber},
    {FormPart::time, "pace", "Accesses a second", "empty: 8, or as much faster as 20 seconds need", kNumber},
    {FormPart::time, "ramp", "Ramp, seconds", "in which it comes up to its pace, and to rest: 0.5, or [0.5, 1]",
     kNumber},
    {FormPart::time, "transition", "Transition, seconds", "in which it comes from the step before; empty: 1", kNumber},
    {FormPart::time, "wait", "Goes on after", "click, seconds, or loop: it repeats until a click; empty: click",
     kNumber},
    {FormPart::time, "plan", "Planned, seconds", "the speaker's window tells how far behind you are", kNumber},
    {FormPart::run, "input", "Program or file", "empty: the step goes on from the one before", FormKind::program},
    {FormPart::run, "machine", "Machine", "empty: the program's own", FormKind::machine},
    {FormPart::run, "settings", "Values of the machine", "such as L1.write=through", FormKind::settings},
    {FormPart::run, "id", "Id", "whorl --scene ID opens it"},
    {FormPart::beside, "with", "Program or file", "empty: the same", FormKind::program},
    {FormPart::beside, "with_machine", "Machine", "empty: the same", FormKind::machine},
    {FormPart::beside, "with_settings", "Values of its machine", "they replace those of the first", FormKind::settings},
    {FormPart::beside, "lock", "Together by", "as many accesses, the same share of them, or the same line", kChoice},
    {FormPart::tour, "tour.title", "Title"},
    {FormPart::tour, "tour.author", "Author"},
    {FormPart::tour, "tour.source", "Source of what it says"},
    {FormPart::tour, "tour.next", "What to try next", "said after the last step"},
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
    if (row.isList()) return linesIn(text);
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
    // A stretch has one of them.
    if (row.key == "pace" && !text.empty()) object.erase("seconds");
    if (row.key == "seconds" && !text.empty()) object.erase("pace");
    const Pointer at = pointerTo(row.key);
    const ordered_json value = row.key == kQuestion ? questionOf(text) : inJson(row, text);
    const ordered_json before = object.value(at, ordered_json());
    if (!value.is_null()) {
        object[at] = value;
    } else if (object.contains(at)) {
        object[at.parent_pointer()].erase(at.back());
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
    keys.reserve(kForm.size());
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

std::vector<std::string> choicesOf(const FormRow& row, const FormValues& values) {
    if (row.key == kQuestion) return {std::string(kChoices), "outcome", "set", "victim"};
    if (row.key == "question.answer") return linesIn(values.at("question.choices"));
    if (row.key == "lock") return {"access", "share", "line"};
    if (row.key == "wait") return {"click", "loop", "1"};
    return {};
}

sim::Expected<Tour> withField(Tour tour, std::size_t scene, const FormRow& row, const std::string& text) {
    if (row.ofRun()) {
        standAlone(tour, scene + 1);
        standAlone(tour, scene);
    }
    ordered_json all = jsonOf(tour);
    setIn(row.key.starts_with(kOfTour) ? all : all["scenes"][scene], row, text);
    return parseTour(all.dump(), "");
}

}  // namespace whorl::app
