/* The functions of the library of qtdec that count calls of collectives. */
#ifndef QTDEC_PROFILE_H
#define QTDEC_PROFILE_H

#include <stdint.h>

/* Begins to count, as the environment says. `world` names the processes of this world if they were spawned, and is otherwise NULL. `signal` becomes 1 or 2 if a part is to be written at SIGUSR1 or SIGUSR2, otherwise 0, and
   `skew` whether to measure by how much ranks arrive apart. NULL if this fails. The first rank says what is wrong. */
void *qtdec_profile_open(int rank, const char *world, int *signal, int *skew);
/* Counts a call. `name` stays valid; `root` is -1 if there is none, `skew` is negative if it was not measured; times are in nanoseconds. */
void qtdec_profile_add(void *profile, const char *name, int kind, int ranks, uint64_t bytes, int root, uint64_t time, int64_t skew);
/* Returns the length of the calls as text, which stays valid until the next call of a function. */
uint64_t qtdec_profile_text(void *profile, const char **text);
/* Adds a piece of the text of another rank, of which it may be the last. */
void qtdec_profile_take(void *profile, const char *piece, uint64_t length, int last);
/* Writes the file. */
void qtdec_profile_write(void *profile);
/* Writes the calls of this rank to a file of its own. */
void qtdec_profile_write_part(void *profile, int rank);
void qtdec_profile_close(void *profile);

#endif
