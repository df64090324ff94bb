// RUN: meanvar-opt %s --meanvar-refuse-unlowered-ops --split-input-file --verify-diagnostics

// What has no lowering is named in front of the translation to LLVM IR, which would
// name the cast that the conversions have left next to it.

llvm.func @cast_before(%x: i64) -> f32 {
  %0 = builtin.unrealized_conversion_cast %x : i64 to index
  // expected-error @+1 {{'index.castu' op cannot be lowered to the LLVM dialect}}
  %1 = index.castu %0 : index to i32
  %2 = llvm.uitofp %1 : i32 to f32
  llvm.return %2 : f32
}

// -----

// Without an operation to blame it is the cast that is named.

llvm.func @cast_alone(%x: i64) -> f64 {
  // expected-error @+1 {{'builtin.unrealized_conversion_cast' op cannot be lowered to the LLVM dialect}}
  %0 = builtin.unrealized_conversion_cast %x : i64 to f64
  llvm.return %0 : f64
}

// -----

llvm.func @lowered(%x: f32) -> f32 {
  %0 = llvm.intr.sqrt(%x) : (f32) -> f32
  llvm.return %0 : f32
}
