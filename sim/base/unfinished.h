// What is being written and has not got its name yet, or is good only as long as the program runs. If the program must
// end at once, as by a signal, it is removed first.
#pragma once

#include <mutex>

namespace whorl::sim {

/// Something that is being written. Registered while it exists; every step after which it must be kept (its renaming)
/// is done with the lock held.
class Unfinished {
  public:
    Unfinished(const Unfinished&) = delete;
    Unfinished& operator=(const Unfinished&) = delete;

    /// Removes it from the disk. Called with the lock held, possibly by another thread than its owner's.
    virtual void remove() noexcept = 0;

  protected:
    Unfinished() = default;
    virtual ~Unfinished() = default;

    /// To be called at the end of the constructor, and at the beginning of the destructor, of each derived class, when
    /// remove() may be called. end() removes what is left.
    void begin();
    void end() noexcept;
    [[nodiscard]] static std::unique_lock<std::mutex> locked();

  private:
    friend void removeUnfinished() noexcept;

    Unfinished* next_ = nullptr;
};

/// Removes everything unfinished, and lets nothing be finished or begun from then on: for a program that is about to
/// end. Threads that try wait forever.
void removeUnfinished() noexcept;

}  // namespace whorl::sim
