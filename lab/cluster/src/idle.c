/* A rank that waits for messages sleeps until one arrives, instead of polling: nodes share the processors of one machine.

   Only calls that ask without waiting are changed. After a few empty ones in a row they wait for a short time. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <time.h>

enum { EMPTY = 2, WAIT_NS = 300000, UCX_EMPTY = 50, UCX_WAIT_NS = 30000 };

static __thread int empty;

int poll(struct pollfd *files, nfds_t count, int timeout) {
  struct timespec wait = {0, WAIT_NS}, none = {0, 0};
  if (timeout != 0 || count == 0) {
    struct timespec given = {timeout / 1000, timeout % 1000 * 1000000L};
    return ppoll(files, count, timeout < 0 ? NULL : &given, NULL);
  }
  int ready = ppoll(files, count, empty < EMPTY ? &none : &wait, NULL);
  empty = ready == 0 ? empty + (empty < EMPTY) : 0;
  return ready;
}

int epoll_wait(int set, struct epoll_event *events, int most, int timeout) {
  struct timespec wait = {0, WAIT_NS};
  if (timeout != 0 || empty < EMPTY) {
    int ready = epoll_pwait(set, events, most, timeout, NULL);
    if (timeout == 0) empty = ready == 0 ? empty + 1 : 0;
    return ready;
  }
  int ready = epoll_pwait2(set, events, most, &wait, NULL);
  if (ready != 0) empty = 0;
  return ready;
}

/* The progress of UCX, under MPICH, makes no such calls. */
unsigned ucp_worker_progress(void *worker) {
  static unsigned (*real)(void *);
  static __thread int calls;
  if (!real) *(void **)&real = dlsym(RTLD_NEXT, "ucp_worker_progress");
  unsigned done = real(worker);
  if (done) {
    calls = 0;
  } else if (++calls > UCX_EMPTY) {
    struct timespec wait = {0, UCX_WAIT_NS};
    nanosleep(&wait, NULL);
  }
  return done;
}
