// Ownership of what OpenSSL allocates, by the function that frees it.
#pragma once

#include <memory>

namespace keelson::tls {

template <auto free>
struct Freed {
  template <class T>
  void operator()(T* p) const {
    free(p);
  }
};
template <class T, void (*free)(T*)>
using Owned = std::unique_ptr<T, Freed<free>>;

}  // namespace keelson::tls
