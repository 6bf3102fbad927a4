// whorl tour check: what a talk with a tour would trip over.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/film.h"
#include "app/cli/option_parser.h"
#include "app/cli/question.h"
#include "app/cli/subcommands.h"
#include "app/cli/terminal.h"
#include "app/export/film/film.h"
#include "app/export/offscreen_renderer.h"
#include "app/tours/tour_check.h"
#include "sim/base/text.h"
#include "sim/report/table.h"

namespace whorl::app {

namespace {

struct TourOptions {
    std::string verb;
    std::string tour;
    std::vector<std::string> sources;
    AnswerOptions answer;
};

/// The smallest screen that lectures are planned for, pixels.
constexpr int kStageWidth = 1024;
constexpr int kStageHeight = 768;

struct CheckedTour {
    std::string name;
    std::size_t scenes = 0;
    std::size_t claims = 0;
    std::vector<Finding> findings;
};

std::string summaryOf(const CheckedTour& checked) {
    const auto& found = checked.findings;
    return fmt::format("{}: {}, {}: {}", checked.name, sim::counted(checked.scenes, "scene", "scenes"),
                       sim::counted(checked.claims, "claim", "claims"),
                       found.empty() ? "nothing to correct" : sim::counted(found.size(), "finding", "findings"));
}

sim::Document documentOf(const CheckedTour& checked) {
    sim::Table table{.name = "findings", .title = {}, .columns = {{"path", {}}, {"what", {}}}, .rows = {}};
    for (const Finding& finding : checked.findings) table.rows.push_back({finding.path, finding.what});
    return {.text =
                [checked](std::size_t) {
                    std::string text;
                    for (const Finding& finding : checked.findings) {
                        text += fmt::format("{}{}{}\n", finding.path, finding.path.empty() ? "" : ": ", finding.what);
                    }
                    return text + summaryOf(checked) + "\n";
                },
            .json =
                [checked, table] {
                    return sim::JsonObject{{"tour", checked.name},
                                           {"scenes", checked.scenes},
                                           {"claims", checked.claims},
                                           {"findings", table}};
                }};
}

/// Checks the scenes of a tour one after the other, as they are shown.
class TourCheck {
  public:
    TourCheck(const FilmedTour& filmed, OffscreenRenderer& renderer)
        : filmed_(filmed), player_(playerOf(filmed)), renderer_(renderer) {}

    sim::Expected<std::vector<Finding>> findings() {
        for (std::size_t i = 0; i < filmed_.tour.tour.scenes.size(); ++i) WHORL_TRY(check(i));
        return std::move(findings_);
    }

  private:
    void add(std::size_t scene, const Finding& finding) {
        findings_.push_back({pathIn(scene, finding.path), finding.what});
    }
    void add(std::size_t scene, const std::vector<Finding>& found) {
        for (const Finding& finding : found) add(scene, finding);
    }

    /// The run of a request; null, and a finding about the key, if it cannot be opened.
    sim::Expected<std::shared_ptr<const sim::Run>> opened(std::size_t scene, const OpenRequest& request,
                                                          const char* key) {
        const auto run = player_.opened(request);
        if (!run && run.error().cancelled) return tl::unexpected(run.error());
        if (!run) {
            add(scene, Finding{key, run.error().sentence()});
            return nullptr;
        }
        // The sources of each trace are missing once.
        if (!namesProgram(request.input) && seen_.insert(request.input).second) {
            add(scene, missingSources(run->run->trace(), key));
        }
        return run->run;
    }

    sim::Expected<void> check(std::size_t index) {
        const TourScene scene = resolvedScene(filmed_.tour.tour, index);
        const SceneRuns wanted = runsOf(scene, filmed_.reading);
        ShownRuns runs{.first = WHORL_TRY(opened(index, wanted.first, "input")), .input = wanted.first.input};
        if (wanted.second) {
            runs.second = WHORL_TRY(opened(index, *wanted.second, scene.with.empty() ? "with_machine" : "with"));
            runs.secondInput = wanted.second->input;
        }
        if (!runs.first || (wanted.second && !runs.second)) return {};
        if (runs.second) runs.lines = linesOfBoth(runs.first->trace(), runs.second->trace());
        const auto beyond = positionsBeyond(scene, runs.first->trace());
        add(index, beyond);
        if (!beyond.empty()) return {};
        const auto untrue =
            WHORL_TRY(inProgress(fmt::format("checking the scene {}", scene.id),
                                 [&](sim::Progress& progress) { return untrueIn(scene, runs, progress); }));
        add(index, untrue);
        return show(index, untrue.empty());
    }

    /// Shows the scene on the stage: its words must fit, and its question can be asked. `isTrue`: nothing was found
    /// yet.
    sim::Expected<void> show(std::size_t index, bool isTrue) {
        if (auto entered = player_.enter(index); !entered) {
            if (entered.error().cancelled) return entered;
            if (isTrue) add(index, Finding{{}, entered.error().sentence()});
            return {};
        }
        player_.passUntil(player_.time().arrival());
        if (player_.asks()) {
            checkWords(index, "question");
            player_.answerQuestion();
        }
        player_.passUntil(player_.time().played());
        checkWords(index, "words");
        return {};
    }

    void checkWords(std::size_t index, const char* key) {
        constexpr float kReadable = 0.67f;
        const float share = renderer_.wordsShare(player_.session());
        if (share >= kReadable) return;
        const std::string drawn = share > 0 ? fmt::format("they are drawn at {:.0f} % of their size", 100 * share)
                                            : std::string("they are left out");
        add(index, Finding{key, fmt::format("the words do not fit the stage at {}x{}: {}; write fewer", kStageWidth,
                                            kStageHeight, drawn)});
    }

    const FilmedTour& filmed_;
    TourPlayer player_;
    OffscreenRenderer& renderer_;
    std::set<std::string> seen_;  ///< inputs whose sources were looked for
    std::vector<Finding> findings_;
};

sim::Expected<CheckedTour> checked(const TourOptions& options) {
    Session session;
    session.panels = false;
    session.caption = session.lecture = true;
    CheckedTour out{.name = options.tour};
    const auto filmed = filmedTour(options.tour, options.sources, session);
    if (!filmed) {
        std::error_code unknown;
        // A file that is there has faults; another is a slip of the command line.
        if (!std::filesystem::is_regular_file(options.tour, unknown)) return tl::unexpected(filmed.error());
        out.findings = faultsOf(filmed.error(), options.tour);
        return out;
    }
    const Tour& tour = filmed->tour.tour;
    out.scenes = tour.scenes.size();
    for (const TourScene& scene : tour.scenes) out.claims += scene.claims.size();
    const auto renderer = WHORL_TRY(
        OffscreenRenderer::create(kStageWidth, kStageHeight, session.ground, filmScale(kStageWidth, kStageHeight)));
    out.findings = WHORL_TRY(TourCheck(*filmed, *renderer).findings());
    return out;
}

sim::Expected<int> checkTour(const TourOptions& options) {
    const CheckedTour tour = WHORL_TRY(checked(options));
    return write(documentOf(tour), options.answer).map([&] { return tour.findings.empty() ? 0 : 1; });
}

}  // namespace

void addTourCommand(OptionParser& program) {
    auto options = std::make_shared<TourOptions>();
    OptionParser& command = program.addCommand(
        "tour", "Check a tour: its claims, its numbers, its positions and files, and whether its words fit the stage");
    command.add("VERB", options->verb, "what to do: check", {.required = true, .oneOf = {"check"}});
    command.add("TOUR", options->tour, "a built-in tour, or the JSON file of another",
                {.required = true, .kind = ValueKind::tour});
    command.add("--sources", options->sources,
                "a folder with files that the tour names, besides its own; may be given several times",
                {.kind = ValueKind::folder});
    command.addFlag("--json", options->answer.json, "as JSON instead of text");
    addOutputOption(command, options->answer.output);
    command.addExample("Before a lecture", "whorl tour check my.tour.json");
    command.onRun(std::function<sim::Expected<int>()>([options] { return checkTour(*options); }));
}

}  // namespace whorl::app
