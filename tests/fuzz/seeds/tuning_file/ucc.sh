# bcast by team size, allreduce by message size alone
export UCC_TL_UCP_TUNE='bcast:0-4k:host:[2-15]:inf:@knomial#bcast:4k-inf:host:[2-15]:inf:@sag_knomial#bcast:host:[16-inf]:inf:@dbt#allreduce:0-4k:inf:@0#allreduce:4k-inf:inf:@1'
mpirun --mca coll_ucc_enable 1 --mca coll_ucc_priority 100 ./a.out
