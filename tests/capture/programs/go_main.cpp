// Has a main of its own below that of the C library, as programs of Go that use C have. Of its two other threads one
// works meanwhile, and one waits.
#include <semaphore.h>

#include <initializer_list>
#include <thread>

volatile int marks[1000];
sem_t begin;
sem_t done;
sem_t end;

extern "C" void goMain() asm("main.main");
void goMain() {
    sem_post(&begin);
    sem_wait(&done);
    for (int i = 0; i < 1000; ++i) marks[i] = i;
}

int main() {
    for (sem_t* s : {&begin, &done, &end}) sem_init(s, 0, 0);
    std::thread working([] {
        sem_wait(&begin);
        for (int i = 0; i < 1000; ++i) marks[i] = i;
        sem_post(&done);
    });
    std::thread waiting([] { sem_wait(&end); });
    for (int i = 0; i < 1000; ++i) marks[i] = -i;
    goMain();
    sem_post(&end);
    for (std::thread* t : {&working, &waiting}) t->join();
    return 0;
}
