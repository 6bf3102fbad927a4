#include "sim/trace/formats/chiron_letters.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/trace/formats/line_reader.h"

namespace whorl::sim {

namespace {

/// A CPU or an L1 cache; kMaxCpus if it is neither.
std::size_t cpuNamed(std::string_view word) {
    return static_cast<std::size_t>(std::min<std::uint64_t>(decimalNumber(word).value_or(kMaxCpus), kMaxCpus));
}

}  // namespace

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

/// An event that a CPU's own access causes: a miss, or what its L1 cache does.
void ChironLetters::takeEvent(std::string_view line) {
    const bool isMiss = line[0] == 'm';
    std::string_view rest = line.substr(1);
    const std::string_view address = takeWord(rest);
    const std::size_t at = cpuNamed(takeWord(rest));
    if (at == kMaxCpus || (!isMiss && takeWord(rest) != "1")) return;
    cpus_[at].missed = address;
    cpus_[at].leads = cpus_[at].leads || cpus_[at].begun == address;
}

/// The line in `begun` gets no more events.
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

}  // namespace whorl::sim
