!     Calls in the Fortran of mpif.h, which a profile has to count.
      program calls
      implicit none
      include 'mpif.h'
      integer rank, ranks, half, request, error, root, at, again
      integer sent(64), taken(64), counts(16), places(16)
      integer status(MPI_STATUS_SIZE)
      call MPI_INIT(error)
      call MPI_COMM_RANK(MPI_COMM_WORLD, rank, error)
      call MPI_COMM_SIZE(MPI_COMM_WORLD, ranks, error)
      call MPI_COMM_SPLIT(MPI_COMM_WORLD, mod(rank, 2), rank, half,
     &  error)
      do at = 1, ranks
        counts(at) = at
        places(at) = at * (at - 1) / 2
      end do
      sent = rank
      do again = 1, 3
        root = again - 1
        call MPI_BARRIER(MPI_COMM_WORLD, error)
        call MPI_BCAST(sent, 7, MPI_DOUBLE_PRECISION, root,
     &    MPI_COMM_WORLD, error)
        call MPI_ALLREDUCE(sent, taken, 5, MPI_INTEGER, MPI_SUM, half,
     &    error)
        call MPI_ALLREDUCE(MPI_IN_PLACE, taken, 5, MPI_INTEGER,
     &    MPI_SUM, half, error)
        call MPI_GATHERV(sent, counts(rank + 1), MPI_INTEGER, taken,
     &    counts, places, MPI_INTEGER, root, MPI_COMM_WORLD, error)
        call MPI_IBCAST(sent, 7, MPI_INTEGER, root, MPI_COMM_WORLD,
     &    request, error)
        call MPI_WAIT(request, status, error)
      end do
      call MPI_COMM_FREE(half, error)
      call MPI_FINALIZE(error)
      end
