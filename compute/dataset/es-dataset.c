/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-dataset-internal.h"

typedef struct
{
  GFile     *file;
  char      *name;
  char      *identity;
  GPtrArray *notes;          /* of char *, NULL-terminated; NULL where there is none */
  EsOpenOptions options;     /* as told when it was opened; its texts are owned */
} EsDatasetPrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (EsDataset, es_dataset, G_TYPE_OBJECT)

static EsDatasetPrivate *
private_of (EsDataset *self)
{
  return es_dataset_get_instance_private (self);
}

static void
es_dataset_finalize (GObject *object)
{
  EsDatasetPrivate *priv = private_of (ES_DATASET (object));

  g_clear_object (&priv->file);
  g_free (priv->name);
  g_free (priv->identity);
  g_clear_pointer (&priv->notes, g_ptr_array_unref);
  g_free ((char *) priv->options.variable);
  g_free ((char *) priv->options.samples.type);
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
}

EsDatasetKind
es_dataset_get_kind (EsDataset *self)
{
  return ES_DATASET_GET_CLASS (self)->kind;
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
}

GFile *
es_dataset_get_file (EsDataset *self)
{
  return private_of (self)->file;
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
  priv->name = g_utf8_make_valid (name, -1);
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
  g_ptr_array_add (priv->notes, g_strdup_vprintf (format, arguments));
  va_end (arguments);
  g_ptr_array_add (priv->notes, NULL);
}
