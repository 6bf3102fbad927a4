// Background work: its result or its error, once; cancelled work blocks nobody; of several queries only the last answer
// counts. Also run under the thread sanitizer.
#include "app/tasks/task.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <new>
#include <string>
#include <thread>
#include <vector>

#include "app/system/threads.h"
#include "app/tasks/queued_runner.h"

namespace whorl::app {
namespace {

using Result = sim::Expected<int>;

/// Waits for a condition that other threads make true.
template <class Condition>
void waitUntil(Condition&& condition) {
    while (!condition()) std::this_thread::yield();
}

Result resultOf(Task<int>& task) {
    waitUntil([&] { return task.done(); });
    return *task.take();
}

/// Work that runs until it is cancelled.
class Endless {
  public:
    Task<int>::Work work() {
        return [this](sim::Progress& progress) -> Result {
            ++begun;
            while (!progress.cancelled()) std::this_thread::yield();
            ++ended;
            return tl::unexpected(sim::Error::byUser());
        };
    }
    std::atomic<int> begun{0};
    std::atomic<int> ended{0};
};

TEST(Tasks, GiveTheirResultOnce) {
    ThreadPool pool(2);
    Task<int> task(pool, [](sim::Progress&) -> Result { return 42; });
    EXPECT_EQ(resultOf(task), 42);
    EXPECT_TRUE(task.done());
    EXPECT_FALSE(task.take()) << "it was taken";
}

TEST(Tasks, GiveAnErrorInPlaceOfAResult) {
    ThreadPool pool(1);
    Task<int> task(pool, [](sim::Progress&) -> Result { return sim::fail("a.trace:3", "is wrong"); });
    EXPECT_EQ(resultOf(task).error().sentence(), "a.trace:3: is wrong");
}

TEST(Tasks, RunningOutOfMemoryIsAnError) {
    ThreadPool pool(1);
    Task<int> task(pool, [](sim::Progress&) -> Result { throw std::bad_alloc(); });
    const Result result = resultOf(task);
    ASSERT_FALSE(result);
    EXPECT_FALSE(result.error().cancelled);
    EXPECT_EQ(result.error().sentence(), "there is not enough memory for this");
    Task<int> next(pool, [](sim::Progress&) -> Result { return 1; });
    EXPECT_EQ(resultOf(next), 1) << "the thread works on";
}

TEST(Tasks, OfWhichThereAreMoreThanThreadsAllCome) {
    ThreadPool pool(2);
    std::atomic<int> atOnce{0};
    std::atomic<int> most{0};
    std::vector<Task<int>> tasks;
    for (int i = 0; i < 100; ++i) {
        tasks.emplace_back(pool, [&, i](sim::Progress&) -> Result {
            const int now = ++atOnce;
            int before = most.load();
            while (now > before && !most.compare_exchange_weak(before, now)) {
            }
            std::this_thread::yield();
            --atOnce;
            return i;
        });
    }
    for (int i = 0; i < 100; ++i) EXPECT_EQ(resultOf(tasks[static_cast<std::size_t>(i)]), i);
    EXPECT_LE(most, 2);
}

TEST(Tasks, AddUpTheirParts) {
    sim::Progress progress;
    EXPECT_LT(progress.fraction(), 0);
    progress.startPart(1, 4);
    EXPECT_EQ(progress.fraction(), 0.25);
    progress.start(10);
    progress.advance(5);
    EXPECT_EQ(progress.fraction(), 0.375);
    progress.startPart(3, 4);
    progress.start(2);
    progress.advance(2);
    EXPECT_EQ(progress.fraction(), 1);
}

TEST(Tasks, ShowHowFarTheyAre) {
    ThreadPool pool(1);
    std::atomic<bool> mayEnd{false};
    Task<int> task(pool, [&](sim::Progress& progress) -> Result {
        progress.setTotal(4);
        progress.setDone(1);
        waitUntil([&] { return mayEnd.load(); });
        progress.setDone(4);
        return 0;
    });
    waitUntil([&] { return task.fraction() > 0; });
    EXPECT_EQ(task.fraction(), 0.25);
    EXPECT_FALSE(task.done());
    EXPECT_FALSE(task.take());
    mayEnd = true;
    EXPECT_EQ(resultOf(task), 0);
    EXPECT_EQ(task.fraction(), 1);
}

TEST(Tasks, EndSoonWhenTheyAreCancelled) {
    ThreadPool pool(1);
    Endless endless;
    Task<int> task(pool, endless.work());
    waitUntil([&] { return endless.begun == 1; });
    task.cancel();
    EXPECT_TRUE(task.cancelled());
    EXPECT_TRUE(resultOf(task).error().cancelled);
}

TEST(Tasks, ThatAreCancelledBeforeTheirTurnDoNotBegin) {
    QueuedRunner runner;
    bool began = false;
    Task<int> task(runner, [&](sim::Progress&) -> Result {
        began = true;
        return 0;
    });
    task.cancel();
    runner.runAll();
    EXPECT_FALSE(began);
    EXPECT_TRUE(resultOf(task).error().cancelled);
}

TEST(Tasks, ThatAreDestroyedBlockNobody) {
    ThreadPool pool(1);
    std::atomic<bool> begun{false};
    std::atomic<bool> mayEnd{false};
    std::atomic<bool> ended{false};
    {
        // It notices the cancellation only late.
        Task<int> task(pool, [&](sim::Progress& progress) -> Result {
            begun = true;
            waitUntil([&] { return progress.cancelled(); });
            waitUntil([&] { return mayEnd.load(); });
            ended = true;
            return 0;
        });
        waitUntil([&] { return begun.load(); });
    }
    EXPECT_FALSE(ended);
    mayEnd = true;
    waitUntil([&] { return ended.load(); });
}

TEST(Tasks, ThatAreReplacedAreCancelled) {
    ThreadPool pool(2);
    Endless endless;
    std::optional<Task<int>> task(std::in_place, pool, endless.work());
    waitUntil([&] { return endless.begun == 1; });
    task.emplace(pool, [](sim::Progress&) -> Result { return 7; });
    EXPECT_EQ(resultOf(*task), 7);
    waitUntil([&] { return endless.ended == 1; });
    Task<int> moved = std::move(*task);
    task.reset();
    EXPECT_FALSE(moved.cancelled()) << "it went with the other";
}

TEST(Tasks, ReleaseTheirWorkWhenTheyAreDone) {
    ThreadPool pool(1);
    auto large = std::make_shared<int>(1);
    const std::weak_ptr<int> known = large;
    Task<int> task(pool, [large = std::move(large)](sim::Progress&) -> Result { return *large; });
    waitUntil([&] { return task.done(); });
    EXPECT_TRUE(known.expired());
}

TEST(ThreadPools, CancelAndWaitWhenTheyGo) {
    Endless endless;
    std::vector<Task<int>> tasks;
    {
        ThreadPool pool(2);
        for (int i = 0; i < 10; ++i) tasks.emplace_back(pool, endless.work());
        waitUntil([&] { return endless.begun == 2; });
    }
    EXPECT_EQ(endless.begun, 2) << "those that waited never began";
    EXPECT_EQ(endless.ended, 2);
    for (Task<int>& task : tasks) {
        ASSERT_TRUE(task.done()) << "nobody waits for ever";
        EXPECT_TRUE(task.take()->error().cancelled);
    }
}

TEST(ThreadPools, SignalWhenTheyAreIdle) {
    using std::chrono::milliseconds;
    ThreadPool pool(1);
    EXPECT_TRUE(pool.waitUntilIdle(milliseconds(0)));
    Endless endless;
    Task<int> task(pool, endless.work());
    EXPECT_FALSE(pool.waitUntilIdle(milliseconds(1)));
    task.cancel();
    while (!pool.waitUntilIdle(milliseconds(1000))) {
    }
    EXPECT_TRUE(task.done());
    EXPECT_GE(ThreadPool::usualSize(), 4u);
}

/// Requests a number's square, and counts how often it is computed.
struct Squares {
    explicit Squares(TaskRunner& runner) : question(runner) {}
    void ask(int number) {
        question.ask(number, [this, number](sim::Progress&) -> Result {
            ++worked;
            if (number == 13) return sim::fail("", "13 has bad luck");
            return number * number;
        });
    }
    LatestTask<int, int> question;
    std::atomic<int> worked{0};
};

TEST(LatestTasks, AnswerWhatWasAskedLast) {
    QueuedRunner runner;
    Squares squares(runner);
    EXPECT_FALSE(squares.question.working());
    EXPECT_LT(squares.question.fraction(), 0);
    for (const int number : {2, 3, 4}) squares.ask(number);
    EXPECT_TRUE(squares.question.working());
    EXPECT_FALSE(squares.question.update());
    runner.runAll();
    EXPECT_TRUE(squares.question.update());
    EXPECT_EQ(squares.question.answer(), 16);
    EXPECT_EQ(squares.worked, 1) << "the others were cancelled before their turn";
    EXPECT_FALSE(squares.question.working());
    EXPECT_FALSE(squares.question.update()) << "it comes once";
}

/// As a view that is hidden does; what was computed for it is there when it is shown again.
TEST(LatestTasks, AreNotAwaitedOnceNobodyAsks) {
    QueuedRunner runner;
    Squares squares(runner);
    runner.beginRound();
    squares.ask(3);
    for (int frame = 0; frame < 3; ++frame) {
        runner.beginRound();
        EXPECT_TRUE(squares.question.working()) << "it may be asked later in this frame";
        squares.ask(3);
    }
    runner.beginRound();
    runner.beginRound();
    EXPECT_FALSE(squares.question.working());
    runner.runAll();
    EXPECT_FALSE(squares.question.working());
    squares.ask(3);
    EXPECT_TRUE(squares.question.working()) << "its answer is to be taken";
    EXPECT_TRUE(squares.question.update());
    EXPECT_EQ(squares.question.answer(), 9);
    EXPECT_EQ(squares.worked, 1);
}

TEST(LatestTasks, KeepAnAnswerUntilTheNextIsThere) {
    QueuedRunner runner;
    Squares squares(runner);
    squares.ask(5);
    runner.runAll();
    squares.question.update();
    squares.ask(5);
    EXPECT_FALSE(squares.question.working()) << "that is known";
    squares.ask(6);
    EXPECT_FALSE(squares.question.update());
    EXPECT_EQ(squares.question.answer(), 25);
    runner.runAll();
    squares.question.update();
    EXPECT_EQ(squares.question.answer(), 36);
}

TEST(LatestTasks, DoNotAskAgainForWhatWasCancelledUntilAnotherIsAsked) {
    QueuedRunner runner;
    Squares squares(runner);
    squares.ask(5);
    squares.question.cancel();
    runner.runAll();
    EXPECT_TRUE(squares.question.update());
    EXPECT_FALSE(squares.question.takeError()) << "nothing is wrong";
    squares.ask(5);
    EXPECT_FALSE(squares.question.working());
    EXPECT_FALSE(squares.question.answer());
    squares.ask(6);
    squares.ask(5);
    runner.runAll();
    squares.question.update();
    EXPECT_EQ(squares.question.answer(), 25);
}

TEST(LatestTasks, GiveAnErrorOnceAndKeepTheLastAnswer) {
    QueuedRunner runner;
    Squares squares(runner);
    squares.ask(5);
    runner.runAll();
    squares.question.update();
    squares.ask(13);
    runner.runAll();
    EXPECT_TRUE(squares.question.update());
    EXPECT_EQ(squares.question.takeError()->sentence(), "13 has bad luck");
    EXPECT_FALSE(squares.question.takeError());
    EXPECT_EQ(squares.question.answer(), 25);
}

TEST(LatestTasks, ForgetAll) {
    QueuedRunner runner;
    Squares squares(runner);
    squares.ask(5);
    runner.runAll();
    squares.question.update();
    squares.ask(6);
    squares.question.reset();
    runner.runAll();
    EXPECT_FALSE(squares.question.update());
    EXPECT_FALSE(squares.question.answer());
    EXPECT_EQ(squares.worked, 1);
    squares.ask(6);
    EXPECT_TRUE(squares.question.working()) << "as if it had never been asked";
}

TEST(LatestTasks, AreAnsweredAtOnceWhereWorkIsDoneAtOnce) {
    ImmediateRunner runner;
    Squares squares(runner);
    squares.ask(9);
    EXPECT_TRUE(squares.question.update());
    EXPECT_EQ(squares.question.answer(), 81);
}

TEST(LatestTasks, AnswerTheLastOfManyThatOverlap) {
    ThreadPool pool(3);
    LatestTask<int, int> question(pool);
    for (int number = 0; number < 500; ++number) {
        question.ask(number, [number](sim::Progress& progress) -> Result {
            for (int i = 0; i < 50 && !progress.cancelled(); ++i) std::this_thread::yield();
            return number;
        });
        if (number % 7 == 0) question.update();
    }
    waitUntil([&] {
        question.update();
        return !question.working();
    });
    EXPECT_EQ(question.answer(), 499);
}

}  // namespace
}  // namespace whorl::app
