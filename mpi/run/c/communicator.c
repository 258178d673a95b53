/* What communicators have for our collectives: a communicator for messages, which is made at the first call if all ranks agree. */
#define _GNU_SOURCE
#define LIBRARY "libqtdec_mpi.so"
#include <pthread.h>
#include <stdlib.h>

#include "collective.h"
#include "next.h"
#include "nodes.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static void *interposer;
static int keyval = MPI_KEYVAL_INVALID;
/* Communicators of messages, and whether MPI ends. */
static int live, has_ended;
/* The largest number of a communicator on which something is learned, and those on which it is at present. */
static uint64_t number;
static struct communicator *learning;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void qtdec_end(void) {
  int has_world = 0, rank = 0;
  PMPI_Initialized(&has_world);
  if (!__atomic_exchange_n(&has_ended, 1, __ATOMIC_RELAXED) && has_world && interposer) {
    for (struct communicator *state = learning; state; state = state->next) qtdec_end_agreement(interposer, state);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (!rank) qtdec_interposer_write(interposer);
  }
}

/* The communicator that this thread frees. */
static _Thread_local __attribute__((tls_model("initial-exec"))) MPI_Comm freed = MPI_COMM_NULL;

MPI_Comm qtdec_freed(MPI_Comm comm) {
  MPI_Comm before = freed;
  freed = comm;
  return before;
}

void qtdec_let_go(struct communicator *state) {
  if (state->messages == MPI_COMM_NULL) return;
  qtdec_end_agreement(interposer, state);
  if (state->learner) qtdec_interposer_end_learning(interposer, state->learner);
  state->learner = NULL;
  pthread_mutex_lock(&lock);
  for (struct communicator **place = &learning; *place; place = &(*place)->next) {
    if (*place != state) continue;
    *place = state->next;
    break;
  }
  pthread_mutex_unlock(&lock);
  PMPI_Comm_free(&state->messages);
  __atomic_sub_fetch(&live, 1, __ATOMIC_RELAXED);
}

/* Ends with the communicator that it belongs to. What is left when MPI ends, the library frees. */
static int forget(MPI_Comm comm, int key, void *attribute, void *extra) {
  struct communicator *state = attribute;
  int ended = 0;
  (void)key, (void)extra;
  PMPI_Finalized(&ended);
  if (!ended && comm != MPI_COMM_WORLD) qtdec_let_go(state);
  free(state);
  return MPI_SUCCESS;
}

static void open_once(void) {
  require_own_mpi();
  if (!PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget, &keyval, NULL)) {
    interposer = qtdec_interposer_open(qtdec_trees);
  }
}

void *qtdec_interposer(void) {
  pthread_once(&once, open_once);
  return interposer;
}

/* Returns 0 if the ranks of a communicator leave all to the library, 1 if they use our collectives, and 2 if they learn too, by which
   the communicator gets a number. */
static int agreed(MPI_Comm comm, int rank, uint64_t *numbered) {
  char version[MPI_MAX_LIBRARY_VERSION_STRING + 1] = "";
  uint64_t own[QTDEC_PROPERTIES] = {0}, both[2 * QTDEC_PROPERTIES], most[2 * QTDEC_PROPERTIES], least[QTDEC_PROPERTIES];
  int length, threads = 0;
  PMPI_Get_library_version(version, &length);
  PMPI_Query_thread(&threads);
  if (qtdec_interposer()) {
    int communicators = __atomic_load_n(&live, __ATOMIC_RELAXED), is_apart = comm != MPI_COMM_WORLD && qtdec_has_met();
    uint64_t last = __atomic_load_n(&number, __ATOMIC_RELAXED);
    qtdec_interposer_identify(qtdec_interposer(), version, threads, communicators, is_apart, last, own);
  }
  for (int at = 0; at < QTDEC_PROPERTIES; at++) both[at] = own[at], both[QTDEC_PROPERTIES + at] = ~own[at];
  if (PMPI_Allreduce(both, most, 2 * QTDEC_PROPERTIES, MPI_UINT64_T, MPI_MAX, comm)) return 0;
  for (int at = 0; at < QTDEC_PROPERTIES; at++) least[at] = ~most[QTDEC_PROPERTIES + at];
  *numbered = most[QTDEC_PROPERTIES - 1] + 1;
  return qtdec_interposer() ? qtdec_interposer_agree(qtdec_interposer(), rank, most, least) : 0;
}

/* Begins to learn on a communicator. Threads of a process may do so on several. */
static void begin_learning(struct communicator *state, uint64_t numbered) {
  uint64_t last = __atomic_load_n(&number, __ATOMIC_RELAXED);
  while (last < numbered && !__atomic_compare_exchange_n(&number, &last, numbered, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) continue;
  state->learner = qtdec_interposer_begin_learning(qtdec_interposer(), state->ranks, numbered);
  pthread_mutex_lock(&lock);
  state->next = learning;
  learning = state;
  pthread_mutex_unlock(&lock);
}

/* Makes the communicator of messages, without the attributes and the information of the other, as a duplicate would have them. The
   program does not see the error of a library that has no more communicators. The nodes matter to some trees, and where ranks learn. */
static void make_messages(MPI_Comm comm, struct communicator *state, int learns) {
  MPI_Group group;
  MPI_Errhandler handler;
  PMPI_Comm_group(comm, &group);
  PMPI_Comm_get_errhandler(comm, &handler);
  PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  if (PMPI_Comm_create(comm, group, &state->messages)) {
    state->messages = MPI_COMM_NULL;
  } else {
    PMPI_Comm_set_errhandler(state->messages, MPI_ERRORS_RETURN);
    if (learns || qtdec_interposer_asks_nodes(qtdec_interposer())) state->placement = qtdec_placement(state->messages);
    __atomic_add_fetch(&live, 1, __ATOMIC_RELAXED);
  }
  PMPI_Comm_set_errhandler(comm, handler);
  PMPI_Errhandler_free(&handler);
  PMPI_Group_free(&group);
}

struct communicator *qtdec_communicator(MPI_Comm comm) {
  struct communicator *state = NULL;
  int found = 0, between_groups = 0, ranks = 0, agrees;
  uint64_t numbered = 0;
  if (comm == MPI_COMM_NULL || comm == freed || __atomic_load_n(&has_ended, __ATOMIC_RELAXED)) return NULL;
  qtdec_interposer();
  if (keyval != MPI_KEYVAL_INVALID) PMPI_Comm_get_attr(comm, keyval, &state, &found);
  if (!found) {
    PMPI_Comm_test_inter(comm, &between_groups);
    PMPI_Comm_size(comm, &ranks);
    if (between_groups || ranks < 2) return NULL;
    state = calloc(1, sizeof *state);
    if (!state) {
      PMPI_Comm_call_errhandler(comm, MPI_ERR_NO_MEM);
      return NULL;
    }
    PMPI_Comm_rank(comm, &state->rank);
    state->ranks = ranks;
    state->messages = MPI_COMM_NULL;
    state->agreement = MPI_REQUEST_NULL;
    /* Processes of other worlds may be without this library. */
    if (qtdec_spans_worlds(comm)) {
      if (qtdec_interposer()) qtdec_interposer_is_apart(qtdec_interposer(), state->rank);
    } else if ((agrees = agreed(comm, state->rank, &numbered))) {
      make_messages(comm, state, agrees > 1);
      if (agrees > 1 && state->messages != MPI_COMM_NULL) begin_learning(state, numbered);
    }
    PMPI_Comm_set_attr(comm, keyval, state);
  }
  return state->messages == MPI_COMM_NULL ? NULL : state;
}
