// A tour as a form: what can be typed and chosen of it and of its scenes. Each row is a key of the tour's JSON
// (app/tours/tour_json.h), whose rules say what is wrong with a value.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/session/tour.h"
#include "sim/base/error.h"

namespace whorl::app {

/// What is typed for a row, or chosen.
enum class FormKind : std::uint8_t {
    text,
    texts,   ///< a list, a line each
    number,  ///< or what else the key takes, as in JSON
    choice,
    program,
    machine,
    settings,  ///< a list of changes of a machine
};

enum class FormPart : std::uint8_t { words, question, time, run, beside, tour };
inline constexpr std::array<std::string_view, 6> kFormParts = {"Words", "Question", "Time", "Run", "Beside it", "Tour"};

struct FormRow {
    FormPart part;
    std::string_view key;  ///< of the scene: "question.text"; of the tour with "tour." in front
    std::string_view label;
    std::string_view means = {};  ///< a sentence on it
    FormKind kind = FormKind::text;

    bool isList() const { return kind == FormKind::texts || kind == FormKind::settings; }
    /// What a scene shows changes with it: the scene, and the one after it, then take nothing from scenes before.
    bool ofRun() const { return part == FormPart::run || part == FormPart::beside || key == "at" || key == "to"; }
    /// Whether the scene begins anew when it changes, so that its author sees what has become of it.
    bool isShownAnew() const { return ofRun() || part == FormPart::question || part == FormPart::time; }
    /// Whether something is offered beside its field.
    bool offers() const { return kind >= FormKind::program || key == "wait"; }
};

std::span<const FormRow> tourForm();
/// The row with that key; the error lists the keys.
sim::Expected<const FormRow*> formRow(std::string_view key);

/// The texts of rows by their keys; empty: the key is not given.
using FormValues = std::map<std::string_view, std::string>;
/// The values of a tour and of its scene with this index, with all that the scene takes from the scenes before.
FormValues valuesOf(const Tour& tour, std::size_t scene);
/// The texts of a row that has several, one a line; empty ones are left out.
std::vector<std::string> linesIn(std::string_view text);
/// Whether a row means something beside these values: a tour that plays nothing has no pace.
bool applies(const FormRow& row, const FormValues& values);

/// The texts that are offered for a choice, or for a number; none for other rows.
std::vector<std::string> choicesOf(const FormRow& row, const FormValues& values);

/// The tour with another text of a row; an empty one leaves the key out. An error as in a tour's file.
sim::Expected<Tour> withField(Tour tour, std::size_t scene, const FormRow& row, const std::string& text);

}  // namespace whorl::app
