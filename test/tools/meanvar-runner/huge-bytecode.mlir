// Bytecode that says to hold 2^30 dialects, for which its reader wants 8 GB, does not
// get them.

// UNSUPPORTED: sanitizers

// RUN: meanvar-opt %s --emit-bytecode -o %t.mlirbc
// The first section follows the name of the producer: kind, size, count of dialects.
// RUN: %python -c "data = open(r'%t.mlirbc', 'rb').read(); at = data.index(b'\0', 5) + 1; open(r'%t.huge.mlirbc', 'wb').write(data[:at + 1] + bytes([data[at + 1] + 16, 0]) + (2**30).to_bytes(8, 'little') + data[at + 3:])"
// RUN: not meanvar-runner %t.huge.mlirbc --input=2xf32=1 2>&1 | FileCheck %s
// CHECK: {{^}}error: the compiler crashed on '{{.*}}.huge.mlirbc'{{$}}

func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}
