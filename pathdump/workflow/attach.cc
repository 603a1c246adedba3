// SPDX-License-Identifier: GPL-3.0-or-later
// Implements the recording of a running process: requests by signals, and the transfer of the profile through memory.
#include "pathdump/workflow/attach.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <thread>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "pathdump/ui/failure.h"
#include "pathdump/workflow/collected.h"

namespace pathprof {

namespace fs = std::filesystem;

namespace {

// Maximum time to wait for a reply from the process, maximum time to wait until a thread of the process unblocks the
// request signal, and polling interval.
constexpr std::chrono::seconds kPatience{20}, kBlocked{3};
constexpr std::chrono::milliseconds kPause{5};

// Calls `done` repeatedly until it returns true.  Returns false on timeout.
template <typename Done>
bool wait_for(Done done, std::chrono::seconds patience = kPatience) {
  auto end = Recording::Clock::now() + patience;
  while (!done()) {
    if (Recording::Clock::now() > end)
      return false;
    std::this_thread::sleep_for(kPause);
  }
  return true;
}

bool is_locked_by_us(int file) {
  return flock(file, LOCK_EX | LOCK_NB) == 0;
}

} // namespace

void Recording::fail(const std::string &why) const {
  throw Failure(kBadData, fmt::format("record: {}: {}", process_.title(), why));
}

// ---- checks of the process ----

Recording::Recording(pid_t pid) : process_(pid), signal_(announced_signal()) {
  if (signal_ == 0)
    fail(why_not_announced());
  if (!process_.handles(signal_))
    fail(fmt::format("the handler for signal {} ({}) has been removed", signal_, strsignal(signal_)));
  std::string state = process_.status("State").substr(0, 1);
  if (state == "T" || state == "t")
    fail("the process is stopped; resume it first");
}

// Returns the signal that the process has announced for requests from tools, or 0 if the process has not announced a
// signal.
int Recording::announced_signal() const {
  static const std::string kName = "/memfd:" PATHPROF_ANNOUNCED_NAME;
  std::string file = process_.file("maps");
  std::ifstream maps(file);
  if (!maps && process_.is_alive())
    fail(fmt::format("cannot inspect the process ({}: {}){}", file, std::strerror(errno),
                     geteuid() ? "; its user ID or privileges have changed, so only root can record it" : ""));
  for (std::string line; std::getline(maps, line);)
    if (size_t at = line.find(kName); at != std::string::npos) {
      int signal = std::atoi(line.c_str() + at + kName.size());
      return signal > 0 && signal < NSIG ? signal : 0;
    }
  return 0;
}

std::string Recording::why_not_announced() const {
  if (!process_.is_alive())
    return "the process has ended";
  if (!has_runtime(process_.file("exe")))
    return "the program is not instrumented; build it with 'pathprof build switch=1 -- make', or with pathprof-gcc "
           "-fplugin-arg-pathprof-switch=1";
  return "the program is instrumented, but counting cannot be switched on: the program was built without switch=1, "
         "PATHPROF_MODE=off is set, the program handles SIGURG itself (set PATHPROF_SWITCH_SIGNAL to another signal), "
         "or the system calls of the process are restricted";
}

void Recording::wait_until_admitted() const {
  if (!wait_for([&] { return process_.admits(signal_) || !process_.is_alive(); }, kBlocked))
    fail(fmt::format("signal {} ({}) is blocked in all threads; no signal was sent", signal_, strsignal(signal_)));
}

// ---- requests ----

void Recording::request(enum pathprof_request what, uint32_t lease) const {
  auto until = static_cast<uint64_t>(std::time(nullptr)) + static_cast<uint64_t>(kPatience.count());
  if (announced_signal() != signal_ || !process_.handles(signal_) ||
      !process_.send(signal_, pathprof_request_value(what, until, lease)))
    if (process_.is_alive() && what != PATHPROF_REQUEST_END)
      fail(fmt::format("can no longer contact the process: {}", why_not_announced()));
}

// Returns a descriptor for the memory file that the process keeps open during a recording.
Descriptor Recording::find_recording() const {
  static const std::string kName = "/memfd:" PATHPROF_RECORDING_NAME " (deleted)";
  std::error_code error;
  for (const auto &entry : fs::directory_iterator(process_.file("fd"), error)) {
    std::error_code closed;
    if (fs::read_symlink(entry.path(), closed) == kName)
      return Descriptor(open(entry.path().c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  }
  return Descriptor();
}

bool Recording::read_state(pathprof_recording *state) const {
  return file_.is_open() && pread(file_.number(), state, sizeof *state, 0) == sizeof *state &&
         state->magic == PATHPROF_RECORDING_MAGIC;
}

// Ends the recording of a tool that was killed before it could end the recording itself. The memory file of such a
// recording still exists, but is no longer locked.
void Recording::end_what_was_left() const {
  Descriptor left = find_recording();
  if (!left.is_open())
    return;
  if (!is_locked_by_us(left.number()))
    fail("the process is already being recorded by another tool");
  request(PATHPROF_REQUEST_END, 0);
  if (!wait_for([&] { return !find_recording().is_open(); }))
    fail("a recording left by a killed tool is still active; try again after it has expired");
}

void Recording::begin(uint32_t lease) {
  wait_until_admitted();
  end_what_was_left();
  request(PATHPROF_REQUEST_BEGIN, lease);
  renew_at_ = Clock::now() + std::chrono::seconds(lease / 2);
  pathprof_recording state = {};
  bool has_begun = wait_for([&] {
    if (!file_.is_open())
      file_ = find_recording();
    return (read_state(&state) && state.state != PATHPROF_RECORDING_NEW) || !process_.is_alive();
  });
  if (!has_begun)
    fail("the process did not answer: it has no free file descriptor, or it has replaced the handler for " +
         fmt::format("signal {} ({}); set PATHPROF_SWITCH_SIGNAL to another signal", signal_, strsignal(signal_)));
  if (state.state == PATHPROF_RECORDING_FAILED)
    fail(fmt::format("cannot be recorded: {}", std::strerror(state.error)));
  if (!file_.is_open())
    fail("the process ended before counting was switched on");
  if (!is_locked_by_us(file_.number()))
    fail("the process is already being recorded by another tool");
}

void Recording::renew(uint32_t lease) {
  if (Clock::now() < renew_at_ || !process_.admits(signal_))
    return;
  renew_at_ = Clock::now() + std::chrono::seconds(lease / 2);
  request(PATHPROF_REQUEST_RENEW, lease);
}

bool Recording::goes_on() const {
  pathprof_recording state = {};
  return read_state(&state) && state.state == PATHPROF_RECORDING_ON && process_.is_alive();
}

// ---- the profile ----

std::string Recording::read_profile(uint64_t size) const {
  struct stat status = {};
  if (fstat(file_.number(), &status) != 0 || size > static_cast<uint64_t>(status.st_size))
    fail("the profile is incomplete");
  std::string profile(size, '\0');
  for (size_t done = 0; done < size;) {
    ssize_t n =
        pread(file_.number(), profile.data() + done, size - done, static_cast<off_t>(PATHPROF_RECORDING_DATA + done));
    if (n <= 0)
      fail("the profile is incomplete");
    done += static_cast<size_t>(n);
  }
  return profile;
}

std::string Recording::end() {
  pathprof_recording state = {};
  if (goes_on())
    request(PATHPROF_REQUEST_END, 0);
  bool has_answered = wait_for([&] { return !goes_on(); });
  read_state(&state);
  if (state.state == PATHPROF_RECORDING_DONE)
    return read_profile(state.size);
  if (state.state == PATHPROF_RECORDING_EXPIRED)
    fail("the process stopped the recording on its own, because no request to stop it arrived in time");
  if (state.state == PATHPROF_RECORDING_FAILED && state.error == EBADF)
    fail("the process has closed the file descriptor that is used for the recording");
  if (state.state == PATHPROF_RECORDING_FAILED)
    fail(state.error ? fmt::format("the process cannot provide its profile: {}", std::strerror(state.error))
                     : "the process cannot provide its profile; see the message that starts with 'pathrt:' on its "
                       "standard error");
  fail(has_answered ? "the process was killed, and its counts are lost"
                    : "the process does not answer; counting stops when the recording expires");
}

double Recording::seconds() const {
  pathprof_recording state = {};
  read_state(&state);
  return static_cast<double>(state.switched) / 1e6;
}

} // namespace pathprof
