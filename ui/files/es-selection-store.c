/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-selection-store.h"

#include <glib/gi18n-lib.h>

#include "es-save-beside.h"

/* Changes that can be undone. */
#define MOST_UNDONE 100

/* Of a cube. What is nullable is everything where it is NULL. */
typedef struct
{
  GWeakRef     shell;
  EsSelection *now;            /* as last notified; nullable */
  EsSelection *known;          /* what the file beside it is known to say; nullable */
  EsSelection *unsaved;        /* that could not be written; nullable */
  gboolean     is_known;       /* there is such a file, of ours */
  GQueue       before;         /* of EsSelection, nullable; the last one first */
  gboolean     undoing;
  gboolean     saving, again;
} Place;

/* What is written, and what is known of the file that it replaces. */
typedef struct
{
  EsCube      *cube;
  EsSelection *known;          /* nullable */
  char        *shape;
} Saving;

static void save (EsCube *cube, Place *place);

static G_DEFINE_QUARK (es-selection-store, place)
static G_DEFINE_QUARK (es-selection-store-heir, heir)

static void
heir_free (gpointer data)
{
  g_weak_ref_clear (data);
  g_free (data);
}

/* The cube that has taken the place of one that was attached. Nullable, transfer full. */
static EsCube *
find_heir (EsCube *cube)
{
  EsCube *at = g_object_ref (cube);
  GWeakRef *heir;

  while (at != NULL && (heir = g_object_get_qdata (G_OBJECT (at), heir_quark ())) != NULL)
    {
      EsCube *next = g_weak_ref_get (heir);

      g_object_unref (at);
      at = next;
    }
  return at;
}

static Place *
place_of (EsCube *cube)
{
  return g_object_get_qdata (G_OBJECT (cube), place_quark ());
}

static EsSelection *
ref_or_null (EsSelection *selection)
{
  return selection != NULL ? es_selection_ref (selection) : NULL;
}

static void
unref_or_null (gpointer selection)
{
  if (selection != NULL)
    es_selection_unref (selection);
}

static void
place_free (gpointer data)
{
  Place *place = data;

  unref_or_null (place->now);
  unref_or_null (place->known);
  unref_or_null (place->unsaved);
  g_queue_clear_full (&place->before, unref_or_null);
  g_weak_ref_clear (&place->shell);
  g_free (place);
}

/* ---- beside the cube ---- */

static void
saving_free (gpointer data)
{
  Saving *saving = data;

  g_object_unref (saving->cube);
  unref_or_null (saving->known);
  g_free (saving->shape);
  g_free (saving);
}

static gboolean
write_selection (gpointer what, GFile *file, GError **error)
{
  const char *shape = g_object_get_data (G_OBJECT (file), "es-shape");

  return es_selection_save (what, file, shape, error);
}

/* What cannot be read, somebody else has written. */
static gboolean
is_known (GFile *file, gpointer data)
{
  const Saving *saving = data;
  g_autoptr (EsSelection) there = es_selection_load (file, saving->shape, NULL);

  return there != NULL && es_selection_equal (there, saving->known);
}

/* From now on it is what the file beside the cube tells; sessions need not tell it as well. */
static void
mark_beside (EsCube *cube, Place *place, EsSelection *saved)
{
  g_autoptr (EsSelection) beside = NULL;

  if (place->now == NULL || !es_selection_equal (place->now, saved))
    return;
  beside = es_selection_with_source (place->now, ES_SELECTION_BESIDE);
  es_cube_set_selection (cube, beside);
}

static void
on_saved (gpointer what, gboolean saved, gpointer data)
{
  Saving *saving = data;
  g_autoptr (EsCube) cube = find_heir (saving->cube);
  Place *place = cube != NULL ? place_of (cube) : NULL;

  if (place == NULL)
    return;
  place->saving = FALSE;
  g_clear_pointer (&place->unsaved, es_selection_unref);
  if (saved)
    {
      unref_or_null (place->known);
      place->known = es_selection_ref (what);
      place->is_known = TRUE;
      mark_beside (cube, place, what);
    }
  else
    place->unsaved = es_selection_ref (what);
  if (place->again)
    save (cube, place);
}

static void
save (EsCube *cube, Place *place)
{
  GFile *file = es_dataset_get_file (ES_DATASET (cube));
  g_autoptr (EsShell) shell = g_weak_ref_get (&place->shell);
  g_autoptr (GFile) target = file != NULL ? es_selection_sidecar_of (file) : NULL;
  EsSelection *what = place->now != NULL ? es_selection_ref (place->now)
                                         : es_selection_new (NULL, NULL, NULL, NULL, 0);
  Saving *saving;

  place->again = place->saving;
  if (place->saving || shell == NULL || target == NULL
      || (es_selection_equal (what, place->known) && place->unsaved == NULL))
    {
      es_selection_unref (what);
      return;
    }
  saving = g_new (Saving, 1);
  *saving = (Saving) { g_object_ref (cube), ref_or_null (place->known), es_dataset_shape (ES_DATASET (cube)) };
  g_object_set_data_full (G_OBJECT (target), "es-shape", es_dataset_shape (ES_DATASET (cube)), g_free);
  place->saving = TRUE;
  _es_save_beside (shell, target, &(EsSaveBeside) {
    .there = place->is_known ? ES_SAVE_BESIDE_OURS : ES_SAVE_BESIDE_FOREIGN, .what = what,
    .free_what = (GDestroyNotify) es_selection_unref, .write = write_selection, .know = is_known, .quiet = TRUE,
    .done = on_saved, .data = saving, .free_data = saving_free,
  });
}

/* ---- changes ---- */

static void
say (EsCube *cube, Place *place)
{
  g_autoptr (EsShell) shell = g_weak_ref_get (&place->shell);
  g_autofree char *text = place->now != NULL ? es_selection_describe (place->now) : g_strdup (_("everything"));
  g_autofree char *sentence = NULL;

  if (shell == NULL || !es_shell_is_open (shell))
    return;
  if (g_utf8_strlen (text, -1) > 80)
    {
      g_autofree char *begin = g_utf8_substring (text, 0, 78);
      g_autofree char *cut = g_strconcat (begin, "…", NULL);

      sentence = g_strdup_printf (_("Takes part: %s"), cut);
    }
  else
    sentence = g_strdup_printf (_("Takes part: %s"), text);
  es_shell_say_with_action (shell, sentence, _("_Undo"), "win.undo-selection", NULL);
}

static void
on_changed (EsCube *cube)
{
  Place *place = place_of (cube);
  g_autoptr (EsSelection) now = es_cube_dup_selection (cube);
  const gboolean same = es_selection_equal (now, place->now);
  const gboolean by_hand = place->undoing || now == NULL || es_selection_get_source (now) == ES_SELECTION_BY_HAND;

  if (!same && !place->undoing)
    {
      g_queue_push_head (&place->before, ref_or_null (place->now));
      if (g_queue_get_length (&place->before) > MOST_UNDONE)
        unref_or_null (g_queue_pop_tail (&place->before));
    }
  unref_or_null (place->now);
  place->now = ref_or_null (now);
  if (same || !by_hand)
    return;
  if (!place->undoing)
    say (cube, place);
  save (cube, place);
}

void
es_selection_store_attach (EsDataset *dataset, EsShell *shell)
{
  EsCube *cube = ES_IS_CUBE (dataset) ? ES_CUBE (dataset) : NULL;
  Place *place;

  g_return_if_fail (ES_IS_DATASET (dataset) && ES_IS_SHELL (shell));

  if (cube == NULL || place_of (cube) != NULL)
    return;
  place = g_new0 (Place, 1);
  g_weak_ref_init (&place->shell, shell);
  place->now = es_cube_dup_selection (cube);
  if (place->now != NULL && es_selection_get_source (place->now) == ES_SELECTION_BESIDE)
    {
      place->known = es_selection_ref (place->now);
      place->is_known = TRUE;
    }
  g_object_set_qdata_full (G_OBJECT (cube), place_quark (), place, place_free);
  g_signal_connect (cube, "notify::selection", G_CALLBACK (on_changed), NULL);
}

void
es_selection_store_pass (EsCube *from, EsCube *to)
{
  Place *place = g_object_steal_qdata (G_OBJECT (from), place_quark ());
  g_autoptr (EsSelection) now = es_cube_dup_selection (to);

  g_signal_handlers_disconnect_by_func (from, on_changed, NULL);
  if (place == NULL)
    return;
  GWeakRef *heir = g_new0 (GWeakRef, 1);
  g_weak_ref_init (heir, to);
  g_object_set_qdata_full (G_OBJECT (from), heir_quark (), heir, heir_free);
  g_object_set_qdata (G_OBJECT (to), heir_quark (), NULL);
  unref_or_null (place->now);
  place->now = ref_or_null (now);
  g_object_set_qdata_full (G_OBJECT (to), place_quark (), place, place_free);
  g_signal_connect (to, "notify::selection", G_CALLBACK (on_changed), NULL);
}

gboolean
es_selection_store_can_undo (EsCube *cube)
{
  Place *place = place_of (cube);

  return place != NULL && !g_queue_is_empty (&place->before);
}

void
es_selection_store_undo (EsCube *cube)
{
  Place *place = place_of (cube);
  g_autoptr (EsSelection) before = NULL, by_hand = NULL;

  if (!es_selection_store_can_undo (cube))
    return;
  before = g_queue_pop_head (&place->before);
  /* Until it is there again. */
  if (before != NULL)
    by_hand = es_selection_with_source (before, ES_SELECTION_BY_HAND);
  place->undoing = TRUE;
  es_cube_set_selection (cube, by_hand);
  place->undoing = FALSE;
}

EsSelection *
es_selection_store_dup_unsaved (EsCube *cube)
{
  Place *place = place_of (cube);

  return place != NULL ? ref_or_null (place->unsaved) : NULL;
}

void
es_selection_store_was_saved (EsCube *cube, EsSelection *selection)
{
  Place *place = place_of (cube);

  if (place != NULL && es_selection_equal (place->unsaved, selection))
    g_clear_pointer (&place->unsaved, es_selection_unref);
}
