/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Fields and waterfalls: rows in memory, in a file without a name, or where a saved result keeps them. */

#include "es-layer-internal.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/es-error.h"
#include "base/es-text-show.h"
#include "es-store-internal.h"

struct _EsField
{
  EsLayer      parent_instance;

  EsAxis       rows, columns;
  guint        row_room;               /* of rows.values */
  gsize        row_bytes;
  char        *role;
  char        *reference, *unit;
  GPtrArray   *metadata;               /* keys and values */
  double      *headings;               /* nullable; of n_headings rows */
  guint        n_headings;

  /* One of these two: */
  EsStore     *values;
  EsFieldReadRows read_rows;
  gpointer     data;
  GDestroyNotify destroy;
};

G_DEFINE_FINAL_TYPE (EsField, es_field, ES_TYPE_LAYER)

static void
copy_axis (EsAxis *axis, const EsAxis *from)
{
  axis->title = es_text_show (from->title);
  axis->unit = es_text_show (from->unit);
  axis->n = from->n;
  axis->values = g_memdup2 (from->values, (gsize) from->n * sizeof (double));
}

static void
clear_axis (EsAxis *axis)
{
  g_free (axis->title);
  g_free (axis->unit);
  g_free (axis->values);
}

static void
es_field_finalize (GObject *object)
{
  EsField *self = ES_FIELD (object);

  clear_axis (&self->rows);
  clear_axis (&self->columns);
  g_free (self->role);
  g_free (self->reference);
  g_free (self->unit);
  g_ptr_array_unref (self->metadata);
  g_free (self->headings);
  g_clear_pointer (&self->values, es_store_free);
  if (self->destroy != NULL)
    self->destroy (self->data);
  G_OBJECT_CLASS (es_field_parent_class)->finalize (object);
}

static void
es_field_class_init (EsFieldClass *class)
{
  G_OBJECT_CLASS (class)->finalize = es_field_finalize;
  ES_LAYER_CLASS (class)->kind = ES_LAYER_FIELD;
}

static void
es_field_init (EsField *self)
{
  self->metadata = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (self->metadata, NULL);
}

static gboolean
refuse_memory (const char *title, GError **error)
{
  g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY, _("There is not enough memory for “%s”."), title);
  return FALSE;
}

static EsField *
make_empty (const char *name, const char *title, EsLayerKind kind, const char *role, const EsAxis *rows,
            const EsAxis *columns, GError **error)
{
  EsField *self;
  gsize row_bytes, bytes;

  g_return_val_if_fail (kind == ES_LAYER_FIELD || kind == ES_LAYER_WATERFALL, NULL);

  if (columns->n == 0 || !g_size_checked_mul (&row_bytes, columns->n, sizeof (float))
      || !g_size_checked_mul (&bytes, row_bytes, rows->n) || bytes > G_MAXSSIZE)
    {
      refuse_memory (title, error);
      return NULL;
    }
  self = g_object_new (ES_TYPE_FIELD, NULL);
  es_layer_set_name (ES_LAYER (self), name, title);
  es_layer_set_kind (ES_LAYER (self), kind);
  self->role = g_strdup (role);
  self->row_bytes = row_bytes;
  copy_axis (&self->rows, rows);
  copy_axis (&self->columns, columns);
  self->row_room = rows->n;
  return self;
}

EsField *
es_field_new (const char *name, const char *title, EsLayerKind kind, const char *role, const EsAxis *rows,
              const EsAxis *columns, guint64 memory_limit, GError **error)
{
  EsAxis none = { rows->title, rows->unit, 0, NULL };
  g_autoptr (EsField) self = make_empty (name, title, kind, role, kind == ES_LAYER_FIELD ? rows : &none, columns,
                                         error);

  if (self == NULL)
    return NULL;
  self->values = es_store_new ("layer", memory_limit);
  if (kind == ES_LAYER_WATERFALL)
    return g_steal_pointer (&self);

  const gsize n = (gsize) rows->n * columns->n;
  if (!es_store_fits (self->values, n * sizeof (float)) || !es_store_allocate (self->values, n * sizeof (float)))
    {
      refuse_memory (title, error);
      return NULL;
    }
  float *values = es_store_get_memory (self->values);
  for (gsize i = 0; i < n; i++)
    values[i] = NAN;
  return g_steal_pointer (&self);
}

EsField *
es_field_new_stored (const char *name, const char *title, EsLayerKind kind, const char *role, const EsAxis *rows,
                     const EsAxis *columns, EsFieldReadRows read_rows, gpointer data, GDestroyNotify destroy,
                     GError **error)
{
  EsField *self = make_empty (name, title, kind, role, rows, columns, error);

  if (self == NULL)
    {
      if (destroy != NULL)
        destroy (data);
      return NULL;
    }
  self->read_rows = read_rows;
  self->data = data;
  self->destroy = destroy;
  return self;
}

/* ---- filling ---- */

static gboolean
grow_axis (EsAxis *axis, guint *room)
{
  double *values;

  if (axis->n < *room)
    return TRUE;
  if (*room > G_MAXUINT / 2)
    return FALSE;

  const guint wanted = MAX (256, *room + *room / 2);
  values = g_try_realloc_n (axis->values, wanted, sizeof (double));
  if (values == NULL)
    return FALSE;
  axis->values = values;
  *room = wanted;
  return TRUE;
}

gboolean
es_field_append (EsField *self, double row_value, const float *values, GError **error)
{
  g_return_val_if_fail (ES_IS_FIELD (self), FALSE);
  g_return_val_if_fail (es_layer_get_kind (ES_LAYER (self)) == ES_LAYER_WATERFALL, FALSE);
  g_return_val_if_fail (self->read_rows == NULL, FALSE);

  const gsize offset = self->rows.n * self->row_bytes;
  if (!grow_axis (&self->rows, &self->row_room) || offset > G_MAXSSIZE - self->row_bytes)
    return refuse_memory (es_layer_get_title (ES_LAYER (self)), error);
  if (!es_store_append (self->values, values, self->row_bytes, error))
    return FALSE;
  self->rows.values[self->rows.n++] = row_value;
  return TRUE;
}

static float *
get_memory (EsField *self)
{
  return self->values != NULL ? es_store_get_memory (self->values) : NULL;
}

float *
es_field_get_writable (EsField *self)
{
  g_return_val_if_fail (ES_IS_FIELD (self), NULL);
  return es_layer_get_kind (ES_LAYER (self)) == ES_LAYER_FIELD ? get_memory (self) : NULL;
}

void
es_field_set_reference (EsField *self, const char *reference, const char *unit)
{
  g_return_if_fail (ES_IS_FIELD (self));
  g_free (self->reference);
  g_free (self->unit);
  self->reference = g_strdup (reference);
  self->unit = g_strdup (unit);
}

void
es_field_add_metadata (EsField *self, const char *key, const char *value)
{
  g_return_if_fail (ES_IS_FIELD (self));
  g_return_if_fail (key != NULL && value != NULL);
  g_ptr_array_insert (self->metadata, self->metadata->len - 1, g_strdup (key));
  g_ptr_array_insert (self->metadata, self->metadata->len - 1, g_strdup (value));
}

void
es_field_set_headings (EsField *self, const double *headings)
{
  g_return_if_fail (ES_IS_FIELD (self));
  g_free (self->headings);
  self->n_headings = headings != NULL ? self->rows.n : 0;
  self->headings = g_memdup2 (headings, (gsize) self->n_headings * sizeof (double));
}

/* ---- reading ---- */

const EsAxis *
es_field_get_rows (EsField *self)
{
  g_return_val_if_fail (ES_IS_FIELD (self), NULL);
  return &self->rows;
}

const EsAxis *
es_field_get_columns (EsField *self)
{
  g_return_val_if_fail (ES_IS_FIELD (self), NULL);
  return &self->columns;
}

gboolean
es_field_read (EsField *self, guint first, guint n, float *out, GError **error)
{
  g_return_val_if_fail (ES_IS_FIELD (self), FALSE);

  /* What lies past the end is asked for by nobody who looked at the axis. */
  if (first > self->rows.n || n > self->rows.n - first)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_SIZE,
                   _("“%s” has %u rows; rows %u to %u do not exist."), es_layer_get_title (ES_LAYER (self)),
                   self->rows.n, first, first + n);
      return FALSE;
    }
  if (n == 0)
    return TRUE;
  if (self->read_rows != NULL)
    return self->read_rows (self->data, first, n, out, error);
  return es_store_read (self->values, out, n * self->row_bytes, first * self->row_bytes, error);
}

const float *
es_field_peek (EsField *self)
{
  g_return_val_if_fail (ES_IS_FIELD (self), NULL);
  return get_memory (self);
}

const char *
es_field_get_reference (EsField *self)
{
  g_return_val_if_fail (ES_IS_FIELD (self), NULL);
  return self->reference;
}

const char *
es_field_get_unit (EsField *self)
{
  g_return_val_if_fail (ES_IS_FIELD (self), NULL);
  return self->unit;
}

const double *
es_field_get_headings (EsField *self)
{
  g_return_val_if_fail (ES_IS_FIELD (self), NULL);
  /* Rows that came later have none. */
  return self->n_headings == self->rows.n ? self->headings : NULL;
}

const char *
es_field_get_role (EsField *self)
{
  g_return_val_if_fail (ES_IS_FIELD (self), NULL);
  return self->role;
}

const char * const *
es_field_get_metadata (EsField *self)
{
  g_return_val_if_fail (ES_IS_FIELD (self), NULL);
  return self->metadata->len > 1 ? (const char * const *) self->metadata->pdata : NULL;
}

float
es_field_power_of_level (double level)
{
  return (float) pow (10, level / 10);
}
