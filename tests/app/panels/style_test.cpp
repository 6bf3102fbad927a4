#include <gtest/gtest.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <ios>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "app/panels/imgui_style.h"
#include "support/source_folder.h"

namespace whorl::app {
namespace {

using scene::Ground;

/// An ImGui context for one test.
class FontsTest : public testing::Test {
  protected:
    FontsTest() {
        ImGui::CreateContext();
        ImGui::GetIO().IniFilename = nullptr;  // nothing is left in the current folder
    }
    ~FontsTest() override { ImGui::DestroyContext(); }
    FontsTest(const FontsTest&) = delete;
    FontsTest& operator=(const FontsTest&) = delete;
};

class StyleTest : public FontsTest, public testing::WithParamInterface<Ground> {};

double luminance(const ImVec4& c) {
    const auto linear = [](double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(c.x) + 0.7152 * linear(c.y) + 0.0722 * linear(c.z);
}

/// As defined by WCAG 2.1.
double contrast(const ImVec4& a, const ImVec4& b) {
    const auto [low, high] = std::minmax({luminance(a), luminance(b)});
    return (high + 0.05) / (low + 0.05);
}

ImVec4 over(const ImVec4& top, const ImVec4& below) {
    const auto mix = [&top](float a, float b) { return a * top.w + b * (1 - top.w); };
    return {mix(top.x, below.x), mix(top.y, below.y), mix(top.z, below.z), 1};
}

TEST_P(StyleTest, EveryTextCanBeReadOnWhateverItStandsOn) {
    applyStyle(GetParam(), 1);
    const ImVec4* colours = ImGui::GetStyle().Colors;
    const ImVec4 panel = colours[ImGuiCol_WindowBg];
    for (const ImGuiCol ground :
         {ImGuiCol_WindowBg,      ImGuiCol_ChildBg,       ImGuiCol_PopupBg,       ImGuiCol_MenuBarBg,
          ImGuiCol_TitleBg,       ImGuiCol_TitleBgActive, ImGuiCol_FrameBg,       ImGuiCol_FrameBgHovered,
          ImGuiCol_FrameBgActive, ImGuiCol_Button,        ImGuiCol_ButtonHovered, ImGuiCol_ButtonActive,
          ImGuiCol_Header,        ImGuiCol_HeaderHovered, ImGuiCol_HeaderActive,  ImGuiCol_Tab,
          ImGuiCol_TabHovered,    ImGuiCol_TabActive,     ImGuiCol_TabUnfocused,  ImGuiCol_TabUnfocusedActive,
          ImGuiCol_TableHeaderBg, ImGuiCol_TableRowBg,    ImGuiCol_TableRowBgAlt, ImGuiCol_TextSelectedBg}) {
        const ImVec4 below = over(colours[ground], panel);
        EXPECT_GE(contrast(colours[ImGuiCol_Text], below), 4.5) << ImGui::GetStyleColorName(ground);
        EXPECT_GE(contrast(colours[ImGuiCol_TextDisabled], below), 4.5) << ImGui::GetStyleColorName(ground);
    }
}

TEST_P(StyleTest, WordsInTheThemesColoursCanBeRead) {
    const Theme colours = theme(GetParam());
    for (const ImVec4& below : {colours.panel, colours.ground, colours.frame}) {
        for (const ImVec4& words : {colours.text, colours.muted, colours.accent, colours.warning}) {
            EXPECT_GE(contrast(words, below), 4.5);
        }
    }
}

TEST_P(StyleTest, HandlesStandOutFromWhatTheyMoveOn) {
    applyStyle(GetParam(), 1);
    const ImVec4* colours = ImGui::GetStyle().Colors;
    for (const ImGuiCol frame : {ImGuiCol_FrameBg, ImGuiCol_FrameBgHovered, ImGuiCol_FrameBgActive}) {
        EXPECT_GE(contrast(colours[ImGuiCol_SliderGrab], colours[frame]), 3);
        EXPECT_GE(contrast(colours[ImGuiCol_CheckMark], colours[frame]), 3);
    }
}

TEST_P(StyleTest, EveryColourOfImGuiIsSet) {
    ImGuiStyle untouched;
    applyStyle(GetParam(), 1);
    for (ImGuiCol i = 0; i < ImGuiCol_COUNT; ++i) {
        const auto channels = [i](const ImGuiStyle& style) {
            const ImVec4& c = style.Colors[i];
            return std::array{c.x, c.y, c.z, c.w};
        };
        EXPECT_NE(channels(untouched), channels(ImGui::GetStyle())) << ImGui::GetStyleColorName(i);
    }
}

INSTANTIATE_TEST_SUITE_P(Grounds, StyleTest, testing::Values(Ground::dark, Ground::light),
                         [](const auto& test) { return test.param == Ground::dark ? "dark" : "light"; });

TEST_F(FontsTest, HaveTheirSizesAndAreTheDefault) {
    const Fonts fonts = loadFonts(1.5F);
    EXPECT_EQ(fonts.note, "");
    EXPECT_EQ(fonts.body->FontSize, 24);
    EXPECT_EQ(fonts.small->FontSize, 20);  // 19.5, rounded: whole pixels are sharper
    EXPECT_EQ(fonts.large->FontSize, 42);
    EXPECT_EQ(fonts.heading->FontSize, 27);
    EXPECT_EQ(fonts.mono->FontSize, 20);
    EXPECT_EQ(ImGui::GetIO().FontDefault, fonts.body);
    EXPECT_EQ(fonts.mono->GetCharAdvance('i'), fonts.mono->GetCharAdvance('W'));
}

TEST_F(FontsTest, HaveTheSignsThatPanelsUse) {
    const Fonts fonts = loadFonts(1);
    const auto expectSigns = [](const ImFont* font, std::u16string_view signs) {
        for (const char16_t sign : signs) EXPECT_NE(font->FindGlyphNoFallback(sign), nullptr) << unsigned(sign);
    };
    for (const ImFont* font : {fonts.body, fonts.small, fonts.large, fonts.heading}) {
        expectSigns(font,
                    u"aZ09\u00E4\u00DF\u00D7\u00B7\u00B5\u2013\u2014\u2026\u2192\u2190\u2191\u2193\u21BB\u25B6\u25C0");
        expectSigns(font, u"\u25A0\u25CF\u2713\u2264\u2248");
        expectSigns(font, u"\u23E9\u23EA\u23ED\u23EE\u23F4\u23F5\u23F8\u23F9\u23FA");
    }
    expectSigns(fonts.mono, u"\u00D7\u2026\u2192\u21BB\u25B6\u2264");
}

/// The characters beyond ASCII in the texts of a file: of code, in its literals, which may spell them \\u2007.
std::set<unsigned> signsIn(const std::filesystem::path& path) {
    std::ifstream file(path);
    std::set<unsigned> signs;
    for (std::string line; std::getline(file, line);) {
        const bool isCode = path.extension() != ".json";
        bool isText = !isCode;
        for (std::size_t i = 0; i < line.size();) {
            if (isCode && !isText && line.compare(i, 2, "//") == 0) break;
            if (isCode && line[i] == '"' && (i == 0 || line[i - 1] != '\\')) isText = !isText;
            unsigned code = 0;
            int bytes = ImTextCharFromUtf8(&code, line.c_str() + i, line.c_str() + line.size());
            if (line.compare(i, 2, "\\u") == 0 && line.size() >= i + 6) {
                code = unsigned(std::stoul(line.substr(i + 2, 4), nullptr, 16));
                bytes = 6;
            }
            if (isText && code >= 0x80) signs.insert(code);
            i += std::size_t(std::max(1, bytes));
        }
    }
    return signs;
}

/// No text of the program or its tours has a character that would be drawn as a question mark.
TEST_F(FontsTest, HaveAllCharactersThatCanBeShown) {
    const Fonts fonts = loadFonts(1);
    std::size_t seen = 0;
    for (const char* room : {"app/commands", "app/panels", "app/session", "app/system", "app/tasks", "app/tours",
                             "app/views", "app/window", "render/scene", "sim/analysis", "sim/machine", "sim/replay",
                             "sim/report", "sim/trace", "assets/tours", "assets/machines"}) {
        for (const auto& entry : std::filesystem::recursive_directory_iterator(sourceFolder() + "/" + room)) {
            if (!entry.is_regular_file()) continue;
            for (const unsigned sign : signsIn(entry.path())) {
                ++seen;
                for (const ImFont* font : {fonts.body, fonts.small}) {
                    EXPECT_NE(font->FindGlyphNoFallback(ImWchar(sign)), nullptr)
                        << entry.path() << ": " << std::hex << sign;
                }
            }
        }
    }
    EXPECT_GT(seen, 50u);
}

TEST_F(FontsTest, PlayerSignsAreDrawn) {
    const Fonts fonts = loadFonts(1);
    unsigned char* pixels = nullptr;
    int width = 0;
    int height = 0;
    ImGui::GetIO().Fonts->GetTexDataAsAlpha8(&pixels, &width, &height);
    const auto pixel = [&](ImWchar sign, float across, float down) {
        const ImFontGlyph& g = *fonts.large->FindGlyphNoFallback(sign);
        const int x = int((g.U0 + (g.U1 - g.U0) * across) * float(width));
        const int y = int((g.V0 + (g.V1 - g.V0) * down) * float(height));
        return int(pixels[y * width + x]);
    };
    EXPECT_EQ(pixel(0x23F8, 0.27F, 0.5F), 255);  // pause: a bar, a gap, a bar
    EXPECT_EQ(pixel(0x23F8, 0.5F, 0.5F), 0);
    EXPECT_EQ(pixel(0x23F8, 0.73F, 0.5F), 255);
    EXPECT_EQ(pixel(0x23F5, 0.2F, 0.2F), 255);  // play points to the right
    EXPECT_EQ(pixel(0x23F5, 0.8F, 0.2F), 0);
    EXPECT_EQ(pixel(0x23F4, 0.2F, 0.2F), 0);  // reverse play points to the left
}

TEST_F(FontsTest, WithoutFilesThePlainFontStandsInAndSaysSo) {
    const Fonts fonts = loadFonts(1, "/nonexistent");
    EXPECT_NE(fonts.note.find("fonts-dejavu-core"), std::string::npos);
    for (const ImFont* font : {fonts.body, fonts.small, fonts.large, fonts.heading, fonts.mono}) {
        ASSERT_NE(font, nullptr);
        EXPECT_NE(font->FindGlyphNoFallback('a'), nullptr);
    }
}

TEST_F(FontsTest, AreTheSameToTheByteAndCanBeLoadedAgain) {
    const auto pixels = [] {
        unsigned char* start = nullptr;
        int width = 0;
        int height = 0;
        ImGui::GetIO().Fonts->GetTexDataAsAlpha8(&start, &width, &height);
        return std::vector<unsigned char>(start, start + std::ptrdiff_t(width) * height);
    };
    loadFonts(1);
    const auto first = pixels();
    loadFonts(1.25F);
    EXPECT_TRUE(pixels() != first);
    loadFonts(1);
    EXPECT_TRUE(pixels() == first);
    ImGui::GetIO().DisplaySize = {640, 480};
    applyStyle(Ground::dark, 1);
    for (int frame = 0; frame < 3; ++frame) {  // a window is not shown before its size is known
        ImGui::NewFrame();
        ImGui::TextUnformatted("\u23F8 pause");
        ImGui::Render();
    }
    EXPECT_GT(ImGui::GetDrawData()->TotalVtxCount, 0);
}

}  // namespace
}  // namespace whorl::app
