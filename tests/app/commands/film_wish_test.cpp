// "Record this" films what the window shows: read back, the tour of the film is that moment, and plays the range.
#include "app/commands/file_commands.h"

#include <fmt/format.h>

#include "app/tours/tour_editing.h"
#include "app/tours/tour_session.h"

namespace whorl::app {
namespace {

Session showing(const std::string& input) {
    Session s;
    s.requests.add(request::Open{OpenRequest{.input = input, .machine = "1K/1/32, 4K/4/32"}});
    openAll(s);
    s.pictureSize = {1001, 701};
    return s;
}

TEST(FilmWish, TheRangeIsPlayedAsItIsSeen) {
    Session s = showing("conflict");
    apply(s, command::Range{20, 60});
    apply(s, command::ZoomIn{});
    const auto wish = filmOfMoment(s);
    ASSERT_TRUE(wish) << wish.error().sentence();
    EXPECT_EQ(wish->name, "conflict");
    EXPECT_EQ(wish->size, glm::ivec2(1000, 700)) << "videos have even sizes";
    const auto tour = parseTour(tourText(wish->tour), "t.json");
    ASSERT_TRUE(tour) << tour.error().sentence();
    EXPECT_EQ(*tour, wish->tour);
    Session played;
    begin(played, *tour);
    EXPECT_EQ(played.player.position(), 20);
    EXPECT_EQ(played.opened.request.machine, s.opened.request.machine);
    EXPECT_EQ(played.camera.now().zoom, s.camera.target().zoom);
    EXPECT_EQ(played.range, s.range);
    pass(played, 40 / s.player.pace() + 1);
    EXPECT_EQ(played.player.position(), 60);
}

TEST(FilmWish, WithoutARangeTheNextTwentySeconds) {
    Session s = showing("matmul:n=8");
    apply(s, command::Seek{100});
    const auto wish = filmOfMoment(s);
    ASSERT_TRUE(wish) << wish.error().sentence();
    EXPECT_EQ(wish->tour.scenes.front().end(), 100 + 20 * s.player.pace());
    apply(s, command::SeekEnd{});
    EXPECT_FALSE(filmOfMoment(s)) << "nothing follows";
}

TEST(FilmWish, WhatCannotBeFilmedIsSaid) {
    Session s = showing("matmul:n=16");
    apply(s, command::Range{0, 8000});
    apply(s, command::Record{});
    EXPECT_FALSE(s.requests.has<request::MakeOfTour>());
    EXPECT_EQ(
        s.message,
        "Not recorded: the range takes 33 minutes at this pace, and a film from the window at most 10; play faster, "
        "or choose a shorter range.");
    s = showing("matmul:n=8");
    s.opened.request.reading.lenient = true;
    apply(s, command::Record{});
    EXPECT_FALSE(s.requests.has<request::MakeOfTour>());
    EXPECT_EQ(
        s.message,
        "Not recorded: a trace that is read with options cannot be filmed from here; record it by the command whorl "
        "record, which has an option for it.");
}

}  // namespace
}  // namespace whorl::app
