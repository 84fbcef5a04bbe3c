// .npz files assembled byte by byte, valid or not.
#pragma once

#include <fmt/format.h>
#include <zip.h>

#include <cstring>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace repsc {

template <typename Value>
std::string bytes_of(const std::vector<Value>& values) {
  std::string bytes(values.size() * sizeof(Value), '\0');
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

/// A .npy member of version 1.0.
inline std::string npy(const std::string& type, const std::string& shape, const std::string& data) {
  const std::string header =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}\n", type, shape);
  std::string result("\x93NUMPY\x01\x00", 8);
  result += static_cast<char>(header.size() % 256);
  result += static_cast<char>(header.size() / 256);
  return result + header + data;
}

template <typename Value>
std::string npy(const std::string& type, const std::vector<Value>& values) {
  return npy(type, fmt::format("({},)", values.size()), bytes_of(values));
}

using Members = std::map<std::string, std::string>;

inline void write_archive(const std::string& path, const Members& members, bool compressed = true) {
  zip_t* archive = zip_open(path.c_str(), ZIP_CREATE | ZIP_TRUNCATE, nullptr);
  if (archive == nullptr) throw std::runtime_error("cannot write " + path);
  for (const auto& [name, data] : members) {
    zip_source_t* source = zip_source_buffer(archive, data.data(), data.size(), 0);
    const zip_int64_t place = zip_file_add(archive, (name + ".npy").c_str(), source, 0);
    zip_set_file_compression(archive, static_cast<zip_uint64_t>(place),
                             compressed ? ZIP_CM_DEFLATE : ZIP_CM_STORE, 0);
  }
  if (zip_close(archive) != 0) throw std::runtime_error("cannot write " + path);
}

/// The path 0 - 1 - 2 with weights 2 and 3.
inline Members csr_path() {
  return {{"format", npy("|S3", "()", "csr")},
          {"shape", npy<std::int64_t>("<i8", {3, 3})},
          {"indptr", npy<std::int32_t>("<i4", {0, 1, 3, 4})},
          {"indices", npy<std::int32_t>("<i4", {1, 0, 2, 1})},
          {"data", npy<double>("<f8", {2, 2, 3, 3})}};
}

}  // namespace repsc
