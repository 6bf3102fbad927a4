#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <array>
#include <chrono>
#include <fstream>
#include <thread>

#include "sim/trace/formats/reading.h"
#include "sim/trace/packing.h"
#include "sim/trace/trace_help.h"

namespace whorl::sim::test {
namespace {

namespace fs = std::filesystem;

const std::string kSmall = "R 0x10 8\nW 0x20 4\n";
const std::string kSmallRead = "R 10 8, W 20 4";

/// The result of reading a file: its accesses, or the sentence of the error without the folder.
std::string reading(const Folder& folder, const std::string& path, const ReadOptions& options = {}) {
    Progress progress;
    const auto trace = readTrace(path, options, progress);
    if (trace) return accessesOf(*trace);
    std::string sentence = trace.error().sentence();
    const std::string prefix = folder.at("");
    if (sentence.starts_with(prefix)) sentence.erase(0, prefix.size());
    return sentence;
}

/// Lines that compress badly, so that a compressed file has many blocks.
std::string manyLines() {
    std::string out;
    std::uint64_t x = 1;
    for (int i = 0; i < 50000; ++i) {
        x = x * 6364136223846793005u + 1442695040888963407u;
        out += fmt::format("R {:#x}\n", x >> 20);
    }
    return out;
}

TEST(Files, AreReadPlainAndPacked) {
    const Folder folder;
    EXPECT_EQ(reading(folder, folder.put("a.trace", kSmall)), kSmallRead);
    EXPECT_EQ(reading(folder, folder.put("a.gz", gzip(kSmall))), kSmallRead);
    EXPECT_EQ(reading(folder, folder.put("a.zst", zstd(kSmall))), kSmallRead);
    EXPECT_EQ(reading(folder, folder.put("a.xz", xz(kSmall))), kSmallRead);
    // Detected by content, whatever the name.
    EXPECT_EQ(reading(folder, folder.put("b.txt", gzip(kSmall))), kSmallRead);
    EXPECT_EQ(reading(folder, folder.put("c.txt", xz(kSmall))), kSmallRead);
}

TEST(Files, OfSeveralMembersAndFramesAreReadWhole) {
    const Folder folder;
    const std::string twice = kSmallRead + ", " + kSmallRead;
    EXPECT_EQ(reading(folder, folder.put("two.gz", gzip(kSmall) + gzip(kSmall))), twice);
    EXPECT_EQ(reading(folder, folder.put("two.zst", zstd(kSmall) + zstd(kSmall))), twice);
    EXPECT_EQ(reading(folder, folder.put("two.xz", xz(kSmall) + xz(kSmall))), twice);
    // A member may end in the middle of a line, or be empty.
    EXPECT_EQ(reading(folder, folder.put("cut.gz", gzip("R 0x1") + gzip("") + gzip("0 8\nW 0x20 4"))), kSmallRead);
    EXPECT_EQ(reading(folder, folder.put("cut.zst", zstd("R 0x1") + zstd("") + zstd("0 8\nW 0x20 4"))), kSmallRead);
    EXPECT_EQ(reading(folder, folder.put("cut.xz", xz("R 0x1") + xz("") + xz("0 8\nW 0x20 4"))), kSmallRead);
    const std::string skippable("\x50\x2a\x4d\x18\x03\0\0\0abc", 11);
    EXPECT_EQ(reading(folder, folder.put("skip.zst", skippable + zstd(kSmall))), kSmallRead);
    EXPECT_EQ(reading(folder, folder.put("zeros.gz", gzip(kSmall) + std::string(1000, '\0'))), kSmallRead);
    EXPECT_EQ(reading(folder, folder.put("zeros.xz", xz(kSmall) + std::string(8, '\0') + xz(kSmall))), twice);
}

TEST(Files, ThatAreLargeAreTheSameWhenPacked) {
    const Folder folder;
    const std::string text = manyLines();
    const std::string plain = reading(folder, folder.put("a", text));
    EXPECT_GT(plain.size(), 500000u);
    EXPECT_TRUE(reading(folder, folder.put("a.gz", gzip(text))) == plain);
    EXPECT_TRUE(reading(folder, folder.put("a.zst", zstd(text))) == plain);
    EXPECT_TRUE(reading(folder, folder.put("a.xz", xz(text))) == plain);
    const std::string comment = fmt::format("#{:x>60000}\n", "");
    std::string comments;
    for (int i = 0; i < 50; ++i) comments += comment;
    EXPECT_EQ(reading(folder, folder.put("comments.gz", gzip(comments + kSmall))), kSmallRead);
    EXPECT_EQ(reading(folder, folder.put("comments.zst", zstd(comments + kSmall))), kSmallRead);
    EXPECT_EQ(reading(folder, folder.put("comments.xz", xz(comments + kSmall))), kSmallRead);
}

TEST(Files, ThatAreCutOffAreErrors) {
    const Folder folder;
    const std::string lines = manyLines();
    for (const std::string& text : {kSmall, lines}) {
        const std::string gz = gzip(text);
        const std::string zst = zstd(text);
        const std::string whole = xz(text);
        for (const std::size_t keep : {whole.size() - 1, whole.size() / 2, std::size_t{12}, std::size_t{6}}) {
            EXPECT_EQ(reading(folder, folder.put("a.xz", whole.substr(0, keep))),
                      "a.xz: the xz data is truncated; the file is incomplete");
        }
        for (const std::size_t keep : {gz.size() - 1, gz.size() / 2, std::size_t{12}}) {
            EXPECT_EQ(reading(folder, folder.put("a.gz", gz.substr(0, keep))),
                      "a.gz: the gzip data is truncated; the file is incomplete");
        }
        for (const std::size_t keep : {zst.size() - 1, zst.size() / 2, std::size_t{6}}) {
            EXPECT_EQ(reading(folder, folder.put("a.zst", zst.substr(0, keep))),
                      "a.zst: the zstd data is truncated; the file is incomplete");
        }
    }
    EXPECT_EQ(reading(folder, folder.put("b.gz", gzip(kSmall) + gzip(kSmall).substr(0, 9))),
              "b.gz: the gzip data is truncated; the file is incomplete");
    EXPECT_EQ(reading(folder, folder.put("b.zst", zstd(kSmall) + zstd(kSmall).substr(0, 9))),
              "b.zst: the zstd data is truncated; the file is incomplete");
    EXPECT_EQ(reading(folder, folder.put("b.xz", xz(kSmall) + xz(kSmall).substr(0, 9))),
              "b.xz: the xz data is truncated; the file is incomplete");
}

TEST(Files, ThatAreDamagedAreErrors) {
    const Folder folder;
    std::string bytes = gzip(kSmall);
    bytes[bytes.size() - 6] ^= 1;
    EXPECT_EQ(reading(folder, folder.put("a.gz", bytes)), "a.gz: the gzip data is corrupt: incorrect data check");
    EXPECT_EQ(reading(folder, folder.put("b.gz", gzip(kSmall) + "more")),
              "b.gz: the gzip data is corrupt: it is followed by other data");
    EXPECT_EQ(reading(folder, folder.put("c.gz", "\x1f\x8b\x07 nonsense")),
              "c.gz: the gzip data is corrupt: unknown compression method");
    EXPECT_EQ(reading(folder, folder.put("b.zst", zstd(kSmall) + "more")),
              "b.zst: the zstd data is corrupt: Unknown frame descriptor");
    EXPECT_EQ(reading(folder, folder.put("b.xz", xz(kSmall) + "more than nothing")),
              "b.xz: the xz data is corrupt: invalid data");
    bytes = xz(kSmall);
    bytes[bytes.size() / 2] ^= 1;
    EXPECT_EQ(reading(folder, folder.put("a.xz", bytes)), "a.xz: the xz data is corrupt: invalid data");
    EXPECT_EQ(reading(folder, folder.put("c.xz", std::string("\xfd\x37zXZ\0 some nonsense", 20))),
              "c.xz: the xz data is corrupt: invalid data");
}

TEST(Files, ThatTakeMuchMemoryToUnpackAreRefused) {
    const Folder folder;
    EXPECT_EQ(reading(folder, folder.put("most.xz", xz(kSmall, 9))), kSmallRead);
    // A dictionary of 1 GiB.
    lzma_options_lzma options;
    ASSERT_FALSE(lzma_lzma_preset(&options, 0));
    options.dict_size = 1u << 30;
    std::array<lzma_filter, 2> filters{lzma_filter{LZMA_FILTER_LZMA2, &options},
                                       lzma_filter{LZMA_VLI_UNKNOWN, nullptr}};
    std::string out(1000, '\0');
    std::size_t size = 0;
    ASSERT_EQ(lzma_stream_buffer_encode(filters.data(), LZMA_CHECK_CRC64, nullptr,
                                        reinterpret_cast<const std::uint8_t*>(kSmall.data()), kSmall.size(),
                                        reinterpret_cast<std::uint8_t*>(out.data()), &size, out.size()),
              LZMA_OK);
    EXPECT_EQ(reading(folder, folder.put("huge.xz", out.substr(0, size))),
              "huge.xz: it takes 1025 MiB to decompress it, and 256 are allowed; compress it again with xz -9 or less");
}

TEST(Files, ThatCannotBeReadAreOneSentenceEach) {
    const Folder folder;
    EXPECT_EQ(reading(folder, folder.at("gone")), "gone: there is no such file");
    EXPECT_EQ(reading(folder, folder.put("file", kSmall) + "/under"),
              "file/under: there is no such file: a part of its path is not a folder");
    fs::create_directory(folder.at("sub"));
    EXPECT_EQ(reading(folder, folder.at("sub")), "sub: this is a folder; expected a trace file");
    EXPECT_EQ(reading(folder, folder.put("empty", "")), "empty: the file is empty; expected a trace");
    EXPECT_EQ(reading(folder, folder.put("empty.gz", gzip(""))), "empty.gz: the file is empty; expected a trace");
    EXPECT_EQ(reading(folder, folder.put("empty.zst", zstd(""))), "empty.zst: the file is empty; expected a trace");
    EXPECT_EQ(reading(folder, folder.put("empty.xz", xz(""))), "empty.xz: the file is empty; expected a trace");
    EXPECT_EQ(reading(folder, folder.put("a.xz", xz(xz(kSmall)))),
              "a.xz: this is compressed with xz twice; decompress it once");
    EXPECT_EQ(reading(folder, folder.put("a.bz2", "BZh91AY&SY")),
              "a.bz2: this is compressed with bzip2; decompress it first, or use gzip, zstd or xz");
    EXPECT_EQ(reading(folder, folder.put("bad", "R 0x10\nR x\n")),
              "bad:2: \"x\" is not an address: \"R x\"; an address is 0x and hex digits, or a decimal number");
}

TEST(Files, ThatMayNotBeReadAreOneSentence) {
    if (geteuid() == 0) GTEST_SKIP() << "the superuser may read everything";
    const Folder folder;
    fs::permissions(folder.put("secret", kSmall), fs::perms::none);
    EXPECT_EQ(reading(folder, folder.at("secret")), "secret: permission denied");
}

TEST(Files, ReportTheirProgressInBytesAsStored) {
    const Folder folder;
    const std::string bytes = gzip(manyLines());
    Progress progress;
    ASSERT_TRUE(readTrace(folder.put("a.gz", bytes), {}, progress));
    EXPECT_EQ(progress.total(), bytes.size());
    EXPECT_EQ(progress.done(), bytes.size());
    EXPECT_EQ(progress.fraction(), 1.0);
}

TEST(Files, CanBeCancelled) {
    const Folder folder;
    Progress progress;
    progress.cancel();
    const auto trace = readTrace(folder.put("a", kSmall), {}, progress);
    ASSERT_FALSE(trace);
    EXPECT_TRUE(trace.error().cancelled);
}

TEST(Files, APipeIsReadAndCanBeCancelledWhileItIsSilent) {
    const Folder folder;
    const std::string path = folder.at("pipe");
    ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
    {
        std::jthread writer([&] { std::ofstream(path) << kSmall; });
        EXPECT_EQ(reading(folder, path), kSmallRead);
    }
    std::atomic<bool> over = false;
    Progress progress;
    std::jthread writer([&] {
        std::ofstream silent(path);
        progress.cancel();
        while (!over) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    });
    const auto trace = readTrace(path, {}, progress);
    over = true;
    ASSERT_FALSE(trace);
    EXPECT_TRUE(trace.error().cancelled);
    EXPECT_EQ(progress.fraction(), -1.0);
}

TEST(Files, GiveATraceTheirName) {
    const Folder folder;
    Progress progress;
    EXPECT_EQ(readTrace(folder.put("mm.trace", kSmall), {}, progress)->name(), "mm.trace");
}

/// Returns a few bytes at a time, as a slow pipe does.
class DripSource : public ByteSource {
  public:
    DripSource(std::string_view text, std::size_t step) : rest_(text), step_(step) {}
    Expected<std::size_t> read(std::span<char> to) override {
        const std::size_t n = rest_.copy(to.data(), std::min(to.size(), step_));
        rest_.remove_prefix(n);
        return n;
    }

  private:
    std::string_view rest_;
    std::size_t step_;
};

TEST(LineSource, GivesEveryByteAndEndsEachBlockWithALine) {
    const std::string text = manyLines() + "last";
    for (const std::size_t step : {std::size_t{7777}, text.size()}) {
        LineSource source(std::make_unique<DripSource>(text, step));
        std::string all;
        for (auto block = source.next(); !block->empty(); block = source.next()) {
            EXPECT_EQ(block->back(), '\n');
            all += *block;
        }
        EXPECT_TRUE(all == text + "\n");
    }
}

TEST(LineSource, CutsEndlessLinesShort) {
    const std::string text = "a\n" + std::string(5 << 20, 'x') + "\nb\n" + std::string(1 << 20, 'y');
    LineSource source(std::make_unique<DripSource>(text, 100000));
    std::string all;
    for (auto block = source.next(); !block->empty(); block = source.next()) all += *block;
    EXPECT_TRUE(all == "a\n" + std::string(kMaxLine + 2, 'x') + "\nb\n" + std::string(kMaxLine + 2, 'y') + "\n");
}

// A trace from a pipe that nobody writes into yet.
TEST(Files, APipeIsWaitedForUntilItIsCancelled) {
    const Folder folder;
    ASSERT_EQ(mkfifo(folder.at("pipe").c_str(), 0600), 0);
    Progress progress;
    std::thread user([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        progress.cancel();
    });
    const auto trace = readTrace(folder.at("pipe"), {}, progress);
    user.join();
    ASSERT_FALSE(trace);
    EXPECT_TRUE(trace.error().cancelled);
}

TEST(Files, APipeIsReadLikeAFile) {
    const Folder folder;
    ASSERT_EQ(mkfifo(folder.at("pipe").c_str(), 0600), 0);
    std::thread writer([&] {
        std::ofstream pipe(folder.at("pipe"));
        pipe << kSmall << std::flush;
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        pipe << kSmall;
    });
    Progress progress;
    const auto trace = readTrace(folder.at("pipe"), {}, progress);
    writer.join();
    ASSERT_TRUE(trace) << trace.error().sentence();
    EXPECT_EQ(trace->size(), 2 * parsed(kSmall).size());
    EXPECT_LT(progress.fraction(), 0) << "its size is unknown";
    EXPECT_EQ(progress.accesses(), trace->size());
}

TEST(Unpacking, DoesNotDependOnHowTheBytesCome) {
    for (const std::string& packed :
         {gzip(kSmall) + gzip(kSmall), zstd(kSmall) + zstd(kSmall), xz(kSmall) + xz(kSmall), kSmall + kSmall}) {
        auto source = decompressed(std::make_unique<DripSource>(packed, 1), "t");
        ASSERT_TRUE(source);
        std::string all;
        char buffer[5];
        for (auto n = (*source)->read(buffer); *n > 0; n = (*source)->read(buffer)) all.append(buffer, *n);
        EXPECT_EQ(all, kSmall + kSmall);
        EXPECT_EQ((*source)->read(buffer).value(), 0u) << "the end is not the end";
    }
}

}  // namespace
}  // namespace whorl::sim::test
