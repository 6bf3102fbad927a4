#include "app/commands/menu_items.h"

#include "app/commands/bindings.h"
#include "app/session/settings.h"

namespace whorl::app {

MenuItems& MenuItems::line() {
    begins_ = !items_.empty();
    return *this;
}

MenuItems& MenuItems::add(MenuItem item) {
    item.begins = std::exchange(begins_, false);
    items_.push_back(std::move(item));
    return *this;
}

MenuItems& MenuItems::add(std::string words, const Command& command, bool can) {
    return add({.words = std::move(words), .commands = {command}, .keys = keysOf(command), .isOff = !can});
}

MenuItems& MenuItems::all(std::string words, Commands commands, bool can) {
    return add({.words = std::move(words), .commands = std::move(commands), .isOff = !can});
}

MenuItems& MenuItems::toggle(std::string words, const Command& command, bool on, bool can) {
    add(std::move(words), command, can);
    items_.back().on = on;
    return *this;
}

MenuItems& MenuItems::add(std::string words, std::vector<MenuItem> items) {
    const bool isOff = items.empty();
    return add({.words = std::move(words), .isOff = isOff, .items = std::move(items)});
}

MenuItems& MenuItems::setting(const Session& session, std::string words, std::string_view id) {
    const Setting& setting = settingNamed(id);
    const SettingValue now = setting.value.get(session);
    if (const auto* const on = std::get_if<bool>(&now)) return toggle(std::move(words), changeOf(id), *on);
    MenuItems values;
    for (std::size_t i = 0; i < setting.value.words.size(); ++i) {
        const SettingValue value = WordIndex{i};
        values.toggle(std::string(setting.value.words[i]), changeOf(id, value), value == now);
    }
    // The key chooses the next of them.
    MenuItem item{.words = std::move(words), .keys = keysOf(changeOf(id)), .items = std::move(values).take()};
    return add(std::move(item));
}

}  // namespace whorl::app
