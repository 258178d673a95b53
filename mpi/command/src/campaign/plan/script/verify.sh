# To check whether the library follows a tuning file, pass its switches to the script: `@submission@ tuned/switches.sh`.
# It then measures only the library's own choice, with these settings, into @deployed_results@. Whether it is followed shows only within
# one job (QTDEC_LAUNCHES=all, both started in it), or by the pairs of another script: qtdec-mpi plan --verify. Afterwards, run:
#
#@verify_commands@
