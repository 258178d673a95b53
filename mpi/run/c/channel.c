/* The functions of channel.h. */
#include "channel.h"

#include <limits.h>
#include <stdlib.h>

static int reserve(void *pointer, int count) {
  struct qtdec_messages *messages = pointer;
  int room = messages->room > INT_MAX / 2 || 2 * messages->room < count ? count : 2 * messages->room;
  if (count <= messages->room) return MPI_SUCCESS;
  MPI_Request *requests = realloc(messages->requests, (size_t)room * sizeof *requests);
  if (!requests) return MPI_ERR_NO_MEM;
  messages->requests = requests;
  /* Nobody reads them, but compilers warn of MPICH's MPI_STATUSES_IGNORE. */
  MPI_Status *statuses = realloc(messages->statuses, (size_t)room * sizeof *statuses);
  if (!statuses) return MPI_ERR_NO_MEM;
  messages->statuses = statuses;
  while (messages->room < room) requests[messages->room++] = MPI_REQUEST_NULL;
  return MPI_SUCCESS;
}

static int post(void *pointer, int sends, void *data, uint64_t bytes, int peer, int tag, int place) {
  struct qtdec_messages *messages = pointer;
  MPI_Request *request = &messages->requests[place];
  if (bytes > INT_MAX) return MPI_ERR_COUNT;
  return sends ? PMPI_Isend(data, (int)bytes, MPI_BYTE, peer, tag, messages->comm, request)
               : PMPI_Irecv(data, (int)bytes, MPI_BYTE, peer, tag, messages->comm, request);
}

static int wait_some(void *pointer, int requests, int *count, int *complete) {
  struct qtdec_messages *messages = pointer;
  int error = PMPI_Waitsome(requests, messages->requests, count, complete, messages->statuses), class = MPI_SUCCESS;
  if (error) PMPI_Error_class(error, &class);
  /* A library raises the error of a message, and not that there is one. */
  for (int at = 0; class == MPI_ERR_IN_STATUS && at < *count; at++)
    if (messages->statuses[at].MPI_ERROR) return messages->statuses[at].MPI_ERROR;
  if (*count == MPI_UNDEFINED) *count = -1;
  return error;
}

static int pass(void *pointer, int sends, void *data, uint64_t bytes, int peer, int tag) {
  struct qtdec_messages *messages = pointer;
  MPI_Status status;
  if (bytes > INT_MAX) return MPI_ERR_COUNT;
  return sends ? PMPI_Send(data, (int)bytes, MPI_BYTE, peer, tag, messages->comm)
               : PMPI_Recv(data, (int)bytes, MPI_BYTE, peer, tag, messages->comm, &status);
}

int qtdec_combine(void *pointer, const void *left, void *right, uint64_t bytes) {
  struct qtdec_messages *messages = pointer;
  if (bytes / messages->size > INT_MAX) return MPI_ERR_COUNT;
  return PMPI_Reduce_local(left, right, (int)(bytes / messages->size), messages->type, messages->op);
}

struct qtdec_channel qtdec_channel_of(struct qtdec_messages *messages) {
  return (struct qtdec_channel){messages, reserve, post, wait_some, pass, qtdec_combine};
}
