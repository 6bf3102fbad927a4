// cmake/embed.cmake compiles the exact bytes of files into the program.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "support/source_folder.h"

namespace whorl::structure {

// Defined in the file that cmake/embed.cmake generates from all files in tests/structure/embed.
std::span<const std::pair<std::string_view, std::string_view>> embeddedTestFiles();
std::span<const std::pair<std::string_view, std::string_view>> embeddedNothing();

namespace {

const std::filesystem::path kFolder = sourceFolder() + "/tests/structure/embed";

TEST(Embed, FilesComeThroughToTheByte) {
    ASSERT_EQ(embeddedTestFiles().size(), 3U);
    for (const auto& [name, content] : embeddedTestFiles()) {
        std::ifstream in(kFolder / name, std::ios::binary);
        ASSERT_TRUE(in) << name;
        const std::string expected((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
        EXPECT_TRUE(content == expected) << name << " differs";
        EXPECT_EQ(content.empty(), name == "empty.txt") << name;
    }
}

TEST(Embed, NoFilesAreNoFiles) {
    EXPECT_TRUE(embeddedNothing().empty());
}

}  // namespace
}  // namespace whorl::structure
