// Writes images as PNG: one, or the frames of a sequence.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "app/export/frame_sink.h"
#include "sim/base/byte_sink.h"
#include "sim/base/error.h"

namespace whorl::app {

/// The text "Software" of every PNG that Whorl writes, by which it knows its own.
inline constexpr std::string_view kPngSoftware = "Whorl";

/// What is written of RGBA pixels.
enum class PngPixels : std::uint8_t { rgb, rgba };

/// Writes RGBA pixels (rows from the top) into a file; see createFile for the name.
sim::Expected<void> writePng(const std::string& path, int width, int height, std::span<const std::byte> rgba,
                             PngPixels pixels = PngPixels::rgb);
/// Writes RGBA pixels (rows from the top) into a sink, which stays open.
sim::Expected<void> writePng(sim::ByteSink& sink, int width, int height, std::span<const std::byte> rgba,
                             PngPixels pixels = PngPixels::rgb);

/// Whether a file starts like a PNG that Whorl wrote.
bool isOwnPng(std::string_view beginning);
/// How much of a file isOwnPng looks at, in bytes.
inline constexpr std::size_t kPngBeginning = 128;

// Writes a sequence of frames as PNG files into a folder: 00000.png, 00001.png and so on.

/// Fails, before any work is done, if the folder cannot be made or holds anything but an earlier recording.
sim::Expected<void> checkStills(const VideoOptions& options);

/// Opens a sink for a folder, which appears, or takes the place of the earlier recording, once all frames are written.
sim::Expected<std::unique_ptr<FrameSink>> openStills(const VideoOptions& options);

}  // namespace whorl::app
