#include "app/session/tour.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>

#include "app/session/opened.h"
#include "sim/base/json_text.h"
#include "sim/base/text.h"
#include "sim/machine/machine_config.h"
#include "sim/machine/validation.h"
#include "sim/programs/program.h"

namespace whorl::app {

/// The files of assets/tours, each one's name and text. The build generates this: see cmake/embed.cmake.
std::span<const std::pair<std::string_view, std::string_view>> embeddedTours();

namespace {

using nlohmann::json;

constexpr std::string_view kEnding = ".json";
constexpr std::uintmax_t kMaxFile = 1u << 20;         ///< bytes: no tour is longer
constexpr std::uint32_t kMostAccesses = 100'000'000;  ///< of trails and of a frame; the views have limits of their own

const std::vector<std::string> kTourKeys = {"title", "source", "scenes"};
const std::vector<std::string> kSceneKeys = {"id", "title",   "words", "input",   "machine",
                                             "at", "history", "lapse", "elements"};

/// A value as it may stand in a sentence.
std::string shown(const json& value) {
    if (value.is_string()) return sim::quotedText(value.get_ref<const std::string&>());
    if (value.is_array()) return "a list";
    if (value.is_object()) return "an object";
    return value.dump();
}

class Reader {
  public:
    /// `faults`: what is known already.
    Reader(const std::string& file, std::vector<sim::Error> faults) : file_(file), faults_(std::move(faults)) {}

    sim::Expected<Tour> read(const json& root) {
        Tour tour;
        if (!root.is_object()) {
            fault("", fmt::format("a tour is an object, not {}", shown(root)), R"(it opens with {"scenes": [)");
        } else {
            checkKeys(root, "", kTourKeys);
            readText(root, "", "title", Needed::no, tour.title);
            readText(root, "", "source", Needed::no, tour.source);
            readScenes(root, tour);
        }
        if (!faults_.empty()) return tl::unexpected(sim::joinErrors(faults_));
        return tour;
    }

  private:
    enum class Needed { no, yes };

    void fault(const std::string& path, std::string what, std::string hint) {
        faults_.push_back({.where = path.empty() ? file_ : fmt::format("{}: {}", file_, path),
                           .what = std::move(what),
                           .hint = std::move(hint),
                           .cancelled = false});
    }

    void readScenes(const json& root, Tour& tour) {
        const auto scenes = root.find("scenes");
        if (scenes == root.end()) {
            fault("scenes", "is missing", "give the scenes as a list of objects");
        } else if (!scenes->is_array()) {
            fault("scenes", shown(*scenes) + " is not a list", "give the scenes as a list of objects");
        } else if (scenes->empty()) {
            fault("scenes", "there is no scene", "a tour has one scene at least");
        } else {
            tour.scenes.reserve(scenes->size());
            for (const json& scene : *scenes) readScene(scene, tour);
        }
    }

    void readScene(const json& value, Tour& tour) {
        const std::string path = fmt::format("scenes[{}]", tour.scenes.size());
        TourScene& scene = tour.scenes.emplace_back();
        if (!value.is_object()) {
            fault(path, shown(value) + " is not a scene",
                  R"(a scene is an object such as {"id": "start", "title": "…", "words": "…", "input": "matmul"})");
            return;
        }
        checkKeys(value, path, kSceneKeys);
        if (readText(value, path, "id", Needed::yes, scene.id)) checkId(path, tour);
        readText(value, path, "title", Needed::yes, scene.title);
        readText(value, path, "words", Needed::yes, scene.words);
        if (readText(value, path, "input", Needed::yes, scene.input)) checkInput(path, scene.input);
        if (readText(value, path, "machine", Needed::no, scene.machine)) checkMachine(path, scene.machine);
        readMoment(value, path, scene.at);
        readAccesses(value, path, "history", 0, scene.history);
        readAccesses(value, path, "lapse", 1, scene.lapse);
        const auto elements = value.find("elements");
        if (elements == value.end()) return;
        if (elements->is_boolean()) {
            scene.elements = elements->get<bool>();
        } else {
            fault(sim::jsonPath(path, "elements"), shown(*elements) + " is neither true nor false", "give one of them");
        }
    }

    /// Whether there is a text.
    bool readText(const json& object, const std::string& path, const char* key, Needed needed, std::string& into) {
        const auto value = object.find(key);
        const std::string where = sim::jsonPath(path, key);
        if (value == object.end()) {
            if (needed == Needed::yes) fault(where, "is missing", "a scene has an id, a title, words and an input");
        } else if (!value->is_string()) {
            fault(where, shown(*value) + " is not a text", "put it in quotes");
        } else if (sim::trimmed(value->get_ref<const std::string&>()).empty()) {
            fault(where, "is empty", needed == Needed::yes ? "write something" : "write something, or leave it out");
        } else {
            into = value->get<std::string>();
            return true;
        }
        return false;
    }

    /// Of the last scene of the tour.
    void checkId(const std::string& path, const Tour& tour) {
        const std::string& id = tour.scenes.back().id;
        const std::string where = sim::jsonPath(path, "id");
        const auto fits = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; };
        if (!std::all_of(id.begin(), id.end(), fits) || id.front() == '-') {
            fault(where, sim::quotedText(id) + " is not an id", "use small letters, digits and hyphens, as in fig1a");
        }
        for (std::size_t i = 0; i + 1 < tour.scenes.size(); ++i) {
            if (tour.scenes[i].id != id) continue;
            fault(where, fmt::format("{} is the id of scenes[{}] too", sim::quotedText(id), i), "choose another one");
            break;
        }
    }

    void checkInput(const std::string& path, const std::string& input) {
        if (!namesProgram(input)) return;
        if (const auto spec = sim::parseProgramSpec(input); !spec) {
            fault(sim::jsonPath(path, "input"), spec.error().sentence(), "");
        }
    }

    void checkMachine(const std::string& path, const std::string& machine) {
        if (const auto known = sim::loadMachine(machine); !known) {
            fault(sim::jsonPath(path, "machine"), known.error().sentence(), "");
        }
    }

    void readMoment(const json& scene, const std::string& path, double& at) {
        const auto value = scene.find("at");
        if (value == scene.end()) return;
        if (value->is_number() && value->get<double>() >= 0 && std::isfinite(value->get<double>())) {
            at = value->get<double>();
            return;
        }
        fault(sim::jsonPath(path, "at"), shown(*value) + " is not a number of accesses",
              "give the number of accesses before it; it may have a fraction");
    }

    void readAccesses(const json& scene, const std::string& path, const char* key, std::uint32_t least,
                      std::optional<std::uint32_t>& into) {
        const auto value = scene.find(key);
        if (value == scene.end()) return;
        if (value->is_number_unsigned() && value->get<std::uint64_t>() >= least &&
            value->get<std::uint64_t>() <= kMostAccesses) {
            into = value->get<std::uint32_t>();
            return;
        }
        fault(sim::jsonPath(path, key), shown(*value) + " is not a number of accesses",
              fmt::format("give a whole number from {} to {}", least, kMostAccesses));
    }

    void checkKeys(const json& object, const std::string& path, const std::vector<std::string>& known) {
        for (const auto& [key, value] : object.items()) {
            if (std::find(known.begin(), known.end(), key) != known.end()) continue;
            fault(path, fmt::format("the key {} is not known", sim::quotedText(key)),
                  sim::didYouMean(key, known) + fmt::format("the keys here are {}", sim::joinNames(known)));
        }
    }

    const std::string& file_;
    std::vector<sim::Error> faults_;
};

std::string whatThereIs() {
    return fmt::format("a tour is a built-in one ({}) or a JSON file", sim::joinNames(tourNames(), "or"));
}

sim::Expected<Tour> fromFile(const std::string& path) {
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (!std::filesystem::exists(status)) return sim::fail(path, "there is no such file", whatThereIs());
    if (std::filesystem::is_directory(status)) {
        return sim::fail(path, "this is a folder", "give the path of a JSON file");
    }
    std::ifstream in(path, std::ios::binary);
    if (!in) return sim::fail(path, "the file cannot be opened for reading");
    std::string text;
    for (std::istreambuf_iterator<char> at(in), end; at != end && text.size() <= kMaxFile; ++at) text += *at;
    if (in.bad()) return sim::fail(path, "the file cannot be read");
    if (text.size() > kMaxFile) return sim::fail(path, "the file is too long for a tour", "1 MB is the most");
    return parseTour(text, path);
}

}  // namespace

sim::Expected<Tour> parseTour(std::string_view text, const std::string& file) {
    std::vector<sim::Error> faults = sim::jsonErrors(text, file);
    const json root = json::parse(text, nullptr, false);
    if (root.is_discarded()) return tl::unexpected(sim::joinErrors(faults));
    return Reader(file, std::move(faults)).read(root);
}

sim::Expected<Tour> tourFrom(const std::string& words) {
    const std::string name(sim::trimmed(words));
    if (name.empty()) return sim::fail({}, "no tour is given", whatThereIs());
    for (const auto& [file, text] : embeddedTours()) {
        if (file == name + std::string(kEnding)) return parseTour(text, std::string(file));
    }
    std::error_code error;
    const bool isPath = name.find('/') != std::string::npos || name.ends_with(kEnding);
    if (isPath || std::filesystem::exists(words, error)) return fromFile(words);
    return sim::fail({}, fmt::format("there is no tour {}", sim::quotedText(name)),
                     sim::didYouMean(name, tourNames()) + whatThereIs());
}

std::vector<std::string> tourNames() {
    std::vector<std::string> names;
    names.reserve(embeddedTours().size());
    for (const auto& [file, text] : embeddedTours()) names.emplace_back(file.substr(0, file.size() - kEnding.size()));
    std::sort(names.begin(), names.end());
    return names;
}

sim::Expected<TourScene> sceneNamed(const Tour& tour, const std::string& id) {
    std::vector<std::string> ids;
    ids.reserve(tour.scenes.size());
    for (const TourScene& scene : tour.scenes) {
        if (scene.id == id) return scene;
        ids.push_back(scene.id);
    }
    return sim::fail({}, fmt::format("there is no scene {}", sim::quotedText(id)),
                     fmt::format("{}the scenes are {}", sim::didYouMean(id, ids), sim::joinNames(ids)));
}

}  // namespace whorl::app
