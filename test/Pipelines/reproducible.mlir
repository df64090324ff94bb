// RUN: meanvar-opt %s --meanvar-to-llvm > %t.first.mlir
// RUN: meanvar-opt %s --meanvar-to-llvm > %t.second.mlir
// RUN: meanvar-opt %s --meanvar-to-llvm --mlir-disable-threading > %t.third.mlir
// RUN: diff %t.first.mlir %t.second.mlir
// RUN: diff %t.first.mlir %t.third.mlir

// F5: the same module gives the same code, whatever order functions are compiled in.

func.func @mvn(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = meanvar.mvn %x axes = [1] : tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

func.func @mean(%a: tensor<?x?xf16>, %b: tensor<?xf16>) -> tensor<?x?xf16> {
  %0 = meanvar.mean %a, %b : (tensor<?x?xf16>, tensor<?xf16>) -> tensor<?x?xf16>
  return %0 : tensor<?x?xf16>
}

func.func @statistics(%x: tensor<8x64x50xbf16>) -> (tensor<8x64x50xbf16>, tensor<1x64x1xf32>, tensor<1x64x1xf32>) {
  %0:3 = meanvar.mvn %x axes = [0, 2] statistics : tensor<8x64x50xbf16>
  return %0#0, %0#1, %0#2 : tensor<8x64x50xbf16>, tensor<1x64x1xf32>, tensor<1x64x1xf32>
}
