// What the speaker sees of the audience's screen and of the next step, and the author of all steps.
#include <backends/imgui_impl_opengl3.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <set>
#include <vector>

#include "app/panels/imgui_style.h"
#include "app/tasks/task.h"
#include "app/tours/presenting.h"
#include "app/tours/tour_catalogue.h"
#include "app/tours/tour_session.h"
#include "app/window/step_pictures.h"
#include "render/gl/api.h"
#include "render/gl/frame.h"
#include "render/gl/offscreen_context.h"
#include "render/gl/painter.h"

namespace whorl::app {
namespace {

constexpr int kWidth = 640;
constexpr int kHeight = 360;

/// A window that nobody sees.
class Painted : public testing::Test {
  protected:
    Painted()
        : context_(gl::OffscreenContext::create().value()),
          frame_(gl::Frame::create(kWidth, kHeight).value()),
          imgui_(ImGui::CreateContext()) {
        ImGui::GetIO().IniFilename = nullptr;
        ImGui::GetIO().DisplaySize = ImVec2(kWidth, kHeight);
        EXPECT_TRUE(ImGui_ImplOpenGL3_Init(gl::shaderHeader()));
        fonts_ = loadFonts(1);
        beginImguiFrame();
        ImGui::Render();
        frame_->bind();
    }
    ~Painted() override {
        ImGui_ImplOpenGL3_Shutdown();
        ImGui::DestroyContext(imgui_);
    }

    PaintedWindow window() const { return {.width = kWidth, .height = kHeight, .scale = 1, .fonts = fonts_}; }
    /// How many colours a texture has.
    static std::size_t coloursIn(unsigned texture) {
        std::vector<unsigned> pixels(std::size_t{kWidth} * kHeight);
        glBindTexture(GL_TEXTURE_2D, texture);
        glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
        return std::set<unsigned>(pixels.begin(), pixels.end()).size();
    }

    std::unique_ptr<gl::OffscreenContext> context_;
    std::unique_ptr<gl::Frame> frame_;
    ImGuiContext* imgui_;
    Fonts fonts_;
    ImmediateRunner runner_;
};

using SpeakerSees = Painted;

TEST_F(SpeakerSees, TheNextStepAndWhatIsPainted) {
    SpeakerPictures pictures(runner_);
    Session s;
    ASSERT_NO_FATAL_FAILURE(begin(s, tourFrom("cache-basics").value()));
    const std::size_t steps = s.presentation->tour->scenes.size();
    for (std::size_t i = 0; i < steps; ++i) {
        goToScene(s, i);
        ASSERT_NO_FATAL_FAILURE(openAll(s));
        pictures.update(s);
        EXPECT_EQ(pictures.sight(window()).next, 0u) << "that of the step before is no longer the next one";
        pictures.paintNext(window());
        const SpeakerSight sight = pictures.sight(window());
        EXPECT_EQ(sight.next != 0, i + 1 < steps) << i;
        if (sight.next != 0) {
            EXPECT_GT(coloursIn(sight.next), 100u) << i;
        }
    }
    gl::clear({255, 0, 0, 255}, kWidth, kHeight);
    pictures.takeNow(window());
    EXPECT_EQ(coloursIn(pictures.sight(window()).now), 1u);
}

using AuthorSees = Painted;

TEST_F(AuthorSees, EachStepWhereItComesToRest) {
    StepThumbnails thumbnails(runner_);
    Session s;
    ASSERT_NO_FATAL_FAILURE(begin(s, tourFrom("cache-basics").value()));
    const std::size_t steps = s.presentation->tour->scenes.size();
    const auto paintAll = [&] {
        for (std::size_t i = 0; i < 2 * steps; ++i) {
            thumbnails.update(s);
            thumbnails.paintNext(window());
        }
        return thumbnails.textures();
    };
    const std::vector<unsigned> first = paintAll();
    ASSERT_EQ(first.size(), steps);
    EXPECT_EQ(std::set<unsigned>(first.begin(), first.end()).size(), steps);
    EXPECT_EQ(std::count(first.begin(), first.end(), 0u), 0);
    const auto colours = [&](const std::vector<unsigned>& textures, std::size_t i) { return coloursIn(textures[i]); };
    for (std::size_t i = 0; i < steps; ++i) EXPECT_GT(colours(first, i), 30u) << i;

    // What is said is not in them, and only what has changed is painted again.
    apply(s, command::TourSay{2, "words", "Other words."});
    ASSERT_NO_FATAL_FAILURE(openAll(s));
    EXPECT_EQ(paintAll(), first);
    apply(s, command::TourSay{2, "machine", "512/2/32"});
    ASSERT_NO_FATAL_FAILURE(openAll(s));
    const std::vector<unsigned> changed = paintAll();
    for (std::size_t i = 0; i < steps; ++i) EXPECT_EQ(changed[i] == first[i], i != 2) << i;
    // Steps that are moved keep theirs.
    apply(s, command::TourMove{0, 3});
    ASSERT_NO_FATAL_FAILURE(openAll(s));
    EXPECT_EQ(paintAll()[3], changed[0]);
}

}  // namespace
}  // namespace whorl::app
