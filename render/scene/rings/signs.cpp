#include "render/scene/rings/signs.h"

#include "render/scene/rings/glyph_style.h"
#include "render/scene/rings/level_gauges.h"

namespace whorl::scene {

namespace {

using Shape = SignPart::Shape;

/// Puts a sign together.
class SignMaker {
  public:
    SignMaker(Ground ground, bool ofSpan)
        : palette_(paletteFor(ground)), ground_(ground), ofSpan_(ofSpan), hue_(palette_.scrap) {}

    void access() {
        disc({}, 1.7F, faded(hue_, 0.2F));
        disc({}, 1.3F, faded(hue_, 0.25F));
        disc({}, 0.8F, hue_);
    }
    void miss() {
        disc({}, 0.7F, hue_);
        rim({}, 1.25F, palette_.flash, 1.5F);
    }
    void ghost() {
        disc({}, 1, faded(hue_, palette_.ghostFill));
        rim({}, 1, faded(hue_, palette_.ghostRim), 1.5F);
    }
    void dirty() {
        disc({}, 1, hue_);
        disc({}, kDirtyMark, dirtyMark(hue_, ground_));
    }
    void used() {
        disc({}, 1, mixed(palette_.ground, hue_, 0.28F));
        disc({}, 0.6F, hue_);
    }
    void prefetched() { rim({}, 0.85F, hue_, 2.2F); }
    void empty() { disc({}, 0.3F, faded(palette_.muted, 0.8F)); }
    void shared() {
        bar({-0.7F, 0}, {0.7F, 0}, 0.9F, hue_);
        for (const float along : {-0.7F, 0.7F}) disc({along, 0}, 0.45F, hue_);
    }
    void byWay() {
        for (const float along : {-0.9F, 0.0F, 0.9F}) disc({along, 0}, 0.4F, hue_);
    }
    void uncached() { disc({}, 0.9F, faded(hue_, 0.32F)); }
    void inward() { across(0, palette_.flash, 1.6F); }
    void outward() { curve(hue_); }
    void writeback() {
        curve(hue_);
        for (const float along : {-0.9F, -0.1F, 0.7F}) line({along, 0}, {along + 0.4F, 0}, palette_.dirty, 1.5F);
        square({1.3F, 0.2F}, 0.75F, palette_.dirty);
    }
    void through() {
        across(0, palette_.dirty, 1.6F);
        square({1.2F, 0}, 0.5F, palette_.dirty);
    }
    void tied() {
        across(0, palette_.mark, 1.0F);
        for (const float along : {-0.9F, 0.9F}) {
            disc({along, 0}, 0.6F, hue_);
            rim({along, 0}, 0.8F, palette_.mark, 1.3F);
        }
    }
    void taken() {
        across(0, hue_, 2.4F);
        for (const float aside : {-0.7F, 0.7F}) line({1.2F, 0}, {0.3F, aside}, hue_, 2.4F);
    }
    void falseSharing() {
        across(-0.2F, hue_, 2.2F);
        across(0.25F, palette_.mark, 1.5F);
    }
    void flows() {
        bar({-1.2F, 0}, {1.2F, 0}, 1.1F, faded(hue_, 0.55F));
        across(0, palette_.flash, 1.5F);
    }
    void selected() {
        rim({}, 0.85F, palette_.mark, 1.3F);
        rim({}, 1.3F, palette_.mark, 1.3F);
    }
    void watched() { rim({}, 1.05F, palette_.watch, 1.8F); }
    void idle() { box({-1.2F, -0.6F}, {1.2F, 0.6F}, temperatureColours(ground_, 0).rim); }
    void acting() {
        bar({}, {1.5F, 0}, 0.8F, faded(palette_.core, 0.4F));
        disc({-0.3F, 0}, 0.8F, palette_.core);
    }
    void temperature() {
        if (ofSpan_) sign_.words = "many misses … many hits";
        constexpr int kSteps = 8;
        constexpr float kStep = 2.4F / kSteps;
        for (int i = 0; i < kSteps; ++i) {
            const float x = -1.2F + static_cast<float>(i) * kStep;
            const Rgba colour = temperatureColours(ground_, static_cast<double>(i) / 3.5 - 1).rim;
            box({x, -0.6F}, {x + kStep + 0.1F, 0.6F}, colour);
        }
    }

    Sign made(std::string_view words, void (SignMaker::*make)()) {
        sign_ = {words, {}};
        (this->*make)();
        return std::move(sign_);
    }

  private:
    void add(SignPart part) { sign_.parts.push_back(part); }
    void disc(glm::vec2 at, float size, Rgba colour) {
        add({.shape = Shape::disc, .a = at, .size = size, .colour = colour});
    }
    void rim(glm::vec2 at, float size, Rgba colour, float width) {
        add({.shape = Shape::rim, .a = at, .size = size, .colour = colour, .width = width});
    }
    void line(glm::vec2 from, glm::vec2 to, Rgba colour, float width) {
        add({.shape = Shape::line, .a = from, .b = to, .colour = colour, .width = width});
    }
    void across(float aside, Rgba colour, float width) { line({-1.2F, aside}, {1.2F, aside}, colour, width); }
    void bar(glm::vec2 from, glm::vec2 to, float size, Rgba colour) {
        add({.shape = Shape::bar, .a = from, .b = to, .size = size, .colour = colour});
    }
    void box(glm::vec2 low, glm::vec2 high, Rgba colour) {
        add({.shape = Shape::box, .a = low, .b = high, .colour = colour});
    }
    void square(glm::vec2 at, float size, Rgba colour) {
        add({.shape = Shape::square, .a = at, .size = size, .colour = colour, .width = 1.5F});
    }
    void curve(Rgba colour) {
        add({.shape = Shape::curve, .a = {-1.2F, 0.6F}, .b = {1.2F, 0.5F}, .colour = colour, .width = 1.6F});
    }

    const Palette& palette_;
    Ground ground_;
    bool ofSpan_;
    Rgba hue_;
    Sign sign_;
};

struct SignRow {
    bool Legend::*shown;
    void (SignMaker::*make)();
    std::string_view words;
};

/// What matters most first.
constexpr SignRow kRows[] = {
    {&Legend::miss, &SignMaker::miss, "a miss"},
    {&Legend::selected, &SignMaker::selected, "selected"},
    {&Legend::watched, &SignMaker::watched, "watched"},
    {&Legend::inward, &SignMaker::inward, "filled"},
    {&Legend::outward, &SignMaker::outward, "evicted"},
    {&Legend::writeback, &SignMaker::writeback, "written back"},
    {&Legend::through, &SignMaker::through, "written through"},
    {&Legend::taken, &SignMaker::taken, "invalidated"},
    {&Legend::falseSharing, &SignMaker::falseSharing, "false sharing"},
    {&Legend::tied, &SignMaker::tied, "comes in, and its victim"},
    {&Legend::flows, &SignMaker::flows, "many moves"},
    {&Legend::dirty, &SignMaker::dirty, "dirty"},
    {&Legend::ghost, &SignMaker::ghost, "also nearer"},
    {&Legend::prefetched, &SignMaker::prefetched, "prefetched"},
    {&Legend::used, &SignMaker::used, "bytes used"},
    {&Legend::shared, &SignMaker::shared, "several blocks"},
    {&Legend::byWay, &SignMaker::byWay, "by way, not by age"},
    {&Legend::uncached, &SignMaker::uncached, "in no cache"},
    {&Legend::empty, &SignMaker::empty, "empty"},
    {&Legend::temperature, &SignMaker::temperature, "lately many misses … many hits"},
    {&Legend::idle, &SignMaker::idle, "no recent accesses"},
    {&Legend::acting, &SignMaker::acting, "the active CPU"},
    {&Legend::access, &SignMaker::access, "last access"},
};

}  // namespace

std::vector<Sign> signsOf(const Legend& legend, Ground ground, bool ofSpan) {
    std::vector<Sign> signs;
    SignMaker maker(ground, ofSpan);
    for (const SignRow& row : kRows) {
        if (legend.*row.shown) signs.push_back(maker.made(row.words, row.make));
    }
    return signs;
}

}  // namespace whorl::scene
