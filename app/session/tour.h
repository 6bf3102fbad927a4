// Tours: programs on machines at instructive positions, or playing from there on, each with a text that explains what
// to see. Some are built in; users can write others, as JSON (app/tours/tour_json.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <glm/vec2.hpp>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/session/look.h"
#include "app/session/player.h"
#include "sim/analysis/quiz/grading.h"
#include "sim/base/error.h"
#include "sim/trace/virtual_time.h"

namespace whorl::app {

/// How a scene plays, from its position on.
struct PlayedRange {
    double to = 0;                  ///< a position after that of the scene
    std::optional<double> seconds;  ///< how long it takes
    std::optional<double> pace;     ///< accesses a second, if there are no seconds; neither: see SceneTime
    double rampIn = 0;              ///< seconds in which it comes up to its pace
    double rampOut = 0;             ///< seconds in which it comes to rest
    bool operator==(const PlayedRange&) const = default;
};

/// The part of the rings that a scene shows.
struct SceneCamera {
    float zoom = 1;
    glm::vec2 focus{0};       ///< as in Camera::Sight
    std::string region = {};  ///< the middle of this region's memory, in place of `focus`; empty: none
    bool operator==(const SceneCamera&) const = default;
};

/// What ends a scene.
struct SceneWait {
    enum class For : std::uint8_t {
        click,    ///< the next scene is asked for
        seconds,  ///< some time after its stretch
        loop,     ///< the stretch repeats until the next scene is asked for
    };
    For what = For::click;
    double seconds = 0;
    bool operator==(const SceneWait&) const = default;
};

/// What the audience is asked before a scene plays.
struct Question {
    std::string text;
    std::vector<std::string> choices = {};  ///< empty: the answer is open
    std::string answer = {};                ///< one of them
    std::string why = {};                   ///< told with the answer; may be empty
    /// The question asks what the access at the beginning of the scene does; questionOf() derives choices, answer and
    /// reason from the run.
    std::optional<sim::QuizPart> predicts = {};
    std::string level = {};  ///< the name of the level it then asks about; empty: the nearest
    std::string bits = {};   ///< the address of the access that is predicted, once it is known
    /// For predictions, by choice: the probable misconception behind a wrong choice; empty if it is not known.
    std::vector<std::string> errors = {};

    static constexpr std::size_t kMaxChoices = 9;  ///< each has a key

    bool operator==(const Question&) const = default;
};

/// One position of one run, or a stretch from there on, ready to be shown.
struct TourScene {
    std::string id;     ///< "fig1a": lowercase letters, digits and hyphens
    std::string title;  ///< a few words
    std::string words;  ///< one or two sentences that explain what to see
    /// What holds over its span, such as "L1.misses == 64" (app/tours/expression.h). In title, words, notes and
    /// question, expressions in braces stand for their numbers (app/tours/scene_words.h).
    std::vector<std::string> claims = {};
    /// The input, machine and comparison are those of the scene before, and the views are as that one leaves them. In a
    /// tour that was read they are not repeated here: see resolvedScene().
    bool continues = false;
    std::string input;                       ///< as in OpenRequest
    std::string machine;                     ///< as in OpenRequest; empty: the program's own, or the default
    std::vector<std::string> settings = {};  ///< changes to the machine, as in OpenRequest
    /// The order of the accesses of several CPUs; automatic: as all of the tour is read.
    sim::AccessOrder order = sim::AccessOrder::automatic;
    /// What stands beside it: another input, another machine, as --with and --with-machine have them, or other values
    /// of the machine; empty: the same. Nothing does where all are empty. See secondOf().
    std::string with = {};
    std::string withMachine = {};
    std::vector<std::string> withSettings = {};
    TimeLock lock = TimeLock::access;
    /// Number of accesses that have happened, with a fraction while one is in motion; none: where the scene before
    /// ends if this one continues it, else 0.
    std::optional<double> at = {};

    std::optional<PlayedRange> range = {};  ///< none: it stands still
    std::optional<SceneCamera> camera = {};
    double transition = kTransition;  ///< seconds in which the playhead and the camera come from the scene before
    SceneWait wait = {};

    std::map<std::string_view, SettingValue> fields = {};  ///< settings that have a field in the file, by their ids
    /// Commands in their text form that arrange the views, once the run is open: those of CommandFlags::ofScenes.
    std::vector<std::string> commands = {};

    std::string notes = {};  ///< for the speaker alone
    double planned = 0;      ///< seconds that the speaker plans for it; 0: not planned
    std::optional<Question> question = {};

    static constexpr double kTransition = 1;

    bool isPair() const { return !with.empty() || !withMachine.empty() || !withSettings.empty(); }
    double position() const { return at.value_or(0); }
    /// Where it comes to rest.
    double end() const { return range ? range->to : position(); }
    bool operator==(const TourScene&) const = default;
};

struct Tour {
    std::string title;
    std::string author = {};  ///< may be empty
    std::string source = {};  ///< the source of its claims; may be empty
    std::vector<TourScene> scenes;
    std::string next = {};  ///< what to try after it, a sentence or two; may be empty

    bool operator==(const Tour&) const = default;
};

/// The heading of adviceAfter().
inline constexpr const char* kTryNext = "Try next";
/// What to try after the last scene of a tour: what the tour itself says, else a program of one's own.
std::string adviceAfter(const Tour& tour);

/// The scene with that index, which must exist, with all that it takes from the scenes before: it does not depend on
/// the way on which one comes to it. It continues none.
TourScene resolvedScene(const Tour& tour, std::size_t index);
/// Resolves a scene that continues the one before, so that it stays the same when that changes. Nothing beyond the end.
void standAlone(Tour& tour, std::size_t scene);
/// The index of the scene with that id; the error lists the existing ids.
sim::Expected<std::size_t> sceneIndex(const Tour& tour, const std::string& id);
/// The scene with that id, resolved.
sim::Expected<TourScene> sceneNamed(const Tour& tour, const std::string& id);

}  // namespace whorl::app
