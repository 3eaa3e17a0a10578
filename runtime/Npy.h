// Npy: NumPy's .npy files of floats and doubles, in C order, little-endian, with 0 to 3 axes.
//
// Reads format versions 1 and 2 and writes version 1. Every function returns an empty string, or
// what is wrong in words that follow a file name: "heat.npy: holds f4 where f8 is needed". The
// hosts served are little-endian themselves. C++17 and the standard library only, since stand-alone
// programs carry a copy of this text.
#pragma once

#include <cctype>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace npy {

/// "f4" or "f8".
template <class T> std::string typeName() { return "f" + std::to_string(sizeof(T)); }

/// "(3, 4)", "(3,)" or "()", as Python writes a tuple.
inline std::string shapeText(const std::vector<int64_t> &shape) {
  std::string text = "(";
  for (size_t axis = 0; axis < shape.size(); ++axis)
    text += (axis == 0 ? "" : " ") + std::to_string(shape[axis]) +
            (axis + 1 < shape.size() || shape.size() == 1 ? "," : "");
  return text + ")";
}

/// All that stands before the numbers, a multiple of 64 bytes long.
template <class T> std::string header(const std::vector<int64_t> &shape) {
  std::string dictionary = "{'descr': '<" + typeName<T>() +
                           "', 'fortran_order': False, 'shape': " + shapeText(shape) + ", }";
  const size_t prefix = 10; // magic, version, length
  while ((prefix + dictionary.size() + 1) % 64 != 0)
    dictionary += ' ';
  dictionary += '\n';
  std::string text("\x93NUMPY\x01\x00", 8);
  text += static_cast<char>(dictionary.size() & 0xff);
  text += static_cast<char>(dictionary.size() >> 8);
  return text + dictionary;
}

/// Writes the elements, in C order.
template <class T>
std::string write(const std::string &path, const std::vector<int64_t> &shape,
                  const std::vector<T> &values) {
  std::FILE *file = std::fopen(path.c_str(), "wb");
  if (!file)
    return "cannot be opened for writing";
  const std::string text = header<T>(shape);
  bool done = std::fwrite(text.data(), 1, text.size(), file) == text.size() &&
              (values.empty() ||
               std::fwrite(values.data(), sizeof(T), values.size(), file) == values.size());
  done &= std::fclose(file) == 0;
  return done ? "" : "cannot be written to the end";
}

/// What follows `'key':` in the header's dictionary, blanks skipped; null if the key is missing.
inline const char *entry(const std::string &dictionary, const char *key) {
  const size_t place = dictionary.find("'" + std::string(key) + "':");
  if (place == std::string::npos)
    return nullptr;
  const char *text = dictionary.c_str() + place + std::strlen(key) + 3;
  while (*text == ' ')
    ++text;
  return text;
}

/// Reads a tuple of at most three extents.
inline bool parseShape(const char *text, std::vector<int64_t> &shape) {
  if (!text || *text++ != '(')
    return false;
  while (*text != ')') {
    if (!std::isdigit(static_cast<unsigned char>(*text)) || shape.size() == 3)
      return false;
    char *end;
    shape.push_back(std::strtoll(text, &end, 10));
    text = end;
    while (*text == ',' || *text == ' ')
      ++text;
  }
  return true;
}

/// Reads and checks everything before the numbers, from the start of an open file.
template <class T> std::string readHeader(std::FILE *file, std::vector<int64_t> &shape) {
  unsigned char prefix[8];
  if (std::fread(prefix, 1, 8, file) != 8 || std::memcmp(prefix, "\x93NUMPY", 6) != 0)
    return "is no .npy file";
  if (prefix[6] != 1 && prefix[6] != 2)
    return "has format version " + std::to_string(prefix[6]) + " where 1 or 2 is needed";
  const size_t width = prefix[6] == 1 ? 2 : 4;
  unsigned char length[4] = {};
  if (std::fread(length, 1, width, file) != width)
    return "ends within its header";
  const size_t size = length[0] | length[1] << 8 | length[2] << 16 | size_t(length[3]) << 24;
  if (size > 65536)
    return "has a header longer than 64 KiB";
  std::string dictionary(size, ' ');
  if (std::fread(&dictionary[0], 1, size, file) != size)
    return "ends within its header";

  const char *type = entry(dictionary, "descr");
  const std::string expected = "'<" + typeName<T>() + "'";
  if (!type || std::strncmp(type, expected.c_str(), expected.size()) != 0)
    return "holds " +
           std::string(type ? type : "nothing known", type ? std::strcspn(type, ",}") : 13) +
           " where " + expected + " is needed";
  if (!parseShape(entry(dictionary, "shape"), shape))
    return "has no shape of at most three axes";
  const char *order = entry(dictionary, "fortran_order");
  if (!order || (std::strncmp(order, "False", 5) != 0 && shape.size() > 1))
    return "is not in C order";
  return "";
}

/// Reads a whole file; the element type must be T.
template <class T>
std::string read(const std::string &path, std::vector<int64_t> &shape, std::vector<T> &values) {
  shape.clear();
  values.clear();
  std::FILE *file = std::fopen(path.c_str(), "rb");
  if (!file)
    return "cannot be opened";
  std::string problem = readHeader<T>(file, shape);
  if (problem.empty()) {
    // The file's own length bounds what is allocated, whatever its header claims.
    const long begin = std::ftell(file);
    std::fseek(file, 0, SEEK_END);
    const uint64_t held = static_cast<uint64_t>(std::ftell(file) - begin) / sizeof(T);
    std::fseek(file, begin, SEEK_SET);
    uint64_t count = 1;
    for (int64_t extent : shape)
      count = extent == 0 || count <= held / extent ? count * extent : held + 1;
    if (count != held)
      problem =
          "holds " + std::to_string(held) + " elements, not those of shape " + shapeText(shape);
    else {
      values.resize(count);
      if (count > 0 && std::fread(values.data(), sizeof(T), count, file) != count)
        problem = "cannot be read to the end";
    }
  }
  std::fclose(file);
  return problem;
}

} // namespace npy
