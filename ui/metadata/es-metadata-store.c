/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-metadata-store.h"

#include <glib/gi18n-lib.h>

#include "files/es-save-beside.h"
#include "files/es-selection-store.h"
#include "image/es-display.h"
#include "keeping/es-kept-id.h"

/* Changes that can be undone. */
#define MOST_UNDONE 100

/* What is being told. */
typedef struct
{
  EsShell       *shell;
  EsCube        *cube;
  EsMetadata    *metadata;     /* nullable */
  gboolean       undoing;
  EsMetadataTold told;         /* nullable */
  GWeakRef       data;
} Telling;

/* Of the file of a cube, whatever it was told since. */
typedef struct
{
  GWeakRef    shell;
  EsMetadata *known;           /* what the file beside it is known to say; nullable */
  gboolean    is_known;        /* there is such a file, of ours */
  GQueue      before;          /* of EsMetadata, nullable; the last one first */
  Telling    *now, *next;      /* nullable */
  gboolean    saving, again;
} Place;

static void save (EsCube *cube);

static G_DEFINE_QUARK (es-metadata-store, place)

static EsMetadata *
ref_or_null (EsMetadata *metadata)
{
  return metadata != NULL ? es_metadata_ref (metadata) : NULL;
}

static void
unref_or_null (gpointer metadata)
{
  if (metadata != NULL)
    es_metadata_unref (metadata);
}

static void
telling_free (Telling *self)
{
  g_object_unref (self->shell);
  g_object_unref (self->cube);
  unref_or_null (self->metadata);
  g_weak_ref_clear (&self->data);
  g_free (self);
}

static void
place_free (gpointer data)
{
  Place *place = data;

  unref_or_null (place->known);
  g_queue_clear_full (&place->before, unref_or_null);
  g_weak_ref_clear (&place->shell);
  g_clear_pointer (&place->next, telling_free);
  g_free (place);
}

/* NULL: nobody has told anything of it here. */
static Place *
find_place (EsCube *cube)
{
  return g_object_get_qdata (G_OBJECT (es_cube_get_original (cube)), place_quark ());
}

static Place *
place_of (EsShell *shell, EsCube *cube)
{
  Place *place = find_place (cube);
  EsMetadata *now = es_cube_get_metadata (cube);

  if (place != NULL)
    return place;
  place = g_new0 (Place, 1);
  g_weak_ref_init (&place->shell, shell);
  place->is_known = now != NULL && es_metadata_get_source (now) == ES_METADATA_BESIDE;
  place->known = place->is_known ? es_metadata_ref (now) : NULL;
  g_object_set_qdata_full (G_OBJECT (es_cube_get_original (cube)), place_quark (), place, place_free);
  return place;
}

/* ---- beside the cube ---- */

/* What is written, and what is known of the file that it replaces. */
typedef struct
{
  EsCube     *cube;
  EsMetadata *known;           /* nullable */
  char       *shape;
} Saving;

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
write_metadata (gpointer what, GFile *file, GError **error)
{
  return es_metadata_save (what, file, g_object_get_data (G_OBJECT (file), "es-shape"), error);
}

/* What cannot be read, somebody else has written. */
static gboolean
is_known (GFile *file, gpointer data)
{
  const Saving *saving = data;
  g_autoptr (EsMetadata) there = es_metadata_load (file, saving->shape, es_cube_get_bands (saving->cube), NULL);

  return there != NULL && es_metadata_equal (there, saving->known);
}

static void
on_saved (gpointer what, gboolean saved, gpointer data)
{
  Saving *saving = data;
  Place *place = find_place (saving->cube);

  place->saving = FALSE;
  if (saved)
    {
      unref_or_null (place->known);
      place->known = es_metadata_ref (what);
      place->is_known = TRUE;
      /* Sessions need not tell it as well. */
      es_metadata_set_source (what, ES_METADATA_BESIDE);
    }
  if (place->again)
    {
      g_autoptr (EsShell) shell = g_weak_ref_get (&place->shell);

      if (shell != NULL)
        save (ES_CUBE (es_session_get_current (es_shell_get_session (shell), ES_DATASET (saving->cube))));
    }
}

static void
save (EsCube *cube)
{
  Place *place = find_place (cube);
  GFile *file = es_dataset_get_file (ES_DATASET (cube));
  g_autoptr (EsShell) shell = g_weak_ref_get (&place->shell);
  g_autoptr (GFile) target = file != NULL ? es_metadata_sidecar_of (file) : NULL;
  EsMetadata *now = es_cube_get_metadata (cube);
  Saving *saving;

  place->again = place->saving;
  if (place->saving || shell == NULL || target == NULL || (place->is_known && es_metadata_equal (now, place->known))
      || (!place->is_known && now == NULL && !g_file_query_exists (target, NULL)))
    return;
  saving = g_new (Saving, 1);
  *saving = (Saving) { g_object_ref (cube), ref_or_null (place->known), es_dataset_shape (ES_DATASET (cube)) };
  g_object_set_data_full (G_OBJECT (target), "es-shape", es_dataset_shape (ES_DATASET (cube)), g_free);
  place->saving = TRUE;
  _es_save_beside (shell, target, &(EsSaveBeside) {
    /* Of what is not known is_known () finds that it says something. */
    .there = ES_SAVE_BESIDE_OURS,
    .what = now != NULL ? es_metadata_ref (now) : es_metadata_new (es_metadata_get_facts (NULL)),
    .free_what = (GDestroyNotify) es_metadata_unref, .write = write_metadata, .know = is_known, .quiet = TRUE,
    .done = on_saved, .data = saving, .free_data = saving_free,
  });
}

/* ---- another cube in its place ---- */

static gboolean
has_same_values (EsCube *one, EsCube *other)
{
  for (guint b = 0; b < es_cube_get_bands (one); b++)
    if (es_cube_get_scale (one, b) != es_cube_get_scale (other, b)
        || es_cube_get_offset (one, b) != es_cube_get_offset (other, b))
      return FALSE;
  return TRUE;
}

/* The bands that the cube itself chose for red, green and blue. */
static gboolean
shows_chosen (JsonObject *look, EsCube *cube)
{
  JsonNode *node = json_object_get_member (look, "rgb");
  JsonArray *list = node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
  guint chosen[3];

  es_cube_pick_rgb (cube, chosen);
  for (guint i = 0; list != NULL && i < 3; i++)
    if (json_array_get_length (list) != 3 || json_array_get_int_element (list, i) != chosen[i])
      return FALSE;
  return list != NULL;
}

/* A look without what was of the old cube's numbers alone. */
static void
adapt_look (JsonNode *look, EsCube *old, EsCube *cube)
{
  JsonObject *object = look != NULL && JSON_NODE_HOLDS_OBJECT (look) ? json_node_get_object (look) : NULL;

  if (object == NULL)
    return;
  if (!has_same_values (old, cube) && json_object_has_member (object, "stretches"))
    json_object_remove_member (object, "stretches");
  if (shows_chosen (object, old))
    json_object_remove_member (object, "rgb");
}

/* What people did to one is done to the other. */
static void
pass_on (EsCube *old, EsCube *cube)
{
  g_autoptr (JsonNode) look = es_display_tell (G_OBJECT (old));
  g_autoptr (EsSelection) selection = es_cube_dup_selection (old);

  es_kept_id_set (cube, es_kept_id_of (old));
  es_dataset_pass_regions (ES_DATASET (old), ES_DATASET (cube));
  /* It may have been told while the other cube was made. */
  if (es_cube_check_selection (cube, selection, NULL))
    es_cube_set_selection (cube, selection);
  es_selection_store_pass (old, cube);
  adapt_look (look, old, cube);
  es_display_take (G_OBJECT (cube), look);
}

static void
take_place (EsShell *shell, EsCube *old, EsCube *cube)
{
  EsSession *session = es_shell_get_session (shell);
  EsShown *shown = es_shell_get_shown (shell);
  const gboolean in_view = es_shown_get_dataset (shown) == ES_DATASET (old);
  g_autoptr (EsResult) result = NULL;
  g_autoptr (EsLayer) layer = NULL;
  const guint plane = es_shown_get_plane (shown);

  if (in_view)
    {
      g_set_object (&result, es_shown_get_result (shown));
      g_set_object (&layer, es_shown_get_layer (shown));
    }
  pass_on (old, cube);
  es_session_replace_dataset (session, ES_DATASET (old), ES_DATASET (cube));
  if (!in_view)
    return;
  es_shown_set (shown, ES_DATASET (cube), result, layer);
  if (result != NULL)
    es_shown_set_plane (shown, plane);
}

static void
say (EsShell *shell, EsCube *cube)
{
  EsMetadata *now = es_cube_get_metadata (cube);
  g_autofree char *text = now != NULL ? es_metadata_describe (now) : g_strdup (_("nothing"));
  g_autofree char *begin = g_utf8_strlen (text, -1) > 80 ? g_utf8_substring (text, 0, 78) : NULL;
  g_autofree char *cut = begin != NULL ? g_strconcat (begin, "…", NULL) : NULL;
  /* Translators: what a person has told of a cube beside its file: “wavelengths, no-data 0” */
  g_autofree char *sentence = g_strdup_printf (_("Told of the cube: %s"), cut != NULL ? cut : text);

  if (es_shell_is_open (shell))
    es_shell_say_with_action (shell, sentence, _("_Undo"), "win.undo-metadata", NULL);
}

static void start (Place *place);

static void
on_told (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (EsCube) keep = g_object_ref (ES_CUBE (source));
  Place *place = find_place (keep);
  Telling *telling = g_steal_pointer (&place->now);
  EsSession *session = es_shell_get_session (telling->shell);
  g_autoptr (GError) error = NULL;
  g_autoptr (EsCube) cube = es_cube_with_metadata_finish (result, &error);
  EsDataset *old = es_session_get_current (session, ES_DATASET (telling->cube));
  g_autoptr (GObject) owner = g_weak_ref_get (&telling->data);

  /* Without results a data set is not in the session: it has been closed. */
  if (cube != NULL && es_session_get_results (session, old) != NULL)
    {
      if (!telling->undoing)
        g_queue_push_head (&place->before, ref_or_null (es_cube_get_metadata (ES_CUBE (old))));
      if (g_queue_get_length (&place->before) > MOST_UNDONE)
        unref_or_null (g_queue_pop_tail (&place->before));
      take_place (telling->shell, ES_CUBE (old), cube);
      if (!telling->undoing && place->next == NULL)
        say (telling->shell, cube);
      save (cube);
    }
  if (telling->told != NULL && owner != NULL)
    telling->told (error, owner);
  else if (error != NULL && es_shell_is_open (telling->shell))
    es_shell_say (telling->shell, error->message);
  es_shell_update (telling->shell);
  telling_free (telling);
  if (place->next != NULL)
    start (place);
}

static void
start (Place *place)
{
  place->now = g_steal_pointer (&place->next);
  es_cube_with_metadata_async (place->now->cube, place->now->metadata, on_told, NULL);
}

static void
tell (EsShell *shell, EsCube *cube, EsMetadata *metadata, gboolean undoing, EsMetadataTold told, gpointer data)
{
  Place *place = place_of (shell, cube);
  Telling *telling = g_new0 (Telling, 1);

  telling->shell = g_object_ref (shell);
  telling->cube = g_object_ref (cube);
  telling->metadata = ref_or_null (metadata);
  telling->undoing = undoing;
  telling->told = told;
  g_weak_ref_init (&telling->data, data);
  g_clear_pointer (&place->next, telling_free);
  place->next = telling;
  if (place->now == NULL)
    start (place);
}

/* ---- for everybody ---- */

EsMetadata *
es_metadata_store_get_told (EsCube *cube)
{
  Place *place = find_place (cube);

  if (place != NULL && place->next != NULL)
    return place->next->metadata;
  return place != NULL && place->now != NULL ? place->now->metadata : es_cube_get_metadata (cube);
}

void
es_metadata_store_tell (EsShell *shell, EsCube *cube, EsMetadata *metadata, EsMetadataTold told, gpointer data)
{
  g_return_if_fail (ES_IS_SHELL (shell) && ES_IS_CUBE (cube));

  if (!es_metadata_equal (metadata, es_metadata_store_get_told (cube)))
    tell (shell, cube, metadata, FALSE, told, data);
  else if (told != NULL)
    told (NULL, data);
}

gboolean
es_metadata_store_can_undo (EsCube *cube)
{
  Place *place = find_place (cube);

  return place != NULL && !g_queue_is_empty (&place->before);
}

void
es_metadata_store_undo (EsShell *shell, EsCube *cube)
{
  Place *place = find_place (cube);
  g_autoptr (EsMetadata) before = NULL, by_hand = NULL;

  if (!es_metadata_store_can_undo (cube))
    return;
  before = g_queue_pop_head (&place->before);
  /* Until it is there again. */
  by_hand = before != NULL ? es_metadata_with_source (before, ES_METADATA_BY_HAND) : NULL;
  tell (shell, cube, by_hand, TRUE, NULL, NULL);
}
