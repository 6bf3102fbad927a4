// Programs that end, or go on, in unusual ways, each after a known number of writes to `marks`.
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <stdexcept>
#include <thread>
#include <vector>

volatile int marks[1000];
volatile int handled[1];

namespace {

/// Writes 4 bytes so often to `marks`.
void mark(int times) {
    for (int i = 0; i < times; ++i) marks[i % 1000] = i;
}

void onTimer(int) {
    handled[0] = handled[0] + 1;
}

void signals() {
    struct sigaction action {};
    action.sa_handler = onTimer;
    sigaction(SIGALRM, &action, nullptr);
    itimerval every{};
    every.it_interval.tv_usec = 50;
    every.it_value.tv_usec = 50;
    setitimer(ITIMER_REAL, &every, nullptr);
    mark(300000);
    every = {};
    setitimer(ITIMER_REAL, &every, nullptr);
}

void forked() {
    mark(1000);
    const pid_t child = fork();
    if (child == 0) {
        mark(5000);
        _exit(0);
    }
    waitpid(child, nullptr, 0);
    mark(1000);
}

void shortThreads() {
    for (int i = 0; i < 300; ++i) std::thread([] { mark(100); }).join();
}

void liveThreads() {
    std::atomic<int> arrived{0};
    std::vector<std::thread> all;
    for (int i = 0; i < 64; ++i) {
        all.emplace_back([&] {
            mark(100);
            ++arrived;
            while (arrived < 64) std::this_thread::yield();
            mark(100);
        });
    }
    for (std::thread& t : all) t.join();
}

void library(const char* path) {
    void* const loaded = dlopen(path, RTLD_NOW);
    if (loaded == nullptr) exit(9);
    reinterpret_cast<void (*)(volatile int*, int)>(dlsym(loaded, "markFromLibrary"))(marks, 1000);
    dlclose(loaded);
}

}  // namespace

int main(int argc, char** argv) {
    const char* const what = argc > 1 ? argv[1] : "";
    const auto is = [&](const char* word) { return std::strcmp(what, word) == 0; };
    if (is("signals")) signals();
    if (is("fork")) forked();
    if (is("short-threads")) shortThreads();
    if (is("live-threads")) liveThreads();
    if (is("dlopen")) library(argv[2]);
    if (is("echo")) {
        char line[64] = {};
        if (fgets(line, sizeof line, stdin) == nullptr) return 8;
        printf("got %s", line);
        fprintf(stderr, "and said so\n");
        mark(1000);
        return 42;
    }
    mark(1000);
    if (is("deaf")) {
        signal(SIGTERM, SIG_IGN);
        close(open(argv[2], O_CREAT | O_WRONLY, 0600));
    }
    if (is("forever") || is("deaf")) {
        for (;;) mark(1);
    }
    if (is("segv")) *static_cast<volatile int*>(nullptr) = 1;
    if (is("abort")) abort();
    if (is("_exit")) _exit(3);
    if (is("kill")) kill(getpid(), SIGKILL);
    if (is("throw")) throw std::runtime_error("thrown");
    if (is("exec")) execl("/bin/true", "true", nullptr);
    if (is("execv")) execv("/bin/true", argv);
    if (is("execle"))
        execle("/bin/sh", "sh", "-c", "test $X = 1", nullptr, std::data({"X=1", static_cast<const char*>(nullptr)}));
    if (is("fexecve")) fexecve(open("/bin/true", O_RDONLY), argv, environ);
    if (is("exec-fails")) {
        execlp("no-such-program", "no-such-program", nullptr);
        mark(1000);
    }
    if (is("wait")) {
        puts("waiting");
        fflush(stdout);
        pause();
    }
    return 0;
}
