// The fully associative shadow of each cache, against a list of uses.
#include "sim/replay/totals/classifier.h"
#include "support/rounds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace whorl::sim {
namespace {

/// The blocks held, most recent first.
class ListedShadow {
  public:
    explicit ListedShadow(std::size_t blocks) : capacity_(blocks) {}

    bool holds(std::uint32_t id) const { return std::find(held_.begin(), held_.end(), id) != held_.end(); }
    void use(std::uint32_t id) {
        remove(id);
        held_.insert(held_.begin(), id);
        if (held_.size() > capacity_) held_.pop_back();
    }
    void remove(std::uint32_t id) { held_.erase(std::remove(held_.begin(), held_.end(), id), held_.end()); }

  private:
    std::size_t capacity_;
    std::vector<std::uint32_t> held_;
};

// Uses one by one and in sequences, blocks that are removed and return, and clocks that overflow soon.
TEST(Shadow, HoldsWhatAListHolds) {
    std::mt19937_64 random(11);
    for (std::uint64_t round = 0; round < testRounds(60); ++round) {
        const std::uint32_t blocks = 1 + static_cast<std::uint32_t>(random() % 20);
        const std::uint32_t ids = 2 + static_cast<std::uint32_t>(random() % 40);
        const std::uint64_t removals = random() % 3 == 0 ? 2 : 20;
        Shadow shadow(blocks, random() % 2 == 0 ? blocks + 1 + random() % 50 : Shadow::kLongest);
        ListedShadow listed(blocks);
        for (std::uint32_t id = 0; id < ids; ++id) {
            shadow.use(id);
            listed.use(id);
        }
        for (int step = 0; step < 400; ++step) {
            const auto some = [&] { return static_cast<std::uint32_t>(random() % ids * (random() % 4) / 3); };
            if (random() % removals == 0) {
                const std::uint32_t id = some();
                shadow.remove(id);
                listed.remove(id);
            } else if (random() % 3 == 0) {
                Shadow::Uses uses(shadow);
                for (std::uint64_t i = random() % 20; i > 0; --i) {
                    const std::uint32_t id = some();
                    ASSERT_EQ(uses.holds(id), listed.holds(id));
                    if (!uses.holds(id)) continue;
                    uses.add(id);
                    listed.use(id);
                }
            } else {
                const std::uint32_t id = some();
                shadow.use(id);
                listed.use(id);
            }
            for (std::uint32_t id = 0; id < ids; ++id) {
                ASSERT_EQ(shadow.holds(id), listed.holds(id)) << round << ", step " << step << ": " << id;
            }
        }
    }
}

}  // namespace
}  // namespace whorl::sim
