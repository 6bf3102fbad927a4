// Laws of the whole picture: it scales, its names do not overlap, and large areas do not flash.
#include <gtest/gtest.h>

#include <cmath>
#include <glm/geometric.hpp>

#include "render/scene/rings/frame_context.h"
#include "render/scene/text_width.h"
#include "scene/rings/stage.h"

namespace whorl::scene {
namespace {

void expectScaled(const std::vector<Glyph>& small, const std::vector<Glyph>& large, float by) {
    ASSERT_EQ(small.size(), large.size());
    for (std::size_t i = 0; i < small.size(); ++i) {
        ASSERT_LT(glm::distance(small[i].at * by, large[i].at), 0.05f) << i;
        ASSERT_NEAR(small[i].radius * by, large[i].radius, 0.02f) << i;
        ASSERT_EQ(small[i].fill, large[i].fill) << i;
    }
}

TEST(Laws, ALargerPictureIsTheSmallOneScaled) {
    for (const char* machine : {"paper", "coherence", "server"}) {
        TestStage stage("matmul:n=16", machine);
        for (const double t : {300.0, 2000.4}) {
            for (const float zoom : {1.0f, 2.5f}) {
                View view = ofSize({1280, 720});
                view.zoom = zoom;
                view.focus = {0.1f, -0.2f};
                const Scene small = stage.at(t, view);
                view.size = {1920, 1080};
                const Scene& large = stage.at(t, view);
                expectScaled(small.resting, large.resting, 1.5f);
                expectScaled(small.moving, large.moving, 1.5f);
                ASSERT_EQ(small.trails.size(), large.trails.size());
                for (std::size_t i = 0; i < small.trails.size(); ++i) {
                    ASSERT_LT(glm::distance(small.trails[i].a * 1.5f, large.trails[i].a), 0.05f);
                    ASSERT_LT(glm::distance(small.trails[i].b * 1.5f, large.trails[i].b), 0.05f);
                }
                ASSERT_EQ(small.labels.size(), large.labels.size());
                for (std::size_t i = 0; i < small.labels.size(); ++i) {
                    EXPECT_EQ(small.labels[i].text, large.labels[i].text);
                    EXPECT_FLOAT_EQ(small.labels[i].size * 1.5f, large.labels[i].size);
                }
            }
        }
    }
}

/// Discs that enclose a text, side by side.
struct Disc {
    glm::vec2 at;
    float radius;
};

std::vector<Disc> discsOf(const Scene& scene, const Label& label) {
    const float width = widthOf(label.text, label.size);
    const float radius = 0.5f * label.size;
    const int count = std::max(2, static_cast<int>(std::ceil(width / radius)));
    std::vector<Disc> discs;
    for (int i = 0; i <= count; ++i) {
        const float along = width * (static_cast<float>(i) / static_cast<float>(count) - 0.5f);
        if (label.kind == Label::Kind::curved) {
            const float angle = label.at.y + along / label.at.x;
            discs.push_back({scene.centre + label.at.x * glm::vec2(std::cos(angle), std::sin(angle)), radius});
        } else {
            const glm::vec2 middle =
                label.kind == Label::Kind::corner ? label.at + glm::vec2(width / 2, radius) : label.at;
            discs.push_back({middle + glm::vec2(along, 0), radius});
        }
    }
    return discs;
}

bool cover(const std::vector<Disc>& a, const std::vector<Disc>& b) {
    for (const Disc& x : a) {
        for (const Disc& y : b) {
            if (glm::distance(x.at, y.at) < 0.92f * (x.radius + y.radius)) return true;
        }
    }
    return false;
}

sim::Trace eightCpus() {
    std::string text;
    for (int r = 0; r < 12; ++r)
        text += "region region" + std::to_string(r) + " " + std::to_string(4096 * (r + 1)) + " 512 8 rows=64\n";
    for (int i = 0; i < 400; ++i) {
        text += (i % 3 == 0 ? "W " : "R ") + std::to_string(4096 * (1 + i % 12) + i * 40 % 512) +
                " 4 cpu=" + std::to_string(i % 8) + "\n";
    }
    return sim::test::parsed(text, {}, "eight");
}

/// Whether a leader goes through a text.
bool strikes(const Stroke& leader, const std::vector<Disc>& text) {
    const glm::vec2 along = leader.b - leader.a;
    for (const Disc& disc : text) {
        const float share = glm::dot(disc.at - leader.a, along) / std::max(1e-6f, glm::dot(along, along));
        const glm::vec2 nearest = leader.a + std::clamp(share, 0.0f, 1.0f) * along;
        if (glm::distance(nearest, disc.at) < 0.9f * disc.radius) return true;
    }
    return false;
}

class Text : public testing::TestWithParam<glm::vec2> {};

TEST_P(Text, NeverCoversText) {
    std::vector<std::unique_ptr<TestStage>> stages;
    for (const char* machine : {"paper", "32K/8/64, 256K/8/64, 1M/16/64", "coherence"}) {
        stages.push_back(std::make_unique<TestStage>("matmul:n=16", machine));
    }
    stages.push_back(std::make_unique<TestStage>(eightCpus(), *sim::loadMachine("paradigm")));
    stages.push_back(std::make_unique<TestStage>(eightCpus(), *sim::loadMachine("4K/4/64, 32K/8/64, 256K/8/64")));
    for (auto& stage : stages) {
        for (const float scale : {1.0f, 1.75f, 2.25f}) {
            for (const float zoom : {1.0f, 3.0f}) {
                View view;
                view.size = GetParam();
                view.textScale = scale;
                view.zoom = zoom;
                view.focus = {0.25f, 0.1f};
                const Scene& scene = stage->at(std::floor(stage->end() / 2), view);
                std::vector<std::vector<Disc>> texts;
                for (const Label& label : scene.labels) texts.push_back(discsOf(scene, label));
                for (std::size_t i = 0; i < texts.size(); ++i) {
                    for (const Stroke& leader : scene.leaders) {
                        EXPECT_FALSE(strikes(leader, texts[i])) << scene.labels[i].text << " at scale " << scale;
                    }
                }
                for (std::size_t i = 0; i < texts.size(); ++i) {
                    for (std::size_t j = i + 1; j < texts.size(); ++j) {
                        EXPECT_FALSE(cover(texts[i], texts[j]))
                            << scene.labels[i].text << " and " << scene.labels[j].text << " at scale " << scale
                            << ", zoom " << zoom << ", " << stage->machine().name;
                    }
                }
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Sizes, Text,
                         testing::Values(glm::vec2(1280, 720), glm::vec2(1920, 1080), glm::vec2(640, 573),
                                         glm::vec2(3840, 2160), glm::vec2(320, 240), glm::vec2(900, 1400)));

TEST(FlashMeter, HoldsWhatWouldFlashTooLargeAndTooOften) {
    TestStage stage("matmul:n=16");
    View view = ofSize({1280, 720});
    view.moveTicks = moveTicksAt(60);
    view.pace = 60;
    // A miss is small in the whole picture, and fills most of it when zoomed in.
    const auto held = [&](float zoom, double pace) {
        view.zoom = zoom;
        view.pace = pace;
        const Scene& scene = stage.at(2000.3, view);
        float brightest = 0;
        const Rgba red = paletteFor(Ground::dark).flash;
        for (const Glyph& g : scene.moving) {
            if (g.fill.a == 0 && g.rim.r == red.r && g.rim.g == red.g)
                brightest = std::max(brightest, g.rim.a / 255.0f);
        }
        return brightest;
    };
    view.focus = {0.0f, 0.0f};
    const float free = held(1, 60);
    EXPECT_GT(free, 0.85f) << "flashes as it should";
    EXPECT_NEAR(held(8, 60), 0.9f * kHeldLight, 0.02f) << "held";
    EXPECT_GT(held(8, 2), 0.85f) << "so seldom it may flash";
}

}  // namespace
}  // namespace whorl::scene
