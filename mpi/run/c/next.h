/* The next function of a name, for a library that is preloaded. LIBRARY is its own name; _GNU_SOURCE comes before all headers. */
#ifndef QTDEC_NEXT_H
#define QTDEC_NEXT_H

#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef OPEN_MPI
#define COMPILED_FOR "Open MPI"
#define OTHERS {"MPICH", "Intel(R) MPI", "MVAPICH"}
#elif defined(MPICH_VERSION) || defined(MPICH_NAME) || defined(I_MPI_VERSION)
#define COMPILED_FOR "MPICH or a library with its constants"
#define OTHERS {"Open MPI"}
#endif

/* A library that is preloaded may have its place in the memory of threads from the start. */
#define OF_THREAD static _Thread_local __attribute__((tls_model("initial-exec")))

/* Ends the process if the MPI library that it runs with has other constants than the one for which this was compiled. Of many ranks, the
   first one says so. */
static inline void require_own_mpi(void) {
#ifdef COMPILED_FOR
  static const char *const others[] = OTHERS;
  static const char *const ranks[] = {"PMI_RANK", "PMIX_RANK", "OMPI_COMM_WORLD_RANK", "SLURM_PROCID"};
  static char version[1 << 14];
  int length, is_other = 0, is_first = 1;
  PMPI_Get_library_version(version, &length);
  for (size_t at = 0; at < sizeof others / sizeof *others; at++) is_other |= strstr(version, others[at]) != NULL;
  if (!is_other) return;
  for (size_t at = 0; at < sizeof ranks / sizeof *ranks; at++) is_first &= strcmp(getenv(ranks[at]) ? getenv(ranks[at]) : "0", "0") == 0;
  if (is_first) {
    version[strcspn(version, ",\n")] = 0;
    fprintf(stderr,
            LIBRARY ": this was compiled for " COMPILED_FOR ", and the program runs with %s: compile it for that library with "
                    "qtdec-mpi build --mpicc\n",
            version);
  } else {
    /* Launchers end all ranks at once when one has ended, before the first one has said it. */
    sleep(1);
  }
  _exit(1);
#endif
}

static void *look_up(void **next, const char *name) {
  require_own_mpi();
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
