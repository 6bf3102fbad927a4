// Films of the rings do not flicker: hardly a pixel goes up and down again, or down and up, within two frames.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "app/session/session.h"
#include "app/views/rings/frame_composer.h"
#include "app/views/test_canvas.h"
#include "render/gl/painter.h"
#include "render/scene/palette.h"
#include "support/sessions.h"

namespace whorl::app {
namespace {

constexpr int kFilmWidth = 640;
constexpr int kFilmHeight = 360;
constexpr int kFrames = 48;
/// The largest share of a frame's pixels that may flicker, and how far a pixel must go to be seen to, of 255.
constexpr double kMaxFlicker = 0.005;
constexpr int kSeen = 20;

struct Film {
    const char* name;
    const char* program;
    const char* machine;
    double from;
    double perSecond;  ///< accesses
    int framesPerSecond = 60;
};

void PrintTo(const Film& film, std::ostream* out) {
    *out << film.name;
}

/// Takes the flash of each miss out of the picture: the discs that it may reach, pixels of the picture.
class FlashMask {
  public:
    explicit FlashMask(const scene::Scene& scene) : isFlash_(std::size_t{kFilmWidth} * kFilmHeight, 0) {
        const scene::Rgba flash = scene::paletteFor(scene.ground).flash;
        for (const scene::Glyph& g : scene.moving) {
            const bool isOutline = g.fill.a == 0 && g.rim.r == flash.r && g.rim.g == flash.g && g.rim.b == flash.b;
            if (isOutline) add(g.at, 1.5F * g.radius + 2);
        }
    }
    bool covers(std::size_t pixel) const { return isFlash_[pixel] != 0; }

  private:
    void add(glm::vec2 at, float radius) {
        for (int y = std::max(0, static_cast<int>(at.y - radius)); y < kFilmHeight && y < at.y + radius; ++y) {
            for (int x = std::max(0, static_cast<int>(at.x - radius)); x < kFilmWidth && x < at.x + radius; ++x) {
                isFlash_[static_cast<std::size_t>(y) * kFilmWidth + static_cast<std::size_t>(x)] = 1;
            }
        }
    }
    std::vector<unsigned char> isFlash_;
};

struct Frame {
    Pixels pixels;
    FlashMask flashes;
};

/// The share of pixels whose changes in two successive frames have opposite signs and both can be seen.
double flicker(const std::array<const Frame*, 3>& frames) {
    std::size_t count = 0;
    const auto isFlash = [&](std::size_t pixel) {
        return frames[0]->flashes.covers(pixel) || frames[1]->flashes.covers(pixel) || frames[2]->flashes.covers(pixel);
    };
    const auto value = [&](int frame, std::size_t at) { return std::to_integer<int>(frames[frame]->pixels[at]); };
    for (std::size_t pixel = 0; pixel < std::size_t{kFilmWidth} * kFilmHeight; ++pixel) {
        bool flickers = false;
        for (std::size_t c = 4 * pixel; c < 4 * pixel + 3; ++c) {
            const int first = value(1, c) - value(0, c);
            const int second = value(2, c) - value(1, c);
            flickers |= std::min(std::abs(first), std::abs(second)) > kSeen && (first > 0) != (second > 0);
        }
        count += flickers && !isFlash(pixel);
    }
    return static_cast<double>(count) / (double{kFilmWidth} * kFilmHeight);
}

/// The frames of a film as `whorl record` makes them, without texts.
std::vector<Frame> framesOf(const Film& film) {
    Session session = sessionFor({.input = film.program, .machine = film.machine});
    session.lapse = scene::lapseAt(film.perSecond, film.framesPerSecond);
    session.ringView.pace = film.perSecond;
    FrameComposer composer(session.opened);
    TestCanvas<gl::Painter> canvas(kFilmWidth, kFilmHeight);
    scene::View view = session.view({kFilmWidth, kFilmHeight}, 1);
    view.moveTicks = scene::moveTicksAt(film.perSecond);
    std::vector<Frame> frames;
    for (int i = 0; i < kFrames; ++i) {
        const scene::Scene& scene =
            composer.compose(film.from + i * film.perSecond / film.framesPerSecond, view).scene();
        frames.push_back({canvas.paint(scene), FlashMask(scene)});
    }
    return frames;
}

class Films : public testing::TestWithParam<Film> {};

TEST_P(Films, DoNotFlicker) {
    const std::vector<Frame> frames = framesOf(GetParam());
    double worst = 0;
    std::size_t at = 0;
    for (std::size_t i = 0; i + 2 < frames.size(); ++i) {
        const double now = flicker({&frames[i], &frames[i + 1], &frames[i + 2]});
        if (now > worst) at = i;
        worst = std::max(worst, now);
    }
    RecordProperty("worst", std::to_string(worst));
    EXPECT_LE(worst, kMaxFlicker) << "frame " << at + 1;
}

INSTANTIATE_TEST_SUITE_P(Rings, Films,
                         testing::Values(Film{"conflict4", "conflict", "lecture", 60, 4},
                                         Film{"conflict30", "conflict", "lecture", 60, 30},
                                         Film{"multiply4", "matmul:n=16", "paper", 1000, 4},
                                         Film{"multiply60", "matmul:n=16", "paper", 1000, 60},
                                         Film{"multiply250", "matmul:n=16", "paper", 1000, 250},
                                         Film{"multiply1000", "matmul:n=16", "paper", 1000, 1000, 30},
                                         Film{"blocked250", "matmul:n=16,variant=blocked", "paper", 1000, 250},
                                         Film{"tunnel4", "windtunnel", "coherence", 40000, 4},
                                         Film{"tunnel30", "windtunnel", "coherence", 40000, 30},
                                         Film{"tunnel500", "windtunnel", "coherence", 40000, 500},
                                         // In each frame more blocks go through these caches than they hold.
                                         Film{"tunnel20000", "windtunnel", "coherence", 40000, 20000},
                                         Film{"own500", "windtunnel", "", 40000, 500},
                                         Film{"own20000", "windtunnel", "", 40000, 20000}),
                         [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace whorl::app
