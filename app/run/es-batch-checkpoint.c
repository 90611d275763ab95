/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Runs that are stopped and gone on with: where the checkpoint lies, and what is said of it. */

#include "es-batch-checkpoint.h"

#include <glib/gi18n.h>

#include "base/es-error.h"
#include "base/es-text-show.h"
#include "ranks/es-ranks.h"
#include "tool/es-batch-tool.h"

#define ENDING ".eigenscope-checkpoint"

void
es_batch_keeping_clear (EsBatchKeeping *self)
{
  g_clear_pointer (&self->path, g_free);
}

static const char *
option_given (const EsBatchKeeping *self)
{
  return self->path != NULL ? "--checkpoint" : self->minutes != 0 ? "--checkpoint-every" : "--resume";
}

gboolean
es_batch_checkpoint_settle (const EsBatchKeeping *self, const EsOperation *operation, gboolean output, guint n_results)
{
  if (self->path == NULL && self->minutes == 0 && !self->resume)
    return TRUE;
  /* A queue has its list to go on from, whatever is computed. */
  if (self->off && !(self->many && self->path == NULL && self->minutes == 0))
    es_batch_usage (_("%s goes with operations that can be gone on with, not with “run %s”"), option_given (self),
                    operation->id);
  else if (self->path != NULL && *self->path == '\0')
    es_batch_usage (_("--checkpoint cannot be “”: expected a file or a folder"));
  else if (!(self->minutes >= 0 && self->minutes <= 1e6))
    es_batch_usage (_("--checkpoint-every takes a positive number of minutes"));
  else if (self->path == NULL && !output)
    es_batch_usage (_("%s needs -o DIR or --checkpoint PATH"), option_given (self));
  else if (self->path != NULL && n_results > 1 && !g_file_test (self->path, G_FILE_TEST_IS_DIR))
    es_batch_usage (_("--checkpoint takes a folder where there are several files"));
  else
    return TRUE;
  return FALSE;
}

/* Beside the folder of the result, and hidden; or where somebody wants it. */
static GFile *
find_place (const EsBatchKeeping *self, GFile *directory, GFile *input)
{
  g_autofree char *base = g_file_get_basename (directory != NULL ? directory : input);
  g_autoptr (GFile) above = NULL;

  if (self->path != NULL && !g_file_test (self->path, G_FILE_TEST_IS_DIR))
    return es_batch_file (self->path);
  above = self->path != NULL ? es_batch_file (self->path) : directory != NULL ? g_file_get_parent (directory) : NULL;
  if (above == NULL)
    return NULL;
  g_autofree char *name = g_strconcat (self->path != NULL ? "" : ".", base, ENDING, NULL);
  return g_file_get_child (above, name);
}

static void
stop (gpointer data, GCancellable *cancellable)
{
  es_checkpoint_stop (data, cancellable);
}

EsCheckpoint *
es_batch_checkpoint_new (const EsBatchKeeping *self, GFile *directory, GFile *input, GError **error)
{
  g_autoptr (GFile) file = self->off ? NULL : find_place (self, directory, input);
  const gboolean asked = self->path != NULL || self->minutes != 0 || self->resume;
  EsCheckpoint *checkpoint;

  if (file == NULL)
    return NULL;
  checkpoint = es_checkpoint_new (file, self->resume, self->minutes);
  /* What nobody has asked for is no reason not to begin. */
  if (asked && es_ranks_get_rank () == 0 && !es_checkpoint_check (checkpoint, error))
    {
      es_checkpoint_unref (checkpoint);
      return NULL;
    }
  if (self->resume && !self->many && !g_file_query_exists (file, NULL))
    {
      g_autofree char *name = es_error_file_name (file);

      g_printerr (_("eigenscope-batch: there is no checkpoint “%s”: the run begins at its beginning\n"), name);
    }
  es_batch_on_stop (stop, checkpoint);
  return checkpoint;
}

static gboolean
say_stopped (EsCheckpoint *self, gboolean many)
{
  g_autofree char *path = g_file_get_parse_name (es_checkpoint_get_file (self)), *shown = es_text_show (path);
  g_autoptr (GError) failure = NULL;

  if (es_checkpoint_write (self, &failure) && !many)
    g_printerr (_("eigenscope-batch: The run was stopped, and “%s” holds what it has come to: the same command with "
                  "--resume goes on.\n"), shown);
  else if (failure != NULL)
    g_printerr (_("eigenscope-batch: The run was stopped, and nothing of it is kept. %s\n"), failure->message);
  else
    return FALSE;
  return TRUE;
}

gboolean
es_batch_checkpoint_end (const EsBatchKeeping *self, EsCheckpoint *checkpoint, gboolean done, GPtrArray *notes,
                         const GError *error)
{
  const GError *before;

  es_batch_on_stop (NULL, NULL);
  if (checkpoint == NULL || es_ranks_get_rank () > 0)
    return FALSE;
  before = es_checkpoint_get_failure (checkpoint);
  if (done && before != NULL)
    g_ptr_array_add (notes, g_strdup_printf (_("No checkpoint could be written on the way. %s"), before->message));
  if (done)
    es_checkpoint_remove (checkpoint);
  return !done && es_checkpoint_is_stopped (checkpoint) && g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED)
         && say_stopped (checkpoint, self->many);
}
