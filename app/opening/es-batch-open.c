/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "es-batch-machine.h"
#include "es-batch-open.h"

#include "beam/es-beam-settings.h"
#include "readers/es-open.h"
#include "sparse/es-batch-matrix.h"

/* What every verb that opens files understands. */

#define LEAST_SPEED 10.0
#define MOST_SPEED 20000.0

void
es_batch_open_add_entries (EsBatchOpen *self, GOptionEntry *entries)
{
  const GOptionEntry own[] = {
    { "width", 0, 0, G_OPTION_ARG_INT, &self->width, N_("Width in pixels, where a file does not tell"), N_("N") },
    { "height", 0, 0, G_OPTION_ARG_INT, &self->height, N_("Height in pixels, where a file does not tell"), N_("N") },
    { "variable", 0, 0, G_OPTION_ARG_STRING, &self->variable, N_("Variable of a container file"), N_("NAME") },
    { "driver", 0, 0, G_OPTION_ARG_STRING, &self->driver,
      N_("Open with this driver of GDAL's, also one that opens what a file names (VRT)"), N_("NAME") },
    { "metadata", 0, 0, G_OPTION_ARG_STRING, &self->metadata,
      N_("What a cube is, instead of what is told beside it: a file, {JSON} such as '{\"no-data\": 0}', or none"),
      N_("FILE") },
    { "wavelengths-from", 0, 0, G_OPTION_ARG_STRING, &self->wavelengths,
      N_("Its wavelengths: a text of wavelength, width and good flag a line, or another cube"), N_("FILE") },
    { "bands", 0, 0, G_OPTION_ARG_STRING, &self->bands,
      N_("Bands of a cube that take part: 400-1340,1460-1790 nm, also um, numbers as 1-20,25, good or all"),
      N_("BANDS") },
    { "exclude-bands", 0, 0, G_OPTION_ARG_STRING, &self->excluded, N_("Bands of it that do not, the same way, or none"),
      N_("BANDS") },
    { "subset", 0, 0, G_OPTION_ARG_STRING, &self->subset, N_("The window of it that takes part, in pixels, or none"),
      N_("X,Y,WIDTH,HEIGHT") },
    { "pixels", 0, 0, G_OPTION_ARG_STRING_ARRAY, &self->pixels,
      N_("inside:WHAT or outside:WHAT, again and again: a mask (FILE, FILE#VALUE), classes (FILE.json#NAME), a region "
         "such as “rectangle 0 0 20 10”, or none"), N_("PIXELS") },
    { "selection", 0, 0, G_OPTION_ARG_STRING, &self->selection,
      N_("A file that tells all of these, instead of the one beside the cube, or none"), N_("FILE") },
    { "array", 0, 0, G_OPTION_ARG_STRING, &self->array,
      N_("Array of a recording: line:ELEMENTS,METRES[,DEGREES] or a file (CSV, XML, SigMF, JSON)"), N_("ARRAY") },
    { "origin", 0, 0, G_OPTION_ARG_STRING, &self->origin,
      N_("From where bearings and ranges are counted: centre, element:NUMBER or X,Y,Z in metres"), N_("ORIGIN") },
    { "sound-speed", 0, 0, G_OPTION_ARG_DOUBLE, &self->sound_speed,
      N_("Speed of sound of a recording, for everything that is computed of it"), N_("M/S") },
    { "calibration", 0, 0, G_OPTION_ARG_STRING, &self->calibration,
      N_("What full scale of a recording is: a file (JSON, CSV), or none"), N_("FILE") },
    { "sensitivity", 0, 0, G_OPTION_ARG_STRING, &self->sensitivity,
      N_("Of its hydrophones, dB re 1 V/µPa, as −180; one for all, or one a channel with commas between"), N_("DB") },
    { "gain", 0, 0, G_OPTION_ARG_STRING, &self->gain,
      N_("Between hydrophones and converter, in decibels, the same way (0)"), N_("DB") },
    { "adc-range", 0, 0, G_OPTION_ARG_STRING, &self->adc_range,
      N_("Of the converter: volts (peak) at full scale, the same way"), N_("VOLTS") },
    { "full-scale", 0, 0, G_OPTION_ARG_STRING, &self->full_scale,
      N_("Instead of these three: micropascals of full scale, the same way"), N_("UPA") },
    { "start", 0, 0, G_OPTION_ARG_STRING, &self->start,
      N_("When a recording began, as 2026-05-01T12:00:00Z"), N_("TIME") },
    { "heading", 0, 0, G_OPTION_ARG_STRING, &self->heading,
      N_("Where its array's +x axis points: degrees clockwise from true north, a file (CSV, JSON), or none"),
      N_("HEADING") },
    { "channels", 0, 0, G_OPTION_ARG_INT, &self->channels, N_("Read raw samples of so many channels"), N_("N") },
    { "rate", 0, 0, G_OPTION_ARG_DOUBLE, &self->rate, N_("Sampling rate, where a file does not tell"), N_("HZ") },
    { "type", 0, 0, G_OPTION_ARG_STRING, &self->type,
      N_("Of raw samples: int16 (default), int32, float32, float64, of a recording also int24, of a cube also uint8, "
         "uint16, uint32"), N_("TYPE") },
    { "raw-bands", 0, 0, G_OPTION_ARG_INT, &self->raw_bands,
      N_("Read raw samples as a cube of so many bands, and of --width and --height"), N_("N") },
    { "byte-order", 0, 0, G_OPTION_ARG_STRING, &self->byte_order, N_("Of raw samples: little (default) or big"),
      N_("ORDER") },
    { "layout", 0, 0, G_OPTION_ARG_STRING, &self->layout,
      N_("Of raw samples: interleaved (default) or by-channel; of a cube bsq (default), bil or bip"), N_("LAYOUT") },
    { "offset", 0, 0, G_OPTION_ARG_INT64, &self->offset, N_("Bytes before the first raw sample"), N_("N") },
    { "separately", 0, 0, G_OPTION_ARG_NONE, &self->separately,
      N_("Each file by itself; else files of one channel each are the channels of one recording"), NULL },
    G_OPTION_ENTRY_NULL
  };
  guint n = 0;

  while (entries[n].long_name != NULL)
    n++;
  memcpy (entries + n, own, sizeof own);
}

void
es_batch_open_clear (EsBatchOpen *self)
{
  g_free (self->variable);
  g_free (self->driver);
  g_free (self->array);
  g_free (self->origin);
  g_free (self->type);
  g_free (self->byte_order);
  g_free (self->layout);
  g_free (self->calibration);
  g_free (self->start);
  g_free (self->heading);
  g_free (self->sensitivity);
  g_free (self->gain);
  g_free (self->adc_range);
  g_free (self->full_scale);
  g_free (self->selection);
  g_free (self->metadata);
  g_free (self->wavelengths);
  g_free (self->bands);
  g_free (self->excluded);
  g_free (self->subset);
  g_strfreev (self->pixels);
}

/* TRUE where the text is one of the two (or none: the first). */
static gboolean
is_one_of (const char *option, const char *text, const char *first, const char *second, gboolean *is_second)
{
  *is_second = g_strcmp0 (text, second) == 0;
  if (text == NULL || *is_second || strcmp (text, first) == 0)
    return TRUE;
  es_batch_usage (_("%s cannot be “%s”: expected %s or %s"), option, text, first, second);
  return FALSE;
}

/* Of raw samples: whether they are told as far as they have to be, a recording's or a cube's. */
static gboolean
settle_raw (EsBatchOpen *self, gboolean *by_channel, EsInterleave *interleave)
{
  *by_channel = FALSE;
  if (self->channels > 0 && self->raw_bands > 0)
    {
      es_batch_usage (_("--channels reads a recording and --raw-bands a cube: expected one of them"));
      return FALSE;
    }
  if (self->raw_bands > 0 && (self->width == 0 || self->height == 0))
    {
      es_batch_usage (_("--raw-bands reads raw samples as a cube, which takes its --width and --height, too"));
      return FALSE;
    }
  if (self->raw_bands == 0)
    return is_one_of ("--layout", self->layout, "interleaved", "by-channel", by_channel);
  if (self->layout == NULL || es_interleave_find (self->layout, interleave))
    return TRUE;
  es_batch_usage (_("--layout cannot be “%s”: expected bsq, bil or bip for a cube"), self->layout);
  return FALSE;
}

gboolean
es_batch_open_settle (EsBatchOpen *self)
{
  g_autoptr (GError) error = NULL;
  EsInterleave interleave = ES_INTERLEAVE_BSQ;
  gboolean big_endian, by_channel;

  if (self->width < 0 || self->height < 0 || self->channels < 0 || self->offset < 0 || self->rate < 0 ||
      self->raw_bands < 0 || !isfinite (self->rate))
    {
      es_batch_usage (_("--width, --height, --raw-bands, --channels, --rate and --offset take positive numbers"));
      return FALSE;
    }
  if (!is_one_of ("--byte-order", self->byte_order, "little", "big", &big_endian) ||
      !settle_raw (self, &by_channel, &interleave))
    return FALSE;
  if (self->channels == 0 && self->raw_bands == 0 &&
      (self->type != NULL || self->byte_order != NULL || self->layout != NULL || self->offset > 0))
    {
      es_batch_usage (_("--type, --byte-order, --layout and --offset are of raw samples: --channels or --raw-bands is "
                        "missing"));
      return FALSE;
    }
  if (self->channels > 0 && self->rate == 0)
    {
      es_batch_usage (_("--channels reads raw samples, which takes their --rate, too"));
      return FALSE;
    }
  if (self->sound_speed != 0 && !(self->sound_speed >= LEAST_SPEED && self->sound_speed <= MOST_SPEED))
    {
      es_batch_usage (_("--sound-speed cannot be %g: expected metres a second, about 1500 in water"),
                      self->sound_speed);
      return FALSE;
    }
  if (self->origin != NULL && !es_origin_parse (self->origin, &self->origin_place, &error))
    {
      es_batch_usage ("%s", error->message);
      return FALSE;
    }
  if (!es_batch_calibration_settle (self) || !es_batch_navigation_settle (self)
      || !es_batch_selection_settle (self))
    return FALSE;
  self->options = (EsOpenOptions) {
    .width = self->width, .height = self->height, .variable = self->variable, .driver = self->driver,
    .samples = {
      .channels = (guint) self->channels, .rate = self->rate,
      .type = self->type != NULL ? self->type : "int16",
      .big_endian = big_endian, .by_channel = by_channel, .offset = (guint64) self->offset,
      .bands = (guint) self->raw_bands, .interleave = interleave,
    },
  };
  return TRUE;
}

GPtrArray *
es_batch_open_group (EsBatchOpen *self, GPtrArray *files)
{
  GPtrArray *groups;

  if (!self->separately && self->channels == 0 && self->raw_bands == 0 && files->len > 1)
    return es_recording_group_files ((GFile **) files->pdata, files->len);
  groups = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  for (guint i = 0; i < files->len; i++)
    {
      GPtrArray *group = g_ptr_array_new_with_free_func (g_object_unref);

      g_ptr_array_add (group, g_object_ref (g_ptr_array_index (files, i)));
      g_ptr_array_add (groups, group);
    }
  return groups;
}

/* The array that was named, or the recording's own, with the origin that was named. */
static gboolean
give_array (EsBatchOpen *self, EsRecording *recording, EsArray *named, GError **error)
{
  g_autoptr (EsArray) array = named != NULL ? es_array_ref (named) : es_recording_get_array (recording);

  if ((self->origin != NULL || self->sound_speed > 0) && array == NULL)
    {
      es_beam_settings_refuse_missing_array (recording, error);
      return FALSE;
    }
  if (self->origin != NULL)
    {
      EsArray *from = es_array_with_origin (array, &self->origin_place, error);

      if (from == NULL)
        return FALSE;
      es_array_unref (array);
      array = from;
    }
  if (self->sound_speed > 0)
    {
      EsArray *slow = es_array_with_sound_speed (array, self->sound_speed);

      es_array_unref (array);
      array = slow;
    }
  es_recording_set_array (recording, array);
  return TRUE;
}

static gboolean
give_selection (EsBatchOpen *self, EsDataset *dataset, GCancellable *cancellable, GError **error)
{
  if (ES_IS_CUBE (dataset))
    return es_batch_selection_give (self, ES_CUBE (dataset), cancellable, error);
  g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER, _("%s is for cubes; “%s” is none"),
               es_batch_selection_get_option (self), es_dataset_get_name (dataset));
  return FALSE;
}

/* Takes the data set. */
static EsDataset *
give_metadata (EsBatchOpen *self, EsDataset *opened, GCancellable *cancellable, GError **error)
{
  g_autoptr (EsDataset) dataset = opened;

  if (ES_IS_CUBE (dataset))
    return es_batch_metadata_give (self, ES_CUBE (dataset), cancellable, error);
  g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER, _("%s is for cubes; “%s” is none"),
               es_batch_metadata_get_option (self), es_dataset_get_name (dataset));
  return NULL;
}

EsDataset *
es_batch_open (EsBatchOpen *self, GPtrArray *files, GCancellable *cancellable, GError **error)
{
  g_autoptr (EsDataset) dataset = NULL;
  g_autoptr (EsArray) array = NULL;
  gboolean is_machine, is_made;

  /* What is wrong with the array is known before hours of samples are looked at. */
  if (self->array != NULL && (array = es_array_parse (self->array, error)) == NULL)
    return NULL;
  if ((dataset = es_batch_machine_open (files, &is_machine, error)) != NULL || is_machine)
    return g_steal_pointer (&dataset);
  if ((dataset = es_batch_matrix_make (files, &is_made, cancellable, error)) != NULL || is_made)
    return g_steal_pointer (&dataset);
  if (files->len == 1)
    dataset = es_dataset_open (g_ptr_array_index (files, 0), &self->options, cancellable, error);
  else
    dataset = es_recording_open_files_with ((GFile **) files->pdata, files->len, &self->options, cancellable, error);
  const gboolean has_array = array != NULL || self->origin != NULL || self->sound_speed > 0;
  if (dataset != NULL && es_batch_metadata_is_told (self))
    dataset = give_metadata (self, g_steal_pointer (&dataset), cancellable, error);
  if (dataset != NULL && es_batch_selection_is_told (self) && !give_selection (self, dataset, cancellable, error))
    return NULL;
  if (dataset == NULL
      || !(has_array || es_batch_calibration_is_told (self) || es_batch_navigation_is_told (self)))
    return g_steal_pointer (&dataset);
  if (!ES_IS_RECORDING (dataset))
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
                   _("%s is for recordings; “%s” is none"),
                   self->array != NULL ? "--array" : self->origin != NULL ? "--origin"
                   : self->sound_speed > 0 ? "--sound-speed"
                   : es_batch_calibration_is_told (self) ? es_batch_calibration_get_option (self)
                   : es_batch_navigation_get_option (self),
                   es_dataset_get_name (dataset));
      return NULL;
    }
  if ((has_array && !give_array (self, ES_RECORDING (dataset), array, error))
      || (es_batch_calibration_is_told (self)
          && !es_batch_calibration_give (self, ES_RECORDING (dataset), error))
      || (es_batch_navigation_is_told (self) && !es_batch_navigation_give (self, ES_RECORDING (dataset), error)))
    return NULL;
  if (self->array != NULL && g_file_test (self->array, G_FILE_TEST_IS_REGULAR))
    {
      g_autoptr (GFile) file = g_file_new_for_path (self->array);
      es_dataset_hold_file (dataset, file);
    }
  return g_steal_pointer (&dataset);
}
