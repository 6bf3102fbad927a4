// Shared code for golden pictures: when two pictures differ, and how one is compared with its file.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

namespace whorl::app {

/// How far a picture may be from its file. Real changes differ by more than either: see the tests beside the pictures,
/// which are about the wider one.
struct Tolerance {
    int rounding;        ///< a pixel differs when one of its channels differs by more than this, of 255
    std::size_t pixels;  ///< so many may differ
};

/// With the renderer that made the files.
inline constexpr Tolerance kSameRenderer{2, 0};
/// With another: renderers round differently.
inline constexpr Tolerance kOtherRenderer{40, 12};
inline constexpr std::size_t kMaxDiffering = kOtherRenderer.pixels;

using Pixels = std::vector<std::byte>;

/// The number of pixels that differ.
std::size_t differing(const Pixels& a, const Pixels& b, int rounding = kOtherRenderer.rounding);

/// Empty when the file cannot be read.
Pixels readPng(const std::string& path);

/// What draws here, a line each: OpenGL's version, the renderer with the width of its vectors, and what draws letters.
std::string rendererHere();

/// Which tolerance holds for files that the one renderer made and the other draws, and a sentence that says why.
struct Allowance {
    Tolerance tolerance;
    std::string why;
};
Allowance allowanceOf(const std::string& made, const std::string& here);

/// Fails when the picture differs from the file. With WHORL_GOLDEN in the environment, writes the file instead, and
/// tests/golden/renderer.txt, which says what drew it; with WHORL_GOLDEN_FOLDER, writes both into that folder.
void expectGolden(const std::string& name, int width, int height, const Pixels& now);

}  // namespace whorl::app
