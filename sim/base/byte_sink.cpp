#include "sim/base/byte_sink.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>
#include <vector>

namespace whorl::sim {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kSinkBuffer = std::size_t{256} << 10;
constexpr int kGzipLevel = 6;
constexpr int kZstdLevel = 3;

std::string whyNotWritten(int error) {
    switch (error) {
        case ENOSPC:
        case EDQUOT:
            return "the disk is full";
        case ENOENT:
        case ENOTDIR:
            return "there is no such folder";
        case EACCES:
        case EROFS:
            return "permission denied";
        case EPIPE:
            return "the reader has closed it";
        default:
            return fmt::format("cannot be written: {}", std::strerror(error));
    }
}

/// Writes to a temporary file beside the final path and renames it on close().
class FileSink : public ByteSink {
  public:
    FileSink(int fd, std::string path, std::string part) : fd_(fd), path_(std::move(path)), part_(std::move(part)) {}
    FileSink(const FileSink&) = delete;
    FileSink& operator=(const FileSink&) = delete;
    ~FileSink() override {
        if (fd_ > STDERR_FILENO) ::close(fd_);
        if (!part_.empty()) unlink(part_.c_str());
    }

    Expected<void> write(std::string_view bytes) override {
        while (!bytes.empty()) {
            const ssize_t n = ::write(fd_, bytes.data(), bytes.size());
            if (n < 0 && errno == EINTR) continue;
            if (n < 0) return fail(path_, whyNotWritten(errno));
            bytes.remove_prefix(static_cast<std::size_t>(n));
        }
        return {};
    }

    Expected<void> close() override {
        if (fd_ <= STDERR_FILENO) return {};
        // Some file systems report a full disk only on close.
        if (::close(std::exchange(fd_, -1)) != 0) return fail(path_, whyNotWritten(errno));
        if (part_.empty()) return {};
        if (rename(part_.c_str(), path_.c_str()) != 0) return fail(path_, whyNotWritten(errno));
        part_.clear();
        return {};
    }

  private:
    int fd_;
    std::string path_;
    std::string part_;  ///< the temporary file; empty: written in place, or already renamed
};

class GzipSink : public ByteSink {
  public:
    explicit GzipSink(std::unique_ptr<ByteSink> file) : file_(std::move(file)), buffer_(kSinkBuffer) {
        if (deflateInit2(&stream_, kGzipLevel, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
            throw std::bad_alloc();
    }
    GzipSink(const GzipSink&) = delete;
    GzipSink& operator=(const GzipSink&) = delete;
    ~GzipSink() override { deflateEnd(&stream_); }

    Expected<void> write(std::string_view bytes) override { return pack(bytes, Z_NO_FLUSH); }
    Expected<void> close() override {
        if (auto packed = pack({}, Z_FINISH); !packed) return packed;
        return file_->close();
    }

  private:
    Expected<void> pack(std::string_view bytes, int flush) {
        stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
        stream_.avail_in = static_cast<uInt>(bytes.size());
        do {
            stream_.next_out = reinterpret_cast<Bytef*>(buffer_.data());
            stream_.avail_out = static_cast<uInt>(buffer_.size());
            deflate(&stream_, flush);
            auto written = file_->write({buffer_.data(), buffer_.size() - stream_.avail_out});
            if (!written) return written;
        } while (stream_.avail_out == 0);
        return {};
    }

    std::unique_ptr<ByteSink> file_;
    std::vector<char> buffer_;
    z_stream stream_{};
};

class ZstdSink : public ByteSink {
  public:
    explicit ZstdSink(std::unique_ptr<ByteSink> file)
        : file_(std::move(file)), buffer_(kSinkBuffer), stream_(ZSTD_createCCtx()) {
        if (stream_ == nullptr) throw std::bad_alloc();
        ZSTD_CCtx_setParameter(stream_.get(), ZSTD_c_compressionLevel, kZstdLevel);
        ZSTD_CCtx_setParameter(stream_.get(), ZSTD_c_checksumFlag, 1);
    }

    Expected<void> write(std::string_view bytes) override { return pack(bytes, ZSTD_e_continue); }
    Expected<void> close() override {
        if (auto packed = pack({}, ZSTD_e_end); !packed) return packed;
        return file_->close();
    }

  private:
    struct Free {
        void operator()(ZSTD_CCtx* stream) const { ZSTD_freeCCtx(stream); }
    };

    Expected<void> pack(std::string_view bytes, ZSTD_EndDirective mode) {
        ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
        std::size_t left = 1;
        while (mode == ZSTD_e_end ? left != 0 : in.pos < in.size) {
            ZSTD_outBuffer out{buffer_.data(), buffer_.size(), 0};
            left = ZSTD_compressStream2(stream_.get(), &out, &in, mode);
            if (ZSTD_isError(left) != 0) throw std::bad_alloc();  // the only possible error
            if (auto written = file_->write({buffer_.data(), out.pos}); !written) return written;
        }
        return {};
    }

    std::unique_ptr<ByteSink> file_;
    std::vector<char> buffer_;
    std::unique_ptr<ZSTD_CCtx, Free> stream_;
};

Expected<std::unique_ptr<ByteSink>> openInPlace(const std::string& path) {
    const int fd = open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (fd < 0) return fail(path, whyNotWritten(errno));
    return std::make_unique<FileSink>(fd, path, std::string());
}

/// Creates a temporary file beside `path`. Errors name `path`.
Expected<std::unique_ptr<ByteSink>> openBeside(const std::string& path) {
    static std::atomic<unsigned> counter{0};
    while (true) {
        const std::string part = fmt::format("{}.{}-{}.part", path, getpid(), counter++);
        const int fd = open(part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0) return std::make_unique<FileSink>(fd, path, part);
        if (errno != EEXIST) return fail(path, whyNotWritten(errno));
    }
}

Expected<std::unique_ptr<ByteSink>> openPlain(const std::string& path) {
    if (path == "-") return std::make_unique<FileSink>(STDOUT_FILENO, "standard output", std::string());
    std::error_code error;
    const fs::file_status there = fs::status(path, error);
    if (fs::is_directory(there)) return fail(path, "this is a folder", "expected the name of a file");
    if (fs::exists(there) && !fs::is_regular_file(there)) return openInPlace(path);
    // A symbolic link is kept; the file it points to is replaced.
    if (!fs::is_symlink(fs::symlink_status(path, error))) return openBeside(path);
    const fs::path real = fs::weakly_canonical(path, error);
    return openBeside(error ? path : real.string());
}

}  // namespace

Expected<std::unique_ptr<ByteSink>> createFile(const std::string& path) {
    auto file = openPlain(path);
    if (!file) return file;
    if (path.ends_with(".gz")) return std::make_unique<GzipSink>(std::move(*file));
    if (path.ends_with(".zst")) return std::make_unique<ZstdSink>(std::move(*file));
    return file;
}

}  // namespace whorl::sim
