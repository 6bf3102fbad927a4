#include "app/commands/lookup.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "app/session/session.h"
#include "sim/base/text.h"
#include "sim/trace/memory_names.h"

namespace whorl::app {

namespace {

using TargetKind = scene::Target::Kind;

constexpr const char* kHint = "write an address as 0x1040, a variable as B[3][0] or B, a line as mm.h:12 or :12";

bool sameLetters(std::string_view a, std::string_view b) {
    const auto small = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return small(x) == small(y); });
}

class LookUp {
  public:
    explicit LookUp(const Session& session) : session_(session), trace_(session.opened.run->trace()) {}

    sim::Expected<Found> of(const std::string& words) const {
        if (words.empty()) return sim::fail("", "there is nothing to look up", kHint);
        if (words.starts_with("0x") || words.starts_with("0X")) return address(words);
        const std::size_t colon = words.rfind(':');
        if (colon != std::string::npos) {
            if (const auto line = sim::wholeNumber(words.substr(colon + 1)))
                return sourceLine(words.substr(0, colon), *line);
        }
        return variable(words);
    }

  private:
    sim::Tick now() const { return sim::Tick{session_.player.current().value_or(0)}; }

    sim::Expected<Found> address(const std::string& words) const {
        const auto value = sim::numberNamed(words);
        if (!value) return sim::fail("", fmt::format("{} is not an address", words), kHint);
        const sim::ByteAddress byte{*value};
        if (trace_.regionAt(byte) == trace_.regions().size()) {
            return sim::fail("", fmt::format("{:#x} is in no region of this trace", *value), rangeHint());
        }
        return at(byte, fmt::format("address {:#x} is {}", *value, trace_.placeOf(byte, now())));
    }

    std::string rangeHint() const {
        if (trace_.regions().empty()) return "this trace has no regions";
        return fmt::format("its regions lie between {:#x} and {:#x}", trace_.regions().front().base.value,
                           trace_.regions().back().last().value);
    }

    static Found at(sim::ByteAddress byte, std::string words) {
        return {.selection = blockAt(byte), .line = {}, .words = std::move(words)};
    }

    /// What names some memory, else a part of the machine.
    sim::Expected<Found> variable(const std::string& words) const {
        if (const auto named = sim::memoryNamed(words, trace_, now())) {
            return named->map([&](const sim::NamedMemory& memory) { return chosen(memory); });
        }
        if (const auto found = part(words)) return *found;
        return sim::fail("", fmt::format("no region, object or file of this trace is called {}", words), kHint);
    }

    Found chosen(const sim::NamedMemory& named) const {
        using Kind = sim::NamedMemory::Kind;
        if (named.object != nullptr && named.kind == Kind::element) {
            const std::string place = trace_.placeIn(*named.object, named.from);
            return at(named.from, fmt::format("{} is at {:#x}", place, named.from.value));
        }
        if (named.object != nullptr) {
            Found found = at(named.from, fmt::format("the object {}, {} bytes from {:#x}", named.object->name,
                                                     named.object->size, named.object->base.value));
            const auto id = static_cast<std::uint32_t>(named.object - trace_.objects().data());
            if (named.kind == Kind::object) found.object = {sim::CostNode::Kind::object, id, named.object->base};
            return found;
        }
        const sim::Region& region = trace_.regions()[named.region];
        if (named.kind == Kind::region) {
            return {.selection = regionAt(named.region),
                    .line = {},
                    .words =
                        fmt::format("the region {}, {} bytes from {:#x}", region.name, region.size, region.base.value)};
        }
        const std::string place = named.kind == Kind::element
                                      ? region.placeOf(named.from)
                                      : fmt::format("{}+{:#x}", region.name, named.from.value - region.base.value);
        return at(named.from, fmt::format("{} is at {:#x}", place, named.from.value));
    }

    /// "CPU 2", "L1" or "L1 set 3": a part of the machine; nothing if the text is not of this form. If the level has
    /// several caches, the first one, or that of the CPU that is shown alone.
    std::optional<sim::Expected<Found>> part(const std::string& words) const {
        const sim::MachineConfig& machine = session_.opened.run->machine();
        const std::size_t space = words.find(' ');
        const std::string name = words.substr(0, space);
        const auto number = sim::wholeNumber(sim::trimmed(std::string_view(words).substr(words.rfind(' ') + 1)));
        if (sameLetters(name, "cpu") && number && space != std::string::npos) {
            if (*number < machine.cpus)
                return chosen({.kind = TargetKind::cpu, .cpu = static_cast<std::uint8_t>(*number)}, words);
            return sim::fail("", fmt::format("there is no CPU {}", *number),
                             fmt::format("this machine has {}", machine.cpus));
        }
        for (std::size_t l = 0; l < machine.levels.size(); ++l) {
            if (!sameLetters(machine.levels[l].name, name)) continue;
            scene::Target target{.kind = TargetKind::level, .level = static_cast<std::uint8_t>(l)};
            target.cache = static_cast<std::uint8_t>(machine.cacheOf(l, session_.cpu.value_or(0)));
            if (space == std::string::npos) return chosen(target, "the level " + words);
            const bool isSet =
                sameLetters(sim::trimmed(std::string_view(words).substr(space, words.rfind(' ') - space)), "set");
            if (!isSet || !number) return std::nullopt;
            const std::uint64_t sets = machine.levels[l].sets();
            if (*number >= sets) {
                return sim::fail("", fmt::format("{} has no set {}", name, *number),
                                 fmt::format("it has {}, from 0", sets));
            }
            target.kind = TargetKind::set;
            target.set = sim::SetIndex{static_cast<std::uint32_t>(*number)};
            return chosen(target, words);
        }
        return std::nullopt;
    }

    static Found chosen(const scene::Target& target, const std::string& words) {
        return {.selection = selectionOf(target), .line = {}, .words = words + " is selected"};
    }

    /// The file with that path or path suffix; the first file if the name is empty.
    std::optional<std::uint32_t> fileNamed(const std::string& name) const {
        const auto& files = trace_.files();
        for (std::uint32_t f = 0; f < files.size(); ++f) {
            const std::string& path = files[f].path;
            const bool isEnd = path.ends_with("/" + name);
            if (name.empty() || path == name || isEnd) return f;
        }
        return std::nullopt;
    }

    sim::Expected<Found> sourceLine(const std::string& name, std::uint64_t line) const {
        if (trace_.files().empty()) {
            return sim::fail("", "this trace has no source lines", kHint);
        }
        const auto file = fileNamed(name);
        if (!file) return sim::fail("", fmt::format("no file of this trace is called {}", name), filesHint());
        const sim::SourceFile& source = trace_.files()[*file];
        if (line == 0 || (!source.lines.empty() && line > source.lines.size())) {
            return sim::fail("", fmt::format("{} has no line {}", source.path, line),
                             source.lines.empty() ? "count from 1" : fmt::format("it has {}", source.lines.size()));
        }
        const auto& sites = trace_.sites();
        const bool acts = std::any_of(sites.begin() + 1, sites.end(),
                                      [&](const sim::Site& s) { return s.file == *file && s.line == line; });
        return Found{.selection = {},
                     .line = SourceLine{*file, static_cast<std::uint32_t>(line)},
                     .words = fmt::format("line {} of {}{}", line, source.path, acts ? "" : ", which makes no access")};
    }

    std::string filesHint() const {
        std::string out = "there is ";
        constexpr std::size_t kMax = 4;
        const auto& files = trace_.files();
        for (std::size_t f = 0; f < std::min(kMax, files.size()); ++f) out += (f > 0 ? ", " : "") + files[f].path;
        return files.size() > kMax ? out + ", …" : out;
    }

    const Session& session_;
    const sim::Trace& trace_;
};

}  // namespace

sim::Expected<Found> lookUp(const Session& session, const std::string& words) {
    return LookUp(session).of(std::string(sim::trimmed(words)));
}

}  // namespace whorl::app
