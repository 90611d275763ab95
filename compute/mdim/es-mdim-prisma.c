/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * PRISMA's products (ASI, PRISMA Products Specification): two cubes of axes line, band, sample, one of each detector,
 * with descending wavelengths, bands that hold nothing, and how numbers become radiances or reflectances in attributes
 * of the file. Both together are the cube, by wavelength.
 */

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/es-error.h"
#include "es-mdim-prisma-private.h"

#define SWATHS "/HDFEOS/SWATHS/PRS_L"
#define MOST_BANDS 65535u

static void
product_clear (EsPrisma *self)
{
  g_free (self->swath);
  for (guint i = 0; i < ES_PRISMA_DETECTORS; i++)
    {
      g_free (self->detectors[i].wavelengths);
      g_free (self->detectors[i].fwhm);
      g_free (self->detectors[i].flags);
    }
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (EsPrisma, product_clear)

static gboolean
is_cube_of (const char *path, const char *name)
{
  return g_str_has_prefix (path, SWATHS) && g_str_has_suffix (path, name);
}

gboolean
es_mdim_prisma_is (GPtrArray *candidates)
{
  for (guint i = 0; i < candidates->len; i++)
    {
      const char *path = ((EsMdimCandidate *) g_ptr_array_index (candidates, i))->path;

      if (is_cube_of (path, "/Data Fields/VNIR_Cube") || is_cube_of (path, "/Data Fields/SWIR_Cube"))
        return TRUE;
    }
  return FALSE;
}

/* The axes are what the specification says, whatever their lengths look like. */
static void
take_axes (const EsMdimCandidate *candidate, EsPrismaDetector *detector)
{
  static const guint roles[] = { ES_AXIS_ROW, ES_AXIS_BAND, ES_AXIS_COLUMN };
  guint64 lengths[3];

  for (guint role = 0; role < 3; role++)
    lengths[candidate->shape.axis[role]] = candidate->shape.length[role];
  detector->shape = candidate->shape;
  for (guint axis = 0; axis < 3; axis++)
    {
      detector->shape.axis[roles[axis]] = axis;
      detector->shape.length[roles[axis]] = lengths[axis];
    }
  detector->bands = (guint) detector->shape.length[ES_AXIS_BAND];
}

/* The swath in which both detectors are, as they were registered to each other, before any other. */
static gboolean
find_swath (GPtrArray *candidates, EsPrisma *product)
{
  static const char * const names[] = { "VNIR_Cube", "SWIR_Cube" };
  int best = -1;

  for (guint i = 0; i < candidates->len; i++)
    {
      const EsMdimCandidate *candidate = g_ptr_array_index (candidates, i);
      const gboolean cube = candidate->shape.n_axes == 3 && (is_cube_of (candidate->path, "/Data Fields/VNIR_Cube")
                                                             || is_cube_of (candidate->path, "/Data Fields/SWIR_Cube"));

      if (cube && (best < 0 || (strstr (candidate->path, "_HCO/") != NULL
                                && strstr (((EsMdimCandidate *) g_ptr_array_index (candidates, best))->path,
                                           "_HCO/") == NULL)))
        best = (int) i;
    }
  if (best < 0)
    return FALSE;

  const char *path = ((EsMdimCandidate *) g_ptr_array_index (candidates, best))->path + strlen ("/HDFEOS/SWATHS/");

  product->swath = g_strndup (path, strcspn (path, "/"));
  product->radiance = g_str_has_prefix (product->swath, "PRS_L1") || g_str_has_prefix (product->swath, "PRS_L2B");
  product->on_map = g_str_has_prefix (product->swath, "PRS_L2D");
  for (guint d = 0; d < ES_PRISMA_DETECTORS; d++)
    {
      g_autofree char *wanted = g_strdup_printf ("/HDFEOS/SWATHS/%s/Data Fields/%s", product->swath, names[d]);

      product->detectors[d].candidate = -1;
      for (guint i = 0; i < candidates->len; i++)
        {
          const EsMdimCandidate *candidate = g_ptr_array_index (candidates, i);

          if (candidate->shape.n_axes != 3 || strcmp (candidate->path, wanted) != 0)
            continue;
          take_axes (candidate, &product->detectors[d]);
          /* All are read for those that are measured: an axis that no cube has is no detector's. */
          if (product->detectors[d].shape.length[ES_AXIS_BAND] <= MOST_BANDS)
            product->detectors[d].candidate = (int) i;
        }
    }
  return TRUE;
}

static int
by_wavelength (gconstpointer a, gconstpointer b, gpointer data)
{
  const EsMdimBand *one = a, *other = b;
  const EsPrisma *product = data;
  const double x = product->detectors[one->source].wavelengths[one->band];
  const double y = product->detectors[other->source].wavelengths[other->band];

  return x < y ? -1 : x > y ? 1 : (int) one->source - (int) other->source;
}

/* Which bands, in order; the sources count the detectors. */
static GArray *
order_bands (const EsPrisma *product, const gboolean *taken, gboolean *have_wavelengths)
{
  GArray *bands = g_array_new (FALSE, FALSE, sizeof (EsMdimBand));

  *have_wavelengths = TRUE;
  for (guint d = 0; d < ES_PRISMA_DETECTORS; d++)
    for (guint b = 0; taken[d] && b < product->detectors[d].bands; b++)
      if (es_prisma_is_measured (&product->detectors[d], b))
        {
          const EsMdimBand band = { d, b };

          g_array_append_val (bands, band);
          *have_wavelengths = *have_wavelengths && product->detectors[d].wavelengths != NULL;
        }
  if (*have_wavelengths)
    g_array_sort_with_data (bands, by_wavelength, (gpointer) product);
  return bands;
}

static void
fill_lists (const EsPrisma *product, const EsMdimBand *bands, guint n, gboolean have_wavelengths, EsCubeInfo *info)
{
  gboolean have_fwhm = have_wavelengths;

  for (guint i = 0; i < n; i++)
    have_fwhm = have_fwhm && product->detectors[bands[i].source].fwhm != NULL;
  info->wavelengths = have_wavelengths ? g_new (double, n) : NULL;
  info->wavelength_unit = g_strdup ("nm");
  info->fwhm = have_fwhm ? g_new (double, n) : NULL;
  info->scale = g_new (double, n);
  info->offset = g_new (double, n);
  info->band_names = g_new0 (char *, n + 1);
  for (guint i = 0; i < n; i++)
    {
      const EsPrismaDetector *detector = &product->detectors[bands[i].source];

      if (have_wavelengths)
        info->wavelengths[i] = detector->wavelengths[bands[i].band];
      if (have_fwhm)
        info->fwhm[i] = detector->fwhm[bands[i].band];
      info->scale[i] = detector->scale;
      info->offset[i] = detector->offset;
      info->band_names[i] = g_strdup_printf ("%s %u", bands[i].source == 0 ? "VNIR" : "SWIR", bands[i].band + 1);
    }
}

/* Samples of the detectors that are taken, one source each. FALSE with a sentence: what has been opened is with info,
 * which is cleared without the lock of HDF, as sources have to be. */
static gboolean
open_sources (EsReaderInput *input, GDALDatasetH dataset, const EsPrisma *product, GPtrArray *candidates,
              const gboolean *taken, EsMdimBand *bands, guint n_bands, EsCubeInfo *info, GError **error)
{
  EsSampleSource *sources[ES_PRISMA_DETECTORS] = { NULL };
  guint place[ES_PRISMA_DETECTORS] = { 0 }, n = 0, most = 0;
  EskType types[ES_PRISMA_DETECTORS];

  for (guint d = 0; d < ES_PRISMA_DETECTORS; d++)
    {
      const EsPrismaDetector *detector = &product->detectors[d];

      if (!taken[d])
        continue;
      sources[n] = es_mdim_open_samples (input, dataset,
                                         ((EsMdimCandidate *) g_ptr_array_index (candidates,
                                                                                 detector->candidate))->path,
                                         &detector->shape, &types[n], error);
      if (sources[n] == NULL)
        {
          if (n > 0)
            info->source = es_mdim_joined_new (sources, n, bands, 0, most, 1);
          if (error != NULL && *error == NULL)
            g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_OPEN, _("The cube of the detector %s of “%s” cannot be "
                         "opened"), d == 0 ? "VNIR" : "SWIR", input->name);
          return FALSE;
        }
      place[d] = n++;
      most = MAX (most, detector->bands);
    }
  info->type = types[0];
  for (guint i = 0; i < n_bands; i++)
    bands[i].source = place[bands[i].source];
  info->source = es_mdim_joined_new (sources, n, bands, n_bands, most, esk_type_size (info->type));
  return TRUE;
}

static gboolean
can_join (EsReaderInput *input, const EsPrisma *product)
{
  const EsPrismaDetector *vnir = &product->detectors[0], *swir = &product->detectors[1];

  return vnir->candidate >= 0 && swir->candidate >= 0
         && vnir->shape.length[ES_AXIS_ROW] == swir->shape.length[ES_AXIS_ROW]
         && vnir->shape.length[ES_AXIS_COLUMN] == swir->shape.length[ES_AXIS_COLUMN]
         && strcmp (((EsFileArray *) g_ptr_array_index (input->arrays, vnir->candidate))->type,
                    ((EsFileArray *) g_ptr_array_index (input->arrays, swir->candidate))->type) == 0;
}

/* Which detectors make the cube: both, but for those that are not there or fit no other, which is noted. */
static void
take_detectors (EsReaderInput *input, const EsPrisma *product, int named, gboolean *taken)
{
  const gboolean vnir = product->detectors[0].candidate >= 0, swir = product->detectors[1].candidate >= 0;

  taken[0] = vnir && (named < 0 || named == product->detectors[0].candidate);
  taken[1] = swir && (named < 0 || named == product->detectors[1].candidate);
  if (named < 0 && vnir != swir)
    es_reader_note (input, _("The product has no cube of the detector %s; the other one was opened."),
                    vnir ? "SWIR" : "VNIR");
  else if (named < 0 && vnir && !can_join (input, product))
    {
      es_reader_note (input, _("The cubes of the two detectors are of different sizes or types and cannot be one cube; "
                               "that of VNIR was opened."));
      taken[1] = FALSE;
    }
}

/* The list of what the file offers: each detector's cube as its axes are, and both as one, behind all that have a
 * candidate. The one that opens by itself is told. */
static void
list_arrays (EsReaderInput *input, const EsPrisma *product)
{
  static const gboolean both[ES_PRISMA_DETECTORS] = { TRUE, TRUE };
  EsFileArray *by_itself = NULL;

  for (guint d = ES_PRISMA_DETECTORS; d-- > 0;)
    {
      const EsPrismaDetector *detector = &product->detectors[d];
      EsFileArray *array = detector->candidate >= 0 ? g_ptr_array_index (input->arrays, detector->candidate) : NULL;

      if (array == NULL)
        continue;
      array->width = detector->shape.length[ES_AXIS_COLUMN];
      array->height = detector->shape.length[ES_AXIS_ROW];
      array->bands = detector->bands;
      array->wavelengths = detector->wavelengths != NULL;
      by_itself = array;
    }
  if (can_join (input, product))
    {
      gboolean have_wavelengths;
      g_autoptr (GArray) bands = order_bands (product, both, &have_wavelengths);

      by_itself = es_file_array_new (product->swath, by_itself->width, by_itself->height, bands->len, by_itself->type,
                                     have_wavelengths);
      es_reader_add_array (input, by_itself);
    }
  if (by_itself != NULL)
    by_itself->reason = ES_FILE_ARRAY_PRODUCT;
}

gboolean
es_mdim_prisma_fill (EsReaderInput *input, GDALDatasetH dataset, GDALGroupH root, GPtrArray *candidates,
                     EsCubeInfo *info, GError **error)
{
  g_auto (EsPrisma) product = { .detectors = { { .detector = "Vnir" }, { .detector = "Swir" } } };
  g_autoptr (GArray) bands = NULL;
  const char *wanted = input->options.variable;
  gboolean taken[ES_PRISMA_DETECTORS], have_wavelengths;
  int named = -1;

  if (!find_swath (candidates, &product))
    return FALSE;
  for (guint d = 0; d < ES_PRISMA_DETECTORS; d++)
    if (product.detectors[d].candidate >= 0)
      es_prisma_read_lists (input, root, &product, &product.detectors[d]);
  if (wanted != NULL && strcmp (wanted, product.swath) != 0)
    {
      g_autofree char *own = g_strdup_printf ("%s/Data Fields/%s", product.swath, wanted);

      named = es_file_arrays_find (input->arrays, own);
      if (named < 0)
        named = es_file_arrays_find (input->arrays, wanted);
      /* Some other array of the file, which is told as any: with what the product says of these. */
      if (named < 0 || (named != product.detectors[0].candidate && named != product.detectors[1].candidate))
        {
          list_arrays (input, &product);
          return FALSE;
        }
    }
  take_detectors (input, &product, named, taken);
  bands = order_bands (&product, taken, &have_wavelengths);
  if (bands->len < 1 || bands->len > MOST_BANDS)
    return FALSE;

  const EsPrismaDetector *first = &product.detectors[taken[0] ? 0 : 1];
  const guint n = bands->len;
  gboolean counted = TRUE;
  guint all = 0;

  for (guint d = 0; d < ES_PRISMA_DETECTORS; d++)
    {
      all += taken[d] ? product.detectors[d].bands : 0;
      counted = counted && (!taken[d] || product.detectors[d].counted);
    }
  info->width = first->shape.length[ES_AXIS_COLUMN];
  info->height = first->shape.length[ES_AXIS_ROW];
  info->bands = n;
  info->format_name = g_strdup_printf ("PRISMA %s", product.swath);
  info->unit = product.radiance && counted ? g_strdup ("W/(m² sr µm)") : NULL;
  if (product.on_map)
    {
      info->no_data = es_reader_repeat (0, n);
      es_reader_note (input, _("Samples that are stored as 0 lie outside of the swath and are missing."));
    }
  if (n < all)
    es_reader_note (input, _("Bands whose wavelength is 0 or that are flagged hold nothing and were left out: %u of "
                             "%u."), all - n, all);
  fill_lists (&product, (EsMdimBand *) (void *) bands->data, n, have_wavelengths, info);
  if (product.on_map)
    es_prisma_read_map (root, info);
  if (info->geotransform == NULL)
    es_prisma_read_places (input, root, &product, info);
  if (!open_sources (input, dataset, &product, candidates, taken, (EsMdimBand *) (void *) bands->data, n, info, error))
    return FALSE;
  list_arrays (input, &product);
  if (named < 0)
    named = (int) es_file_arrays_choose (input->arrays);
  ((EsFileArray *) g_ptr_array_index (input->arrays, named))->open = TRUE;
  return TRUE;
}
