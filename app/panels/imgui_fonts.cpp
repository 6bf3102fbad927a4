#include <imgui_internal.h>

#include <array>
#include <cmath>
#include <cstring>
#include <fstream>
#include <new>
#include <sstream>
#include <string>
#include <utility>

#include "app/panels/imgui_style.h"
#include "app/panels/player_signs.h"

namespace whorl::app {
namespace {

constexpr std::array<ImWchar, 31> kText{0x0020, 0x017F,                  // Latin
                                        0x0370, 0x03FF,                  // Greek
                                        0x2007, 0x2007,                  // the space of a digit
                                        0x2010, 0x203A,                  // dashes, quotes, …
                                        0x2070, 0x209C,                  // superscripts and subscripts
                                        0x20AC, 0x20AC,                  // €
                                        0x2190, 0x21FF,                  // arrows
                                        0x2200, 0x22FF,                  // mathematics
                                        0x2318, 0x2318, 0x23CE, 0x23CE,  // keys
                                        0x2460, 0x2473,                  // numbers in circles
                                        0x25A0, 0x25FF,                  // shapes
                                        0x2691, 0x2691,                  // a flag
                                        0x2713, 0x2718,                  // ticks and crosses
                                        0x27F2, 0x27FF,                  // long arrows
                                        0};

/// The characters of titles and big numbers: a large font takes space in the atlas.
constexpr std::array<ImWchar, 19> kTitles{0x0020, 0x00FF, 0x0391, 0x03C9, 0x2010, 0x203A, 0x2190,
                                          0x2199, 0x21BA, 0x21BB, 0x2248, 0x2265, 0x2460, 0x2473,
                                          0x25A0, 0x25FF, 0x2713, 0x2718, 0};

struct FontSpec {
    const char* file;
    float size;  ///< pixels at scale 1
    const ImWchar* ranges;
    bool playerSigns;
};

/// The bytes of a file; empty if it cannot be read.
std::string bytesOf(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream bytes;
    bytes << file.rdbuf();
    return std::move(bytes).str();
}

/// The font, or null when its file cannot be read.
ImFont* load(const FontSpec& spec, float scale, const std::string& folder) {
    const std::string bytes = bytesOf(folder + "/" + spec.file);  // ImGui ends the program when it cannot read a file
    if (bytes.empty()) return nullptr;
    void* const kept = ImGui::MemAlloc(bytes.size());
    if (kept == nullptr) throw std::bad_alloc();
    std::memcpy(kept, bytes.data(), bytes.size());
    ImFontConfig config;
    config.OversampleH = 2;
    config.OversampleV = 1;
    // The atlas owns the bytes from now on.
    return ImGui::GetIO().Fonts->AddFontFromMemoryTTF(kept, static_cast<int>(bytes.size()),
                                                      std::round(spec.size * scale), &config, spec.ranges);
}

ImFont* standIn(float size, float scale) {
    ImFontConfig config;
    config.SizePixels = std::round(size * scale);
    config.OversampleH = config.OversampleV = 1;
    config.PixelSnapH = true;
    return ImGui::GetIO().Fonts->AddFontDefault(&config);
}

}  // namespace

Fonts loadFonts(float scale, const std::string& folder) {
    static constexpr FontSpec kBody{"DejaVuSans.ttf", 16, kText.data(), true};
    static constexpr FontSpec kSmall{"DejaVuSans.ttf", 13, kText.data(), true};
    static constexpr FontSpec kLarge{"DejaVuSans.ttf", 28, kTitles.data(), true};
    static constexpr FontSpec kHeading{"DejaVuSans-Bold.ttf", 18, kTitles.data(), true};
    static constexpr FontSpec kMono{"DejaVuSansMono.ttf", 13, kText.data(), false};

    ImGuiIO& io = ImGui::GetIO();
    ImFontAtlas& atlas = *io.Fonts;
    atlas.Clear();
    atlas.FontBuilderIO = ImFontAtlasGetBuilderForStbTruetype();  // FreeType's pixels change with its version
    atlas.Flags |= ImFontAtlasFlags_NoPowerOfTwoHeight;
    Fonts fonts;
    PlayerSigns signs;
    const auto get = [&](const FontSpec& spec) {
        ImFont* font = load(spec, scale, folder);
        if (font != nullptr && spec.playerSigns) signs.reserve(atlas, *font, std::round(spec.size * scale));
        if (font == nullptr) {
            font = standIn(spec.size, scale);
            fonts.note = "The font " + (folder + "/" + spec.file) +
                         " is missing, so some signs cannot be shown (package fonts-dejavu-core).";
        }
        return font;
    };
    fonts.body = get(kBody);
    fonts.small = get(kSmall);
    fonts.large = get(kLarge);
    fonts.heading = get(kHeading);
    fonts.mono = get(kMono);
    atlas.Build();
    signs.paint(atlas);
    atlas.SetTexID(nullptr);  // tells the renderer that its texture is out of date
    io.FontDefault = fonts.body;
    return fonts;
}

}  // namespace whorl::app
