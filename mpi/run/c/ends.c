/* Communicators that are freed, and MPI's end: what functions call that delete attributes, the library carries out. */
#define _GNU_SOURCE
#define LIBRARY "libqtdec_mpi.so"
#include "collective.h"
#include "next.h"

#define IN_C(function) \
  int function(MPI_Comm *comm) { \
    static void *next; \
    MPI_Comm before = qtdec_freed(comm ? *comm : MPI_COMM_NULL); \
    int error = ((int (*)(MPI_Comm *))find(&next, #function))(comm); \
    qtdec_freed(before); \
    return error; \
  }
IN_C(MPI_Comm_free)
IN_C(MPI_Comm_disconnect)

int MPI_Finalize(void) {
  static void *next;
  qtdec_end();
  return ((int (*)(void))find(&next, "MPI_Finalize"))();
}

/* MPICH's functions in Fortran call those in C. */
#ifdef OPEN_MPI
typedef MPI_Fint *F;
#define FREED_IN_FORTRAN(function) \
  void function(F comm, F ierror); \
  void function(F comm, F ierror) { \
    static void *next; \
    MPI_Comm before = qtdec_freed(MPI_Comm_f2c(*comm)); \
    ((void (*)(F, F))find(&next, #function))(comm, ierror); \
    qtdec_freed(before); \
  }
FREED_IN_FORTRAN(mpi_comm_free_)
FREED_IN_FORTRAN(mpi_comm_free_f08_)
FREED_IN_FORTRAN(mpi_comm_disconnect_)
FREED_IN_FORTRAN(mpi_comm_disconnect_f08_)

#define ENDED_IN_FORTRAN(function) \
  void function(F ierror); \
  void function(F ierror) { \
    static void *next; \
    qtdec_end(); \
    ((void (*)(F))find(&next, #function))(ierror); \
  }
ENDED_IN_FORTRAN(mpi_finalize_)
ENDED_IN_FORTRAN(mpi_finalize_f08_)
#endif
