# FindONNXProto: the protocol buffer messages of ONNX models, as Debian's
# libonnx-dev and libprotobuf-dev ship them. Defines the target ONNX::Proto.
#
# The package's own ONNXConfig.cmake is not used: it drags in the operator
# schemas and refuses to load where unrelated parts of ONNX are not installed.

find_package(Protobuf QUIET)
find_path(ONNXProto_INCLUDE_DIR onnx/onnx_pb.h)
find_library(ONNXProto_LIBRARY onnx_proto)
mark_as_advanced(ONNXProto_INCLUDE_DIR ONNXProto_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(ONNXProto
  REQUIRED_VARS ONNXProto_LIBRARY ONNXProto_INCLUDE_DIR Protobuf_FOUND)

if(ONNXProto_FOUND AND NOT TARGET ONNX::Proto)
  add_library(ONNX::Proto UNKNOWN IMPORTED)
  # Headers of imported targets are system headers: no warnings from them.
  set_target_properties(ONNX::Proto PROPERTIES
    IMPORTED_LOCATION "${ONNXProto_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${ONNXProto_INCLUDE_DIR}"
    INTERFACE_COMPILE_DEFINITIONS "ONNX_NAMESPACE=onnx;ONNX_ML=1"
    INTERFACE_LINK_LIBRARIES protobuf::libprotobuf)
endif()
