#include "sim/trace/formats/chiron_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <limits>
#include <optional>

#include "sim/base/text.h"
#include "sim/trace/formats/text_words.h"

namespace whorl::sim {

namespace {

/// The highest digit of a word that is a number without 0x; 0 for any other.
unsigned highestDigit(std::string_view word) {
    if (word.starts_with("0x") || word.starts_with("0X")) return 0;
    unsigned highest = 0;
    for (const char c : word) highest = std::max(highest, digit(c));
    return highest < 16 ? highest : 0;
}

/// The highest digit of all addresses and sizes of a line without 0x.
unsigned highestDigitIn(std::string_view line) {
    const char letter = line[0];
    line.remove_prefix(1);
    unsigned highest = 0;
    if (letter == 'c') {
        if (line.find('"') == std::string_view::npos) {
            takeWord(line);
        } else {  // the name may contain blanks
            const auto words = splitWords(line);
            if (!words || words->size() < 3) return 0;
            return std::max(highestDigit((*words)[1].text), highestDigit((*words)[2].text));
        }
        highest = highestDigit(takeWord(line));
        return std::max(highest, highestDigit(takeWord(line)));
    }
    const std::string_view fields = chironFields(letter);
    const std::size_t last = fields.find_last_of("aoz");
    if (last == std::string_view::npos) return 0;
    for (std::size_t i = 0; i <= last; ++i) {
        const std::string_view word = takeWord(line);
        if (word.empty()) break;
        if (fields[i] == 'a' || fields[i] == 'o' || fields[i] == 'z') highest = std::max(highest, highestDigit(word));
    }
    return highest;
}

/// Numbers of up to this many digits fit into 64 bits in any of the bases.
constexpr std::ptrdiff_t kSafeDigits = 16;

/// No system has longer paths; this leaves room for one in a line of a text trace.
constexpr std::size_t kMaxPath = 4096;

bool inFileBase(char field) {
    return field == 'a' || field == 'o' || field == 'z';
}

std::string upper(std::string_view name) {
    std::string out(name.substr(name.find(' ') + 1));
    std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return std::toupper(c); });
    return out;
}

const char* pastBlanks(const char* p, const char* end) {
    while (p != end && isBlank(*p)) ++p;
    return p;
}

std::optional<std::uint64_t> octalNumber(std::string_view text) {
    std::uint64_t value = 0;
    for (const char c : text) {
        if (digit(c) > 7 || value > std::numeric_limits<std::uint64_t>::max() >> 3) return std::nullopt;
        value = value << 3 | digit(c);
    }
    return text.empty() ? std::nullopt : std::optional(value);
}

/// Finds out what the lines r and w of a Chiron trace mean. They begin accesses, and R and W complete them; but there
/// are files whose letters have all become lower case, in which r and w lines complete accesses, or do both. A
/// completion comes after the events of its miss and ends with the cycles waited; the start of an access comes before
/// them, and may end with its size.
class ChironLetters {
  public:
    /// Takes the next line of the file, without blanks before it, and its number, from 1. The text must outlive this.
    void take(std::string_view line, std::uint64_t number);
    /// Ends the text. areCompletions() and doubt() are valid only then.
    void finish();

    /// Whether r and w lines with four numbers complete accesses: only in a file without R and W lines, where more of
    /// them follow the events of a miss than precede them.
    bool areCompletions() const { return !hasUpperCase_ && late_.count > early_.count; }
    /// The assumption made, in a sentence that names the first line in doubt; empty if there is none.
    std::string doubt() const;

  private:
    /// The lines of one kind.
    struct Lines {
        std::uint64_t count = 0;
        std::uint64_t first = 0;  ///< the number of the first line
        std::string_view text;    ///< the text of the first line
        void add(std::string_view line, std::uint64_t number);
    };
    struct Cpu {
        std::string_view begun;   ///< address of the CPU's last r or w line with four numbers, if that may be a start
        std::string_view missed;  ///< address of the CPU's events since its last r or w line
        bool leads = false;       ///< the events of a miss followed the line in `begun`
        std::uint64_t number = 0;
        std::string_view line;
    };

    void takeAccess(std::string_view line, std::uint64_t number);
    void takeEvent(std::string_view line);
    void dismiss(Cpu& cpu);

    std::array<Cpu, kMaxCpus> cpus_;
    Lines late_;   ///< lines that follow the events of their miss
    Lines early_;  ///< lines that precede the events of their miss
    Lines alone_;  ///< lines that do neither
    bool hasUpperCase_ = false;
};

/// The number of a CPU or an L1 cache; kMaxCpus if the word is neither.
std::size_t cpuNamed(std::string_view word) {
    return static_cast<std::size_t>(std::min<std::uint64_t>(decimalNumber(word).value_or(kMaxCpus), kMaxCpus));
}

void ChironLetters::Lines::add(std::string_view line, std::uint64_t number) {
    if (count == 0 || number < first) {
        first = number;
        text = line;
    }
    ++count;
}

void ChironLetters::take(std::string_view line, std::uint64_t number) {
    if (hasUpperCase_) return;
    switch (line[0]) {
        case 'R':
        case 'W':
            hasUpperCase_ = true;
            break;
        case 'r':
        case 'w':
            takeAccess(line, number);
            break;
        case 'm':
        case 'g':
        case 'h':
        case 'b':
        case 'a':
        case 'p':
            takeEvent(line);
            break;
        default:
            break;
    }
}

void ChironLetters::takeAccess(std::string_view line, std::uint64_t number) {
    std::string_view rest = line.substr(1);
    const std::string_view address = takeWord(rest);
    const std::size_t at = cpuNamed(takeWord(rest));
    takeWord(rest);
    const bool hasFourth = !takeWord(rest).empty() && withoutBlanks(rest).empty();
    if (at == kMaxCpus) return;
    Cpu& cpu = cpus_[at];
    const bool follows = cpu.missed == address && !cpu.leads;
    dismiss(cpu);
    if (!hasFourth) return;
    if (follows) {
        late_.add(line, number);
    } else {
        cpu.begun = address;
        cpu.number = number;
        cpu.line = line;
    }
}

/// Takes an event that a CPU's own access causes: a miss, or an event of its L1 cache.
void ChironLetters::takeEvent(std::string_view line) {
    const bool isMiss = line[0] == 'm';
    std::string_view rest = line.substr(1);
    const std::string_view address = takeWord(rest);
    const std::size_t at = cpuNamed(takeWord(rest));
    if (at == kMaxCpus || (!isMiss && takeWord(rest) != "1")) return;
    cpus_[at].missed = address;
    cpus_[at].leads = cpus_[at].leads || cpus_[at].begun == address;
}

/// Classifies the line in `begun`, which gets no more events.
void ChironLetters::dismiss(Cpu& cpu) {
    if (!cpu.begun.empty()) (cpu.leads ? early_ : alone_).add(cpu.line, cpu.number);
    cpu = {};
}

void ChironLetters::finish() {
    for (Cpu& cpu : cpus_) dismiss(cpu);
}

std::string ChironLetters::doubt() const {
    if (hasUpperCase_ || late_.count == 0) return {};
    if (!areCompletions()) {
        return fmt::format(
            "line {}, \"{}\", follows the events of a miss as the end of an access would, but was taken as its start, "
            "and its last number as a size, as others in this file must be",
            late_.first, shown(late_.text));
    }
    const Lines& odd = early_.count > 0 ? early_ : alone_;
    if (odd.count == 0) return {};
    return fmt::format(
        "line {}, \"{}\", does not follow the events of a miss, but was taken as the end of an access, and its last "
        "number as the cycles waited, as others in this file must be",
        odd.first, shown(odd.text));
}

}  // namespace

std::string_view chironFields(char letter) {
    switch (letter) {
        case 'i':
            return "n";
        case 'd':
            return "ap";
        case 'm':
            return "apls";
        case 'g':
        case 'h':
        case 'e':
        case 'f':
        case 'p':
            return "aclst";
        case 'a':
        case 'b':
            return "aclsto";
        case 'r':
        case 'w':
            return "apsz";
        case 'R':
        case 'W':
            return "apsw";
        default:
            return {};
    }
}

ChironScan scanChiron(std::string_view text) {
    ChironScan found;
    unsigned highest = 0;
    unsigned highestFourth = 0;  // over numbers that may be sizes or waits
    bool startsPlainly = false;
    bool startsWithSize = false;
    ChironLetters letters;
    for (std::uint64_t number = 1; !text.empty(); ++number) {
        const std::size_t end = text.find('\n');
        std::string_view line = text.substr(0, end);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        if (line.ends_with('\r')) line.remove_suffix(1);
        line = withoutBlanks(line);
        if (line.size() < 2 || !isBlank(line[1]) || line.size() > kMaxLine) continue;
        ++found.lines;
        letters.take(line, number);
        const bool isStart = line[0] == 'r' || line[0] == 'w';
        if (isStart && hasFourNumbers(line)) {
            startsWithSize = true;
            std::string_view rest = line.substr(1);
            highest = std::max(highest, highestDigit(takeWord(rest)));
            takeWord(rest);
            takeWord(rest);
            highestFourth = std::max(highestFourth, highestDigit(takeWord(rest)));
            continue;
        }
        startsPlainly = startsPlainly || isStart;
        highest = std::max(highest, highestDigitIn(line));
    }
    letters.finish();
    found.doubt = letters.doubt();
    found.lowerCase = letters.areCompletions();
    found.starts = startsPlainly || (startsWithSize && !found.lowerCase);
    if (!found.lowerCase) highest = std::max(highest, highestFourth);
    found.base = highest < 8 ? 8 : highest < 10 ? 10 : 16;
    return found;
}

bool hasFourNumbers(std::string_view line) {
    line.remove_prefix(1);
    for (int i = 0; i < 3; ++i) takeWord(line);
    return !takeWord(line).empty() && withoutBlanks(line).empty();
}

std::vector<std::string> chironSources(std::string_view list) {
    std::vector<std::string> paths;
    while (!list.empty()) {
        const std::string_view line = firstLine(list);
        list.remove_prefix(std::min(list.find('\n'), list.size() - 1) + 1);
        const auto words = line.starts_with('"') ? splitWords(line) : std::nullopt;
        const std::string_view path = words && words->size() == 1 ? std::string_view(words->front().text) : line;
        paths.emplace_back(path.substr(0, kMaxPath));
    }
    return paths;
}

std::string asChironSource(const std::string& path) {
    const bool plain = !path.starts_with('"') && std::none_of(path.begin(), path.end(), [](char c) {
        return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
    });
    return plain ? path : inQuotes(path);
}

std::string_view chironFieldName(char field) {
    switch (field) {
        case 'a':
            return "an address";
        case 'o':
            return "a replaced address";
        case 'z':
            return "a size";
        case 'p':
            return "a CPU";
        case 'c':
            return "a cache";
        case 'l':
            return "a level";
        case 's':
            return "a source";
        case 't':
            return "a time";
        case 'w':
            return "a wait";
        default:
            return "a number";
    }
}

std::string chironForm(char letter) {
    if (letter == 'c') return "expected c NAME ADDRESS SIZE CPU, and maybe a CLASS";
    std::string form = fmt::format("expected {}", letter);
    for (const char field : chironFields(letter)) {
        form += field == 'z' ? ", and maybe a SIZE" : " " + upper(chironFieldName(field));
    }
    return form;
}

bool ChironFieldReader::refuse(std::string what, std::string hint) {
    malformed_ = {.what = std::move(what), .hint = std::move(hint), .noise = true};
    return false;
}

bool ChironFieldReader::readNumber(char field, std::string_view word, std::uint64_t& value) {
    const bool isHex = word.starts_with("0x") || word.starts_with("0X");
    const unsigned base = inFileBase(field) ? (isHex ? 16 : base_) : 10;
    const auto number = base == 16 ? hexNumber(word) : base == 8 ? octalNumber(word) : decimalNumber(word);
    if (number) {
        value = *number;
        return true;
    }
    const std::string_view kind = base == 16 ? "hex" : base == 8 ? "octal" : "decimal";
    return refuse(fmt::format("\"{}\" is not {}", shown(word), chironFieldName(field)),
                  fmt::format("expected a number of 64 bits, which is {} here", kind));
}

bool ChironFieldReader::read(char letter, std::string_view behind) {
    const char* p = behind.data();
    const char* const end = p + behind.size();
    std::size_t place = 0;
    hasSize_ = isModify_ = false;
    for (const char field : chironFields(letter)) {
        p = pastBlanks(p, end);
        if (p == end) {
            if (field == 'z') return true;
            return refuse(fmt::format("no {}", chironFieldName(field).substr(chironFieldName(field).find(' ') + 1)),
                          chironForm(letter));
        }
        const unsigned base = inFileBase(field) ? base_ : 10;
        const char* const from = p;
        std::uint64_t value = 0;
        for (unsigned d = 0; p != end && (d = digit(*p)) < base; ++p) value = value * base + d;
        if ((p != end && !isBlank(*p)) || p - from > kSafeDigits) {
            while (p != end && !isBlank(*p)) ++p;
            if (!readNumber(field, {from, static_cast<std::size_t>(p - from)}, value)) return false;
        }
        values_[place++] = value;
        hasSize_ = field == 'z';
    }
    return readRest(letter, p, end);
}

/// Parses the text after the last number: nothing, or the "m" of a modify.
bool ChironFieldReader::readRest(char letter, const char* p, const char* end) {
    p = pastBlanks(p, end);
    if (letter == 'w' && p != end && *p == 'm' && pastBlanks(p + 1, end) == end) {
        isModify_ = true;
        return true;
    }
    if (p == end) return true;
    return refuse(fmt::format("\"{}\" is unexpected", shown({p, static_cast<std::size_t>(end - p)})),
                  chironForm(letter));
}

namespace {

constexpr std::size_t kFirstSize = 1024;

}  // namespace

/// Fibonacci hashing: spreads neighbouring blocks.
std::size_t ChironOccupancy::placeOf(std::uint64_t block, std::size_t size) {
    return (block * 0x9e3779b97f4a7c15ull >> 32) & (size - 1);
}

/// The entry of a block, inserted if there is none.
ChironOccupancy::Entry& ChironOccupancy::entryOf(std::uint64_t block) {
    if (2 * used_ >= entries_.size()) grow();
    std::size_t at = placeOf(block, entries_.size());
    while (entries_[at].known != 0 && entries_[at].block != block) at = (at + 1) & (entries_.size() - 1);
    if (entries_[at].known == 0) {
        entries_[at].block = block;
        ++used_;  // both callers set `known`
    }
    return entries_[at];
}

void ChironOccupancy::grow() {
    std::vector<Entry> larger(std::max(kFirstSize, 2 * entries_.size()));
    for (const Entry& entry : entries_) {
        if (entry.known == 0) continue;
        std::size_t at = placeOf(entry.block, larger.size());
        while (larger[at].known != 0) at = (at + 1) & (larger.size() - 1);
        larger[at] = entry;
    }
    entries_ = std::move(larger);
}

bool ChironOccupancy::enter(std::uint64_t block, unsigned cache) {
    const std::uint64_t bit = std::uint64_t{1} << cache;
    Entry& entry = entryOf(block);
    if ((entry.here & bit) != 0) return false;
    entry.here |= bit;
    entry.known |= bit;
    most_ = std::max(most_, ++held_[cache]);
    return true;
}

bool ChironOccupancy::leave(std::uint64_t block, unsigned cache) {
    const std::uint64_t bit = std::uint64_t{1} << cache;
    Entry& entry = entryOf(block);
    if ((entry.here & bit) == 0 && (entry.known & bit) != 0) return false;
    if ((entry.here & bit) != 0) --held_[cache];
    entry.here &= ~bit;
    entry.known |= bit;
    return true;
}

}  // namespace whorl::sim
