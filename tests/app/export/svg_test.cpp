// A frame as SVG, drawn by librsvg, looks as OpenGL paints it; its text is text; as PDF it is small, with its fonts.
#include <cairo.h>
#include <gtest/gtest.h>
#include <librsvg/rsvg.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <regex>
#include <sstream>

#include "app/cli/space_options.h"
#include "app/commands/bindings.h"
#include "app/export/offscreen_renderer.h"
#include "app/export/pdf.h"
#include "app/session/command.h"
#include "app/session/tour.h"
#include "app/tours/presenting.h"
#include "app/tours/tour_catalogue.h"
#include "render/scene/rings/view.h"
#include "support/said_scenes.h"
#include "support/sessions.h"

namespace whorl::app {
namespace {

constexpr int kWidth = 640;
constexpr int kHeight = 360;
constexpr double kTolerance = 0.006;  ///< of the picture: librsvg places and smooths letters in its own way

struct Shown {
    const char* input;
    double at;
    const char* views = "rings";
    const char* machine = "";
    scene::Ground ground = scene::Ground::dark;
    bool panels = false;
};
void PrintTo(const Shown& shown, std::ostream* out) {
    *out << shown.views << " of " << shown.input << (shown.ground == scene::Ground::light ? ", light" : "");
}

Session sessionOf(const Shown& shown) {
    Session s = sessionFor({.input = shown.input, .machine = shown.machine});
    s.ground = shown.ground;
    s.panels = shown.panels;
    SpaceOptions options;
    std::istringstream views(shown.views);
    for (std::string view; std::getline(views, view, ',');) options.views.push_back(view);
    EXPECT_TRUE(takeOver(options, s));
    s.player.seek(shown.at, s.end());
    return s;
}

std::unique_ptr<OffscreenRenderer> rendererFor(const Session& session, int width = kWidth, int height = kHeight) {
    return std::move(OffscreenRenderer::create(width, height, session.ground, 1).value());
}

/// The mean colour of each square of 4 by 4 pixels, so that it does not matter how edges are smoothed.
class Coarse {
  public:
    static constexpr int kSide = 4;

    /// `channels`: the places of red, green and blue in each four bytes.
    Coarse(const unsigned char* pixels, std::ptrdiff_t stride, std::array<int, 3> channels)
        : means_(static_cast<std::size_t>(kWidth / kSide * kHeight / kSide * 3)) {
        for (int y = 0; y < kHeight; ++y) {
            for (int x = 0; x < kWidth; ++x) {
                const int cell = (y / kSide * (kWidth / kSide) + x / kSide) * 3;
                for (int c = 0; c < 3; ++c) {
                    const int value = pixels[y * stride + 4 * x + channels[static_cast<std::size_t>(c)]];
                    means_[static_cast<std::size_t>(cell + c)] += static_cast<float>(value) / (kSide * kSide);
                }
            }
        }
    }

    /// The share of squares that differ by more than a tenth of all brightness.
    double differing(const Coarse& other) const {
        std::size_t count = 0;
        for (std::size_t i = 0; i < means_.size(); i += 3) {
            float most = 0;
            for (std::size_t c = 0; c < 3; ++c) most = std::max(most, std::abs(means_[i + c] - other.means_[i + c]));
            count += most > 25 ? 1 : 0;
        }
        return static_cast<double>(count * 3) / static_cast<double>(means_.size());
    }

  private:
    std::vector<float> means_;
};

Coarse painted(const Session& session) {
    const auto renderer = rendererFor(session);
    const auto& pixels = renderer->draw(session, scene::View::kAtRest);
    return {reinterpret_cast<const unsigned char*>(pixels.data()), std::ptrdiff_t{4} * kWidth, {0, 1, 2}};
}

std::string svgOf(const Session& session) {
    return rendererFor(session)->drawSvg(session, scene::View::kAtRest).value();
}

/// By librsvg, which knows nothing of us.
Coarse drawn(const std::string& svg) {
    RsvgHandle* const handle =
        rsvg_handle_new_from_data(reinterpret_cast<const guint8*>(svg.data()), svg.size(), nullptr);
    cairo_surface_t* const surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, kWidth, kHeight);
    cairo_t* const canvas = cairo_create(surface);
    const RsvgRectangle page{0, 0, kWidth, kHeight};
    EXPECT_TRUE(rsvg_handle_render_document(handle, canvas, &page, nullptr));
    cairo_surface_flush(surface);
    const Coarse coarse(cairo_image_surface_get_data(surface), cairo_image_surface_get_stride(surface), {2, 1, 0});
    cairo_destroy(canvas);
    cairo_surface_destroy(surface);
    g_object_unref(handle);
    return coarse;
}

class Svg : public testing::TestWithParam<Shown> {};

TEST_P(Svg, LooksAsOpenGlPaintsIt) {
    const Session session = sessionOf(GetParam());
    EXPECT_LE(painted(session).differing(drawn(svgOf(session))), kTolerance);
}

TEST_P(Svg, IsTheSameToTheByte) {
    const Session session = sessionOf(GetParam());
    const std::string svg = svgOf(session);
    EXPECT_EQ(svg, svgOf(session));
    EXPECT_EQ(pdfOf(svg).value(), pdfOf(svg).value());
}

INSTANTIATE_TEST_SUITE_P(
    Pictures, Svg,
    testing::Values(Shown{"matmul:n=16", 3915.35}, Shown{"matmul:n=16", 3915.35, "rings", "", scene::Ground::light},
                    Shown{"mergesort:n=512", 2000, "rings", "laptop", scene::Ground::light}, Shown{"vecadd", 300},
                    Shown{"conflict", 100.3, "rings", "", {}, true},
                    Shown{"matmul:n=16", 3000, "memory,cache:L1,phases"},
                    Shown{"matmul:n=16", 3000, "cache-live:L1,history:B[3][4]", "", scene::Ground::light},
                    Shown{"matmul:n=16", 3000, "source,collisions"}));

/// What the comparison above must catch.
TEST(SvgOfTheNextAccess, DiffersByMoreThanTheTolerance) {
    const Shown shown{"conflict", 100};
    Shown next = shown;
    next.at = 101;
    EXPECT_GT(painted(sessionOf(shown)).differing(drawn(svgOf(sessionOf(next)))), kTolerance);
}

TEST(SvgOfAFrame, HoldsItsTextAsText) {
    Session session = sessionOf({"matmul:n=16", 3915.35});
    session.caption = true;
    const std::string svg = rendererFor(session, 1280, 720)->drawSvg(session, scene::View::kAtRest).value();
    for (const char* words : {"many misses", ">evicted<", "hit rates over the run", ">matmul:n=16</text>"}) {
        EXPECT_NE(svg.find(words), std::string::npos) << words;
    }
    // Outlines are strokes of the text, not copies of it.
    std::size_t count = 0;
    const std::string words = "hit rates over the run";
    for (std::size_t at = svg.find(words); at != std::string::npos; at = svg.find(words, at + 1)) ++count;
    EXPECT_EQ(count, 1);
}

/// The texts of a picture, one after the other.
std::string textsOf(const std::string& svg) {
    std::string texts;
    bool isTag = false;
    for (const char c : svg) {
        if (c == '<') texts += ' ';
        isTag = c == '<' || (isTag && c != '>');
        if (!isTag && c != '>') texts += c == '\n' ? ' ' : c;
    }
    std::string out;
    std::istringstream words(texts);
    for (std::string word; words >> word;) out += word + " ";
    return out;
}

/// Terms are texts of their own, and a comma may follow.
std::string withoutSpaces(std::string words) {
    words.erase(std::remove(words.begin(), words.end(), ' '), words.end());
    return words;
}

/// However long an answer and its explanation are, an audience reads all of it.
TEST(SvgOfAScene, TellsAllOfItsWords) {
    for (const auto& [width, height] : {std::pair(1024, 768), std::pair(1280, 720), std::pair(720, 1280)}) {
        Session session = sessionOf({"conflict:n=16", 20});
        session.caption = session.lecture = true;
        const auto renderer = rendererFor(session, width, height);
        for (const char* name : {"coherence", "writes", "pages"}) {
            const Tour tour = *tourFrom(name);
            for (std::size_t i = 0; i < tour.scenes.size(); ++i) {
                const TourScene scene = withNumbers(resolvedScene(tour, i));
                const auto& question = scene.question;
                const bool isAnswered = question && !question->predicts;
                session.sceneText = SceneWords{
                    .title = isAnswered ? question->text + " Not so. Answer: " + question->answer : scene.title,
                    .words = isAnswered ? question->why + " " + scene.words : scene.words};
                const std::string texts = textsOf(renderer->drawSvg(session, scene::View::kAtRest).value());
                if (session.sceneText->words.find_first_of("<&\"'") != std::string::npos)
                    continue;  // written otherwise
                EXPECT_NE(withoutSpaces(texts).find(withoutSpaces(session.sceneText->words)), std::string::npos)
                    << width << ": " << session.sceneText->words << " is not in " << texts;
            }
        }
    }
}

/// Beside a flat picture, what its own colours mean is told, and of which accesses it is; the signs of the rings are
/// not.
TEST(SvgOfAFlatView, HasNoSignsOfTheRings) {
    Session session = sessionOf({"matmul:n=16", 4000, "cache:L1"});
    session.caption = true;
    const auto renderer = rendererFor(session, 1280, 720);
    const std::string texts = textsOf(renderer->drawSvg(session, scene::View::kAtRest).value());
    for (const char* sign : {"dirty", "evicted", "written back", "4 000 of 8 448"}) {
        EXPECT_EQ(texts.find(sign), std::string::npos) << sign;
    }
    EXPECT_NE(texts.find("of accesses 0 – 8 448 (8 448)"), std::string::npos) << texts;
    // Nor the numbers in them, also where there is much room below.
    Session upright = sessionOf({"matmul:n=16", 8448, "phases"});
    upright.caption = true;
    const std::string below = textsOf(rendererFor(upright, 540, 960)->drawSvg(upright, scene::View::kAtRest).value());
    EXPECT_NE(below.find("evicts B[9][12], clean"), std::string::npos) << below;
    EXPECT_EQ(below.find("①"), std::string::npos) << below;
}

/// Texts that stand upright, and where: "19 223.4".
std::map<std::string, std::string> placesOf(const std::string& svg) {
    std::map<std::string, std::string> places;
    static const std::regex kText(R"re(<text x="([^"]*)" y="([^"]*)"[^>]*>([^<]*))re");
    for (std::sregex_iterator at(svg.begin(), svg.end(), kText), end; at != end; ++at) {
        places.emplace((*at)[3], (*at)[1].str() + " " + (*at)[2].str());
    }
    return places;
}

/// While accesses follow each other faster than one reads, the line that most of them are of stands in the place of
/// their sentences, and what else is said stays where it is when numbers get longer.
TEST(SvgOfAFilm, HoldsStill) {
    for (const auto& [width, height] : {std::pair(800, 450), std::pair(1280, 720), std::pair(540, 960)}) {
        Session session = sessionOf({"matmul:n=16", 0});
        session.caption = true;
        session.ringView.pace = 8;
        const auto renderer = rendererFor(session, width, height);
        const auto placesAt = [&](double t) {
            session.player.seek(t, session.end());
            return placesOf(renderer->drawSvg(session, 1).value());
        };
        const auto first = placesAt(960.25);
        for (const double t : {970.0, 989.5, 999.0, 1000.0, 1001.5, 1023.0}) {
            const auto places = placesAt(t);
            for (const char* words : {"line 6: sum += A(i, k) * B(k, j);", "hit rates over the run", "L1", "L2",
                                      "machine paper: 512/8/32, 2K/16/32"}) {
                ASSERT_EQ(first.count(words), 1) << width << ": " << words;
                EXPECT_EQ(places.count(words), 1) << width << " at " << t << ": " << words;
                EXPECT_EQ(places.at(words), first.at(words)) << width << " at " << t << ": " << words;
            }
        }
        session.ringView.pace = 0;
        EXPECT_EQ(placesAt(1000).count("line 6: sum += A(i, k) * B(k, j);"), 0) << "what rests is told in full";
    }
}

/// Of views beside each other the active one has a frame of its own, but not before an audience.
TEST(FrameOfViews, OnTheStageNoneIsTheActiveOne) {
    Session session = sessionOf({"matmul:n=16", 4000, "memory,cache:L1"});
    for (const bool isOnStage : {false, true}) {
        session.caption = isOnStage;
        const auto renderer = rendererFor(session);
        const std::vector<std::byte> pixels = renderer->draw(session, scene::View::kAtRest);
        const auto row = static_cast<std::ptrdiff_t>(4) * kWidth * 100;
        const auto first = pixels.begin() + row;
        const auto last = first + 4 * (kWidth - 1);
        EXPECT_EQ(std::equal(first, first + 4, last), isOnStage) << "the left and the right edge";
    }
}

TEST(SvgOfAFrame, EscapesWhatXmlWouldTakeForItsOwn) {
    Session session = sessionOf({"mergesort:n=64", 40});
    session.panels = true;  // the listing has < and &
    const std::string svg = svgOf(session);
    EXPECT_NE(svg.find("&lt;"), std::string::npos);
    drawn(svg);
}

TEST(PdfOfEachScene, IsUnderTwoMegabytesWithItsFonts) {
    const Tour tour = tourFrom("rings").value();
    for (const TourScene& scene : tour.scenes) {
        Session session = sessionOf({scene.input.c_str(), scene.position(), "rings", scene.machine.c_str()});
        session.caption = true;
        takeFields(scene, session);
        const std::string pdf = pdfOf(svgOf(session)).value();
        EXPECT_LT(pdf.size(), 2'000'000) << scene.id;
        EXPECT_NE(pdf.find("/FontFile"), std::string::npos) << scene.id;
        EXPECT_EQ(pdf.find("/CreationDate"), std::string::npos) << scene.id;
    }
}

/// What gives way where room is short, at a desk and in a talk.
TEST(Svg, WhatHasNoRoomBesideThePictureIsOneKeyAway) {
    for (const bool talks : {false, true}) {
        Session s = sessionOf({.input = "matmul:n=8", .at = 300});
        s.panels = false;
        s.caption = s.lecture = true;
        s.talk.on = talks;
        s.sceneText = SceneWords{.title = "Rows", .words = std::string(400, 'w')};
        const auto renderer = rendererFor(s);
        const auto tells = [&](const char* words) {
            return renderer->drawSvg(s, 0).value().find(words) != std::string::npos;
        };
        for (const char* words : {"hit rates over the run", "also nearer", "read "}) EXPECT_FALSE(tells(words));
        applyAll(s, {bindingForKey("i", s)->command});
        for (const char* words : {"hit rates over the run", "also nearer", "read "}) EXPECT_TRUE(tells(words)) << words;
        applyAll(s, {bindingForKey("i", s)->command});
        EXPECT_FALSE(tells("also nearer"));
    }
}

}  // namespace
}  // namespace whorl::app
