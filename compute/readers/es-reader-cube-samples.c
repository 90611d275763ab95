/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-reader-private.h"

/* Raw samples, of which the file says nothing: a person says that they are a cube. */

static gboolean
cube_samples_recognises (EsReaderInput *input)
{
  return input->options.samples.bands > 0;
}

static EsDataset *
cube_samples_open (EsReaderInput *input, GError **error)
{
  g_autofree char *note = NULL;
  EsRawShape shape;
  EsCube *cube;

  es_raw_shape_from_options (&input->options, &shape);
  cube = es_raw_cube_open (input->file, input->path, input->name, input->size, &shape, &note, error);
  if (note != NULL)
    es_reader_note (input, "%s", note);
  return (EsDataset *) cube;
}

const EsReader es_reader_cube_samples = { cube_samples_recognises, cube_samples_open };
