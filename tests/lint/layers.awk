# SPDX-License-Identifier: GPL-3.0-or-later
#
# Judges include lines against the house's layers. Input, tab-separated: file, line number, delimiter (" or
# <), header. The first file read maps a header's base name to the folder that owns it: name, folder.
# -v allow=FILE lists exceptions: file, header, reason.

BEGIN {
  FS = "\t"

  libc = "assert|complex|ctype|errno|fcntl|fenv|float|inttypes|limits|locale|math|pthread|sched|setjmp|" \
    "signal|spawn|stdarg|stdatomic|stdbool|stddef|stdint|stdio|stdlib|string|strings|tgmath|threads|time|" \
    "unistd|wchar|dlfcn|dirent|poll|semaphore|ucontext|malloc|stdalign|immintrin|cpuid|x86intrin|arm_neon"
  libc = "^((" libc ")\\.h|(sys|linux)/.*\\.h)$"
  glib = "^(glib|glib-object|glib-unix|gmodule)\\.h$|^(glib|gio|gobject)/.*\\.h$"
  draw = "^(cairo|cairo-(gobject|pdf|svg|ps|script))\\.h$|^cairo/.*\\.h$|^pango/.*\\.h$"
  gdk = "^(gdk|gsk|gdk-pixbuf)/.*\\.h$|^graphene.*\\.h$"
  cuda = "^(cuda.*|cublas.*|cufft.*|cusolver.*|cusparse.*|curand.*|nvToolsExt.*|nvtx3/.*|cooperative_groups.*|cub/.*|" \
    "thrust/.*|mma\\.h|vector_types\\.h|math_constants\\.h)$"
  gl = "^epoxy/.*\\.h$"

  # What a folder may see of the others; itself always.
  sees["kernels"] = " "
  sees["compute"] = " kernels "
  sees["render"] = " compute "
  sees["ui"] = " render compute "
  sees["app"] = " ui render compute kernels "

  # And of the world.
  world["kernels"] = libc "|^(omp|cblas|lapack|lapacke|openblas_config|fftw3)\\.h$"
  world["kernels/cuda"] = libc "|" cuda
  world["compute"] = libc "|" glib "|^mpi\\.h$|^json-glib/.*\\.h$"
  # Loaded when a file needs them: all others see them through its headers.
  world["compute/libraries"] = libc "|" glib "|^(gdal|cpl_.*|ogr_.*|sndfile|hdf5|hdf5_hl|matio)\\.h$|" \
    "^suitesparse/cholmod\\.h$"
  world["render"] = libc "|" glib "|" draw "|" gdk "|" gl "|" cuda
  world["render/axes"] = libc "|" glib "|" draw
  world["ui"] = libc "|" glib "|" draw "|" gdk "|^gtk/.*\\.h$|^adwaita\\.h$"
  world["app"] = libc "|" glib "|^gtk/.*\\.h$|^adwaita\\.h$|^json-glib/.*\\.h$"

  if (allow != "")
    while ((getline line < allow) > 0) {
      if (line ~ /^[ \t]*(#|$)/)
        continue
      if (split (line, part, /[ \t]+/) < 3) {
        print allow ": an exception needs a file, a header and a reason: " line
        bad = 1
        continue
      }
      excepted[part[1] "\t" part[2]] = 1
    }
}

FNR == NR && NF == 2 {
  # One name in two folders would make the owner a matter of luck.
  if ($1 in owner && owner[$1] != $2)
    complain("", "header " $1 " exists in " owner[$1] "/ and in " $2 "/")
  owner[$1] = $2
  next
}

{
  file = $1; header = $4; where = $1 ":" $2
  folder = file; sub (/\/.*/, "", folder)
  base = header; sub (/.*\//, "", base)
  if ((file "\t" header) in excepted) {
    used[file "\t" header] = 1
    next
  }
  if ($3 == "\"") {
    if (header == "config.h") {
      if (folder == "kernels")
        complain(where, "kernels/ does not know config.h")
      next
    }
    if (!(base in owner)) {
      # Made by the build: resources, enumerations, texts of kernels.
      if (base !~ /-(resources|enums|enum-types|names|sources)\.h$/)
        complain(where, "\"" header "\" belongs to no folder of this tree")
      next
    }
    if (owner[base] != folder && index (sees[folder], " " owner[base] " ") == 0)
      complain(where, folder "/ may not include \"" header "\" of " owner[base] "/")
    else if (owner[base] != folder && base ~ /-private\.h$/)
      complain(where, "\"" header "\" is private to " owner[base] "/")
  }
  else {
    rules = (file ~ /^kernels\/((lab|ladder)\/)?cuda\//) ? "kernels/cuda" : (file ~ /^render\/axes\//) ? "render/axes" \
      : (file ~ /^compute\/libraries\//) ? "compute/libraries" : folder
    if (header !~ world[rules])
      complain(where, folder "/ may not include <" header ">")
    if (header ~ cuda) has_cuda[file] = 1
    if (header ~ gl) has_gl[file] = 1
    if (header ~ /^mpi\.h$/) { mpi[file] = 1 }
  }
}

END {
  for (file in mpi) { n_mpi++; names = names " " file }
  if (n_mpi > 1)
    complain("", "<mpi.h> is for one file only; found in" names)
  names = ""
  for (file in has_cuda)
    if (file !~ /^kernels\//) {
      n_cuda++; names = names " " file
      if (!(file in has_gl))
        complain(file, "CUDA headers outside kernels/cuda are for the file that joins CUDA and OpenGL")
    }
  if (n_cuda > 1)
    complain("", "CUDA and OpenGL meet in one file only; found in" names)
  for (key in excepted)
    if (!(key in used)) {
      split (key, part, "\t")
      complain(allow, "the exception for " part[1] " and " part[2] " is no longer needed")
    }
  exit bad
}

function complain(place, what)
{
  print (place == "" ? "" : place ": ") what
  bad = 1
}
