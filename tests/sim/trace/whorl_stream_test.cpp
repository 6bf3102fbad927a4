#include "sim/trace/formats/whorl_writer.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <random>

#include "sim/trace/reader.h"
#include "sim/trace/trace_builder.h"

namespace whorl::sim {
namespace {

class StreamedFile : public testing::Test {
  protected:
    ~StreamedFile() override { std::filesystem::remove(path_); }

    const std::string path_ =
        (std::filesystem::temp_directory_path() / ("whorl-stream-" + std::to_string(getpid()) + ".whorl")).string();

    /// Accesses that are as good as random, so that packs are long.
    static Access accessAt(std::uint64_t i) {
        std::mt19937_64 random(i);
        return {.address = ByteAddress{0x10000 + random() % (1u << 28)},
                .size = 4,
                .op = i % 3 == 0 ? Op::write : Op::read,
                .site = SiteId{}};
    }

    Trace read() const {
        Progress progress;
        auto trace = readTrace(path_, {}, progress);
        EXPECT_TRUE(trace.has_value()) << trace.error().sentence();
        return trace ? std::move(*trace) : Trace();
    }
    static void expectFirst(const Trace& trace, std::uint64_t count) {
        ASSERT_EQ(trace.size(), count);
        trace.forEach(Tick{0}, Tick{count}, [](Tick t, const Access& a) {
            EXPECT_EQ(a.address, accessAt(t.value).address);
            EXPECT_EQ(a.op, accessAt(t.value).op);
        });
    }
};

TEST_F(StreamedFile, HoldsWhatABuilderWasGiven) {
    constexpr std::uint64_t kCount = 200'000;
    auto stream = WhorlStream::create(path_);
    ASSERT_TRUE(stream.has_value()) << stream.error().sentence();
    TraceBuilder builder("streamed");
    builder.keepIn(*stream);
    for (std::uint64_t i = 0; i < kCount; ++i) builder.add(accessAt(i));
    EXPECT_LT(builder.bytes(), 30u << 20);
    builder.mark("end");
    const Trace trace = builder.finish();
    expectFirst(trace, kCount);
    EXPECT_FALSE(std::filesystem::exists(path_));
    EXPECT_EQ((*stream)->finish(trace), kCount);
    const Trace again = read();
    expectFirst(again, kCount);
    EXPECT_EQ(again.regions().size(), trace.regions().size());
    EXPECT_EQ(again.marks().size(), 1u);
    EXPECT_TRUE(again.losses().empty());
}

TEST_F(StreamedFile, KeepsWhatFitsOnTheDisk) {
    constexpr std::uint64_t kCount = 600'000;
    constexpr rlim_t kRoom = 1'500'000;
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    auto stream = WhorlStream::create(path_);
    ASSERT_TRUE(stream.has_value()) << stream.error().sentence();
    const rlimit small{.rlim_cur = kRoom, .rlim_max = before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    TraceBuilder builder("streamed");
    builder.keepIn(*stream);
    for (std::uint64_t i = 0; i < kCount; ++i) builder.add(accessAt(i));
    const Trace trace = builder.finish();
    const auto kept = (*stream)->finish(trace);
    setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    ASSERT_TRUE(kept.has_value()) << kept.error().sentence();
    EXPECT_TRUE((*stream)->failure().has_value());
    EXPECT_LT(*kept, kCount);
    EXPECT_GT(*kept, 0u);
    EXPECT_LE(std::filesystem::file_size(path_), kRoom);
    expectFirst(read(), *kept);
}

TEST_F(StreamedFile, IsOnlyARegularFile) {
    const auto stream = WhorlStream::create("/dev/null");
    ASSERT_FALSE(stream.has_value());
    EXPECT_NE(stream.error().sentence().find("not a file"), std::string::npos);
}

}  // namespace
}  // namespace whorl::sim
