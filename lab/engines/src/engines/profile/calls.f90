! Calls in the Fortran of the module mpi_f08, which a profile has to count.
program calls
  use mpi_f08
  implicit none
  type(MPI_Comm) :: half
  type(MPI_Request) :: request
  integer :: rank, ranks, root, at
  integer, asynchronous :: sent(64), taken(64), counts(16), places(16)
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), rank, half)
  counts = [(at, at = 1, 16)]
  places = [(at * (at - 1) / 2, at = 1, 16)]
  sent = rank
  do root = 0, 2
    call MPI_Barrier(MPI_COMM_WORLD)
    call MPI_Bcast(sent, 7, MPI_DOUBLE_PRECISION, root, MPI_COMM_WORLD)
    call MPI_Allreduce(sent, taken, 5, MPI_INTEGER, MPI_SUM, half)
    call MPI_Allreduce(MPI_IN_PLACE, taken, 5, MPI_INTEGER, MPI_SUM, half)
    call MPI_Gatherv(sent, counts(rank + 1), MPI_INTEGER, taken, counts, places, MPI_INTEGER, root, MPI_COMM_WORLD)
    call MPI_Ibcast(sent, 7, MPI_INTEGER, root, MPI_COMM_WORLD, request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
  end do
  call MPI_Comm_free(half)
  call MPI_Finalize()
end program
