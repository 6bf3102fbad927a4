#include "app/panels/terms.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <optional>

#include "app/panels/labels.h"
#include "app/panels/widgets.h"
#include "render/scene/palette.h"
#include "render/scene/region_looks.h"

namespace whorl::app {

namespace {

/// A word for what happens.
struct EventWord {
    std::string_view words;
    scene::Rgba scene::Palette::*colour;
    std::string_view meaning;
};

constexpr std::string_view kHit = "The cache has the block: it serves the access.";
constexpr std::string_view kMiss = "The cache lacks the block: the next level, or memory, must send it.";
// Evicted blocks have the colours of their regions.
constexpr std::string_view kEvicted = "A block leaves a cache, because another one needs its place.";
constexpr std::string_view kDirty = "The cache has a newer value of the block than the next level, or memory.";
constexpr std::string_view kWrittenBack = "A dirty block goes to the next level, or to memory.";

using scene::Palette;
constexpr std::array kEventWords = {EventWord{"hit", &Palette::hit, kHit},
                                    EventWord{"hits", &Palette::hit, kHit},
                                    EventWord{"miss", &Palette::flash, kMiss},
                                    EventWord{"misses", &Palette::flash, kMiss},
                                    EventWord{"missed", &Palette::flash, kMiss},
                                    EventWord{"evict", &Palette::text, kEvicted},
                                    EventWord{"evicts", &Palette::text, kEvicted},
                                    EventWord{"evicted", &Palette::text, kEvicted},
                                    EventWord{"eviction", &Palette::text, kEvicted},
                                    EventWord{"evictions", &Palette::text, kEvicted},
                                    EventWord{"dirty", &Palette::dirty, kDirty},
                                    EventWord{"written back", &Palette::dirty, kWrittenBack},
                                    EventWord{"writes back", &Palette::dirty, kWrittenBack}};

/// Whether a character is a part of a word; a hyphen is: "write-back" is no "back".
bool isOfWord(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-';
}

bool isSpace(char c) {
    return c == ' ' || c == '\n';
}

/// Whether a term stands at this place as whole words. Lines may end within it, and it may begin a sentence.
bool standsAt(std::string_view words, std::size_t at, std::string_view term, bool anyCase) {
    const std::size_t end = at + term.size();
    if (term.empty() || end > words.size() || (end < words.size() && isOfWord(words[end]))) return false;
    for (std::size_t i = 0; i < term.size(); ++i) {
        const char here = words[at + i];
        const bool isSame = here == term[i] || (isSpace(here) && isSpace(term[i])) ||
                            (anyCase && i == 0 && std::tolower(static_cast<unsigned char>(here)) == term[i]);
        if (!isSame) return false;
    }
    return true;
}

/// Whether the a or A at this place is an article.
bool isArticle(std::string_view words, std::size_t at) {
    const auto isLetter = [&](std::size_t i) {
        return i < words.size() && std::isalpha(static_cast<unsigned char>(words[i])) != 0;
    };
    if (at + 1 >= words.size() || !isSpace(words[at + 1]) || !isLetter(at + 2)) return false;
    if (words[at] == 'a') return true;
    if (std::isupper(static_cast<unsigned char>(words[at + 2])) != 0) return false;
    const std::size_t before = at == 0 ? std::string_view::npos : words.find_last_not_of(" \n", at - 1);
    return before == std::string_view::npos || std::string_view(".?!").find(words[before]) != std::string_view::npos;
}

/// The longest term that stands at this place.
std::optional<Term> termAt(std::string_view words, std::size_t at, const Session& session) {
    std::optional<Term> found;
    const auto take = [&](std::string_view name, scene::Rgba colour, const scene::Target& target,
                          std::string_view meaning = {}) {
        if ((found && found->bytes >= name.size()) || !standsAt(words, at, name, !meaning.empty())) return;
        found = Term{at, name.size(), nameColour(colour, session.ground), target, meaning};
    };
    const Palette& palette = scene::paletteFor(session.ground);
    const Opened& opened = session.opened;
    const auto& regions = opened.run->trace().regions();
    for (std::uint32_t r = 0; r < regions.size(); ++r) {
        if ((regions[r].name == "a" || regions[r].name == "A") && isArticle(words, at)) continue;
        take(regions[r].name, opened.regionLooks->hueOf(r, session.ringView.hues, session.ground),
             {.kind = scene::Target::Kind::region, .region = r});
    }
    const auto& levels = opened.run->machine().levels;
    for (std::size_t l = 0; l < levels.size(); ++l) {
        take(levels[l].name, palette.text, {.kind = scene::Target::Kind::level, .level = static_cast<std::uint8_t>(l)});
    }
    for (const EventWord& event : kEventWords) take(event.words, palette.*event.colour, {}, event.meaning);
    return found;
}

/// What is under the mouse is lit; a word that happens is explained.
void touch(const PanelContext& c, const Term& term, ImVec2 from, ImVec2 to) {
    if (!ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows) || !ImGui::IsMouseHoveringRect(from, to)) return;
    c.edits.touching = term.target;
    if (!term.meaning.empty()) drawTooltip(c, {std::string(term.meaning)});
}

}  // namespace

std::vector<Term> termsIn(std::string_view words, const Session& session) {
    std::vector<Term> terms;
    if (!session.opened.run || !session.opened.regionLooks) return terms;
    for (std::size_t at = 0; at < words.size();) {
        const auto term = isOfWord(words[at]) ? termAt(words, at, session) : std::nullopt;
        if (term) terms.push_back(*term);
        if (term) at += term->bytes;
        // On to the next word.
        while (!term && at < words.size() && isOfWord(words[at])) ++at;
        while (at < words.size() && !isOfWord(words[at])) ++at;
    }
    return terms;
}

void drawTerms(const PanelContext& c, ImFont& font, float size, ImVec2 at, const ImVec4& colour,
               const std::string& lines) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const std::vector<Term> terms = termsIn(lines, c.session);
    if (terms.empty()) return list.AddText(&font, size, at, packed(colour), lines.c_str());
    ImVec2 pen = at;
    const auto put = [&](std::size_t from, std::size_t to, const Term* term) {
        const ImU32 ink = term == nullptr ? packed(colour) : packed(scene::faded(term->colour, colour.w));
        while (from < to) {
            const std::size_t end = std::min(lines.find('\n', from), to);
            const char* const first = lines.data() + from;
            const char* const last = lines.data() + end;
            const ImVec2 right(pen.x + font.CalcTextSizeA(size, FLT_MAX, 0, first, last).x, pen.y + size);
            list.AddText(&font, size, pen, ink, first, last);
            if (term != nullptr) {
                const float wide = std::max(1.0f, std::round(0.06f * size));
                list.AddRectFilled({pen.x, right.y - wide}, right, ink);
                touch(c, *term, pen, right);
            }
            pen = end < to ? ImVec2(at.x, right.y) : ImVec2(right.x, pen.y);
            from = end < to ? end + 1 : to;
        }
    };
    std::size_t done = 0;
    for (const Term& term : terms) {
        put(done, term.from, nullptr);
        done = term.from + term.bytes;
        put(term.from, done, &term);
    }
    put(done, lines.size(), nullptr);
}

}  // namespace whorl::app
