#include "app/export/video.h"

#include <gtest/gtest.h>

#include <string>

#include "support/folder.h"

namespace whorl::app {
namespace {

/// A box of ISO/IEC 14496-12.
std::string box(const std::string& type, const std::string& content) {
    std::string size(4, '\0');
    size[3] = static_cast<char>(8 + content.size());
    return size + type + content;
}

bool isComplete(const std::string& bytes, const std::string& format) {
    const sim::test::Folder folder;
    return isCompleteFilm(folder.put("film", bytes), format);
}

TEST(FilmCheck, KnowsAnMp4ThatWasCutAnywhere) {
    const std::string whole = box("ftyp", "isom") + box("moov", "0123456789") + box("free", "") + box("mdat", "frames");
    EXPECT_TRUE(isComplete(whole, "mp4"));
    for (std::size_t size = 0; size < whole.size(); ++size)
        EXPECT_FALSE(isComplete(whole.substr(0, size), "mp4")) << size;
    EXPECT_FALSE(isComplete(whole + "more", "mp4"));
    const std::string longBox = std::string("\0\0\0\1mdat\0\0\0\0\0\0\0\x14", 16) + "long";
    EXPECT_TRUE(isComplete(box("moov", "") + longBox, "mp4"));
    EXPECT_FALSE(isComplete(box("moov", "") + longBox.substr(0, 19), "mp4"));
    EXPECT_TRUE(isComplete(box("moov", "") + std::string("\0\0\0\0mdat", 8) + "to the end", "mp4"));
}

TEST(FilmCheck, KnowsAGifThatWasCutAnywhere) {
    const std::string whole = "GIF89a frames ;";
    EXPECT_TRUE(isComplete(whole, "gif"));
    for (std::size_t size = 0; size < whole.size(); ++size)
        EXPECT_FALSE(isComplete(whole.substr(0, size), "gif")) << size;
    EXPECT_FALSE(isComplete("PNG ;", "gif"));
}

}  // namespace
}  // namespace whorl::app
