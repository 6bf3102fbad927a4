#include "sim/capture/instrumented_build.h"

#include <elf.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

namespace whorl::sim {

namespace {

using Words = std::vector<std::string>;

bool has(const Words& words, std::string_view word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

/// Whether the command compiles or links a file, rather than only querying the compiler.
bool hasInput(const Words& command) {
    for (std::size_t i = wordsOfCompiler(command); i < command.size(); ++i) {
        if (command[i].empty() || command[i] == "-o") {
            ++i;
        } else if (command[i].front() != '-' || command[i].starts_with("-l")) {
            return true;
        }
    }
    return false;
}

bool makesExecutable(const Words& command) {
    static constexpr std::array<std::string_view, 10> kOther = {
        "-c", "-S", "-E", "-M", "-MM", "-shared", "-r", "-fsyntax-only", "-###", "--version"};
    return hasInput(command) &&
           std::none_of(kOther.begin(), kOther.end(), [&](std::string_view o) { return has(command, o); });
}

}  // namespace

std::size_t wordsOfCompiler(const Words& command) {
    static constexpr std::array<std::string_view, 4> kWrappers = {"ccache", "sccache", "distcc", "icecc"};
    if (command.size() < 2) return command.size();
    const std::string_view name = std::string_view(command[0]).substr(command[0].rfind('/') + 1);
    return std::find(kWrappers.begin(), kWrappers.end(), name) != kWrappers.end() ? 2 : 1;
}

Expected<Words> instrumentedCompile(const Words& command, CompilerKind kind, const std::string& folder) {
    for (const std::string& word : command) {
        if (word.starts_with("-fsanitize=")) {
            return fail(word, "a program cannot be recorded and checked by a sanitizer at once",
                        "leave it out; whorl cc uses the compiler's own for recording");
        }
    }
    Words words = command;
    words.push_back(kind == CompilerKind::gcc ? "-specs=" + folder + "/gcc.specs" : "@" + folder + "/clang.options");
    words.emplace_back("-fno-lto");
    if (!makesExecutable(command)) return words;
    for (const char* const option : {"-static", "-static-pie"}) {
        if (!has(command, option)) continue;
        return fail(option, "a static executable cannot be recorded this way",
                    "leave it out, or compile without whorl cc: whorl capture records static executables, too");
    }
    words.push_back("@" + folder + "/link.options");
    words.push_back("-Wl,--whole-archive," + folder + "/libwhorl_runtime.a,--no-whole-archive");
    return words;
}

// --- both ways of a program

namespace {

/// The section of an object, or of what was linked from such, that holds objects with the calls.
constexpr std::string_view kSection = ".whorl.objects";

/// What a file has at an offset, if it is as long.
template <class T>
std::optional<T> partAt(const std::string& file, std::uint64_t offset) {
    if (offset > file.size() || sizeof(T) > file.size() - offset) return std::nullopt;
    T part;
    std::memcpy(&part, file.data() + offset, sizeof part);
    return part;
}

std::optional<Elf64_Ehdr> headOf(const std::string& file, std::uint64_t from = 0) {
    const auto head = partAt<Elf64_Ehdr>(file, from);
    const bool isElf = head && std::memcmp(head->e_ident, ELFMAG, SELFMAG) == 0;
    return isElf && head->e_ident[EI_CLASS] == ELFCLASS64 ? head : std::nullopt;
}

std::string contentOf(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// What the section of a file holds; empty: it has none.
std::string sectionOf(const std::string& file) {
    const auto head = headOf(file);
    if (!head) return {};
    const auto sectionAt = [&](std::uint64_t s) {
        return partAt<Elf64_Shdr>(file, head->e_shoff + s * sizeof(Elf64_Shdr));
    };
    const auto names = sectionAt(head->e_shstrndx);
    for (std::uint64_t s = 0; names && s < head->e_shnum; ++s) {
        const auto section = sectionAt(s);
        if (!section || section->sh_offset > file.size()) continue;
        const std::uint64_t name = names->sh_offset + section->sh_name;
        // With the zero at its end.
        if (name < file.size() && file.compare(name, kSection.size() + 1, kSection.data(), kSection.size() + 1) == 0) {
            return file.substr(section->sh_offset, section->sh_size);
        }
    }
    return {};
}

/// Objects one behind the other: each ends with the table of its sections.
std::vector<std::string> objectsIn(const std::string& joined) {
    std::vector<std::string> objects;
    for (std::size_t from = 0; from < joined.size(); from += objects.back().size()) {
        const auto head = headOf(joined, from);
        if (!head || head->e_shoff == 0) break;
        objects.push_back(joined.substr(from, head->e_shoff + std::uint64_t{head->e_shnum} * head->e_shentsize));
    }
    return objects;
}

/// Whether the next word is the value of this one.
bool takesValue(const std::string& word) {
    constexpr std::string_view kOptions =
        " -o -I -L -D -U -l -x -include -imacros -isystem -iquote -idirafter -isysroot -MF -MT -MQ -T -u -z -Xlinker "
        "-Xassembler -Xpreprocessor -Xclang -mllvm -target --param -B ";
    return kOptions.find(' ' + word + ' ') != std::string_view::npos;
}

/// The words of a file that a compiler reads its words from ("@file"): apart by spaces, unless quoted.
Words wordsIn(const std::string& text) {
    Words words;
    std::string word;
    bool isWord = false;
    char quote = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        const bool isSpace = std::isspace(static_cast<unsigned char>(c)) != 0;
        if (quote == 0 && isSpace) {
            if (std::exchange(isWord, false)) words.push_back(std::exchange(word, {}));
            continue;
        }
        isWord = true;
        if (c == quote) {
            quote = 0;
        } else if (quote == 0 && (c == '"' || c == '\'')) {
            quote = c;
        } else {
            word += c == '\\' && i + 1 < text.size() ? text[++i] : c;
        }
    }
    if (isWord) words.push_back(word);
    return words;
}

Words withoutFiles(const Words& command) {
    Words words;
    for (const std::string& word : command) {
        const std::string text = word.starts_with('@') ? contentOf(word.substr(1)) : std::string();
        const Words within = text.empty() ? Words{word} : wordsIn(text);
        words.insert(words.end(), within.begin(), within.end());
    }
    return words;
}

/// A command, in the parts that matter here.
struct BuildCommand {
    Words words;
    std::vector<std::size_t> inputs;  ///< by index: the words that are files
    std::string output;               ///< empty: not given
    bool readsOnce = false;           ///< its input can be read only once

    explicit BuildCommand(const Words& command) : words(command) {
        for (std::size_t i = wordsOfCompiler(command); i < command.size(); ++i) {
            const std::string& word = command[i];
            readsOnce = readsOnce || word == "-";
            if (word == "-o" && i + 1 < command.size()) output = command[i + 1];
            if (word.starts_with("-o") && word.size() > 2) output = word.substr(2);
            if (takesValue(word)) {
                ++i;
            } else if (!word.empty() && word.front() != '-') {
                inputs.push_back(i);
            }
        }
    }

    std::string outputFile() const {
        if (!output.empty()) return output;
        return has(words, "-c") ? std::filesystem::path(words[inputs.front()]).stem().string() + ".o" : "a.out";
    }

    /// The command for another output, without some of its words, and with objects in front of its inputs. What it says
    /// of dependencies, and its warnings, came the first time.
    Words with(const std::string& other, const Words& dropped, const Words& objects) const {
        static constexpr std::array<std::string_view, 8> kOnce = {"-MD", "-MMD", "-MP", "-M",
                                                                  "-o",  "-MF",  "-MT", "-MQ"};
        const auto isOneOf = [](const auto& list, const std::string& word) {
            return std::find(list.begin(), list.end(), word) != list.end();
        };
        const std::size_t first = wordsOfCompiler(words);
        Words made(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(first));
        made.insert(made.end(), objects.begin(), objects.end());
        for (std::size_t i = first; i < words.size(); ++i) {
            const std::size_t count = takesValue(words[i]) && i + 1 < words.size() ? 2 : 1;
            const bool isOutput = words[i].starts_with("-o") && words[i].size() > 2;
            if (!isOutput && !isOneOf(kOnce, words[i]) && !isOneOf(dropped, words[i])) {
                const auto from = words.begin() + static_cast<std::ptrdiff_t>(i);
                made.insert(made.end(), from, from + static_cast<std::ptrdiff_t>(count));
            }
            i += count - 1;
        }
        made.insert(made.end(), {"-w", "-o", other});
        return made;
    }
};

/// One command of a compiler, done twice.
class TwoBuilds {
  public:
    TwoBuilds(const Words& command, CompilerKind kind, const std::string& folder, const std::string& work,
              const CommandRunner& run)
        : command_(command), out_(command_.outputFile()), kind_(kind), folder_(folder), work_(work), run_(run) {}

    /// What is made of one source file.
    Expected<int> object() {
        if (const int status = run_(plain()); status != 0) return status;
        return complete(WHORL_TRY(instrumentedObject()));
    }

    Expected<int> executable() {
        std::error_code ignored;
        Words words = plain();
        words.push_back("@" + folder_ + "/link.options");
        words.push_back("-Wl,--whole-archive," + folder_ + "/libwhorl_runtime.a," + folder_ +
                        "/libwhorl_plain.a,--no-whole-archive");
        std::filesystem::remove(out_ + kRecordedSuffix, ignored);
        if (const int status = run_(words); status != 0) return status;
        const int status = WHORL_TRY(linkObjectsOf(out_, out_ + kRecordedSuffix));
        if (status != 0 || objects_.empty()) return complete(status);
        return complete(run_({"objcopy", "--remove-section", std::string(kSection), out_}));
    }

    /// What is linked first only tells which objects belong to the library.
    Expected<int> library() {
        const std::string plainly = work_ + "/plain.so";
        if (const int status = run_(command_.with(plainly, {}, {})); status != 0) return status;
        return linkObjectsOf(plainly, out_);
    }

  private:
    BuildCommand command_;
    std::string out_;
    CompilerKind kind_;
    const std::string& folder_;
    const std::string& work_;
    const CommandRunner& run_;
    Words objects_;

    Words plain() const {
        Words words = command_.words;
        words.emplace_back("-fno-lto");
        return words;
    }

    Expected<int> instrumentedObject() {
        const std::string made = work_ + "/instrumented.o";
        const auto words = WHORL_TRY(instrumentedCompile(command_.with(made, {}, {}), kind_, folder_));
        if (const int status = run_(words); status != 0) return status;
        return run_({"objcopy", "--add-section", std::string(kSection) + '=' + made, out_});
    }

    /// As compilers do, leaves no output of a command that failed.
    int complete(int status) const {
        std::error_code ignored;
        if (status != 0) std::filesystem::remove(out_, ignored);
        return status;
    }

    /// The inputs that have an object with the calls in them.
    Words inputsWithBoth() const {
        Words found;
        for (const std::size_t i : command_.inputs) {
            const std::string& path = command_.words[i];
            if (path.ends_with(".o") && !sectionOf(contentOf(path)).empty()) found.push_back(path);
        }
        return found;
    }

    /// Links the objects with the calls of which `linked` consists, and the other inputs, to `out`.
    Expected<int> linkObjectsOf(const std::string& linked, const std::string& out) {
        for (const std::string& object : objectsIn(sectionOf(contentOf(linked)))) {
            objects_.push_back(work_ + '/' + std::to_string(objects_.size()) + ".o");
            std::ofstream(objects_.back(), std::ios::binary) << object;
        }
        return run_(WHORL_TRY(instrumentedCompile(command_.with(out, inputsWithBoth(), objects_), kind_, folder_)));
    }
};

}  // namespace

Expected<int> buildTwice(const Words& given, CompilerKind kind, const std::string& folder, const std::string& work,
                         const CommandRunner& run) {
    const Words command = withoutFiles(given);
    // What may not be recorded is said before anything is compiled.
    const auto instrumented = WHORL_TRY(instrumentedCompile(command, kind, folder));
    static constexpr std::array<std::string_view, 5> kNoCode = {"-S", "-E", "-M", "-MM", "-fsyntax-only"};
    const auto isIn = [&](std::string_view o) { return has(command, o); };
    const BuildCommand parts(command);
    std::error_code ignored;
    const bool isDevice =
        std::filesystem::exists(parts.output, ignored) && !std::filesystem::is_regular_file(parts.output, ignored);
    const bool makesNoCode = parts.inputs.empty() || std::any_of(kNoCode.begin(), kNoCode.end(), isIn);
    if (makesNoCode || parts.readsOnce || isDevice) return run(instrumented);
    TwoBuilds builds(command, kind, folder, work, run);
    if (isIn("-c")) return parts.inputs.size() == 1 ? builds.object() : run(instrumented);
    if (isIn("-shared")) return builds.library();
    return makesExecutable(command) ? builds.executable() : run(instrumented);
}

}  // namespace whorl::sim
