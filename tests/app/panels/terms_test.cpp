// Terms in the words of scenes: which words are terms, of which colour, and that those of all shipped tours are right.
#include "app/panels/terms.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <regex>
#include <string>
#include <vector>

#include "app/tours/tour_catalogue.h"
#include "app/tours/tour_session.h"
#include "support/said_scenes.h"

namespace whorl::app {
namespace {

using Strings = std::vector<std::string>;

/// The terms in words, as they stand there; those with a place in front are names.
Strings termsOf(const Session& session, const std::string& words) {
    Strings out;
    for (const Term& term : termsIn(words, session)) {
        const std::string word = words.substr(term.from, term.bytes);
        switch (term.target.kind) {
            case scene::Target::Kind::region:
                EXPECT_EQ(session.opened.run->trace().regions()[term.target.region].name, word);
                out.push_back("region " + word);
                break;
            case scene::Target::Kind::level:
                EXPECT_EQ(session.opened.run->machine().levels[term.target.level].name, word);
                out.push_back("level " + word);
                break;
            default:
                EXPECT_FALSE(term.meaning.empty()) << word;
                out.push_back(word);
        }
    }
    return out;
}

Session opened(const std::string& input) {
    Session s;
    s.requests.add(request::Open{{.input = input}});
    openAll(s);
    return s;
}

TEST(Terms, AreWholeWords) {
    const Session s = opened("matmul:n=4");
    EXPECT_EQ(termsOf(s, "B's row misses in L1: a Bt, an hit-list, AB and B_2 are none; C hits."),
              (Strings{"region B", "misses", "level L1", "region C", "hits"}));
    EXPECT_EQ(termsOf(s, "Dirty blocks are written\nback, or writtenback."), (Strings{"Dirty", "written\nback"}));
    EXPECT_EQ(termsOf(s, "C[0][1], (B)"), (Strings{"region C", "region B"}));
    EXPECT_EQ(termsOf(s, ""), Strings{});
    EXPECT_EQ(termsOf(Session{}, "B misses"), Strings{}) << "nothing is open";
}

TEST(Terms, AnArticleIsNoRegion) {
    const Session upper = opened("matmul:n=4");
    EXPECT_EQ(termsOf(upper, "A row of A, and A is read. A B of its own? A few. A"),
              (Strings{"region A", "region A", "region A", "region B", "region A"}));
    EXPECT_EQ(termsOf(upper, "Plain loops: A is read"), (Strings{"region A"}));
    const Session lower = opened("arrayinit:n=8");
    EXPECT_EQ(termsOf(lower, "the array a, a block of a. a[1] is a\nhit"),
              (Strings{"region a", "region a", "region a", "hit"}));
}

/// Each is legible, and a name has the colour of its region.
TEST(Terms, AreLegibleOnBothGrounds) {
    Session s = opened("matmul:n=4");
    for (const scene::Ground ground : {scene::Ground::dark, scene::Ground::light}) {
        s.ground = ground;
        const std::string words = "A, B and C: hits and misses, evicted, dirty, written back.";
        const std::vector<Term> terms = termsIn(words, s);
        ASSERT_EQ(terms.size(), 8u);
        for (const Term& term : terms) {
            EXPECT_GE(scene::contrast(term.colour, scene::paletteFor(ground).ground), 4.5f) << words.substr(term.from);
        }
        EXPECT_EQ(terms[1].colour, scene::nameColour(s.opened.regionLooks->hueOf(1, {}, ground), ground));
        EXPECT_NE(terms[3].colour, terms[4].colour);
    }
}

/// An a or A that is marked is followed by no noun, and one that is not, by a word.
TEST(Terms, OfAllShippedToursAreNoArticles) {
    std::map<scene::Target::Kind, std::size_t> found;
    std::size_t articles = 0;
    for (const std::string& name : tourNames()) {
        const Tour tour = tourFrom(name).value();
        for (std::size_t i = 0; i < tour.scenes.size(); ++i) {
            const TourScene scene = withNumbers(resolvedScene(tour, i));
            Session s;
            s.opened.run = runOfScene(runsOf(scene, {}).first).value();
            s.opened.regionLooks = std::make_shared<scene::RegionLooks>(s.opened.run->trace());
            for (const std::string& words : {scene.title, scene.words}) {
                std::string rest = words;
                for (const Term& term : termsIn(words, s)) {
                    ++found[term.target.kind];
                    const std::string word = words.substr(term.from, term.bytes);
                    std::fill_n(rest.begin() + static_cast<std::ptrdiff_t>(term.from), term.bytes, '-');
                    if (word != "a" && word != "A") continue;
                    const std::regex noun("^ (?!(again|and|are|fit|in|is|missed) )[a-z]");
                    EXPECT_FALSE(std::regex_search(words.substr(term.from + 1), noun)) << name << ": " << words;
                }
                const auto& regions = s.opened.run->trace().regions();
                for (const char* letter : {"a", "A"}) {
                    if (std::none_of(regions.begin(), regions.end(), [&](const auto& r) { return r.name == letter; })) {
                        continue;
                    }
                    const std::regex alone(std::string("\\b") + letter + "\\b( [a-z-]|.?)");
                    for (std::sregex_iterator at(rest.begin(), rest.end(), alone), end; at != end; ++at, ++articles) {
                        EXPECT_EQ((*at)[1].length(), 2) << name << ": " << words;
                    }
                }
            }
        }
    }
    EXPECT_GT(found[scene::Target::Kind::region], 120u);
    EXPECT_GT(found[scene::Target::Kind::level], 60u);
    EXPECT_GT(found[scene::Target::Kind::none], 100u);
    EXPECT_GT(articles, 20u);
}

/// The mouse over a name lights the thing for as long as it is there, and changes nothing that undoing gives back.
TEST(Terms, LightWhatTheyName) {
    Session s = opened("matmul:n=4");
    const Session before = s;
    const Term b = termsIn("B misses", s).front();
    applyAll(s, {command::Touch{b.target}});
    const sim::Region& region = s.opened.run->trace().regions()[1];
    EXPECT_EQ(s.view({640, 480}, 1).picked, (scene::PickedBytes{region.base, region.size}));
    EXPECT_FALSE(s.selected);
    EXPECT_EQ(s.history.undoable(), before.history.undoable());
    applyAll(s, {command::Touch{scene::Target{.kind = scene::Target::Kind::region, .region = 99}}});
    EXPECT_FALSE(s.touched) << "there is none";
    applyAll(s, {command::Touch{termsIn("L2", s).front().target}});
    EXPECT_TRUE(s.touched);
    EXPECT_FALSE(s.view({640, 480}, 1).picked);
    applyAll(s, {command::Touch{}});
    EXPECT_EQ(s.view({640, 480}, 1), before.view({640, 480}, 1));
}

}  // namespace
}  // namespace whorl::app
