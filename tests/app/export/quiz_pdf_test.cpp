// Sheets of questions as PDF: how far drawing is, and that it can be stopped.
#include "app/export/quiz_pdf.h"

#include <gtest/gtest.h>

#include "sim/analysis/quiz/choice.h"
#include "support/shared_trace.h"

namespace whorl::app {
namespace {

TEST(QuizPdf, TellsHowFarItIsAndCanBeStopped) {
    const Session session = sharedSession();
    const sim::Run& run = *session.opened.run;
    sim::QuizChoice choice;
    choice.range = {sim::Tick{0}, sim::Tick{run.trace().size()}};
    for (const bool isSequence : {false, true}) {
        sim::Progress choosing;
        const auto questions =
            isSequence ? sim::chosenSequence(run, choice, choosing) : sim::chosenQuestions(run, choice, choosing);
        ASSERT_TRUE(questions && !questions->empty());
        const sim::QuizSheet sheet{.trace = run.sharedTrace(),
                                   .machine = run.machine(),
                                   .level = 0,
                                   .questions = *questions,
                                   .isSequence = isSequence,
                                   .withAnswers = true};
        sim::Progress drawing;
        EXPECT_TRUE(quizAsPdf(sheet, drawing)->starts_with("%PDF"));
        EXPECT_EQ(drawing.fraction(), 1.0);
        EXPECT_EQ(drawing.done(), questions->size() * (isSequence ? 3 : 2));
        sim::Progress stopped;
        stopped.cancel();
        EXPECT_TRUE(quizAsPdf(sheet, stopped).error().cancelled);
        EXPECT_EQ(stopped.done(), 0u);
    }
}

}  // namespace
}  // namespace whorl::app
