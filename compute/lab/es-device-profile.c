/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-device-profile.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "base/es-installed.h"
#include "base/es-json.h"
#include "base/es-text-file-internal.h"
#include "device/es-device-internal.h"
#include "es-findings-internal.h"
#include "es-machine-internal.h"
#include "result/es-saved-internal.h"
#include "saving/es-durable.h"

#define FORMAT "eigenscope-device-profile"
#define VERSION 1
#define LARGEST_FILE ((gsize) 16 << 20)

struct _EsDeviceProfile
{
  gint          references;
  EskLabMachine facts;
  EsProfilePlace place;
  char        **shown;         /* title, text ... */
  char         *date, *source;
  GArray       *figures;       /* EsFigure */
  guint        *order;         /* of figures: by experiment, group, name and x */
};

static EsDeviceProfile *
profile_new (void)
{
  EsDeviceProfile *self = g_new0 (EsDeviceProfile, 1);

  self->references = 1;
  self->figures = g_array_new (FALSE, FALSE, sizeof (EsFigure));
  g_array_set_clear_func (self->figures, es_figure_clear);
  return self;
}

EsDeviceProfile *
es_device_profile_ref (EsDeviceProfile *self)
{
  g_atomic_int_inc (&self->references);
  return self;
}

void
es_device_profile_unref (EsDeviceProfile *self)
{
  if (!g_atomic_int_dec_and_test (&self->references))
    return;
  g_strfreev (self->shown);
  g_free (self->date);
  g_free (self->source);
  g_free (self->order);
  g_array_unref (self->figures);
  g_free (self);
}

/* By its name, and then by where it is; a single number comes first. */
static int
compare_figure (const EsFigure *figure, const char *experiment, const char *group, const char *name, double x)
{
  const int experiments = strcmp (figure->experiment, experiment);
  const int groups = experiments == 0 ? strcmp (figure->group, group) : 0;
  const int names = experiments == 0 && groups == 0 ? strcmp (figure->name, name) : 0;

  if (experiments != 0 || groups != 0 || names != 0)
    return experiments != 0 ? experiments : groups != 0 ? groups : names;
  if (isnan (figure->x) || isnan (x))
    return !isnan (figure->x) - !isnan (x);
  return figure->x < x ? -1 : figure->x > x;
}

static int
compare_places (gconstpointer a, gconstpointer b, gpointer data)
{
  GArray *figures = data;
  const guint i = *(const guint *) a, j = *(const guint *) b;
  const EsFigure *other = &g_array_index (figures, EsFigure, j);
  const int differ = compare_figure (&g_array_index (figures, EsFigure, i), other->experiment, other->group,
                                     other->name, other->x);

  return differ != 0 ? differ : i < j ? -1 : i > j;
}

/* Once all figures are there: profiles that are set beside each other look for every figure of one in all others. */
static void
sort_figures (EsDeviceProfile *self)
{
  self->order = g_new (guint, MAX (self->figures->len, 1));
  for (guint i = 0; i < self->figures->len; i++)
    self->order[i] = i;
  g_qsort_with_data (self->order, (int) self->figures->len, sizeof *self->order, compare_places, self->figures);
}

/* Where it is at present; nothing, if it is here no more. */
static void
find_place (const char *id, EsProfilePlace *place)
{
  EsDevice *device = es_device_find (id, NULL), *cpu = es_device_get_cpu ();

  if (device == NULL)
    return;
  g_strlcpy (place->uuid, es_device_get_uuid (device), sizeof place->uuid);
  g_utf8_strncpy (place->processor, es_device_get_name (cpu), sizeof place->processor / 6);
  place->threads = es_device_get_lanes (cpu);
}

EsDeviceProfile *
es_device_profile_new (GPtrArray *results)
{
  g_autoptr (EsDeviceProfile) self = profile_new ();
  g_autoptr (GHashTable) newest = g_hash_table_new (g_str_hash, g_str_equal);
  const char *date = "";
  EsMachine *machine = NULL;

  for (guint i = 0; i < results->len; i++)
    {
      EsResult *result = g_ptr_array_index (results, i);
      g_hash_table_insert (newest, (gpointer) es_result_get_operation (result)->id, result);
    }
  for (guint i = 0; i < results->len; i++)
    {
      EsResult *result = g_ptr_array_index (results, i);
      const char *id = es_result_get_operation (result)->id;
      JsonArray *array;

      if (g_hash_table_lookup (newest, id) != result || !ES_IS_MACHINE (es_result_get_dataset (result))
          || es_saved_get_array (es_result_get_values (result), "figures", &array) == 0)
        continue;
      machine = ES_MACHINE (es_result_get_dataset (result));
      /* They need not be of today: results are saved and opened again. */
      if (strcmp (es_saved_get_text (es_result_get_values (result), "date", ""), date) > 0)
        date = es_saved_get_text (es_result_get_values (result), "date", "");
      es_figures_take (array, id, self->figures);
    }
  if (machine == NULL || self->figures->len == 0)
    return NULL;
  es_machine_get_facts (machine, &self->facts);
  find_place (self->facts.id, &self->place);
  self->shown = es_machine_facts_for_people (&self->facts);
  self->date = g_strdup (date);
  self->source = g_strdup ("measured");
  sort_figures (self);
  return g_steal_pointer (&self);
}

/* ---- files ---- */

static gboolean
refuse (GFile *file, const char *found, GError **error)
{
  g_autofree char *name = es_error_file_name (file);

  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT, _("“%s” is no device profile that can be read: %s."), name,
               found);
  return FALSE;
}

static gboolean
read_experiments (EsDeviceProfile *self, JsonObject *root, GFile *file, GError **error)
{
  JsonObject *experiments = es_saved_get_object (root, "experiments");
  g_autoptr (GList) names = experiments != NULL ? json_object_get_members (experiments) : NULL;
  const char *found = NULL;
  JsonArray *array;

  for (GList *each = names; each != NULL; each = each->next)
    {
      JsonObject *experiment = es_saved_get_object (experiments, each->data);

      if (es_saved_get_array (experiment, "figures", &array) > 0
          && !es_figures_read (array, each->data, self->figures, &found))
        return refuse (file, found, error);
    }
  sort_figures (self);
  return self->figures->len > 0 || refuse (file, _("it has no figures"), error);
}

static void
read_place (JsonObject *object, EsProfilePlace *place)
{
  const char *uuid = es_saved_get_text (object, "uuid", ""), *processor = es_saved_get_text (object, "processor", "");

  if (g_str_is_ascii (uuid))
    g_strlcpy (place->uuid, uuid, sizeof place->uuid);
  if (g_utf8_validate (processor, -1, NULL))
    g_utf8_strncpy (place->processor, processor, sizeof place->processor / 6);
  place->threads = (guint) CLAMP (es_saved_get_number (object, "threads", 0), 0, 1e6);
}

static gboolean
read_profile (EsDeviceProfile *self, JsonObject *root, GFile *file, GError **error)
{
  const double version = es_saved_get_number (root, "version", 0);
  JsonObject *machine = es_saved_get_object (root, "machine");

  if (g_strcmp0 (es_saved_get_string (root, "format"), FORMAT) != 0)
    return refuse (file, _("it does not say that it is one"), error);
  if (version > VERSION)
    return refuse (file, _("it was written by a newer version of Eigenscope"), error);
  if (!(version >= 1))
    return refuse (file, _("it does not say its version"), error);
  if (machine == NULL)
    return refuse (file, _("it does not say which device it is of"), error);
  es_machine_facts_from_json (machine, &self->facts);
  if (es_saved_get_object (root, "place") != NULL)
    read_place (es_saved_get_object (root, "place"), &self->place);
  self->shown = es_machine_facts_for_people (&self->facts);
  self->date = g_strdup (es_saved_get_text (root, "date", ""));
  self->source = g_strdup (es_saved_get_text (root, "source", ""));
  return read_experiments (self, root, file, error);
}

gboolean
es_device_profile_is (GFile *file)
{
  /* What it is stands in front of what was found. */
  char begin[4096] = "";
  gsize n;
  g_autoptr (GFileInputStream) stream = NULL;

  if (g_file_query_file_type (file, G_FILE_QUERY_INFO_NONE, NULL) == G_FILE_TYPE_REGULAR)
    stream = g_file_read (file, NULL, NULL);
  return stream != NULL
         && g_input_stream_read_all (G_INPUT_STREAM (stream), begin, sizeof begin - 1, &n, NULL, NULL)
         && strstr (begin, "\"" FORMAT "\"") != NULL;
}

EsDeviceProfile *
es_device_profile_load (GFile *file, GError **error)
{
  gsize length;
  g_autofree char *name = es_error_file_name (file);
  g_autofree char *text = es_text_file_load_at_most (file, LARGEST_FILE, &length, NULL, error);
  g_autoptr (JsonNode) root = text != NULL ? es_json_parse (text, length, name, error) : NULL;
  g_autoptr (EsDeviceProfile) self = profile_new ();

  if (root == NULL)
    return NULL;
  if (!JSON_NODE_HOLDS_OBJECT (root))
    {
      refuse (file, _("it is no JSON object"), error);
      return NULL;
    }
  return read_profile (self, json_node_get_object (root), file, error) ? g_steal_pointer (&self) : NULL;
}

static JsonObject *
write_experiments (EsDeviceProfile *self)
{
  JsonObject *experiments = json_object_new ();

  for (guint i = 0; i < self->figures->len; i++)
    {
      const char *id = g_array_index (self->figures, EsFigure, i).experiment;
      g_autoptr (GArray) own = g_array_new (FALSE, FALSE, sizeof (EsFigure));

      if (json_object_has_member (experiments, id))
        continue;
      for (guint j = i; j < self->figures->len; j++)
        if (g_str_equal (g_array_index (self->figures, EsFigure, j).experiment, id))
          g_array_append_val (own, g_array_index (self->figures, EsFigure, j));
      JsonObject *experiment = json_object_new ();
      json_object_set_array_member (experiment, "figures", es_figures_write (own));
      json_object_set_object_member (experiments, id, experiment);
    }
  return experiments;
}

static JsonObject *
write_place (const EsProfilePlace *place)
{
  JsonObject *object = json_object_new ();

  json_object_set_string_member (object, "uuid", place->uuid);
  json_object_set_string_member (object, "processor", place->processor);
  json_object_set_int_member (object, "threads", place->threads);
  return object;
}

gboolean
es_device_profile_save_with_place (EsDeviceProfile *self, gboolean with_place, GFile *file, GError **error)
{
  JsonObject *root = json_object_new (), *machine = json_object_new ();
  g_autoptr (JsonNode) node = json_node_init_object (json_node_alloc (), root);
  g_autofree char *text = NULL;

  json_object_set_string_member (root, "format", FORMAT);
  json_object_set_int_member (root, "version", VERSION);
  json_object_set_string_member (root, "software", "Eigenscope " ES_VERSION);
  json_object_set_string_member (root, "date", self->date);
  json_object_set_string_member (root, "source", self->source);
  es_machine_facts_to_json (&self->facts, machine);
  json_object_set_object_member (root, "machine", machine);
  if (with_place && self->place.threads > 0)
    json_object_set_object_member (root, "place", write_place (&self->place));
  json_object_set_object_member (root, "experiments", write_experiments (self));
  json_object_unref (root);
  text = es_json_to_text (node);
  return es_durable_write_text (file, text, error);
}

/* Files are given to others, whom the number of a card does not concern. */
gboolean
es_device_profile_save (EsDeviceProfile *self, GFile *file, GError **error)
{
  return es_device_profile_save_with_place (self, FALSE, file, error);
}

static int
compare_names (const void *a, const void *b)
{
  return g_strcmp0 (*(char * const *) a, *(char * const *) b);
}

/* Whether the file is worth taking apart: NULL: any is. */
static gboolean
may_be_of (const char *path, const char *name)
{
  g_autofree char *text = NULL;

  return name == NULL || (g_file_get_contents (path, &text, NULL, NULL) && strstr (text, name) != NULL);
}

static GPtrArray *
load_shipped (const char *of)
{
  GPtrArray *found = g_ptr_array_new_with_free_func ((GDestroyNotify) es_device_profile_unref);
  g_autofree char *folder = es_installed_find_data ("profiles");
  g_autoptr (GDir) directory = folder != NULL ? g_dir_open (folder, 0, NULL) : NULL;
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);

  for (const char *name; directory != NULL && (name = g_dir_read_name (directory)) != NULL;)
    if (g_str_has_suffix (name, ".json"))
      g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_sort (names, compare_names);
  for (guint i = 0; i < names->len; i++)
    {
      g_autofree char *path = g_build_filename (folder, g_ptr_array_index (names, i), NULL);
      g_autoptr (GFile) file = g_file_new_for_path (path);
      EsDeviceProfile *profile = may_be_of (path, of) ? es_device_profile_load (file, NULL) : NULL;

      if (profile != NULL && (of == NULL || strcmp (es_device_profile_get_name (profile), of) == 0))
        g_ptr_array_add (found, profile);
      else
        g_clear_pointer (&profile, es_device_profile_unref);
    }
  return found;
}

GPtrArray *
es_device_profiles_shipped (void)
{
  return load_shipped (NULL);
}

EsDeviceProfile *
es_device_profile_find_shipped (const char *name)
{
  g_autoptr (GPtrArray) found = load_shipped (name);

  return found->len > 0 ? es_device_profile_ref (g_ptr_array_index (found, 0)) : NULL;
}

/* ---- what it holds ---- */

const char *
es_device_profile_get_name (EsDeviceProfile *self)
{
  return *self->facts.name != '\0' ? self->facts.name : self->facts.id;
}

const char *
es_device_profile_get_id (EsDeviceProfile *self)
{
  return self->facts.id;
}

const char *
es_device_profile_get_date (EsDeviceProfile *self)
{
  return self->date;
}

const char *
es_device_profile_get_source (EsDeviceProfile *self)
{
  return self->source;
}

const EsProfilePlace *
es_device_profile_get_place (EsDeviceProfile *self)
{
  return &self->place;
}

const EskLabMachine *
es_device_profile_get_machine (EsDeviceProfile *self)
{
  return &self->facts;
}

guint
es_device_profile_get_n_facts (EsDeviceProfile *self)
{
  return g_strv_length (self->shown) / 2;
}

const char *
es_device_profile_get_fact (EsDeviceProfile *self, guint i, const char **title)
{
  g_return_val_if_fail (i < es_device_profile_get_n_facts (self), NULL);
  *title = self->shown[2 * i];
  return self->shown[2 * i + 1];
}

guint
es_device_profile_get_n (EsDeviceProfile *self)
{
  return self->figures->len;
}

const EsFigure *
es_device_profile_get (EsDeviceProfile *self, guint i)
{
  g_return_val_if_fail (i < self->figures->len, NULL);
  return &g_array_index (self->figures, EsFigure, i);
}

const EsFigure *
es_device_profile_find (EsDeviceProfile *self, const char *experiment, const char *group, const char *name, double x)
{
  const EsFigure *nearest = NULL;
  guint from = 0, to = self->figures->len;

  /* The first that is not before it. */
  while (from < to)
    {
      const guint middle = from + (to - from) / 2;
      const EsFigure *figure = &g_array_index (self->figures, EsFigure, self->order[middle]);

      if (compare_figure (figure, experiment, group, name, x) < 0)
        from = middle + 1;
      else
        to = middle;
    }
  /* It, or the one before it, is the nearest. */
  for (guint i = from > 0 ? from - 1 : 0; i <= from && i < self->figures->len; i++)
    {
      const EsFigure *figure = &g_array_index (self->figures, EsFigure, self->order[i]);

      if (!g_str_equal (figure->experiment, experiment) || !g_str_equal (figure->group, group)
          || !g_str_equal (figure->name, name)
          || !(isnan (x) ? isnan (figure->x) : fabs (figure->x - x) <= 0.01 * fabs (x)))
        continue;
      if (nearest == NULL || fabs (figure->x - x) < fabs (nearest->x - x))
        nearest = figure;
    }
  return nearest;
}
