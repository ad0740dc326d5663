// The one exception of the native core. The core neither prints nor aborts: whatever goes wrong on
// a cold path (opening, arguments, building) is thrown as an Error and caught once, above.

#ifndef SYNOPTIC_BASE_ERROR_H_
#define SYNOPTIC_BASE_ERROR_H_

#include <exception>
#include <string>
#include <utility>

namespace synoptic {

class Error : public std::exception {
 public:
  Error(std::string code, std::string message)
      : code(std::move(code)), message_(std::move(message)) {}

  // A file that is not what it has to be.
  Error(std::string code, std::string file, std::string expected, std::string found)
      : code(std::move(code)),
        file(std::move(file)),
        expected(std::move(expected)),
        found(std::move(found)),
        message_(this->file + ": expected " + this->expected + ", found " + this->found) {}

  const char* what() const noexcept override { return message_.c_str(); }

  const std::string code;
  const std::string file;
  const std::string expected;
  const std::string found;

 private:
  std::string message_;
};

}  // namespace synoptic

#endif  // SYNOPTIC_BASE_ERROR_H_
