#include "app/export/png.h"

#include <fmt/format.h>
#include <png.h>
#include <algorithm>
#include <csetjmp>
#include <string_view>
#include <utility>

#include "sim/base/part_folder.h"
#include "sim/base/text.h"

namespace whorl::app {

namespace {

using namespace std::string_view_literals;

constexpr std::size_t kPiece = std::size_t{256} << 10;  ///< bytes of the file written at a time

struct Writing {
    sim::ByteSink& sink;
    sim::Expected<void> result;
};

/// libpng's own way to write; an error leaves by its longjmp.
void write(png_structp png, png_bytep bytes, std::size_t size) {
    auto& writing = *static_cast<Writing*>(png_get_io_ptr(png));
    writing.result = writing.sink.write({reinterpret_cast<const char*>(bytes), size});
    if (!writing.result) png_error(png, "");
}

void flush(png_structp) {}
void ignore(png_structp, png_const_charp) {}
void leave(png_structp png, png_const_charp) {
    png_longjmp(png, 1);
}

void setText(png_structp png, png_infop info) {
    png_text text{};
    char key[] = "Software";
    char words[sizeof "Whorl"] = {};
    kPngSoftware.copy(words, sizeof words - 1);
    text.compression = PNG_TEXT_COMPRESSION_NONE;
    text.key = key;
    text.text = words;
    text.text_length = kPngSoftware.size();
    png_set_text(png, info, &text, 1);
}

/// libpng reports errors by longjmp, so nothing with a destructor is used in here. Returns false on error.
bool encode(Writing& writing, int width, int height, const std::byte* rgba, PngPixels pixels) {
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, leave, ignore);
    png_infop info = png == nullptr ? nullptr : png_create_info_struct(png);
    if (info == nullptr || setjmp(png_jmpbuf(png)) != 0) {
        png_destroy_write_struct(&png, &info);
        return false;
    }
    png_set_write_fn(png, &writing, write, flush);
    png_set_compression_buffer_size(png, kPiece);
    // Level 3 with the "sub" filter: near the smallest for flat pictures, several times faster than the default.
    png_set_compression_level(png, 3);
    png_set_filter(png, 0, PNG_FILTER_SUB);
    const int kind = pixels == PngPixels::rgba ? PNG_COLOR_TYPE_RGB_ALPHA : PNG_COLOR_TYPE_RGB;
    png_set_IHDR(png, info, static_cast<png_uint_32>(width), static_cast<png_uint_32>(height), 8, kind,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    setText(png, info);
    png_write_info(png, info);
    if (pixels == PngPixels::rgb) png_set_filler(png, 0, PNG_FILLER_AFTER);
    for (int y = 0; y < height; ++y) {
        png_write_row(png, reinterpret_cast<png_const_bytep>(rgba + std::size_t(y) * std::size_t(width) * 4));
    }
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    return true;
}

}  // namespace

sim::Expected<void> writePng(sim::ByteSink& sink, int width, int height, std::span<const std::byte> rgba,
                             PngPixels pixels) {
    Writing writing{.sink = sink, .result = {}};
    if (encode(writing, width, height, rgba.data(), pixels) || !writing.result) return writing.result;
    return sim::fail("", "there is not enough memory to write the picture");  // libpng's only other error
}

sim::Expected<void> writePng(const std::string& path, int width, int height, std::span<const std::byte> rgba,
                             PngPixels pixels) {
    auto sink = WHORL_TRY(sim::createFile(path));
    if (auto written = writePng(*sink, width, height, rgba, pixels); !written) return written;
    return sink->close();
}

bool isOwnPng(std::string_view beginning) {
    return beginning.starts_with("\x89PNG\r\n\x1a\n"sv) && beginning.find("tEXtSoftware\0Whorl"sv) != std::string::npos;
}

namespace {

constexpr std::size_t kMinDigits = 5;

/// The files of a recorded folder are 00000.png and so on, written by us.
bool isStill(int folder, const std::string& name) {
    constexpr std::string_view kEnding = ".png";
    const std::string_view number =
        std::string_view(name).substr(0, name.size() - std::min(name.size(), kEnding.size()));
    const bool isNumbered = name.ends_with(kEnding) && number.size() >= kMinDigits && sim::wholeNumber(number);
    return isNumbered && isOwnPng(sim::beginningOf(folder, name, kPngBeginning));
}

/// Stills in a folder, which gets its final name when all are written.
class StillsSink final : public FrameSink {
  public:
    StillsSink(VideoOptions options, std::unique_ptr<sim::PartFolder> folder)
        : options_(std::move(options)), folder_(std::move(folder)) {}

    sim::Expected<void> add(std::span<const std::byte> rgba) override {
        const auto file = WHORL_TRY(folder_->create(fmt::format("{:0{}}.png", count_++, kMinDigits)));
        const PngPixels pixels = options_.transparent ? PngPixels::rgba : PngPixels::rgb;
        if (auto written = writePng(*file, options_.width, options_.height, rgba, pixels); !written) return written;
        return file->close();
    }
    sim::Expected<void> finish() override { return folder_->publish(); }

  private:
    VideoOptions options_;
    std::unique_ptr<sim::PartFolder> folder_;
    int count_ = 0;
};

}  // namespace

sim::Expected<void> checkStills(const VideoOptions& options) {
    return sim::PartFolder::check(options.path, isStill);
}

sim::Expected<std::unique_ptr<FrameSink>> openStills(const VideoOptions& options) {
    return std::make_unique<StillsSink>(options, WHORL_TRY(sim::PartFolder::forTarget(options.path, isStill)));
}

}  // namespace whorl::app
