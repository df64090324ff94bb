// A group of a static 0 and a dynamic size did not bufferize (V8).
// target-cpu: host
// opt-level: 3
// input: 0x40xf64=[]

func.func @main(%x: tensor<0x?xf64>) -> tensor<?xf16> {
  %0 = tensor.collapse_shape %x [[0, 1]] : tensor<0x?xf64> into tensor<?xf64>
  %1 = arith.truncf %0 : tensor<?xf64> to tensor<?xf16>
  return %1 : tensor<?xf16>
}
