// random_commands_probe SEED COUNT: commands of all kinds with random arguments, in their text form, a line each. But
// for those that end the program, and that take minutes.
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <vector>

#include "app/session/command.h"
#include "support/random_commands.h"

int main(int count, char** words) {
    using namespace whorl::app;
    if (count != 3) return 2;
    random_commands::Random random(std::strtoull(words[1], nullptr, 10));
    std::vector<std::string_view> kinds;
    for (const CommandType& type : commandTypes()) {
        if (type.id != "quit" && type.id != "record") kinds.push_back(type.id);
    }
    for (long i = std::strtol(words[2], nullptr, 10); i > 0; --i) {
        std::string line = random_commands::randomCommand(random, kinds[random() % kinds.size()]).text();
        std::replace(line.begin(), line.end(), '\n', ' ');
        std::cout << line << '\n';
    }
    return 0;
}
