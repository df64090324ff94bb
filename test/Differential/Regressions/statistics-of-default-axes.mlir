// The parser crashed where statistics came without axes (V2, V3).
// target-cpu: host
// opt-level: 3
// input: 2x2x1x2xf64=[[[[1,2]],[[3,5]]],[[[8,13]],[[21,34]]]]

func.func @main(%x: tensor<2x2x1x2xf64>) -> (tensor<2x2x1x2xf64>, tensor<1x2x1x1xf64>, tensor<1x2x1x1xf64>) {
  %0, %1, %2 = meanvar.mvn %x statistics : tensor<2x2x1x2xf64>
  return %0, %1, %2 : tensor<2x2x1x2xf64>, tensor<1x2x1x1xf64>, tensor<1x2x1x1xf64>
}
