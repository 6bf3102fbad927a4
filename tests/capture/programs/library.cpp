// Calls what Whorl wraps in a recorded program: the allocators, and what threads wait at.
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string>

namespace {

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
sem_t semaphore;
volatile long sum = 0;
int ended[2];

void allocate(int times) {
    for (int i = 0; i < times; ++i) {
        auto* volatile a = static_cast<char*>(malloc(24 + i % 100));
        auto* volatile b = static_cast<char*>(calloc(3, 16));
        a = static_cast<char*>(realloc(a, 200 + i % 100));
        auto* volatile c = new int[10];
        c[0] = i;
        sum = sum + a[0] + b[0] + c[0];
        free(a);
        free(b);
        delete[] c;
    }
}

void waitAndLock(int times) {
    sem_init(&semaphore, 0, 0);
    for (int i = 0; i < times; ++i) {
        pthread_mutex_lock(&mutex);
        pthread_rwlock_wrlock(&lock);
        sem_post(&semaphore);
        sum = sum + i;
        sem_wait(&semaphore);
        pthread_rwlock_unlock(&lock);
        pthread_mutex_unlock(&mutex);
    }
}

}  // namespace

/// Where a second thread begins; its name is not changed, so that others can name it.
extern "C" void* work(void* times) {
    allocate(static_cast<int>(reinterpret_cast<long>(times)));
    waitAndLock(static_cast<int>(reinterpret_cast<long>(times)));
    if (write(ended[1], "", 1) != 1) abort();
    return nullptr;
}

int main(int argc, char** argv) {
    const std::string what = argc > 1 ? argv[1] : "";
    const int times = argc > 2 ? atoi(argv[2]) : 0;
    if (what == "allocate") allocate(times);
    if (what == "locks") waitAndLock(times);
    if (what == "threads") {
        pthread_t thread;
        if (pipe(ended) != 0) return 1;
        pthread_create(&thread, nullptr, work, reinterpret_cast<void*>(static_cast<long>(times)));
        // Joining a thread that still runs executes more. Both calls wait in the system, whoever is quicker.
        char end = 0;
        if (read(ended[0], &end, 1) != 1) return 1;
        usleep(200000);
        pthread_join(thread, nullptr);
    }
    return 0;
}
