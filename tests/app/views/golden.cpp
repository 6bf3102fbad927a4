#include "app/views/golden.h"

#include <fmt/format.h>
#include <ft2build.h>
#include <imgui.h>
#include <png.h>

#include FT_FREETYPE_H

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "app/export/png.h"
#include "render/gl/api.h"
#include "render/gl/offscreen_context.h"
#include "render/gl/painter.h"
#include "support/source_folder.h"

namespace whorl::app {
namespace {

constexpr const char* kRenderer = "/renderer.txt";

std::string goldenFolder() {
    return sourceFolder() + "/tests/golden";
}

std::string contentOf(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::string freeTypeVersion() {
    FT_Library library = nullptr;
    if (FT_Init_FreeType(&library) != 0) return "none";
    int major = 0;
    int minor = 0;
    int patch = 0;
    FT_Library_Version(library, &major, &minor, &patch);
    FT_Done_FreeType(library);
    return fmt::format("{}.{}.{}", major, minor, patch);
}

/// Found once, and said once: a process draws many pictures.
const Allowance& allowanceHere() {
    static const Allowance found = [] {
        Allowance allowance = allowanceOf(contentOf(goldenFolder() + kRenderer), rendererHere());
        std::printf("golden pictures: %s\n", allowance.why.c_str());
        return allowance;
    }();
    return found;
}

/// The folder to write pictures into; empty when they are compared.
std::string writtenTo() {
    if (const char* const folder = std::getenv("WHORL_GOLDEN_FOLDER")) return folder;
    return std::getenv("WHORL_GOLDEN") == nullptr ? std::string() : goldenFolder();
}

}  // namespace

std::size_t differing(const Pixels& a, const Pixels& b, int rounding) {
    if (a.size() != b.size()) return std::max(a.size(), b.size());
    std::size_t count = 0;
    for (std::size_t i = 0; i < a.size(); i += 4) {
        bool differs = false;
        for (std::size_t c = 0; c < 4; ++c) {
            differs |= std::abs(std::to_integer<int>(a[i + c]) - std::to_integer<int>(b[i + c])) > rounding;
        }
        count += differs ? 1u : 0u;
    }
    return count;
}

Pixels readPng(const std::string& path) {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    if (png_image_begin_read_from_file(&image, path.c_str()) == 0) return {};
    image.format = PNG_FORMAT_RGBA;
    Pixels pixels(PNG_IMAGE_SIZE(image));
    png_image_finish_read(&image, nullptr, pixels.data(), 0, nullptr);
    return pixels;
}

std::string rendererHere() {
    const auto context = gl::OffscreenContext::create();
    if (!context) return {};
    const GLubyte* const version = glGetString(GL_VERSION);
    return fmt::format("{}\n{}\nFreeType {}, Dear ImGui {}\n",
                       version == nullptr ? "" : reinterpret_cast<const char*>(version), gl::rendererName(),
                       freeTypeVersion(), IMGUI_VERSION);
}

Allowance allowanceOf(const std::string& made, const std::string& here) {
    const auto oneLine = [](std::string text) {
        while (text.ends_with('\n')) text.pop_back();
        std::replace(text.begin(), text.end(), '\n', ';');
        return text;
    };
    const bool same = !made.empty() && made == here;
    const Tolerance tolerance = same ? kSameRenderer : kOtherRenderer;
    const std::string why = same ? fmt::format("they were made with what draws here ({})", oneLine(here))
                                 : fmt::format("they were made with another renderer ({}) than what draws here ({})",
                                               made.empty() ? "unknown" : oneLine(made), oneLine(here));
    return {tolerance,
            fmt::format("{} pixels may differ by more than {}/255, as {}", tolerance.pixels, tolerance.rounding, why)};
}

void expectGolden(const std::string& name, int width, int height, const Pixels& now) {
    if (const std::string folder = writtenTo(); !folder.empty()) {
        ASSERT_TRUE(writePng(folder + "/" + name + ".png", width, height, now));
        ASSERT_TRUE(std::ofstream(folder + kRenderer) << rendererHere() << std::flush);
        return;
    }
    const std::string path = goldenFolder() + "/" + name + ".png";
    const Pixels then = readPng(path);
    ASSERT_FALSE(then.empty()) << path << " cannot be read";
    const auto& [tolerance, why] = allowanceHere();
    const std::size_t count = differing(now, then, tolerance.rounding);
    if (count > tolerance.pixels) {
        const std::string seen = std::filesystem::temp_directory_path() / ("whorl-" + name + ".png");
        EXPECT_TRUE(writePng(seen, width, height, now));
        FAIL() << count << " pixels differ from " << path << "; what is drawn now is " << seen << "; " << why;
    }
}

}  // namespace whorl::app
