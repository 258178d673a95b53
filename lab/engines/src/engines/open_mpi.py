"""Asks Open MPI's own reader of rules files and its own look-ups, without MPI_Init and without mpirun.

The component coll/tuned exports them. Commands come on standard input, one answer to a line goes out:

    file PATH               1 where the file is accepted, 0 where it is dropped
    ask COLLECTIVE P BYTES  algorithm, fan-out and segment size by the file that was read last
"""

import ctypes
import sys

COLLECTIVES = 22

ctypes.CDLL("libmpi.so.40", mode=ctypes.RTLD_GLOBAL)
tuned = ctypes.CDLL(sys.argv[1])
read = tuned.ompi_coll_tuned_read_rules_config_file
read.argtypes = [ctypes.c_char_p, ctypes.POINTER(ctypes.c_void_p), ctypes.c_int]
communicator = tuned.ompi_coll_tuned_get_com_rule_ptr
communicator.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_int]
communicator.restype = ctypes.c_void_p
target = tuned.ompi_coll_tuned_get_target_method_params
target.argtypes = [ctypes.c_void_p, ctypes.c_size_t] + [ctypes.POINTER(ctypes.c_int)] * 3

rules = ctypes.c_void_p()
answers = []
for line in sys.stdin:
    command, *words = line.rstrip("\n").split(" ")
    if command == "file":
        rules = ctypes.c_void_p()
        answers.append(str(int(read(words[0].encode(), ctypes.byref(rules), COLLECTIVES) >= 0)))
    else:
        collective, ranks, size = map(int, words)
        out = [ctypes.c_int(0) for _ in range(3)]
        rule = communicator(rules, collective, ranks)
        algorithm = target(rule, size, *map(ctypes.byref, out))
        answers.append(f"{algorithm} {out[0].value} {out[1].value}")
print("\n".join(answers))
