// Becomes several processes, in one of the ways that there are, each of which leaves its trace in an array of its own.
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

volatile int early[1000];
volatile int late[1000];

namespace {

__attribute__((noinline)) void fill(volatile int* array) {
    for (int i = 0; i < 1000; ++i) array[i] = i;
}

/// Writes to the parent's block of the heap.
int forked() {
    int* const block = new int[500];
    fill(early);
    const pid_t child = fork();
    if (child == 0) {
        for (int i = 0; i < 500; ++i) const_cast<volatile int*>(block)[i] = i;
        exit(4);
    }
    int status = 0;
    waitpid(child, &status, 0);
    const int ended = WEXITSTATUS(status);
    delete[] block;
    return ended;
}

/// Another program takes the place of this one, or of a child of it.
int replaced(const char* self, bool inChild) {
    fill(early);
    const pid_t child = inChild ? fork() : 0;
    if (child == 0) {
        execl(self, self, "late", nullptr);
        _exit(127);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WEXITSTATUS(status);
}

/// A child goes on when this process has ended.
int outlived() {
    fill(early);
    int ends[2];
    if (pipe(ends) != 0) return 1;
    if (fork() == 0) {
        close(ends[1]);
        char nothing = 0;
        while (read(ends[0], &nothing, 1) > 0) {
        }
        usleep(200'000);
        fill(late);
        _exit(5);
    }
    return 0;
}

/// Children that are all there at the same time.
int many(int count) {
    int ends[2];
    if (pipe(ends) != 0) return 1;
    std::vector<pid_t> children;
    for (int i = 0; i < count; ++i) {
        const pid_t child = fork();
        if (child == 0) {
            close(ends[1]);
            char nothing = 0;
            while (read(ends[0], &nothing, 1) > 0) {
            }
            fill(late);
            _exit(0);
        }
        children.push_back(child);
    }
    fill(early);
    close(ends[1]);
    int failed = 0;
    for (const pid_t child : children) {
        int status = 0;
        waitpid(child, &status, 0);
        failed += status == 0 ? 0 : 1;
    }
    return failed;
}

/// Children that come one after the other.
int oneByOne(int count) {
    fill(early);
    for (int i = 0; i < count; ++i) {
        if (fork() == 0) {
            fill(late);
            _exit(0);
        }
        wait(nullptr);
        usleep(20'000);
    }
    return 0;
}

/// Both processes work until somebody ends them.
int endless(const char* file) {
    const bool isChild = fork() == 0;
    fill(isChild ? late : early);
    const std::string name = std::string(file) + (isChild ? ".child" : ".parent");
    std::fclose(std::fopen(name.c_str(), "w"));
    for (int i = 0; i < 20'000; ++i) usleep(1000);
    return 1;
}

int crashed() {
    fill(early);
    if (fork() == 0) {
        fill(late);
        raise(SIGSEGV);
    }
    wait(nullptr);
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    const auto is = [&](const char* word) { return argc > 1 && strcmp(argv[1], word) == 0; };
    if (is("late-fork")) usleep(300'000);
    if (is("fork") || is("late-fork")) return forked();
    if (is("exec")) return replaced(argv[0], false);
    if (is("fork-exec")) return replaced(argv[0], true);
    if (is("outlived")) return outlived();
    if (is("many")) return many(atoi(argv[2]));
    if (is("one-by-one")) return oneByOne(atoi(argv[2]));
    if (is("endless")) return endless(argv[2]);
    if (is("crash")) return crashed();
    if (is("shell")) return WEXITSTATUS(system("exit 3"));
    fill(late);
    return 6;
}
