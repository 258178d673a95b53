# Takes the settings for the @column@ of a job from a folder beside this file. Where there is none, the library stays as it is.
# If the job does not tell its @column@, or launches with another one, set @variable@ before reading this file.
qtdec_value=${@variable@:-@seen@}
case $qtdec_value in
*,*) ;; # Slurm writes 4(x2),3 for nodes that differ,
*) qtdec_value=${qtdec_value%%"("*} ;; # and 4(x8) for eight nodes that do not.
esac
case $qtdec_value in
#@cases@
*) echo "no settings for @column@ '$qtdec_value': the library stays as it is" >&2 ;;
esac
unset qtdec_value
