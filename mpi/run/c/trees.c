/* Trees that decide about collectives. There are none unless qtdec-mpi build was given some. */
#include "interposer.h"

const struct qtdec_tree qtdec_trees[] = {{0}};
