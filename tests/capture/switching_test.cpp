// Recordings that somebody stops and begins while the program runs.
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "capture/compiled.h"

namespace whorl::sim {
namespace {

/// Leads tests/capture/programs/stages.cpp, and switches where it is in its stages.
class Leader {
  public:
    explicit Leader(unsigned atSecond, unsigned atThird) : atSecond_(atSecond), atThird_(atThird) {
        std::filesystem::remove_all(folder_);
        std::filesystem::create_directory(folder_);
    }

    const std::string& folder() const { return folder_; }

    /// Called all the time by the recording: how often to switch.
    unsigned switches() {
        if (is("in-first") && !is("go-to-second")) later("go-to-second");
        if (is("in-second") && !is("go-to-third")) {
            switches_ = atSecond_;
            later("go-to-third");
        }
        if (is("in-third") && !is("go-to-end")) {
            switches_ = atThird_;
            later("go-to-end");
        }
        return switches_;
    }

  private:
    std::string folder_ = test::workFolder() + "/stages";
    unsigned atSecond_;
    unsigned atThird_;
    unsigned switches_ = 0;
    std::optional<std::chrono::steady_clock::time_point> since_;  ///< it works in its stage

    bool is(const char* file) const { return std::filesystem::exists(folder_ + '/' + file); }
    /// Lets the program go on after it has worked for a while.
    void later(const char* file) {
        constexpr std::chrono::milliseconds kWhile(40);
        const auto now = std::chrono::steady_clock::now();
        if (!since_) since_ = now;
        if (now - *since_ < kWhile) return;
        since_.reset();
        std::ofstream(folder_ + '/' + file).put('\n');
    }
};

CaptureOptions led(Leader& leader, const std::string& way) {
    CaptureOptions options;
    options.command = {test::compiled("stages.cpp", way + "g++ -O1"), leader.folder()};
    options.switches = [&] { return leader.switches(); };
    return options;
}

class SwitchingOfBothWays : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Ways, SwitchingOfBothWays, testing::ValuesIn(test::kWays));

TEST_P(SwitchingOfBothWays, StopsAndBegins) {
    Leader leader(1, 2);
    const test::Recorded captured = test::recorded(led(leader, GetParam()));
    EXPECT_EQ(captured.status, 3);
    const Trace& trace = captured.trace;
    EXPECT_GT(test::bytesOf(trace, "first").written, 0u);
    EXPECT_GT(test::bytesOf(trace, "third").written, 0u);
    EXPECT_GT(trace.accessesOff(), 0u);
    ASSERT_EQ(trace.marks().size(), 2u);
    EXPECT_EQ(trace.marks()[0].text, "recording stopped");
    EXPECT_EQ(trace.marks()[1].text, "recording began");
    EXPECT_EQ(trace.marks()[0].at, trace.marks()[1].at) << "nothing is recorded between";
    const Region* const first = test::regionNamed(trace, "first");
    ASSERT_NE(first, nullptr);
    trace.forEach(trace.marks()[1].at, Tick{trace.size()},
                  [&](Tick, const Access& a) { EXPECT_FALSE(first->contains(a.address)); });
}

TEST_P(SwitchingOfBothWays, BeginsWhatStartsOff) {
    Leader leader(1, 2);
    CaptureOptions options = led(leader, GetParam());
    options.startOff = true;
    const Trace trace = test::recorded(options).trace;
    EXPECT_EQ(test::bytesOf(trace, "first").written, 0u);
    EXPECT_GT(test::bytesOf(trace, "second").written, 0u);
    ASSERT_EQ(trace.marks().size(), 2u);
    EXPECT_EQ(trace.marks()[0].text, "recording began");
    EXPECT_EQ(trace.marks()[1].text, "recording stopped");
    EXPECT_EQ(trace.marks()[1].at, Tick{trace.size()});
}

TEST_P(SwitchingOfBothWays, TwiceAtOnceChangesNothing) {
    Leader leader(2, 2);
    const Trace trace = test::recorded(led(leader, GetParam())).trace;
    EXPECT_GT(test::bytesOf(trace, "second").written, 0u);
    EXPECT_GT(test::bytesOf(trace, "third").written, 0u);
    EXPECT_EQ(trace.accessesOff(), 0u);
}

}  // namespace
}  // namespace whorl::sim
