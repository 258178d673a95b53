/* The nodes on which ranks run. */
#ifndef QTDEC_NODES_H
#define QTDEC_NODES_H

#include <mpi.h>

/* Returns the number of ranks on each node if they follow each other, of which the last node may have fewer; the number of nodes,
   negative, if these have the ranks in turn; or 0 if neither is the case. All ranks of the communicator call this, whose errors return. */
int qtdec_placement(MPI_Comm comm);

#endif
