// Products of bf16 were rounded by an instruction that loses subnormals (M6).
// target-cpu: host
// opt-level: 0
// input: 4xbf16=[-4e-40,1e-39,1,3e-39]
// input: 4xbf16=[2,0.5,1e-39,-1]

func.func @main(%x: tensor<?xbf16>, %y: tensor<?xbf16>) -> tensor<?xbf16> {
  %0 = arith.mulf %x, %y : tensor<?xbf16>
  return %0 : tensor<?xbf16>
}
