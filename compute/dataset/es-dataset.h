/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef enum
{
  ES_DATASET_CUBE = 1 << 0,
  ES_DATASET_RECORDING = 1 << 1,
  ES_DATASET_DEVICE = 1 << 2,  /* a device, which is measured: EsMachine */
  ES_DATASET_MATRIX = 1 << 3,  /* a sparse matrix: EsSparseMatrix */
} EsDatasetKind;

/*
 * A data set: immutable once open, usable from any thread. EsCube, EsRecording, EsMachine and EsSparseMatrix are.
 */
#define ES_TYPE_DATASET (es_dataset_get_type ())
G_DECLARE_DERIVABLE_TYPE (EsDataset, es_dataset, ES, DATASET, GObject)

/* Of json-glib, which nobody who looks at a data set needs. */
typedef struct _JsonBuilder JsonBuilder;
typedef struct _JsonObject JsonObject;

struct _EsDatasetClass
{
  GObjectClass  parent_class;

  EsDatasetKind kind;
  /* One line for people: "160 x 192 x 224, 420-2450 nm". Transfer full. */
  char       *(*describe)  (EsDataset *self);
  /* "160x192x224": for provenance. Transfer full. */
  char       *(*shape)     (EsDataset *self);
  /* What opens it again beside the options of every kind, for es-dataset-input.c: as members of an object, and as words
   * of a command line. values: of a result, which may say what it was computed with; nullable. Nullable: nothing
   * more. */
  void        (*add_input) (EsDataset *self, JsonBuilder *builder, JsonObject *values);
  void        (*append_input) (EsDataset *self, GString *line, JsonObject *values);
  /* The files that open it again, NULL-terminated, borrowed. Nullable: the file opened. */
  GFile * const *(*get_files) (EsDataset *self);
  /* The id of the device that it is and that has to work on it, by which a command line calls it, too. Nullable: none
   * in particular. */
  const char *(*get_device_id) (EsDataset *self);
  /* The name by which it is made again where no file holds it, as a command line has it, too. Nullable: none is. */
  const char *(*get_made_name) (EsDataset *self);
};

EsDatasetKind es_dataset_get_kind     (EsDataset *self);
/* The device that it is ("cuda:0"), and that alone works on it; NULL: any may. Borrowed. */
const char   *es_dataset_get_device_id (EsDataset *self);
/* What it is made of ("poisson2d:1000x1000:5"); NULL: it came from a file, a device or memory. Borrowed. */
const char   *es_dataset_get_made_name (EsDataset *self);
/* There is something by which another process can open it: its file, or that it is a device, or is made by a name. */
gboolean      es_dataset_opens_again  (EsDataset *self);
GFile        *es_dataset_get_file     (EsDataset *self);   /* the file opened; nullable for one made in memory */
/* Every file that it consists of: those opened, headers and what else beside them was read for it. Of GFile, transfer
 * full. While the data set is there nothing that is saved replaces or removes one of them. */
GPtrArray    *es_dataset_list_files   (EsDataset *self);
/* One more, which was read for it: the description of its array that a person gave. */
void          es_dataset_hold_file    (EsDataset *self, GFile *file);
const char   *es_dataset_get_name     (EsDataset *self);   /* for people, valid UTF-8 */
/* Names the content without reading all of it: SHA-256 of size, time of change and 64 KiB from start, middle, end. */
const char   *es_dataset_get_identity (EsDataset *self);
char         *es_dataset_describe     (EsDataset *self);
char         *es_dataset_shape        (EsDataset *self);
/* Sentences about what was odd but could be read ("wavelengths are not monotonic"); nullable. */
const char * const *es_dataset_get_notes (EsDataset *self);

/* How the samples of a cube follow each other: band after band, row after row of all bands, pixel after pixel. */
typedef enum { ES_INTERLEAVE_BSQ, ES_INTERLEAVE_BIL, ES_INTERLEAVE_BIP } EsInterleave;

const char *es_interleave_name (EsInterleave interleave);                      /* "bsq", "bil", "bip" */
gboolean    es_interleave_find (const char *name, EsInterleave *interleave);   /* in either case; name is nullable */

/* Samples of a raw file, a recording's or a cube's: told by a person. */
typedef struct
{
  guint       channels;        /* 0: not a raw recording */
  double      rate;            /* Hz; alone (channels 0) for files that tell all but their rate: ES_DATA_ERROR_RATE */
  const char *type;            /* "int16", "int24", "int32", "float32", "float64"; of a cube es_raw_types () */
  gboolean    big_endian;
  gboolean    by_channel;      /* one channel after the other instead of interleaved */
  guint64     offset;          /* bytes before the first sample */
  guint       bands;           /* of a raw cube of EsOpenOptions.width x height; 0: not a raw cube */
  EsInterleave interleave;     /* of a raw cube */
} EsRawSamples;

/* What the person may have to tell when a file does not say it (2-D MATLAB arrays, raw files). Zero: not told. */
typedef struct
{
  int         width, height;
  const char *variable;        /* which variable of a container (HDF5, netCDF, MATLAB); nullable */
  EsRawSamples samples;
  const char *driver;          /* GDAL's driver that shall open it, whatever it is ("VRT"); nullable: what is safe */
} EsOpenOptions;

/* What was told when it was opened: part of what repeats a result. Borrowed, never NULL. */
const EsOpenOptions *es_dataset_get_options (EsDataset *self);

/* What its file holds, of EsFileArray (es-file-array.h): several where EsOpenOptions.variable opens others, and one of
 * them is open. Borrowed, never NULL; empty where the file is no container. */
GPtrArray    *es_dataset_get_arrays   (EsDataset *self);
/* The name of the one that is open, where there are several; else NULL. Borrowed. */
const char   *es_dataset_get_array_name (EsDataset *self);

G_END_DECLS
