/* Messages of a communicator, which the library of qtdec sends and receives. */
#ifndef QTDEC_CHANNEL_H
#define QTDEC_CHANNEL_H

#include <mpi.h>
#include <stdint.h>

/* Messages, and the operation of reductions. Functions return 0 or MPI's error; requests are numbers. */
struct qtdec_channel {
  void *context;
  int (*reserve)(void *context, int requests);
  /* Begins to send or to receive. */
  int (*post)(void *context, int sends, void *data, uint64_t bytes, int peer, int tag, int request);
  /* Waits for some of the first `requests` requests. `count` is the number of those that are complete, or negative for none. */
  int (*wait_some)(void *context, int requests, int *count, int *complete);
  /* Sends or receives without a request. */
  int (*pass)(void *context, int sends, void *data, uint64_t bytes, int peer, int tag);
  /* right = left op right */
  int (*combine)(void *context, const void *left, void *right, uint64_t bytes);
};

/* The context: where messages go, and the elements of a reduction, of `size` bytes. What is reserved begins empty. */
struct qtdec_messages {
  MPI_Comm comm;
  MPI_Datatype type;
  MPI_Op op;
  uint64_t size;
  MPI_Request *requests;
  MPI_Status *statuses;
  int room;
};

/* Returns the channel of messages, of which this combines. */
struct qtdec_channel qtdec_channel_of(struct qtdec_messages *messages);
int qtdec_combine(void *messages, const void *left, void *right, uint64_t bytes);

#endif
