// The keys that the manual names exist: those in its text, and those that it lets the reader press.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>

#include "app/commands/bindings.h"
#include "support/folder.h"
#include "support/source_folder.h"

namespace whorl::app {
namespace {

/// Whether a word in code type is a key rather than code: one sign, or a key with a name, perhaps with others held.
bool looksLikeAKey(const std::string& word) {
    static const std::regex key(
        R"(((Ctrl|Shift)\+)*([!-~]|F[0-9]+|Space|Enter|Escape|Tab|Home|End|Page(Up|Down)|Up|Down|Left|Right|Backspace))");
    return std::regex_match(word, key);
}

TEST(ManualKeys, AreBound) {
    static const std::regex code("`([^`\n]+)`");
    std::size_t found = 0;
    for (const auto& entry : std::filesystem::directory_iterator(sourceFolder() + "/docs/manual")) {
        std::ifstream file(entry.path());
        std::string line;
        std::string fence;
        for (int number = 1; std::getline(file, line); ++number) {
            const auto expectBound = [&](const std::string& key) {
                ++found;
                EXPECT_NE(bindingForKey(key), nullptr) << entry.path() << ":" << number << ": " << key;
            };
            if (line.starts_with("```")) {
                fence = fence.empty() ? line : "";
            } else if (fence == "```keys") {
                expectBound(line.substr(0, line.find(' ')));
            } else if (fence.empty()) {
                for (std::sregex_iterator at(line.begin(), line.end(), code), end; at != end; ++at) {
                    if (looksLikeAKey((*at)[1])) expectBound((*at)[1]);
                }
            }
        }
    }
    EXPECT_GT(found, 30u);
}

TEST(ManualKeys, TheirPageHasThemAll) {
    const std::string page = sim::test::bytesOf(sourceFolder() + "/docs/keys.md");
    EXPECT_TRUE(page.ends_with("\n" + tableOfKeys())) << "write it again: cmake/make_keys.sh build/whorl";
}

}  // namespace
}  // namespace whorl::app
