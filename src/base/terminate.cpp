// Reports an exception that nothing catches, in place of libstdc++'s handler, whose demangler is 50 KB.
#include <cxxabi.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <typeinfo>

namespace {

// `c++filt -t` prints the name of the type.
[[noreturn]] void report_and_abort() {
  static bool is_reporting = false;
  if (is_reporting) std::abort();
  is_reporting = true;

  const auto* type = abi::__cxa_current_exception_type();
  if (type == nullptr) {
    std::fputs("terminate called without an active exception\n", stderr);
    std::abort();
  }
  std::fprintf(stderr, "terminate called after throwing an instance of '%s'\n", type->name());
  try {
    throw;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "  what():  %s\n", error.what());
  } catch (...) {
    // Only exceptions of the standard library have a text.
  }
  std::abort();
}

}  // namespace

namespace __cxxabiv1 {

// libstdc++ declares this variable in a private header. The linker takes this definition, because it comes before
// libstdc++.a.
extern std::terminate_handler __terminate_handler;
std::terminate_handler __terminate_handler = report_and_abort;

}  // namespace __cxxabiv1
