# Prints a model, in the text that make_model.py reads, of DEPTH functions that
# each call the next one CALLS times.
# usage: nest_functions.py DEPTH CALLS

import sys

depth, calls = int(sys.argv[1]), int(sys.argv[2])
print(
    """#--- nested
ir_version: 8 opset_import { version: 13 }
graph {
  name: "g" input: "x: FLOAT[2]" output: "y: FLOAT[2]"
  node { op_type: "F0" domain: "local" input: "x" output: "y" }
}"""
)
for level in range(depth):
    print(f'functions {{ name: "F{level}" domain: "local" input: "x0" output: "x{calls}"')
    print("  opset_import { version: 13 }")
    for call in range(calls):
        name = f'"F{level + 1}" domain: "local"' if level + 1 < depth else '"Mean"'
        print(f'  node {{ op_type: {name} input: "x{call}" output: "x{call + 1}" }}')
    print("}")
