// Outputs that do not have their final names yet, or that are valid only while the program runs. If the program must
// end at once, as on a signal, they are removed first.
#pragma once

#include <mutex>

namespace whorl::sim {

/// An output that is being written. Registered while it exists. The step that makes it permanent (its renaming) must
/// hold the lock.
class Unfinished {
  public:
    Unfinished(const Unfinished&) = delete;
    Unfinished& operator=(const Unfinished&) = delete;

    /// Removes the output from the disk. Called with the lock held, possibly by a thread other than the owner's.
    virtual void remove() noexcept = 0;

  protected:
    Unfinished() = default;
    virtual ~Unfinished() = default;

    /// Each derived class must call begin() at the end of its constructor and end() at the beginning of its destructor;
    /// in between, remove() may be called. end() removes what is left.
    void begin();
    void end() noexcept;
    [[nodiscard]] static std::unique_lock<std::mutex> locked();

  private:
    friend void removeUnfinished() noexcept;

    Unfinished* next_ = nullptr;
};

/// Removes all unfinished outputs and prevents any from being finished or begun afterwards: for a program that is about
/// to end. Threads that try to do so wait forever.
void removeUnfinished() noexcept;

}  // namespace whorl::sim
