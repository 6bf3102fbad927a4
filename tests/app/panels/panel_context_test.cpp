// What is clicked in the tile of a run happens at that run's time.
#include "app/panels/panel_context.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "app/panels/panel_parts.h"
#include "app/session/command.h"
#include "app/session/compared_runs.h"
#include "support/sessions.h"

namespace whorl::app {
namespace {

/// Two runs, and the context in which the tile of the second is drawn.
struct SecondTile {
    SecondTile(const std::string& first, const std::string& second, TimeLock lock)
        : s(comparedRuns({{.input = first}, {.input = second}})) {
        s.lock = lock;
    }
    template <class C>
    void queue(const C& command) {
        const RunContext seen = contextOf(s, 1);
        parts.context(s, seen, 1).queue(command);
        applyAll(s, std::exchange(parts.commands, {}));
    }
    double size() const { return static_cast<double>(s.compared[0].opened.run->trace().size()); }

    Session s;
    PanelParts parts;
};

template <class Check>
void forEachPair(const Check& check) {
    const std::string shorter = "matmul:n=8";
    const std::string longer = "matmul:n=8,variant=blocked,block=4";
    for (const TimeLock lock : {TimeLock::access, TimeLock::share, TimeLock::line}) {
        for (const auto& [first, second] : {std::pair(shorter, longer), std::pair(longer, shorter)}) {
            SCOPED_TRACE(first + " and " + second + ", lock " + std::string(wordOf(lock)));
            SecondTile tile(first, second, lock);
            check(tile);
        }
    }
}

TEST(SecondTile, StandsWhereItWasClicked) {
    forEachPair([](SecondTile& tile) {
        for (double t = 0; t <= tile.size(); t += 7) {
            tile.queue(command::Seek{t});
            // By access the first run must stand there too.
            const double reach = tile.s.lock == TimeLock::access ? tile.s.end() : tile.size();
            EXPECT_NEAR(contextOf(tile.s, 1).player.position(), std::min(t, reach), 1e-6) << t;
        }
    });
}

TEST(SecondTile, MeasuresTheRangeThatWasDragged) {
    forEachPair([](SecondTile& tile) {
        for (double from = 1; from + 40 < tile.size(); from += 61) {
            tile.queue(command::Range{from, from + 40});
            if (tile.s.lock == TimeLock::access && from + 40 > tile.s.end()) continue;
            const auto range = contextOf(tile.s, 1).range;
            ASSERT_TRUE(range);
            // The ends are whole accesses of the first run.
            const double step = tile.s.lock == TimeLock::line ? 40 : 1 + tile.size() / tile.s.end();
            EXPECT_NEAR(static_cast<double>(range->from.value), from, step);
            EXPECT_NEAR(static_cast<double>(range->to.value), from + 40, step);
        }
    });
}

TEST(SecondTile, ShowsTheTimeThatWasZoomedTo) {
    forEachPair([](SecondTile& tile) {
        tile.queue(command::TimeSeen{100, 300});
        const auto seen = contextOf(tile.s, 1).seen;
        ASSERT_TRUE(seen);
        EXPECT_NEAR(seen->from, 100, 1e-6);
        EXPECT_NEAR(seen->to, 300, 1e-6);
    });
}

}  // namespace
}  // namespace whorl::app
