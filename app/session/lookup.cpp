#include "app/session/lookup.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>
#include <vector>

#include "app/session/session.h"

namespace whorl::app {

namespace {

using TargetKind = scene::Target::Kind;

constexpr const char* kHint = "write an address as 0x1040, a variable as B[3][0] or B, a line as mm.h:12 or :12";

std::string trimmed(std::string_view words) {
    const std::size_t from = words.find_first_not_of(" \t");
    if (from == std::string_view::npos) return {};
    return std::string(words.substr(from, words.find_last_not_of(" \t") - from + 1));
}

std::optional<std::uint64_t> numberIn(std::string_view words, int base = 10) {
    std::uint64_t value = 0;
    const auto [stop, error] = std::from_chars(words.data(), words.data() + words.size(), value, base);
    if (words.empty() || error != std::errc() || stop != words.data() + words.size()) return std::nullopt;
    return value;
}

/// "[3][0]" as numbers; nothing for any other text.
std::optional<std::vector<std::uint64_t>> indicesIn(std::string_view words) {
    std::vector<std::uint64_t> out;
    while (!words.empty()) {
        const std::size_t end = words.find(']');
        if (words.front() != '[' || end == std::string_view::npos) return std::nullopt;
        const auto index = numberIn(trimmed(words.substr(1, end - 1)));
        if (!index) return std::nullopt;
        out.push_back(*index);
        words.remove_prefix(end + 1);
    }
    return out;
}

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
            if (const auto line = numberIn(words.substr(colon + 1))) return sourceLine(words.substr(0, colon), *line);
        }
        return variable(words);
    }

  private:
    sim::Tick now() const { return sim::Tick{session_.player.current().value_or(0)}; }

    sim::Expected<Found> address(const std::string& words) const {
        const auto value = numberIn(words.substr(2), 16);
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
                           trace_.regions().back().end().value - 1);
    }

    static Found at(sim::ByteAddress byte, std::string words) {
        return {.selection = blockAt(byte), .line = {}, .words = std::move(words)};
    }

    /// A name, optionally followed by indices or a byte offset.
    sim::Expected<Found> variable(const std::string& words) const {
        // The whole text may be a name, even one with brackets.
        if (const auto found = named(words, {}, std::nullopt)) return *found;
        const std::size_t plus = words.rfind('+');
        if (plus != std::string::npos && plus > 0) {
            const std::string rest = trimmed(words.substr(plus + 1));
            const auto bytes = rest.starts_with("0x") ? numberIn(rest.substr(2), 16) : numberIn(rest);
            if (bytes) {
                if (const auto found = named(trimmed(words.substr(0, plus)), {}, bytes)) return *found;
            }
        }
        const std::size_t bracket = words.find('[');
        if (bracket != std::string::npos && bracket > 0) {
            const auto indices = indicesIn(words.substr(bracket));
            if (!indices) return sim::fail("", fmt::format("{} has indices that are no numbers", words), kHint);
            if (const auto found = named(trimmed(words.substr(0, bracket)), *indices, std::nullopt)) return *found;
        }
        if (const auto found = part(words)) return *found;
        return sim::fail("", fmt::format("no region, object or file of this trace is called {}", words), kHint);
    }

    /// "CPU 2", "L1" or "L1 set 3": a part of the machine; nothing if the text is not of this form. If the level has
    /// several caches, the first one, or that of the CPU that is shown alone.
    std::optional<sim::Expected<Found>> part(const std::string& words) const {
        const sim::MachineConfig& machine = session_.opened.run->machine();
        const std::size_t space = words.find(' ');
        const std::string name = words.substr(0, space);
        const auto number = numberIn(trimmed(words.substr(words.rfind(' ') + 1)));
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
            const bool isSet = sameLetters(trimmed(words.substr(space, words.rfind(' ') - space)), "set");
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

    /// Nothing if no region or object has that name.
    std::optional<sim::Expected<Found>> named(const std::string& name, const std::vector<std::uint64_t>& indices,
                                              std::optional<std::uint64_t> bytes) const {
        const sim::Object* object = objectNamed(name);
        const auto region = regionNamed(name);
        const bool lives = object != nullptr && object->born <= now() && now() < object->died;
        if (region && !lives) return inRegion(*region, indices, bytes);
        if (object == nullptr) return std::nullopt;
        return inObject(*object, indices, bytes);
    }

    const sim::Object* objectNamed(const std::string& name) const {
        const sim::Object* best = nullptr;
        for (const sim::Object& o : trace_.objects()) {
            if (o.name != name) continue;
            if (o.born <= now() && now() < o.died) return &o;
            if (best == nullptr) best = &o;
        }
        return best;
    }

    /// Prefers an exact match over a case-insensitive one.
    std::optional<std::size_t> regionNamed(const std::string& name) const {
        const auto& all = trace_.regions();
        auto found = std::find_if(all.begin(), all.end(), [&](const sim::Region& r) { return r.name == name; });
        if (found == all.end()) {
            found =
                std::find_if(all.begin(), all.end(), [&](const sim::Region& r) { return sameLetters(r.name, name); });
        }
        if (found == all.end()) return std::nullopt;
        return static_cast<std::size_t>(found - all.begin());
    }

    sim::Expected<Found> inRegion(std::size_t index, const std::vector<std::uint64_t>& indices,
                                  std::optional<std::uint64_t> bytes) const {
        const sim::Region& region = trace_.regions()[index];
        if (bytes) {
            if (*bytes >= region.size) return outside(region, fmt::format("{} bytes", region.size));
            const sim::ByteAddress byte{region.base.value + *bytes};
            return at(byte, fmt::format("{}+{:#x} is at {:#x}", region.name, *bytes, byte.value));
        }
        if (indices.empty()) {
            return Found{.selection = regionAt(static_cast<std::uint32_t>(index)),
                         .line = {},
                         .words = fmt::format("the region {}, {} bytes from {:#x}", region.name, region.size,
                                              region.base.value)};
        }
        const std::size_t wanted = region.rows == 0 ? 0 : region.columns == 0 ? 1 : 2;
        if (indices.size() != wanted) return wrongIndices(region, wanted);
        const bool isIn = indices[0] < region.rows && (wanted == 1 || indices[1] < region.columns);
        if (!isIn) {
            return outside(region, wanted == 2 ? fmt::format("{} × {} elements", region.rows, region.columns)
                                               : fmt::format("{} elements", region.rows));
        }
        const std::uint64_t element = wanted == 2 ? indices[0] * region.columns + indices[1] : indices[0];
        const sim::ByteAddress byte{region.base.value + element * region.elementSize};
        return at(byte, fmt::format("{} is at {:#x}", region.placeOf(byte), byte.value));
    }

    static sim::Expected<Found> outside(const sim::Region& region, const std::string& size) {
        return sim::fail("", fmt::format("that lies outside {}, which has {}", region.name, size), "count from 0");
    }

    static sim::Expected<Found> wrongIndices(const sim::Region& region, std::size_t wanted) {
        if (wanted == 0) {
            return sim::fail("", fmt::format("{} is not an array of known shape", region.name),
                             fmt::format("write {}+0x40 for a place in it", region.name));
        }
        return sim::fail("", fmt::format("{} has {}", region.name, wanted == 1 ? "one index" : "two indices"),
                         fmt::format("write {}", wanted == 1 ? region.name + "[0]" : region.name + "[0][0]"));
    }

    sim::Expected<Found> inObject(const sim::Object& object, const std::vector<std::uint64_t>& indices,
                                  std::optional<std::uint64_t> bytes) const {
        if (!indices.empty() || bytes.value_or(0) >= object.size) {
            return sim::fail("", fmt::format("{} is an object of {} bytes", object.name, object.size),
                             fmt::format("write {0} or {0}+0x0", object.name));
        }
        const sim::ByteAddress byte{object.base.value + bytes.value_or(0)};
        return Found{
            .selection = blockAt(byte),
            .line = {},
            .words = fmt::format("the object {}, {} bytes from {:#x}", object.name, object.size, object.base.value)};
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
        constexpr std::size_t kMost = 4;
        const auto& files = trace_.files();
        for (std::size_t f = 0; f < std::min(kMost, files.size()); ++f) out += (f > 0 ? ", " : "") + files[f].path;
        return files.size() > kMost ? out + ", …" : out;
    }

    const Session& session_;
    const sim::Trace& trace_;
};

}  // namespace

sim::Expected<Found> lookUp(const Session& session, const std::string& words) {
    return LookUp(session).of(trimmed(words));
}

}  // namespace whorl::app
