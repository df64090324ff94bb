//===- Passes.td - Code generation passes ------------------*- tablegen -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_CODEGEN_PASSES_TD
#define MEANVAR_CODEGEN_PASSES_TD

include "mlir/Pass/PassBase.td"

// The limits of schedules (meanvar/Codegen/Schedule.h), for experiments.
defvar vectorBits =
    Option<"vectorBits", "vector-bits", "unsigned",
           "ScheduleLimits().vectorBits",
           "Width of a vector register of the target in bits: a power of two of "
           "at least 128.">;
defvar tileBytes =
    Option<"tileBytes", "tile-bytes", "int64_t", "ScheduleLimits().tileBytes",
           "Bytes of a tile of several lanes at most.">;
defvar tileLanes =
    Option<"tileLanes", "tile-lanes", "int64_t", "ScheduleLimits().tileLanes",
           "Lanes of a tile at most, where their elements follow each other.">;
defvar panelLanes =
    Option<"panelLanes", "panel-lanes", "int64_t",
           "ScheduleLimits().panelLanes",
           "Lanes of a tile where they are neighbours in memory.">;
defvar transposedElements =
    Option<"transposedElements", "transposed-elements", "int64_t",
           "ScheduleLimits().transposedElements",
           "Elements of the longest lane that is transposed in registers; 1 for "
           "none.">;

def LowerEntryPointsPass
    : Pass<"meanvar-lower-entry-points", "::mlir::ModuleOp"> {
  let summary = "Give public functions caller-allocated outputs and a status";
  let description = [{
    Splits each public function `@f` with a tensor result into three, as
    `docs/CallingConvention.md` describes:

    * `@f_shape` computes the sizes of the results from those of the inputs and
      performs every check (`cf.assert`); it is what remains of `@f` when only
      `tensor.dim` of its results and its checks are asked for;
    * `@f_body` holds the computation, without checks, from input buffers to
      output buffers;
    * `@f` calls the first, checks the outputs, and calls the second.

    Functions whose result sizes depend on data are refused by name, and so are
    functions named like one of a library that compiled code may call, such as
    `malloc`. Expects that calls have been inlined.

    ```mlir
    func.func @f(%x: tensor<?xf32>) -> tensor<?xf32> {
      %0 = meanvar.mvn %x axes = [0] : tensor<?xf32>
      return %0 : tensor<?xf32>
    }
    ```
    becomes
    ```mlir
    func.func @f(%x: memref<?xf32>, %result: memref<?xf32>, %detail: memref<2xi64>) -> i32
    func.func @f_shape(%x: memref<?xf32>, %sizes: memref<?xi64>, %detail: memref<2xi64>) -> i32
    func.func private @f_body(%x: memref<?xf32>, %result: memref<?xf32>) {
      %0 = bufferization.to_tensor %x restrict : memref<?xf32> to tensor<?xf32>
      %1 = meanvar.mvn %0 axes = [0] : tensor<?xf32>
      bufferization.materialize_in_destination %1 in restrict writable %result
          : (tensor<?xf32>, memref<?xf32>) -> ()
      return
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::bufferization::BufferizationDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def TileLanesPass : Pass<"meanvar-tile-lanes"> {
  let summary = "Tile meanvar.mvn to lanes or panels of lanes";
  let description = [{
    Tiles the kept dimensions of each `meanvar.mvn` with `scf.forall`, so that all
    passes over a tile find it in a cache: up to 32 lanes that share the first-level
    cache where the innermost dimension is reduced, a panel of lanes that are
    neighbours in memory where it is kept.

    ```mlir
    %0 = meanvar.mvn %x axes = [1] : tensor<64x1024xf32>
    ```
    becomes
    ```mlir
    %0 = scf.forall (%i) = (0) to (64) step (4) shared_outs(%out = %empty)
        -> (tensor<64x1024xf32>) {
      %lanes = tensor.extract_slice %x[%i, 0] [4, 1024] [1, 1] : ...
      %1 = meanvar.mvn %lanes axes = [1] : tensor<4x1024xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %1 into %out[%i, 0] [4, 1024] [1, 1] : ...
      }
    }
    ```

    An elementwise `linalg.generic` that alone uses the result comes along into the
    loop.
  }];
  let options = [vectorBits, tileBytes, tileLanes, panelLanes];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def SpecializeShortDimsPass
    : Pass<"meanvar-specialize-short-dims", "::mlir::ModuleOp"> {
  let summary = "Add versions of functions for short innermost dimensions";
  let description = [{
    The kernels for lanes of a few elements and for a few channels innermost are made
    for a size. Where a private function on buffers normalizes an argument whose
    innermost size is not known, and nothing else, this pass adds copies of the function for a few usual
    sizes; calls choose by the size at run time.

    ```mlir
    func.call @f(%x, %y) : (memref<?x?xf32>, memref<?x?xf32>) -> ()
    ```
    becomes
    ```mlir
    %size = memref.dim %x, %c1 : memref<?x?xf32>
    %is_two = arith.cmpi eq, %size, %c2 : index
    scf.if %is_two {
      func.call @f_2(%x, %y) : (memref<?x?xf32>, memref<?x?xf32>) -> ()
    } else {
      ...
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def TransposeShortLanesPass : Pass<"meanvar-transpose-short-lanes"> {
  let summary = "Put lanes of a few elements side by side";
  let description = [{
    A vector that holds one lane of two to 19 elements is mostly empty, and its sums
    run across it. This pass
    transposes as many such lanes as a vector has elements, normalizes over the first
    dimension, and transposes the result back; what is left at the end is normalized
    as it is. The transpositions stay in registers.

    ```mlir
    %0 = meanvar.mvn %x axes = [1] : tensor<1024x4xf32>
    ```
    becomes
    ```mlir
    %0 = scf.forall (%i) = (0) to (1024) step (16) shared_outs(%out = %empty)
        -> (tensor<1024x4xf32>) {
      %rows = tensor.extract_slice %x[%i, 0] [16, 4] [1, 1] : ...
      %columns = linalg.transpose ins(%rows : tensor<16x4xf32>) ...
      %1 = meanvar.mvn %columns axes = [0] : tensor<4x16xf32>
      %2 = linalg.transpose ins(%1 : tensor<4x16xf32>) ...
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %2 into %out[%i, 0] [16, 4] [1, 1] : ...
      }
    }
    ```
  }];
  let options = [vectorBits, transposedElements];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def ChooseStreamingStoresPass
    : Pass<"meanvar-choose-streaming-stores", "::mlir::func::FuncOp"> {
  let summary = "Choose results that bypass the caches";
  let description = [{
    A result that is larger than the caches leaves them before it is read again, and
    what is written to them has to be read from memory first. This pass marks the
    elementwise linalg operations on buffers that write an argument of the function
    which nothing in it reads, and which has at least `streaming-bytes` bytes or may
    turn out to have: four times as many where all they read is stretched, which leaves
    room in the caches. `meanvar-vectorize-linalg`
    stores their rows past the caches, from the first whole cache line on. Sums in
    blocks (`meanvar.partial_sums`) over an argument as large are marked, too: long rows of
    it are read ahead.
  }];
  let options = [
    Option<"streamingBytes", "streaming-bytes", "int64_t", /*default=*/"0",
           "The size of a result from which on it bypasses the caches; 0 for "
           "none.">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

def PrintSchedulesPass : Pass<"meanvar-print-schedules"> {
  let summary = "Say how each meanvar.mvn is going to be computed";
  let description = [{
    Emits a remark with the schedule of each `meanvar.mvn` for the given limits, the
    ones that `meanvar-transpose-short-lanes` and `meanvar-tile-lanes` follow; after
    `meanvar-collapse-dims`, whose shapes they see. `meanvar-to-llvm` runs it with
    its option `print-schedules`.

    ```
    remark: schedule: vectors along lanes, 4 of 16 elements in flight; tiles of [8, all]
    ```
  }];
  let options = [vectorBits, tileBytes, tileLanes, panelLanes,
                 transposedElements];
}

def FuseElementwisePass : Pass<"meanvar-fuse-elementwise"> {
  let summary = "Fuse elementwise operations with the only one that uses them";
  let description = [{
    Computes an elementwise `linalg.generic` within the elementwise operation that
    alone uses it, element by element, by upstream's `linalg::fuseElementwiseOps`:
    scale and bias become part of the last pass of a normalization. Unlike
    `linalg-fuse-elementwise-ops` it never computes a value more than once, leaves
    reductions alone, and keeps the attributes that tell later passes about the
    kernels. A `linalg.transpose` that is marked with `meanvar.fuse_into_producer`, as
    `meanvar-transpose-short-lanes` does for rows as long as a vector, becomes part of the
    elementwise operation whose result it transposes.

    With `broadcasts` it applies upstream's patterns instead, for what users wrote: then
    a value that is broadcast is computed for each element that needs it, shapes are
    expanded on the way, and reductions take part. Sums with the attribute
    `meanvar.partial_sums` are left alone, as the patterns would lose it.
  }];
  let options = [
    Option<"broadcasts", "broadcasts", "bool", /*default=*/"false",
           "Fuse by upstream's patterns, which may compute values again.">
  ];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def DecomposeAggregatedOpsPass : Pass<"meanvar-decompose-aggregated-ops"> {
  let summary = "Decompose linalg operations that stand for several";
  let description = [{
    Applies the decomposition that upstream's AggregatedOpInterface promises, which
    no upstream pass does: `linalg.softmax` becomes reductions and elementwise
    operations.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::tensor::TensorDialect"];
}

def RefuseRecursionPass : Pass<"meanvar-refuse-recursion", "::mlir::ModuleOp"> {
  let summary = "Name functions that call themselves";
  let description = [{
    Reports the first recursion in a public function with tensor results or in what it
    calls: a stack that overflows ends the process, and there is no status for it. It
    comes before inlining, which unrolls a recursion several times.
  }];
}

def RefuseOversizedTensorsPass : Pass<"meanvar-refuse-oversized-tensors"> {
  let summary = "Name tensor types whose bytes cannot be counted";
  let description = [{
    Reports the first tensor type of 2^63 bytes or more, whatever its sizes `?` are:
    upstream's arithmetic on sizes overflows there.
  }];
}

def RefuseUnsupportedTensorOpsPass
    : Pass<"meanvar-refuse-unsupported-tensor-ops"> {
  let summary = "Name operations on tensors that have no lowering to buffers";
  let description = [{
    Reports the first operation on tensors that bufferization would not accept, by
    name: `'tensor.scatter' op is not supported on tensors`; or that is a constant
    of more than 2^30 bytes, which LLVM would lay out element by element.
  }];
}

def RefuseUnloweredOpsPass : Pass<"meanvar-refuse-unlowered-ops"> {
  let summary = "Name operations that are left beside the LLVM dialect";
  let description = [{
    Reports the first operation that is not of the LLVM dialect, by name, instead
    of the conversion cast next to it that the translation to LLVM IR would name.
  }];
  let options = [
    Option<"allowOpenMP", "allow-openmp", "bool", /*default=*/"false",
           "Take operations of OpenMP, too.">
  ];
}

def SplitLargeLinalgPass : Pass<"meanvar-split-large-linalg"> {
  let summary = "Make parallel loops of large linalg operations on buffers";
  let description = [{
    Splits operations that may work on `min-bytes` bytes or more and are in no
    parallel loop:

    * sums whose order is free (`meanvar.partial_sums`) and whose first loop is
      reduced, into sums over up to 64 blocks, which are then added. This does not
      depend on the number of threads, so neither does the order of additions (V9);
    * elementwise operations, with more than one thread, into pieces of 64 KB.

    ```mlir
    linalg.generic {iterator_types = ["reduction"]} ins(%x : memref<16777216xf32>)
        outs(%sum : memref<f64>) attrs = {meanvar.partial_sums = 16 : i64} {...}
    ```
    becomes
    ```mlir
    scf.forall (%i) = (0) to (16777216) step (262144) {
      %block = memref.subview %x[%i] [262144] [1] : ...
      %partial = memref.subview %partials[%number] [1] [1] : ...
      linalg.generic {iterator_types = ["reduction"]} ins(%block : ...)
          outs(%partial : ...) attrs = {meanvar.partial_sums = 16 : i64} {...}
    }
    linalg.generic {iterator_types = ["reduction"]} ins(%partials : memref<64xf64>)
        outs(%sum : memref<f64>) attrs = {meanvar.partial_sums = 16 : i64} {...}
    ```
  }];
  let options = [
    Option<"threads", "threads", "unsigned", /*default=*/"1",
           "Number of threads, 1 to 1024.">,
    Option<"minBytes", "min-bytes", "int64_t",
           /*default=*/"::mlir::meanvar::defaultParallelBytes",
           "Bytes of the largest buffer from which on an operation is split.">
  ];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

def DistributeForallPass
    : Pass<"meanvar-distribute-forall", "::mlir::ModuleOp"> {
  let summary = "Distribute scf.forall on buffers over threads";
  let description = [{
    Moves the body of each outermost `scf.forall` without results into a function
    that runs a range of its iterations, and calls that once for each thread, or for
    all iterations where the largest buffer is smaller than `min-bytes`. Which
    thread runs an iteration depends on the number of iterations and of threads
    only, and no iteration is divided. With one thread nothing is done. Buffers that the
    function around the loop does not only write get `meanvar.is_read`, which says that what a
    part of it writes to them had better stay in the caches.

    ```mlir
    scf.forall (%i) = (0) to (4096) step (8) {...}
    ```
    becomes
    ```mlir
    scf.parallel (%thread) = (%c0) to (%c2) step (%c1) {
      func.call @f_body_range(%begin, %end, %x, %result)
          : (index, index, memref<4096x768xf32>, memref<4096x768xf32>) -> ()
      scf.reduce
    } {meanvar.num_threads = 2 : i32}
    ```
  }];
  let options = [
    Option<"threads", "threads", "unsigned", /*default=*/"1",
           "Number of threads, 1 to 1024.">,
    Option<"minBytes", "min-bytes", "int64_t",
           /*default=*/"::mlir::meanvar::defaultParallelBytes",
           "Bytes of the largest buffer from which on threads are used.">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

def ConvertParallelToOpenMPPass
    : Pass<"meanvar-convert-parallel-to-openmp", "::mlir::ModuleOp"> {
  let summary = "Make parallel regions of loops over threads";
  let description = [{
    Turns each `scf.parallel` with `meanvar.num_threads` into a parallel region of
    OpenMP, in which each thread runs one iteration. A loop that calls a function
    which takes memory from the heap stays, to be run by one thread: a call that
    cannot have memory is left early, which only the caller's thread can do.

    Upstream's `convert-scf-to-openmp` takes every `scf.parallel`, those of the user
    with sums in an order that varies among them, and makes a second barrier.

    ```mlir
    scf.parallel (%thread) = (%c0) to (%c2) step (%c1) {
      func.call @f_body_range(...)
      scf.reduce
    } {meanvar.num_threads = 2 : i32}
    ```
    becomes
    ```mlir
    omp.parallel num_threads(%two : i32) {
      omp.wsloop nowait {
        omp.loop_nest (%thread) : index = (%c0) to (%c2) step (%c1) {
          func.call @f_body_range(...)
          omp.yield
        }
      }
      omp.terminator
    }
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect",
                           "::mlir::omp::OpenMPDialect"];
}

def ResolveBufferViewsPass : Pass<"meanvar-resolve-buffer-views"> {
  let summary = "Rewrite copies and views that upstream does not lower";
  let description = [{
    Turns copies between buffers that are not contiguous, which would become calls
    of MLIR's run-time library, into `linalg.copy`; and `memref.expand_shape`, which
    `expand-strided-metadata` lowers for one dynamic size in each group only, into
    `memref.reinterpret_cast`.

    ```mlir
    %0 = memref.expand_shape %x [[0, 1]] output_shape [%a, %b]
        : memref<?xf32> into memref<?x?xf32>
    ```
    becomes
    ```mlir
    %base, %offset, %size, %stride = memref.extract_strided_metadata %x : ...
    %0 = memref.reinterpret_cast %base to offset: [0], sizes: [%a, %b],
        strides: [%b, 1] : memref<f32> to memref<?x?xf32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::memref::MemRefDialect"];
}

def VectorizeLinalgPass : Pass<"meanvar-vectorize-linalg"> {
  let summary = "Lower linalg operations on buffers to loops over vectors";
  let description = [{
    Turns elementwise and reducing linalg operations on memrefs into `scf.for`
    loops with explicit vectors, for static and run-time sizes alike: a main loop
    of several independent vectors, a loop of single vectors, and a masked tail.

    * Innermost dimension reduced: several vector accumulators, reduced
      horizontally once after the loops; those of short rows of a static size for
      as many rows at once as a vector has elements.
    * Innermost dimension kept: rows in blocks of 8; a vector of partial sums for
      each vector of lanes stays in registers for a block and is then added to the
      sums in memory (in f64: through all rows, with the rounding errors).
    * A sum marked `meanvar.partial_sums = n` is accumulated in the type of its
      terms, at most n in each accumulator; the accumulators of a lane are added
      pairwise, and then to the sum. Where that is of the same type, its rounding
      errors are kept (TwoSum). Rows of at most 8 terms for each accumulator are
      folded in the type of the terms, too: no term takes part in more additions.

    Sums that are not marked stay in order, and operations whose innermost
    dimension is not contiguous stay as they are; `convert-linalg-to-loops` takes
    them.

    Upstream's vectorizer is not used: it leaves operations with run-time sizes as
    they are without saying so, turns masked reductions into ordered chains of
    scalar additions, and has no accumulation in two types.

    ```mlir
    linalg.generic {iterator_types = ["reduction"]} ins(%x : memref<?xf32>)
        outs(%sum : memref<f64>) attrs = {meanvar.partial_sums = 16 : i64} {...}
    ```
    becomes
    ```mlir
    %sums = scf.for ... iter_args(%acc = %zero) -> (vector<16xf64>) {
      %partial:4 = scf.for ... -> (vector<16xf32>, vector<16xf32>, ...) {...}
      ...
    }
    ...
    %total = vector.reduction <add>, %sums : vector<16xf64> into f64
    ```
  }];
  let options = [vectorBits];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

def RetypeBFloat16Pass : Pass<"meanvar-retype-bf16"> {
  let summary = "Carry bf16 as 16-bit integers in the LLVM dialect";
  let description = [{
    After `meanvar-expand-arith` nothing computes with bf16 any more, but values of that
    type are still loaded, selected, stored and passed on. Where a target has no such
    registers, LLVM takes them to f32 and back, by calls that no run-time library of
    Debian 12 holds (`__truncsfbf2`). This pass gives them, constants and functions
    included, the type i16. Operations of the user for which a bf16 is a number keep it,
    between casts.

    ```mlir
    %0 = llvm.load %p : !llvm.ptr -> vector<4xbf16>
    %1 = llvm.select %isNaN, %nan, %0 : vector<4xi1>, vector<4xbf16>
    ```
    becomes
    ```mlir
    %0 = llvm.load %p : !llvm.ptr -> vector<4xi16>
    %1 = llvm.select %isNaN, %nan, %0 : vector<4xi1>, vector<4xi16>
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def ExpandArithPass : Pass<"meanvar-expand-arith"> {
  let summary = "Expand arithmetic of 16-bit floats and integer divisions";
  let description = [{
    Computes with bf16 in f32, and rounds to bf16 with integer arithmetic, on every
    target: the conversion instruction of x86, which LLVM rounds its own bf16
    arithmetic with, loses subnormals (M6), and others call a library. Expands
    `arith.ceildivsi` and its like, which LLVM has not, and replaces the divisors of
    integer divisions that would trap, 0 above all, by 1. Unlike upstream's
    `arith-expand` it leaves `arith.maximumf` and `arith.minimumf` to LLVM, which
    knows the order of zeros of different sign.

    ```mlir
    %0 = arith.truncf %x : f32 to bf16
    ```
    becomes integer operations on `arith.bitcast %x : f32 to i32`. With `expand-f16`
    f16 is treated in the same way, for targets that have no conversions of it.
  }];
  let options = [
    Option<"expandsFloat16", "expand-f16", "bool", /*default=*/"false",
           "Convert and compute f16 by f32 and integer arithmetic.">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::vector::VectorDialect"];
}

def AttachLoopAnnotationsPass : Pass<"meanvar-attach-loop-annotations"> {
  let summary = "Make loop annotations of branches reach LLVM";
  let description = [{
    The conversions from `scf.for` to the LLVM dialect carry
    `llvm.loop_annotation` along as an attribute that the translation to LLVM IR
    does not look at. This pass moves it to the attribute that it does.

    ```mlir
    llvm.br ^header {llvm.loop_annotation = #annotation}
    ```
    becomes
    ```mlir
    llvm.br ^header {loop_annotation = #annotation}
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // MEANVAR_CODEGEN_PASSES_TD
