#include "app/views/life/life_views.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/commands/cell_commands.h"
#include "app/commands/selection_commands.h"
#include "app/session/selection.h"
#include "app/views/views.h"
#include "render/scene/palette.h"
#include "sim/trace/source_lines.h"

namespace whorl::app {

struct LifeViews::View {
    explicit View(TaskRunner& runner) : query(runner) {}

    LatestTask<sim::LifeSubject, std::shared_ptr<const sim::ObjectLife>> query;
    /// The last one that has arrived; null: none has.
    std::shared_ptr<const sim::ObjectLife> life() const { return query.answer().value_or(nullptr); }

    // What the picture shows.
    std::optional<scene::LifeLook> look;
    std::shared_ptr<const sim::ObjectLife> shown;
    Picture picture;
};

LifeViews::LifeViews(const ViewSources& sources) : opened_(sources.opened), runner_(sources.runner) {}

LifeViews::~LifeViews() = default;

LifeViews::View& LifeViews::at(const ViewId& view) {
    std::unique_ptr<View>& v = views_[view.withoutRun()];
    if (v) return *v;
    v = std::make_unique<View>(runner_);
    keep(v->query);
    return *v;
}

void LifeViews::update(const RunContext& context) {
    for (const ViewId& view : context.viewSettings.shown) {
        if (view.kind != ViewId::Kind::life) continue;
        View& v = at(view);
        const auto subject = lifeOf(context, view);
        if (!subject) {
            v.query.reset();
            continue;
        }
        if (subject->range.to > opened_.run->built()) continue;
        v.query.ask(*subject, [run = opened_.run, subject = *subject](sim::Progress& progress) {
            return orCancelled(objectLifeOf(*run, subject, progress));
        });
        v.query.update();
    }
}

const sim::ObjectLife* LifeViews::life(const ViewId& view) const {
    const auto known = views_.find(view.withoutRun());
    return known == views_.end() ? nullptr : known->second->life().get();
}

/// The column of the picked source line: that of its function, or of the line.
std::optional<std::uint32_t> LifeViews::chosenIn(const sim::ObjectLife& life, const RunContext& context) const {
    const auto& picked = context.viewSettings.source;
    const std::vector<sim::Site>& sites = opened_.run->trace().sites();
    if (!picked || picked->site >= sites.size()) return std::nullopt;
    const sim::Site& site = sites[picked->site];
    const auto found = std::find_if(life.codes.begin(), life.codes.end(), [&](const sim::LifeCode& code) {
        const sim::Site& own = sites[code.site.value];
        if (code.others > 0) return false;
        if (code.isFunction) return own.function == site.function;
        return areOfOneLine(opened_.run->trace(), own, site);
    });
    if (found == life.codes.end()) return std::nullopt;
    return static_cast<std::uint32_t>(found - life.codes.begin());
}

scene::LifeLook LifeViews::look(const ViewId& view, const RunContext& context, glm::ivec2 size, float scale) const {
    scene::LifeLook look{chartLook(context, size, scale)};
    const sim::ObjectLife* const known = life(view);
    if (known == nullptr) return look;
    look.note = inWords(known->subject.range);
    if (lifeOf(context, view) != known->subject) look.note += ", another one is being computed";
    look.chosen = chosenIn(*known, context);
    look.chosenColour = scene::paletteFor(context.ground).source;
    return look;
}

const LifeViews::Picture& LifeViews::picture(const ViewId& view, const RunContext& context, glm::ivec2 size,
                                             float scale) {
    View& v = at(view);
    const scene::LifeLook now = look(view, context, size, scale);
    if (!v.life()) {
        const bool isPicked = lifeOf(context, view).has_value();
        v.picture = {};
        v.picture.scene = wordsScene(
            isPicked ? "The life is being computed." : "Pick an object, an array, a word or a block to see its life.",
            size, now.ground, now.text);
        v.look.reset();
        return v.picture;
    }
    if (v.look == now && v.shown == v.life()) return v.picture;
    const sim::LifeWords words = wordsOf(*v.life());
    v.picture.frame = lifeFrame(words, now);
    v.picture.scene = lifeScene(words, now, v.picture.frame);
    v.look = now;
    v.shown = v.life();
    return v.picture;
}

std::vector<std::string> LifeViews::describeNode(const sim::ObjectLife& life, std::uint32_t node) const {
    const sim::LifeWords words = wordsOf(life);
    std::vector<std::string> lines{words.node(node)};
    const std::vector<std::string> facts = words.nodeFacts(node);
    lines.insert(lines.end(), facts.begin(), facts.end());
    lines.push_back("first at " + words.code(life.nodes[node].code));
    lines.emplace_back("click to pick its source line");
    return lines;
}

std::vector<std::string> LifeViews::describeEdge(const sim::ObjectLife& life, std::size_t edge) const {
    const sim::LifeWords words = wordsOf(life);
    const sim::LifeEdge& e = life.edges[edge];
    std::vector<std::string> lines{fmt::format("{} to {}", words.node(e.from), words.node(e.to))};
    const std::vector<std::string> facts = words.edgeFacts(e);
    lines.insert(lines.end(), facts.begin(), facts.end());
    return lines;
}

scene::PixelBox LifeViews::mouseArea(const ViewQuery& query) {
    return life(query.view) == nullptr ? scene::PixelBox{} : of(query).frame.rows.box;
}

std::optional<Hit> LifeViews::hitAt(const ViewQuery& query, glm::ivec2 at) {
    const sim::ObjectLife* const known = life(query.view);
    if (known == nullptr) return std::nullopt;
    const scene::LifeFrame& frame = of(query).frame;
    if (const auto node = scene::lifeNodeAt(frame, at)) {
        return Hit{.box = frame.boxes[*node],
                   .click = {command::PickSource{known->codes[known->nodes[*node].code].site.value}},
                   .describe = [this, known, node] { return describeNode(*known, *node); }};
    }
    const auto edge = scene::lifeEdgeAt(frame, at);
    if (!edge) return std::nullopt;
    return Hit{.describe = [this, known, edge] { return describeEdge(*known, *edge); }};
}

ViewControls LifeViews::controls(const ViewQuery& query) {
    ViewControls controls;
    addPlaceControls(controls, query, "object");
    controls.toggle("history", false, command::HistoryShow{}, "show all accesses over time");
    return controls;
}

}  // namespace whorl::app
