// The frames of a WebSocket at a server: writes them, and reads those of a client that has nothing to say but pings and
// its close.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace keelson::net {

enum class FrameCode : unsigned char { kText = 1, kBinary = 2, kClose = 8, kPing = 9, kPong = 10 };

[[nodiscard]] std::string frame_of(FrameCode code, std::string_view payload);
// The close frame with a code such as 1000.
[[nodiscard]] std::string close_frame(std::uint16_t code);

class FrameReader {
 public:
  // Reads bytes of the client, which may end within a frame, and returns the frames that answer them: pongs, and the
  // close after which the client has nothing to say. Messages are skipped, whatever their size.
  [[nodiscard]] std::string answer(std::string_view bytes);
  // The client has closed the WebSocket, or broken its rules.
  [[nodiscard]] bool has_ended() const { return has_ended_; }

 private:
  [[nodiscard]] std::size_t header_size() const;
  void begin_payload(std::string& answers);
  void take_payload(std::string_view& bytes);
  void finish_frame(std::string& answers);
  void end(std::string& answers, std::uint16_t code);

  std::string header_;
  std::string control_;     // the payload of a control frame
  std::uint64_t left_ = 0;  // bytes of the payload
  bool is_in_payload_ = false;
  bool has_ended_ = false;
};

}  // namespace keelson::net
