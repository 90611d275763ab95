/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-recording-watch.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/es-error.h"
#include "dataset/es-dataset-internal.h"
#include "readers/es-open-input-internal.h"
#include "recording/es-recording-internal.h"

/* How often it looks, ms: at files that were written to lately, and at others; not more than a tenth of the time. */
#define OFTEN 1000
#define SELDOM 5000
#define SHARE 10
/* Seconds after which a file was not written to lately. */
#define LATELY 60
/* A recording is growing until nothing has come for so long, s, and for so many times as long as between two pieces. */
#define PATIENCE 10.0
#define PIECES 3.0
/* What a recorder writes behind its samples may have been taken for as many, s. */
#define MOST_MISSING 1.0
/* At so many places, and at its end, so many samples are kept, to know it again by. */
#define PLACES 8u
#define MOST_SAMPLES 16384u

/* A file as it was seen. */
typedef struct
{
  guint64         size;
  struct timespec written;
} Seen;

struct _EsRecordingWatch
{
  GObject       parent_instance;

  EsRecording  *recording;
  GCancellable *cancellable;
  guint         timer;
  char         *problem;

  /* Of the looks, one after the other */
  Seen         *seen;          /* one a file; NULL: none yet */
  float        *pieces, *tail; /* PLACES of n_kept frames each, evenly apart before pieces_end; n_kept frames */
  guint64       n_kept, pieces_end, tail_end;
  guint         n_failed;

  double        last_growth, pause;    /* s, monotonic; between the last two pieces */
};

enum { PROP_0, PROP_PROBLEM, N_PROPS };
static GParamSpec *properties[N_PROPS];

G_DEFINE_FINAL_TYPE (EsRecordingWatch, es_recording_watch, G_TYPE_OBJECT)

/* ---- one look, on a thread ---- */

typedef struct
{
  EsRecordingWatch *watch;
  JsonObject       *input;             /* what opens it again */
  gboolean          was_written, is_recent, is_other;
  GFile            *missing;           /* of the recording's; NULL: all are there */
  gint64            took;              /* us */
} Look;

static void
look_free (Look *look)
{
  json_object_unref (look->input);
  g_object_unref (look->watch);
  g_free (look);
}

/* Whether a file is not what it was; all of them as they are now are in `now`. */
static gboolean
stat_files (EsRecordingWatch *self, Seen *now, Look *look)
{
  GFile * const *files = es_recording_get_files (self->recording);
  const gint64 clock = g_get_real_time () / G_USEC_PER_SEC;
  gboolean changed = self->seen == NULL && _es_dataset_is_written_to (ES_DATASET (self->recording));

  for (guint i = 0; files[i] != NULL; i++)
    {
      const char *path = g_file_peek_path (files[i]);
      struct stat status;

      if (path == NULL || stat (path, &status) != 0)
        {
          /* It may come back. */
          if (path != NULL && look->missing == NULL && (errno == ENOENT || errno == ENOTDIR))
            look->missing = files[i];
          now[i] = self->seen != NULL ? self->seen[i] : (Seen) { 0 };
          continue;
        }
      now[i] = (Seen) { (guint64) status.st_size, status.st_mtim };
      look->is_recent |= ABS (clock - (gint64) status.st_mtim.tv_sec) < LATELY;
      changed |= self->seen != NULL && memcmp (&now[i], &self->seen[i], sizeof (Seen)) != 0;
    }
  return changed;
}

/* As far as the newer one reaches. */
static gboolean
is_alike (EsRecordingWatch *self, EsRecording *newer, guint64 first, const float *kept)
{
  const guint64 frames = es_recording_get_frames (newer);
  const guint64 n_frames = MIN (self->n_kept, frames - MIN (first, frames));
  const gsize n = (gsize) n_frames * es_recording_get_n_channels (self->recording);
  g_autofree float *found = g_new (float, MAX (n, 1));

  return es_recording_read (newer, first, n_frames, 0, es_recording_get_n_channels (newer), found, NULL)
         && memcmp (found, kept, n * sizeof (float)) == 0;
}

/* Where piece i begins. */
static guint64
find_piece (EsRecordingWatch *self, guint i)
{
  return (guint64) ((double) (self->pieces_end - self->n_kept) * i / (PLACES - 1));
}

/* Whether it is the same one, as long as it was or longer. */
static gboolean
is_same (EsRecordingWatch *self, EsRecording *newer)
{
  const gsize size = (gsize) self->n_kept * es_recording_get_n_channels (self->recording);
  const double missing = es_recording_get_seconds (self->recording) - es_recording_get_seconds (newer);

  if (es_recording_get_n_channels (newer) != es_recording_get_n_channels (self->recording)
      || es_recording_get_rate (newer) != es_recording_get_rate (self->recording))
    return FALSE;
  /* Closed by a recorder that has written something else behind the samples: that was read as some. */
  if (missing > 0 && missing < MOST_MISSING)
    return is_alike (self, newer, 0, self->pieces);
  for (guint i = 0; i < PLACES; i++)
    if (!is_alike (self, newer, find_piece (self, i), self->pieces + i * size))
      return FALSE;
  return es_recording_get_frames (newer) >= es_recording_get_frames (self->recording)
         && is_alike (self, newer, self->tail_end - self->n_kept, self->tail);
}

/* What it is known again by: of all channels, as far as they all are there. */
static gboolean
keep_pieces (EsRecordingWatch *self)
{
  EsRecording *recording = self->recording;
  const guint channels = es_recording_get_n_channels (recording);
  const guint64 end = es_recording_get_common_frames (recording);
  gboolean all = TRUE;

  if (self->pieces != NULL && self->tail_end == end)
    return TRUE;
  if (self->pieces == NULL)
    {
      self->n_kept = CLAMP (MOST_SAMPLES / channels, 1, end);
      self->pieces_end = end;
      self->pieces = g_new (float, PLACES * self->n_kept * channels);
      self->tail = g_new (float, self->n_kept * channels);
      for (guint i = 0; i < PLACES; i++)
        all = all && es_recording_read (recording, find_piece (self, i), self->n_kept, 0, channels,
                                        self->pieces + i * self->n_kept * channels, NULL);
    }
  self->tail_end = end;
  if (all && es_recording_read (recording, end - self->n_kept, self->n_kept, 0, channels, self->tail, NULL))
    return TRUE;
  g_clear_pointer (&self->pieces, g_free);
  g_clear_pointer (&self->tail, g_free);
  return FALSE;
}

static guint
count_files (EsRecording *recording)
{
  guint n = 0;

  while (es_recording_get_files (recording)[n] != NULL)
    n++;
  return n;
}

/* The recording as it is now, where more has been written to it. */
static EsRecording *
look_again (EsRecordingWatch *self, Look *look)
{
  g_autofree Seen *now = g_new0 (Seen, count_files (self->recording));
  const gboolean changed = stat_files (self, now, look), is_first = self->seen == NULL;
  g_autoptr (EsDataset) newer = NULL;

  if (!keep_pieces (self) || !changed)
    {
      if (is_first)
        self->seen = g_steal_pointer (&now);
      return NULL;
    }
  look->was_written = !is_first;
  newer = _es_dataset_open_input (look->input, self->cancellable, NULL);
  if (newer == NULL || !ES_IS_RECORDING (newer))
    {
      /* Its header may just be written: once more. */
      if (++self->n_failed >= 3)
        {
          g_free (self->seen);
          self->seen = g_steal_pointer (&now);
          self->n_failed = 0;
        }
      return NULL;
    }
  self->n_failed = 0;
  g_free (self->seen);
  self->seen = g_steal_pointer (&now);
  look->is_other = !is_same (self, ES_RECORDING (newer));
  return look->is_other ? NULL : ES_RECORDING (g_steal_pointer (&newer));
}

static void
look_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Look *look = data;
  const gint64 start = g_get_monotonic_time ();
  EsRecording *newer = look_again (look->watch, look);

  look->took = g_get_monotonic_time () - start;
  g_task_return_pointer (task, newer, g_object_unref);
}

/* ---- from look to look ---- */

static gboolean look (gpointer data);

static void
wait_for_next (EsRecordingWatch *self, Look *last)
{
  const guint least = last->is_recent || es_recording_is_growing (self->recording) ? OFTEN : SELDOM;

  self->timer = g_timeout_add (MAX (least, (guint) MIN (SHARE * last->took / 1000, G_MAXINT)), look, self);
}

/* Takes the sentence; NULL: there is no problem. */
static void
set_problem (EsRecordingWatch *self, char *problem)
{
  if (g_strcmp0 (problem, self->problem) == 0)
    {
      g_free (problem);
      return;
    }
  g_free (self->problem);
  self->problem = problem;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_PROBLEM]);
}

static char *
describe_missing (GFile *file)
{
  g_autofree char *name = g_file_get_basename (file), *shown = g_filename_display_name (name);

  return g_strdup_printf (_("“%s” is no longer where it was: what has been computed stays, but what is written to it "
                            "from now on is not seen."), shown);
}

static void
finish (GObject *object, GAsyncResult *result, gpointer data)
{
  EsRecordingWatch *self = ES_RECORDING_WATCH (object);
  g_autoptr (EsRecording) newer = g_task_propagate_pointer (G_TASK (result), NULL);
  Look *last = g_task_get_task_data (G_TASK (result));
  const double now = g_get_monotonic_time () * 1e-6;

  if (g_cancellable_is_cancelled (self->cancellable))
    return;
  if (last->is_other)
    {
      es_recording_set_growing (self->recording, FALSE);
      set_problem (self, g_strdup_printf (_("“%s” was written over since it was opened: what has been computed is of "
                                            "what was there before. Close it and open it again."),
                                          es_dataset_get_name (ES_DATASET (self->recording))));
      return;
    }
  set_problem (self, last->missing != NULL ? describe_missing (last->missing) : NULL);
  if (newer != NULL && es_recording_grow (self->recording, newer))
    {
      self->pause = self->last_growth > 0 ? now - self->last_growth : 0;
      self->last_growth = now;
      /* Between a file that was opened while it is closed for good, and one that goes on, the second piece tells. */
      if (last->was_written)
        es_recording_set_growing (self->recording, TRUE);
    }
  else if (now - self->last_growth > MAX (PATIENCE, PIECES * self->pause))
    {
      es_recording_set_growing (self->recording, FALSE);
    }
  wait_for_next (self, last);
}

static gboolean
look (gpointer data)
{
  EsRecordingWatch *self = data;
  g_autoptr (GTask) task = g_task_new (self, self->cancellable, finish, NULL);
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autofree char *path = g_file_get_parse_name (es_recording_get_files (self->recording)[0]);
  Look *next = g_new0 (Look, 1);

  self->timer = 0;
  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "path");
  json_builder_add_string_value (builder, path);
  _es_dataset_add_input (ES_DATASET (self->recording), builder);
  json_builder_end_object (builder);

  g_autoptr (JsonNode) root = json_builder_get_root (builder);
  next->watch = g_object_ref (self);
  next->input = json_node_dup_object (root);
  g_task_set_task_data (task, next, (GDestroyNotify) look_free);
  g_task_set_check_cancellable (task, FALSE);
  g_task_run_in_thread (task, look_thread);
  return G_SOURCE_REMOVE;
}

/* ---- the object ---- */

static void
es_recording_watch_dispose (GObject *object)
{
  EsRecordingWatch *self = ES_RECORDING_WATCH (object);

  g_clear_handle_id (&self->timer, g_source_remove);
  G_OBJECT_CLASS (es_recording_watch_parent_class)->dispose (object);
}

static void
es_recording_watch_finalize (GObject *object)
{
  EsRecordingWatch *self = ES_RECORDING_WATCH (object);

  g_clear_object (&self->recording);
  g_clear_object (&self->cancellable);
  g_free (self->problem);
  g_free (self->seen);
  g_free (self->pieces);
  g_free (self->tail);
  G_OBJECT_CLASS (es_recording_watch_parent_class)->finalize (object);
}

static void
es_recording_watch_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  if (id == PROP_PROBLEM)
    g_value_set_string (value, ES_RECORDING_WATCH (object)->problem);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
}

static void
es_recording_watch_class_init (EsRecordingWatchClass *class)
{
  GObjectClass *object_class = G_OBJECT_CLASS (class);

  object_class->dispose = es_recording_watch_dispose;
  object_class->finalize = es_recording_watch_finalize;
  object_class->get_property = es_recording_watch_get_property;
  properties[PROP_PROBLEM] = g_param_spec_string ("problem", NULL, NULL, NULL,
                                                  G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
es_recording_watch_init (EsRecordingWatch *self)
{
  self->cancellable = g_cancellable_new ();
}

EsRecordingWatch *
es_recording_watch_new (EsRecording *recording)
{
  EsRecordingWatch *self = g_object_new (ES_TYPE_RECORDING_WATCH, NULL);

  self->recording = g_object_ref (recording);
  /* What is in memory stays as it is; what it is known again by is kept at once. */
  if (es_recording_get_files (recording)[0] != NULL)
    look (self);
  return self;
}

void
es_recording_watch_stop (EsRecordingWatch *self)
{
  g_cancellable_cancel (self->cancellable);
  g_clear_handle_id (&self->timer, g_source_remove);
  es_recording_set_growing (self->recording, FALSE);
}

EsRecording *
es_recording_watch_get_recording (EsRecordingWatch *self)
{
  return self->recording;
}

const char *
es_recording_watch_get_problem (EsRecordingWatch *self)
{
  return self->problem;
}
