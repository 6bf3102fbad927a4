#include "sim/base/byte_source.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>
#if __has_include(<lzma.h>)  // not for the player of pages
#include <lzma.h>
#define WHORL_XZ
#endif

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <vector>

#include "sim/base/input_file.h"

namespace whorl::sim {

namespace {

class FileSource : public ByteSource {
  public:
    FileSource(int fd, std::string name, Progress& progress) : fd_(fd), name_(std::move(name)), progress_(progress) {
        struct stat info {};
        regular_ = fstat(fd_, &info) == 0 && S_ISREG(info.st_mode);
        progress_.setTotal(regular_ ? static_cast<std::uint64_t>(info.st_size) : 0);
    }
    FileSource(const FileSource&) = delete;
    FileSource& operator=(const FileSource&) = delete;
    ~FileSource() override {
        if (fd_ != STDIN_FILENO) close(fd_);
    }

    Expected<std::size_t> read(std::span<char> to) override {
        while (!to.empty()) {
            if (!regular_ && !awaitInput()) return tl::unexpected(Error::byUser());
            const ssize_t n = ::read(fd_, to.data(), to.size());
            if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
            if (n < 0) return fail(name_, fmt::format("cannot be read: {}", std::strerror(errno)));
            done_ += static_cast<std::uint64_t>(n);
            progress_.setDone(done_);
            return static_cast<std::size_t>(n);
        }
        return 0;
    }

  private:
    /// Waits for input on a pipe, polling for cancellation. False if the job was cancelled.
    bool awaitInput() const {
        pollfd wait{.fd = fd_, .events = POLLIN, .revents = 0};
        while (poll(&wait, 1, 100) == 0) {
            if (progress_.cancelled()) return false;
        }
        return true;
    }

    int fd_;
    std::string name_;
    Progress& progress_;
    bool regular_ = false;
    std::uint64_t done_ = 0;
};

class MemorySource : public ByteSource {
  public:
    explicit MemorySource(std::string_view text) : rest_(text) {}

    Expected<std::size_t> read(std::span<char> to) override {
        const std::size_t n = rest_.copy(to.data(), to.size());
        rest_.remove_prefix(n);
        return n;
    }

  private:
    std::string_view rest_;
};

}  // namespace

Expected<std::unique_ptr<ByteSource>> openFile(const std::string& path, Progress& progress) {
    if (path == "-") return std::make_unique<FileSource>(STDIN_FILENO, "standard input", progress);
    // With O_NONBLOCK, opening a pipe does not block until it has a writer. Reading waits instead, and can be
    // cancelled.
    const int fd = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) return fail(path, whyNotOpened(errno));
    auto source = std::make_unique<FileSource>(fd, path, progress);
    struct stat info {};
    if (fstat(fd, &info) == 0 && S_ISDIR(info.st_mode)) {
        return fail(path, "this is a folder", "expected a trace file");
    }
    return source;
}

std::unique_ptr<ByteSource> openMemory(std::string_view text) {
    return std::make_unique<MemorySource>(text);
}

// Streaming decompression of gzip, zstd and xz.

namespace {

using namespace std::string_view_literals;

constexpr std::size_t kInputBuffer = std::size_t{256} << 10;

/// Bytes read from a source and not yet consumed.
class InputBuffer {
  public:
    explicit InputBuffer(std::unique_ptr<ByteSource> source) : source_(std::move(source)), buffer_(kInputBuffer) {}

    std::string_view bytes() const { return {buffer_.data() + from_, to_ - from_}; }
    void take(std::size_t n) { from_ += n; }

    /// Reads until at least n bytes are buffered (n <= kInputBuffer) or the source ends.
    Expected<void> want(std::size_t n) {
        if (to_ - from_ >= n) return {};
        std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(from_),
                  buffer_.begin() + static_cast<std::ptrdiff_t>(to_), buffer_.begin());
        to_ -= from_;
        from_ = 0;
        while (to_ < n) {
            const auto got = WHORL_TRY(source_->read(std::span(buffer_).subspan(to_)));
            if (got == 0) break;
            to_ += got;
        }
        return {};
    }

  private:
    std::unique_ptr<ByteSource> source_;
    std::vector<char> buffer_;
    std::size_t from_ = 0;
    std::size_t to_ = 0;
};

class PlainSource : public ByteSource {
  public:
    explicit PlainSource(InputBuffer input) : input_(std::move(input)) {}

    Expected<std::size_t> read(std::span<char> to) override {
        WHORL_TRY(input_.want(1));
        const std::size_t n = input_.bytes().copy(to.data(), to.size());
        input_.take(n);
        return n;
    }

  private:
    InputBuffer input_;
};

tl::unexpected<Error> cutOff(const std::string& name, std::string_view kind) {
    return fail(name, fmt::format("the {} data is truncated", kind), "the file is incomplete");
}

tl::unexpected<Error> damaged(const std::string& name, std::string_view kind, std::string_view why) {
    return fail(name, fmt::format("the {} data is corrupt: {}", kind, why));
}

class GzipSource : public ByteSource {
  public:
    GzipSource(InputBuffer input, std::string name) : input_(std::move(input)), name_(std::move(name)) {
        inflateInit2(&stream_, 15 + 16);  // a 32 KiB window and a gzip header
    }
    GzipSource(const GzipSource&) = delete;
    GzipSource& operator=(const GzipSource&) = delete;
    ~GzipSource() override { inflateEnd(&stream_); }

    Expected<std::size_t> read(std::span<char> to) override {
        stream_.next_out = reinterpret_cast<Bytef*>(to.data());
        stream_.avail_out = static_cast<uInt>(to.size());
        while (stream_.avail_out == to.size() && !ended_) {
            WHORL_TRY(between_ ? nextMember() : unpackSome());
        }
        return to.size() - stream_.avail_out;
    }

  private:
    Expected<void> unpackSome() {
        WHORL_TRY(input_.want(1));
        const std::string_view bytes = input_.bytes();
        if (bytes.empty()) return cutOff(name_, "gzip");
        stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
        stream_.avail_in = static_cast<uInt>(bytes.size());
        const int result = inflate(&stream_, Z_NO_FLUSH);
        input_.take(bytes.size() - stream_.avail_in);
        if (result == Z_MEM_ERROR) return fail(name_, "there is not enough memory to decompress it");
        if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR) {
            return damaged(name_, "gzip", stream_.msg != nullptr ? stream_.msg : "invalid data");
        }
        between_ = result == Z_STREAM_END;
        return {};
    }

    /// A member may be followed by another one or by zero padding, as on tapes.
    Expected<void> nextMember() {
        WHORL_TRY(input_.want(2));
        const std::string_view bytes = input_.bytes();
        if (bytes.empty()) {
            ended_ = true;
        } else if (bytes[0] == '\0') {
            input_.take(std::min(bytes.find_first_not_of('\0'), bytes.size()));
        } else if (bytes.starts_with("\x1f\x8b")) {
            inflateReset(&stream_);
            between_ = false;
        } else {
            return damaged(name_, "gzip", "it is followed by other data");
        }
        return {};
    }

    InputBuffer input_;
    std::string name_;
    z_stream stream_{};
    bool between_ = false;  ///< between two members
    bool ended_ = false;
};

class ZstdSource : public ByteSource {
  public:
    ZstdSource(InputBuffer input, std::string name) : input_(std::move(input)), name_(std::move(name)) {}

    Expected<std::size_t> read(std::span<char> to) override {
        ZSTD_outBuffer out{to.data(), to.size(), 0};
        while (out.pos == 0) {
            WHORL_TRY(input_.want(1));
            const std::string_view bytes = input_.bytes();
            // At the end of input the decoder may still hold output, which it returns without further input.
            if (bytes.empty() && betweenFrames_) break;
            ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
            const std::size_t result = ZSTD_decompressStream(stream_.get(), &out, &in);
            input_.take(in.pos);
            if (ZSTD_isError(result) != 0) return damaged(name_, "zstd", ZSTD_getErrorName(result));
            betweenFrames_ = result == 0;
            if (bytes.empty() && out.pos == 0 && !betweenFrames_) return cutOff(name_, "zstd");
        }
        return out.pos;
    }

  private:
    struct Free {
        void operator()(ZSTD_DStream* stream) const { ZSTD_freeDStream(stream); }
    };

    InputBuffer input_;
    std::string name_;
    std::unique_ptr<ZSTD_DStream, Free> stream_{ZSTD_createDStream()};
    bool betweenFrames_ = true;
};

#ifdef WHORL_XZ

/// The streams of a file, one after another, with zeros between and behind them.
class XzSource : public ByteSource {
  public:
    XzSource(InputBuffer input, std::string name) : input_(std::move(input)), name_(std::move(name)) {
        begun_ = lzma_stream_decoder(&stream_, kMaxMemory, LZMA_CONCATENATED);
    }
    XzSource(const XzSource&) = delete;
    XzSource& operator=(const XzSource&) = delete;
    ~XzSource() override { lzma_end(&stream_); }

    Expected<std::size_t> read(std::span<char> to) override {
        if (begun_ != LZMA_OK) return failed(begun_);
        stream_.next_out = reinterpret_cast<std::uint8_t*>(to.data());
        stream_.avail_out = to.size();
        while (stream_.avail_out == to.size() && !ended_) {
            WHORL_TRY(input_.want(1));
            const std::string_view bytes = input_.bytes();
            stream_.next_in = reinterpret_cast<const std::uint8_t*>(bytes.data());
            stream_.avail_in = bytes.size();
            const lzma_ret result = lzma_code(&stream_, bytes.empty() ? LZMA_FINISH : LZMA_RUN);
            input_.take(bytes.size() - stream_.avail_in);
            ended_ = result == LZMA_STREAM_END;
            if (result != LZMA_OK && !ended_) return failed(result);
        }
        return to.size() - stream_.avail_out;
    }

  private:
    /// The dictionary of `xz -9` takes 65 MiB; a file may ask for 4 GiB.
    static constexpr std::uint64_t kMaxMemory = std::uint64_t{256} << 20;

    InputBuffer input_;
    std::string name_;
    lzma_stream stream_ = LZMA_STREAM_INIT;
    lzma_ret begun_ = LZMA_OK;
    bool ended_ = false;

    tl::unexpected<Error> failed(lzma_ret why) const {
        switch (why) {
            case LZMA_BUF_ERROR:  // needs more input, and there is none
                return cutOff(name_, "xz");
            case LZMA_MEM_ERROR:
                return fail(name_, "there is not enough memory to decompress it");
            case LZMA_MEMLIMIT_ERROR:
                return fail(name_,
                            fmt::format("it takes {} MiB to decompress it, and {} are allowed",
                                        (lzma_memusage(&stream_) >> 20) + 1, kMaxMemory >> 20),
                            "compress it again with xz -9 or less");
            case LZMA_OPTIONS_ERROR:
                return damaged(name_, "xz", "it was made with options that are not known");
            default:
                return damaged(name_, "xz", "invalid data");
        }
    }
};

#endif

bool isZstd(std::string_view bytes) {
    // A frame, or a skippable frame, which some tools write first.
    return bytes.starts_with("\x28\xb5\x2f\xfd"sv) ||
           (bytes.size() >= 4 && (bytes[0] & 0xf0) == 0x50 && bytes.substr(1).starts_with("\x2a\x4d\x18"sv));
}

}  // namespace

Expected<std::unique_ptr<ByteSource>> decompressed(std::unique_ptr<ByteSource> packed, const std::string& name) {
    InputBuffer input(std::move(packed));
    WHORL_TRY(input.want(6));
    const std::string_view bytes = input.bytes();
    if (bytes.empty()) return fail(name, "the file is empty", "expected a trace");
    if (bytes.starts_with("\x1f\x8b")) return std::make_unique<GzipSource>(std::move(input), name);
    if (isZstd(bytes)) return std::make_unique<ZstdSource>(std::move(input), name);
#ifdef WHORL_XZ
    if (bytes.starts_with("\xfd\x37zXZ\0"sv)) return std::make_unique<XzSource>(std::move(input), name);
#endif
    return std::make_unique<PlainSource>(std::move(input));
}

}  // namespace whorl::sim
