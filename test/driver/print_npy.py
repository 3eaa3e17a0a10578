"""print_npy.py FILE: type, shape and values of a .npy file, without NumPy."""
import ast
import struct
import sys

data = open(sys.argv[1], "rb").read()
assert data[:8] == b"\x93NUMPY\x01\x00", "not an .npy file of version 1"
end = 10 + struct.unpack("<H", data[8:10])[0]
header = ast.literal_eval(data[10:end].decode())
assert not header["fortran_order"]
letter = {"<f4": "f", "<f8": "d"}[header["descr"]]
values = [v for (v,) in struct.iter_unpack("<" + letter, data[end:])]
print(header["descr"], header["shape"], *values)
