/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-plane-layout-internal.h"

#include <glib/gi18n-lib.h>
#include <sys/stat.h>

#include "base/es-file-internal.h"
#include "libraries/es-hdf-lock-internal.h"
#include "libraries/es-hdf5-library-internal.h"

#define NOWHERE ((haddr_t) -1)

/* A dataset in one piece has its place as soon as it is made, and nobody fills it. */
static hid_t
create_values (hid_t file, const EsPlaneLayout *layout)
{
  const hsize_t shape[3] = { layout->planes, layout->height, layout->width };
  hid_t properties = H5Pcreate (H5P_DATASET_CREATE), space = H5Screate_simple (3, shape, NULL);
  hid_t values;

  H5Pset_layout (properties, H5D_CONTIGUOUS);
  H5Pset_alloc_time (properties, H5D_ALLOC_TIME_EARLY);
  H5Pset_fill_time (properties, H5D_FILL_TIME_NEVER);
  /* Without the time of its making: the same samples give the same bytes. */
  H5Pset_obj_track_times (properties, FALSE);
  values = H5Dcreate2 (file, "values", H5T_NATIVE_FLOAT, space, H5P_DEFAULT, properties, H5P_DEFAULT);
  H5Sclose (space);
  H5Pclose (properties);
  return values;
}

/* With the lock of HDF5 held. */
static gboolean
create (const char *part, EsPlaneLayout *layout)
{
  hid_t access = H5Pcreate (H5P_FILE_ACCESS), creation = H5Pcreate (H5P_FILE_CREATE);
  hid_t file, values;
  haddr_t start = NOWHERE;
  gboolean closed;

  H5Pset_libver_bounds (access, H5F_LIBVER_V18, H5F_LIBVER_V18);
  H5Pset_obj_track_times (creation, FALSE);
  file = H5Fcreate (part, H5F_ACC_TRUNC, creation, access);
  values = file >= 0 ? create_values (file, layout) : -1;
  if (values >= 0)
    start = H5Dget_offset (values);
  closed = values < 0 || H5Dclose (values) >= 0;
  closed = (file < 0 || H5Fclose (file) >= 0) && closed;
  H5Pclose (creation);
  H5Pclose (access);
  layout->start = start;
  layout->pitch = layout->width * layout->height * sizeof (float);
  return closed && start != NOWHERE;
}

gboolean
es_hdf5_layout_make (const char *part, const char *path, gpointer data, guint64 *length, GError **error)
{
  EsPlaneLayout *layout = data;
  struct stat status;
  gboolean made;

  if (!es_library_load (&es_library_hdf5, NULL, error))
    return FALSE;
  es_hdf_lock ();
  made = create (part, layout);
  es_hdf_unlock ();
  if (!made || stat (part, &status) != 0)
    return es_file_set_reason (error, path, _("the HDF5 library makes no file there"));
  *length = MAX ((guint64) status.st_size, layout->start + layout->planes * layout->pitch);
  return TRUE;
}
