// A buffer whose size turns out to be a static 0 was viewed with an offset out of its
// bounds (V8).
// target-cpu: host
// opt-level: 3
// input: 2x0x3xf64=[]
// input: 0x1x3xf64=[]

func.func @main(%x: tensor<?x0x?xf64>, %y: tensor<?x1x?xf64>) -> (tensor<?x?xf64>, tensor<?x?xf64>) {
  %0 = tensor.collapse_shape %x [[0, 1], [2]] : tensor<?x0x?xf64> into tensor<?x?xf64>
  %1 = arith.minimumf %0, %0 : tensor<?x?xf64>
  %2 = tensor.collapse_shape %y [[0, 1], [2]] : tensor<?x1x?xf64> into tensor<?x?xf64>
  %3 = meanvar.mean %2, %0 : (tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
  return %1, %3 : tensor<?x?xf64>, tensor<?x?xf64>
}
