// Makes a child process in one of the ways that there are, and prints what it did and how it ended.
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

volatile int marks[1000];

namespace {

int mark(int times) {
    for (int i = 0; i < times; ++i) marks[i % 1000] = i;
    return marks[times % 1000];
}

void printEnd(const char* way, pid_t child) {
    int status = -1;
    const pid_t ended = waitpid(child, &status, 0);
    printf("%s: %s, exited %d, status %d, signal %d\n", way, ended == child ? "waited for" : "lost", WIFEXITED(status),
           WEXITSTATUS(status), WIFSIGNALED(status) ? WTERMSIG(status) : 0);
}

/// A child that goes on in this program: it works, prints, and exits as programs do.
void forked() {
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        printf("the child works: %d\n", mark(5000));
        exit(7);
    }
    printEnd("fork", child);
}

void forkedBesideThreads() {
    std::thread other([] { mark(1000); });
    forked();
    other.join();
}

/// A child of a child.
void forkedTwice() {
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        forked();
        fflush(stdout);
        _exit(6);
    }
    printEnd("fork twice", child);
}

void crashing() {
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) abort();
    printEnd("abort in a child", child);
}

void executed(bool shared) {
    fflush(stdout);
    // What a child of vfork may do is what is done here.
    const pid_t child = shared ? vfork() : fork();
    if (child == 0) {
        execl("/bin/sh", "sh", "-c", "echo executed; exit 5", nullptr);
        _exit(127);
    }
    printEnd(shared ? "vfork" : "fork and exec", child);
}

void spawned() {
    fflush(stdout);
    char shell[] = "sh";
    char option[] = "-c";
    char script[] = "echo spawned; exit 4";
    char* words[] = {shell, option, script, nullptr};
    pid_t child = -1;
    const int error = posix_spawnp(&child, "sh", nullptr, nullptr, words, environ);
    printEnd("posix_spawnp", child);
    printf("posix_spawnp: %d\n", error);
}

void opened() {
    FILE* const pipe = popen("echo through a pipe; exit 3", "r");
    char line[64] = {};
    if (fgets(line, sizeof line, pipe) == nullptr) puts("nothing came through the pipe");
    printf("popen: %s", line);
    printf("pclose: %d\n", pclose(pipe));
}

void printEnvironment() {
    for (char** v = environ; *v != nullptr; ++v) {
        // Of the launcher: a shell names itself.
        if (strncmp(*v, "_=", 2) != 0 && strncmp(*v, "WHORL_", 6) != 0) puts(*v);
    }
}

}  // namespace

int main(int argc, char** argv) {
    const char* const way = argc > 1 ? argv[1] : "";
    const auto is = [&](const char* word) { return strcmp(way, word) == 0; };
    mark(1000);
    if (is("fork")) forked();
    if (is("threads")) forkedBesideThreads();
    if (is("twice")) forkedTwice();
    if (is("abort")) crashing();
    if (is("exec")) executed(false);
    if (is("vfork")) executed(true);
    if (is("system")) printf("system: %d\n", system("echo by a shell; exit 2"));
    if (is("popen")) opened();
    if (is("spawn")) spawned();
    if (is("environment")) printEnvironment();
    if (is("environment-of-child")) printf("system: %d\n", system("env | grep -v -e ^_= -e ^WHORL_"));
    mark(1000);
    return 9;
}
