export UCC_TL_UCP_TUNE='bcast:0-4k:cpu:inf:@0#bcast:4k-inf:@ring#allreduce:0-4k:inf:@0#allreduce:2k-inf:@1'
