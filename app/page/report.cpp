#include "app/page/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "app/commands/bindings.h"
#include "app/commands/prediction_words.h"
#include "app/page/page.h"
#include "app/session/compared_runs.h"
#include "app/session/selection.h"
#include "app/tasks/figure_rows.h"
#include "app/tours/presenting.h"
#include "app/views/caption_words.h"
#include "app/views/comparison_words.h"
#include "render/scene/palette.h"
#include "render/scene/rings/describe.h"
#include "render/scene/rings/event_numbers.h"
#include "render/scene/rings/signs.h"
#include "sim/cache/contents.h"
#include "sim/report/contents_report.h"
#include "sim/report/json.h"
#include "sim/report/sentence.h"

namespace whorl::app {

namespace {

using sim::JsonArray;
using sim::JsonObject;
using sim::JsonValue;

std::string colourText(scene::Rgba c) {
    return fmt::format("#{:02x}{:02x}{:02x}", c.r, c.g, c.b);
}

/// The signs of the rings: the parts of each as [shape, ax, ay, bx, by, size, colour, width, bend x, y].
JsonArray signsAsJson(const std::vector<scene::Sign>& signs) {
    const auto partOf = [](const scene::SignPart& part) {
        const scene::Rgba c = part.colour;
        JsonArray out{static_cast<std::uint64_t>(part.shape),      part.a.x,  part.a.y, part.b.x, part.b.y, part.size,
                      fmt::format("{}{:02x}", colourText(c), c.a), part.width};
        for (const float bend : {part.kBend.x, part.kBend.y}) out.emplace_back(bend);
        return out;
    };
    return sim::jsonArrayOf(signs, [&](const scene::Sign& sign) {
        return JsonObject{{"words", std::string(sign.words)}, {"parts", sim::jsonArrayOf(sign.parts, partOf)}};
    });
}

JsonValue rangeOf(const std::optional<sim::Range>& range) {
    if (!range) return {};
    return JsonArray{range->from.value, range->to.value};
}

JsonValue figuresOf(const Page& page, const Picture& picture) {
    const Session& session = page.session();
    const sim::Run& run = *session.opened.run;
    const RangeFigures* range = session.range ? page.results().range.get() : nullptr;
    if (range != nullptr && range->of != *session.range) range = nullptr;
    const Figures figures =
        range != nullptr ? figuresIn(*range) : figuresSoFar(run, picture.snapshot, page.results().soFar.get());
    const scene::Palette& palette = scene::paletteFor(session.ground);
    JsonArray rows;
    for (const FigureRow& row : figureRows(figures, run.machine())) {
        // Old numbers would be those of another time.
        const bool isUnknown = row.kind && figures.kindsAreOld;
        std::vector<std::string> cells = row.cells;
        if (isUnknown) std::fill(cells.begin(), cells.end(), "…");
        rows.push_back(JsonObject{{"words", row.words},
                                  {"cells", cells},
                                  {"help", row.help},
                                  {"colour", row.kind ? colourText(palette.missKinds[*row.kind]) : std::string()}});
    }
    JsonArray columns;
    for (const sim::LevelConfig& level : run.machine().levels) columns.emplace_back(level.name);
    std::vector<std::string> lines = figureLines(figures, run.machine());
    for (std::size_t cpu = 0; cpu < figures.cycles.size(); ++cpu) {
        const std::string of = figures.cycles.size() > 1 ? fmt::format("CPU {}: ", cpu) : std::string();
        lines.push_back(of + sim::grouped(figures.cycles[cpu]) + " access cycles");
    }
    return JsonObject{{"of", range != nullptr ? inWords(range->of) : "so far"},
                      {"columns", std::move(columns)},
                      {"rows", std::move(rows)},
                      {"lines", lines}};
}

/// The line of the current access.
JsonValue whereOf(const Session& session, const sim::Step* step) {
    const sim::Trace& trace = session.opened.run->trace();
    if (step == nullptr) return {};
    const sim::Site& site = trace.site(step->access.site);
    if (site.line == 0 || site.file >= trace.files().size()) return {};
    return JsonObject{
        {"file", site.file}, {"line", site.line}, {"miss", sim::servedBy(*step, session.opened.run->machine()) > 0}};
}

JsonArray viewRows(const Session& session) {
    const sim::MachineConfig& machine = session.opened.run->machine();
    const auto& shown = session.viewSettings.shown;
    JsonArray views;
    for (const ViewId& view : whorl::app::viewsOf(machine)) {
        const bool isOn = std::find(shown.begin(), shown.end(), view) != shown.end();
        views.push_back(JsonObject{{"word", wordOf(view)},
                                   {"title", titleOf(view, machine)},
                                   {"button", kindOf(view).button},
                                   {"help", kindOf(view).help},
                                   {"on", isOn},
                                   {"command", "view " + wordOf(view)}});
    }
    return views;
}

JsonArray runsOf(const Page& page) {
    const Session& session = page.session();
    JsonArray runs;
    if (!isCompared(session)) return runs;
    const std::vector<std::string> titles = titlesOfRuns(session);
    for (const std::size_t run : orderOfRuns(session)) {
        if (page.shown().runs.at(run) == nullptr) continue;
        runs.push_back(
            JsonObject{{"title", titles[run]}, {"words", headingWords(page.shown(), run, LevelWords::brief)}});
    }
    return runs;
}

JsonValue questionOf(const Presentation& p, bool isSaid) {
    if (!p.own().question || !p.question || !isSaid) return {};
    const Question& q = *p.question;
    const auto right = std::find(q.choices.begin(), q.choices.end(), q.answer);
    const auto indexOfRight = static_cast<std::size_t>(right - q.choices.begin());
    const bool isKnown = p.answered && right != q.choices.end();
    return JsonObject{{"text", q.text},
                      {"choices", q.choices},
                      {"answered", p.answered},
                      {"chosen", p.chosen},
                      {"right", isKnown ? std::optional(indexOfRight) : std::nullopt},
                      {"answer", p.answered ? q.answer : std::string()},
                      {"why", p.answered ? q.why : std::string()}};
}

JsonValue tourOf(const Session& session) {
    if (!session.presentation) return {};
    const Presentation& p = *session.presentation;
    const TourScene scene = saidScene(p, p.scene);
    JsonArray titles;
    JsonArray ids;
    for (std::size_t i = 0; i < p.tour->scenes.size(); ++i) {
        titles.emplace_back(saidScene(p, i).title);
        ids.emplace_back(p.tour->scenes[i].id);
    }
    return JsonObject{{"title", p.tour->title},
                      {"scene", p.scene},
                      {"count", p.tour->scenes.size()},
                      {"titles", std::move(titles)},
                      {"ids", std::move(ids)},
                      {"id", scene.id},
                      {"heading", session.sceneText ? session.sceneText->title : scene.title},
                      {"words", session.sceneText ? session.sceneText->words : scene.words},
                      {"source", session.sceneText ? session.sceneText->source : std::string()},
                      {"question", questionOf(p, p.entered)},
                      {"isLast", p.isLast()},
                      {"advice", p.isLast() ? p.tour->next : std::string()}};
}

JsonValue predictionOf(const Session& session) {
    if (!session.prediction) return {};
    const bool isRevealed = session.prediction->revealed;
    const PredictionWords p = predictionWords(session);
    const JsonArray levels = sim::jsonArrayOf(p.levels, [](const PredictionWords::Level& level) {
        return JsonObject{{"name", level.name}, {"on", level.on}, {"command", level.command.text()}};
    });
    const JsonArray parts = sim::jsonArrayOf(p.parts, [&](const PredictionWords::Part& part) {
        return JsonObject{{"asked", part.asked},
                          {"answers", sim::jsonArrayOf(part.answers, [&](const PredictionWords::Answer& answer) {
                               return JsonObject{{"words", answer.words},
                                                 {"help", answer.help},
                                                 {"chosen", answer.chosen},
                                                 {"right", isRevealed && answer.right},
                                                 {"command", answer.command.text()}};
                           })}};
    });
    JsonArray actions;
    if (p.next) actions.push_back(JsonObject{{"words", p.next->words}, {"command", p.next->command.text()}});
    actions.push_back(JsonObject{{"words", "end"}, {"command", "predict-end"}});
    return JsonObject{{"heading", p.title},
                      {"score", p.score},
                      {"note", p.note},
                      {"access", p.access},
                      {"digits", p.digits},
                      {"level", p.cache},
                      {"levels", levels},
                      {"parts", parts},
                      {"revealed", isRevealed},
                      {"grade", sim::jsonArrayOf(p.grades,
                                                 [](const PredictionWords::Grade& grade) {
                                                     return JsonObject{{"words", grade.words}, {"right", grade.right}};
                                                 })},
                      {"why", p.why},
                      {"left", p.left},
                      {"actions", std::move(actions)}};
}

/// The access, or what compares the runs; nothing while a scene asks about it.
void addWords(JsonObject& out, const Page& page, const Picture& picture) {
    const Session& session = page.session();
    const sim::Run& run = *session.opened.run;
    const sim::Step* const step = picture.snapshot.current();
    const bool isTold = step != nullptr && !session.asks() && !summedRange(session) && !isCompared(session) &&
                        !(session.prediction && !session.prediction->revealed);
    out.emplace_back("sentence", isTold ? accessInWords(*step, session) : std::string());
    std::vector<std::string> facts;
    const bool showsRings = session.viewSettings.showsKind(ViewId::Kind::rings);
    if (isTold && showsRings && session.paceNow() == 0) {
        facts = scene::numberedWords(picture.scene(), sim::factsOf(*step, run.trace(), run.machine()));
    }
    out.emplace_back("facts", facts);
    out.emplace_back("comparison", isCompared(session) ? comparisonSentence(page.shown()) : std::string());
    out.emplace_back("span", positionInWords(page.shown()));
    std::vector<std::string> picked;
    if (session.selected && exists(session.selected->target, run)) {
        picked =
            scene::describe(session.selected->target, picture.snapshot, page.shown().runs.open()->composer().subject());
    }
    out.emplace_back("picked", picked);
    const bool ofSpan = session.ringView.gauge.isOfSpan();
    out.emplace_back("signs", showsRings ? signsAsJson(scene::signsOf(picture.scene().legend, session.ground, ofSpan))
                                         : JsonArray());
    out.emplace_back("where", whereOf(session, step));
}

/// What to know of a part of a longer run.
std::string pastInWords(const sim::Run& run) {
    return run.goesOn()
               ? "These accesses are a part of a run: at the first one the caches hold what they held there. On "
                 "another machine they are empty."
               : "These accesses are a part of a run: on this machine the caches are empty at the first one.";
}

/// How far what is computed has come: from 0 to 1; negative if that is unknown; nothing if nothing is.
std::optional<double> workOf(const Page& page) {
    if (const Opening* const opening = page.requested().opening()) return opening->fraction();
    return page.shown().runs.working() ? std::optional(-1.0) : std::nullopt;
}

}  // namespace

std::string reportText(const Page& page) {
    const Session& session = page.session();
    JsonObject out{{"open", session.opened.run != nullptr},
                   {"ground", scene::isDark(session.ground) ? "dark" : "light"},
                   {"message", session.message},
                   {"error", session.fatal ? session.fatal->sentence() : session.error},
                   {"working", workOf(page)},
                   {"tour", tourOf(session)}};
    const Picture* const picture =
        page.shown().runs.open() == nullptr ? nullptr : page.shown().runs.open()->composer().picture();
    if (session.opened.run == nullptr || picture == nullptr) return sim::jsonLine(out);
    const sim::Run& run = *session.opened.run;
    const sim::Trace& trace = run.trace();
    const OpenRequest& request = session.opened.request;
    const bool isOriginal = page.start().session.tour.has_value() || isSameRun(request, page.start().session.request);
    out.emplace_back("title", trace.name());
    const auto& excerpt = trace.parts().excerpt;
    out.emplace_back("first", excerpt ? excerpt->first.value : 0);
    out.emplace_back("notes", excerpt ? std::vector<std::string>{pastInWords(run)} : std::vector<std::string>());
    out.emplace_back("machine", run.machine().name);
    out.emplace_back("machineWords", machinesInWords(page.shown()));
    out.emplace_back("original", isOriginal);
    out.emplace_back("at", session.player.position());
    out.emplace_back("begun", picture->snapshot.begun().value);
    out.emplace_back("end", trace.size());
    out.emplace_back("built", run.built().value);
    out.emplace_back("cycles", sim::accessCycles(picture->snapshot));
    out.emplace_back("playing", session.player.playing());
    out.emplace_back("pace", session.player.pace());
    out.emplace_back("loops", session.player.loops());
    const Camera::Sight& sight = session.camera.target();
    out.emplace_back("camera", sight.zoom > 1 ? JsonValue(JsonObject{{"zoom", sight.zoom},
                                                                     {"at", JsonArray{sight.focus.x, sight.focus.y}}})
                                              : JsonValue());
    out.emplace_back("moved", session.camera.zoomed() || session.seen.has_value());
    out.emplace_back("range", rangeOf(session.range));
    out.emplace_back("seen", session.seen ? JsonValue(JsonArray{session.seen->from, session.seen->to}) : JsonValue());
    addWords(out, page, *picture);
    const bool tells = !session.asks() && !(session.prediction && !session.prediction->revealed);
    out.emplace_back("figures", tells ? figuresOf(page, *picture) : JsonValue());
    out.emplace_back("files", sim::jsonArrayOf(trace.files(), [](const sim::SourceFile& file) { return file.path; }));
    out.emplace_back("views", viewRows(session));
    out.emplace_back("runs", runsOf(page));
    out.emplace_back("predict", predictionOf(session));
    return sim::jsonLine(out);
}

std::string keysText(const Page& page) {
    JsonObject out;
    std::set<std::string_view> known;
    for (const Binding& binding : bindings()) {
        for (const std::string_view chord : binding.keys) {
            const Binding* const bound = bindingForKey(chord, page.session());
            if (bound == nullptr || !known.insert(chord).second) continue;
            out.emplace_back(std::string(chord), bound->command.words());
        }
    }
    return sim::jsonLine(out);
}

std::string sourceText(const Page& page, std::size_t file) {
    const Session& session = page.session();
    if (!session.opened.run || file >= session.opened.run->trace().files().size()) return "{}";
    const sim::SourceFile& source = session.opened.run->trace().files()[file];
    JsonArray lines;
    for (const std::string_view line : source.lines) lines.emplace_back(line);
    const char* const note = lines.empty() ? "The page does not have the text of this file." : "";
    return sim::jsonLine(
        JsonObject{{"file", file}, {"path", source.path}, {"lines", std::move(lines)}, {"note", note}});
}

std::string stripText(const Page& page, int columns) {
    const Session& session = page.session();
    RunView* const run = page.shown().runs.open();
    if (!session.opened.run || run == nullptr) return "{}";
    const auto end = static_cast<double>(std::max<std::uint64_t>(1, session.opened.run->trace().size()));
    const scene::TimeSpan span = session.seen.value_or(scene::TimeSpan{0, end});
    const sim::Overview& overview = run->overviewSeen(session.seen);
    const auto built = static_cast<double>(overview.end().value);
    JsonArray rows;
    for (std::size_t l = 0; l < overview.levels(); ++l) {
        JsonArray values;
        for (int i = 0; i < columns; ++i) {
            const double from = std::floor(span.from + span.length() * i / columns);
            const double to =
                std::min(built, std::max(from + 1, std::floor(span.from + span.length() * (i + 1) / columns)));
            if (from >= built) break;
            const auto share = overview.share(l, static_cast<std::uint64_t>(from), static_cast<std::uint64_t>(to));
            const double rate =
                static_cast<double>(share.hits) / static_cast<double>(std::max<std::uint64_t>(1, share.requests));
            values.emplace_back(share.requests == 0 ? -1.0 : std::round(rate * 1000) / 1000);
        }
        rows.push_back(
            JsonObject{{"name", session.opened.run->machine().levels[l].name}, {"values", std::move(values)}});
    }
    return sim::jsonLine(JsonObject{{"from", span.from}, {"to", span.to}, {"rows", std::move(rows)}});
}

std::string contentsText(const Page& page, std::size_t index) {
    const Session& session = page.session();
    RunView* const view = page.shown().runs.open();
    if (!session.opened.run || view == nullptr || session.asks()) return "{}";
    const sim::MachineConfig& machine = session.opened.run->machine();
    const std::vector<sim::Store> stores = sim::storesOf(machine);
    if (stores.empty()) return "{}";
    const sim::Store& store = stores[std::min(index, stores.size() - 1)];
    const FrameComposer& rings = view->composer();
    if (rings.picture() == nullptr) return "{}";
    const sim::ContentsQuery query{.trace = session.opened.run->sharedTrace(),
                                   .now = std::make_shared<const sim::Simulator>(rings.picture()->snapshot.now),
                                   .stores = {store}};
    const sim::Table table = sim::contentsTable(query, store, true);
    JsonArray columns;
    std::vector<std::size_t> kept;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        if (table.columns[i].heading.empty()) continue;
        kept.push_back(i);
        columns.emplace_back(table.columns[i].heading);
    }
    const JsonArray rows = sim::jsonArrayOf(table.rows, [&](const std::vector<sim::Cell>& row) {
        return sim::jsonArrayOf(kept, [&](std::size_t i) { return sim::cellInWords(row[i]); });
    });
    return sim::jsonLine(
        JsonObject{{"title", sim::nameOf(store, machine)},
                   {"levels", sim::jsonArrayOf(stores, [&](const sim::Store& s) { return sim::nameOf(s, machine); })},
                   {"index", std::min(index, stores.size() - 1)},
                   {"columns", std::move(columns)},
                   {"rows", rows}});
}

std::string sceneText(const Page& page) {
    RunView* const run = page.shown().runs.open();
    const Picture* const picture = run == nullptr ? nullptr : run->composer().picture();
    if (picture == nullptr) return "{}";
    const scene::Scene& scene = picture->scene();
    const auto glyphs = [](const std::vector<scene::Glyph>& all) {
        return sim::jsonArrayOf(all, [](const scene::Glyph& g) {
            return JsonArray{g.at.x, g.at.y, g.radius, colourText(g.fill), g.fill.a, g.glow};
        });
    };
    const auto strokes = [](const std::vector<scene::Stroke>& all) {
        return sim::jsonArrayOf(all, [](const scene::Stroke& s) {
            return JsonArray{s.a.x, s.a.y, s.b.x, s.b.y, s.width, colourText(s.colourA), s.colourA.a};
        });
    };
    const JsonArray labels = sim::jsonArrayOf(scene.labels, [](const scene::Label& l) {
        return JsonArray{l.text, l.at.x, l.at.y, l.size};
    });
    return sim::jsonLine(JsonObject{{"resting", glyphs(scene.resting)},
                                    {"moving", glyphs(scene.moving)},
                                    {"cells", strokes(scene.cells)},
                                    {"trails", strokes(scene.trails)},
                                    {"flows", strokes(scene.flows)},
                                    {"threads", strokes(scene.threads)},
                                    {"labels", labels}});
}

}  // namespace whorl::app
