/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-inputs-internal.h"

#include <glib/gi18n-lib.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/es-error.h"

typedef struct
{
  char    *path;               /* resolved */
  gboolean known;              /* it was there when it began to be held */
  struct stat then;
} Input;

struct _EsInputs
{
  GArray *inputs;              /* Input */
};

G_LOCK_DEFINE_STATIC (held);
static GPtrArray *held;        /* EsInputs, not owned */

static void
clear_input (gpointer data)
{
  g_free (((Input *) data)->path);
}

static char *
resolve (const char *path)
{
  char *resolved = realpath (path, NULL);
  char *copy = resolved != NULL ? g_strdup (resolved) : g_canonicalize_filename (path, NULL);

  free (resolved);
  return copy;
}

EsInputs *
es_inputs_hold (GFile * const *files)
{
  EsInputs *self = g_new (EsInputs, 1);

  self->inputs = g_array_new (FALSE, TRUE, sizeof (Input));
  g_array_set_clear_func (self->inputs, clear_input);
  for (; *files != NULL; files++)
    {
      const char *path = g_file_peek_path (*files);

      if (path == NULL)
        continue;
      Input input = { .path = resolve (path) };
      input.known = stat (input.path, &input.then) == 0;
      g_array_append_val (self->inputs, input);
    }

  G_LOCK (held);
  if (held == NULL)
    held = g_ptr_array_new ();
  g_ptr_array_add (held, self);
  G_UNLOCK (held);
  return self;
}

void
es_inputs_release (EsInputs *self)
{
  G_LOCK (held);
  g_ptr_array_remove_fast (held, self);
  G_UNLOCK (held);
  g_array_unref (self->inputs);
  g_free (self);
}

static gboolean
is_same (const struct stat *a, const struct stat *b)
{
  return a->st_ino == b->st_ino && a->st_dev == b->st_dev;
}

/* Under its name, or under another that it has got since; numbers of files that are gone are given again. */
static gboolean
is_input (const Input *input, const char *resolved, const struct stat *status)
{
  struct stat now;

  if (strcmp (input->path, resolved) == 0)
    return TRUE;
  if (status == NULL)
    return FALSE;
  if (input->known && is_same (&input->then, status) && input->then.st_mtim.tv_sec == status->st_mtim.tv_sec
      && input->then.st_mtim.tv_nsec == status->st_mtim.tv_nsec)
    return TRUE;
  return stat (input->path, &now) == 0 && is_same (&now, status);
}

static gboolean
is_held (const char *resolved, const struct stat *status)
{
  gboolean found = FALSE;

  G_LOCK (held);
  for (guint i = 0; held != NULL && !found && i < held->len; i++)
    {
      GArray *inputs = ((EsInputs *) g_ptr_array_index (held, i))->inputs;

      for (guint k = 0; !found && k < inputs->len; k++)
        found = is_input (&g_array_index (inputs, Input, k), resolved, status);
    }
  G_UNLOCK (held);
  return found;
}

gboolean
es_inputs_check (const char *path, GError **error)
{
  g_autofree char *resolved = resolve (path);
  struct stat status;

  if (!is_held (resolved, stat (path, &status) == 0 ? &status : NULL))
    return TRUE;

  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autofree char *name = es_error_file_name (file);
  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_WRITE,
               _("“%s” is not replaced: it is open as data, or belongs to what is; choose another name or folder."),
               name);
  return FALSE;
}
