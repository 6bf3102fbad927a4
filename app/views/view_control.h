// The controls of a view as plain data: what each is now, and which command it issues.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "app/session/command.h"
#include "sim/machine/machine_config.h"

namespace whorl::app {

struct ViewControl {
    /// A button that is bright while something is on.
    struct Toggle {
        bool on;
        Command command;
    };
    struct Option {
        std::string words;
        Command command;
    };
    /// One of several options.
    struct Choice {
        float width;  ///< pixels at scale 1
        std::vector<Option> options;
        std::size_t now;  ///< index of the chosen option; options.size(): none
    };
    /// A whole number on a logarithmic scale.
    struct Slider {
        float width;  ///< pixels at scale 1
        float now;
        float least;
        float most;
        const char* format;  ///< as of printf
        std::function<Command(float number)> commandFor;
    };

    std::string id;  ///< a toggle's words
    std::string help;
    std::variant<Toggle, Choice, Slider> is;
};

/// The controls of a view, the most important ones first.
class ViewControls {
  public:
    void toggle(std::string words, bool on, Command command, std::string help) {
        all_.push_back({std::move(words), std::move(help), ViewControl::Toggle{on, std::move(command)}});
    }
    void choose(std::string id, std::string help, ViewControl::Choice choice) {
        all_.push_back({std::move(id), std::move(help), std::move(choice)});
    }
    void slide(std::string id, std::string help, ViewControl::Slider slider) {
        all_.push_back({std::move(id), std::move(help), std::move(slider)});
    }
    const std::vector<ViewControl>& all() const { return all_; }

  private:
    std::vector<ViewControl> all_;
};

/// The options of a list: `optionOf(item)` makes each.
template <class Items, class F>
std::vector<ViewControl::Option> optionsOf(const Items& items, F&& optionOf) {
    std::vector<ViewControl::Option> options;
    options.reserve(std::size(items));
    for (const auto& item : items) options.push_back(optionOf(item));
    return options;
}

/// A level's name each: `commandFor(level)`.
template <class F>
std::vector<ViewControl::Option> levelOptions(const sim::MachineConfig& machine, F&& commandFor) {
    std::vector<ViewControl::Option> options;
    options.reserve(machine.levels.size());
    for (std::size_t l = 0; l < machine.levels.size(); ++l) {
        options.push_back({machine.levels[l].name, commandFor(static_cast<std::uint8_t>(l))});
    }
    return options;
}

}  // namespace whorl::app
