/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Three planes as red, green and blue, in a file: the pixels that the window would save. */

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "es-batch-composite.h"
#include "es-batch.h"
#include "opening/es-batch-open.h"
#include "plane/es-composite.h"
#include "session/es-result-load.h"
#include "session/es-result-info.h"
#include "writers/es-writer.h"

static const EsParamChoice curves[] = {
  { "linear", N_("Linear") },
  { "square-root", N_("Square root") },
  { "logarithm", N_("Logarithm") },
  { "gaussian", N_("Gaussian") },
  { "equalise", N_("Equalized") },
  { .id = NULL }
};

const EsParamSpec es_batch_composite_params[] = {
  { .key = "rgb", .label = N_("Red, green and blue"), .type = ES_PARAM_TEXT,
    .help = N_("Three planes with commas between them, or a preset.") },
  { .key = "cut", .label = N_("Cut"), .type = ES_PARAM_FLOAT, .unit = "%", .maximum = 0.49, .default_value = 0.02,
    .digits = 1, .help = N_("How much of the histogram is cut off at both ends.") },
  { .key = "deviations", .label = N_("Standard deviations"), .type = ES_PARAM_FLOAT, .maximum = 100, .digits = 1,
    .help = N_("Instead: so many of them either way of the mean.") },
  { .key = "curve", .label = N_("Curve"), .type = ES_PARAM_CHOICE, .choices = curves,
    .help = N_("How values are spread between both ends.") },
  { .key = "linked", .label = N_("Linked"), .type = ES_PARAM_BOOL,
    .help = N_("Red, green and blue have one stretch, the widest of theirs.") },
  { .key = "limits", .label = N_("Limits"), .type = ES_PARAM_TEXT,
    .help = N_("Instead: LOW:HIGH for all three, or three of them with commas between; an empty one is worked out.") },
  { .type = ES_PARAM_END }
};

/* A plane of a cube, or of a stack of a result. */
typedef struct
{
  EsCube       *cube;
  EsImageStack *stack;
  guint         plane;
  EsCube       *of;            /* whose place is its; nullable */
} Channel;

static gboolean
refuse (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);

static gboolean
refuse (GError **error, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_autofree char *sentence = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_set_error_literal (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER, sentence);
  return FALSE;
}

/* ---- which planes ---- */

static guint64
get_width (const Channel *channel)
{
  return channel->cube != NULL ? es_cube_get_width (channel->cube) : es_image_stack_get_width (channel->stack);
}

static guint64
get_height (const Channel *channel)
{
  return channel->cube != NULL ? es_cube_get_height (channel->cube) : es_image_stack_get_height (channel->stack);
}

static guint
get_n (const Channel *channel)
{
  return channel->cube != NULL ? es_cube_get_bands (channel->cube) : es_image_stack_get_planes (channel->stack);
}

static char *
make_title (const Channel *channel, guint plane)
{
  const char *title;

  if (channel->cube != NULL)
    return es_cube_get_band_label (channel->cube, plane);
  title = es_image_stack_get_plane_title (channel->stack, plane);
  return title != NULL ? g_strdup (title) : g_strdup_printf (_("plane %u"), plane + 1);
}

static int
find_wavelength (const Channel *channel, double nanometres)
{
  const double *wavelengths;
  int nearest = -1;

  if (channel->cube != NULL)
    return es_cube_find_wavelength (channel->cube, nanometres);
  wavelengths = es_image_stack_get_wavelengths (channel->stack);
  for (guint i = 0; wavelengths != NULL && i < get_n (channel); i++)
    if (isfinite (wavelengths[i]) && (nearest < 0 || fabs (wavelengths[i] - nanometres)
                                                     < fabs (wavelengths[nearest] - nanometres)))
      nearest = (int) i;
  return nearest;
}

/* The first stack of a result are its components. */
static EsImageStack *
find_stack (EsResult *result, const char *name)
{
  GListModel *layers = es_result_get_layers (result);

  for (guint i = 0; i < g_list_model_get_n_items (layers); i++)
    {
      g_autoptr (EsLayer) layer = g_list_model_get_item (layers, i);

      /* The result keeps it. */
      if (ES_IS_IMAGE_STACK (layer) && (name == NULL || strcmp (es_layer_get_name (layer), name) == 0))
        return ES_IMAGE_STACK (layer);
    }
  return NULL;
}

static gboolean
choose_thing (GPtrArray *things, guint number, const char *layer, Channel *channel, GError **error)
{
  EsDataset *dataset;
  gpointer thing;

  if (number < 1 || number > things->len)
    return refuse (error, _("There is no file %u: %u are given."), number, things->len);
  thing = g_ptr_array_index (things, number - 1);
  dataset = ES_IS_CUBE (thing) ? thing : es_result_get_dataset (thing);
  channel->of = ES_IS_CUBE (dataset) ? ES_CUBE (dataset) : NULL;
  if (ES_IS_CUBE (thing) && layer == NULL)
    channel->cube = thing;
  else if (ES_IS_CUBE (thing))
    return refuse (error, _("“%s” is a cube, which has no layer “%s”."), es_dataset_get_name (thing), layer);
  else if ((channel->stack = find_stack (thing, layer)) == NULL)
    return layer != NULL ? refuse (error, _("“%s” has no images called “%s”."), es_result_get_title (thing), layer)
                         : refuse (error, _("“%s” has no images."), es_result_get_title (thing));
  return TRUE;
}

/* "12", "640nm", "2.2 um", "PC 3". */
static gboolean
find_plane (Channel *channel, const char *text, GError **error)
{
  const guint n = get_n (channel);
  char *end;
  double number = g_ascii_strtod (text, &end);
  int found = -1;

  if (end != text)
    {
      while (*end == ' ')
        end++;
      if (*end == '\0' && number >= 1 && number <= n && number == floor (number))
        found = (int) number - 1;
      else if (*end == '\0')
        return refuse (error, _("There is no plane %s: expected a number from 1 to %u."), text, n);
      else if (strcmp (end, "nm") == 0)
        found = find_wavelength (channel, number);
      else if (strcmp (end, "um") == 0 || strcmp (end, "µm") == 0 || strcmp (end, "μm") == 0)
        found = find_wavelength (channel, 1000 * number);
    }
  for (guint i = 0; found < 0 && i < n; i++)
    {
      g_autofree char *title = make_title (channel, i);

      if (g_ascii_strcasecmp (title, text) == 0)
        found = (int) i;
    }
  if (found < 0)
    return refuse (error, _("There is no plane “%s”: expected its number, a wavelength such as 640nm, or its name."),
                   text);
  channel->plane = (guint) found;
  return TRUE;
}

/* "[FILE[/LAYER]:]PLANE". */
static gboolean
parse_channel (GPtrArray *things, const char *text, Channel *channel, GError **error)
{
  const char *colon = strchr (text, ':');
  g_autofree char *of = colon != NULL ? g_strndup (text, colon - text) : NULL;
  g_autofree char *plane = g_strstrip (g_strdup (colon != NULL ? colon + 1 : text));
  char *layer = of != NULL ? strchr (of, '/') : NULL;
  guint64 number = 1;

  if (layer != NULL)
    *layer++ = '\0';
  if (of != NULL && !g_ascii_string_to_unsigned (g_strstrip (of), 10, 1, G_MAXUINT, &number, NULL))
    return refuse (error, _("“%s” is no plane: expected FILE:PLANE, the file by its number."), text);
  return choose_thing (things, (guint) number, layer, channel, error) && find_plane (channel, plane, error);
}

static gboolean
choose_preset (GPtrArray *things, const EsCompositePreset *preset, Channel channels[3], GError **error)
{
  guint bands[3];

  for (guint i = 0; i < things->len; i++)
    {
      EsCube *cube = ES_IS_CUBE (g_ptr_array_index (things, i)) ? g_ptr_array_index (things, i) : NULL;

      if (cube == NULL)
        continue;
      if (!es_cube_pick_near (cube, preset->nanometres, bands))
        return refuse (error, _("“%s” has no bands for “%s”: expected some near %g, %g and %g nm."),
                       es_dataset_get_name (ES_DATASET (cube)), preset->id, preset->nanometres[0],
                       preset->nanometres[1], preset->nanometres[2]);
      for (guint k = 0; k < 3; k++)
        channels[k] = (Channel) { .cube = cube, .plane = bands[k], .of = cube };
      return TRUE;
    }
  return refuse (error, _("“%s” is of the bands of a cube, and none is given."), preset->id);
}

/* What the window would show first. */
static gboolean
choose_usual (GPtrArray *things, Channel channels[3], GError **error)
{
  guint bands[3] = { 0, 1, 2 };

  for (guint i = 0; i < 3; i++)
    if (!choose_thing (things, 1, NULL, &channels[i], error))
      return FALSE;
  if (channels[0].cube != NULL)
    es_cube_pick_rgb (channels[0].cube, bands);
  for (guint i = 0; i < 3; i++)
    channels[i].plane = MIN (bands[i], get_n (&channels[i]) - 1);
  return TRUE;
}

/* What can be told of it without the files. */
static gboolean
check_rgb (const char *text, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (text, ",", 4);
  g_autofree char *ids = NULL;

  if (*text == '\0' || es_composite_find_preset (text) != NULL || g_strv_length (parts) == 3)
    return TRUE;
  ids = es_composite_list_presets ();
  return refuse (error, _("rgb cannot be “%s”: expected three planes with commas between them, or one of %s."), text,
                 ids);
}

static gboolean
choose_channels (GPtrArray *things, const char *text, Channel channels[3], GError **error)
{
  const EsCompositePreset *preset = es_composite_find_preset (text);
  g_auto (GStrv) parts = g_strsplit (text, ",", 4);

  if (*text == '\0')
    return choose_usual (things, channels, error);
  if (preset != NULL)
    return choose_preset (things, preset, channels, error);
  if (!check_rgb (text, error))
    return FALSE;
  for (guint i = 0; i < 3; i++)
    if (!parse_channel (things, parts[i], &channels[i], error))
      return FALSE;
  for (guint i = 1; i < 3; i++)
    if (get_width (&channels[i]) != get_width (&channels[0]) || get_height (&channels[i]) != get_height (&channels[0]))
      return refuse (error, _("Red, green and blue have to be of one size: one has %u × %u pixels, another %u × %u."),
                     (guint) get_width (&channels[0]), (guint) get_height (&channels[0]),
                     (guint) get_width (&channels[i]), (guint) get_height (&channels[i]));
  return TRUE;
}

/* ---- how they are stretched ---- */

static gboolean
parse_limits (const char *text, EsCompositeLook *look, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (text, ",", 4);
  const guint n = g_strv_length (parts);

  if (*text == '\0')
    return TRUE;
  if (n != 1 && n != 3)
    return refuse (error, _("limits cannot be “%s”: expected one pair LOW:HIGH, or three."), text);
  for (guint i = 0; i < 3; i++)
    {
      const char *part = g_strstrip (parts[n == 1 ? 0 : i]);
      char *end;

      if (*part == '\0')
        continue;
      look->limits[i][0] = g_ascii_strtod (part, &end);
      if (end == part || *end != ':')
        return refuse (error, _("“%s” is no pair of limits: expected LOW:HIGH."), part);
      part = end + 1;
      look->limits[i][1] = g_ascii_strtod (part, &end);
      if (end == part || *end != '\0' || !isfinite (look->limits[i][0]) || !isfinite (look->limits[i][1]))
        return refuse (error, _("“%s” is no pair of limits: expected LOW:HIGH."), parts[n == 1 ? 0 : i]);
      look->limited[i] = TRUE;
    }
  return TRUE;
}

EsParams *
es_batch_composite_parse (const char *text, GError **error)
{
  g_autoptr (EsParams) params = es_params_new (es_batch_composite_params);
  g_auto (GStrv) words = g_strsplit (text, " ", -1);
  g_autoptr (GString) planes = g_string_new (NULL);
  EsCompositeLook look;

  for (guint i = 0; words[i] != NULL; i++)
    if (strchr (words[i], '=') != NULL)
      {
        if (!es_batch_parse_parameter (params, words[i], error))
          return NULL;
      }
    else if (*words[i] != '\0')
      /* "PC 1" is of two words. */
      g_string_append_printf (planes, "%s%s", planes->len > 0 ? " " : "", words[i]);
  if (planes->len > 0)
    es_params_set_text (params, "rgb", planes->str);
  if (!check_rgb (es_params_get_text (params, "rgb"), error)
      || !parse_limits (es_params_get_text (params, "limits"), &look, error))
    return NULL;
  return g_steal_pointer (&params);
}

/* ---- the picture ---- */

static EsPlane *
read_plane (const Channel *channel, guint step, GCancellable *cancellable, GError **error)
{
  const guint width = (guint) ((get_width (channel) + step - 1) / step);
  const guint height = (guint) ((get_height (channel) + step - 1) / step);
  gsize bytes;
  float *values = g_size_checked_mul (&bytes, width, height) && g_size_checked_mul (&bytes, bytes, sizeof (float))
                  ? g_try_malloc (bytes) : NULL;
  g_autoptr (GBytes) samples = NULL;

  if (values == NULL)
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY,
                   _("A plane of %u × %u pixels does not fit in memory."), width, height);
      return NULL;
    }
  samples = g_bytes_new_take (values, bytes);
  if (!(channel->cube != NULL
        ? es_cube_read_band_means (channel->cube, channel->plane, step, values, cancellable, error)
        : es_image_stack_read_means (channel->stack, channel->plane, step, values, cancellable, error)))
    return NULL;
  return es_plane_new (samples, width, height);
}

/* Where a channel lies: of a stack of another size than its cube's nobody knows. */
static EsCube *
find_place (const Channel *channel)
{
  EsCube *cube = channel->of;

  return cube != NULL && es_cube_get_geotransform (cube) != NULL && es_cube_get_width (cube) == get_width (channel)
         && es_cube_get_height (cube) == get_height (channel) ? cube : NULL;
}

static gboolean
is_same_place (EsCube *one, EsCube *other)
{
  return one == other
         || (one != NULL && other != NULL
             && memcmp (es_cube_get_geotransform (one), es_cube_get_geotransform (other), 6 * sizeof (double)) == 0
             && g_strcmp0 (es_cube_get_projection (one), es_cube_get_projection (other)) == 0);
}

/* The place of all three; else none, which is noted. */
static EsCube *
settle_place (const Channel channels[3], GFile *target, GPtrArray *notes)
{
  EsCube *first = find_place (&channels[0]);

  for (guint i = 1; i < 3; i++)
    if (!is_same_place (first, find_place (&channels[i])))
      {
        if (es_written_image_is_geotiff (target))
          g_ptr_array_add (notes, g_strdup (_("Red, green and blue do not lie at one place of a map: the picture is "
                                              "written without a place.")));
        return NULL;
      }
  return first;
}

gboolean
es_batch_composite_write (GPtrArray *things, EsParams *params, GFile *target, GPtrArray *notes,
                          GCancellable *cancellable, GError **error)
{
  EsCompositeLook look = { .cut = es_params_get_float (params, "cut"),
                           .deviations = es_params_get_float (params, "deviations"),
                           .curve = (EsStretch) es_params_get_choice (params, "curve"),
                           .linked = es_params_get_bool (params, "linked") };
  Channel channels[3] = { 0 };
  EsPlane *planes[3] = { NULL };
  g_autoptr (GBytes) pixels = NULL;
  g_autoptr (GString) description = g_string_new (NULL);
  gboolean written = FALSE;
  guint step;

  if (!choose_channels (things, es_params_get_text (params, "rgb"), channels, error)
      || !parse_limits (es_params_get_text (params, "limits"), &look, error))
    return FALSE;
  step = es_composite_pick_step (get_width (&channels[0]), get_height (&channels[0]));
  for (guint i = 0; i < 3 && (i == 0 || planes[i - 1] != NULL); i++)
    {
      g_autofree char *title = make_title (&channels[i], channels[i].plane);

      g_string_append_printf (description, "%s%c %s", i > 0 ? ", " : "", "RGB"[i], title);
      planes[i] = read_plane (&channels[i], step, cancellable, error);
    }
  if (planes[2] != NULL)
    {
      pixels = es_composite_paint (planes, &look, step, (guint) get_width (&channels[0]),
                                   (guint) get_height (&channels[0]));
      if (pixels == NULL)
        g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY, _("The picture does not fit in memory."));
    }
  if (pixels != NULL)
    {
      EsWrittenImage image = { .width = (guint) ((get_width (&channels[0]) + step - 1) / step),
                               .height = (guint) ((get_height (&channels[0]) + step - 1) / step),
                               .pixels = g_bytes_get_data (pixels, NULL), .step = step,
                               .cube = settle_place (channels, target, notes),
                               .description = description->str, .keeps = TRUE };

      written = es_write_image (&image, target, notes, cancellable, error);
    }
  for (guint i = 0; i < 3; i++)
    g_clear_pointer (&planes[i], es_plane_unref);
  return written;
}

/* ---- the verb ---- */

typedef struct
{
  EsBatchOpen *open;
  GPtrArray   *files;          /* of GFile */
  EsParams    *params;
  GFile       *target;
  GPtrArray   *notes;
} Work;

static gboolean
run (gpointer data, GCancellable *cancellable, GError **error)
{
  Work *work = data;
  g_autoptr (GPtrArray) things = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < work->files->len; i++)
    {
      GFile *file = g_ptr_array_index (work->files, i);
      g_autoptr (GPtrArray) one = g_ptr_array_new ();
      g_autoptr (GObject) thing = NULL;

      g_ptr_array_add (one, file);
      if (es_result_info_is_for (file))
        {
          g_autofree char *name = g_file_get_basename (file);
          g_autoptr (GFile) index = g_strcmp0 (name, "result.json") == 0 ? g_object_ref (file)
                                                                         : g_file_get_child (file, "result.json");

          thing = (GObject *) es_result_load (index, cancellable, error);
        }
      else
        thing = (GObject *) es_batch_open (work->open, one, cancellable, error);
      if (thing == NULL)
        return FALSE;
      if (ES_IS_DATASET (thing) && !ES_IS_CUBE (thing))
        return refuse (error, _("“%s” is no cube, and one was expected."), es_dataset_get_name (ES_DATASET (thing)));
      if (ES_IS_RESULT (thing))
        for (const char *const *warning = es_result_get_warnings (ES_RESULT (thing));
             warning != NULL && *warning != NULL; warning++)
          g_ptr_array_add (work->notes, g_strdup (*warning));
      g_ptr_array_add (things, g_steal_pointer (&thing));
    }
  return es_batch_composite_write (things, work->params, work->target, work->notes, cancellable, error);
}

int
es_batch_composite (int argc, char **argv)
{
  g_autofree char *output = NULL;
  g_auto (EsBatchOpen) open = { 0 };
  GOptionEntry entries[1 + ES_BATCH_OPEN_ENTRIES] = {
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &output, N_("The picture: FILE.png, or FILE.tif with georeference"),
      N_("FILE") },
    G_OPTION_ENTRY_NULL
  };
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) notes = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (EsParams) params = es_params_new (es_batch_composite_params);
  g_autoptr (GFile) target = NULL;
  g_autoptr (GError) error = NULL;
  Work work = { &open, files, params, NULL, notes };

  if (!es_batch_catch_signals ())
    return ES_EXIT_DEVICE;
  es_batch_open_add_entries (&open, entries);
  if (!es_batch_parse_options (entries,
                               _("composite FILE... -o PICTURE [key=value ...]: three planes of cubes and saved "
                                 "results as red, green and blue.\n\n"
                                 "  rgb=R,G,B       each a plane by its number, wavelength (640nm) or name; of the "
                                 "second file\n                  2:PLANE, of one of its layers 2/LAYER:PLANE; or "
                                 "true-colour, cir, swir,\n                  agriculture\n"
                                 "  cut=0.02        cut off at both ends; or deviations=2; or limits=LOW:HIGH[,…]\n"
                                 "  curve=linear    or square-root, logarithm, gaussian, equalise\n"
                                 "  linked=no       one stretch for all three"), &argc, &argv))
    return ES_EXIT_USAGE;
  for (int i = 1; i < argc; i++)
    if (es_batch_is_parameter (argv[i]))
      {
        if (!es_batch_parse_parameter (params, argv[i], &error))
          return es_batch_fail (error);
      }
    else
      g_ptr_array_add (files, es_batch_file (argv[i]));
  if (files->len == 0)
    return es_batch_usage (_("“composite” needs a cube or a saved result"));
  if (output == NULL || *output == '\0')
    return es_batch_usage (_("“composite” needs -o FILE.png or -o FILE.tif"));
  work.target = target = es_batch_file (output);
  if (!es_written_image_is_geotiff (target) && !g_str_has_suffix (output, ".png") && !g_str_has_suffix (output, ".PNG"))
    return es_batch_usage (_("-o cannot be “%s”: expected a file that ends with .png or .tif"), output);
  if (!es_batch_open_settle (&open))
    return ES_EXIT_USAGE;
  if (!es_batch_work (run, &work, &error))
    return es_batch_fail (error);
  for (guint i = 0; i < notes->len; i++)
    g_printerr ("eigenscope-batch: %s\n", (const char *) g_ptr_array_index (notes, i));
  return ES_EXIT_DONE;
}
