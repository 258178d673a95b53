# To check whether the library follows a tuning file, pass its switches to the script: `@submission@ tuned/switches.sh`.
# It then measures only the library's own choice, with these settings, into @deployed_results@. Afterwards, run:
#
#@verify_commands@
