// Tells what the lines r and w of a Chiron trace mean. They begin accesses, and R and W complete them; but there are
// files whose letters have all become lower case, in which r and w lines complete accesses, or do both. A completion
// comes after the events of its miss and ends with the cycles waited; the start of an access comes before them, and may
// end with its size.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "sim/trace/access.h"

namespace whorl::sim {

class ChironLetters {
  public:
    /// Takes the next line of the file, without blanks before it, and its number, from 1. The text must outlive this.
    void take(std::string_view line, std::uint64_t number);
    /// After the last line; what follows is known only then.
    void finish();

    /// Whether r and w lines with four numbers complete accesses: only in a file without R and W lines, where more of
    /// them follow the events of a miss than precede them.
    bool areCompletions() const { return !hasUpperCase_ && late_.count > early_.count; }
    /// What had to be assumed, in a sentence that names the first line in doubt; empty if nothing is.
    std::string doubt() const;

  private:
    /// Lines of one kind.
    struct Lines {
        std::uint64_t count = 0;
        std::uint64_t first = 0;  ///< the number of the first one
        std::string_view text;    ///< and what it is
        void add(std::string_view line, std::uint64_t number);
    };
    struct Cpu {
        std::string_view begun;   ///< the address of its last r or w line with four numbers, if that may be a start
        std::string_view missed;  ///< the address of its events since its last r or w line
        bool leads = false;       ///< the events of a miss have followed the line in `begun`
        std::uint64_t number = 0;
        std::string_view line;
    };

    void takeAccess(std::string_view line, std::uint64_t number);
    void takeEvent(std::string_view line);
    void dismiss(Cpu& cpu);

    std::array<Cpu, kMaxCpus> cpus_;
    Lines late_;   ///< follow the events of their miss
    Lines early_;  ///< precede them
    Lines alone_;  ///< neither
    bool hasUpperCase_ = false;
};

}  // namespace whorl::sim
