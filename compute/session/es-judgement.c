/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-judgement.h"

#include "layer/es-image-stack.h"
#include "layer/es-layer.h"
#include "result/es-result-internal.h"

struct _EsJudgement
{
  GObject   parent_instance;

  EsResult *result;            /* borrowed: it keeps this */
  guint8   *dropped;           /* 1 where a component is switched off; NULL: none is */
  guint     n_dropped;         /* its length */
  EsResult *reconstruction;
  GWeakRef  source;            /* which must not be kept in turn */
  gboolean  busy;
};

G_DEFINE_FINAL_TYPE (EsJudgement, es_judgement, G_TYPE_OBJECT)

enum { KEPT_CHANGED, RECONSTRUCTION_CHANGED, SOURCE_CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

/* In any thread: where the last of the result goes. */
static void
es_judgement_finalize (GObject *object)
{
  EsJudgement *self = ES_JUDGEMENT (object);

  g_free (self->dropped);
  g_clear_object (&self->reconstruction);
  g_weak_ref_clear (&self->source);
  G_OBJECT_CLASS (es_judgement_parent_class)->finalize (object);
}

static void
es_judgement_class_init (EsJudgementClass *class)
{
  static const char *const names[N_SIGNALS] = { "kept-changed", "reconstruction-changed", "source-changed" };

  G_OBJECT_CLASS (class)->finalize = es_judgement_finalize;
  for (guint i = 0; i < N_SIGNALS; i++)
    signals[i] = g_signal_new (names[i], G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                               G_TYPE_NONE, 0);
}

static void
es_judgement_init (EsJudgement *self)
{
  g_weak_ref_init (&self->source, NULL);
}

EsJudgement *
es_judgement_of (EsResult *result)
{
  GObject *judgement;

  g_return_val_if_fail (ES_IS_RESULT (result), NULL);

  judgement = es_result_get_judgement (result);
  if (judgement == NULL)
    {
      EsJudgement *self = g_object_new (ES_TYPE_JUDGEMENT, NULL);

      self->result = result;
      judgement = G_OBJECT (self);
      es_result_take_judgement (result, judgement);
    }
  return ES_JUDGEMENT (judgement);
}

/* ---- components ---- */

guint
es_judgement_get_n (EsJudgement *self)
{
  EsLayer *layer;

  g_return_val_if_fail (ES_IS_JUDGEMENT (self), 0);

  layer = es_result_find_layer (self->result, "components");
  return ES_IS_IMAGE_STACK (layer) ? es_image_stack_get_planes (ES_IMAGE_STACK (layer)) : 0;
}

static guint
count_as_told (EsJudgement *self, guint n)
{
  guint kept = 0;

  for (guint i = 0; i < n; i++)
    kept += i >= self->n_dropped || !self->dropped[i];
  return kept;
}

gboolean
es_judgement_is_kept (EsJudgement *self, guint plane)
{
  guint n = es_judgement_get_n (self);

  /* Of fewer components than before, those that are left may all be switched off. */
  return plane < n && (plane >= self->n_dropped || !self->dropped[plane] || count_as_told (self, n) == 0);
}

guint
es_judgement_count_kept (EsJudgement *self)
{
  guint n = es_judgement_get_n (self), kept = count_as_told (self, n);

  return kept > 0 ? kept : n;
}

gboolean
es_judgement_set_kept (EsJudgement *self, guint plane, gboolean kept)
{
  guint n = es_judgement_get_n (self);
  guint8 *dropped;

  if (plane >= n || es_judgement_is_kept (self, plane) == !!kept || (!kept && es_judgement_count_kept (self) == 1))
    return FALSE;
  dropped = g_new0 (guint8, n);
  for (guint i = 0; i < n; i++)
    dropped[i] = !(i == plane ? kept : es_judgement_is_kept (self, i));
  g_free (self->dropped);
  self->dropped = dropped;
  self->n_dropped = n;
  g_signal_emit (self, signals[KEPT_CHANGED], 0);
  return TRUE;
}

void
es_judgement_keep_all (EsJudgement *self)
{
  g_return_if_fail (ES_IS_JUDGEMENT (self));

  g_clear_pointer (&self->dropped, g_free);
  self->n_dropped = 0;
  g_signal_emit (self, signals[KEPT_CHANGED], 0);
}

char *
es_judgement_format_kept (EsJudgement *self)
{
  guint n = es_judgement_get_n (self);
  GString *text = g_string_new (NULL);

  /* All is as much as to say nothing about them. */
  for (guint i = 0; i < n && es_judgement_count_kept (self) < n; i++)
    {
      guint first = i;

      if (!es_judgement_is_kept (self, i))
        continue;
      while (es_judgement_is_kept (self, i + 1))
        i++;
      g_string_append_printf (text, first == i ? "%s%u" : "%s%u-%u", text->len > 0 ? ", " : "", first + 1, i + 1);
    }
  return g_string_free (text, FALSE);
}

void
es_judgement_inherit (EsJudgement *self, EsResult *from)
{
  EsJudgement *other = es_judgement_of (from);

  g_return_if_fail (ES_IS_JUDGEMENT (self) && other != self);

  if (other->dropped == NULL)
    return;
  g_free (self->dropped);
  self->dropped = g_memdup2 (other->dropped, other->n_dropped);
  self->n_dropped = other->n_dropped;
}

/* ---- reconstructions ---- */

void
es_judgement_set_reconstruction (EsJudgement *self, EsResult *reconstruction)
{
  g_return_if_fail (ES_IS_JUDGEMENT (self));

  g_set_object (&self->reconstruction, reconstruction);
  if (reconstruction != NULL)
    g_weak_ref_set (&es_judgement_of (reconstruction)->source, self->result);
  g_signal_emit (self, signals[RECONSTRUCTION_CHANGED], 0);
  if (reconstruction != NULL)
    g_signal_emit (es_judgement_of (reconstruction), signals[SOURCE_CHANGED], 0);
}

EsResult *
es_judgement_get_reconstruction (EsJudgement *self)
{
  g_return_val_if_fail (ES_IS_JUDGEMENT (self), NULL);
  return self->reconstruction;
}

void
es_judgement_set_busy (EsJudgement *self, gboolean busy)
{
  g_return_if_fail (ES_IS_JUDGEMENT (self));

  if (self->busy == !!busy)
    return;
  self->busy = !!busy;
  g_signal_emit (self, signals[RECONSTRUCTION_CHANGED], 0);
}

gboolean
es_judgement_is_busy (EsJudgement *self)
{
  g_return_val_if_fail (ES_IS_JUDGEMENT (self), FALSE);
  return self->busy;
}

EsResult *
es_judgement_find_source (EsResult *reconstruction)
{
  GObject *judgement = reconstruction != NULL ? es_result_get_judgement (reconstruction) : NULL;
  g_autoptr (EsResult) source = judgement != NULL ? g_weak_ref_get (&ES_JUDGEMENT (judgement)->source) : NULL;

  /* The session, or what is judged, keeps it. */
  return source;
}

EsResult *
es_judgement_find_judged (EsResult *shown)
{
  EsResult *source = es_judgement_find_source (shown);

  return source != NULL ? source : shown;
}
