// RejectionOr<T>: the value that a request led to, or the Rejection that the client receives instead.
//
// A Result whose error is a Rejection: KEELSON_TRY and KEELSON_LET (base/try.hpp) propagate it. The two types do not
// convert to one another, so an Error never reaches a client without the status and the text of the real server.
#pragma once

#include <utility>
#include <variant>

#include "keelson/detail/base/assert.hpp"
#include "src/sandbox/requests/rejection.hpp"

namespace keelson::sandbox {

template <class T>
class [[nodiscard]] RejectionOr {
 public:
  RejectionOr(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  RejectionOr(Rejection rejection) : state_(std::in_place_index<1>, std::move(rejection)) {}

  [[nodiscard]] explicit operator bool() const { return state_.index() == 0; }

  // The value; only if there is one.
  [[nodiscard]] T& operator*() & { return at<0>(*this); }
  [[nodiscard]] const T& operator*() const& { return at<0>(*this); }
  [[nodiscard]] T&& operator*() && { return std::move(at<0>(*this)); }
  [[nodiscard]] T* operator->() { return &at<0>(*this); }
  [[nodiscard]] const T* operator->() const { return &at<0>(*this); }

  // The rejection; only if there is one.
  [[nodiscard]] Rejection& error() & { return at<1>(*this); }
  [[nodiscard]] const Rejection& error() const& { return at<1>(*this); }
  [[nodiscard]] Rejection&& error() && { return std::move(at<1>(*this)); }

 private:
  template <std::size_t kIndex, class Self>
  [[nodiscard]] static auto& at(Self& self) {
    KEELSON_ASSERT(self.state_.index() == kIndex);
    return *std::get_if<kIndex>(&self.state_);
  }

  std::variant<T, Rejection> state_;
};

// A success without a value, which `return {};` creates, or a Rejection.
template <>
class [[nodiscard]] RejectionOr<void> : public RejectionOr<std::monostate> {
 public:
  RejectionOr() : RejectionOr<std::monostate>(std::monostate()) {}
  RejectionOr(Rejection rejection) : RejectionOr<std::monostate>(std::move(rejection)) {}
};

}  // namespace keelson::sandbox
