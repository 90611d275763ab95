/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Sums by groups: es-ranks-groups-internal.h. */

#include "es-ranks-groups-internal.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/es-error.h"
#include "es-ranks-internal.h"

/* Groups that are added up before the others come to them. */
#define EIGHT 8
/* Of numbers that a process sends, or gets, at a time. */
#define MESSAGE_BYTES ((gsize) 8 << 20)

#define NONE G_MAXUINT

struct _EsRanksGroups
{
  guint64    n_things;
  guint      n_groups;
  gsize      n_values;
  guint     *begins;
  guint      first, end;       /* groups of this process */

  guint      open;             /* the group that things are added to */
  double    *to;               /* where; one of the three below */
  double    *group;            /* of one group; nullable */
  double    *eight;            /* of the eight that it belongs to, if all of it is this process's; nullable */
  GPtrArray *parts;            /* what is done: all eights from the first thing on, other eights, other groups */
};

/* What a process has, from one of its groups on. */
typedef struct
{
  guint    eight;
  guint    end;                /* the first group behind it */
  gboolean is_whole;           /* an eight, or a group of one that several processes have */
  gboolean goes_on;            /* with what was before it, in one array */
} Part;

guint
es_ranks_groups_count (guint64 n_things)
{
  return (guint) MIN (n_things, ES_RANKS_GROUPS);
}

guint64
es_ranks_groups_get_first (guint64 n_things, guint group)
{
  const guint64 n = es_ranks_groups_count (n_things);

  return n == 0 ? 0 : n_things / n * group + n_things % n * group / n;
}

static Part
part_at (const EsRanksGroups *self, guint group, guint first, guint end)
{
  const guint eight = group / EIGHT, behind = MIN ((eight + 1) * EIGHT, self->n_groups);
  const gboolean is_whole = eight * EIGHT >= first && behind <= end;

  return (Part) { eight, is_whole ? behind : group + 1, is_whole, is_whole && first == 0 && eight > 0 };
}

EsRanksGroups *
es_ranks_groups_new (guint64 n_things, gsize n_values, const guint *begins)
{
  EsRanksGroups *self = g_new0 (EsRanksGroups, 1);

  self->n_things = n_things;
  self->n_groups = es_ranks_groups_count (n_things);
  self->n_values = n_values;
  self->begins = g_memdup2 (begins, (es_ranks_get_size () + 1) * sizeof *begins);
  self->first = begins[es_ranks_get_rank ()];
  self->end = begins[es_ranks_get_rank () + 1];
  self->open = NONE;
  self->parts = g_ptr_array_new_with_free_func (g_free);
  return self;
}

void
es_ranks_groups_free (EsRanksGroups *self)
{
  g_free (self->begins);
  g_free (self->group);
  g_free (self->eight);
  g_ptr_array_unref (self->parts);
  g_free (self);
}

/* ---- things ---- */

static void
add (double *sums, const double *more, gsize n)
{
  for (gsize i = 0; i < n; i++)
    sums[i] += more[i];
}

static void
close_group (EsRanksGroups *self)
{
  const Part part = part_at (self, self->open, self->first, self->end);

  if (self->to == self->group)
    add (self->eight, self->group, self->n_values);
  if (!part.is_whole || self->open + 1 < part.end)
    return;
  if (!part.goes_on)
    g_ptr_array_add (self->parts, g_steal_pointer (&self->eight));
  else
    {
      add (g_ptr_array_index (self->parts, 0), self->eight, self->n_values);
      memset (self->eight, 0, self->n_values * sizeof *self->eight);
    }
}

static gboolean
make_zeros (double **array, gsize n)
{
  if (*array == NULL)
    *array = g_try_new0 (double, n);
  return *array != NULL;
}

static gboolean
open_group (EsRanksGroups *self, guint group)
{
  const Part part = part_at (self, group, self->first, self->end);
  const guint64 n = es_ranks_groups_get_first (self->n_things, group + 1)
                    - es_ranks_groups_get_first (self->n_things, group);
  double *alone = NULL;

  self->open = group;
  if (!part.is_whole)
    {
      if (!make_zeros (&alone, self->n_values))
        return FALSE;
      g_ptr_array_add (self->parts, alone);
      self->to = alone;
      return TRUE;
    }
  if (!make_zeros (&self->eight, self->n_values))
    return FALSE;
  /* Added to nothing, and one thing, it is the same without an array of its own. */
  self->to = self->eight;
  if (group % EIGHT == 0 || n == 1)
    return TRUE;
  if (!make_zeros (&self->group, self->n_values))
    return FALSE;
  memset (self->group, 0, self->n_values * sizeof *self->group);
  self->to = self->group;
  return TRUE;
}

double *
es_ranks_groups_get (EsRanksGroups *self, guint64 thing)
{
  guint group = self->open == NONE ? self->first : self->open;

  g_return_val_if_fail (self->first < self->end && thing >= es_ranks_groups_get_first (self->n_things, group)
                        && thing < es_ranks_groups_get_first (self->n_things, self->end), NULL);
  while (thing >= es_ranks_groups_get_first (self->n_things, group + 1))
    group++;
  if (group == self->open)
    return self->to;
  if (self->open != NONE)
    close_group (self);
  return open_group (self, group) ? self->to : NULL;
}

/* ---- all of them ---- */

/* How many arrays a process has. */
static guint
count_parts (const EsRanksGroups *self, guint rank)
{
  const guint first = self->begins[rank], end = self->begins[rank + 1];
  guint n = 0;

  for (guint group = first; group < end;)
    {
      const Part part = part_at (self, group, first, end);

      n += !part.goes_on;
      group = part.end;
    }
  return n;
}

/* Of a range of n numbers, the parts of all processes, one after the other. scratch: n numbers. */
static void
fold (const EsRanksGroups *self, const double *parts, gsize n, double *scratch, double *sums)
{
  memset (sums, 0, n * sizeof *sums);
  memset (scratch, 0, n * sizeof *scratch);
  for (guint rank = 0; rank < es_ranks_get_size (); rank++)
    {
      const guint first = self->begins[rank], end = self->begins[rank + 1];

      for (guint group = first; group < end;)
        {
          const Part part = part_at (self, group, first, end);

          group = part.end;
          if (part.goes_on)
            continue;
          add (part.is_whole ? sums : scratch, parts, n);
          parts += n;
          if (part.is_whole || part.end < MIN ((part.eight + 1) * EIGHT, self->n_groups))
            continue;
          add (sums, scratch, n);
          memset (scratch, 0, n * sizeof *scratch);
        }
    }
}

typedef struct
{
  guint   n_processes, n_all;  /* parts of all processes */
  guint  *n_parts;             /* of each */
  gsize   most;                /* numbers at a time */
  double *out, *in, *sums, *scratch;
  int    *out_lengths, *in_lengths, *lengths;
} Meeting;

static void
leave (Meeting *meeting)
{
  g_free (meeting->n_parts);
  g_free (meeting->out);
  g_free (meeting->in);
  g_free (meeting->sums);
  g_free (meeting->scratch);
  g_free (meeting->out_lengths);
  g_free (meeting->in_lengths);
  g_free (meeting->lengths);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Meeting, leave)

static gboolean
come_together (const EsRanksGroups *self, Meeting *meeting)
{
  const guint size = es_ranks_get_size ();
  guint most_parts = 1;

  meeting->n_processes = size;
  meeting->n_parts = g_new (guint, size);
  for (guint i = 0; i < size; i++)
    {
      meeting->n_parts[i] = count_parts (self, i);
      meeting->n_all += meeting->n_parts[i];
      most_parts = MAX (most_parts, meeting->n_parts[i]);
    }
  meeting->most = MIN (MAX (MESSAGE_BYTES / sizeof (double) / most_parts, 1), self->n_values);

  const gsize range = (meeting->most + size - 1) / size;
  meeting->out = g_try_new (double, MAX (meeting->most * meeting->n_parts[es_ranks_get_rank ()], 1));
  meeting->in = g_try_new (double, MAX (range * meeting->n_all, 1));
  meeting->sums = g_try_new (double, range);
  meeting->scratch = g_try_new (double, range);
  meeting->out_lengths = g_new (int, size);
  meeting->in_lengths = g_new (int, size);
  meeting->lengths = g_new (int, size);
  return meeting->out != NULL && meeting->in != NULL && meeting->sums != NULL && meeting->scratch != NULL;
}

/* Numbers from..from + n of all: each process adds up a range of them, and all get all ranges. */
static gboolean
add_range (const EsRanksGroups *self, Meeting *meeting, gsize from, gsize n, double *all, GError **error)
{
  const guint rank = es_ranks_get_rank (), size = meeting->n_processes;
  const gsize mine = n * (rank + 1) / size - n * rank / size;
  double *out = meeting->out;

  for (guint i = 0; i < size; i++)
    {
      const gsize begin = n * i / size, length = n * (i + 1) / size - begin;

      for (guint k = 0; k < self->parts->len; k++, out += length)
        memcpy (out, (const double *) g_ptr_array_index (self->parts, k) + from + begin, length * sizeof *out);
      meeting->out_lengths[i] = (int) (length * self->parts->len * sizeof (double));
      meeting->in_lengths[i] = (int) (mine * meeting->n_parts[i] * sizeof (double));
      meeting->lengths[i] = (int) (length * sizeof (double));
    }
  if (!es_ranks_exchange (meeting->out, meeting->out_lengths, meeting->in, meeting->in_lengths, error))
    return FALSE;
  fold (self, meeting->in, mine, meeting->scratch, meeting->sums);
  return es_ranks_gather_bytes (meeting->sums, all + from, meeting->lengths, error);
}

double *
es_ranks_groups_finish (EsRanksGroups *self, GError **error)
{
  g_auto (Meeting) meeting = { 0 };
  g_autofree double *all = NULL;
  gboolean ready = TRUE;

  if (self->open != NONE)
    close_group (self);
  self->open = NONE;
  g_clear_pointer (&self->group, g_free);
  g_clear_pointer (&self->eight, g_free);
  if (es_ranks_get_size () == 1 && self->parts->len == 1)
    return g_ptr_array_steal_index (self->parts, 0);

  all = g_try_new0 (double, MAX (self->n_values, 1));
  ready = all != NULL && come_together (self, &meeting);
  if (!ready)
    g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY,
                 _("There is not enough memory for what the processes tell each other."));
  if (!es_ranks_agree (ready, error))
    return NULL;
  for (gsize from = 0; from < self->n_values; from += meeting.most)
    if (!add_range (self, &meeting, from, MIN (meeting.most, self->n_values - from), all, error))
      return NULL;
  return g_steal_pointer (&all);
}
