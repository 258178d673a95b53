C Calls in the Fortran of mpif.h, with results that are checked.
      program calls
      implicit none
      include 'mpif.h'
      integer rank, ranks, root, error, at
      integer one(5), all(5, 16), place_type
      integer(kind=MPI_ADDRESS_KIND) address(1)
      double precision numbers(5)
      call MPI_Init(error)
      call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
      call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
C The whole array, by its address.
      call MPI_Get_address(one, address(1), error)
      call MPI_Type_create_hindexed_block(1, 5, address, MPI_INTEGER,
     &  place_type, error)
      call MPI_Type_commit(place_type, error)
      do root = 0, ranks - 1
        one = -1
        if (rank .eq. root) one = root
        call MPI_Bcast(MPI_BOTTOM, 1, place_type, root,
     &    MPI_COMM_WORLD, error)
        if (error .ne. 0 .or. any(one .ne. root)) stop 1
        numbers = rank + 1
        call MPI_Allreduce(MPI_IN_PLACE, numbers, 5,
     &    MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, error)
        if (any(numbers .ne. ranks * (ranks + 1) / 2)) stop 2
        one = 1
        if (rank .eq. root) then
          call MPI_Reduce(MPI_IN_PLACE, one, 5, MPI_INTEGER, MPI_SUM,
     &      root, MPI_COMM_WORLD, error)
          if (any(one .ne. ranks)) stop 3
        else
          call MPI_Reduce(one, all, 5, MPI_INTEGER, MPI_SUM, root,
     &      MPI_COMM_WORLD, error)
        end if
        all(:, rank + 1) = rank
        call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 5,
     &    MPI_INTEGER, MPI_COMM_WORLD, error)
        do at = 1, ranks
          if (any(all(:, at) .ne. at - 1)) stop 4
        end do
        call MPI_Barrier(MPI_COMM_WORLD, error)
      end do
      call MPI_Type_free(place_type, error)
      if (rank .eq. 0) print '(a)', 'all is well'
      call MPI_Finalize(error)
      end program
