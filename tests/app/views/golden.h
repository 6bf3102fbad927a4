// Shared code for golden pictures: when two pictures differ, and how one is compared with its file.
#pragma once

#include <gtest/gtest.h>
#include <png.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "app/export/png.h"
#include "support/source_folder.h"

namespace whorl::app {

/// A pixel differs when one of its channels differs by more than this, of 255: renderers round differently.
inline constexpr int kMostRounding = 40;
/// The number of pixels that may differ. Real changes affect more: see the tests beside the pictures.
inline constexpr std::size_t kMostDiffering = 12;

using Pixels = std::vector<std::byte>;

inline std::size_t differing(const Pixels& a, const Pixels& b) {
    if (a.size() != b.size()) return std::max(a.size(), b.size());
    std::size_t count = 0;
    for (std::size_t i = 0; i < a.size(); i += 4) {
        bool differs = false;
        for (std::size_t c = 0; c < 4; ++c) {
            differs |= std::abs(std::to_integer<int>(a[i + c]) - std::to_integer<int>(b[i + c])) > kMostRounding;
        }
        count += differs ? 1u : 0u;
    }
    return count;
}

inline Pixels readPng(const std::string& path) {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    if (png_image_begin_read_from_file(&image, path.c_str()) == 0) return {};
    image.format = PNG_FORMAT_RGBA;
    Pixels pixels(PNG_IMAGE_SIZE(image));
    png_image_finish_read(&image, nullptr, pixels.data(), 0, nullptr);
    return pixels;
}

/// Fails when the picture differs from the file; with WHORL_GOLDEN in the environment, writes the file instead.
inline void expectGolden(const std::string& name, int width, int height, const Pixels& now) {
    const std::string path = sourceFolder() + "/tests/golden/" + name + ".png";
    if (std::getenv("WHORL_GOLDEN") != nullptr) {
        ASSERT_TRUE(writePng(path, width, height, now));
        return;
    }
    const Pixels then = readPng(path);
    ASSERT_FALSE(then.empty()) << path << " cannot be read";
    const std::size_t count = differing(now, then);
    if (count > kMostDiffering) {
        const std::string seen = std::filesystem::temp_directory_path() / ("whorl-" + name + ".png");
        EXPECT_TRUE(writePng(seen, width, height, now));
        FAIL() << count << " pixels differ from " << path << "; what is drawn now is " << seen;
    }
}

}  // namespace whorl::app
