/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* A climb as it is kept in result.json: numbers with their units in their names, what is not known left out. Nothing
 * that follows from others is kept. */

#include <glib/gi18n-lib.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/es-error.h"
#include "es-ladder.h"
#include "es-ladder-climb-internal.h"
#include "lab/es-probing-internal.h"
#include "result/es-saved-internal.h"

/* More than any ladder has. */
#define MOST_RUNGS 200

typedef struct
{
  const char *name;
  gsize       offset;
} Member;

static const Member size_members[] = {
  { "width", offsetof (EsLadderSize, width) }, { "height", offsetof (EsLadderSize, height) },
  { "bands", offsetof (EsLadderSize, bands) }, { "rows", offsetof (EsLadderSize, rows) },
  { "elements", offsetof (EsLadderSize, elements) }, { "angles", offsetof (EsLadderSize, angles) },
  { "ranges", offsetof (EsLadderSize, ranges) }, { "bins", offsetof (EsLadderSize, bins) },
  { "samples", offsetof (EsLadderSize, samples) }, { "threads", offsetof (EsLadderSize, threads) },
};

static const Member numbers[] = {
  { "preparation_seconds", offsetof (EsLadderRung, preparation) },
  { "setup_seconds", offsetof (EsLadderRung, setup) },
  { "more_memory_bytes", offsetof (EsLadderRung, more_memory) },
  { "bytes", offsetof (EsLadderRung, bytes) }, { "operations", offsetof (EsLadderRung, operations) },
  { "occupancy", offsetof (EsLadderRung, occupancy) }, { "error", offsetof (EsLadderRung, error) },
  { "tolerance", offsetof (EsLadderRung, tolerance) },
};

static const Member counts[] = {
  { "definition", offsetof (EsLadderRung, definition) },
  { "launches", offsetof (EsLadderRung, launches) }, { "registers", offsetof (EsLadderRung, registers) },
  { "shared_bytes", offsetof (EsLadderRung, shared) }, { "local_bytes", offsetof (EsLadderRung, local) },
  { "threads", offsetof (EsLadderRung, threads) }, { "blocks", offsetof (EsLadderRung, blocks) },
};

static const char *const kinds[] = { "step", "production", "library" };
static const char *const states[] = { "measured", "refused", "wrong", "left out" };
static const char *const types[] = {
  [ESK_TYPE_LAB_UINT32] = "uint32", [ESK_TYPE_LAB_INT32] = "int32", [ESK_TYPE_LAB_INT64] = "int64",
  [ESK_TYPE_LAB_INT8] = "int8", [ESK_TYPE_LAB_FLOAT16] = "float16", [ESK_TYPE_LAB_BFLOAT16] = "bfloat16",
  [ESK_TYPE_LAB_TF32] = "tf32", [ESK_TYPE_LAB_FLOAT32] = "float32", [ESK_TYPE_LAB_FLOAT64] = "float64",
  [ESK_TYPE_LAB_FLOAT8] = "float8",
};

const char *
es_ladder_type_name (guint type)
{
  return type < G_N_ELEMENTS (types) && types[type] != NULL ? types[type] : "";
}

#define AT(type, base, member) (*(type *) ((char *) (base) + (member)->offset))

static void
set_number (JsonObject *object, const char *name, double value)
{
  if (isfinite (value))
    json_object_set_double_member (object, name, value);
}

static void
set_text (JsonObject *object, const char *name, const char *value)
{
  if (value != NULL && *value != '\0')
    json_object_set_string_member (object, name, value);
}

/* ---- writing ---- */

static JsonObject *
rung_to_json (const EsLadderRung *rung)
{
  JsonObject *object = json_object_new ();

  json_object_set_string_member (object, "id", rung->id);
  json_object_set_string_member (object, "kind", kinds[rung->kind]);
  json_object_set_string_member (object, "state", states[rung->state]);
  set_text (object, "strategies", rung->strategies);
  set_text (object, "below", rung->below);
  if (rung->state == ES_RUNG_REFUSED)
    {
      json_object_set_int_member (object, "why", rung->why);
      set_number (object, "amount", rung->amount);
      set_number (object, "limit", rung->limit);
      set_text (object, "needs", rung->needs);
    }
  if (rung->repeats > 0)
    {
      JsonArray *samples = json_array_new ();

      for (guint i = 0; i < rung->repeats; i++)
        json_array_add_double_element (samples, rung->samples[i]);
      json_object_set_array_member (object, "seconds", samples);
      set_text (object, "type", rung->type);
      json_object_set_boolean_member (object, "matrix", rung->matrix);
      for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
        set_number (object, numbers[i].name, AT (const double, rung, &numbers[i]));
      for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
        json_object_set_int_member (object, counts[i].name, AT (const guint, rung, &counts[i]));
    }
  set_text (object, "source", rung->source);
  return object;
}

static JsonObject *
roofs_to_json (const EsLadderClimb *self)
{
  JsonObject *object = json_object_new ();
  JsonArray *arithmetic = json_array_new ();

  set_number (object, "memory_bytes_per_second", self->memory);
  set_number (object, "cache_bytes_per_second", self->cache);
  set_number (object, "cache_bytes", self->cache_bytes);
  for (guint i = 0; i < self->n_roofs; i++)
    {
      JsonObject *roof = json_object_new ();

      json_object_set_string_member (roof, "type", self->roofs[i].type);
      json_object_set_boolean_member (roof, "matrix", self->roofs[i].matrix);
      set_number (roof, "operations_per_second", self->roofs[i].rate);
      json_array_add_object_element (arithmetic, roof);
    }
  json_object_set_array_member (object, "arithmetic", arithmetic);
  return object;
}

static void
add_sweep (const EsLadderClimb *self, JsonObject *object)
{
  JsonArray *sweep = json_array_new ();

  for (guint i = 0; i < self->n_sweep; i++)
    {
      JsonObject *at = json_object_new ();

      json_object_set_int_member (at, "threads", self->sweep[i].threads);
      set_number (at, "median_seconds", self->sweep[i].median);
      set_number (at, "least_seconds", self->sweep[i].least);
      set_number (at, "most_seconds", self->sweep[i].most);
      json_array_add_object_element (sweep, at);
    }
  set_text (object, "swept", self->swept);
  json_object_set_array_member (object, "sweep", sweep);
}

JsonObject *
es_ladder_climb_to_json (const EsLadderClimb *self)
{
  JsonObject *object = json_object_new (), *size = json_object_new ();
  JsonArray *rungs = json_array_new ();

  json_object_set_string_member (object, "kind", self->ladder->id);
  json_object_set_string_member (object, "backend", self->backend);
  json_object_set_string_member (object, "machine", self->machine);
  json_object_set_string_member (object, "date", self->date);
  for (guint i = 0; i < G_N_ELEMENTS (size_members); i++)
    if (AT (const guint, &self->size, &size_members[i]) > 0)
      json_object_set_int_member (size, size_members[i].name, AT (const guint, &self->size, &size_members[i]));
  json_object_set_object_member (object, "size", size);
  set_number (object, "least_bytes", self->least_bytes);
  set_number (object, "least_operations", self->least_operations);
  json_object_set_object_member (object, "roofs", roofs_to_json (self));
  for (guint i = 0; i < self->n; i++)
    json_array_add_object_element (rungs, rung_to_json (&self->rungs[i]));
  json_object_set_array_member (object, "rungs", rungs);
  if (self->n_sweep > 0)
    add_sweep (self, object);
  return object;
}

/* ---- reading ---- */

static gboolean
refuse (GError **error, const char *found)
{
  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT, _("What was saved of a ladder cannot be read: %s."), found);
  return FALSE;
}

/* NAN: it is not there, or not what can be: seconds, bytes and shares are not negative. */
static double
get_amount (JsonObject *object, const char *name)
{
  const double value = es_saved_get_number (object, name, NAN);

  return value >= 0 && isfinite (value) ? value : NAN;
}

/* Of what is divided by, too. */
static double
get_positive (JsonObject *object, const char *name)
{
  const double value = get_amount (object, name);

  return value > 0 ? value : NAN;
}

static guint
get_count (JsonObject *object, const char *name)
{
  const double value = es_saved_get_number (object, name, 0);

  return value > 0 && value <= G_MAXINT32 ? (guint) value : 0;
}

static int
find_word (const char *const *words, guint n, const char *word)
{
  for (guint i = 0; word != NULL && i < n; i++)
    if (strcmp (words[i], word) == 0)
      return (int) i;
  return -1;
}

static gboolean
read_samples (JsonObject *object, EsLadderRung *rung)
{
  JsonArray *array = NULL;
  const guint n = es_saved_get_array (object, "seconds", &array);
  g_autofree double *sorted = NULL;
  EsMeasured measured;

  rung->median = rung->least = rung->most = rung->spread = NAN;
  if (n == 0)
    return rung->state != ES_RUNG_MEASURED;
  if (n > ESK_LAB_MOST_REPEATS)
    return FALSE;
  rung->samples = g_new (double, n);
  rung->repeats = n;
  if (!es_saved_get_numbers (object, "seconds", n, rung->samples))
    return FALSE;
  for (guint i = 0; i < n; i++)
    if (!(rung->samples[i] > 0) || !isfinite (rung->samples[i]))
      return FALSE;
  sorted = g_memdup2 (rung->samples, n * sizeof *sorted);
  es_measured_of (sorted, n, &measured);
  rung->median = measured.median;
  rung->least = measured.least;
  rung->most = measured.most;
  rung->spread = measured.spread;
  return TRUE;
}

static gboolean
read_rung (JsonObject *object, EsLadderRung *rung)
{
  const char *id = es_saved_get_string (object, "id");
  const int kind = find_word (kinds, G_N_ELEMENTS (kinds), es_saved_get_string (object, "kind"));
  const int state = find_word (states, G_N_ELEMENTS (states), es_saved_get_string (object, "state"));

  rung->id = g_strdup (id != NULL ? id : "");
  rung->strategies = g_strdup (es_saved_get_text (object, "strategies", ""));
  rung->below = g_strdup (es_saved_get_string (object, "below"));
  rung->source = g_strdup (es_saved_get_string (object, "source"));
  rung->needs = g_strdup (es_saved_get_text (object, "needs", ""));
  rung->type = g_strdup (es_saved_get_text (object, "type", ""));
  if (*rung->id == '\0' || kind < 0 || state < 0)
    return FALSE;
  rung->kind = (EsRungKind) kind;
  rung->state = (EsRungState) state;
  rung->why = get_count (object, "why");
  rung->amount = get_amount (object, "amount");
  rung->limit = get_amount (object, "limit");
  rung->matrix = es_saved_get_flag (object, "matrix");
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    AT (double, rung, &numbers[i]) = get_amount (object, numbers[i].name);
  rung->bytes = get_positive (object, "bytes");
  rung->operations = get_positive (object, "operations");
  /* Whatever the file says of it. */
  if (rung->state == ES_RUNG_MEASURED && rung->error > rung->tolerance)
    rung->state = ES_RUNG_WRONG;
  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    AT (guint, rung, &counts[i]) = get_count (object, counts[i].name);
  return read_samples (object, rung);
}

static void
read_roofs (JsonObject *object, EsLadderClimb *self)
{
  JsonArray *array = NULL;
  const guint n = es_saved_get_array (object, "arithmetic", &array);

  self->memory = get_positive (object, "memory_bytes_per_second");
  self->cache = get_positive (object, "cache_bytes_per_second");
  self->cache_bytes = get_positive (object, "cache_bytes");
  for (guint i = 0; i < MIN (n, MOST_RUNGS); i++)
    {
      JsonObject *roof = es_saved_get_element (array, i);
      const double rate = get_positive (roof, "operations_per_second");

      if (rate > 0)
        es_ladder_climb_add_roof (self, es_saved_get_text (roof, "type", ""), es_saved_get_flag (roof, "matrix"),
                                  rate);
    }
}

static void
read_sweep (JsonObject *object, EsLadderClimb *self)
{
  JsonArray *array = NULL;
  const guint n = MIN (es_saved_get_array (object, "sweep", &array), MOST_RUNGS);

  self->swept = g_strdup (es_saved_get_string (object, "swept"));
  self->sweep = g_new0 (EsLadderSweep, MAX (n, 1));
  for (guint i = 0; i < n; i++)
    {
      JsonObject *at = es_saved_get_element (array, i);

      self->sweep[self->n_sweep++] = (EsLadderSweep) {
        get_count (at, "threads"), get_positive (at, "median_seconds"), get_positive (at, "least_seconds"),
        get_positive (at, "most_seconds"), NAN,
      };
    }
}

EsLadderClimb *
es_ladder_climb_from_json (JsonObject *object, GError **error)
{
  const EsLadder *ladder = es_ladder_find (es_saved_get_string (object, "kind"));
  g_autoptr (EsLadderClimb) self = NULL;
  JsonObject *size = es_saved_get_object (object, "size");
  JsonArray *rungs = NULL;
  const guint n = es_saved_get_array (object, "rungs", &rungs);

  if (ladder == NULL || n > MOST_RUNGS)
    {
      refuse (error, ladder == NULL ? _("there is no ladder of that kind") : _("it has too many rungs"));
      return NULL;
    }
  self = es_ladder_climb_new (ladder, es_saved_get_text (object, "backend", ""),
                              es_saved_get_text (object, "machine", ""));
  g_free (self->date);
  self->date = g_strdup (es_saved_get_text (object, "date", ""));
  for (guint i = 0; i < G_N_ELEMENTS (size_members); i++)
    AT (guint, &self->size, &size_members[i]) = get_count (size, size_members[i].name);
  self->least_bytes = get_positive (object, "least_bytes");
  self->least_operations = get_positive (object, "least_operations");
  read_roofs (es_saved_get_object (object, "roofs"), self);
  read_sweep (object, self);
  self->rungs = g_new0 (EsLadderRung, MAX (n, 1));
  for (guint i = 0; i < n; i++)
    {
      self->n++;
      if (!read_rung (es_saved_get_element (rungs, i), &self->rungs[i]))
        {
          refuse (error, _("one of its rungs has something wrong with it"));
          return NULL;
        }
    }
  es_ladder_climb_settle (self);
  return g_steal_pointer (&self);
}
