#include "sim/base/byte_sink.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <cerrno>
#include <utility>
#include <vector>

#include "sim/base/output_file.h"

namespace whorl::sim {
namespace {

constexpr std::size_t kSinkBuffer = std::size_t{256} << 10;
constexpr int kGzipLevel = 6;
constexpr int kZstdLevel = 3;

Expected<void> writeAll(int fd, std::string_view bytes, const std::string& name) {
    while (!bytes.empty()) {
        const ssize_t n = ::write(fd, bytes.data(), bytes.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0 && errno == EAGAIN) {  // a terminal or a pipe that another program made non-blocking
            pollfd wait{.fd = fd, .events = POLLOUT, .revents = 0};
            poll(&wait, 1, -1);
            continue;
        }
        if (n < 0) return fail(name, whyNotWritten(errno));
        bytes.remove_prefix(static_cast<std::size_t>(n));
    }
    return {};
}

/// Standard output, a pipe, a device, or a file that lies in a folder of our own.
class PlainSink : public ByteSink {
  public:
    PlainSink(int fd, std::string name) : fd_(fd), name_(std::move(name)) {}
    PlainSink(const PlainSink&) = delete;
    PlainSink& operator=(const PlainSink&) = delete;
    ~PlainSink() override {
        if (fd_ > STDERR_FILENO) ::close(fd_);
    }

    Expected<void> write(std::string_view bytes) override { return writeAll(fd_, bytes, name_); }
    Expected<void> close() override {
        if (fd_ == STDOUT_FILENO) return flushed();
        if (::close(std::exchange(fd_, -1)) != 0) return fail(name_, whyNotWritten(errno));
        return {};
    }

  private:
    /// Standard output stays open. If it is a file, its data must still reach the disk.
    Expected<void> flushed() {
        struct stat info {};
        const bool isFile = fstat(fd_, &info) == 0 && S_ISREG(info.st_mode);
        if (isFile && !flushToDisk(fd_)) return fail(name_, whyNotWritten(errno));
        return {};
    }

    int fd_;
    std::string name_;
};

/// A file that takes its target's place on close().
class FileSink : public ByteSink {
  public:
    FileSink(std::unique_ptr<PartFile> file, std::string name) : file_(std::move(file)), name_(std::move(name)) {}

    Expected<void> write(std::string_view bytes) override { return writeAll(file_->descriptor(), bytes, name_); }
    Expected<void> close() override { return file_->publish(); }

  private:
    std::unique_ptr<PartFile> file_;
    std::string name_;
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
        WHORL_TRY(pack({}, Z_FINISH));
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
            WHORL_TRY(file_->write({buffer_.data(), buffer_.size() - stream_.avail_out}));
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
        WHORL_TRY(pack({}, ZSTD_e_end));
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
            WHORL_TRY(file_->write({buffer_.data(), out.pos}));
        }
        return {};
    }

    std::unique_ptr<ByteSink> file_;
    std::vector<char> buffer_;
    std::unique_ptr<ZSTD_CCtx, Free> stream_;
};

Expected<std::unique_ptr<ByteSink>> openPlain(const std::string& path) {
    const auto target = WHORL_TRY(outputTarget(path));
    if (target.kind == OutputTarget::Kind::standardOutput) return sinkFor(STDOUT_FILENO, target.name);
    if (target.kind == OutputTarget::Kind::inPlace) {
        const int fd = open(target.path.c_str(), O_WRONLY | O_CLOEXEC);
        if (fd < 0) return fail(target.name, whyNotWritten(errno));
        return sinkFor(fd, target.name);
    }
    auto part = WHORL_TRY(PartFile::forTarget(target));
    return std::make_unique<FileSink>(std::move(part), target.name);
}

}  // namespace

std::unique_ptr<ByteSink> sinkFor(int fd, std::string name) {
    return std::make_unique<PlainSink>(fd, std::move(name));
}

Expected<std::unique_ptr<ByteSink>> createFile(const std::string& path) {
    auto file = WHORL_TRY(openPlain(path));
    if (path.ends_with(".gz")) return std::make_unique<GzipSink>(std::move(file));
    if (path.ends_with(".zst")) return std::make_unique<ZstdSink>(std::move(file));
    return file;
}

Expected<void> writeText(std::string_view text, const std::string& path) {
    auto file = WHORL_TRY(createFile(path));
    WHORL_TRY(file->write(text));
    return file->close();
}

}  // namespace whorl::sim
