// Whorl's own text format, documented by example in docs/traces.md. Accesses have a fast path; everything else is rare
// and parsed word by word.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <vector>

#include "sim/trace/formats/reading.h"
#include "sim/trace/formats/text_words.h"
#include "sim/trace/formats/trace_formats.h"

namespace whorl::sim {
namespace {

constexpr std::size_t kRemembered = 1u << 14;        ///< line endings kept
constexpr std::size_t kLongestRemembered = 1u << 8;  ///< bytes of a line ending that is kept

constexpr std::string_view kAccessExample = "expected for example: R 0x1000 8 cpu=0 mm.c:12";
constexpr std::string_view kAddressForm = "an address is 0x and hex digits, or a decimal number";
constexpr std::string_view kRegionExample = "expected for example: region A 0x1000 2K 8 rows=16 cols=16";
constexpr std::string_view kNewExample = "expected for example: new n1 Node 0x1000 24";

/// Parses a number of bytes, also in the form "2K" or "4M".
std::optional<std::uint64_t> byteCount(std::string_view text) {
    const std::string_view suffix = text.empty() ? text : text.substr(text.size() - 1);
    const unsigned shift = suffix == "K" || suffix == "k" ? 10 : suffix == "M" || suffix == "m" ? 20 : 0;
    if (shift != 0) text.remove_suffix(1);
    const auto n = anyNumber(text);
    if (!n || *n > std::numeric_limits<std::uint64_t>::max() >> shift) return std::nullopt;
    return *n << shift;
}

bool isAccessLetter(char c) {
    return std::string_view("RWMrwm").find(c) != std::string_view::npos;
}

/// A parsed "mm.c:12".
struct SitePlace {
    std::string_view file;
    std::uint32_t line = 0;
};

std::optional<SitePlace> sitePlace(std::string_view text) {
    const std::size_t colon = text.rfind(':');
    if (colon == std::string_view::npos) return std::nullopt;
    const auto line = decimalNumber(text.substr(colon + 1));
    if (!line || *line > std::numeric_limits<std::uint32_t>::max()) return std::nullopt;
    return SitePlace{.file = text.substr(0, colon), .line = static_cast<std::uint32_t>(*line)};
}

class TextReader : public LineReader {
  public:
    TextReader(TraceBuilder& builder, bool onlyRegions) : builder_(builder), onlyRegions_(onlyRegions) {}

    std::size_t read(std::string_view block) override {
        if (onlyRegions_) return readEach(block, [this](std::string_view line) { return readNaming(line); });
        return readEach(block, [this](std::string_view line) {
            line = withoutBlanks(line);
            if (line.size() > 1 && isAccessLetter(line[0]) && (line[1] == ' ' || line[1] == '\t')) {
                return readAccess(line[0], line.substr(2));
            }
            return readWords(line);
        });
    }

  private:
    /// The optional parts of an access.
    struct Extras {
        std::uint8_t cpu = 0;
        SiteId site;
    };
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
    };
    using Directive = bool (TextReader::*)(const std::vector<Word>&);

    TraceBuilder& builder_;
    bool onlyRegions_;
    /// Cache of parsed line endings: a program has few source lines and many accesses.
    std::unordered_map<std::string, Extras, Hash, std::equal_to<>> remembered_;

    /// Address and size cannot be quoted, so a simple split suffices.
    bool readAccess(char letter, std::string_view rest) {
        const std::string_view word = takeWord(rest, '#');
        const auto address = anyNumber(word);
        if (!address) return refuseAddress(word, std::string(word.empty() ? kAccessExample : kAddressForm));
        std::uint64_t size = kDefaultAccessSize;
        std::string_view behind = rest;
        if (const auto given = anyNumber(takeWord(behind, '#'))) {
            size = *given;
            rest = behind;
        }
        if (!possible(*address, size)) return false;
        const auto extras = extrasIn(withoutBlanks(rest));
        if (!extras) return false;
        Access access = accessOf(Op::read, *address, size);
        access.cpu = extras->cpu;
        access.site = extras->site;
        const bool reads = letter != 'W' && letter != 'w';
        const bool writes = letter != 'R' && letter != 'r';
        if (reads) builder_.add(access);
        access.op = Op::write;
        access.modify = reads;
        if (writes) builder_.add(access);
        return true;
    }

    std::optional<Extras> extrasIn(std::string_view text) {
        if (text.empty()) return Extras{};
        if (const auto known = remembered_.find(text); known != remembered_.end()) return known->second;
        const auto words = splitWords(text);
        if (!words) {
            refuseQuotes();
            return std::nullopt;
        }
        Extras extras;
        bool cpuGiven = false;
        bool siteGiven = false;
        for (const Word& word : *words) {
            const bool isCpu = !word.quoted && word.text.starts_with("cpu=");
            bool& given = isCpu ? cpuGiven : siteGiven;
            if (!(isCpu ? readCpu(word, extras) : readSite(word, extras))) return std::nullopt;
            if (given) {
                refuse(fmt::format("a second {}", isCpu ? "CPU" : "source line"));
                return std::nullopt;
            }
            given = true;
        }
        if (text.size() > kLongestRemembered) return extras;
        if (remembered_.size() >= kRemembered) remembered_.clear();
        remembered_.emplace(text, extras);
        return extras;
    }

    bool readCpu(const Word& word, Extras& extras) {
        const auto cpu = decimalNumber(std::string_view(word.text).substr(4));
        if (!cpu || *cpu >= kMaxCpus) {
            return refuse(fmt::format("\"{}\" is not a CPU", shown(word.text)),
                          fmt::format("they are cpu=0 to cpu={}", kMaxCpus - 1));
        }
        extras.cpu = static_cast<std::uint8_t>(*cpu);
        return true;
    }

    bool readSite(const Word& word, Extras& extras) {
        const auto place = sitePlace(word.text);
        if (!place) {
            return refuse(fmt::format("\"{}\" is neither a size, nor a CPU, nor a source line", shown(word.text)),
                          std::string(kAccessExample));
        }
        extras.site = builder_.site(place->file, place->line);
        return true;
    }

    bool readWords(std::string_view line) {
        const auto words = splitWords(line);
        if (!words) return refuseQuotes();
        if (words->empty()) return true;
        static const std::unordered_map<std::string_view, Directive> kDirectives = {
            {"region", &TextReader::readRegion}, {"new", &TextReader::readNew}, {"del", &TextReader::readDel},
            {"mark", &TextReader::readMark},     {"on", &TextReader::readOn},   {"off", &TextReader::readOff},
        };
        const Word& first = words->front();
        if (first.text.size() == 1 && isAccessLetter(first.text[0])) {
            return refuse("no address", std::string(kAccessExample));
        }
        const auto directive = kDirectives.find(first.text);
        if (first.quoted || directive == kDirectives.end()) {
            return refuse(fmt::format("\"{}\" is not known", shown(first.text)),
                          "a line starts with R, W, M, region, new, del, mark, on, off or #", true);
        }
        return (this->*directive->second)(*words);
    }

    /// Parses a line that may only declare a region.
    bool readNaming(std::string_view line) {
        const auto words = splitWords(line);
        if (!words) return refuseQuotes();
        if (words->empty()) return true;
        if (!words->front().quoted && words->front().text == "region") return readRegion(*words);
        return refuse(fmt::format("\"{}\" is not known here", shown(words->front().text)),
                      "a line starts with region or #");
    }

    bool refuseQuotes() {
        return refuse("the quotes are not valid", R"(expected "…" with a blank behind it, and \" or \\ within)");
    }

    bool readRegion(const std::vector<Word>& words) {
        if (words.size() < 4)
            return refuse("a region needs a name, an address and a size", std::string(kRegionExample));
        Region region;
        region.name = words[1].text;
        if (!readRange(words[2].text, words[3].text, region.base, region.size)) return false;
        if (region.size == 0) return refuse("the size is 0");
        if (region.last() < region.base) return refuse("it reaches beyond the last address");
        bool shaped[3] = {};
        for (std::size_t i = 4; i < words.size(); ++i) {
            if (!readShape(words[i].text, region, shaped)) return false;
        }
        if (region.columns > 0 && region.rows == 0) return refuse("cols= without rows=", std::string(kRegionExample));
        const std::uint64_t elements = region.size / region.elementSize;
        const std::uint64_t columns = std::max<std::uint64_t>(region.columns, 1);
        if (region.rows > elements / columns) {
            return refuse(fmt::format("{} × {} elements of {} bytes do not fit into {} bytes", region.rows, columns,
                                      region.elementSize, region.size));
        }
        std::string other;
        if (builder_.addRegion(std::move(region), &other)) return true;
        return refuse(fmt::format("it overlaps the region \"{}\"", shown(other)));
    }

    /// Parses "8", "rows=16" or "cols=16", each at most once.
    bool readShape(const std::string& word, Region& region, bool (&given)[3]) {
        const bool isRows = word.starts_with("rows=");
        const bool isColumns = word.starts_with("cols=");
        const auto n = decimalNumber(isRows || isColumns ? std::string_view(word).substr(5) : word);
        bool& known = given[isRows ? 0 : isColumns ? 1 : 2];
        const std::uint64_t most =
            isRows || isColumns ? std::numeric_limits<std::uint64_t>::max() : std::numeric_limits<std::uint32_t>::max();
        if (!n || *n == 0 || *n > most) {
            return refuse(fmt::format("\"{}\" is no element size, rows= or cols=", shown(word)),
                          std::string(kRegionExample));
        }
        if (known) return refuse(fmt::format("\"{}\" is given twice", shown(word)), std::string(kRegionExample));
        known = true;
        if (isRows) {
            region.rows = *n;
        } else if (isColumns) {
            region.columns = *n;
        } else {
            region.elementSize = static_cast<std::uint32_t>(*n);
        }
        return true;
    }

    bool readRange(const std::string& address, const std::string& bytes, ByteAddress& base, std::uint64_t& size) {
        const auto at = anyNumber(address);
        if (!at) return refuseAddress(address, std::string(kAddressForm));
        const auto n = byteCount(bytes);
        if (!n) return refuse(fmt::format("\"{}\" is not a size", shown(bytes)), "expected bytes: 2048, 0x800 or 2K");
        base = ByteAddress{*at};
        size = *n;
        return true;
    }

    bool readNew(const std::vector<Word>& words) {
        if (words.size() != 5)
            return refuse("new needs a name, a class, an address and a size", std::string(kNewExample));
        Object object;
        object.name = words[1].text;
        object.className = words[2].text;
        if (!readRange(words[3].text, words[4].text, object.base, object.size)) return false;
        if (!endsWithinMemory(object.base.value, object.size)) {
            return refuse("it does not end before the last byte of the address space");
        }
        // Objects of 0 bytes are valid: programs do call malloc(0).
        if (builder_.newObject(std::move(object))) return true;
        return refuse("an object is still alive there", "del ends its lifetime");
    }

    bool readDel(const std::vector<Word>& words) {
        if (words.size() != 2) return refuse("del needs the address of an object", "expected for example: del 0x1000");
        const auto at = anyNumber(words[1].text);
        if (!at) return refuseAddress(words[1].text, std::string(kAddressForm));
        return builder_.deleteObject(ByteAddress{*at}) || refuse("no object that is alive starts there");
    }

    bool readMark(const std::vector<Word>& words) {
        if (words.size() != 2) return refuse("mark needs one name", "expected for example: mark \"phase 2\"");
        builder_.mark(words[1].text);
        return true;
    }

    bool readOn(const std::vector<Word>& words) { return switchRecording(words, true); }
    bool readOff(const std::vector<Word>& words) { return switchRecording(words, false); }

    bool switchRecording(const std::vector<Word>& words, bool on) {
        if (words.size() != 1) return refuse(fmt::format("\"{}\" is unexpected", shown(words[1].text)));
        builder_.recording(on);
        return true;
    }
};

}  // namespace

std::unique_ptr<LineReader> textReader(TraceBuilder& builder, bool) {
    return std::make_unique<TextReader>(builder, false);
}

std::unique_ptr<LineReader> regionReader(TraceBuilder& builder) {
    return std::make_unique<TextReader>(builder, true);
}

int likeText(std::string_view line) {
    std::string_view rest = line;
    const std::string_view first = takeWord(rest);
    if (first.empty()) return 0;
    if (first[0] == '#') return 1;
    if (first == "region" || first == "new") return anyNumber(takeWord(rest)) || !rest.empty() ? 2 : 0;
    if (first == "mark" || first == "del") return 1;
    if ((first == "on" || first == "off") && withoutBlanks(rest).empty()) return 1;
    if (first.size() != 1 || !isAccessLetter(first[0])) return 0;
    const std::string_view address = takeWord(rest, '#');
    const bool isDecimal = address.find_first_not_of("-0123456789") == std::string_view::npos;
    return likeAddress(address) && (isDecimal || address.find_first_of("xX") != std::string_view::npos) ? 2 : 0;
}

}  // namespace whorl::sim
