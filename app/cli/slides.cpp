// whorl slides: a tour as a PDF with a page a step, or as a folder of PNG files.
#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "app/cli/film.h"
#include "app/cli/option_parser.h"
#include "app/cli/subcommands.h"
#include "app/cli/terminal.h"
#include "app/cli/values.h"
#include "app/cli/view_options.h"
#include "app/export/film/film.h"
#include "app/export/offscreen_renderer.h"
#include "app/export/pdf.h"
#include "app/export/png.h"
#include "sim/base/byte_sink.h"
#include "sim/base/output_file.h"

namespace whorl::app {

namespace {

struct SlidesOptions {
    std::string tour;
    std::vector<std::string> sources;
    std::string size = "1280x720";
    std::string output;
    bool notes = false;
    bool noCards = false;
    Session session;
};

/// Takes the steps of a tour, one after the other.
class SlideSink {
  public:
    virtual ~SlideSink() = default;
    virtual sim::Expected<void> add(const TitleCard& card, scene::Ground ground) = 0;
    virtual sim::Expected<void> add(const Session& session, const std::string& notes) = 0;
    virtual sim::Expected<void> finish() = 0;
};

class PdfSlides final : public SlideSink {
  public:
    PdfSlides(OffscreenRenderer& renderer, std::string path, std::string title, bool notes)
        : renderer_(renderer), path_(std::move(path)), title_(std::move(title)), notes_(notes) {}

    sim::Expected<void> add(const TitleCard& card, scene::Ground ground) override {
        pages_.push_back({renderer_.drawSvg(card, ground, {renderer_.width(), renderer_.height()})});
        return {};
    }
    sim::Expected<void> add(const Session& session, const std::string& notes) override {
        PdfPage page;
        page.push_back(WHORL_TRY(renderer_.drawSvg(session, session.player.moveTicks())));
        if (notes_) {
            // Notes are on a white ground, as the speaker prints them.
            constexpr int kShare = 2;
            const TitleCard card{.title = {}, .lines = {notes}, .isNotes = true};
            page.push_back(
                renderer_.drawSvg(card, scene::Ground::light, {renderer_.width(), renderer_.height() / kShare}));
        }
        pages_.push_back(std::move(page));
        return {};
    }
    sim::Expected<void> finish() override {
        return pdfOf(pages_, title_).and_then([&](const std::string& bytes) { return sim::writeText(bytes, path_); });
    }

  private:
    OffscreenRenderer& renderer_;
    std::string path_;
    std::string title_;
    bool notes_;
    std::vector<PdfPage> pages_;
};

class PngSlides final : public SlideSink {
  public:
    PngSlides(OffscreenRenderer& renderer, std::unique_ptr<FrameSink> stills)
        : renderer_(renderer), stills_(std::move(stills)) {}

    sim::Expected<void> add(const TitleCard& card, scene::Ground ground) override {
        return stills_->add(renderer_.draw(card, ground, Backdrop::ground));
    }
    sim::Expected<void> add(const Session& session, const std::string&) override {
        return stills_->add(renderer_.draw(session, session.player.moveTicks()));
    }
    sim::Expected<void> finish() override { return stills_->finish(); }

  private:
    OffscreenRenderer& renderer_;
    std::unique_ptr<FrameSink> stills_;
};

bool isPdfFile(const SlidesOptions& options) {
    return options.output.ends_with(".pdf");
}

sim::Expected<void> checkSlides(const SlidesOptions& options, const VideoOptions& stills, const FilmedTour& filmed) {
    if (isPdfFile(options)) return sim::checkOutput(options.output, inputsOf(filmed));
    if (!options.output.ends_with('/')) {
        return sim::fail(options.output, "is not a kind of file that slides can be written into",
                         "end it in .pdf, or in / for a folder of PNG files");
    }
    if (options.notes) return sim::fail("", "--notes: only a .pdf has notes", "leave it out, or write a .pdf");
    return checkStills(stills);
}

/// A page for what a scene asks, and one for what it comes to.
sim::Expected<void> addScene(std::size_t index, TourPlayer& player, SlideSink& sink) {
    WHORL_TRY(player.enter(index));
    const std::string notes = player.scene().notes;
    const SceneTime time = player.time();
    player.passUntil(time.arrival());
    if (player.asks()) {
        WHORL_TRY(sink.add(player.session(), notes));
        player.answerQuestion();
    }
    // If the stretch repeats, stop just before the repetition.
    constexpr double kAlmost = SceneTime::kRest * (1 - 1e-6);
    player.passUntil(time.played() + kAlmost);
    return sink.add(player.session(), notes);
}

sim::Expected<void> addScenes(const FilmedTour& filmed, TourPlayer& player, bool cards, SlideSink& sink,
                              sim::Progress& progress) {
    const Tour& tour = filmed.tour.tour;
    if (cards) {
        WHORL_TRY(sink.add(titleCardOf(tour, filmed.name), filmed.session.ground));
    }
    for (std::size_t i = 0; i < tour.scenes.size(); ++i) {
        if (progress.cancelled()) return tl::unexpected(sim::Error::byUser());
        WHORL_TRY(addScene(i, player, sink));
        progress.setDone(i + 1);
    }
    return sink.finish();
}

sim::Expected<void> writeSlides(const SlidesOptions& options) {
    const auto size = WHORL_TRY(parseSize(options.size));
    const auto filmed = WHORL_TRY(filmedTour(options.tour, options.sources, options.session));
    const VideoOptions stills{.path = options.output, .width = size.width, .height = size.height};
    WHORL_TRY(checkSlides(options, stills, filmed));
    auto renderer = WHORL_TRY(
        OffscreenRenderer::create(size.width, size.height, options.session.ground, filmScale(size.width, size.height)));
    std::unique_ptr<SlideSink> sink;
    if (isPdfFile(options)) {
        sink = std::make_unique<PdfSlides>(*renderer, options.output, titleCardOf(filmed.tour.tour, filmed.name).title,
                                           options.notes);
    } else {
        sink = std::make_unique<PngSlides>(*renderer, WHORL_TRY(openStills(stills)));
    }
    TourPlayer player = playerOf(filmed);
    // Opens all runs first, with a separate progress.
    WHORL_TRY(rehearse(player));
    player.startAgain();
    sim::Progress progress;
    progress.setTotal(filmed.tour.tour.scenes.size());
    sim::Expected<void> result;
    withProgress("drawing " + options.output, progress,
                 [&] { result = addScenes(filmed, player, !options.noCards, *sink, progress); });
    return result;
}

}  // namespace

void addSlidesCommand(OptionParser& program) {
    auto options = std::make_shared<SlidesOptions>();
    options->session.panels = false;
    options->session.caption = true;
    OptionParser& command =
        program.addCommand("slides", "Make slides of a tour: a PDF with a page a step, or PNG files");
    command.add("TOUR", options->tour, "a built-in tour, or the JSON file of another",
                {.required = true, .kind = ValueKind::tour});
    command.add("--sources", options->sources,
                "a folder with files that the tour names, besides its own; may be given several times",
                {.kind = ValueKind::folder});
    addSettingOption(command, settingNamed("ground"), options->session);
    command.add("--size", options->size, "of a page, in pixels, or 16:9, 1:1, 9:16 or 4k",
                {.showDefault = true, .among = usualSizes()});
    addSettingOption(command, settingNamed("lecture"), options->session);
    command.addFlag("--notes", options->notes, "the speaker's notes below each page of a .pdf");
    command.addFlag("--no-cards", options->noCards, "no page with the tour's title at the start");
    command.add("-o,--output", options->output, "x.pdf, or DIR/ for a folder of PNG files",
                {.required = true, .kind = ValueKind::output});
    command.addExample("For print", "whorl slides memory --ground light -o memory.pdf");
    command.addExample("With the notes of the speaker", "whorl slides my.tour.json --notes -o handout.pdf");
    command.onRun([options] { return writeSlides(*options); });
}

}  // namespace whorl::app
