/* The next function of a name, for a library that is preloaded. LIBRARY is its own name; _GNU_SOURCE comes before all headers. */
#ifndef QTDEC_NEXT_H
#define QTDEC_NEXT_H

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

/* A library that is preloaded may have its place in the memory of threads from the start. */
#define OF_THREAD static _Thread_local __attribute__((tls_model("initial-exec")))

static void *look_up(void **next, const char *name) {
  void *found = dlsym(RTLD_NEXT, name);
  if (!found) {
    fprintf(stderr, LIBRARY ": no library after it has %s\n", name);
    abort();
  }
  __atomic_store_n(next, found, __ATOMIC_RELAXED);
  return found;
}

static inline void *find(void **next, const char *name) {
  void *found = __atomic_load_n(next, __ATOMIC_RELAXED);
  return found ? found : look_up(next, name);
}

#endif
