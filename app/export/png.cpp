#include "app/export/png.h"

#include <fmt/format.h>
#include <png.h>

#include <cerrno>
#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>
#include <vector>

namespace whorl::app {

namespace {

/// Closes and removes the file if it was not finished.
class PartFile {
  public:
    explicit PartFile(const std::string& path) : part_(path + ".part"), file_(std::fopen(part_.c_str(), "wb")) {}
    ~PartFile() {
        if (file_ == nullptr) return;
        std::fclose(file_);
        std::remove(part_.c_str());
    }
    PartFile(const PartFile&) = delete;
    PartFile& operator=(const PartFile&) = delete;

    std::FILE* get() const { return file_; }
    /// Renames the file to its final name. Returns false, with errno set, when that or the last write failed.
    bool finish(const std::string& path) {
        const bool closed = std::fclose(std::exchange(file_, nullptr)) == 0;
        if (closed && std::rename(part_.c_str(), path.c_str()) == 0) return true;
        const int reason = errno;
        std::remove(part_.c_str());
        errno = reason;
        return false;
    }

  private:
    std::string part_;
    std::FILE* file_;
};

sim::Expected<void> cannotWrite(const std::string& path) {
    return sim::fail(path, fmt::format("cannot be written: {}", std::strerror(errno)),
                     "choose another place with -o, or make room there");
}

/// libpng reports errors by longjmp, so nothing with a destructor is used in here. Returns false on error.
bool encode(std::FILE* file, int width, int height, const std::byte* rgba) {
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
    png_infop info = png == nullptr ? nullptr : png_create_info_struct(png);
    if (info == nullptr || setjmp(png_jmpbuf(png)) != 0) {
        png_destroy_write_struct(&png, &info);
        return false;
    }
    png_init_io(png, file);
    // Level 3 with the "sub" filter: near the smallest for flat pictures, several times faster than the default.
    png_set_compression_level(png, 3);
    png_set_filter(png, 0, PNG_FILTER_SUB);
    png_set_IHDR(png, info, static_cast<png_uint_32>(width), static_cast<png_uint_32>(height), 8, PNG_COLOR_TYPE_RGB,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    png_set_filler(png, 0, PNG_FILLER_AFTER);
    for (int y = 0; y < height; ++y) {
        png_write_row(png, reinterpret_cast<png_const_bytep>(rgba + std::size_t(y) * std::size_t(width) * 4));
    }
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    return true;
}

}  // namespace

sim::Expected<void> writePng(const std::string& path, int width, int height, std::span<const std::byte> rgba) {
    PartFile file(path);
    if (file.get() == nullptr) return cannotWrite(path);
    if (!encode(file.get(), width, height, rgba.data()) || !file.finish(path)) return cannotWrite(path);
    return {};
}

}  // namespace whorl::app
