/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "saving/es-inputs-internal.h"
#include "es-dataset-internal.h"
#include "es-file-array.h"

#include <sys/stat.h>

#include "base/es-error.h"
#include "base/es-text-show.h"

/* A file as it was. */
typedef struct
{
  char           *path;
  guint64         size;
  struct timespec written;
} Mark;

typedef struct
{
  GFile     *file;
  char      *name;
  char      *identity;
  GPtrArray *notes;          /* of char *, NULL-terminated; NULL where there is none */
  EsOpenOptions options;     /* as told when it was opened; its texts are owned */
  GPtrArray *arrays;         /* of EsFileArray */
  GMutex     lock;           /* of the rest, which may grow later */
  GPtrArray *files;          /* of GFile, each once */
  GPtrArray *held;           /* of EsInputs */
  GArray    *marks;          /* Mark: the data set's own files when it had been opened */
} EsDatasetPrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (EsDataset, es_dataset, G_TYPE_OBJECT)

static EsDatasetPrivate *
private_of (EsDataset *self)
{
  return es_dataset_get_instance_private (self);
}

static void
clear_mark (gpointer data)
{
  g_free (((Mark *) data)->path);
}

static void
es_dataset_finalize (GObject *object)
{
  EsDatasetPrivate *priv = private_of (ES_DATASET (object));

  g_ptr_array_unref (priv->held);
  g_array_unref (priv->marks);
  g_ptr_array_unref (priv->files);
  g_mutex_clear (&priv->lock);
  g_clear_object (&priv->file);
  g_ptr_array_unref (priv->arrays);
  g_free (priv->name);
  g_free (priv->identity);
  g_clear_pointer (&priv->notes, g_ptr_array_unref);
  g_free ((char *) priv->options.variable);
  g_free ((char *) priv->options.samples.type);
  g_free ((char *) priv->options.driver);
  G_OBJECT_CLASS (es_dataset_parent_class)->finalize (object);
}

static void
es_dataset_class_init (EsDatasetClass *class)
{
  G_OBJECT_CLASS (class)->finalize = es_dataset_finalize;
}

static void
es_dataset_init (EsDataset *self)
{
  EsDatasetPrivate *priv = private_of (self);

  g_mutex_init (&priv->lock);
  priv->arrays = g_ptr_array_new_with_free_func ((GDestroyNotify) es_file_array_free);
  priv->files = g_ptr_array_new_with_free_func (g_object_unref);
  priv->held = g_ptr_array_new_with_free_func ((GDestroyNotify) es_inputs_release);
  priv->marks = g_array_new (FALSE, FALSE, sizeof (Mark));
  g_array_set_clear_func (priv->marks, clear_mark);
}

EsDatasetKind
es_dataset_get_kind (EsDataset *self)
{
  return ES_DATASET_GET_CLASS (self)->kind;
}

const char *
es_dataset_get_device_id (EsDataset *self)
{
  EsDatasetClass *class = ES_DATASET_GET_CLASS (self);

  return class->get_device_id != NULL ? class->get_device_id (self) : NULL;
}

const char *
es_dataset_get_made_name (EsDataset *self)
{
  EsDatasetClass *class = ES_DATASET_GET_CLASS (self);

  return class->get_made_name != NULL ? class->get_made_name (self) : NULL;
}

gboolean
es_dataset_opens_again (EsDataset *self)
{
  return es_dataset_get_file (self) != NULL || es_dataset_get_device_id (self) != NULL
         || es_dataset_get_made_name (self) != NULL;
}

const EsOpenOptions *
es_dataset_get_options (EsDataset *self)
{
  return &private_of (self)->options;
}

void
_es_dataset_set_options (EsDataset *self, const EsOpenOptions *options)
{
  EsDatasetPrivate *priv = private_of (self);

  priv->options = *options;
  priv->options.variable = g_strdup (options->variable);
  priv->options.samples.type = g_strdup (options->samples.type);
  priv->options.driver = g_strdup (options->driver);
}

void
_es_dataset_set_arrays (EsDataset *self, GPtrArray *arrays)
{
  EsDatasetPrivate *priv = private_of (self);

  g_ptr_array_unref (priv->arrays);
  priv->arrays = g_ptr_array_ref (arrays);
}

GPtrArray *
es_dataset_get_arrays (EsDataset *self)
{
  return private_of (self)->arrays;
}

const char *
es_dataset_get_array_name (EsDataset *self)
{
  GPtrArray *arrays = private_of (self)->arrays;

  for (guint i = 0; i < arrays->len && arrays->len > 1; i++)
    if (((EsFileArray *) g_ptr_array_index (arrays, i))->open)
      return ((EsFileArray *) g_ptr_array_index (arrays, i))->name;
  return NULL;
}

GFile *
es_dataset_get_file (EsDataset *self)
{
  return private_of (self)->file;
}

GPtrArray *
es_dataset_list_files (EsDataset *self)
{
  EsDatasetPrivate *priv = private_of (self);
  GPtrArray *files = g_ptr_array_new_with_free_func (g_object_unref);

  g_mutex_lock (&priv->lock);
  for (guint i = 0; i < priv->files->len; i++)
    g_ptr_array_add (files, g_object_ref (g_ptr_array_index (priv->files, i)));
  g_mutex_unlock (&priv->lock);
  return files;
}

static void
add_file (EsDatasetPrivate *priv, GFile *file, GPtrArray *added)
{
  if (g_ptr_array_find_with_equal_func (priv->files, file, (GEqualFunc) g_file_equal, NULL))
    return;
  g_ptr_array_add (priv->files, g_object_ref (file));
  g_ptr_array_add (added, file);
}

static void
add_mark (EsDatasetPrivate *priv, GFile *file)
{
  const char *path = g_file_peek_path (file);
  struct stat status;

  if (path == NULL || stat (path, &status) != 0 || !S_ISREG (status.st_mode))
    return;
  const Mark mark = { g_strdup (path), (guint64) status.st_size, status.st_mtim };
  g_array_append_val (priv->marks, mark);
}

char *
_es_dataset_find_rewritten (EsDataset *self)
{
  EsDatasetPrivate *priv = private_of (self);
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&priv->lock);

  for (guint i = 0; i < priv->marks->len; i++)
    {
      const Mark *mark = &g_array_index (priv->marks, Mark, i);
      g_autoptr (GFile) file = g_file_new_for_path (mark->path);
      struct stat status;

      if (stat (mark->path, &status) != 0
          || (status.st_mtim.tv_sec == mark->written.tv_sec && status.st_mtim.tv_nsec == mark->written.tv_nsec))
        continue;
      /* A recording that goes on: what was there is as it was. */
      if (es_dataset_get_kind (self) == ES_DATASET_RECORDING && (guint64) status.st_size > mark->size)
        continue;
      return es_error_file_name (file);
    }
  return NULL;
}

gboolean
_es_dataset_is_written_to (EsDataset *self)
{
  EsDatasetPrivate *priv = private_of (self);
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&priv->lock);

  for (guint i = 0; i < priv->marks->len; i++)
    {
      const Mark *mark = &g_array_index (priv->marks, Mark, i);
      struct stat status;

      if (stat (mark->path, &status) == 0
          && ((guint64) status.st_size != mark->size || status.st_mtim.tv_sec != mark->written.tv_sec
              || status.st_mtim.tv_nsec != mark->written.tv_nsec))
        return TRUE;
    }
  return FALSE;
}

void
_es_dataset_hold_files (EsDataset *self, GPtrArray *others)
{
  EsDatasetPrivate *priv = private_of (self);
  EsDatasetClass *class = ES_DATASET_GET_CLASS (self);
  GFile * const *own = class->get_files != NULL ? class->get_files (self) : NULL;
  g_autoptr (GPtrArray) added = g_ptr_array_new ();

  g_mutex_lock (&priv->lock);
  const gboolean first = priv->marks->len == 0;
  if (priv->file != NULL)
    add_file (priv, priv->file, added);
  for (guint i = 0; own != NULL && own[i] != NULL; i++)
    add_file (priv, own[i], added);
  for (guint i = 0; first && i < added->len; i++)
    add_mark (priv, g_ptr_array_index (added, i));
  for (guint i = 0; others != NULL && i < others->len; i++)
    add_file (priv, g_ptr_array_index (others, i), added);
  g_ptr_array_add (added, NULL);
  if (added->len > 1)
    g_ptr_array_add (priv->held, es_inputs_hold ((GFile * const *) added->pdata));
  g_mutex_unlock (&priv->lock);
}

void
es_dataset_hold_file (EsDataset *self, GFile *file)
{
  g_autoptr (GPtrArray) one = g_ptr_array_new ();

  g_ptr_array_add (one, file);
  _es_dataset_hold_files (self, one);
}

const char *
es_dataset_get_name (EsDataset *self)
{
  const char *name = private_of (self)->name;

  return name != NULL ? name : "";
}

const char *
es_dataset_get_identity (EsDataset *self)
{
  const char *identity = private_of (self)->identity;

  return identity != NULL ? identity : "";
}

char *
es_dataset_describe (EsDataset *self)
{
  return ES_DATASET_GET_CLASS (self)->describe (self);
}

char *
es_dataset_shape (EsDataset *self)
{
  return ES_DATASET_GET_CLASS (self)->shape (self);
}

const char * const *
es_dataset_get_notes (EsDataset *self)
{
  EsDatasetPrivate *priv = private_of (self);

  return priv->notes != NULL ? (const char * const *) priv->notes->pdata : NULL;
}

void
_es_dataset_set_file (EsDataset *self, GFile *file, const char *name)
{
  EsDatasetPrivate *priv = private_of (self);

  g_set_object (&priv->file, file);
  g_free (priv->name);
  priv->name = es_text_show (name);
}

void
_es_dataset_set_identity (EsDataset *self, const char *identity)
{
  EsDatasetPrivate *priv = private_of (self);

  g_free (priv->identity);
  priv->identity = g_strdup (identity);
}

void
_es_dataset_add_note (EsDataset *self, const char *format, ...)
{
  EsDatasetPrivate *priv = private_of (self);
  va_list arguments;

  if (priv->notes == NULL)
    priv->notes = g_ptr_array_new_with_free_func (g_free);
  else
    g_ptr_array_remove_index (priv->notes, priv->notes->len - 1);

  va_start (arguments, format);
  g_autofree char *note = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_ptr_array_add (priv->notes, es_text_show (note));
  g_ptr_array_add (priv->notes, NULL);
}

void
_es_dataset_take_notes (EsDataset *self, EsDataset *other)
{
  EsDatasetPrivate *priv = private_of (self), *from = private_of (other);

  g_clear_pointer (&priv->notes, g_ptr_array_unref);
  priv->notes = from->notes != NULL ? g_ptr_array_ref (from->notes) : NULL;
}
