#include "app/system/background_programs.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "app/system/child_process.h"
#include "app/system/threads.h"

namespace whorl::app {
namespace {

class Watching : public testing::Test {
  protected:
    TemporaryFolder sources_;
    TemporaryFolder made_;
    const std::string file_ = sources_.path() + "/a program.c";

    void SetUp() override {
        if (std::system("command -v cc > /dev/null && command -v valgrind > /dev/null") != 0) {
            GTEST_SKIP() << "no compiler, or no valgrind";
        }
    }
    void write(const std::string& name, const std::string& text) const {
        std::ofstream(sources_.path() + '/' + name) << text;
    }
    WatchedSource watched() const {
        return {.file = file_, .compiler = {}, .arguments = {"100"}, .folder = made_.path()};
    }
    static std::optional<sim::Expected<RecordedSource>> waitFor(WatchedProgram& program) {
        for (int i = 0; i < 1200; ++i) {
            if (auto made = program.update()) return made;
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        }
        return std::nullopt;
    }
};

TEST_F(Watching, WhatIsSavedIsCompiledAndRecorded) {
    write("a program.c",
          "#include \"size.h\"\n#include <stdlib.h>\nint a[SIZE];\nint main(int n, char** v) { for (int i = "
          "0; i < atoi(v[1]); ++i) a[i] += n; }\n");
    write("size.h", "#define SIZE 100\n");
    sim::Progress progress;
    const auto first = compileAndRecord(watched(), 1, progress);
    ASSERT_TRUE(first.has_value()) << first.error().sentence();
    EXPECT_TRUE(std::filesystem::exists(first->trace));
    ThreadPool pool;
    WatchedProgram program(pool, watched(), *first);
    EXPECT_FALSE(program.update().has_value());
    EXPECT_FALSE(program.working());
    // A header counts, too; and what the compiler says is the error.
    write("size.h", "#define SIZE 100 x\n");
    auto made = waitFor(program);
    ASSERT_TRUE(made.has_value());
    ASSERT_FALSE(made->has_value());
    EXPECT_NE(made->error().sentence().find("cannot be compiled"), std::string::npos);
    EXPECT_NE(made->error().sentence().find("a program.c"), std::string::npos);
    EXPECT_TRUE(std::filesystem::exists(first->trace)) << "the last recording stays while there is no other";
    write("size.h", "#define SIZE 1000\n");
    made = waitFor(program);
    ASSERT_TRUE(made.has_value());
    ASSERT_TRUE(made->has_value()) << made->error().sentence();
    EXPECT_TRUE(std::filesystem::exists((*made)->trace));
    EXPECT_FALSE(std::filesystem::exists(first->trace));
}

TEST_F(Watching, AnUnknownLanguageIsSaid) {
    EXPECT_EQ(*usualCompiler("x.c"), "cc -O2 -g");
    EXPECT_EQ(*usualCompiler("x.cpp"), "c++ -O2 -g");
    ASSERT_FALSE(usualCompiler("x.txt").has_value());
    EXPECT_NE(usualCompiler("x.txt").error().sentence().find("--compile"), std::string::npos);
}

}  // namespace
}  // namespace whorl::app
