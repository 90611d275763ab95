/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/es-error.h"
#include "es-recording-set-private.h"

typedef struct
{
  GFile   *file;               /* borrowed */
  EsArray *array;
  guint    rank;               /* the smaller the better */
} Candidate;

static gboolean
is_event_column (const char *name)
{
  static const char * const whole[] = {
    "event", "events", "t0", "t1", "t0_s", "t1_s", "time", "start", "end", "onset",
  };
  static const char * const beginnings[] = {
    "time_", "start_", "end_", "begin_", "t_start", "t_end", "event_", "time ",
  };

  for (guint i = 0; i < G_N_ELEMENTS (whole); i++)
    if (strcmp (name, whole[i]) == 0)
      return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (beginnings); i++)
    if (g_str_has_prefix (name, beginnings[i]))
      return TRUE;
  return FALSE;
}

gboolean
es_recording_is_event_list (GFile *file)
{
  g_autoptr (GFileInputStream) stream = g_file_read (file, NULL, NULL);
  g_auto (GStrv) names = NULL;
  char head[2048];
  gssize n = stream != NULL ? g_input_stream_read (G_INPUT_STREAM (stream), head, sizeof head - 1, NULL, NULL) : 0;

  if (n <= 0)
    return FALSE;
  head[n] = '\0';
  head[strcspn (head, "\r\n")] = '\0';
  names = g_strsplit_set (head, ",;\t", -1);
  for (char **name = names; *name != NULL; name++)
    {
      g_autofree char *lower = g_ascii_strdown (*name, -1);

      if (is_event_column (g_strstrip (g_strdelimit (lower, "\"", ' '))))
        return TRUE;
    }
  return FALSE;
}

gboolean
es_reader_is_text (const EsReaderInput *input)
{
  for (gsize i = 0; i < input->head_length; i++)
    {
      guint8 byte = input->head[i];

      if (byte < 32 && byte != '\t' && byte != '\n' && byte != '\r' && byte != '\f')
        return FALSE;
    }
  return input->head_length > 0;
}

gboolean
es_reader_is_array (const EsReaderInput *input)
{
  g_autoptr (EsArray) array = NULL;

  if (!es_reader_is_text (input) || es_recording_is_event_list (input->file))
    return FALSE;
  array = es_array_load (input->file, NULL, NULL);
  return array != NULL;
}

static guint
highest_channel (EsArray *array)
{
  const EsElement *elements = es_array_get_elements (array);
  guint highest = 0;

  for (guint i = 0; i < es_array_get_n_elements (array); i++)
    highest = MAX (highest, elements[i].channel);
  return highest;
}

/* NULL: it was not taken, and the recording has a note of it. */
static EsArray *
consider (EsRecording *recording, GFile *file)
{
  guint channels = es_recording_get_n_channels (recording);
  g_autofree char *name = es_error_file_name (file);
  g_autoptr (GError) error = NULL;
  g_autoptr (EsArray) array = NULL;

  if (es_recording_is_event_list (file))
    {
      _es_dataset_add_note (ES_DATASET (recording),
                            _("“%s” lists events, not the elements of an array, and was left out."), name);
      return NULL;
    }
  array = es_array_load (file, NULL, &error);
  if (array == NULL)
    {
      g_autofree char *sentence = g_strdup_printf (_("“%s” was not taken for the array: %s"), name, error->message);
      _es_recording_refuse_array (recording, sentence);
      return NULL;
    }
  if (es_array_get_n_elements (array) > channels || highest_channel (array) >= channels)
    {
      g_autofree char *sentence =
        g_strdup_printf (_("“%s” was not taken for the array: it has %u elements up to channel %u, the recording "
                           "%u channels."), name, es_array_get_n_elements (array), highest_channel (array) + 1,
                         channels);
      _es_recording_refuse_array (recording, sentence);
      return NULL;
    }
  return g_steal_pointer (&array);
}

static int
compare_candidates (gconstpointer a, gconstpointer b)
{
  const Candidate *one = a, *other = b;
  g_autofree char *first = g_file_get_basename (one->file), *second = g_file_get_basename (other->file);

  return one->rank != other->rank ? (one->rank < other->rank ? -1 : 1) : es_recording_compare_names (first, second);
}

/* What a person saved for this recording goes before what came with it, an element a channel before fewer. */
static guint
rank_of (EsRecording *recording, GFile *file, EsArray *array)
{
  g_autofree char *name = g_file_get_basename (file);

  if (g_str_has_suffix (name, ".array.json"))
    return 0;
  return es_array_get_n_elements (array) == es_recording_get_n_channels (recording) ? 1 : 2;
}

static void
candidate_clear (gpointer data)
{
  es_array_unref (((Candidate *) data)->array);
}

/* What was odd in the positions that are taken is told with the recording. */
static void
pass_notes (EsRecording *recording, const Candidate *taken)
{
  const char *doubt = es_array_get_doubt (taken->array, es_recording_get_n_channels (recording));
  g_autofree char *name = es_error_file_name (taken->file);

  for (const char * const *note = es_array_get_notes (taken->array); note != NULL && *note != NULL; note++)
    _es_dataset_add_note (ES_DATASET (recording), "“%s”: %s", name, *note);
  if (doubt != NULL)
    _es_dataset_add_note (ES_DATASET (recording), "“%s”: %s", name, doubt);
}

EsArray *
es_recording_choose_array (EsRecording *recording, GFile **texts, guint n)
{
  g_autoptr (GArray) candidates = g_array_new (FALSE, FALSE, sizeof (Candidate));
  Candidate *list;

  g_array_set_clear_func (candidates, candidate_clear);
  for (guint i = 0; i < n; i++)
    {
      EsArray *array = consider (recording, texts[i]);

      if (array != NULL)
        {
          Candidate candidate = { texts[i], array, rank_of (recording, texts[i], array) };

          g_array_append_val (candidates, candidate);
        }
    }
  if (candidates->len == 0)
    return NULL;
  g_array_sort (candidates, compare_candidates);
  list = (Candidate *) (void *) candidates->data;
  pass_notes (recording, &list[0]);
  for (guint i = 1; i < candidates->len; i++)
    if (!es_array_equal (list[0].array, list[i].array))
      {
        g_autofree char *taken = es_error_file_name (list[0].file), *left = es_error_file_name (list[i].file);

        _es_dataset_add_note (ES_DATASET (recording), _("Both “%s” and “%s” describe an array; the first was taken."),
                              taken, left);
      }
  return es_array_ref (list[0].array);
}
