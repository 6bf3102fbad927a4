// A command: a request to the session from the user, a panel or a task, as a value. Each kind of command is a small
// struct in namespace whorl::app::command (see app/commands) with typed arguments, a form (its id and text) and a
// function apply() that executes it. `Command` holds any of them. Only commands and transitions (transitions.h) change
// a session.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/session/command_text.h"

namespace whorl::app {

struct Session;
struct SettingCommand;

class Command {
  public:
    template <CommandStruct C>
    Command(C command) : holder_(std::make_shared<const Holder<C>>(std::move(command))) {}
    Command(const SettingCommand& command);

    std::string_view id() const { return holder_->id(); }
    std::string_view words() const { return holder_->words(); }
    /// "seek 1200": the text form that parseCommand() reads.
    std::string text() const { return holder_->text(); }
    CommandFlags flags() const { return holder_->flags(); }
    void applyTo(Session& session) const { holder_->applyTo(session); }

    bool operator==(const Command& other) const { return id() == other.id() && text() == other.text(); }

  private:
    struct AnyHolder {
        virtual ~AnyHolder() = default;
        virtual std::string_view id() const = 0;
        virtual std::string_view words() const = 0;
        virtual std::string text() const = 0;
        virtual CommandFlags flags() const = 0;
        virtual void applyTo(Session& session) const = 0;
    };
    struct OfSetting;
    template <class C>
    struct Holder final : AnyHolder {
        explicit Holder(C c) : command(std::move(c)) {}
        std::string_view id() const override { return C::kForm.id; }
        std::string_view words() const override { return C::kForm.words; }
        std::string text() const override { return textOf(command); }
        CommandFlags flags() const override { return C::kForm.flags; }
        void applyTo(Session& session) const override { apply(session, command); }
        C command;
    };

    std::shared_ptr<const AnyHolder> holder_;
};

using Commands = std::vector<Command>;

/// A kind of command, as listed in the registry.
struct CommandType {
    std::string_view id;
    std::string_view words;
    std::string usage;  ///< "seek POSITION"
    bool needsArguments = false;
    std::vector<std::string_view> choices;  ///< the words of its only argument, if there are a few
    std::function<sim::Expected<Command>(WordReader& in)> parse = {};  ///< reads the arguments
};

template <CommandStruct C>
CommandType commandType() {
    return {C::kForm.id,
            C::kForm.words,
            usageOf<C>(),
            needsArguments<C>(),
            choicesOf<C>(),
            [](WordReader& in) -> sim::Expected<Command> {
                C command;
                if (auto error = takeArguments(in, command)) return tl::unexpected(*std::move(error));
                return Command(std::move(command));
            }};
}

/// The commands of one header.
template <CommandStruct... C>
struct CommandList {
    /// Calls f.operator()<C>() for each.
    template <class F>
    static void forEach(F&& f) {
        (f.template operator()<C>(), ...);
    }
};

/// An argument that switches something on or off; without it, the command toggles.
using Switch = std::optional<bool>;
inline void turn(bool& value, Switch on) {
    value = on.value_or(!value);
}

/// An argument that chooses a value of an enumeration; without it, the command chooses the next one, cyclically.
template <class E>
void chooseOrNext(E& value, std::optional<E> chosen) {
    value = chosen.value_or(static_cast<E>((static_cast<std::size_t>(value) + 1) % kWords<E>.size()));
}

/// All kinds of commands. Listed where all of them are known, in app/commands/commands.cpp.
std::span<const CommandType> commandTypes();

/// Parses a command's text. The error is one sentence that names the command and shows its syntax.
sim::Expected<Command> parseCommand(std::string_view text);

/// Executes commands in order, remembers what they change in the view (see ViewHistory), and appends the text of each
/// to the file named by WHORL_COMMAND_LOG, if that is set.
void applyAll(Session& session, const Commands& commands);

}  // namespace whorl::app
