/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Spectral libraries: what is in them, at the bands of a cube, and what of them a pixel is like. */

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "cube/es-cube-taken.h"
#include "es-batch.h"
#include "opening/es-batch-open.h"

typedef struct
{
  EsBatchOpen  *open;
  GPtrArray    *files;         /* of GFile: the library */
  GFile        *cube;          /* nullable */
  GFile        *target;        /* nullable */
  EsSpectraOptions options;
  const char   *place;         /* "12,34", or a region */
  EsMatchKind   by;
  guint         most;

  EsSpectralLibrary *library;
  EsDataset    *dataset;
  EsSpectralMatch *matches;
  guint         n_matches, n_compared, n_bands;
} Work;

static void
work_clear (Work *work)
{
  g_clear_object (&work->library);
  g_clear_object (&work->dataset);
  g_free (work->matches);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Work, work_clear)

static EsCube *
open_cube (Work *work, GCancellable *cancellable, GError **error)
{
  g_autoptr (GPtrArray) files = g_ptr_array_new ();

  g_ptr_array_add (files, work->cube);
  work->dataset = es_batch_open (work->open, files, cancellable, error);
  if (work->dataset == NULL)
    return NULL;
  if (ES_IS_CUBE (work->dataset))
    {
      g_autofree char *refused = es_cube_dup_refused (ES_CUBE (work->dataset));

      if (refused != NULL)
        g_printerr ("eigenscope-batch: %s\n", refused);
      return ES_CUBE (work->dataset);
    }
  g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
               _("“%s” is no cube, and one was expected."), es_dataset_get_name (work->dataset));
  return NULL;
}

static gboolean
load_library (Work *work, GCancellable *cancellable, GError **error)
{
  work->library = es_spectral_library_load ((GFile *const *) work->files->pdata, work->files->len, &work->options,
                                            cancellable, error);
  return work->library != NULL;
}

/* ---- spectra ---- */

static gboolean
run_spectra (gpointer data, GCancellable *cancellable, GError **error)
{
  Work *work = data;

  if (!load_library (work, cancellable, error))
    return FALSE;
  if (work->cube != NULL)
    {
      EsCube *cube = open_cube (work, cancellable, error);
      g_autoptr (EsSpectralAxis) axis = cube != NULL ? es_spectral_axis_of_cube (cube) : NULL;
      g_autoptr (EsSpectralLibrary) read = NULL;

      if (axis == NULL)
        return FALSE;
      read = g_steal_pointer (&work->library);
      if ((work->library = es_spectral_library_resample (read, axis, cancellable, error)) == NULL)
        return FALSE;
      /* What was said of the files comes first; they stay open as long as the program. */
      for (const char *const *note = es_spectral_library_get_notes (read); *note != NULL; note++)
        es_spectral_library_add_note (work->library, "%s", *note);
      if (work->target == NULL)
        return TRUE;
      return es_spectral_library_save (work->library, work->target, error);
    }
  return work->target == NULL || es_spectral_library_save (work->library, work->target, error);
}

static void
add_notes (JsonBuilder *builder, EsSpectralLibrary *library)
{
  json_builder_set_member_name (builder, "notes");
  json_builder_begin_array (builder);
  for (const char *const *note = es_spectral_library_get_notes (library); *note != NULL; note++)
    json_builder_add_string_value (builder, *note);
  json_builder_end_array (builder);
}

static void
add_number (JsonBuilder *builder, const char *name, double value)
{
  json_builder_set_member_name (builder, name);
  if (isfinite (value))
    json_builder_add_double_value (builder, value);
  else
    json_builder_add_null_value (builder);
}

static void
add_text (JsonBuilder *builder, const char *name, const char *text)
{
  json_builder_set_member_name (builder, name);
  if (text != NULL)
    json_builder_add_string_value (builder, text);
  else
    json_builder_add_null_value (builder);
}

static void
add_list (JsonBuilder *builder, const char *name, guint n, const double *values)
{
  json_builder_set_member_name (builder, name);
  if (values == NULL)
    {
      json_builder_add_null_value (builder);
      return;
    }
  json_builder_begin_array (builder);
  for (guint i = 0; i < n; i++)
    if (isfinite (values[i]))
      json_builder_add_double_value (builder, values[i]);
    else
      json_builder_add_null_value (builder);
  json_builder_end_array (builder);
}

/* An axis that the spectrum before has, too, is not told again. */
static void
print_library_json (EsSpectralLibrary *library)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  const EsSpectralAxis *last = NULL;

  json_builder_begin_object (builder);
  add_text (builder, "name", es_spectral_library_get_name (library));
  add_text (builder, "format", es_spectral_library_get_format (library));
  add_text (builder, "unit", es_spectral_library_get_unit (library));
  add_notes (builder, library);
  json_builder_set_member_name (builder, "spectra");
  json_builder_begin_array (builder);
  for (guint i = 0; i < es_spectral_library_get_n (library); i++)
    {
      EsSpectrum *spectrum = es_spectral_library_get (library, i);
      const EsSpectralAxis *axis = es_spectrum_get_axis (spectrum);
      const guint n = es_spectral_axis_get_n (axis);

      json_builder_begin_object (builder);
      add_text (builder, "name", es_spectrum_get_name (spectrum));
      if (axis != last)
        {
          add_list (builder, "wavelengths_nm", n, es_spectral_axis_get_wavelengths (axis));
          add_list (builder, "fwhm_nm", n, es_spectral_axis_get_fwhm (axis));
        }
      add_list (builder, "values", n, es_spectrum_get_values (spectrum));
      json_builder_end_object (builder);
      last = axis;
    }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  es_batch_print_json (json_builder_get_root (builder));
}

static void
print_library (EsSpectralLibrary *library)
{
  g_autofree char *words = es_spectral_library_describe (library);

  g_print ("%s: %s\n", es_spectral_library_get_name (library), words);
  for (const char *const *note = es_spectral_library_get_notes (library); *note != NULL; note++)
    g_print ("  %s\n", *note);
  for (guint i = 0; i < es_spectral_library_get_n (library); i++)
    {
      EsSpectrum *spectrum = es_spectral_library_get (library, i);

      g_print ("  %4u  ", i + 1);
      g_print (g_dngettext (GETTEXT_PACKAGE, "%s (%u of %u band)", "%s (%u of %u bands)", es_spectrum_get_n (spectrum)),
               es_spectrum_get_name (spectrum), es_spectrum_count_valid (spectrum), es_spectrum_get_n (spectrum));
      g_print ("\n");
    }
}

int
es_batch_spectra (int argc, char **argv)
{
  g_autofree char *output = NULL, *resample = NULL, *unit = NULL, *waves = NULL;
  gboolean json = FALSE;
  g_auto (EsBatchOpen) open = { 0 };
  GOptionEntry entries[5 + ES_BATCH_OPEN_ENTRIES] = {
    { "resample", 0, 0, G_OPTION_ARG_FILENAME, &resample, N_("Bring the spectra to the bands of this cube"),
      N_("CUBE") },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &output, N_("File to be written: .sli, with its header, or .csv"),
      N_("FILE") },
    { "unit", 0, 0, G_OPTION_ARG_STRING, &unit, N_("Unit of the wavelengths in text files: nm, um or cm-1"),
      N_("UNIT") },
    { "wavelengths", 0, 0, G_OPTION_ARG_FILENAME, &waves, N_("File of wavelengths, for text of USGS"), N_("FILE") },
    { "json", 0, 0, G_OPTION_ARG_NONE, &json, N_("Print JSON"), NULL },
    G_OPTION_ENTRY_NULL
  };
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GFile) cube = NULL, target = NULL, list = NULL;
  g_auto (Work) work = { .open = &open, .files = files };
  g_autoptr (GError) error = NULL;

  if (!es_batch_catch_signals ())
    return ES_EXIT_DEVICE;
  es_batch_open_add_entries (&open, entries);
  if (!es_batch_parse_options (entries,
                               _("spectra FILE... [--resample CUBE] [-o FILE]: what is in spectral libraries "
                                 "(ENVI, CSV, text of USGS and ECOSTRESS), at the bands of a cube, as a library."),
                               &argc, &argv))
    return ES_EXIT_USAGE;
  if (argc < 2)
    return es_batch_usage (_("“spectra” needs a spectral library"));
  if (!es_batch_open_settle (&open))
    return ES_EXIT_USAGE;
  for (int i = 1; i < argc; i++)
    g_ptr_array_add (files, es_batch_file (argv[i]));
  work.cube = cube = resample != NULL ? es_batch_file (resample) : NULL;
  work.target = target = output != NULL ? es_batch_file (output) : NULL;
  list = waves != NULL ? es_batch_file (waves) : NULL;
  work.options = (EsSpectraOptions) { unit, list };
  if (!es_batch_work (run_spectra, &work, &error))
    return es_batch_fail (error);
  if (json)
    print_library_json (work.library);
  else
    print_library (work.library);
  return ES_EXIT_DONE;
}

/* ---- match ---- */

static EsRegion *
parse_place (const char *text, EsCube *cube, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (text, ",", 3);
  guint64 x, y;

  if (g_strv_length (parts) != 2 || !g_ascii_string_to_unsigned (parts[0], 10, 0, G_MAXUINT32, &x, NULL)
      || !g_ascii_string_to_unsigned (parts[1], 10, 0, G_MAXUINT32, &y, NULL))
    return es_region_parse (text, error);
  if (x < es_cube_get_width (cube) && y < es_cube_get_height (cube))
    return es_region_new_rectangle ((gint64) x, (gint64) y, 1, 1);
  g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
               _("The pixel %s lies outside of “%s”, which has %u × %u pixels."), text,
               es_dataset_get_name (ES_DATASET (cube)), (guint) es_cube_get_width (cube),
               (guint) es_cube_get_height (cube));
  return NULL;
}

static gboolean
run_match (gpointer data, GCancellable *cancellable, GError **error)
{
  Work *work = data;
  EsCube *cube = open_cube (work, cancellable, error);
  g_autoptr (EsRegion) told = cube != NULL ? parse_place (work->place, cube, error) : NULL;
  g_autoptr (EsRegion) region = told != NULL ? es_cube_cut_region (cube, told, error) : NULL;
  g_autoptr (EsSpectralAxis) axis = NULL;
  g_autoptr (EsSpectralMatcher) matcher = NULL;
  g_autofree double *values = NULL;
  g_autofree gboolean *taken = NULL;

  if (region == NULL || !load_library (work, cancellable, error))
    return FALSE;
  axis = es_spectral_axis_of_cube (cube);
  taken = es_cube_dup_taken (cube);
  values = g_new (double, es_cube_get_bands (cube));
  matcher = es_spectral_matcher_new (work->library, axis, taken, cancellable, error);
  if (matcher == NULL || !es_region_read_spectra (region, cube, values, NULL, NULL, NULL, cancellable, error))
    return FALSE;
  for (guint i = 0; i < es_cube_get_bands (cube); i++)
    {
      values[i] = taken[i] ? values[i] : NAN;
      work->n_bands += isfinite (values[i]);
    }
  if (work->n_bands == 0)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_EMPTY, _("“%s” has no values at %s."),
                   es_dataset_get_name (work->dataset), work->place);
      return FALSE;
    }
  for (const char *const *note = es_spectral_library_get_notes (es_spectral_matcher_get_resampled (matcher));
       *note != NULL; note++)
    es_spectral_library_add_note (work->library, "%s", *note);
  work->matches = g_new (EsSpectralMatch, work->most + 1);
  work->n_matches = es_spectral_matcher_search (matcher, values, work->by, work->most, work->matches,
                                                &work->n_compared);
  return TRUE;
}

static void
print_matches_json (const Work *work)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_object (builder);
  add_text (builder, "cube", es_dataset_get_name (work->dataset));
  add_text (builder, "place", work->place);
  add_text (builder, "library", es_spectral_library_get_name (work->library));
  add_text (builder, "by", work->by == ES_MATCH_ANGLE ? "angle" : "fit");
  json_builder_set_member_name (builder, "bands");
  json_builder_add_int_value (builder, work->n_bands);
  json_builder_set_member_name (builder, "compared");
  json_builder_add_int_value (builder, work->n_compared);
  json_builder_set_member_name (builder, "spectra");
  json_builder_add_int_value (builder, es_spectral_library_get_n (work->library));
  add_notes (builder, work->library);
  json_builder_set_member_name (builder, "matches");
  json_builder_begin_array (builder);
  for (guint i = 0; i < work->n_matches; i++)
    {
      const EsSpectralMatch *match = &work->matches[i];

      json_builder_begin_object (builder);
      add_text (builder, "name", es_spectrum_get_name (es_spectral_library_get (work->library, match->index)));
      json_builder_set_member_name (builder, "number");
      json_builder_add_int_value (builder, match->index + 1);
      add_number (builder, "angle_rad", match->angle);
      add_number (builder, "fit", match->fit);
      add_number (builder, "depth", match->depth);
      json_builder_set_member_name (builder, "bands");
      json_builder_add_int_value (builder, match->n_bands);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  es_batch_print_json (json_builder_get_root (builder));
}

static void
print_matches (const Work *work)
{
  g_print (_("%s at %s (%u bands) beside %s: %u of %u spectra have bands enough to compare\n"),
           es_dataset_get_name (work->dataset), work->place, work->n_bands,
           es_spectral_library_get_name (work->library), work->n_compared, es_spectral_library_get_n (work->library));
  for (const char *const *note = es_spectral_library_get_notes (work->library); *note != NULL; note++)
    g_print ("  %s\n", *note);
  g_print (_("   angle (rad)     fit   depth  bands  name\n"));
  for (guint i = 0; i < work->n_matches; i++)
    {
      const EsSpectralMatch *match = &work->matches[i];

      g_print ("  %12.5f", match->angle);
      if (isnan (match->fit))
        g_print ("  %6s  %6s", "-", "-");
      else
        g_print ("  %6.4f  %6.3f", match->fit, match->depth);
      g_print ("  %5u  %s\n", match->n_bands, es_spectrum_get_name (es_spectral_library_get (work->library,
                                                                                             match->index)));
    }
}

int
es_batch_match (int argc, char **argv)
{
  g_autofree char *by = NULL, *unit = NULL, *waves = NULL;
  int most = 10;
  gboolean json = FALSE;
  g_auto (EsBatchOpen) open = { 0 };
  GOptionEntry entries[5 + ES_BATCH_OPEN_ENTRIES] = {
    { "by", 0, 0, G_OPTION_ARG_STRING, &by, N_("angle: between the spectra; fit: of absorption features"),
      N_("angle|fit") },
    { "most", 0, 0, G_OPTION_ARG_INT, &most, N_("Spectra that are told at most"), N_("N") },
    { "unit", 0, 0, G_OPTION_ARG_STRING, &unit, N_("Unit of the wavelengths in text files: nm, um or cm-1"),
      N_("UNIT") },
    { "wavelengths", 0, 0, G_OPTION_ARG_FILENAME, &waves, N_("File of wavelengths, for text of USGS"), N_("FILE") },
    { "json", 0, 0, G_OPTION_ARG_NONE, &json, N_("Print JSON"), NULL },
    G_OPTION_ENTRY_NULL
  };
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GFile) cube = NULL, list = NULL;
  g_auto (Work) work = { .open = &open, .files = files };
  g_autoptr (GError) error = NULL;

  if (!es_batch_catch_signals ())
    return ES_EXIT_DEVICE;
  es_batch_open_add_entries (&open, entries);
  if (!es_batch_parse_options (entries,
                               _("match CUBE X,Y|REGION LIBRARY...: the spectra of libraries that a pixel, or the "
                                 "mean of a region (“rectangle X Y W H”), is like."), &argc, &argv))
    return ES_EXIT_USAGE;
  if (argc < 4)
    return es_batch_usage (_("“match” needs a cube, a pixel such as 12,34, and a spectral library"));
  if (by != NULL && strcmp (by, "angle") != 0 && strcmp (by, "fit") != 0)
    return es_batch_usage (_("--by takes angle or fit"));
  if (most < 1 || most > 100000)
    return es_batch_usage (_("--most takes a number from 1 to 100000"));
  if (!es_batch_open_settle (&open))
    return ES_EXIT_USAGE;
  work.cube = cube = es_batch_file (argv[1]);
  work.place = argv[2];
  for (int i = 3; i < argc; i++)
    g_ptr_array_add (files, es_batch_file (argv[i]));
  work.by = by != NULL && strcmp (by, "fit") == 0 ? ES_MATCH_FIT : ES_MATCH_ANGLE;
  work.most = (guint) most;
  list = waves != NULL ? es_batch_file (waves) : NULL;
  work.options = (EsSpectraOptions) { unit, list };
  if (!es_batch_work (run_match, &work, &error))
    return es_batch_fail (error);
  if (json)
    print_matches_json (&work);
  else
    print_matches (&work);
  return ES_EXIT_DONE;
}
