#include "app/tours/tour_editing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include "app/session/opened.h"
#include "app/session/words.h"
#include "app/tours/presenting.h"
#include "app/tours/scene_words.h"
#include "app/tours/tour_form.h"
#include "sim/base/byte_sink.h"
#include "sim/base/text.h"
#include "sim/machine/machine_config.h"
#include "sim/report/report.h"

namespace whorl::app {

namespace {

/// The tour as edited becomes the open one, at this scene.
void edit(Session& session, Tour next, std::size_t scene) {
    Presentation& p = *session.presentation;
    if (next == *p.tour) return;
    p.undo.push_back(p.tour);
    if (p.undo.size() > Presentation::kMaxUndone) p.undo.erase(p.undo.begin());
    p.redo.clear();
    p.unsaved = true;
    p.tour = std::make_shared<Tour>(std::move(next));
    p.scene = std::min(scene, p.tour->scenes.size() - 1);
}

/// "step-4": an id that no scene has.
std::string freeId(const Tour& tour) {
    for (std::size_t i = tour.scenes.size() + 1;; ++i) {
        std::string id = fmt::format("step-{}", i);
        const bool isTaken =
            std::any_of(tour.scenes.begin(), tour.scenes.end(), [&](const TourScene& scene) { return scene.id == id; });
        if (!isTaken) return id;
    }
}

}  // namespace

void addMoment(Session& session, TourScene scene) {
    scene.title = fmt::format("{}, access {}", withoutBraces(session.opened.run->trace().name()),
                              sim::grouped(static_cast<std::uint64_t>(std::ceil(*scene.at))));
    scene.words = "What is to be seen here.";
    if (!session.presentation) {
        scene.id = "step-1";
        beginTour(session, Tour{.title = "", .scenes = {scene}}, "", 0, session.opened.request.reading);
        session.presentation->unsaved = true;
    } else {
        Presentation& p = *session.presentation;
        Tour next = *p.tour;
        scene.id = freeId(next);
        standAlone(next, p.scene + 1);
        next.scenes.insert(next.scenes.begin() + static_cast<std::ptrdiff_t>(p.scene) + 1, scene);
        edit(session, std::move(next), p.scene + 1);
    }
    goToScene(session, session.presentation->scene);
}

void setMoment(Session& session, TourScene now) {
    if (!session.presentation) return;
    const std::size_t index = session.presentation->scene;
    Tour next = *session.presentation->tour;
    standAlone(next, index + 1);
    TourScene& scene = next.scenes[index];
    const TourScene before = resolvedScene(next, index);
    now.id = before.id;
    now.title = before.title;
    now.words = before.words;
    now.notes = before.notes;
    now.claims = before.claims;
    now.planned = before.planned;
    now.question = before.question;
    now.transition = before.transition;
    if (before.range && before.range->to > now.position()) {
        now.range = before.range;
        now.wait = before.wait;
    }
    scene = std::move(now);
    edit(session, std::move(next), index);
    goToScene(session, index);
}

void removeScene(Session& session, std::size_t scene) {
    if (!session.presentation || scene >= session.presentation->tour->scenes.size()) return;
    if (session.presentation->tour->scenes.size() == 1) return;
    const std::size_t shown = session.presentation->scene;
    Tour next = *session.presentation->tour;
    standAlone(next, scene + 1);
    next.scenes.erase(next.scenes.begin() + static_cast<std::ptrdiff_t>(scene));
    edit(session, std::move(next), shown > scene ? shown - 1 : shown);
    if (shown == scene) goToScene(session, session.presentation->scene);
}

void moveScene(Session& session, std::size_t scene, std::size_t to) {
    if (!session.presentation) return;
    const std::size_t size = session.presentation->tour->scenes.size();
    if (scene >= size || to >= size || scene == to) return;
    Tour next = *session.presentation->tour;
    for (const std::size_t i : {to, to + 1, scene, scene + 1}) standAlone(next, i);
    TourScene moved = std::move(next.scenes[scene]);
    const auto at = [&](std::size_t i) { return next.scenes.begin() + static_cast<std::ptrdiff_t>(i); };
    next.scenes.erase(at(scene));
    next.scenes.insert(at(to), std::move(moved));
    const std::string shown = session.presentation->own().id;
    const std::size_t stays = sceneIndex(next, shown).value_or(to);
    edit(session, std::move(next), stays);
}

void sayInTour(Session& session, std::size_t scene, std::string_view key, const std::string& text) {
    if (!session.presentation || scene >= session.presentation->tour->scenes.size()) return;
    const auto row = formRow(key);
    const auto next = row ? withField(*session.presentation->tour, scene, **row, text) : tl::unexpected(row.error());
    if (!next) {
        session.error = fmt::format("The tour stays as it was: {}", next.error().sentence());
        return;
    }
    const std::size_t shown = session.presentation->scene;
    const bool isChanged = *next != *session.presentation->tour;
    edit(session, *next, shown);
    if (!isChanged || scene != shown) return;
    if ((*row)->isShownAnew()) {
        goToScene(session, scene);
    } else {
        tellAgain(session);
    }
}

namespace {

/// Takes the last tour of one list, and keeps the open one in the other.
void exchange(Session& session, std::vector<std::shared_ptr<const Tour>>& from,
              std::vector<std::shared_ptr<const Tour>>& to) {
    Presentation& p = *session.presentation;
    const std::string shown = p.own().id;
    to.push_back(p.tour);
    p.tour = std::move(from.back());
    from.pop_back();
    p.unsaved = true;
    const auto same = sceneIndex(*p.tour, shown);
    p.scene = same ? *same : std::min(p.scene, p.tour->scenes.size() - 1);
    if (same) {
        tellAgain(session);
    } else {
        goToScene(session, p.scene);
    }
}

}  // namespace

void undoEdit(Session& session) {
    if (!session.presentation || session.presentation->undo.empty()) return;
    exchange(session, session.presentation->undo, session.presentation->redo);
}

void redoEdit(Session& session) {
    if (!session.presentation || session.presentation->redo.empty()) return;
    exchange(session, session.presentation->redo, session.presentation->undo);
}

void tourIsSaved(Session& session, const std::shared_ptr<const Tour>& tour, const std::string& file) {
    if (session.presentation) {
        session.presentation->file = file;
        // What was changed while it was written is still to be saved.
        session.presentation->unsaved = session.presentation->tour != tour;
    }
    session.message = fmt::format("The tour is saved as {}.", file);
}

void tourIsChecked(Session& session, const std::shared_ptr<const Tour>& tour, std::string findings) {
    if (!session.presentation) return;
    session.presentation->checked = tour;
    session.presentation->findings = std::move(findings);
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
