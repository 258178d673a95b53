# These settings keep other parts of the library from serving the calls. A deployment has them too, so the default is measured with
# them: it is what serves the calls that a tuning file leaves to the library. The untouched library shows what they cost.
switches=(@switches@)
