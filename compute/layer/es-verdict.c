/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "base/es-text-show.h"
#include "es-layer-internal.h"

typedef struct
{
  EsVerdictState state;
  gboolean       meaning;
  char          *sentence;
  char          *rule;
  GArray        *numbers;      /* EsVerdictNumber */
} Entry;

struct _EsVerdict
{
  EsLayer    parent_instance;

  GPtrArray *entries;          /* Entry */
};

G_DEFINE_FINAL_TYPE (EsVerdict, es_verdict, ES_TYPE_LAYER)

static const char *const state_names[] = { "yes", "no", "unsure", "tells" };

static void
clear_number (gpointer data)
{
  EsVerdictNumber *number = data;

  g_free (number->title);
  g_free (number->unit);
}

static void
free_entry (gpointer data)
{
  Entry *entry = data;

  g_free (entry->sentence);
  g_free (entry->rule);
  g_array_unref (entry->numbers);
  g_free (entry);
}

static void
es_verdict_finalize (GObject *object)
{
  g_ptr_array_unref (ES_VERDICT (object)->entries);
  G_OBJECT_CLASS (es_verdict_parent_class)->finalize (object);
}

static void
es_verdict_class_init (EsVerdictClass *class)
{
  G_OBJECT_CLASS (class)->finalize = es_verdict_finalize;
  ES_LAYER_CLASS (class)->kind = ES_LAYER_VERDICT;
}

static void
es_verdict_init (EsVerdict *self)
{
  self->entries = g_ptr_array_new_with_free_func (free_entry);
}

EsVerdict *
es_verdict_new (const char *name, const char *title)
{
  EsVerdict *self = g_object_new (ES_TYPE_VERDICT, NULL);

  es_layer_set_name (ES_LAYER (self), name, title);
  return self;
}

void
es_verdict_add (EsVerdict *self, EsVerdictState state, gboolean meaning, const char *sentence, const char *rule)
{
  Entry *entry = g_new (Entry, 1);

  *entry = (Entry) { state, meaning, es_text_show (sentence), es_text_show (rule),
                     g_array_new (FALSE, FALSE, sizeof (EsVerdictNumber)) };
  g_array_set_clear_func (entry->numbers, clear_number);
  g_ptr_array_add (self->entries, entry);
}

void
es_verdict_add_number (EsVerdict *self, const char *title, double value, const char *unit)
{
  const EsVerdictNumber number = { es_text_show (title), value, es_text_show (unit) };

  g_return_if_fail (self->entries->len > 0);
  g_array_append_val (((Entry *) g_ptr_array_index (self->entries, self->entries->len - 1))->numbers, number);
}

static const Entry *
get_entry (EsVerdict *self, guint i)
{
  static const Entry none = { ES_VERDICT_UNSURE, FALSE, NULL, NULL, NULL };

  g_return_val_if_fail (i < self->entries->len, &none);
  return g_ptr_array_index (self->entries, i);
}

guint
es_verdict_get_n (EsVerdict *self)
{
  return self->entries->len;
}

EsVerdictState
es_verdict_get_state (EsVerdict *self, guint i)
{
  return get_entry (self, i)->state;
}

const char *
es_verdict_get_sentence (EsVerdict *self, guint i)
{
  return get_entry (self, i)->sentence;
}

const char *
es_verdict_get_rule (EsVerdict *self, guint i)
{
  return get_entry (self, i)->rule;
}

const EsVerdictNumber *
es_verdict_get_numbers (EsVerdict *self, guint i, guint *n)
{
  GArray *numbers = get_entry (self, i)->numbers;

  *n = numbers != NULL ? numbers->len : 0;
  return numbers != NULL ? (const EsVerdictNumber *) numbers->data : NULL;
}

gboolean
es_verdict_is_meaning (EsVerdict *self, guint i)
{
  return get_entry (self, i)->meaning;
}

const char *
es_verdict_state_name (EsVerdictState state)
{
  g_return_val_if_fail (state < G_N_ELEMENTS (state_names), "unsure");
  return state_names[state];
}

gboolean
es_verdict_state_find (const char *name, EsVerdictState *state)
{
  for (guint i = 0; name != NULL && i < G_N_ELEMENTS (state_names); i++)
    if (g_str_equal (name, state_names[i]))
      {
        *state = (EsVerdictState) i;
        return TRUE;
      }
  return FALSE;
}
