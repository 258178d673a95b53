/* The nodes on which ranks run. */
#ifndef QTDEC_NODES_H
#define QTDEC_NODES_H

#include <mpi.h>

/* Returns the number of ranks on each node, or 0 if it differs, or if a node has ranks that do not follow each other. All ranks of the
   communicator call this, whose errors return. */
int qtdec_ranks_per_node(MPI_Comm comm);

#endif
