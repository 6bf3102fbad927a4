#include "app/tours/tour_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/session/opened.h"
#include "app/session/settings.h"
#include "app/session/words.h"
#include "sim/base/byte_sink.h"
#include "sim/machine/machine_config.h"

namespace whorl::app {

namespace {

using nlohmann::ordered_json;

/// Numbers that are whole are written without a point.
ordered_json number(double value) {
    const auto whole = static_cast<std::int64_t>(value);
    if (value < 9e15 && static_cast<double>(whole) == value) return whole;
    return value;
}

class SceneWriter {
  public:
    explicit SceneWriter(const std::string& folder) : folder_(folder) {}

    ordered_json written(const TourScene& scene) {
        out_ = ordered_json::object();
        text("id", scene.id);
        text("title", scene.title);
        text("words", scene.words);
        writeRuns(scene);
        if (scene.at) out_["at"] = number(*scene.at);
        if (scene.stretch) writeStretch(*scene.stretch);
        if (scene.camera) writeCamera(*scene.camera);
        if (scene.transition != TourScene::kTransition) out_["transition"] = number(scene.transition);
        writeWait(scene.wait);
        for (const Setting& setting : settings()) {
            if (const auto field = scene.fields.find(setting.id); field != scene.fields.end()) {
                writeField(setting, field->second);
            }
        }
        if (!scene.commands.empty()) out_["commands"] = scene.commands;
        if (scene.question) writeQuestion(*scene.question);
        text("notes", scene.notes);
        if (scene.planned > 0) out_["plan"] = number(scene.planned);
        return std::move(out_);
    }

  private:
    void writeField(const Setting& setting, const SettingValue& value) {
        ordered_json& out = out_[std::string(setting.field)];
        if (setting.option.flag) {
            out = value == *setting.option.flag;
        } else {
            out = std::get<std::uint64_t>(value);
        }
    }

    void text(const char* key, const std::string& value) {
        if (!value.empty()) out_[key] = value;
    }

    std::string near(const std::string& path) const {
        if (folder_.empty() || !path.starts_with('/')) return path;
        const std::filesystem::path relative = std::filesystem::path(path).lexically_relative(folder_);
        return relative.empty() || *relative.begin() == ".." ? path : relative.string();
    }

    void writeRuns(const TourScene& scene) {
        text("input", near(scene.input));
        text("machine", near(scene.machine));
        if (!scene.settings.empty()) out_["settings"] = scene.settings;
        text("with", near(scene.with));
        text("with_machine", near(scene.withMachine));
        if (scene.lock != TimeLock::access) out_["lock"] = wordOf(scene.lock);
    }

    void writeStretch(const Stretch& stretch) {
        out_["to"] = number(stretch.to);
        if (stretch.seconds) out_["seconds"] = number(*stretch.seconds);
        if (stretch.pace) out_["pace"] = number(*stretch.pace);
        if (stretch.rampIn == stretch.rampOut) {
            if (stretch.rampIn > 0) out_["ramp"] = number(stretch.rampIn);
        } else {
            out_["ramp"] = {number(stretch.rampIn), number(stretch.rampOut)};
        }
    }

    void writeCamera(const SceneCamera& camera) {
        ordered_json& out = out_["camera"] = ordered_json::object();
        if (camera.zoom != 1) out["zoom"] = number(static_cast<double>(camera.zoom));
        if (!camera.region.empty()) {
            out["region"] = camera.region;
        } else if (camera.focus != glm::vec2{0}) {
            out["focus"] = {camera.focus.x, camera.focus.y};
        }
    }

    void writeWait(const SceneWait& wait) {
        if (wait.what == SceneWait::For::loop) out_["wait"] = "loop";
        if (wait.what == SceneWait::For::seconds) out_["wait"] = number(wait.seconds);
    }

    void writeQuestion(const Question& question) {
        ordered_json& out = out_["question"] = ordered_json::object();
        if (question.predicts) out["predict"] = wordOf(*question.predicts);
        if (!question.level.empty()) out["level"] = question.level;
        if (!question.text.empty()) out["text"] = question.text;
        if (!question.choices.empty()) out["choices"] = question.choices;
        if (!question.answer.empty()) out["answer"] = question.answer;
        if (!question.why.empty()) out["why"] = question.why;
    }

    const std::string& folder_;
    ordered_json out_;
};

}  // namespace

std::string tourText(const Tour& tour, const std::string& folder) {
    ordered_json out = ordered_json::object();
    if (!tour.title.empty()) out["title"] = tour.title;
    if (!tour.source.empty()) out["source"] = tour.source;
    out["scenes"] = ordered_json::array();
    SceneWriter writer(folder);
    for (const TourScene& scene : tour.scenes) out["scenes"].push_back(writer.written(scene));
    constexpr int kIndent = 4;
    return out.dump(kIndent, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

std::vector<std::string> filesElsewhere(const Tour& tour, const std::string& folder) {
    std::vector<std::string> found;
    const auto check = [&](const std::string& path) {
        const std::filesystem::path relative = std::filesystem::absolute(path).lexically_relative(folder);
        const bool isElsewhere = relative.empty() || *relative.begin() == "..";
        if (isElsewhere && std::find(found.begin(), found.end(), path) == found.end()) found.push_back(path);
    };
    for (const TourScene& scene : tour.scenes) {
        for (const std::string* input : {&scene.input, &scene.with}) {
            if (!input->empty() && !namesProgram(*input)) check(*input);
        }
        for (const std::string* machine : {&scene.machine, &scene.withMachine}) {
            if (!machine->empty() && sim::namesMachineFile(*machine)) check(*machine);
        }
    }
    return found;
}

sim::Expected<void> writeTour(const Tour& tour, const std::string& path, const std::string& own) {
    namespace fs = std::filesystem;
    std::error_code unknown;
    if (fs::exists(path, unknown) && !fs::equivalent(path, own, unknown)) {
        return sim::fail(path, "there is a file of this name already", "choose another name");
    }
    const std::string folder = fs::absolute(path, unknown).lexically_normal().parent_path().string();
    if (const auto elsewhere = filesElsewhere(tour, folder); !elsewhere.empty()) {
        return sim::fail(path,
                         fmt::format("a tour names only files beside it, and {} lies elsewhere", elsewhere.front()),
                         "save the tour in the folder of its traces and machines, or in one above");
    }
    return sim::writeText(tourText(tour, folder), path);
}

}  // namespace whorl::app
