/* What the library says of types: how their elements lie in memory, and whether the library would take them. */
#include <pthread.h>

#include "collective.h"

/* The last predefined type of a thread. Such types are never freed. */
static _Thread_local __attribute__((tls_model("initial-exec"))) struct {
  MPI_Datatype type;
  uint64_t size;
  int is_known;
} last;

static int is_named(MPI_Datatype type) {
  int integers, addresses, types, combiner;
  PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
  return combiner == MPI_COMBINER_NAMED;
}

/* Whether elements lie in memory as they do in messages. Otherwise they are packed. */
int qtdec_is_plain(MPI_Datatype type) {
  int integers, addresses, types, combiner, count, size, is_plain;
  MPI_Aint start, extent, address;
  MPI_Datatype inner;
  if (last.is_known && last.type == type) return 1;
  PMPI_Type_get_extent(type, &start, &extent);
  PMPI_Type_size(type, &size);
  if (start || extent != size) return 0;
  PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
  if (combiner == MPI_COMBINER_NAMED) {
    last.type = type, last.size = (uint64_t)size, last.is_known = 1;
    return 1;
  }
  if (combiner != MPI_COMBINER_CONTIGUOUS || integers != 1 || addresses || types != 1) return 0;
  PMPI_Type_get_contents(type, 1, 0, 1, &count, &address, &inner);
  is_plain = is_named(inner);
  if (!is_plain) PMPI_Type_free(&inner);
  return is_plain;
}

uint64_t qtdec_size_of(MPI_Datatype type) {
  MPI_Count size = 0;
  if (last.is_known && last.type == type) return last.size;
  PMPI_Type_size_x(type, &size);
  return size > 0 ? (uint64_t)size : 0;
}

/* This rank by itself, for calls that move nothing. */
static MPI_Comm alone;
static int has_alone;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void be_alone(void) {
  int has_self = 0;
  MPI_Group group;
  /* A program with sessions may be without it. */
  PMPI_Initialized(&has_self);
  if (!has_self) return;
  PMPI_Comm_group(MPI_COMM_SELF, &group);
  has_alone = !PMPI_Comm_create(MPI_COMM_SELF, group, &alone) && !PMPI_Comm_set_errhandler(alone, MPI_ERRORS_RETURN);
  PMPI_Group_free(&group);
}

int qtdec_is_accepted(MPI_Datatype type) {
  char nothing = 0;
  if (qtdec_is_plain(type) && last.is_known && last.type == type) return 1;
  pthread_once(&once, be_alone);
  /* MPICH looks at the type only if there is an element, which stays where it is. */
  return !has_alone || !PMPI_Bcast(&nothing, 1, type, 0, alone);
}

int qtdec_is_of_program(MPI_Op op) {
  const MPI_Op of_mpi[] = {MPI_SUM, MPI_PROD, MPI_MAX, MPI_MIN, MPI_LAND, MPI_BAND, MPI_LOR, MPI_BOR, MPI_LXOR, MPI_BXOR, MPI_MAXLOC, MPI_MINLOC};
  for (size_t at = 0; at < sizeof of_mpi / sizeof *of_mpi; at++)
    if (op == of_mpi[at]) return 0;
  return 1;
}

int qtdec_is_reducible(MPI_Datatype type, MPI_Op op) {
  /* An operation of a user takes every type, and one of MPI's takes types of MPI alone. None of these is freed. */
  static _Thread_local __attribute__((tls_model("initial-exec"))) struct {
    MPI_Datatype type;
    MPI_Op op;
    int is_known;
  } taken;
  char nothing = 0;
  if (taken.is_known && taken.type == type && taken.op == op) return 1;
  pthread_once(&once, be_alone);
  if (!has_alone) return 1;
  if (PMPI_Allreduce(MPI_IN_PLACE, &nothing, 0, type, op, alone)) return 0;
  taken.type = type, taken.op = op, taken.is_known = 1;
  return 1;
}
