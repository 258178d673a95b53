export UCC_TL_UCP_TUNE='allreduce:0-inf:host:inf:@ring'
