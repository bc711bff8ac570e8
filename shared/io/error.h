// What outside input can do wrong: the one list of error codes, and the Result that carries either a value or an error.
#pragma once
#include <cassert>
#include <optional>
#include <string>
#include <utility>

namespace softalign {

// Each code once: the enum and its printed name both come from this list.
#define SOFTALIGN_ERROR_CODES(X)                                                              \
  X(EMPTY)         /* nothing to read: no character that the model knows */                   \
  X(TOO_LONG)      /* more than a stated limit */                                             \
  X(BAD_VALUE)     /* a number, name or combination that is not allowed */                    \
  X(BAD_WEIGHTS)   /* a weights file that breaks its format */                                \
  X(WRONG_MODEL)   /* a well-formed weights file of another model than it says or than ours */ \
  X(NEWER_FORMAT)  /* a file written by a newer softalign */                                  \
  X(NO_MODEL)      /* a model was named that is not loaded */                                 \
  X(NO_FILE)       /* a file that cannot be read */                                           \
  X(CANNOT_WRITE)  /* a file that cannot be written */                                        \
  X(NO_DEVICE)     /* a device, or a library for it, that this machine or build lacks */      \
  X(NOT_FINITE)    /* NaN or infinity where a number is needed */                             \
  X(OUT_OF_MEMORY) /* a reservation that was refused */

enum class ErrorCode {
#define SOFTALIGN_ENUM(code) code,
  SOFTALIGN_ERROR_CODES(SOFTALIGN_ENUM)
#undef SOFTALIGN_ENUM
};

inline const char* name(ErrorCode code) {
  static constexpr const char* names[] = {
#define SOFTALIGN_NAME(code) #code,
      SOFTALIGN_ERROR_CODES(SOFTALIGN_NAME)
#undef SOFTALIGN_NAME
  };
  return names[static_cast<int>(code)];
}

// `message` is a sentence that its reader can act on; it ends without a full stop.
struct Error {
  ErrorCode code;
  std::string message;
};

// A value or an error. Reading the wrong one is a programming mistake (assert), never an exception.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}
  Result(Error error) : error_(std::move(error)) {}
  Result(ErrorCode code, std::string message) : error_{code, std::move(message)} {}

  bool ok() const { return value_.has_value(); }
  explicit operator bool() const { return ok(); }
  T& value() { return assert(ok() && "Result: holds an error"), *value_; }
  const T& value() const { return assert(ok() && "Result: holds an error"), *value_; }
  const Error& error() const { return assert(!ok() && "Result: holds a value"), error_; }
  T& operator*() { return value(); }
  const T& operator*() const { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

 private:
  std::optional<T> value_;
  Error error_{};
};

// For what only succeeds or fails.
struct Success {};
using Status = Result<Success>;
inline Status success() { return Success{}; }

}  // namespace softalign
