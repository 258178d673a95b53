/* Collectives as MPI declares them, without the names of functions. */
#ifndef QTDEC_SIGNATURES_H
#define QTDEC_SIGNATURES_H

#include <mpi.h>

/* Parameters in C, with the types of counts and of displacements, and arguments. */
#define PARAMETERS_bcast(N, D) void *buffer, N count, MPI_Datatype type, int root, MPI_Comm comm
#define ARGUMENTS_bcast buffer, count, type, root, comm
#define PARAMETERS_reduce(N, D) const void *from, void *into, N count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm
#define ARGUMENTS_reduce from, into, count, type, op, root, comm
#define PARAMETERS_allreduce(N, D) const void *from, void *into, N count, MPI_Datatype type, MPI_Op op, MPI_Comm comm
#define ARGUMENTS_allreduce from, into, count, type, op, comm
#define PARAMETERS_scan PARAMETERS_allreduce
#define ARGUMENTS_scan ARGUMENTS_allreduce
#define PARAMETERS_exscan PARAMETERS_allreduce
#define ARGUMENTS_exscan ARGUMENTS_allreduce
#define PARAMETERS_reduce_scatter_block PARAMETERS_allreduce
#define ARGUMENTS_reduce_scatter_block ARGUMENTS_allreduce
#define PARAMETERS_reduce_scatter(N, D) const void *from, void *into, const N *counts, MPI_Datatype type, MPI_Op op, MPI_Comm comm
#define ARGUMENTS_reduce_scatter from, into, counts, type, op, comm
#define PARAMETERS_allgather(N, D) const void *from, N sent, MPI_Datatype sent_type, void *into, N count, MPI_Datatype type, MPI_Comm comm
#define ARGUMENTS_allgather from, sent, sent_type, into, count, type, comm
#define PARAMETERS_alltoall PARAMETERS_allgather
#define ARGUMENTS_alltoall ARGUMENTS_allgather
#define PARAMETERS_gather(N, D) const void *from, N sent, MPI_Datatype sent_type, void *into, N count, MPI_Datatype type, int root, MPI_Comm comm
#define ARGUMENTS_gather from, sent, sent_type, into, count, type, root, comm
#define PARAMETERS_scatter PARAMETERS_gather
#define ARGUMENTS_scatter ARGUMENTS_gather
#define PARAMETERS_allgatherv(N, D) const void *from, N sent, MPI_Datatype sent_type, void *into, const N *counts, const D *places, MPI_Datatype type, MPI_Comm comm
#define ARGUMENTS_allgatherv from, sent, sent_type, into, counts, places, type, comm
#define PARAMETERS_gatherv(N, D) const void *from, N sent, MPI_Datatype sent_type, void *into, const N *counts, const D *places, MPI_Datatype type, int root, MPI_Comm comm
#define ARGUMENTS_gatherv from, sent, sent_type, into, counts, places, type, root, comm
#define PARAMETERS_scatterv(N, D) const void *from, const N *counts, const D *places, MPI_Datatype sent_type, void *into, N count, MPI_Datatype type, int root, MPI_Comm comm
#define ARGUMENTS_scatterv from, counts, places, sent_type, into, count, type, root, comm
#define PARAMETERS_alltoallv(N, D) const void *from, const N *sent, const D *sent_places, MPI_Datatype sent_type, void *into, const N *counts, const D *places, MPI_Datatype type, MPI_Comm comm
#define ARGUMENTS_alltoallv from, sent, sent_places, sent_type, into, counts, places, type, comm
#define PARAMETERS_barrier(N, D) MPI_Comm comm
#define ARGUMENTS_barrier comm

/* Parameters in Fortran. */
#define FORTRAN_bcast void *buffer, F count, F type, F root, F comm
#define FORTRAN_reduce void *from, void *into, F count, F type, F op, F root, F comm
#define FORTRAN_allreduce void *from, void *into, F count, F type, F op, F comm
#define FORTRAN_scan FORTRAN_allreduce
#define FORTRAN_exscan FORTRAN_allreduce
#define FORTRAN_reduce_scatter_block FORTRAN_allreduce
#define FORTRAN_reduce_scatter void *from, void *into, F counts, F type, F op, F comm
#define FORTRAN_allgather void *from, F sent, F sent_type, void *into, F count, F type, F comm
#define FORTRAN_alltoall FORTRAN_allgather
#define FORTRAN_gather void *from, F sent, F sent_type, void *into, F count, F type, F root, F comm
#define FORTRAN_scatter FORTRAN_gather
#define FORTRAN_allgatherv void *from, F sent, F sent_type, void *into, F counts, F places, F type, F comm
#define FORTRAN_gatherv void *from, F sent, F sent_type, void *into, F counts, F places, F type, F root, F comm
#define FORTRAN_scatterv void *from, F counts, F places, F sent_type, void *into, F count, F type, F root, F comm
#define FORTRAN_alltoallv void *from, F sent, F sent_places, F sent_type, void *into, F counts, F places, F type, F comm
#define FORTRAN_barrier F comm
typedef MPI_Fint *F;

/* What stands in a parameter: a value V, a type T, a communicator K. */
#define V_C(value) (value)
#define T_C(type) (type)
#define K_C(comm) (comm)
#define V_F(value) (*(value))
#define T_F(type) MPI_Type_f2c(*(type))
#define K_F(comm) MPI_Comm_f2c(*(comm))

#endif
