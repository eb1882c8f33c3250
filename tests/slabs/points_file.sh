# points_file FILE N: an NPY file of N int3 points, for scripts that have no numpy.
points_file() {
  header="{'descr': '<i4', 'fortran_order': False, 'shape': ($2, 3), }"
  printf '\223NUMPY\001\000\166\000%-117s\n' "$header" >"$1"
  head -c $(($2 * 12)) /dev/urandom >>"$1"
}
