// Files that are no traces are recognized by name, each with what to do.
#include "sim/trace/formats/foreign_content.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <random>

#include "sim/trace/trace_help.h"

namespace whorl::sim::test {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kTwoAccesses = "R 0x10 4\nW 0x20 4\n";

/// The text in an encoding of so many bytes a character, of which one is not 0.
std::string encoded(std::string_view text, std::size_t bytes, std::size_t low, std::string_view mark) {
    std::string out(mark);
    for (const char c : text) {
        std::string character(bytes, '\0');
        character[low] = c;
        out += character;
    }
    return out;
}

TEST(ForeignContent, TextInOtherEncodingsIsNamed) {
    const auto said = [](const std::string& text) { return sentenceOf(text); };
    const auto expected = [](std::string_view name, std::string_view from) {
        return fmt::format("t: this text is in {}, not in UTF-8; convert it with iconv -f {} -t UTF-8", name, from);
    };
    EXPECT_EQ(said(encoded(kTwoAccesses, 2, 0, "\xff\xfe"sv)), expected("UTF-16", "UTF-16"));
    EXPECT_EQ(said(encoded(kTwoAccesses, 2, 1, "\xfe\xff"sv)), expected("UTF-16", "UTF-16"));
    EXPECT_EQ(said(encoded(kTwoAccesses, 4, 0, "\xff\xfe\0\0"sv)), expected("UTF-32", "UTF-32"));
    EXPECT_EQ(said(encoded(kTwoAccesses, 4, 3, "\0\0\xfe\xff"sv)), expected("UTF-32", "UTF-32"));
    EXPECT_EQ(said(encoded(kTwoAccesses, 2, 0, "")), expected("UTF-16", "UTF-16LE"));
    EXPECT_EQ(said(encoded(kTwoAccesses, 2, 1, "")), expected("UTF-16", "UTF-16BE"));
    EXPECT_EQ(said(encoded(kTwoAccesses, 4, 0, "")), expected("UTF-32", "UTF-32LE"));
    EXPECT_EQ(said(encoded(kTwoAccesses, 4, 3, "")), expected("UTF-32", "UTF-32BE"));
    EXPECT_EQ(said("\xef\xbb\xbf" + std::string(kTwoAccesses)), "read") << "UTF-8 with its mark";
}

TEST(ForeignContent, ArchivesAndOtherFilesAreNamed) {
    std::string tar(512, '\0');
    tar.replace(0, 5, "trace");
    tar.replace(257, 5, "ustar");
    const std::vector<std::pair<std::string, std::string>> kinds = {
        {std::string("PK\x03\x04"sv) + "rest", "a ZIP archive"},
        {"7z\xbc\xaf\x27\x1c", "a 7z archive"},
        {"Rar!\x1a\x07", "a RAR archive"},
        {tar, "a tar archive"},
        {std::string("\xfd\x37zXZ\0"sv), "compressed with xz twice"},
        {"BZh91AY&SY", "compressed with bzip2"},
        {"\x04\x22\x4d\x18", "compressed with lz4"},
        {std::string("\x5d\0\0\x80\0\xff\xff"sv), "compressed with lzma; decompress it first"},
        {"\x7f"
         "ELF\x02\x01",
         "a program, a library or a core dump"},
        {"\x89PNG\r\n\x1a\n", "a picture (PNG)"},
        {"%PDF-1.7", "a document (PDF)"},
        {"SQLite format 3", "an SQLite database"},
        {"PERFILE2", "a recording of perf"},
        {"{\"levels\": []}", "JSON, not a trace; if it is a machine, give it with --machine"},
        {"[{\"a\": 1}]", "JSON"},
        {"<!DOCTYPE html>\n<html>", "HTML"},
        {"<?xml version", "XML"},
        {"version https://git-lfs.github.com/spec/v1\n", "a pointer to a file that Git LFS keeps"},
    };
    for (const auto& [bytes, name] : kinds) {
        const std::string said = sentenceOf(bytes);
        EXPECT_TRUE(said.starts_with("t: this is " + name)) << said;
        EXPECT_NE(said.find("; "), std::string::npos) << "what to do: " << said;
        EXPECT_EQ(said.find("--format"), std::string::npos) << said;
        EXPECT_EQ(sentenceOf(bytes + std::string(kForeignSample, 'x')), said) << "nor does it depend on the rest";
    }
    EXPECT_TRUE(sentenceOf("\x89WHORL\n").starts_with("t: this was a .whorl file, but its line ends"));
    EXPECT_TRUE(sentenceOf(tar, forced(TraceFormat::text)).starts_with("t: this is a tar archive")) << "in any format";
}

TEST(ForeignContent, WhatIsNoTextGetsNoHintAboutFormats) {
    EXPECT_EQ(sentenceOf(std::string(100, '\0')).substr(0, 61),
              "t: this is neither text nor a .whorl file: it begins with \"\\x");
    std::mt19937 random(1);
    std::string bytes;
    for (int i = 0; i < 5000; ++i) bytes += static_cast<char>(random());
    EXPECT_EQ(sentenceOf(bytes).find("--format"), std::string::npos);
    const std::string text =
        "t: no line of it looks like a trace in lackey, text, din, drcachesim, pinatrace, whorl, chiron or "
        "champsim; use --format ";
    EXPECT_TRUE(sentenceOf("Lorem ipsum\n").starts_with(text));
    EXPECT_TRUE(sentenceOf("Gr\xfc\xdf Gott\n").starts_with(text)) << "Latin-1";
    EXPECT_TRUE(sentenceOf("[notes]\n{x}\n").starts_with(text)) << "no JSON";
}

// Whoever has accesses in another form learns how to write them.
TEST(ForeignContent, AccessesOfOtherFormsAreShownInOwnText) {
    const auto hint = [](std::string_view text) {
        const std::string said = sentenceOf(text);
        const std::size_t at = said.find("; write R or W, then 0x and the address in hex: ");
        return at == std::string::npos ? said : said.substr(at + 48, said.find("; or say what") - at - 48);
    };
    EXPECT_EQ(hint("0x0\n0x8\n"), "R 0x0");
    EXPECT_EQ(hint("1000,W\n1004,R\n"), "W 0x1000");
    EXPECT_EQ(hint("load 0x1000 4\nstore 0x1004 4 19ab\n"), "R 0x1000");
    EXPECT_EQ(hint("Store, 1f00, 8\n"), "W 0x1f00");
    EXPECT_EQ(hint("# 0 7fffed80 1\n# 0 10010000 10\n"), "R 0x7fffed80");
    EXPECT_EQ(hint("0 W 10 0\n1 R 10 0\n"), "W 0x10");
    EXPECT_EQ(hint("0x1000 R\n"), "R 0x1000");
    EXPECT_EQ(
        sentenceOf("0x1000 R\n"),
        "t: \"0x1000 R\" is in no form that Whorl knows (lackey, text, din, drcachesim, pinatrace, whorl, chiron "
        "or champsim); write R or W, then 0x and the address in hex: R 0x1000; or say what its columns are, as with "
        "--columns op,addr,size");
    // Words are no addresses, even if all their letters are hex digits.
    for (const char* line : {"add a bed", "the cache has 64 blocks", "", "r", "# nothing", "-1"}) {
        EXPECT_EQ(inOwnText(line), "") << line;
    }
}

// A comment may hold anything, and accesses may begin like a signature.
TEST(ForeignContent, TracesAreNotTakenForOtherFiles) {
    for (const char* trace : {"# {\"a\": 1}\nR 0x10\n", "R 0x10\n", "==1== Lackey\n L 10,4\n", "0 10\n",
                              "i 32\ni 32\ni 1\ni 1\nr 0x10 0 0\nR 0x10 0 0 1\n"}) {
        EXPECT_EQ(sentenceOf(trace), "read") << trace;
    }
}

}  // namespace
}  // namespace whorl::sim::test
