// Questions about accesses in words: the question, the answers, and the reasons for them.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/analysis/quiz/question.h"
#include "sim/machine/machine_config.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// The contents of a sheet of questions.
struct QuizSheet {
    std::shared_ptr<const Trace> trace;
    MachineConfig machine;
    std::vector<std::string> settings = {};  ///< settings of the machine, beside its name
    std::size_t level = 0;                   ///< the level in question
    std::vector<Question> questions;
    bool isSequence = false;  ///< accesses to one set, one after the other, to be filled in as a table
    bool withAnswers = true;
};

/// "matmul:n=16 on machine paper"
std::string titleOf(const QuizSheet& sheet);

/// "reads 8 bytes at 0x1040 (B[3][4])"; if there are several CPUs, "by CPU 1 reads …".
std::string accessInWords(const Question& question, const QuizSheet& sheet);

/// "1K, 2 ways, 16 sets, blocks of 32 bytes, LRU".
std::string levelInWords(const LevelConfig& level);

/// "LRU"; with one way, which leaves nothing to choose, "direct-mapped".
std::string policyInWords(const LevelConfig& level);

/// The order in which the blocks of a set are listed: ", most recently used first"; empty for one way.
std::string orderInWords(Policy policy, std::uint32_t ways);

/// The contents of a set: "tag 0x4, tag 0x3, 2 ways free".
std::string contentsInWords(const std::vector<SetLine>& lines, const Question& question);

/// The tag of a block of the set asked about.
std::uint64_t tagOf(BlockAddress block, const Question& question);

/// "hit" or "miss".
std::string_view outcomeInWords(const Question& question);
/// "tag 0x3" or "none".
std::string victimInWords(const Question& question);
/// Why it hits or misses, as a sentence, and why that block is evicted, or none, as another one.
std::string whyInWords(const Question& question);
/// Why it hits or misses, with `victim` as the name of the evicted block.
std::string whyInWords(const Question& question, const std::string& victim);

/// The number of bits of an address: enough for all addresses in question.
unsigned addressBits(const std::vector<Question>& questions);

/// The bits of an address as the level splits them. Where the number of sets is no power of two, `set` is empty, and
/// `tag` is the block number.
struct AddressDigits {
    std::string tag;
    std::string set;
    std::string offset;
};
AddressDigits digitsOf(const Question& question, unsigned bits);

/// Which bits of an address select what, as a line: "tag: the bits above 8; set: bits 8 to 5; offset: bits 4 to 0".
std::string fieldsInWords(const LevelConfig& level);

}  // namespace whorl::sim
