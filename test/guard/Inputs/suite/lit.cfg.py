# Three tests for the guard itself.
import lit.formats

config.name = "stencilc"
config.test_format = lit.formats.ShTest()
config.suffixes = [".test"]
config.substitutions.append(("%stencilc", lit_config.params["stencilc"]))
