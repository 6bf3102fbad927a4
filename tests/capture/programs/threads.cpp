// Threads that wait for each other in many ways, and count in one cache line.
#include <pthread.h>
#include <semaphore.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <thread>
#include <vector>

alignas(64) volatile int counts[4];
std::atomic<int> ready;
volatile int turns[64];
volatile int seen;

/// The threads begin together: one that ended before the next was made would have counted alone.
static void count() {
    pthread_barrier_t start;
    pthread_barrier_init(&start, nullptr, 4);
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([&start, t] {
            pthread_barrier_wait(&start);
            for (int i = 0; i < 5000; ++i) counts[t] = counts[t] + 1;
        });
    }
    for (std::thread& thread : threads) thread.join();
}

static void locked() {
    std::mutex mutex;
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([&mutex] {
            for (int i = 0; i < 1000; ++i) {
                const std::lock_guard lock(mutex);
                counts[0] = counts[0] + 1;
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
}

/// Each thread writes its counter between two barriers, and all read all counters after them.
static void phases() {
    pthread_barrier_t barrier;
    pthread_barrier_init(&barrier, nullptr, 4);
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([&barrier, t] {
            for (int phase = 0; phase < 16; ++phase) {
                turns[4 * phase + t] = 1;
                pthread_barrier_wait(&barrier);
                for (int other = 0; other < 4; ++other) seen = turns[4 * phase + other];
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
}

/// One thread hands numbers to another, by a condition and then by a semaphore.
static void handed() {
    std::mutex mutex;
    std::condition_variable changed;
    int full = 0;
    sem_t filled;
    sem_init(&filled, 0, 0);
    std::thread taker([&] {
        for (int i = 0; i < 32; ++i) {
            std::unique_lock lock(mutex);
            changed.wait(lock, [&] { return full > 0; });
            seen = turns[i];
            full = 0;
            changed.notify_all();
        }
        for (int i = 32; i < 64; ++i) {
            while (sem_wait(&filled) != 0) {
            }
            seen = turns[i];
        }
    });
    for (int i = 0; i < 32; ++i) {
        std::unique_lock lock(mutex);
        changed.wait(lock, [&] { return full == 0; });
        turns[i] = 1;
        full = 1;
        changed.notify_all();
    }
    for (int i = 32; i < 64; ++i) {
        turns[i] = 1;
        sem_post(&filled);
    }
    taker.join();
}

/// One thread waits for another by reading, while that one works.
static void spun() {
    static std::atomic<int> begun{0};
    std::thread taker([] {
        begun = 1;
        while (ready.load(std::memory_order_acquire) == 0) {
        }
        for (int i = 0; i < 64; ++i) seen = turns[i];
    });
    for (int round = 0; round < 1000; ++round) {
        for (int i = 0; i < 64; ++i) turns[i] = round;
    }
    // On a busy computer the other one may begin late.
    while (begun == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    ready.store(1, std::memory_order_release);
    taker.join();
}

int main(int argc, char** argv) {
    if (argc < 2) return 1;
    if (std::strcmp(argv[1], "count") == 0) count();
    if (std::strcmp(argv[1], "locked") == 0) locked();
    if (std::strcmp(argv[1], "phases") == 0) phases();
    if (std::strcmp(argv[1], "handed") == 0) handed();
    if (std::strcmp(argv[1], "spun") == 0) spun();
}
