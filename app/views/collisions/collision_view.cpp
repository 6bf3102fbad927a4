#include "app/views/collisions/collision_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/commands/cell_commands.h"
#include "app/commands/selection_commands.h"
#include "app/session/selection.h"
#include "app/session/settings.h"
#include "app/views/space/space_views.h"
#include "app/views/views.h"
#include "sim/report/table.h"

namespace whorl::app {

namespace {

constexpr float kZoomStep = 1.3f;
constexpr const char* kPickOne = "Pick a region, an object or a block: its collisions are shown here.";

}  // namespace

CollisionView::CollisionView(std::shared_ptr<const sim::Trace> trace, std::shared_ptr<const sim::History> history)
    : trace_(std::move(trace)), history_(std::move(history)) {}

std::size_t CollisionView::levelOf(const RunContext& context) const {
    return std::min<std::size_t>(context.viewSettings.collisionLevel,
                                 std::max<std::size_t>(history_->levels.size(), 1) - 1);
}

/// Without caches, nothing is evicted from memory.
std::string CollisionView::nameOf(std::size_t level) const {
    return level < history_->levels.size() ? history_->levels[level].name : "memory";
}

const sim::Collisions& CollisionView::collisions(sim::CollisionsOf of) {
    const auto known = collisions_.find(of);
    if (known != collisions_.end()) return known->second;
    return collisions_.emplace(of, sim::collisionsOf(*history_, *trace_, of)).first->second;
}

std::optional<scene::CollisionPair> CollisionView::chosen(const RunContext& context) {
    if (!context.pair || context.viewSettings.collisionsOf != sim::CollisionsOf::region) return std::nullopt;
    const std::vector<std::size_t>& regions = collisions(sim::CollisionsOf::region).things;
    const auto evictor = std::find(regions.begin(), regions.end(), context.pair->evictor);
    const auto victim = std::find(regions.begin(), regions.end(), context.pair->victim);
    if (evictor == regions.end() || victim == regions.end()) return std::nullopt;
    return scene::CollisionPair{static_cast<std::uint32_t>(evictor - regions.begin()),
                                static_cast<std::uint32_t>(victim - regions.begin())};
}

/// What is picked, in any view or list, as the rows name it.
std::optional<sim::CollisionThing> CollisionView::picked(const RunContext& context) {
    const Picks picks = picksOf(context);
    const auto& regions = trace_->regions();
    std::optional<sim::ByteAddress> byte = picks.memory ? std::optional(picks.memory->from) : picks.byte;
    sim::Tick tick{static_cast<std::uint64_t>(context.player.position())};
    const sim::Object* const object = picks.object ? objectOf(*picks.object, *trace_) : nullptr;
    if (object != nullptr) tick = object->born;
    if (!byte && picks.stay && picks.stay->level < history_->levels.size())
        byte = sim::ByteAddress{picks.stay->block.value * history_->levels[picks.stay->level].blockSize};
    if (!byte && context.region && *context.region < regions.size()) byte = regions[*context.region].base;
    if (!byte) return std::nullopt;
    return sim::collisionThing(collisions(context.viewSettings.collisionsOf), *trace_, *byte, tick);
}

scene::CollisionSubject CollisionView::subjectOf(const RunContext& context) {
    const std::size_t level = levelOf(context);
    scene::CollisionSubject subject{collisions(context.viewSettings.collisionsOf), level, nameOf(level),
                                    partInWords({history_->from, history_->to}, *trace_)};
    if (!context.viewSettings.collisionsPicked) return subject;
    if (const auto thing = picked(context)) subject.only = thing->index;
    return subject;
}

double CollisionView::largest(const RunContext& context) {
    return static_cast<double>(scene::mostCollisions(subjectOf(context)));
}

const CollisionView::Picture& CollisionView::picture(const RunContext& context, glm::ivec2 size, float scale) {
    Key key{.of = context.viewSettings.collisionsOf,
            .level = levelOf(context),
            .look = {chartLook(context, size, scale), context.viewSettings.collisionSight, chosen(context)}};
    key.look.common = common_;
    if (context.viewSettings.collisionsPicked) key.picked = picked(context).value_or(sim::CollisionThing());
    if (key_ == key) return picture_;
    key_ = key;
    if (key.picked && !key.picked->index) {
        const std::string& name = key.picked->name;
        const std::string words = name.empty() ? kPickOne : name + " takes part in no collision.";
        picture_ = {{}, wordsScene(words, size, key.look.ground, key.look.text)};
        return picture_;
    }
    const scene::CollisionSubject subject = subjectOf(context);
    picture_.frame = collisionFrame(subject, key.look);
    picture_.scene = collisionScene(subject, key.look, picture_.frame);
    return picture_;
}

std::optional<RegionPair> CollisionView::regionsOf(const RunContext& context, const sim::Collision& pair) {
    if (context.viewSettings.collisionsOf != sim::CollisionsOf::region) return std::nullopt;
    const std::vector<std::size_t>& regions = collisions(sim::CollisionsOf::region).things;
    return RegionPair{static_cast<std::uint32_t>(regions[pair.evictor]),
                      static_cast<std::uint32_t>(regions[pair.victim])};
}

std::vector<std::string> CollisionView::describe(const RunContext& context, const sim::Collision& pair) {
    const std::vector<std::string>& names = collisions(context.viewSettings.collisionsOf).names;
    return {fmt::format("{} evicts {}", names[pair.evictor], names[pair.victim]),
            fmt::format("{} in {}, first at access {}", sim::counted(pair.count(), "time", "times"), nameOf(pair.level),
                        sim::grouped(pair.moments.front().value)),
            "click to go to the next one"};
}

CollisionView* CollisionViews::view() {
    const HistoryViews* const history = histories_.views();
    if (history == nullptr) return nullptr;
    if (of_ != history->shared()) {
        of_ = history->shared();
        view_ = std::make_unique<CollisionView>(run_->sharedTrace(), of_);
    }
    return view_.get();
}

TileScene CollisionViews::pictureOf(const ViewQuery& query) {
    CollisionView* const v = view();
    return v == nullptr ? TileScene() : TileScene(&v->picture(query.context, query.size, query.scale).scene);
}

std::optional<double> CollisionViews::largest(const ViewQuery& query) {
    CollisionView* const v = view();
    return v == nullptr ? std::nullopt : std::optional(v->largest(query.context));
}

void CollisionViews::setCommon(const ViewId& /*view*/, const std::optional<scene::CommonScale>& common) {
    if (CollisionView* const v = view()) v->setCommon(common);
}

scene::PixelBox CollisionViews::mouseArea(const ViewQuery& query) {
    CollisionView* const v = view();
    return v == nullptr ? scene::PixelBox{} : v->picture(query.context, query.size, query.scale).frame.cells;
}

std::optional<Hit> CollisionViews::hitAt(const ViewQuery& query, glm::ivec2 at) {
    CollisionView* const v = view();
    if (v == nullptr) return std::nullopt;
    const auto under = scene::collisionAt(v->picture(query.context, query.size, query.scale).frame, at);
    if (!under) return std::nullopt;
    const sim::Collision& pair = under->collision;
    const auto regions = v->regionsOf(query.context, pair);
    const double next = static_cast<double>(nextCollision(pair, query.context.player.position()).value);
    return Hit{.box = under->box,
               .time = next + 1,
               .shift = regions ? Commands{command::PickPair{regions->evictor, regions->victim}} : Commands{},
               .describe = [v, query, &pair] { return v->describe(query.context, pair); }};
}

std::optional<PlanePointer> CollisionViews::planeAt(const ViewQuery& query, glm::ivec2 at) {
    CollisionView* const v = view();
    if (v == nullptr || query.context.viewSettings.collisionsPicked) return std::nullopt;
    const scene::CollisionFrame& frame = v->picture(query.context, query.size, query.scale).frame;
    const scene::CollisionLook& look = v->look();
    const auto show = [](const scene::MatrixSight& sight) {
        return Command(command::CollisionsZoom{sight.cell, sight.first});
    };
    PlanePointer pointer{.zoomed =
                             [&, show, at](int steps) {
                                 const float factor = std::pow(kZoomStep, static_cast<float>(steps));
                                 return show(zoomedAt(frame, look, at, factor));
                             },
                         .moved = {},
                         .fitted = command::CollisionsFit{}};
    const bool isWhole = !look.sight && frame.hidden == 0;
    if (!isWhole) pointer.moved = [&, show](glm::ivec2 by) { return show(movedBy(frame, look, by)); };
    return pointer;
}

ViewControls CollisionViews::controls(const ViewQuery& query) {
    ViewControls controls;
    controls.choose("level", "the level that blocks are evicted from",
                    {70,
                     levelOptions(query.context.opened.run->machine(),
                                  [](std::uint8_t level) { return changeOf("collisions-level", level); }),
                     query.context.viewSettings.collisionLevel});
    const auto among = [](const char* words, sim::CollisionsOf of) {
        return ViewControl::Option{words, changeOf("collisions-of", of)};
    };
    controls.choose("among", "what each row stands for",
                    {90,
                     {among("regions", sim::CollisionsOf::region), among("objects", sim::CollisionsOf::object),
                      among("classes", sim::CollisionsOf::className)},
                     static_cast<std::size_t>(query.context.viewSettings.collisionsOf)});
    controls.toggle("of the pick", query.context.viewSettings.collisionsPicked, changeOf("collisions-picked"),
                    "only the collisions of what is picked: what evicts it, and what it evicts");
    return controls;
}

sim::Tick nextCollision(const sim::Collision& pair, double position) {
    const auto now = static_cast<std::uint64_t>(std::ceil(position));
    const auto next = std::lower_bound(pair.moments.begin(), pair.moments.end(), sim::Tick{now});
    return next == pair.moments.end() ? pair.moments.front() : *next;
}

}  // namespace whorl::app
