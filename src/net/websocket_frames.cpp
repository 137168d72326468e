#include "src/net/websocket_frames.hpp"

#include <algorithm>

namespace keelson::net {

namespace {

constexpr unsigned kFinal = 0x80;
constexpr unsigned kMasked = 0x80;
constexpr unsigned kShortLength = 125;  // longer ones follow in 2 or 8 bytes
constexpr std::uint16_t kNormal = 1000;
constexpr std::uint16_t kProtocolError = 1002;

unsigned byte_at(std::string_view text, std::size_t at) { return static_cast<unsigned char>(text[at]); }

void append_number(std::string& out, std::uint64_t value, int bytes) {
  for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) out += static_cast<char>(value >> shift & 0xFFU);
}

std::size_t length_bytes(unsigned first_length) {
  if (first_length <= kShortLength) return 0;
  return first_length == kShortLength + 1 ? 2 : 8;
}

bool is_control(unsigned code) { return code >= static_cast<unsigned>(FrameCode::kClose); }

}  // namespace

std::string frame_of(FrameCode code, std::string_view payload) {
  constexpr std::size_t kMediumLength = 0xFFFF;
  std::string frame(1, static_cast<char>(kFinal | static_cast<unsigned>(code)));
  frame.reserve(payload.size() + 10);
  if (payload.size() <= kShortLength) {
    frame += static_cast<char>(payload.size());
  } else {
    const bool is_medium = payload.size() <= kMediumLength;
    frame += static_cast<char>(kShortLength + (is_medium ? 1 : 2));
    append_number(frame, payload.size(), is_medium ? 2 : 8);
  }
  return frame += payload;
}

std::string close_frame(std::uint16_t code) {
  std::string payload;
  append_number(payload, code, 2);
  return frame_of(FrameCode::kClose, payload);
}

std::string FrameReader::answer(std::string_view bytes) {
  std::string answers;
  while (!has_ended_ && (!bytes.empty() || (is_in_payload_ && left_ == 0))) {
    if (is_in_payload_) {
      take_payload(bytes);
      if (left_ == 0) finish_frame(answers);
      continue;
    }
    header_ += bytes.front();
    bytes.remove_prefix(1);
    const bool has_length = header_.size() >= 2;
    if (has_length && (byte_at(header_, 1) & kMasked) == 0) end(answers, kProtocolError);
    if (has_length && header_.size() == header_size()) begin_payload(answers);
  }
  return answers;
}

std::size_t FrameReader::header_size() const { return 2 + length_bytes(byte_at(header_, 1) & ~kMasked) + 4; }

void FrameReader::begin_payload(std::string& answers) {
  const auto first_length = byte_at(header_, 1) & ~kMasked;
  left_ = length_bytes(first_length) == 0 ? first_length : 0;
  for (std::size_t i = 0; i < length_bytes(first_length); ++i) left_ = left_ << 8U | byte_at(header_, 2 + i);
  is_in_payload_ = true;
  const bool is_long = length_bytes(first_length) > 0;
  if (is_long && is_control(byte_at(header_, 0) & 0x0FU)) end(answers, kProtocolError);
}

void FrameReader::take_payload(std::string_view& bytes) {
  const auto taken = static_cast<std::size_t>(std::min<std::uint64_t>(left_, bytes.size()));
  if (is_control(byte_at(header_, 0) & 0x0FU)) control_ += bytes.substr(0, taken);
  bytes.remove_prefix(taken);
  left_ -= taken;
}

void FrameReader::finish_frame(std::string& answers) {
  const auto code = byte_at(header_, 0) & 0x0FU;
  const auto mask = std::string_view(header_).substr(header_.size() - 4);
  for (std::size_t i = 0; i < control_.size(); ++i) {
    control_[i] = static_cast<char>(byte_at(control_, i) ^ byte_at(mask, i % 4));
  }
  if (code == static_cast<unsigned>(FrameCode::kPing)) answers += frame_of(FrameCode::kPong, control_);
  if (code == static_cast<unsigned>(FrameCode::kClose)) end(answers, kNormal);
  header_.clear();
  control_.clear();
  is_in_payload_ = false;
}

void FrameReader::end(std::string& answers, std::uint16_t code) {
  has_ended_ = true;
  answers += close_frame(code);
}

}  // namespace keelson::net
