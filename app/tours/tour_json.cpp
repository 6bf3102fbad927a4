#include "app/tours/tour_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <utility>

#include "app/session/camera.h"
#include "app/session/opened.h"
#include "app/session/registry.h"
#include "app/session/settings.h"
#include "app/session/words.h"
#include "app/tours/json_fields.h"
#include "app/tours/tour_folders.h"
#include "render/scene/rings/view.h"
#include "sim/base/json_text.h"
#include "sim/base/text.h"
#include "sim/machine/machine_config.h"
#include "sim/machine/validation.h"
#include "sim/programs/program.h"

namespace whorl::app {

namespace {

using nlohmann::json;

constexpr std::uint32_t kMostAccesses = 100'000'000;  ///< for trails and frames; the views have their own limits
constexpr double kMostSeconds = 3600;                 ///< of a stretch, or a wait
constexpr double kMostTransition = 60;
constexpr double kMostPace = 1e9;  ///< accesses a second
constexpr double kMostPosition = 9007199254740992.0;

const std::vector<std::string> kTourKeys = {"title", "source", "scenes"};
const std::vector<std::string>& sceneKeys() {
    static const std::vector<std::string> kKeys = [] {
        std::vector<std::string> keys = {"id",   "title",        "words",  "input", "machine",   "settings",
                                         "with", "with_machine", "lock",   "at",    "to",        "seconds",
                                         "pace", "ramp",         "camera", "wait",  "transition"};
        for (const Setting& setting : settings()) {
            if (!setting.field.empty()) keys.emplace_back(setting.field);
        }
        keys.insert(keys.end(), {"commands", "notes", "plan", "question"});
        return keys;
    }();
    return kKeys;
}
const std::vector<std::string> kCameraKeys = {"zoom", "focus", "region"};
const std::vector<std::string> kQuestionKeys = {"text", "choices", "answer", "why", "predict", "level"};

/// Reads scenes, one after the other: some take from the scene before.
class SceneReader {
  public:
    SceneReader(JsonFields& fields, const TourFolders* folders) : fields_(fields), folders_(folders) {}

    void read(const json& value, Tour& tour) {
        path_ = fmt::format("scenes[{}]", tour.scenes.size());
        TourScene& scene = tour.scenes.emplace_back();
        if (!fields_.isObject(value, path_, "a scene",
                              R"({"id": "start", "title": "…", "words": "…", "input": "matmul"})")) {
            return;
        }
        fields_.checkKeys(value, path_, sceneKeys());
        readWhat(value, tour);
        readSecond(value, scene);
        readTime(value, scene);
        readCamera(value, scene);
        readWait(value, scene);
        for (const Setting& setting : settings()) {
            if (!setting.field.empty()) readField(value, setting, scene);
        }
        readCommands(value, scene.commands);
        fields_.text(value, path_, "notes", scene.notes);
        fields_.number(value, path_, "plan", JsonFields::seconds(0, 24 * 3600), scene.planned);
        readQuestion(value, scene);
        end_ = scene.stretch ? scene.stretch->to : from(scene);
    }

  private:
    /// Where the scene begins.
    double from(const TourScene& scene) const { return scene.at.value_or(scene.continues ? end_ : 0); }

    void readWhat(const json& value, Tour& tour) {
        TourScene& scene = tour.scenes.back();
        if (needed(value, "id", scene.id)) checkId(tour);
        // The first scene has none before it.
        scene.continues = tour.scenes.size() > 1 && !value.contains("input");
        readText(value, "title", scene.continues, scene.title);
        readText(value, "words", scene.continues, scene.words);
        if (!scene.continues && needed(value, "input", scene.input)) checkInput("input", scene.input);
        if (fields_.text(value, path_, "machine", scene.machine)) checkMachine("machine", scene.machine);
        readSettings(value, scene);
    }

    /// Checked where the machine is known: else it is the program's own, and whoever opens it says what is wrong.
    void readSettings(const json& value, TourScene& scene) {
        const auto settings = value.find("settings");
        if (settings == value.end()) return;
        const bool isList = settings->is_array() && std::all_of(settings->begin(), settings->end(),
                                                                [](const json& v) { return v.is_string(); });
        if (!isList) {
            fault("settings", shownValue(*settings) + " is not a list of texts",
                  R"(give changes of the machine as --set has them, such as ["L1.policy=fifo"])");
            return;
        }
        scene.settings = settings->get<std::vector<std::string>>();
        if (scene.machine.empty()) return;
        auto machine = sim::loadMachine(scene.machine);
        for (const std::string& setting : scene.settings) {
            if (!machine) return;
            machine = sim::withValue(*machine, setting);
            if (!machine) fault("settings", machine.error().sentence(), "");
        }
    }

    void readText(const json& value, const char* key, bool mayLack, std::string& into) {
        if (mayLack) {
            fields_.text(value, path_, key, into);
        } else {
            needed(value, key, into);
        }
    }

    /// A text that must be there.
    bool needed(const json& value, const char* key, std::string& into) {
        if (!value.contains(key)) {
            fields_.fault(sim::jsonPath(path_, key), "is missing", "a scene has an id, a title, words and an input");
        }
        return fields_.text(value, path_, key, into, "write something");
    }

    /// What stands beside it.
    void readSecond(const json& value, TourScene& scene) {
        if (fields_.text(value, path_, "with", scene.with)) checkInput("with", scene.with);
        if (fields_.text(value, path_, "with_machine", scene.withMachine)) {
            checkMachine("with_machine", scene.withMachine);
        }
        if (scene.isPair()) isPair_ = true;
        if (!scene.continues) isPair_ = scene.isPair();
        const bool sameInput = scene.with.empty() || scene.with == scene.input;
        // Settings are those of the first machine alone, if the second is named.
        const bool sameMachine =
            scene.withMachine.empty() || (scene.withMachine == scene.machine && scene.settings.empty());
        if (scene.isPair() && !scene.continues && sameInput && sameMachine) {
            fields_.fault(sim::jsonPath(path_, scene.with.empty() ? "with_machine" : "with"),
                          "the scene would be compared with itself",
                          "name another input, or another machine in with_machine");
        }
        std::string lock;
        if (!fields_.text(value, path_, "lock", lock)) return;
        const auto known = valueNamed<TimeLock>(lock);
        if (!known) {
            fault("lock", sim::quotedText(lock) + " is not a lock", "use access, share or line");
        } else if (!isPair_) {
            fault("lock", "there is nothing to lock it with", "add with or with_machine");
        } else {
            scene.lock = *known;
        }
    }

    /// Its position, and how it plays from there.
    void readTime(const json& value, TourScene& scene) {
        const JsonFields::Number position = {.least = 0,
                                             .most = kMostPosition,
                                             .what = "a number of accesses",
                                             .hint = "give the number of accesses before it; it may have a fraction"};
        double at = 0;
        if (fields_.number(value, path_, "at", position, at)) scene.at = at;
        Stretch stretch;
        const bool plays = value.contains("to");
        const bool isNumber = fields_.number(value, path_, "to", position, stretch.to);
        if (isNumber && stretch.to <= from(scene)) {
            fault("to", fmt::format("{:g} is not after {:g}, where the scene begins", stretch.to, from(scene)),
                  "give a later position, or begin earlier with at");
        }
        for (const char* key : {"seconds", "pace", "ramp"}) {
            if (!plays && value.contains(key))
                fault(key, "there is nothing to play", "say with to where the scene ends");
        }
        readPace(value, stretch);
        readRamp(value, stretch);
        if (isNumber) scene.stretch = stretch;
    }

    void readPace(const json& value, Stretch& stretch) {
        double given = 0;
        if (fields_.number(value, path_, "seconds", JsonFields::seconds(0.1, kMostSeconds), given)) {
            stretch.seconds = given;
        }
        const JsonFields::Number pace = {.least = 0.01,
                                         .most = kMostPace,
                                         .what = "a pace",
                                         .hint = fmt::format("give accesses a second, from 0.01 to {:g}", kMostPace)};
        if (fields_.number(value, path_, "pace", pace, given)) stretch.pace = given;
        if (stretch.seconds && stretch.pace) {
            fault("pace", "seconds say already how fast it plays", "leave one of them out");
        }
    }

    void readRamp(const json& value, Stretch& stretch) {
        const auto ramp = value.find("ramp");
        if (ramp == value.end()) return;
        const auto isTime = [](const json& v) {
            return v.is_number() && v.get<double>() >= 0 && v.get<double>() <= kMostTransition;
        };
        if (isTime(*ramp)) {
            stretch.rampIn = stretch.rampOut = ramp->get<double>();
        } else if (ramp->is_array() && ramp->size() == 2 && isTime((*ramp)[0]) && isTime((*ramp)[1])) {
            stretch.rampIn = (*ramp)[0].get<double>();
            stretch.rampOut = (*ramp)[1].get<double>();
        } else {
            fault("ramp", shownValue(*ramp) + " is not a ramp",
                  fmt::format(
                      "give the seconds in which it comes up to its pace and to rest, from 0 to {:g}, as in 0.5 or "
                      "[0.5, 1]",
                      kMostTransition));
        }
    }

    void readCamera(const json& value, TourScene& scene) {
        const auto camera = value.find("camera");
        if (camera == value.end()) return;
        const std::string path = sim::jsonPath(path_, "camera");
        if (!fields_.isObject(*camera, path, "a camera", R"({"zoom": 3, "region": "A"})")) return;
        fields_.checkKeys(*camera, path, kCameraKeys);
        SceneCamera& read = scene.camera.emplace();
        double zoom = 1;
        fields_.number(*camera, path, "zoom",
                       {.least = 1,
                        .most = scene::View::kMostZoom,
                        .what = "a zoom",
                        .hint = fmt::format("give a number from 1, which shows all of the rings, to {:g}",
                                            scene::View::kMostZoom)},
                       zoom);
        read.zoom = static_cast<float>(zoom);
        if (fields_.text(*camera, path, "region", read.region) && camera->contains("focus")) {
            fields_.fault(sim::jsonPath(path, "focus"), "the region says already where to look",
                          "leave one of them out");
        }
        readFocus(*camera, path, read);
    }

    void readFocus(const json& camera, const std::string& path, SceneCamera& into) {
        const auto focus = camera.find("focus");
        if (focus == camera.end()) return;
        const auto isShare = [](const json& v) {
            return v.is_number() && v.get<double>() >= -1 && v.get<double>() <= 1;
        };
        if (focus->is_array() && focus->size() == 2 && isShare((*focus)[0]) && isShare((*focus)[1])) {
            into.focus = {(*focus)[0].get<float>(), (*focus)[1].get<float>()};
            return;
        }
        fields_.fault(sim::jsonPath(path, "focus"), shownValue(*focus) + " is not a place in the rings",
                      "give [across, down] from their centre, each from -1 to 1, as in [0, -0.8]");
    }

    void readWait(const json& value, TourScene& scene) {
        fields_.number(value, path_, "transition", JsonFields::seconds(0, kMostTransition), scene.transition);
        const auto wait = value.find("wait");
        if (wait == value.end()) return;
        const bool isTime = wait->is_number() && wait->get<double>() >= 0 && wait->get<double>() <= kMostSeconds;
        if (isTime) {
            scene.wait = {.what = SceneWait::For::seconds, .seconds = wait->get<double>()};
        } else if (*wait == "loop") {
            scene.wait.what = SceneWait::For::loop;
            if (!value.contains("to")) fault("wait", "there is nothing to repeat", "say with to where the scene ends");
        } else if (*wait != "click") {
            fault("wait", shownValue(*wait) + " is not what a scene waits for",
                  fmt::format(R"(use "click", "loop", or a number of seconds up to {:g})", kMostSeconds));
        }
    }

    void readQuestion(const json& value, TourScene& scene) {
        const auto question = value.find("question");
        if (question == value.end()) return;
        const std::string path = sim::jsonPath(path_, "question");
        if (!fields_.isObject(*question, path, "a question",
                              R"({"text": "Hit or miss?", "choices": ["hit", "miss"], "answer": "miss"})")) {
            return;
        }
        fields_.checkKeys(*question, path, kQuestionKeys);
        Question& read = scene.question.emplace();
        if (readPrediction(*question, path, read)) return;
        for (const char* key : {"text", "answer"}) {
            if (question->contains(key)) continue;
            fields_.fault(sim::jsonPath(path, key), "is missing",
                          R"(a question has a text and an answer, or "predict": "outcome", "set" or "victim")");
        }
        fields_.text(*question, path, "text", read.text, "write something");
        fields_.text(*question, path, "why", read.why);
        readChoices(*question, path, read.choices);
        if (!fields_.text(*question, path, "answer", read.answer, "write something") || read.choices.empty()) return;
        if (std::find(read.choices.begin(), read.choices.end(), read.answer) == read.choices.end()) {
            fields_.fault(sim::jsonPath(path, "answer"), sim::quotedText(read.answer) + " is none of the choices",
                          sim::didYouMean(read.answer, read.choices) +
                              fmt::format("the choices are {}", sim::joinNames(read.choices)));
        }
    }

    /// Whether the question is one about the access at which the scene begins.
    bool readPrediction(const json& question, const std::string& path, Question& into) {
        const bool predicts = question.contains("predict");
        std::string part;
        if (fields_.text(question, path, "predict", part)) {
            into.predicts = valueNamed<sim::QuizPart>(part);
            if (!into.predicts || into.predicts == sim::QuizPart::tag) {
                fields_.fault(sim::jsonPath(path, "predict"), sim::quotedText(part) + " cannot be predicted",
                              "use outcome, set or victim");
            }
        }
        if (!predicts) {
            if (question.contains("level")) {
                fields_.fault(sim::jsonPath(path, "level"), "nothing is predicted", "add predict, or leave it out");
            }
            return false;
        }
        fields_.text(question, path, "level", into.level, "name a level of the machine");
        fields_.text(question, path, "text", into.text, "write something");
        fields_.text(question, path, "why", into.why);
        for (const char* key : {"choices", "answer"}) {
            if (!question.contains(key)) continue;
            fields_.fault(sim::jsonPath(path, key), "the run gives what is predicted", "leave it out");
        }
        return true;
    }

    void readChoices(const json& question, const std::string& path, std::vector<std::string>& into) {
        constexpr std::size_t kMost = Question::kMostChoices;
        const auto choices = question.find("choices");
        if (choices == question.end()) return;
        const bool isList = choices->is_array() && choices->size() >= 2 && choices->size() <= kMost &&
                            std::all_of(choices->begin(), choices->end(), [](const json& v) { return v.is_string(); });
        if (isList) {
            into = choices->get<std::vector<std::string>>();
            return;
        }
        fields_.fault(sim::jsonPath(path, "choices"), shownValue(*choices) + " is not a list of choices",
                      fmt::format("give 2 to {} texts", kMost));
    }

    void readCommands(const json& scene, std::vector<std::string>& into) {
        const auto commands = scene.find("commands");
        if (commands == scene.end()) return;
        const std::string where = sim::jsonPath(path_, "commands");
        if (!commands->is_array()) {
            fields_.fault(where, shownValue(*commands) + " is not a list",
                          R"(give commands as a list of texts, such as ["view memory"])");
            return;
        }
        for (const json& value : *commands) {
            const std::string at = fmt::format("{}[{}]", where, into.size());
            if (!value.is_string()) {
                fields_.fault(at, shownValue(value) + " is not a text", "put it in quotes");
                return;
            }
            into.push_back(value.get<std::string>());
            const auto command = parseCommand(into.back());
            if (!command) {
                fields_.fault(at, command.error().sentence(), "");
            } else if (!command->flags().ofScenes) {
                fields_.fault(at, fmt::format("{} is no command for a tour", sim::quotedText(command->id())),
                              "a scene may show and arrange views, pick what is in them, choose a range, and what the "
                              "rings show");
            }
        }
    }

    /// Checks the id of the tour's last scene.
    void checkId(const Tour& tour) {
        const std::string& id = tour.scenes.back().id;
        const std::string where = sim::jsonPath(path_, "id");
        const auto fits = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; };
        if (!std::all_of(id.begin(), id.end(), fits) || id.front() == '-') {
            fields_.fault(where, sim::quotedText(id) + " is not an id",
                          "use small letters, digits and hyphens, as in fig1a");
        }
        const auto [first, isNew] = ids_.emplace(id, tour.scenes.size() - 1);
        if (isNew) return;
        fields_.fault(where, fmt::format("{} is the id of scenes[{}] too", sim::quotedText(id), first->second),
                      "choose another one");
    }

    void checkInput(const char* key, std::string& input) {
        if (folders_ != nullptr && folders_->isFile(input)) {
            checkFile(sim::jsonPath(path_, key), input);
            return;
        }
        // Of a tour from a file, all else is a program, even if the current folder has a file of that name.
        if (folders_ == nullptr && !namesProgram(input)) return;
        if (const auto spec = sim::parseProgramSpec(input); !spec) {
            fields_.fault(sim::jsonPath(path_, key), spec.error().sentence(), "");
        }
    }

    /// Most scenes of a tour share a few machines, which may be files: each is loaded once.
    void checkMachine(const char* key, std::string& machine) {
        const bool isFile = folders_ != nullptr && sim::namesMachineFile(machine);
        if (isFile && !checkFile(sim::jsonPath(path_, key), machine)) return;
        const auto [known, isNew] = machines_.try_emplace(machine);
        if (isNew) {
            if (const auto loaded = sim::loadMachine(machine); !loaded) known->second = loaded.error().sentence();
        }
        if (!known->second.empty()) fields_.fault(sim::jsonPath(path_, key), known->second, "");
    }

    /// Replaces the name of a file by its path; false if the tour must not name it.
    bool checkFile(const std::string& where, std::string& named) {
        const auto path = folders_->pathOf(named);
        if (path) {
            named = *path;
        } else {
            fields_.fault(where, path.error().what, path.error().hint);
        }
        return path.has_value();
    }

    /// A number of accesses; or whether the setting is what its option chooses, instead of the usual.
    void readField(const json& value, const Setting& setting, TourScene& scene) {
        const std::string key(setting.field);
        const auto field = value.find(key);
        if (field == value.end()) return;
        if (setting.option.flag) {
            std::optional<bool> isChosen;
            if (!fields_.flag(value, path_, key.c_str(), isChosen)) return;
            scene.fields[setting.id] = *isChosen ? *setting.option.flag : setting.value.get(newSession());
            return;
        }
        const auto least = static_cast<std::uint64_t>(setting.value.least);
        if (field->is_number_unsigned() && field->get<std::uint64_t>() >= least &&
            field->get<std::uint64_t>() <= kMostAccesses) {
            scene.fields[setting.id] = field->get<std::uint64_t>();
            return;
        }
        fault(key.c_str(), shownValue(*field) + " is not a number of accesses",
              fmt::format("give a whole number from {} to {}", least, kMostAccesses));
    }

    void fault(const char* key, std::string what, std::string hint) {
        fields_.fault(sim::jsonPath(path_, key), std::move(what), std::move(hint));
    }

    JsonFields& fields_;
    const TourFolders* folders_;
    std::string path_;                                       ///< of the scene that is read
    double end_ = 0;                                         ///< where the scene before ends
    bool isPair_ = false;                                    ///< it has two runs
    std::unordered_map<std::string, std::size_t> ids_;       ///< the first scene with each
    std::unordered_map<std::string, std::string> machines_;  ///< why each cannot be used; empty if it can
};

void readScenes(JsonFields& fields, const json& root, const TourFolders* folders, Tour& tour) {
    const auto scenes = root.find("scenes");
    const char* const what = "give the scenes as a list of objects";
    if (scenes == root.end()) {
        fields.fault("scenes", "is missing", what);
    } else if (!scenes->is_array()) {
        fields.fault("scenes", shownValue(*scenes) + " is not a list", what);
    } else if (scenes->empty()) {
        fields.fault("scenes", "there is no scene", "a tour has one scene at least");
    } else {
        SceneReader reader(fields, folders);
        for (const json& scene : *scenes) {
            if (fields.faults().size() >= sim::kManyErrors) break;
            reader.read(scene, tour);
        }
    }
}

}  // namespace

sim::Expected<Tour> parseTour(std::string_view text, const std::string& file, const TourFolders* folders) {
    std::vector<sim::Error> faults = sim::jsonErrors(text, file);
    const json root = json::parse(text, nullptr, false);
    if (root.is_discarded()) return tl::unexpected(sim::joinErrors(faults));
    JsonFields fields(file, std::move(faults));
    Tour tour;
    if (!root.is_object()) {
        fields.fault("", fmt::format("a tour is an object, not {}", shownValue(root)), R"(it opens with {"scenes": [)");
    } else {
        fields.checkKeys(root, "", kTourKeys);
        fields.text(root, "", "title", tour.title);
        fields.text(root, "", "source", tour.source);
        readScenes(fields, root, folders, tour);
    }
    if (!fields.faults().empty()) return tl::unexpected(sim::joinErrors(fields.faults()));
    return tour;
}

}  // namespace whorl::app
