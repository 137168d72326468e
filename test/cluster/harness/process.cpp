#include "test/cluster/harness/process.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <stdexcept>

namespace keelson::testing {

namespace {

[[noreturn]] void execute(const std::vector<std::string>& arguments) {
  std::vector<char*> words;
  for (const auto& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  ::execvp(words[0], words.data());
  ::perror(words[0]);
  ::_exit(127);
}

int exit_code_of(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); }

sockaddr_in loopback(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  return address;
}

}  // namespace

Output run(const std::vector<std::string>& arguments, const std::string& input) {
  int to_child[2];
  int from_child[2];
  if (::pipe2(to_child, O_CLOEXEC) != 0 || ::pipe2(from_child, O_CLOEXEC) != 0) throw std::runtime_error("pipe failed");
  pid_t pid = ::fork();
  if (pid == 0) {
    ::dup2(to_child[0], 0);
    ::dup2(from_child[1], 1);
    ::dup2(from_child[1], 2);
    execute(arguments);
  }
  ::close(to_child[0]);
  ::close(from_child[1]);
  // The inputs of tests fit into a pipe, so this write does not block.
  if (::write(to_child[1], input.data(), input.size()) != static_cast<ssize_t>(input.size())) {
    throw std::runtime_error("could not write the input of " + arguments[0]);
  }
  ::close(to_child[1]);
  Output output;
  char buffer[16384];
  for (ssize_t count = 0; (count = ::read(from_child[0], buffer, sizeof buffer)) > 0;) {
    output.text.append(buffer, static_cast<std::size_t>(count));
  }
  ::close(from_child[0]);
  int status = 0;
  ::waitpid(pid, &status, 0);
  output.exit_code = exit_code_of(status);
  return output;
}

Process::Process(const std::vector<std::string>& arguments, std::string log_file) : log_file_(std::move(log_file)) {
  pid_ = ::fork();
  if (pid_ != 0) return;
  int log = ::open(log_file_.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
  ::dup2(log, 1);
  ::dup2(log, 2);
  execute(arguments);
}

Process::~Process() {
  if (!is_running()) return;
  signal(SIGKILL);
  (void)wait();
}

void Process::signal(int number) { ::kill(pid_, number); }

int Process::wait() {
  if (exit_code_ >= 0) return exit_code_;
  int status = 0;
  ::waitpid(pid_, &status, 0);
  exit_code_ = exit_code_of(status);
  return exit_code_;
}

bool Process::is_running() {
  if (exit_code_ >= 0) return false;
  int status = 0;
  if (::waitpid(pid_, &status, WNOHANG) == 0) return true;
  exit_code_ = exit_code_of(status);
  return false;
}

std::string Process::log() const { return read_file(log_file_); }

long Process::memory_kib(const std::string& field) const {
  std::istringstream lines(read_file("/proc/" + std::to_string(pid_) + "/status"));
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(field + ":")) return std::stol(line.substr(field.size() + 1));
  }
  return -1;
}

double Process::cpu_seconds() const {
  std::istringstream words(read_file("/proc/" + std::to_string(pid_) + "/stat"));
  std::string word;
  // The 14th and 15th of proc(5); the program's name has no blank in it.
  for (int place = 1; place <= 13; ++place) words >> word;
  double user = 0;
  double system = 0;
  words >> user >> system;
  return (user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

int free_port() {
  int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  auto address = loopback(0);
  socklen_t length = sizeof address;
  (void)::bind(listener, reinterpret_cast<sockaddr*>(&address), length);
  ::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &length);
  ::close(listener);
  return ntohs(address.sin_port);
}

std::string http_get(int port, const std::string& target) {
  int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  auto address = loopback(port);
  std::string reply;
  auto request = "GET " + target + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
  if (::connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0 &&
      ::write(socket, request.data(), request.size()) == static_cast<ssize_t>(request.size())) {
    char buffer[16384];
    for (ssize_t count = 0; (count = ::read(socket, buffer, sizeof buffer)) > 0;) {
      reply.append(buffer, static_cast<std::size_t>(count));
    }
  }
  ::close(socket);
  auto body = reply.find("\r\n\r\n");
  if (!reply.starts_with("HTTP/1.1 200") || body == std::string::npos) return "";
  return reply.substr(body + 4);
}

OpenRequest::OpenRequest(int port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  auto address = loopback(port);
  std::string beginning = "GET /healthz HTTP/1.1\r\nHost: loc";
  if (::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 ||
      ::write(socket_, beginning.data(), beginning.size()) != static_cast<ssize_t>(beginning.size())) {
    throw std::runtime_error("no listener on port " + std::to_string(port));
  }
}

OpenRequest::~OpenRequest() { ::close(socket_); }

}  // namespace keelson::testing
