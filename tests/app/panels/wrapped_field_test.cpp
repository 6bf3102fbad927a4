// Fields whose lines end where they do: what is in them is the text that was typed, however it is shown.
#include "app/panels/tour/wrapped_field.h"

#include <gtest/gtest.h>
#include <imgui.h>

#include <algorithm>
#include <random>
#include <sstream>
#include <string>

#include "app/panels/panel_frame.h"

namespace whorl::app {
namespace {

std::string textAtRandom(std::mt19937& random) {
    std::string text;
    const std::size_t words = random() % 40;
    for (std::size_t i = 0; i < words; ++i) {
        text += std::string(1 + random() % 12, static_cast<char>('a' + random() % 26));
        text += random() % 9 == 0 ? "\n" : random() % 9 == 0 ? "  " : " ";
    }
    return text;
}

TEST(WrappedField, ShowsAllOfATextInLinesThatFit) {
    std::mt19937 random(4);
    std::size_t wrapped = 0;
    std::string text;
    float width = 0;
    WrappedText field;
    Session session;
    PanelFrame frame(session, [&](const PanelContext&) { wrappedField("##field", field, text, width); });
    for (int round = 0; round < 60; ++round) {
        text = textAtRandom(random);
        width = 120 + static_cast<float>(random() % 300);
        frame.next();
        EXPECT_EQ(textIn(field), text);
        std::istringstream lines(field.typed);
        for (std::string line; std::getline(lines, line);) {
            ++wrapped;
            const bool isOneWord = line.find(' ') == std::string::npos;
            EXPECT_TRUE(isOneWord || ImGui::CalcTextSize(line.c_str()).x <= width) << line;
        }
    }
    EXPECT_GT(wrapped, 100u);
}

TEST(WrappedField, ANewTextReplacesWhatIsTyped) {
    std::string text = "one two three four five six seven eight nine ten";
    WrappedText field;
    Session session;
    PanelFrame frame(session, [&](const PanelContext&) { wrappedField("##field", field, text, 150); });
    frame.next();
    EXPECT_GT(std::count(field.typed.begin(), field.typed.end(), '\n'), 1);
    field.typed = "typed";
    frame.next();
    EXPECT_EQ(textIn(field), "typed") << "what is typed stays, also where it was refused";
    text = "another";
    frame.next();
    EXPECT_EQ(field.typed, "another");
}

}  // namespace
}  // namespace whorl::app
