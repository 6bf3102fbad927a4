// Any bytes as a compressed trace, decompressed on the way into a reader. The first byte chooses how they are packed
// (its two lowest bits: as they are, by gzip, by zstd, or half by either), and whether to be lenient (bit 2). A trace
// is the same packed and plain, kept and streamed.
#include <zlib.h>
#include <zstd.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "fuzz/check.h"
#include "fuzz/memory_file.h"
#include "sim/trace/reader.h"

namespace {

using namespace whorl;

std::string gzip(std::string_view text) {
    constexpr int kGzip = 15 + 16;  // the largest window, with the head of a gzip file
    z_stream stream{};
    check(deflateInit2(&stream, 1, Z_DEFLATED, kGzip, 8, Z_DEFAULT_STRATEGY) == Z_OK);
    std::string packed(deflateBound(&stream, text.size()), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    check(deflate(&stream, Z_FINISH) == Z_STREAM_END);
    packed.resize(stream.total_out);
    deflateEnd(&stream);
    return packed;
}

std::string zstd(std::string_view text) {
    std::string packed(ZSTD_compressBound(text.size()), '\0');
    const std::size_t size = ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 1);
    check(ZSTD_isError(size) == 0);
    packed.resize(size);
    return packed;
}

std::string packed(std::string_view text, unsigned how) {
    if (how == 0) return std::string(text);
    if (how == 1) return gzip(text);
    if (how == 2) return zstd(text);
    // A second member or frame begins in the middle of a line.
    const std::string_view half = text.substr(0, text.size() / 2);
    const std::string_view rest = text.substr(half.size());
    return text.size() % 2 == 0 ? gzip(half) + gzip(rest) : zstd(half) + zstd(rest);
}

/// The count of accesses, or the error.
sim::Expected<std::uint64_t> kept(const std::string& path, const sim::ReadOptions& options) {
    sim::Progress progress;
    return sim::readTrace(path, options, progress).map([](const sim::Trace& trace) { return trace.size(); });
}

sim::Expected<std::uint64_t> streamed(const std::string& path, const sim::ReadOptions& options) {
    sim::Progress progress;
    std::uint64_t passed = 0;
    const auto count = [&](std::span<const sim::PackedAccess> some) { passed += some.size(); };
    return sim::streamTrace(path, options, count, progress).map([&](const sim::StreamedTrace& trace) {
        check(trace.accesses == passed);
        return passed;
    });
}

void checkSame(const sim::Expected<std::uint64_t>& a, const sim::Expected<std::uint64_t>& b) {
    check(a.has_value() == b.has_value());
    if (a.has_value()) {
        check(*a == *b && *a > 0);
    } else {
        checkSentence(a.error());
        check(a.error().what == b.error().what);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const unsigned how = data[0] & 3u;
    sim::ReadOptions options;
    options.lenient = (data[0] & 4u) != 0;
    const std::string_view text(reinterpret_cast<const char*>(data + 1), size - 1);
    static MemoryFile file;
    file.put(packed(text, how));
    const auto fromFile = kept(file.path(), options);
    const auto passed = streamed(file.path(), options);
    // Instructions that nothing asks for are skipped unread when a trace is streamed.
    const bool skipsMore = !fromFile && fromFile.error().what.starts_with("not a record of lackey: \"I");
    if (!skipsMore) checkSame(fromFile, passed);
    // What is packed twice is unpacked once.
    const bool isPlain =
        !text.starts_with("\x1f\x8b") && !text.starts_with("\x28\xb5\x2f\xfd") && !text.starts_with("\xfd\x37zXZ");
    if (how == 0 || !isPlain) return 0;
    file.put(text);
    const auto plain = kept(file.path(), options);
    // What other programs compress is told apart from text by its first bytes, but only if the file begins with them.
    if (!plain && plain.error().what.starts_with("this is compressed with")) return 0;
    checkSame(fromFile, plain);
    return 0;
}
