# Writes the blocks of code of the language's reference to FOLDER/reference_NN.stn, each as a whole
# file: awk -v folder=FOLDER -f blocks.awk frontend/language/README.md
/^```stn/ {
  file = sprintf("%s/reference_%02d.stn", folder, ++count)
  inside = 1
  wraps = -1
  next
}
/^```/ {
  if (inside && wraps)
    print "}" > file
  inside = 0
}
inside {
  if (wraps < 0) {
    wraps = !/^stencil/
    if (wraps)
      print "stencil s(y, x) {\n  field f64 u;" > file
  }
  print > file
}
