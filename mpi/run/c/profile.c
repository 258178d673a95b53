/* Collectives that programs call, counted on their way to MPI: the library libqtdec_profile.so is preloaded.

   Each function calls the next one of its name, so that other libraries of the kind still see the call. A call within another, as those
   of bindings in Fortran, counts once. */
#define _GNU_SOURCE
#define LIBRARY "libqtdec_profile.so"
#include <mpi.h>
#include <signal.h>
#include <stdint.h>
#include <time.h>

#include "next.h"
#include "profile.h"
#include "signatures.h"

/* What no tuning file reaches has a kind of its own. */
enum { PLAIN, NONBLOCKING, PERSISTENT, NEIGHBORHOOD, BETWEEN_GROUPS };

static void *profile;
static int measures_skew;
static volatile sig_atomic_t asked;
OF_THREAD int depth;
OF_THREAD int64_t skew = -1;

/* Returns nanoseconds, of which 0 is none. */
static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec + 1;
}

static void ask(int signal) { asked = signal; }

/* Returns a name for the world of processes that were spawned, by the first of them, or NULL for other processes. */
static const char *name_of_world(int rank) {
  static char name[128];
  char host[64] = "";
  MPI_Comm parent = MPI_COMM_NULL;
  PMPI_Comm_get_parent(&parent);
  if (parent == MPI_COMM_NULL) return NULL;
  gethostname(host, sizeof host - 1);
  if (!rank) snprintf(name, sizeof name, "%s-%ld", host, (long)getpid());
  PMPI_Bcast(name, sizeof name, MPI_CHAR, 0, MPI_COMM_WORLD);
  return name;
}

/* Begins to count, once MPI has started. */
static void start(void) {
  int rank = 0, wanted = 0;
  if (profile) return;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  profile = qtdec_profile_open(rank, name_of_world(rank), &wanted, &measures_skew);
  if (profile && wanted) {
    struct sigaction action = {.sa_handler = ask, .sa_flags = SA_RESTART};
    sigaction(wanted == 1 ? SIGUSR1 : SIGUSR2, &action, NULL);
  }
}

static int between_groups(MPI_Comm comm) {
  int inter = 0;
  PMPI_Comm_test_inter(comm, &inter);
  return inter;
}

/* Measures by how much ranks arrive apart, and returns the time after that. */
static uint64_t begin_together(MPI_Comm comm) {
  uint64_t arrived = now(), waited, most = 0;
  if (between_groups(comm)) return arrived;
  PMPI_Barrier(comm);
  waited = now() - arrived;
  PMPI_Reduce(&waited, &most, 1, MPI_UINT64_T, MPI_MAX, 0, comm);
  skew = (int64_t)most;
  return now();
}

/* Returns when a call began, or 0 if it does not count. */
static inline uint64_t begin(int kind, MPI_Comm comm) {
  if (depth++ || !profile) return 0;
  return measures_skew && kind == PLAIN ? begin_together(comm) : now();
}

/* Counts a call. */
static inline __attribute__((always_inline)) void add(uint64_t began, const char *name, int kind, MPI_Comm comm, uint64_t bytes, int root) {
  uint64_t ended = now();
  int rank = 0, ranks = 0;
  PMPI_Comm_rank(comm, &rank);
  if (!rank) {
    if (between_groups(comm)) kind = BETWEEN_GROUPS;
    PMPI_Comm_size(comm, &ranks);
    qtdec_profile_add(profile, name, kind, ranks, bytes, root, ended - began, skew);
  }
  skew = -1;
  if (asked) {
    asked = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    qtdec_profile_write_part(profile, rank);
  }
}

static uint64_t bytes_of(uint64_t count, MPI_Datatype type) {
  int size = 0;
  PMPI_Type_size(type, &size);
  return size > 0 ? count * (uint64_t)size : 0;
}

static int rank_in(MPI_Comm comm) {
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  return rank;
}

static int ranks_of(MPI_Comm comm) {
  int ranks = 1;
  PMPI_Comm_size(comm, &ranks);
  return ranks;
}

/* The sum of a value of each rank, and their mean. */
#define SUM(counts, comm) __extension__({ \
  uint64_t sum = 0; \
  for (int at = 0, ranks = ranks_of(comm); at < ranks; at++) sum += (uint64_t)(counts)[at]; \
  sum; \
})
#define MEAN(counts, comm) (SUM(counts, comm) / (uint64_t)ranks_of(comm))

/* The size of a message as MPI's signature has it. A rank knows of vectors what it sends or receives. Only arguments that are significant
   at a rank are read. Between groups other ones are, roots and vectors are those of the other group, and sizes are not counted. */
#define SIZED(comm, size) (between_groups(comm) ? 0 : (uint64_t)(size))
#define IS_ROOT(L) (rank_in(K_##L(comm)) == (int)V_##L(root))
#define NOTHING(L) 0
#define OF_COUNT(L) bytes_of((uint64_t)V_##L(count), T_##L(type))
#define OF_SENT(L) bytes_of((uint64_t)V_##L(sent), T_##L(sent_type))
#define OF_SUM(L) bytes_of(SUM(counts, K_##L(comm)), T_##L(type))
#define OF_MEAN(L) bytes_of(MEAN(counts, K_##L(comm)), T_##L(type))
#define OF_GATHER(L) (IS_ROOT(L) ? OF_COUNT(L) : OF_SENT(L))
#define OF_SCATTER(L) (IS_ROOT(L) ? OF_SENT(L) : OF_COUNT(L))
#define OF_GATHERV(L) (IS_ROOT(L) ? OF_MEAN(L) : OF_SENT(L))
#define OF_SCATTERV(L) (IS_ROOT(L) ? bytes_of(MEAN(counts, K_##L(comm)), T_##L(sent_type)) : OF_COUNT(L))

/* The root. */
#define ROOT(L) V_##L(root)
#define NO_ROOT(L) -1

/* A function in C: its name, the name to count, the kind, the parameters, the arguments, the size and the root. */
#define IN_C(function, counted, kind, parameters, arguments, size, root_of) \
  int function parameters { \
    static void *next; \
    int (*call_next) parameters = (int (*) parameters)find(&next, #function); \
    uint64_t began = begin(kind, comm); \
    int error = call_next arguments; \
    depth--; \
    if (began) add(began, counted, kind, comm, SIZED(comm, size), (int)(root_of)); \
    return error; \
  }
#define IN_FORTRAN(function, counted, kind, parameters, arguments, size, root_of) \
  void function parameters; \
  void function parameters { \
    static void *next; \
    void (*call_next) parameters = (void (*) parameters)find(&next, #function); \
    uint64_t began = begin(kind, K_F(comm)); \
    call_next arguments; \
    depth--; \
    if (began) add(began, counted, kind, K_F(comm), SIZED(K_F(comm), size), (int)(root_of)); \
  }

#define NAMED_IN_FORTRAN(function, counted, kind, parameters, arguments, size, root_of) \
  IN_FORTRAN(function##_, counted, kind, parameters, arguments, size, root_of) \
  IN_FORTRAN(function##_f08_, counted, kind, parameters, arguments, size, root_of)

#define COLLECTIVE(Name, name, size, root_of) \
  IN_C(MPI_##Name, #name, PLAIN, (PARAMETERS_##name(int, int)), (ARGUMENTS_##name), size(C), root_of(C)) \
  IN_C(MPI_I##name, "i" #name, NONBLOCKING, (PARAMETERS_##name(int, int), MPI_Request *request), (ARGUMENTS_##name, request), 0, -1) \
  NAMED_IN_FORTRAN(mpi_##name, #name, PLAIN, (FORTRAN_##name, F ierror), (ARGUMENTS_##name, ierror), size(F), root_of(F)) \
  NAMED_IN_FORTRAN(mpi_i##name, "i" #name, NONBLOCKING, (FORTRAN_##name, F request, F ierror), (ARGUMENTS_##name, request, ierror), 0, -1)

/* Since MPI 4. */
#if MPI_VERSION >= 4
#define PREPARED(Name, name) \
  IN_C(MPI_##Name##_init, #name "_init", PERSISTENT, (PARAMETERS_##name(int, int), MPI_Info info, MPI_Request *request), \
       (ARGUMENTS_##name, info, request), 0, -1)
#define LARGE(Name, name, size, root_of) \
  PREPARED(Name, name) \
  IN_C(MPI_##Name##_c, #name, PLAIN, (PARAMETERS_##name(MPI_Count, MPI_Aint)), (ARGUMENTS_##name), size(C), root_of(C)) \
  IN_C(MPI_I##name##_c, "i" #name, NONBLOCKING, (PARAMETERS_##name(MPI_Count, MPI_Aint), MPI_Request *request), \
       (ARGUMENTS_##name, request), 0, -1)
#else
#define PREPARED(Name, name)
#define LARGE(Name, name, size, root_of)
#endif

#define COUNTED(Name, name, size, root_of) COLLECTIVE(Name, name, size, root_of) LARGE(Name, name, size, root_of)

COUNTED(Bcast, bcast, OF_COUNT, ROOT)
COUNTED(Reduce, reduce, OF_COUNT, ROOT)
COUNTED(Allreduce, allreduce, OF_COUNT, NO_ROOT)
COUNTED(Scan, scan, OF_COUNT, NO_ROOT)
COUNTED(Exscan, exscan, OF_COUNT, NO_ROOT)
COUNTED(Reduce_scatter_block, reduce_scatter_block, OF_COUNT, NO_ROOT)
COUNTED(Reduce_scatter, reduce_scatter, OF_SUM, NO_ROOT)
COUNTED(Allgather, allgather, OF_COUNT, NO_ROOT)
COUNTED(Alltoall, alltoall, OF_COUNT, NO_ROOT)
COUNTED(Gather, gather, OF_GATHER, ROOT)
COUNTED(Scatter, scatter, OF_SCATTER, ROOT)
COUNTED(Allgatherv, allgatherv, OF_MEAN, NO_ROOT)
COUNTED(Gatherv, gatherv, OF_GATHERV, ROOT)
COUNTED(Scatterv, scatterv, OF_SCATTERV, ROOT)
COUNTED(Alltoallv, alltoallv, OF_MEAN, NO_ROOT)
COLLECTIVE(Barrier, barrier, NOTHING, NO_ROOT)
PREPARED(Barrier, barrier)

IN_C(MPI_Neighbor_allgather, "neighbor_allgather", NEIGHBORHOOD, (PARAMETERS_allgather(int, int)), (ARGUMENTS_allgather), 0, -1)
IN_C(MPI_Neighbor_alltoall, "neighbor_alltoall", NEIGHBORHOOD, (PARAMETERS_alltoall(int, int)), (ARGUMENTS_alltoall), 0, -1)
IN_C(MPI_Neighbor_allgatherv, "neighbor_allgatherv", NEIGHBORHOOD, (PARAMETERS_allgatherv(int, int)), (ARGUMENTS_allgatherv), 0, -1)
IN_C(MPI_Neighbor_alltoallv, "neighbor_alltoallv", NEIGHBORHOOD, (PARAMETERS_alltoallv(int, int)), (ARGUMENTS_alltoallv), 0, -1)

/* Collects the calls that every rank counted, in pieces of which the last is not full, and writes the file. */
static void finish(void) {
  enum { PIECE = 1 << 16 };
  static char piece[PIECE];
  MPI_Comm comm;
  int rank = 0, ranks = 0, length;
  if (!profile || depth) return;
  depth++;
  if (!PMPI_Comm_dup(MPI_COMM_WORLD, &comm)) {
    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_size(comm, &ranks);
    if (rank) {
      const char *text;
      uint64_t left = qtdec_profile_text(profile, &text);
      do {
        length = left < PIECE ? (int)left : PIECE;
        PMPI_Send(text, length, MPI_CHAR, 0, 0, comm);
        text += length;
        left -= (uint64_t)length;
      } while (length == PIECE);
    } else {
      for (int from = 1; from < ranks; from++) do {
        MPI_Status status;
        PMPI_Recv(piece, PIECE, MPI_CHAR, from, 0, comm, &status);
        PMPI_Get_count(&status, MPI_CHAR, &length);
        qtdec_profile_take(profile, piece, (uint64_t)length, length < PIECE);
      } while (length == PIECE);
      qtdec_profile_write(profile);
    }
    PMPI_Comm_free(&comm);
  }
  qtdec_profile_close(profile);
  profile = NULL;
  depth--;
}

#define STARTED_IN_C(function, parameters, given) \
  int function parameters { \
    static void *next; \
    depth++; \
    int error = ((int (*) parameters)find(&next, #function)) given; \
    depth--; \
    start(); \
    return error; \
  }
STARTED_IN_C(MPI_Init, (int *count, char ***arguments), (count, arguments))
STARTED_IN_C(MPI_Init_thread, (int *count, char ***arguments, int required, int *provided), (count, arguments, required, provided))

int MPI_Finalize(void) {
  static void *next;
  finish();
  return ((int (*)(void))find(&next, "MPI_Finalize"))();
}

#define STARTED_IN_FORTRAN(function, parameters, arguments) \
  void function parameters; \
  void function parameters { \
    static void *next; \
    depth++; \
    ((void (*) parameters)find(&next, #function)) arguments; \
    depth--; \
    start(); \
  }
STARTED_IN_FORTRAN(mpi_init_, (F ierror), (ierror))
STARTED_IN_FORTRAN(mpi_init_f08_, (F ierror), (ierror))
STARTED_IN_FORTRAN(mpi_init_thread_, (F required, F provided, F ierror), (required, provided, ierror))
STARTED_IN_FORTRAN(mpi_init_thread_f08_, (F required, F provided, F ierror), (required, provided, ierror))

#define ENDED_IN_FORTRAN(function) \
  void function(F ierror); \
  void function(F ierror) { \
    static void *next; \
    finish(); \
    ((void (*)(F))find(&next, #function))(ierror); \
  }
ENDED_IN_FORTRAN(mpi_finalize_)
ENDED_IN_FORTRAN(mpi_finalize_f08_)
