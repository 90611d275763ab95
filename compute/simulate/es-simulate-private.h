/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "saving/es-output-internal.h"
#include "base/es-params.h"

G_BEGIN_DECLS

/*
 * The parts of the simulated cube. Everything is a pure function of the seed and of where it is asked for
 * (pixel, band): the bytes do not depend on tiles, order or threads.
 */

typedef enum
{
  ES_MATERIAL_VEGETATION,
  ES_MATERIAL_SOIL,
  ES_MATERIAL_WATER,
  ES_MATERIAL_KAOLINITE,
  ES_MATERIAL_IRON_OXIDE,      /* with alunite, as in hydrothermally altered rock */
  ES_N_MATERIALS,
} EsMaterial;

/* Loops over samples are worth the vectoriser whatever the level of the build is. */
#if defined (__GNUC__) && !defined (__clang__)
#define ES_VECTORISE __attribute__ ((optimize ("O3")))
#else
#define ES_VECTORISE
#endif

/* ---- spectra ---- */

/* English and not translated: it is written into files that have to be the same everywhere. */
const char *es_material_name       (EsMaterial material);
/* Reflectance 0..1 at a wavelength in nm, 400 to 2500. */
double      es_material_reflectance (EsMaterial material, double nanometres);
/* How much noisier a sensor is there than at its best (1): the ends of the spectrum, water vapour at 1,400
 * and 1,900 nm. */
double      es_sensor_noise        (double nanometres);

/* ---- random numbers by counter ---- */

/* SplitMix64: a well mixed number for every key. */
guint64     es_random_mix          (guint64 key);
/*
 * Adds scale times a nearly normal number of variance 1 (the sum of four bytes; at most 3.5) to each of
 * values; that of column first + i depends on key and the column only.
 */
void        es_random_add_normal   (float *values, gsize n, guint64 key, guint64 first, float scale);

/* ---- landscape ---- */

typedef struct
{
  guint64 width, height;
  guint64 seed;
  double  feature;             /* pixels that a hill measures */
  double  relief;              /* of the illumination, 0..1 */
  double  missing_below;       /* pixels whose es_scene_edge () is less have no data */
  gboolean independent;        /* maps that do not depend on each other, under even light */
} EsScene;

void        es_scene_init          (EsScene *scene, guint64 width, guint64 height, guint64 seed,
                                    double relief, double missing_share);
/*
 * The scene within a window, row by row: abundances, plane k at abundances + k * width * height, each >= 0
 * and together 1 (independent ones: each 0 .. 1, whatever the others are); illumination (1 on the average); missing 1
 * where the sensor saw nothing.
 */
void        es_scene_render        (const EsScene *scene, guint64 x, guint64 y, gsize width, gsize height,
                                    float *abundances, float *illumination, guint8 *missing);

/* The abundances of independent sources alone. */
void        es_sources_render      (const EsScene *scene, guint64 x, guint64 y, gsize width, gsize height,
                                    float *abundances);

/* ---- the whole ---- */

/* What follows from the type of a sample; in the order of the parameter "type". */
typedef struct
{
  int    envi_code;
  gsize  size;
  float  scale;                /* stored = reflectance * scale */
  float  lowest, highest;      /* of data; no_data is outside */
  double no_data;
} EsSampleStorage;

/* In the order of the choices of their parameters. */
enum { ES_SIMULATE_UINT8, ES_SIMULATE_INT16, ES_SIMULATE_UINT16, ES_SIMULATE_FLOAT32 };
enum { ES_SIMULATE_BSQ, ES_SIMULATE_BIL, ES_SIMULATE_BIP };

/* One run of the simulation. */
typedef struct
{
  /* What to make */
  EsScene          scene;
  guint64          width, height;
  guint            bands, type, interleave;
  const EsSampleStorage *storage;
  gboolean         swap;           /* the file has the other byte order */
  guint64          seed;
  double           noise, stripes; /* standard deviations of reflectance */

  /* A band each */
  double          *wavelength;
  gboolean        *good;
  float           *spectra;        /* ES_N_MATERIALS a band, scaled */
  float           *noise_scale;

  /* Where to */
  const EsOutput  *cube, *abundances;
  guint64          tile_width, tile_height, tiles_across, tiles;

  /* Shared by the threads */
  GCancellable    *cancellable;
  GMutex           mutex;
  guint64          next, done;
  GError          *error;
} EsSimulation;

guint       es_simulation_nearest_band (const EsSimulation *self, double nanometres);
/* ES_COMPUTE_ERROR_PARAMETER where a name has an ending, and none of these (NULL at the end). */
gboolean    es_simulate_check_ending   (const char *path, const char * const *endings, GError **error);
/* ES_DATA_ERROR_WRITE where the disk of path has not so much left. */
gboolean    es_simulate_check_space    (const char *path, guint64 bytes, GError **error);
/* The texts that go with the samples; transfer full. */
GString    *es_simulation_cube_header  (const EsSimulation *self, EsParams *params);
GString    *es_simulation_truth_header (const EsSimulation *self, EsParams *params);
GString    *es_simulation_endmembers   (const EsSimulation *self);

/* es-simulate-tiles.c. A key of random numbers for each stream of them and whatever it counts. */
enum { ES_RANDOM_NOISE, ES_RANDOM_STRIPES, ES_RANDOM_DEAD };
guint64     es_simulation_random_key   (const EsSimulation *self, guint stream, guint64 counter);
/* How large tiles are, and how many. */
void        es_simulation_prepare_tiles (EsSimulation *self);
/* All samples, by several threads, into the files. progress: nullable. */
gboolean    es_simulation_make_cube    (EsSimulation *self, void (*progress) (double fraction, gpointer data),
                                        gpointer data, GError **error);

/* ---- what is there already ---- */

/*
 * Before anything is written; ES_DATA_ERROR_WRITE, one sentence. Whether what is at paths (NULL-terminated, the data
 * first) may be replaced: the data are not there, or came with a truth that begins with `mark`, and neither they nor
 * what lies beside them has been changed since.
 */
gboolean es_simulate_check_earlier (const char * const *paths, const char *truth, const char *mark, GError **error);
/* That sentence. FALSE. */
gboolean es_simulate_refuse_earlier (const char *path, GError **error);
/* Whether a file that would tell of what is written at path is not there. */
gboolean es_simulate_check_beside  (const char *path, GFile *beside, GError **error);
/* Whether none of them is being read. */
gboolean es_simulate_check_inputs  (const char * const *paths, GError **error);

G_END_DECLS
