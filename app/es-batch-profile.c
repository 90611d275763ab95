/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Profiles: what the bands of a cube hold along a line. */

#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "cube/es-cube-taken.h"
#include "es-batch.h"
#include "opening/es-batch-open.h"
#include "profile/es-profile.h"
#include "saving/es-kept.h"
#include "selection/es-band-ranges.h"

typedef struct
{
  EsBatchOpen   *open;
  GFile         *file;
  GFile         *target;       /* nullable */
  const char    *bands;        /* nullable: those that take part */
  EsProfileLine *line;

  EsDataset     *dataset;
  EsProfile     *profile;
  guint         *which;        /* of each plane of the profile */
  char          *note;         /* nullable */
} Work;

static void
work_clear (Work *work)
{
  g_clear_object (&work->dataset);
  g_clear_pointer (&work->profile, es_profile_free);
  g_clear_pointer (&work->line, es_profile_line_free);
  g_free (work->which);
  g_free (work->note);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Work, work_clear)

static GStrv
make_titles (const Work *work)
{
  GStrv titles = g_new0 (char *, work->profile->n_planes + 1);

  for (guint i = 0; i < work->profile->n_planes; i++)
    titles[i] = es_cube_get_band_label (ES_CUBE (work->dataset), work->which[i]);
  return titles;
}

static gboolean *
choose_bands (Work *work, EsCube *cube, GError **error)
{
  g_autofree gboolean *which = NULL;

  if (work->bands == NULL)
    return es_cube_dup_taken (cube);
  which = g_new0 (gboolean, es_cube_get_bands (cube));
  if (!es_band_ranges_parse (work->bands, es_cube_get_wavelengths (cube), es_cube_get_good_bands (cube),
                             es_cube_get_bands (cube), which, error))
    return NULL;
  return g_steal_pointer (&which);
}

/* A table that this has written may be written again: it begins with distances. */
static gboolean
is_of_others (const char *path)
{
  g_autofree char *begin = g_strdup_printf ("%s (%s),", _("Distance"), _("pixels"));
  g_autofree char *head = g_malloc0 (strlen (begin) + 1);
  FILE *file = g_file_test (path, G_FILE_TEST_IS_REGULAR) ? g_fopen (path, "r") : NULL;
  gsize n;

  if (file == NULL)
    return FALSE;
  n = fread (head, 1, strlen (begin), file);
  fclose (file);
  return n > 0 && strcmp (head, begin) != 0;
}

/* What is in the way is kept, and told. */
static gboolean
write_table (Work *work, EsCurve *curve, GCancellable *cancellable, GError **error)
{
  const char *path = g_file_peek_path (work->target);
  g_autoptr (GPtrArray) kept = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *names = NULL;

  if (path != NULL && is_of_others (path) && !es_kept_add (kept, path, cancellable, error))
    return FALSE;
  if (!es_write_curve_csv (curve, work->target, error))
    {
      es_kept_forget (kept);
      return FALSE;
    }
  if ((names = es_kept_names (kept)) != NULL)
    {
      g_autofree char *name = g_file_get_basename (work->target), *shown = g_filename_display_name (name);

      work->note = g_strdup_printf (_("“%s” was there already; what was in it is kept as %s."), shown, names);
    }
  return TRUE;
}

static gboolean
run_profile (gpointer data, GCancellable *cancellable, GError **error)
{
  Work *work = data;
  g_autoptr (GPtrArray) files = g_ptr_array_new ();
  g_autofree gboolean *which = NULL;
  g_autofree char *refused = NULL;
  guint n = 0;
  EsCube *cube;

  g_ptr_array_add (files, work->file);
  if ((work->dataset = es_batch_open (work->open, files, cancellable, error)) == NULL)
    return FALSE;
  if (!ES_IS_CUBE (work->dataset))
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
                   _("“%s” is no cube, and one was expected."), es_dataset_get_name (work->dataset));
      return FALSE;
    }
  cube = ES_CUBE (work->dataset);
  if ((refused = es_cube_dup_refused (cube)) != NULL)
    g_printerr ("eigenscope-batch: %s\n", refused);
  if ((which = choose_bands (work, cube, error)) == NULL)
    return FALSE;
  work->which = g_new (guint, es_cube_get_bands (cube));
  for (guint b = 0; b < es_cube_get_bands (cube); b++)
    if (which[b])
      work->which[n++] = b;
  work->profile = es_profile_of_cube (work->line, cube, n, work->which, cancellable, error);
  if (work->profile == NULL || work->target == NULL)
    return work->profile != NULL;

  g_auto (GStrv) titles = make_titles (work);
  g_autoptr (EsCurve) curve = es_profile_to_curve (work->profile, (const char * const *) titles,
                                                   es_cube_name_unit (cube));
  return write_table (work, curve, cancellable, error);
}

/* ---- what is printed ---- */

static void
add_list (JsonBuilder *builder, const char *name, const double *values, guint n, guint stride)
{
  json_builder_set_member_name (builder, name);
  if (values == NULL)
    {
      json_builder_add_null_value (builder);
      return;
    }
  json_builder_begin_array (builder);
  for (guint i = 0; i < n; i++)
    if (isfinite (values[i * stride]))
      json_builder_add_double_value (builder, values[i * stride]);
    else
      json_builder_add_null_value (builder);
  json_builder_end_array (builder);
}

static void
print_json (const Work *work)
{
  const EsProfile *profile = work->profile;
  const double *wavelengths = es_cube_get_wavelengths (ES_CUBE (work->dataset));
  g_autofree char *line = es_profile_line_format (work->line);
  g_auto (GStrv) titles = make_titles (work);
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "cube");
  json_builder_add_string_value (builder, es_dataset_get_name (work->dataset));
  json_builder_set_member_name (builder, "line");
  json_builder_add_string_value (builder, line);
  json_builder_set_member_name (builder, "sampling");
  json_builder_add_string_value (builder, es_profile_sampling_id (work->line->sampling));
  json_builder_set_member_name (builder, "width");
  json_builder_add_int_value (builder, work->line->width);
  add_list (builder, "distance_pixels", profile->distances, profile->n, 1);
  add_list (builder, "distance_m", profile->metres, profile->n, 1);
  add_list (builder, "x", &profile->places->x, profile->n, 2);
  add_list (builder, "y", &profile->places->y, profile->n, 2);
  json_builder_set_member_name (builder, "bands");
  json_builder_begin_array (builder);
  for (guint i = 0; i < profile->n_planes; i++)
    {
      json_builder_begin_object (builder);
      json_builder_set_member_name (builder, "band");
      json_builder_add_int_value (builder, work->which[i] + 1);
      json_builder_set_member_name (builder, "title");
      json_builder_add_string_value (builder, titles[i]);
      if (wavelengths != NULL)
        {
          json_builder_set_member_name (builder, "wavelength_nm");
          json_builder_add_double_value (builder, wavelengths[work->which[i]]);
        }
      add_list (builder, "values", profile->values + (gsize) i * profile->n, profile->n, 1);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  es_batch_print_json (json_builder_get_root (builder));
}

static void
print_table (const Work *work)
{
  const EsProfile *profile = work->profile;
  g_auto (GStrv) titles = make_titles (work);

  g_print ("%s\t", _("Distance (pixels)"));
  if (profile->metres != NULL)
    g_print ("%s\t", _("Distance (m)"));
  g_print ("x\ty");
  for (guint i = 0; i < profile->n_planes; i++)
    g_print ("\t%s", titles[i]);
  g_print ("\n");
  for (guint k = 0; k < profile->n; k++)
    {
      g_print ("%.9g\t", profile->distances[k]);
      if (profile->metres != NULL)
        g_print ("%.9g\t", profile->metres[k]);
      g_print ("%.9g\t%.9g", profile->places[k].x, profile->places[k].y);
      for (guint i = 0; i < profile->n_planes; i++)
        {
          const double value = profile->values[(gsize) i * profile->n + k];

          if (isnan (value))
            g_print ("\t");
          else
            g_print ("\t%.7g", value);
        }
      g_print ("\n");
    }
}

/* ---- the verb ---- */

/* "line=...": FALSE after having said what is wrong. */
static gboolean
take_setting (Work *work, const char *argument, guint *width, EsProfileSampling *sampling, int *status)
{
  const char *value = strchr (argument, '=') + 1;
  g_autoptr (GError) error = NULL;
  guint64 number;

  if (g_str_has_prefix (argument, "line="))
    {
      g_clear_pointer (&work->line, es_profile_line_free);
      work->line = es_profile_line_parse (value, &error);
      *status = work->line == NULL ? es_batch_fail (error) : ES_EXIT_DONE;
    }
  else if (g_str_has_prefix (argument, "bands="))
    work->bands = value;
  else if (g_str_has_prefix (argument, "width="))
    {
      if (!g_ascii_string_to_unsigned (value, 10, 1, ES_PROFILE_MOST_WIDTH, &number, NULL) || number % 2 == 0)
        *status = es_batch_usage (_("width= takes an odd number from 1 to %u"), ES_PROFILE_MOST_WIDTH);
      *width = (guint) number;
    }
  else if (g_str_has_prefix (argument, "sampling="))
    {
      if (!es_profile_sampling_find (value, sampling))
        *status = es_batch_usage (_("sampling= takes nearest or bilinear"));
    }
  else
    *status = es_batch_usage (_("“profile” has no setting “%s”: line, bands, width and sampling are there"), argument);
  return *status == ES_EXIT_DONE;
}

int
es_batch_profile (int argc, char **argv)
{
  g_autofree char *output = NULL;
  gboolean json = FALSE;
  g_auto (EsBatchOpen) open = { 0 };
  GOptionEntry entries[2 + 1 + ES_BATCH_OPEN_ENTRIES] = {
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &output, N_("File to be written: .csv"), N_("FILE") },
    { "json", 0, 0, G_OPTION_ARG_NONE, &json, N_("Print JSON"), NULL },
    G_OPTION_ENTRY_NULL
  };
  g_autoptr (GFile) file = NULL, target = NULL;
  g_auto (Work) work = { .open = &open };
  EsProfileSampling sampling = ES_PROFILE_NEAREST;
  guint width = 1;
  int status = ES_EXIT_DONE;
  g_autoptr (GError) error = NULL;

  if (!es_batch_catch_signals ())
    return ES_EXIT_DEVICE;
  es_batch_open_add_entries (&open, entries);
  if (!es_batch_parse_options (entries,
                               _("profile FILE line=X,Y,X,Y[,X,Y ...] [bands=LIST] [width=N] "
                                 "[sampling=nearest|bilinear] [-o FILE]: what bands of a cube hold along a line "
                                 "from the middle of a pixel to that of another; without bands=, those that take "
                                 "part."), &argc, &argv))
    return ES_EXIT_USAGE;
  for (int i = 1; i < argc; i++)
    {
      if (es_batch_is_parameter (argv[i]))
        {
          if (!take_setting (&work, argv[i], &width, &sampling, &status))
            return status;
        }
      else if (file != NULL)
        return es_batch_usage (_("“profile” takes one cube"));
      else
        file = es_batch_file (argv[i]);
    }
  if (file == NULL || work.line == NULL)
    return es_batch_usage (_("“profile” needs a cube and a line, such as line=10,20,30,40"));
  if (!es_batch_open_settle (&open))
    return ES_EXIT_USAGE;
  work.line->width = width;
  work.line->sampling = sampling;
  work.file = file;
  work.target = target = output != NULL ? es_batch_file (output) : NULL;
  if (!es_batch_work (run_profile, &work, &error))
    return es_batch_fail (error);
  if (work.note != NULL)
    g_printerr ("eigenscope-batch: %s\n", work.note);
  if (json)
    print_json (&work);
  else if (target == NULL)
    print_table (&work);
  return ES_EXIT_DONE;
}
