// The numbers in the words of a scene: `{L1.misses}` stands for what the simulation counts over the scene's span, and
// claims are tried against it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/session/player.h"
#include "app/session/tour.h"
#include "app/tours/expression.h"
#include "sim/analysis/line_match.h"
#include "sim/base/error.h"
#include "sim/base/progress.h"
#include "sim/replay/run.h"
#include "sim/report/quantities.h"

namespace whorl::app {

// Words with braces, each around an expression; `{{` is a brace of the text.

/// An error for braces that are not closed or hold no expression with a quantity.
sim::Expected<void> checkBraces(std::string_view words);
/// The text as words without braces of their own.
std::string withoutBraces(std::string_view text);
/// The words with the numbers in place of the braces.
sim::Expected<std::string> filledIn(std::string_view words, const NamedQuantity& named);

/// Visits the texts of a scene that are said, with their keys in its JSON: "words", "question.choices[1]".
using SeeText = std::function<void(const std::string& key, std::string& text)>;
void eachText(TourScene& scene, const SeeText& see);

/// Whether one of the texts has braces.
bool hasBraces(const TourScene& scene);
bool hasBraces(const Question& question);
/// The scene with the numbers that need no run, such as options of its program, and "…" in place of the others, which
/// are not known yet; or with these as they are written.
TourScene withGaps(TourScene scene);
TourScene withExpressions(TourScene scene);
/// The scene of a tour with numbers in place of the names of program options in its expressions and claims, so that
/// traces can stand in for the programs. `resolved`: the same scene, see resolvedScene().
TourScene withoutOptions(TourScene scene, const TourScene& resolved);

// The quantities of a scene, by the run that it shows.

/// The complete runs of a scene; `second`, which stands beside the first, may be null.
struct ShownRuns {
    std::shared_ptr<const sim::Run> first;
    std::string input;  ///< as in OpenRequest
    std::shared_ptr<const sim::Run> second = {};
    std::string secondInput = {};
    std::shared_ptr<const sim::LineMatch> lines = {};  ///< for TimeLock::line; may be null
};

/// The quantities over a scene's span: from its position to where it comes to rest; of a scene that stands still, from
/// the beginning of the trace to its position. An access in motion counts. Measured when they are asked for.
class SceneQuantities {
  public:
    /// `scene`: resolved. All must outlive this.
    SceneQuantities(const TourScene& scene, const ShownRuns& runs, sim::Progress& progress);

    /// "at" and "to", in accesses; a number among the options of the program, "n"; those of sim::Quantities. With
    /// "run." in front, over the whole run; with "with." in front of all, of the run beside it, over what the lock
    /// makes of the span.
    sim::Expected<sim::Quantity> named(std::string_view name);

  private:
    struct Side {
        std::shared_ptr<const sim::Run> run;
        std::string input;
        double at = 0;
        double to = 0;
        bool plays = false;
        std::optional<sim::Quantities> ofSpan = {};
        std::optional<sim::Quantities> ofRun = {};
    };
    sim::Expected<sim::Quantity> named(Side& side, std::string_view name);
    sim::Expected<const sim::Quantities*> measured(const Side& side, std::optional<sim::Quantities>& kept,
                                                   const sim::Range& range);

    sim::Progress& progress_;
    Side first_;
    std::optional<Side> second_;
};

/// A scene whose words have their numbers, and what hindered that.
struct SceneInWords {
    TourScene scene;
    std::vector<sim::Error> errors;  ///< located by the keys of the texts, which then have gaps
};
/// `scene`: resolved. The only error of its own is cancellation.
sim::Expected<SceneInWords> inWords(const TourScene& scene, const ShownRuns& runs, sim::Progress& progress);

}  // namespace whorl::app
