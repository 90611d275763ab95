/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-simulate.h"

#include <float.h>
#include <glib/gi18n-lib.h>
#include <sys/statvfs.h>

#include "writers/es-companion-internal.h"
#include "writers/es-envi-text-internal.h"
#include "writers/es-strays-internal.h"
#include "base/es-error.h"
#include "base/es-file-internal.h"
#include "es-simulate-private.h"

static const EsParamChoice type_choices[] = {
  { .id = "uint8", .label = N_("8-bit unsigned") },
  { .id = "int16", .label = N_("16-bit signed") },
  { .id = "uint16", .label = N_("16-bit unsigned") },
  { .id = "float32", .label = N_("32-bit floating point") },
  { .id = NULL },
};

static const EsParamChoice interleave_choices[] = {
  { .id = "bsq", .label = N_("By band (BSQ)") },
  { .id = "bil", .label = N_("By line (BIL)") },
  { .id = "bip", .label = N_("By pixel (BIP)") },
  { .id = NULL },
};

static const EsParamChoice sources_choices[] = {
  { .id = "mixed", .label = N_("A landscape: parts of one whole") },
  { .id = "independent", .label = N_("Independent of each other") },
  { .id = NULL },
};

static const EsParamChoice order_choices[] = {
  { .id = "little", .label = N_("Little endian") },
  { .id = "big", .label = N_("Big endian") },
  { .id = NULL },
};

const EsParamSpec es_simulate_cube_params[] = {
  { .key = "width", .label = N_("Width"),
    .help = N_("Pixels in a row."),
    .type = ES_PARAM_INT, .unit = N_("pixels"), .minimum = 1, .maximum = 1000000, .step = 16, .default_value = 320 },
  { .key = "height", .label = N_("Height"),
    .help = N_("Rows of pixels."),
    .type = ES_PARAM_INT, .unit = N_("pixels"), .minimum = 1, .maximum = 1000000, .step = 16, .default_value = 256 },
  { .key = "bands", .label = N_("Bands"),
    .help = N_("Spectral bands, evenly spaced from 400 to 2,500 nm."),
    .type = ES_PARAM_INT, .minimum = 1, .maximum = 65535, .default_value = 224 },
  { .key = "seed", .label = N_("Seed"),
    .help = N_("Another number makes another scene; the same number, the same bytes."),
    .type = ES_PARAM_INT, .maximum = G_MAXUINT32, .default_value = 1 },
  { .key = "type", .label = N_("Sample type"),
    .help = N_("How a sample is stored. Integers hold reflectance times 10,000, 8-bit ones times 255."),
    .type = ES_PARAM_CHOICE, .choices = type_choices, .default_value = 1 },
  { .key = "interleave", .label = N_("Interleave"),
    .help = N_("The order of samples in the file."),
    .type = ES_PARAM_CHOICE, .choices = interleave_choices },
  { .key = "byte-order", .label = N_("Byte order"),
    .help = N_("The order of bytes in a sample."),
    .type = ES_PARAM_CHOICE, .choices = order_choices },
  { .key = "sources", .label = N_("Sources"),
    .help = N_("How much of each material is where: a landscape, in which a pixel's shares sum to one, or maps that "
               "know nothing of each other and are mixed linearly under even light, which an independent component "
               "analysis can tell apart."),
    .type = ES_PARAM_CHOICE, .choices = sources_choices },
  { .key = "relief", .label = N_("Relief"),
    .help = N_("How much hills change the light, at most."),
    .type = ES_PARAM_FLOAT, .unit = "%",
    .maximum = 0.9, .step = 0.05, .default_value = 0.4, .zero_label = N_("even light"),
    .visible_if = "sources=mixed" },
  { .key = "noise", .label = N_("Noise"),
    .help = N_("Standard deviation of the sensor's noise, as reflectance, in its best bands. It is several times "
               "larger at the ends of the spectrum and where water vapour absorbs."),
    .type = ES_PARAM_FLOAT, .unit = "%", .group = ES_PARAM_GROUP_THRESHOLDS,
    .maximum = 1, .step = 0.0005, .digits = 2, .default_value = 0.002, .zero_label = N_("none") },
  { .key = "stripes", .label = N_("Stripes"),
    .help = N_("Standard deviation of the offsets between the sensor's columns, as reflectance."),
    .type = ES_PARAM_FLOAT, .unit = "%", .group = ES_PARAM_GROUP_THRESHOLDS,
    .maximum = 1, .step = 0.0005, .digits = 2, .default_value = 0.0005, .zero_label = N_("none") },
  { .key = "dead-bands", .label = N_("Dead bands"),
    .help = N_("Bands that hold zeros and are marked bad in the header; at most half of the bands."),
    .type = ES_PARAM_INT, .group = ES_PARAM_GROUP_THRESHOLDS,
    .maximum = 32767, .default_value = 2, .zero_label = N_("none") },
  { .key = "no-data", .label = N_("Missing pixels"),
    .help = N_("Share of the pixels without data: two corners of the swath and a hole."),
    .type = ES_PARAM_FLOAT, .unit = "%", .group = ES_PARAM_GROUP_THRESHOLDS,
    .maximum = 0.9, .step = 0.01, .digits = 1, .default_value = 0.01, .zero_label = N_("none") },
  { .key = "georeference", .label = N_("Georeference"),
    .help = N_("Places the scene in UTM zone 33 north."),
    .type = ES_PARAM_BOOL, .default_value = TRUE },
  { .key = "pixel-size", .label = N_("Pixel size"),
    .help = N_("The side of a pixel on the ground."),
    .type = ES_PARAM_FLOAT, .unit = N_("m"),
    .minimum = 0.1, .maximum = 10000, .step = 1, .digits = 1, .default_value = 30, .visible_if = "georeference=yes" },
  { .type = ES_PARAM_END },
};

/* In the order of type_choices. */
static const EsSampleStorage storages[] = {
  { 1, 1, 255, 0, 254, 255 },
  { 2, 2, 10000, -5000, 32000, -9999 },
  { 12, 2, 10000, 0, 65534, 65535 },
  { 4, 4, 1, -FLT_MAX, FLT_MAX, -9999 },
};

static void
simulation_clear (EsSimulation *self)
{
  g_free (self->wavelength);
  g_free (self->good);
  g_free (self->spectra);
  g_free (self->noise_scale);
  g_clear_error (&self->error);
  g_mutex_clear (&self->mutex);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (EsSimulation, simulation_clear)

/* ---- preparation ---- */

/* The deepest water vapour goes first, as on real sensors; then any. */
static void
kill_bands (EsSimulation *self, guint n)
{
  static const double first[] = { 1385, 1890 };
  guint64 counter = 0;

  n = MIN (n, self->bands / 2);
  for (guint killed = 0; killed < n; )
    {
      guint band = killed < G_N_ELEMENTS (first) && counter < G_N_ELEMENTS (first)
                     ? es_simulation_nearest_band (self, first[counter])
                     : es_random_mix (es_simulation_random_key (self, ES_RANDOM_DEAD, counter)) % self->bands;
      counter++;
      if (self->good[band])
        killed++;
      self->good[band] = FALSE;
    }
}

static void
prepare_bands (EsSimulation *self, guint dead)
{
  self->wavelength = g_new (double, self->bands);
  self->good = g_new (gboolean, self->bands);
  self->spectra = g_new (float, (gsize) self->bands * ES_N_MATERIALS);
  self->noise_scale = g_new (float, self->bands);
  for (guint b = 0; b < self->bands; b++)
    {
      self->wavelength[b] = self->bands > 1 ? 400 + 2100.0 * b / (self->bands - 1) : 550;
      self->good[b] = TRUE;
      for (guint k = 0; k < ES_N_MATERIALS; k++)
        self->spectra[b * ES_N_MATERIALS + k] =
          es_material_reflectance (k, self->wavelength[b]) * self->storage->scale;
      self->noise_scale[b] = self->noise * es_sensor_noise (self->wavelength[b]) * self->storage->scale;
    }
  kill_bands (self, dead);
}

static void
prepare (EsSimulation *self, EsParams *params)
{
  g_mutex_init (&self->mutex);
  self->width = es_params_get_int (params, "width");
  self->height = es_params_get_int (params, "height");
  self->bands = es_params_get_int (params, "bands");
  self->seed = es_params_get_int (params, "seed");
  self->type = es_params_get_choice (params, "type");
  self->storage = &storages[self->type];
  self->interleave = es_params_get_choice (params, "interleave");
  self->swap = (es_params_get_choice (params, "byte-order") == 1) != (G_BYTE_ORDER == G_BIG_ENDIAN);
  self->noise = es_params_get_float (params, "noise");
  self->stripes = es_params_get_float (params, "stripes");
  prepare_bands (self, es_params_get_int (params, "dead-bands"));
  es_simulation_prepare_tiles (self);
}

gboolean
es_simulate_check_ending (const char *path, const char * const *endings, GError **error)
{
  g_autofree char *name = g_path_get_basename (path), *lower = g_ascii_strdown (name, -1);
  g_autofree char *listed = g_strjoinv (", ", (char **) endings);

  for (const char * const *ending = endings; *ending != NULL; ending++)
    if (g_str_has_suffix (lower, *ending) && strlen (lower) > strlen (*ending))
      return TRUE;
  if (strchr (name, '.') == NULL)
    return TRUE;
  g_autofree char *shown = g_filename_display_name (name);
  g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
               _("“%s” cannot be written: its name has to end in what it will be, %s."), shown, listed);
  return FALSE;
}

gboolean
es_simulate_check_space (const char *path, guint64 bytes, GError **error)
{
  g_autofree char *directory = g_path_get_dirname (path);
  struct statvfs space;

  if (statvfs (directory, &space) != 0 || (guint64) space.f_bavail * space.f_frsize >= bytes)
    return TRUE;

  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autofree char *name = es_error_file_name (file);
  g_autofree char *needed = g_format_size (bytes);
  g_autofree char *there = g_format_size ((guint64) space.f_bavail * space.f_frsize);
  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_WRITE,
               _("“%s” could not be written: it needs %s, but only %s are free on the disk."),
               name, needed, there);
  return FALSE;
}

/* ---- the files ---- */

/* What es_simulation_endmembers () begins with. */
#define ENDMEMBERS_HEAD "Wavelength (nm),"

static gboolean
write_text (EsOutputs *outputs, const char *path, const GString *text, GError **error)
{
  const EsOutput *output = es_outputs_add (outputs, path, FALSE, error);

  return output != NULL && es_file_write (output->fd, output->path, text->str, text->len, error);
}

static const EsOutput *
add_reserved (EsOutputs *outputs, const char *path, guint64 bytes, GError **error)
{
  const EsOutput *output = es_outputs_add (outputs, path, FALSE, error);

  return output != NULL && es_file_reserve (output->fd, output->path, bytes, error) ? output : NULL;
}

gboolean
es_simulate_cube (GFile *target, EsParams *params, void (*progress) (double fraction, gpointer data),
                  gpointer data, GCancellable *cancellable, GError **error)
{
  g_auto (EsSimulation) self = { .cancellable = cancellable };
  g_autoptr (EsOutputs) outputs = es_outputs_new ();
  g_autofree char *path = es_output_local_path (target, error);
  g_autofree char *cube_path = NULL, *header_path = NULL, *stem = NULL;
  guint64 pixels, cube_bytes, truth_bytes, bytes;

  prepare (&self, params);
  if (path == NULL || g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  g_autofree char *own_ending = g_strconcat (".", es_params_get_choice_id (params, "interleave"), NULL);
  const char *const endings[] = { ".img", ".hdr", ".dat", ".raw", ".bin", ".envi", own_ending, NULL };
  if (!es_simulate_check_ending (path, endings, error))
    return FALSE;

  if (!g_uint64_checked_mul (&pixels, self.width, self.height)
      || !g_uint64_checked_mul (&cube_bytes, pixels, self.bands * self.storage->size)
      || !g_uint64_checked_mul (&truth_bytes, pixels, ES_N_MATERIALS * sizeof (float))
      || !g_uint64_checked_add (&bytes, cube_bytes, truth_bytes) || bytes > G_MAXINT64)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_SIZE,
                   _("A cube of %llu × %llu pixels and %u bands is too large for a file."),
                   (unsigned long long) self.width, (unsigned long long) self.height, self.bands);
      return FALSE;
    }

  es_envi_paths (path, &cube_path, &header_path, &stem);
  g_autofree char *truth_path = g_strconcat (stem, "_abundances.img", NULL);
  g_autofree char *truth_header_path = g_strconcat (stem, "_abundances.hdr", NULL);
  g_autofree char *endmembers_path = g_strconcat (stem, "_endmembers.csv", NULL);
  if (!es_companion_is_agreed (target)
      && (!es_companion_check (cube_path, header_path, NULL, error)
          || !es_companion_check (cube_path, truth_path, NULL, error)
          || !es_companion_check (truth_path, truth_header_path, NULL, error)
          || !es_companion_check (cube_path, endmembers_path, NULL, error)
          || !es_simulate_check_earlier ((const char *[]) { cube_path, header_path, truth_path, truth_header_path,
                                                           NULL }, endmembers_path, ENDMEMBERS_HEAD, error)))
    return FALSE;
  if (!es_strays_check (cube_path, error) || !es_strays_check (truth_path, error))
    return FALSE;
  if (!es_simulate_check_space (cube_path, bytes, error)
      || (self.cube = add_reserved (outputs, cube_path, cube_bytes, error)) == NULL
      || (self.abundances = add_reserved (outputs, truth_path, truth_bytes, error)) == NULL)
    return FALSE;

  es_scene_init (&self.scene, self.width, self.height, self.seed, es_params_get_float (params, "relief"),
                 es_params_get_float (params, "no-data"));
  self.scene.independent = es_params_get_choice (params, "sources") == 1;
  if (!es_simulation_make_cube (&self, progress, data, error))
    return FALSE;

  g_autoptr (GString) header = es_simulation_cube_header (&self, params);
  g_autoptr (GString) truth_header = es_simulation_truth_header (&self, params);
  g_autoptr (GString) endmembers = es_simulation_endmembers (&self);
  return write_text (outputs, truth_header_path, truth_header, error)
         && write_text (outputs, endmembers_path, endmembers, error)
         && write_text (outputs, header_path, header, error)
         && es_outputs_commit (outputs, error);
}
