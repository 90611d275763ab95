/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Stacks as HDF5: /values in one piece, into which samples are written past the library, at their place in the file. */

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/es-error.h"
#include "base/es-file-internal.h"
#include "base/es-text-internal.h"
#include "es-strays-internal.h"
#include "es-write-field-private.h"
#include "es-write-stack-private.h"
#include "layer/es-layer-internal.h"
#include "layer/es-plane-layout-internal.h"
#include "libraries/es-hdf-lock-internal.h"
#include "libraries/es-hdf5-library-internal.h"

/* ---- what is known of the samples, with the lock of HDF5 held ---- */

static gboolean
write_number_attribute (hid_t object, const char *name, hid_t type, gsize n, const void *numbers)
{
  const hsize_t length = n;
  hid_t space = n == 1 ? H5Screate (H5S_SCALAR) : H5Screate_simple (1, &length, NULL);
  hid_t attribute = H5Acreate2 (object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  const gboolean written = attribute >= 0 && H5Awrite (attribute, type, numbers) >= 0;

  if (attribute >= 0)
    H5Aclose (attribute);
  H5Sclose (space);
  return written;
}

/* The axis of the planes: wavelengths where they are bands, else their numbers. */
static gboolean
write_scale (hid_t file, hid_t values, EsImageStack *stack)
{
  const double *wavelengths = es_image_stack_get_wavelengths (stack);
  const char *name = wavelengths != NULL ? "wavelength" : "band";
  const hsize_t n = es_image_stack_get_planes (stack);
  g_autofree double *numbers = g_new (double, n);
  hid_t properties = H5Pcreate (H5P_DATASET_CREATE), space = H5Screate_simple (1, &n, NULL), scale;
  gboolean written;

  for (guint i = 0; i < n; i++)
    numbers[i] = wavelengths != NULL ? wavelengths[i] : i + 1;
  H5Pset_obj_track_times (properties, FALSE);
  scale = H5Dcreate2 (file, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, properties, H5P_DEFAULT);
  written = scale >= 0
            && H5Dwrite (scale, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers) >= 0
            && (wavelengths == NULL || es_write_hdf5_text (scale, "units", "nm"))
            && H5DSset_scale (scale, name) >= 0 && H5DSattach_scale (values, scale, 0) >= 0;
  if (scale >= 0)
    H5Dclose (scale);
  H5Sclose (space);
  H5Pclose (properties);
  return written;
}

/* A line a plane, and its share of the variance where that is known of one. */
static gboolean
write_planes_attributes (hid_t values, EsImageStack *stack)
{
  const guint planes = es_image_stack_get_planes (stack);
  g_autoptr (GString) names = g_string_new (NULL);
  g_autofree double *shares = g_new (double, planes);
  gboolean any_name = FALSE, any_share = FALSE;

  for (guint i = 0; i < planes; i++)
    {
      const char *title = es_image_stack_get_plane_title (stack, i);

      shares[i] = es_image_stack_get_plane_share (stack, i);
      any_share = any_share || isfinite (shares[i]);
      any_name = any_name || title != NULL;
      g_string_append_printf (names, "%s%s", i > 0 ? "\n" : "", title != NULL ? title : "");
    }
  /* Longer ones not every reader takes. */
  return (!any_name || names->len > 60000 || es_write_hdf5_text (values, "band_names", names->str))
         && (!any_share || planes > 8000
             || write_number_attribute (values, "variance_share", H5T_NATIVE_DOUBLE, planes, shares));
}

static gboolean
write_attributes (const EsStackJob *job, hid_t file, hid_t values)
{
  const char *unit = es_image_stack_get_unit (job->stack), *projection = NULL;
  const double *transform;
  const float missing = NAN;

  return es_write_hdf5_text (file, "software", "Eigenscope " ES_VERSION)
         && (job->description == NULL || es_write_hdf5_text (file, "description", job->description))
         && (!es_stack_job_get_georeference (job, &transform, &projection)
             || (write_number_attribute (file, "geotransform", H5T_NATIVE_DOUBLE, 6, transform)
                 && (projection == NULL || *projection == '\0'
                     || es_write_hdf5_text (file, "spatial_ref", projection))))
         && es_write_hdf5_text (values, "title", es_layer_get_title (ES_LAYER (job->stack)) ?: "")
         && (unit == NULL || es_write_hdf5_text (values, "units", unit))
         && write_number_attribute (values, "_FillValue", H5T_NATIVE_FLOAT, 1, &missing)
         && write_planes_attributes (values, job->stack) && write_scale (file, values, job->stack);
}

/* They come behind the samples. */
static gboolean
complete (const EsStackJob *job, const char *part)
{
  hid_t access = H5Pcreate (H5P_FILE_ACCESS), file, values;
  gboolean written;

  H5Pset_libver_bounds (access, H5F_LIBVER_V18, H5F_LIBVER_V18);
  file = H5Fopen (part, H5F_ACC_RDWR, access);
  values = file >= 0 ? H5Dopen2 (file, "values", H5P_DEFAULT) : -1;
  written = values >= 0 && write_attributes (job, file, values);
  written = (values < 0 || H5Dclose (values) >= 0) && written;
  written = (file < 0 || H5Fclose (file) >= 0) && written;
  H5Pclose (access);
  return written;
}

/* ---- the samples, where the stack has them elsewhere ---- */

typedef struct
{
  int           fd;
  const char   *path;
  EsPlaneLayout layout;
} Target;

static gboolean
write_rows (gpointer data, guint plane, guint64 y, guint64 rows, const float *values, GError **error)
{
  const Target *target = data;
  const guint64 row = target->layout.width * sizeof (float);

  return es_file_write_at (target->fd, target->path, values, rows * row,
                           target->layout.start + plane * target->layout.pitch + y * row, error);
}

static gboolean
write_samples (const EsStackJob *job, const EsOutput *output, GError **error)
{
  Target target = { -1, output->path, { .width = es_image_stack_get_width (job->stack),
                                        .height = es_image_stack_get_height (job->stack),
                                        .planes = es_image_stack_get_planes (job->stack) } };
  guint64 length;
  gboolean written;

  if (!es_hdf5_layout_make (output->part, output->path, &target.layout, &length, error))
    return FALSE;
  target.fd = open (output->part, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  if (target.fd < 0)
    return es_file_set_error (error, output->path, errno);
  written = es_file_reserve (target.fd, output->path, length, error)
            && es_stack_job_for_rows (job, 1, write_rows, &target, error);
  if (close (target.fd) != 0 && written)
    written = es_file_set_error (error, output->path, errno);
  return written;
}

gboolean
es_write_stack_hdf5 (const EsStackJob *job, const char *path, EsOutputs *outputs, GError **error)
{
  const EsOutput *output;
  gboolean completed;

  if (!es_strays_keep (outputs, path, job->strays, job->cancellable, error)
      || !es_library_load (&es_library_hdf5, NULL, error))
    return FALSE;
  /* The file behind the stack, where it has one beside the target. */
  if (!es_stack_job_adopt (job, path, outputs))
    {
      output = es_outputs_add (outputs, path, FALSE, error);
      if (output == NULL)
        return FALSE;
      es_outputs_hand_over (outputs, output);
      if (!write_samples (job, output, error))
        return FALSE;
    }
  output = es_outputs_find (outputs, path);
  es_hdf_lock ();
  completed = complete (job, output->part);
  es_hdf_unlock ();
  if (!completed)
    return es_file_set_reason (error, output->path, _("the HDF5 library reports an error, perhaps the disk is full"));
  return !es_stack_job_step (job, es_image_stack_get_planes (job->stack), 0, error);
}
