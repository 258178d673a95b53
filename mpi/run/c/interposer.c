/* Collectives that programs call: our own schedules in place of the library's algorithms, where trees choose them. The library
   libqtdec_mpi.so is preloaded. What is not ours goes to the next function of its name. */
#define _GNU_SOURCE
#define LIBRARY "libqtdec_mpi.so"
#include "collective.h"
#include "next.h"
#include "signatures.h"

/* Buffers in C, and in Fortran, where constants of MPI have addresses of their own. */
#define B_C(buffer) (void *)(buffer)
#define O_C(op) (op)

/* What each collective is made of, in the language L. */
#define SIDE(L, buffer, count, type) {B_##L(buffer), V_##L(count), T_##L(type)}
#define NONE {NULL, 0, MPI_DATATYPE_NULL}
#define CALL_bcast(L) {BCAST, K_##L(comm), (int)V_##L(root), MPI_OP_NULL, NONE, SIDE(L, buffer, count, type)}
#define CALL_reduce(L) {REDUCE, K_##L(comm), (int)V_##L(root), O_##L(op), SIDE(L, from, count, type), SIDE(L, into, count, type)}
#define CALL_allreduce(L) {ALLREDUCE, K_##L(comm), 0, O_##L(op), SIDE(L, from, count, type), SIDE(L, into, count, type)}
#define CALL_reduce_scatter_block(L) \
  {REDUCE_SCATTER_BLOCK, K_##L(comm), 0, O_##L(op), SIDE(L, from, count, type), SIDE(L, into, count, type)}
#define BOTH_SIDES(L) SIDE(L, from, sent, sent_type), SIDE(L, into, count, type)
#define CALL_scatter(L) {SCATTER, K_##L(comm), (int)V_##L(root), MPI_OP_NULL, BOTH_SIDES(L)}
#define CALL_gather(L) {GATHER, K_##L(comm), (int)V_##L(root), MPI_OP_NULL, BOTH_SIDES(L)}
#define CALL_allgather(L) {ALLGATHER, K_##L(comm), 0, MPI_OP_NULL, BOTH_SIDES(L)}
#define CALL_alltoall(L) {ALLTOALL, K_##L(comm), 0, MPI_OP_NULL, BOTH_SIDES(L)}
#define CALL_barrier(L) {BARRIER, K_##L(comm), 0, MPI_OP_NULL, NONE, NONE}

#define IN_C(function, parameters, arguments, made) \
  int function parameters { \
    static void *next; \
    struct collective call = made; \
    struct timing timing = {0}; \
    int error; \
    if (qtdec_carried_out(&call, &error, &timing)) return error; \
    error = ((int (*) parameters)find(&next, #function)) arguments; \
    if (timing.learner) qtdec_note_time(&timing); \
    return error; \
  }

#define IN_FORTRAN(function, parameters, arguments, made) \
  void function parameters; \
  void function parameters { \
    static void *next; \
    struct collective call = made; \
    struct timing timing = {0}; \
    int error; \
    if (qtdec_carried_out(&call, &error, &timing)) { \
      if (ierror) *ierror = (MPI_Fint)error; \
      return; \
    } \
    ((void (*) parameters)find(&next, #function)) arguments; \
    if (timing.learner) qtdec_note_time(&timing); \
  }

/* MPICH's functions in Fortran call those in C, where they are seen, but for one. */
#ifdef OPEN_MPI
extern int mpi_fortran_in_place_, mpi_fortran_bottom_;

static void *fortran(void *buffer) {
  if (buffer == &mpi_fortran_in_place_) return MPI_IN_PLACE;
  return buffer == &mpi_fortran_bottom_ ? MPI_BOTTOM : buffer;
}

#define B_F(buffer) fortran(buffer)
#define O_F(op) MPI_Op_f2c(*(op))
#define NAMED_IN_FORTRAN(name) \
  IN_FORTRAN(mpi_##name##_, (FORTRAN_##name, F ierror), (ARGUMENTS_##name, ierror), CALL_##name(F)) \
  IN_FORTRAN(mpi_##name##_f08_, (FORTRAN_##name, F ierror), (ARGUMENTS_##name, ierror), CALL_##name(F))
#else
#define NAMED_IN_FORTRAN(name)
IN_FORTRAN(mpi_barrier_f08_, (FORTRAN_barrier, F ierror), (ARGUMENTS_barrier, ierror), CALL_barrier(F))
#endif

/* Since MPI 4. */
#if MPI_VERSION >= 4
#define LARGE(Name, name) IN_C(MPI_##Name##_c, (PARAMETERS_##name(MPI_Count, MPI_Aint)), (ARGUMENTS_##name), CALL_##name(C))
#else
#define LARGE(Name, name)
#endif

#define COLLECTIVE(Name, name) \
  IN_C(MPI_##Name, (PARAMETERS_##name(int, int)), (ARGUMENTS_##name), CALL_##name(C)) \
  NAMED_IN_FORTRAN(name)
#define COUNTED(Name, name) COLLECTIVE(Name, name) LARGE(Name, name)

COUNTED(Bcast, bcast)
COUNTED(Reduce, reduce)
COUNTED(Allreduce, allreduce)
COUNTED(Scatter, scatter)
COUNTED(Gather, gather)
COUNTED(Allgather, allgather)
COUNTED(Alltoall, alltoall)
COUNTED(Reduce_scatter_block, reduce_scatter_block)
COLLECTIVE(Barrier, barrier)
