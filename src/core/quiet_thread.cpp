#include "core/quiet_thread.hpp"

#include <pthread.h>

#include <csignal>
#include <exception>

namespace repsc {

std::thread start_quietly(void (*body)(void*), void* context) {
  sigset_t blocked;
  sigset_t before;
  ::sigemptyset(&blocked);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::sigaddset(&blocked, signal);
  ::pthread_sigmask(SIG_BLOCK, &blocked, &before);
  std::thread thread;
  try {
    thread = std::thread(body, context);
  } catch (const std::exception&) {
    // The caller goes on without.
  }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return thread;
}

}  // namespace repsc
