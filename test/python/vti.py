"""vti.py FOLDER: what is written for ParaView, read by VTK, has the points where they belong."""
import pathlib
import subprocess
import sys

import numpy
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOXML import vtkXMLImageDataReader

folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True)
z, y, x = numpy.meshgrid(range(4), range(6), range(8), indexing="ij")
u = (100*z + 10*y + x).astype("f8")


def through_vtk(**arrays):
    """The image that VTK reads of a .vti file of these arrays."""
    for name, array in arrays.items():
        numpy.save(folder / f"{name}.npy", array)
    subprocess.run([sys.executable, "-m", "stencilc.plot", *(f"{name}.npy" for name in arrays),
                    "-o", "out.vti"], cwd=folder, check=True)
    reader = vtkXMLImageDataReader()
    reader.SetFileName(str(folder / "out.vti"))
    reader.Update()
    return reader.GetOutput()


image = through_vtk(u=u, v=u + 1000)
assert image.GetDimensions() == (8, 6, 4), image.GetDimensions()
for name, array in (("u", u), ("v", u + 1000)):
    found = vtk_to_numpy(image.GetPointData().GetArray(name))
    assert found.dtype == array.dtype and (found.reshape(array.shape) == array).all(), name
at = image.FindPoint((7, 5, 2))
assert image.GetPointData().GetArray("u").GetValue(at) == 257

image = through_vtk(plane=u[0].astype("f4"))
assert image.GetDimensions() == (8, 6, 1), image.GetDimensions()
found = vtk_to_numpy(image.GetPointData().GetArray("plane"))
assert found.dtype == numpy.float32 and (found.reshape(6, 8) == u[0]).all()

row = through_vtk(row=u[0, 0])
assert row.GetDimensions() == (8, 1, 1), row.GetDimensions()
assert (vtk_to_numpy(row.GetPointData().GetArray("row")) == u[0, 0]).all()
