// What is said of the access that is predicted: the question, the answers to choose from and, once it has been played,
// which were right and why. For the card and for pages.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/session/command.h"
#include "app/session/session.h"

namespace whorl::app {

struct PredictionWords {
    struct Answer {
        std::string words;
        std::string name;  ///< "set 3", "tag 0x1f"
        std::string help = {};
        Command command;
        bool chosen = false;
        bool right = false;  ///< to be shown once the access has been played
    };
    struct Part {
        std::string asked;  ///< "Which set?"
        bool isNext = false;
        std::vector<Answer> answers;
    };
    struct Level {
        std::string name;
        Command command;
        bool on = false;
    };
    struct Grade {
        std::string words;
        bool right = false;
    };
    struct Action {
        std::string words;
        Command command;
    };

    std::string title;
    std::string score;          ///< "3 of 4 answers right"; empty before the first answer
    std::string note;           ///< why nothing is asked; empty if something is
    std::vector<Level> levels;  ///< those that can be asked about, if there are several
    std::string access;         ///< "The access …"
    std::string digits;         ///< its address in binary
    std::string cache;          ///< "L1: 4 sets of 2 ways, blocks of 32 bytes, LRU"
    /// The way in which the block will be can be clicked in the table, in place of the answers.
    bool isAnsweredInTable = false;
    std::vector<Part> parts;
    std::vector<Grade> grades;  ///< once it has been played
    std::string why;            ///< then
    std::optional<Action> next;
    std::string left;  ///< of a sequence: "3 more in this set"
};

/// Of the prediction of a session that has one, of an open run.
PredictionWords predictionWords(const Session& session);

}  // namespace whorl::app
