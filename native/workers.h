// A few threads that take numbered tasks: which thread runs a task never matters to its result.
#pragma once
#include <atomic>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace softalign {

class Workers {
 public:
  // `count` threads, the caller's among them, or as many as the system grants. Each of the others runs `prepare` once
  // before its first task.
  explicit Workers(int count, const std::function<void()>& prepare = {}) {
    for (int i = 1; i < count; ++i) try {
        threads_.emplace_back([this, prepare] {
          if (prepare) prepare();
          serve();
        });
      } catch (const std::system_error&) {
        break;
      }
  }
  ~Workers() {
    {
      const std::lock_guard lock(mutex_);
      closing_ = true;
    }
    begin_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  // Runs task(0) .. task(count - 1), started in this order, and returns when all are done; throws what a task threw.
  void run(int count, const std::function<void(int)>& task) {
    {
      const std::lock_guard lock(mutex_);
      task_ = &task, count_ = count, next_ = 0, busy_ = static_cast<int>(threads_.size());
      ++round_;
    }
    begin_.notify_all();
    take(task, count);
    std::unique_lock lock(mutex_);
    done_.wait(lock, [this] { return busy_ == 0; });
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  }

 private:
  void take(const std::function<void(int)>& task, int count) {
    for (int i = next_++; i < count; i = next_++) try {
        task(i);
      } catch (...) {
        const std::lock_guard lock(mutex_);
        failure_ = std::current_exception();
      }
  }
  void serve() {
    for (long seen = 0;;) {
      std::unique_lock lock(mutex_);
      begin_.wait(lock, [&] { return closing_ || round_ != seen; });
      if (closing_) return;
      seen = round_;
      const auto* task = task_;
      const int count = count_;
      lock.unlock();
      take(*task, count);
      lock.lock();
      if (--busy_ == 0) done_.notify_one();
    }
  }

  std::mutex mutex_;
  std::condition_variable begin_, done_;
  const std::function<void(int)>* task_ = nullptr;
  int count_ = 0, busy_ = 0;
  long round_ = 0;
  bool closing_ = false;
  std::exception_ptr failure_;
  std::atomic<int> next_ = 0;
  std::vector<std::thread> threads_;
};

}  // namespace softalign
