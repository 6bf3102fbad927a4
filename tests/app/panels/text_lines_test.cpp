// Lines of text: nothing is lost, no line is too wide, and no number, name or path is broken that fits into a line.
#include "app/panels/text_lines.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cfloat>
#include <filesystem>
#include <limits>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "app/panels/imgui_style.h"
#include "support/folder.h"
#include "support/source_folder.h"

namespace whorl::app {
namespace {

class TextLines : public testing::Test {
  protected:
    TextLines() {
        ImGui::CreateContext();
        ImGui::GetIO().IniFilename = nullptr;
        font_ = loadFonts(1).body;
    }
    ~TextLines() override { ImGui::DestroyContext(); }
    TextLines(const TextLines&) = delete;
    TextLines& operator=(const TextLines&) = delete;

    float widthOf(const std::string& words) const { return font_->CalcTextSizeA(16, FLT_MAX, 0, words.c_str()).x; }

    ImFont* font_;
};

std::string withoutSpace(std::string words) {
    std::erase_if(words, [](char c) { return c == ' ' || c == '\n'; });
    return words;
}

TEST_F(TextLines, KeepNumbersNamesAndPathsWhole) {
    const std::string words =
        "1.00327e+06 cycles, 0.00693779 of all; Global.ArrayB[4] at mm.h:12, /far/off/src/mm.c and  two spaces: "
        "B[3][4]. "
        "Why? \"Yes!\"\nAddress in bits: 0001,0010";
    for (float width = 40; width < 900; width += 7) {
        const std::string lines = inLines(*font_, 16, width, words);
        EXPECT_EQ(withoutSpace(lines), withoutSpace(words));
        std::istringstream all(lines);
        std::vector<std::string> shown;
        for (std::string line; std::getline(all, line);) {
            EXPECT_LE(widthOf(line), width + 1) << line;
            std::istringstream parts(line);
            for (std::string word; parts >> word;) shown.push_back(word);
        }
        std::istringstream given(words);
        for (std::string word; given >> word;) {
            if (widthOf(word) > width) continue;
            EXPECT_NE(std::find(shown.begin(), shown.end(), word), shown.end()) << word << " at " << width;
        }
    }
    EXPECT_EQ(inLines(*font_, 16, 2000, words), words);
    for (const std::string whole : {"85 %", "1 012 304", "CPU 0", "line 14", "L1 2 319"}) {
        for (float width = widthOf(whole); width < 300; width += 3) {
            const std::string lines = inLines(*font_, 16, width, "of all that is read " + whole + " are here");
            EXPECT_NE(lines.find(whole), std::string::npos) << lines;
        }
    }
    EXPECT_EQ(inLines(*font_, 16, widthOf("/far/off/src/"), "/far/off/src/mm.c"), "/far/off/src/\nmm.c");
}

TEST_F(TextLines, AreCutAfterAWord) {
    const std::string words = "random replacement of café";
    for (float width = 20; width < widthOf(words); width += 3) {
        const std::string cut = cutAtEnd(*font_, 16, width, words);
        EXPECT_TRUE(cut.ends_with("…") && widthOf(cut) <= width) << cut;
        const std::string kept = cut.substr(0, cut.size() - std::string("…").size());
        EXPECT_TRUE(words.starts_with(kept));
        EXPECT_TRUE(kept.size() < 6 || words[kept.size()] == ' ') << cut;
    }
    EXPECT_EQ(cutAtEnd(*font_, 16, 2000, words), words);
}

/// As in a card of a very small window.
TEST_F(TextLines, EndAlsoWhereThereIsNoRoom) {
    const std::string words = "  2 304 misses, \n85 % of CPU 0 ";
    for (const float width : {0.0F, -0.6F, -200.0F, std::numeric_limits<float>::quiet_NaN()}) {
        EXPECT_EQ(withoutSpace(inLines(*font_, 16, width, words)), withoutSpace(words)) << width;
    }
}

/// ImGui's own lines are nowhere used.
TEST(TextLinesOfAll, AreBrokenByOneRule) {
    static const std::regex own("TextWrapped|TextWrapPos|CalcWordWrap");
    for (const auto& entry : std::filesystem::recursive_directory_iterator(sourceFolder() + "/app")) {
        if (!entry.is_regular_file()) continue;
        const std::string text = sim::test::bytesOf(entry.path());
        EXPECT_FALSE(std::regex_search(text, own)) << entry.path();
    }
}

}  // namespace
}  // namespace whorl::app
