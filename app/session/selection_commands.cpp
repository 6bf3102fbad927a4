// The actions that select something, look it up by name, and watch blocks.
#include <algorithm>
#include <cstdlib>

#include "app/session/commands.h"
#include "app/session/lookup.h"

namespace whorl::app {

namespace {

using Kind = scene::Target::Kind;

/// What is chosen in the picture is chosen in the lists.
void select(Session& s, const Selection& selection) {
    s.selected = selection;
    s.viewSettings.object.reset();
    s.viewSettings.stay.reset();
    const scene::Target& target = selection.target;
    if (target.kind == Kind::region) {
        s.region = target.region;
        s.pair.reset();
    }
    if (target.kind == Kind::cpu && s.opened.run && s.opened.run->machine().cpus > 1) {
        s.cpu = s.cpu == target.cpu ? std::nullopt : std::optional<std::uint32_t>(target.cpu);
    }
}

void find(Session& s, const std::string& words) {
    if (!s.opened.run) return;
    s.lookUp.text = words;
    const auto found = lookUp(s, words);
    s.lookUp.found = found.has_value();
    s.lookUp.answer = found ? found->words : found.error().sentence() + ".";
    // To be written otherwise.
    if (!found) s.focus = s.lookUp.open ? Field::find : s.focus;
    if (!found) return;
    if (found->selection) select(s, *found->selection);
    if (found->line) s.line = found->line;
}

/// Adds a block, or takes it away; bytes of one block of the nearest level are one.
void watch(Session& s, sim::ByteAddress byte) {
    const std::uint64_t block = s.opened.run ? s.opened.run->machine().levels[0].block : 1;
    const auto known = std::find_if(s.watched.begin(), s.watched.end(),
                                    [&](sim::ByteAddress w) { return w.value / block == byte.value / block; });
    if (known != s.watched.end()) {
        s.watched.erase(known);
    } else {
        s.watched.push_back(byte);
    }
}

void watchSelected(Session& s) {
    if (const auto byte = s.marked()) {
        watch(s, *byte);
    } else {
        s.message = "Nothing to watch: click a block first, or look for one with /.";
    }
}

sim::ByteAddress byteIn(const std::string& words) {
    return sim::ByteAddress{std::strtoull(words.c_str(), nullptr, 10)};
}

}  // namespace

std::vector<Action> choosingActions() {
    return {
        {"find",
         "Choosing",
         "look up an address, a variable or a source line",
         {"/", "Ctrl+F"},
         [](Session& s, const Command&) {
             s.lookUp.open = true;
             s.focus = Field::find;
         }},
        {"find-this", "", "look this up", {}, [](Session& s, const Command& c) { find(s, c.text); }},
        {"find-close", "", "close the field", {}, [](Session& s, const Command&) { s.lookUp.open = false; }},
        {"watch",
         "Choosing",
         "watch the selected block, or do so no longer",
         {"w"},
         [](Session& s, const Command&) { watchSelected(s); }},
        {"unwatch-all",
         "Choosing",
         "watch nothing any more",
         {"Shift+W"},
         [](Session& s, const Command&) { s.watched.clear(); }},
        {"watch-block",
         "",
         "watch a block, or no longer",
         {},
         [](Session& s, const Command& c) { watch(s, byteIn(c.text)); }},
        {"select",
         "",
         "ring a block wherever it is",
         {},
         [](Session& s, const Command& c) { select(s, blockAt(byteIn(c.text))); }},
        {"select-part",
         "",
         "choose a part of the picture",
         {},
         [](Session& s, const Command& c) {
             if (const auto target = targetIn(c.text)) select(s, selectionOf(*target));
         }},
        {"select-none", "", "let go of what is selected", {}, [](Session& s, const Command&) { s.selected.reset(); }},
    };
}

}  // namespace whorl::app
