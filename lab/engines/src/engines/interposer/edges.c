/* What programs do at the edges of MPI: arguments that the library refuses, communicators that are freed while they are used, more
   of them than have ours, threads, and large counts. With the interposer all of it ends as it does without. */
#include <mpi.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

enum { MANY = 300, THREADS = 3 };

static int rank, ranks, handled;

static void check(int is_right, const char *what) {
  if (is_right) return;
  fprintf(stderr, "WRONG: %s, rank %d of %d\n", what, rank, ranks);
  MPI_Abort(MPI_COMM_WORLD, 7);
}

static void sum(MPI_Comm comm, int first) {
  int number = rank + first, result = -1;
  MPI_Allreduce(&number, &result, 1, MPI_INT, MPI_SUM, comm);
  check(result == ranks * (ranks - 1) / 2 + ranks * first, "a sum");
}

static void handle(MPI_Comm *comm, int *error, ...) {
  (void)comm, (void)error;
  handled++;
}

/* An error of this class on each rank, once. */
static void refused(int error, int expected, const char *what) {
  int class = MPI_SUCCESS;
  if (error) MPI_Error_class(error, &class);
  check(class == expected && handled == 1, what);
  handled = 0;
}

static void errors(void) {
  MPI_Comm comm;
  MPI_Errhandler handler;
  MPI_Datatype pair, column, four;
  double from[8] = {0}, into[8] = {0};
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_create_errhandler(handle, &handler);
  MPI_Comm_set_errhandler(comm, handler);
  refused(MPI_Allreduce(from, into, 4, MPI_DOUBLE, MPI_BAND, comm), MPI_ERR_OP, "bits of numbers");
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
  refused(MPI_Reduce(from, into, 1, pair, MPI_SUM, 0, comm), MPI_ERR_OP, "a sum of pairs");
  MPI_Type_vector(2, 1, 2, MPI_INT, &column);
  refused(MPI_Bcast(into, 1, column, 0, comm), MPI_ERR_TYPE, "a type that is not committed");
  MPI_Type_contiguous(4, MPI_INT, &four);
  refused(MPI_Bcast(into, 1, four, 0, comm), MPI_ERR_TYPE, "a plain type that is not committed");
  refused(MPI_Allgather(from, 1, four, into, 1, four, comm), MPI_ERR_TYPE, "plain types that are not committed");
  MPI_Type_free(&four);
  refused(MPI_Allgather(from, -1, MPI_INT, into, 1, MPI_INT, comm), MPI_ERR_COUNT, "a negative count");
  refused(MPI_Allgather(from, 1, MPI_DATATYPE_NULL, into, 1, MPI_INT, comm), MPI_ERR_TYPE, "no type");
  refused(MPI_Allreduce(from, into, 1, MPI_INT, MPI_OP_NULL, comm), MPI_ERR_OP, "no operation");
#ifdef OPEN_MPI
  /* It lets this pass, although MPI does not. */
  int number = 1 + rank;
  check(MPI_Allreduce(&number, &number, 1, MPI_INT, MPI_SUM, comm) == MPI_SUCCESS, "one buffer for both");
  check(number == ranks * (ranks + 1) / 2, "a sum in one buffer for both");
#endif
  MPI_Type_free(&column);
  MPI_Type_free(&pair);
  MPI_Errhandler_free(&handler);
  sum(comm, 5);
  MPI_Comm_free(&comm);
}

#ifdef OPEN_MPI
static jmp_buf outside;

static void jump(MPI_Comm *comm, int *error, ...) {
  (void)comm, (void)error;
  longjmp(outside, 1);
}

/* A handler jumps out of a call, for which MPICH is not made. */
static void jump_out(MPI_Comm pair) {
  MPI_Comm comm;
  MPI_Errhandler handler;
  int numbers[2] = {0}, sum;
  MPI_Comm_dup(pair, &comm);
  MPI_Comm_create_errhandler(jump, &handler);
  MPI_Comm_set_errhandler(comm, handler);
  if (!setjmp(outside)) MPI_Bcast(numbers, 2 - rank, MPI_INT, 0, comm);
  MPI_Errhandler_free(&handler);
  for (int call = 0; call < 3; call++) {
    sum = -1;
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, pair);
    check(sum == 1, "a sum after a jump");
  }
  MPI_Comm_free(&comm);
}
#endif

/* Messages that are too long for one rank, in collectives of the library and then of the interposer: the errors are the same. With two
   ranks, nobody waits for the rank with the error. */
static void too_long(void) {
  enum { KINDS = 3, LONG = 8 };
  MPI_Comm pair, comm;
  int from[2 * LONG] = {0}, into[2 * LONG], sent, errors[2], classes[2];
  MPI_Comm_split(MPI_COMM_WORLD, rank < 2 ? 0 : MPI_UNDEFINED, rank, &pair);
  if (pair == MPI_COMM_NULL) return;
  /* MPICH raises the errors of requests there. */
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  for (int kind = 0; kind < KINDS; kind++) {
    for (int is_ours = 0; is_ours < 2; is_ours++) {
      MPI_Comm_dup(pair, &comm);
      MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
      sent = rank ? LONG / 2 : LONG;
      if (kind == 0) errors[is_ours] = (is_ours ? MPI_Bcast : PMPI_Bcast)(into, sent, MPI_INT, 0, comm);
      if (kind == 1) errors[is_ours] = (is_ours ? MPI_Scatter : PMPI_Scatter)(from, sent, MPI_INT, into, sent, MPI_INT, 0, comm);
      if (kind == 2) errors[is_ours] = (is_ours ? MPI_Gather : PMPI_Gather)(from, sent, MPI_INT, into, sent, MPI_INT, 1, comm);
      MPI_Error_class(errors[is_ours], &classes[is_ours]);
      PMPI_Barrier(pair);
      MPI_Comm_free(&comm);
    }
    check(classes[0] == classes[1], "a message that is too long");
  }
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
#ifdef OPEN_MPI
  jump_out(pair);
#endif
  MPI_Comm_free(&pair);
}

static int deleted(MPI_Comm comm, int key, void *attribute, void *extra) {
  (void)key, (void)attribute, (void)extra;
  sum(comm, 2);
  return MPI_SUCCESS;
}

/* Functions that delete attributes call collectives, before and after the interposer's attribute is deleted. */
static void attributes(void) {
  MPI_Comm comm;
  int first, second;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, deleted, &first, NULL);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, deleted, &second, NULL);
  for (int at = 0; at < 20; at++) {
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_attr(comm, first, &first);
    sum(comm, at);
    MPI_Comm_set_attr(comm, second, &second);
    if (at % 2) MPI_Comm_free(&comm);
    else MPI_Comm_disconnect(&comm);
  }
  MPI_Comm_set_attr(MPI_COMM_WORLD, first, &first);
  sum(MPI_COMM_WORLD, 1);
  MPI_Comm_set_attr(MPI_COMM_WORLD, second, &second);
}

static void communicators(void) {
  static MPI_Comm comms[MANY];
  MPI_Comm line, near, copy;
  MPI_Request request;
  int one = 1;
  for (int at = 0; at < 400; at++) {
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    sum(copy, at);
    MPI_Comm_free(&copy);
  }
  for (int at = 0; at < MANY; at++) {
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[at]);
    sum(comms[at], at);
  }
  for (int at = 0; at < MANY; at++) {
    sum(comms[at], at);
    MPI_Comm_free(&comms[at]);
  }
  MPI_Cart_create(MPI_COMM_WORLD, 1, &ranks, &one, 0, &line);
  sum(line, 3);
  MPI_Comm_split_type(line, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &near);
  sum(near, 4);
  MPI_Comm_idup(near, &copy, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  sum(copy, 5);
  MPI_Comm_free(&copy);
  MPI_Comm_free(&near);
  MPI_Comm_free(&line);
#ifdef MPICH_VERSION
  /* Open MPI 4.1.4 itself ends with a segmentation fault. */
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  sum(copy, 6);
  MPI_Ibarrier(copy, &request);
  MPI_Comm_free(&copy);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
#endif
}

static void *thread(void *argument) {
  MPI_Comm comm = *(MPI_Comm *)argument, other;
  for (int at = 0; at < 20; at++) {
    sum(comm, at);
    MPI_Barrier(comm);
    if (at % 10) continue;
    MPI_Comm_dup(comm, &other);
    sum(other, at);
    MPI_Comm_free(&other);
  }
  return NULL;
}

static void threads(void) {
  MPI_Comm comms[THREADS];
  pthread_t running[THREADS];
  for (int at = 0; at < THREADS; at++) MPI_Comm_dup(MPI_COMM_WORLD, &comms[at]);
  for (int at = 0; at < THREADS; at++) pthread_create(&running[at], NULL, thread, &comms[at]);
  for (int at = 0; at < THREADS; at++) pthread_join(running[at], NULL);
  for (int at = 0; at < THREADS; at++) MPI_Comm_free(&comms[at]);
}

/* More than 2 GiB, which lie one above the other. */
static void large(void) {
  enum { BLOCK = 1 << 20 };
  MPI_Datatype block, above;
  char *bytes = calloc(BLOCK, 1);
  MPI_Type_contiguous(BLOCK, MPI_CHAR, &block);
  MPI_Type_create_resized(block, 0, 0, &above);
  MPI_Type_commit(&above);
  bytes[BLOCK - 1] = (char)(rank ? 0 : 7);
  MPI_Bcast(bytes, 2050, above, 0, MPI_COMM_WORLD);
  check(bytes[BLOCK - 1] == 7, "2050 blocks");
  MPI_Type_free(&above);
  MPI_Type_free(&block);
  free(bytes);
#if MPI_VERSION >= 4
  int number = rank, result = -1;
  MPI_Allreduce_c(&number, &result, (MPI_Count)1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  check(result == ranks * (ranks - 1) / 2, "a sum with a large count");
#endif
}

int main(int count, char **arguments) {
  int provided;
  MPI_Init_thread(&count, &arguments, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  errors();
  too_long();
  communicators();
  if (provided == MPI_THREAD_MULTIPLE) threads();
  large();
  attributes();
  if (!rank) puts("all is well");
  MPI_Finalize();
}
