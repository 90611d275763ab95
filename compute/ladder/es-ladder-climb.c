/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-ladder-climb-internal.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

EsLadderClimb *
es_ladder_climb_new (const EsLadder *ladder, const char *backend, const char *machine)
{
  EsLadderClimb *self = g_new0 (EsLadderClimb, 1);

  self->ladder = ladder;
  self->backend = g_strdup (backend);
  self->machine = g_strdup (machine);
  self->date = g_strdup ("");
  self->memory = self->cache = self->cache_bytes = NAN;
  self->least_bytes = self->least_operations = NAN;
  return self;
}

void
es_ladder_climb_free (EsLadderClimb *self)
{
  for (guint i = 0; i < self->n; i++)
    {
      EsLadderRung *rung = &self->rungs[i];

      g_free (rung->id);
      g_free (rung->strategies);
      g_free (rung->below);
      g_free (rung->source);
      g_free (rung->needs);
      g_free (rung->samples);
      g_free (rung->type);
    }
  for (guint i = 0; i < self->n_roofs; i++)
    g_free (self->roofs[i].type);
  g_free (self->rungs);
  g_free (self->roofs);
  g_free (self->sweep);
  g_free (self->swept);
  g_free (self->backend);
  g_free (self->machine);
  g_free (self->date);
  g_free (self);
}

void
es_ladder_climb_add_roof (EsLadderClimb *self, const char *type, gboolean matrix, double rate)
{
  self->roofs = g_renew (EsLadderRoof, self->roofs, self->n_roofs + 1);
  self->roofs[self->n_roofs++] = (EsLadderRoof) { g_strdup (type), matrix, rate };
}

int
es_ladder_climb_find (const EsLadderClimb *self, const char *id)
{
  for (guint i = 0; id != NULL && i < self->n; i++)
    if (strcmp (self->rungs[i].id, id) == 0)
      return (int) i;
  return -1;
}

static int
find_fastest (const EsLadderClimb *self, int kind)
{
  int best = -1;

  for (guint i = 0; i < self->n; i++)
    if (self->rungs[i].state == ES_RUNG_MEASURED && (kind < 0 || (int) self->rungs[i].kind == kind)
        && (best < 0 || self->rungs[i].whole < self->rungs[best].whole))
      best = (int) i;
  return best;
}

int
es_ladder_climb_find_kind (const EsLadderClimb *self, EsRungKind kind)
{
  return find_fastest (self, (int) kind);
}

int
es_ladder_climb_find_fastest (const EsLadderClimb *self)
{
  return find_fastest (self, -1);
}

guint
es_ladder_climb_find_rival (const EsLadderClimb *self, guint rung)
{
  guint best = rung;

  for (guint i = 0; i < self->n; i++)
    if (self->rungs[i].state == ES_RUNG_MEASURED && self->rungs[i].definition == self->rungs[rung].definition
        && self->rungs[i].whole < self->rungs[best].whole)
      best = i;
  return best;
}

int
es_ladder_climb_find_best_step (const EsLadderClimb *self)
{
  int best = -1;

  for (guint i = 0; i < self->n; i++)
    if (self->rungs[i].kind == ES_RUNG_STEP && self->rungs[i].over_below > 1
        && (best < 0 || self->rungs[i].over_below > self->rungs[best].over_below))
      best = (int) i;
  return best;
}

/* What arithmetic of that kind reaches; whole numbers of any length are those of 32 bits where nobody asked. */
static double
get_roof (const EsLadderClimb *self, const char *type, gboolean matrix)
{
  for (guint i = 0; i < self->n_roofs; i++)
    if (strcmp (self->roofs[i].type, type) == 0 && self->roofs[i].matrix == matrix)
      return self->roofs[i].rate;
  if (!matrix && (strcmp (type, "int8") == 0 || strcmp (type, "uint32") == 0 || strcmp (type, "int64") == 0))
    return get_roof (self, "int32", FALSE);
  return NAN;
}

double
es_ladder_climb_get_bound (const EsLadderClimb *self, guint rung, gboolean *by_memory)
{
  const double memory = self->least_bytes / self->memory;
  const double arithmetic = self->least_operations / self->rungs[rung].roof;

  if (by_memory != NULL)
    *by_memory = isnan (arithmetic) || memory > arithmetic;
  return isnan (memory) ? arithmetic : isnan (arithmetic) ? memory : fmax (memory, arithmetic);
}

/* What was left out, or was refused, is stepped over. */
static int
find_below (const EsLadderClimb *self, guint i)
{
  int at = (int) i;

  for (guint steps = 0; steps < self->n; steps++)
    {
      at = es_ladder_climb_find (self, self->rungs[at].below);
      if (at < 0 || at == (int) i)
        return -1;
      if (self->rungs[at].state == ES_RUNG_MEASURED)
        return at;
    }
  return -1;
}

/* The first step that counts: what all others are told by. */
static int
find_first (const EsLadderClimb *self)
{
  for (guint i = 0; i < self->n; i++)
    if (self->rungs[i].kind == ES_RUNG_STEP && self->rungs[i].state == ES_RUNG_MEASURED)
      return (int) i;
  return -1;
}

static void
find_published (EsLadderClimb *self)
{
  for (guint i = 0; i < self->n; i++)
    {
      EsLadderRung *rung = &self->rungs[i];

      rung->published = rung->published_gain = NAN;
      if (self->row != NULL)
        es_ladder_find_published (self->ladder, self->backend, self->row, rung->id, &rung->published, &rung->table);
    }
  for (guint i = 0; i < self->n; i++)
    {
      EsLadderRung *rung = &self->rungs[i];
      /* Of what was not measured here: over the rung that it names. */
      const int below = rung->below_index >= 0 ? rung->below_index : es_ladder_climb_find (self, rung->below);

      if (below >= 0)
        es_ladder_find_published_gain (self->ladder, self->backend, self->row, rung->id, self->rungs[below].id,
                                       &rung->published_gain, &rung->gain_row);
    }
  for (guint i = 0; i < self->n_sweep; i++)
    {
      self->sweep[i].published = NAN;
      if (self->row != NULL)
        es_ladder_find_published_threads (self->ladder, self->row, self->sweep[i].threads, &self->sweep[i].published);
    }
}

void
es_ladder_climb_settle (EsLadderClimb *self)
{
  const int first = self->first = find_first (self);

  for (guint i = 0; i < self->n; i++)
    self->rungs[i].whole = self->rungs[i].median
                           + (isnan (self->rungs[i].preparation) ? 0 : self->rungs[i].preparation);
  self->row = es_ladder_get_row (self->ladder, &self->size);
  self->same_size = self->row != NULL;
  if (self->row == NULL)
    self->row = self->ladder->row;
  for (guint i = 0; i < self->n; i++)
    {
      EsLadderRung *rung = &self->rungs[i];
      const gboolean counts = rung->state == ES_RUNG_MEASURED;

      rung->below_index = find_below (self, i);
      rung->over_below = counts && rung->below_index >= 0
                         ? self->rungs[rung->below_index].median / rung->median : NAN;
      /* Of the ladder's own first step even those that compute something else by now. */
      rung->over_first = counts && first >= 0 && (first == 0 || self->rungs[first].definition == rung->definition)
                         ? self->rungs[first].median / rung->median : NAN;
      rung->intensity = rung->operations / rung->bytes;
      rung->rate = counts ? rung->operations / rung->median : NAN;
      rung->bandwidth = counts ? rung->bytes / rung->median : NAN;
      rung->roof = get_roof (self, rung->type, rung->matrix);
    }
  find_published (self);
}

EsLadderClimb *
es_ladder_climb_new_from (EsResult *result, GError **error)
{
  JsonObject *values = es_result_get_values (result);
  JsonNode *node = json_object_get_member (values, "ladder");

  return es_ladder_climb_from_json (node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL,
                                    error);
}
