// The last byte of the address space, in blocks of one byte: the highest number that a block can have.
#include <gtest/gtest.h>

#include "sim/analysis/history_help.h"
#include "sim/analysis/latent_sharing.h"
#include "sim/analysis/reuse.h"
#include "sim/analysis/sharing.h"
#include "sim/trace/trace_help.h"

namespace whorl::sim {
namespace {

TEST(LastByte, IsCountedOnce) {
    MachineConfig machine = parseGeometry("4/4/1, 8/8/1").value();
    machine.cpus = 2;
    constexpr std::uint64_t kLast = ~std::uint64_t{0};
    TraceBuilder builder("end");
    for (int i = 0; i < 4; ++i) {
        builder.add(test::access(Op::write, kLast, 1, 0));
        builder.add(test::access(Op::read, kLast - 1, 2, 1));
    }
    const auto run = test::built(builder, machine);
    const Range all{Tick{0}, Tick{8}};
    Progress progress;

    const auto sharing = sharingOf(*run, all, progress);
    ASSERT_EQ(sharing->blocks.size(), 1u);
    EXPECT_EQ(sharing->blocks[0].block.value, kLast);
    EXPECT_EQ(sharing->blocks[0].invalidations, 3u);
    EXPECT_TRUE(latentSharingOf(*run, *sharing, progress));

    const auto reuse = reuseOf(run->trace(), 1, all, progress);
    EXPECT_EQ(reuse->all.uses(), 4u + 4u * 2u);
}

}  // namespace
}  // namespace whorl::sim
