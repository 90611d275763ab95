/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "base/es-text-show.h"
#include "es-matrix-made-private.h"
#include "es-matrix-number-private.h"

/* Changes where a name makes another matrix than it did. */
#define VERSION 1
#define MOST_SEED 9007199254740991.0
#define MOST_COUNT ((double) ES_MATRIX_MOST)

/* A kind of matrices: what a name says behind its colon. */
typedef struct
{
  const char     *kind;
  EsSparseMatrix *(*make) (const char *name, const char *list, GCancellable *cancellable, GError **error);
} Maker;

EsSparseMatrix *
_es_made_begin (const char *name, guint64 n_rows, guint64 n_columns, guint64 n_nonzeros, GError **error)
{
  const guint64 bytes = (n_rows + 1) * sizeof (gint32) + n_nonzeros * (sizeof (gint32) + sizeof (double));
  gint32 *row_from, *columns;
  double *values;

  if (!_es_sparse_matrix_check_sizes (name, n_rows, n_columns, n_nonzeros, error)
      || !_es_sparse_matrix_check_memory (name, bytes, error))
    return NULL;
  row_from = g_try_new0 (gint32, n_rows + 1);
  columns = g_try_new (gint32, MAX (n_nonzeros, 1));
  values = g_try_new (double, MAX (n_nonzeros, 1));
  if (row_from == NULL || columns == NULL || values == NULL)
    {
      g_free (row_from);
      g_free (columns);
      g_free (values);
      _es_sparse_matrix_set_memory_error (name, bytes, error);
      return NULL;
    }
  return _es_sparse_matrix_new_checked ((gsize) n_rows, (gsize) n_columns, row_from, columns, values,
                                        ES_SYMMETRY_GENERAL);
}

static EsSparseMatrix *
make_poisson (const char *name, const char *list, guint dimensions, guint64 few, guint64 many,
              GCancellable *cancellable, GError **error)
{
  guint64 sizes[3] = { 1, 1, 1 }, points = few;

  if (!_es_made_parse_sizes (name, list, dimensions, sizes, &points, error))
    return NULL;
  if (points != few && points != many)
    {
      _es_made_refuse (name, error, _("it has %d or %d points"), (int) few, (int) many);
      return NULL;
    }
  return _es_made_grid (name, dimensions, sizes, points == many, cancellable, error);
}

static EsSparseMatrix *
make_poisson2d (const char *name, const char *list, GCancellable *cancellable, GError **error)
{
  return make_poisson (name, list, 2, 5, 9, cancellable, error);
}

static EsSparseMatrix *
make_poisson3d (const char *name, const char *list, GCancellable *cancellable, GError **error)
{
  return make_poisson (name, list, 3, 7, 27, cancellable, error);
}

static EsSparseMatrix *
make_banded (const char *name, const char *list, GCancellable *cancellable, GError **error)
{
  static const EsMadeKey keys[] = {
    { "n", 1, MOST_COUNT, NAN, TRUE }, { "lower", 0, MOST_COUNT, 1, TRUE }, { "upper", 0, MOST_COUNT, 1, TRUE },
  };
  double told[G_N_ELEMENTS (keys)];

  if (!_es_made_parse_keys (name, list, keys, G_N_ELEMENTS (keys), told, NULL, error))
    return NULL;
  return _es_made_banded (name, (guint64) told[0], (guint64) told[1], (guint64) told[2], cancellable, error);
}

static EsSparseMatrix *
make_power (const char *name, const char *list, GCancellable *cancellable, GError **error)
{
  static const EsMadeKey keys[] = {
    { "n", 1, MOST_COUNT, NAN, TRUE }, { "exponent", 1.1, 10, 2.5, FALSE },
    { "longest", 1, MOST_COUNT, MOST_COUNT, TRUE }, { "dominant", 0, 1, 0, TRUE }, { "seed", 0, MOST_SEED, 1, TRUE },
  };
  double told[G_N_ELEMENTS (keys)];

  if (!_es_made_parse_keys (name, list, keys, G_N_ELEMENTS (keys), told, NULL, error))
    return NULL;
  const guint64 n = (guint64) told[0];
  const EsMadeRandom what = { .n_rows = n, .n_columns = n, .exponent = told[1], .longest = (guint64) told[2],
                              .dominant = told[3] != 0, .seed = (guint64) told[4] };
  return _es_made_random (name, &what, cancellable, error);
}

/* "0x10+3x60+100x1": of 71 rows 10 are empty, 60 have 3 and one has 100 nonzeros. */
static GArray *
parse_lengths (const char *name, const char *text, GError **error)
{
  g_autoptr (GArray) lengths = g_array_new (FALSE, FALSE, sizeof (EsMadeLength));
  g_autofree char *shown = es_text_show (text);
  const char *at = text;
  double sum = 0;

  do
    {
      EsMadeLength length;
      gboolean is_whole;

      if (!_es_matrix_parse_count (&at, &length.length) || length.length > ES_MATRIX_MOST || *at++ != 'x'
          || !_es_matrix_parse_number (&at, &length.until, &is_whole) || !(length.until > 0)
          || !(length.until < G_MAXFLOAT) || (*at != '\0' && *at != '+'))
        {
          _es_made_refuse (name, error,
                           _("its lengths are “%s”, and lengths with their weights such as 0x10+3x60+100x1 were "
                             "expected"), shown);
          return NULL;
        }
      length.until = sum += length.until;
      g_array_append_val (lengths, length);
    }
  while (*at++ == '+');
  for (guint i = 0; i < lengths->len; i++)
    g_array_index (lengths, EsMadeLength, i).until /= sum;
  return g_steal_pointer (&lengths);
}

static EsSparseMatrix *
make_random (const char *name, const char *list, GCancellable *cancellable, GError **error)
{
  enum { N, ROWS, COLUMNS, MEAN, DEVIATION, SPREAD, SYMMETRIC, DOMINANT, SEED };
  static const EsMadeKey keys[] = {
    { "n", 0, MOST_COUNT, 0, TRUE }, { "rows", 0, MOST_COUNT, 0, TRUE }, { "columns", 0, MOST_COUNT, 0, TRUE },
    { "mean", 0, MOST_COUNT, 20, FALSE }, { "deviation", 0, MOST_COUNT, 0, FALSE },
    { "spread", 0, MOST_COUNT, 0, TRUE }, { "symmetric", 0, 1, 0, TRUE }, { "dominant", 0, 1, 0, TRUE },
    { "seed", 0, MOST_SEED, 1, TRUE },
  };
  double told[G_N_ELEMENTS (keys)];
  g_autofree char *text = NULL;
  g_autoptr (GArray) lengths = NULL;

  if (!_es_made_parse_keys (name, list, keys, G_N_ELEMENTS (keys), told, &text, error))
    return NULL;
  if ((told[N] > 0) == (told[ROWS] > 0 || told[COLUMNS] > 0) || (told[ROWS] > 0) != (told[COLUMNS] > 0))
    {
      _es_made_refuse (name, error, _("expected either n, or rows and columns"));
      return NULL;
    }
  if ((told[SYMMETRIC] != 0 || told[DOMINANT] != 0) && told[N] == 0)
    {
      _es_made_refuse (name, error, _("expected n with symmetric and dominant, which only square matrices are"));
      return NULL;
    }
  if (text != NULL && (lengths = parse_lengths (name, text, error)) == NULL)
    return NULL;
  const EsMadeRandom what = {
    .n_rows = (guint64) (told[N] > 0 ? told[N] : told[ROWS]),
    .n_columns = (guint64) (told[N] > 0 ? told[N] : told[COLUMNS]), .mean = told[MEAN], .deviation = told[DEVIATION],
    .lengths = lengths, .spread = (guint64) told[SPREAD], .symmetric = told[SYMMETRIC] != 0,
    .dominant = told[DOMINANT] != 0, .seed = (guint64) told[SEED],
  };
  return _es_made_random (name, &what, cancellable, error);
}

/* The matrix of sparse.md 1.0, on which the formats are shown. */
static EsSparseMatrix *
make_example (const char *name, const char *list, GCancellable *cancellable, GError **error)
{
  static const gint32 row_from[] = { 0, 2, 4, 7, 9 }, columns[] = { 0, 1, 1, 2, 0, 2, 3, 1, 3 };
  static const double values[] = { 1, 7, 2, 8, 5, 3, 9, 6, 4 };

  if (strcmp (list, "4x4") != 0)
    {
      _es_made_refuse (name, error, _("expected %s"), "example:4x4");
      return NULL;
    }
  return _es_sparse_matrix_new_checked (4, 4, g_memdup2 (row_from, sizeof row_from),
                                        g_memdup2 (columns, sizeof columns), g_memdup2 (values, sizeof values),
                                        ES_SYMMETRY_GENERAL);
}

/* In place of matrices that were measured in 2012 (sparse.md 2), which are in a collection: as many rows, nearly as
 * many nonzeros, and symmetric as they are. Where the nonzeros lie, and their values, are not theirs but for ecology2,
 * which is a grid of that size. */
static const struct { const char *name, *made; } stand_ins[] = {
  { "c-26", "random:n=4307,mean=8.019,deviation=4,symmetric=1,dominant=1,seed=26" },
  { "crystk02", "random:n=13965,mean=69.36,deviation=12,spread=800,symmetric=1,dominant=1,seed=2" },
  { "Andrews", "random:n=60000,mean=12.67,deviation=3,symmetric=1,dominant=1,seed=60" },
  { "thermomech_TC", "random:n=102158,mean=6.965,deviation=1,spread=20000,symmetric=1,dominant=1,seed=102" },
  { "ecology2", "poisson2d:1001x999:5" },
  { "thermal2", "random:n=1228045,mean=6.987,deviation=1,spread=20000,symmetric=1,dominant=1,seed=1228" },
  { "G3_circuit", "random:n=1585478,mean=4.832,deviation=0.7,spread=5000,symmetric=1,dominant=1,seed=1585" },
  { "af_0_k101", "random:n=503625,mean=34.85,deviation=2,spread=860,symmetric=1,dominant=1,seed=503" },
  { "af_shell9", "random:n=504855,mean=34.84,deviation=2,spread=4900,symmetric=1,dominant=1,seed=504" },
  { "cage14", "random:n=1505785,mean=18.02,deviation=5.4,spread=200000,dominant=1,seed=14" },
  { "pwtk", "random:n=217918,mean=52.88,deviation=5,spread=2000,symmetric=1,dominant=1,seed=217" },
};

static EsSparseMatrix *make_of (const char *name, const char *text, GCancellable *cancellable, GError **error);

static EsSparseMatrix *
make_like (const char *name, const char *list, GCancellable *cancellable, GError **error)
{
  g_autoptr (GString) all = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (stand_ins); i++)
    {
      if (strcmp (stand_ins[i].name, list) == 0)
        return make_of (name, stand_ins[i].made, cancellable, error);
      g_string_append_printf (all, "%s%s", i > 0 ? ", " : "", stand_ins[i].name);
    }
  _es_made_refuse (name, error, _("expected “like:” and one of %s"), all->str);
  return NULL;
}

static const Maker makers[] = {
  { "poisson2d", make_poisson2d }, { "poisson3d", make_poisson3d }, { "random", make_random },
  { "banded", make_banded },
  { "power", make_power }, { "example", make_example }, { "like", make_like },
};

static const Maker *
find_maker (const char *text)
{
  for (guint i = 0; i < G_N_ELEMENTS (makers); i++)
    if (g_str_has_prefix (text, makers[i].kind) && text[strlen (makers[i].kind)] == ':')
      return &makers[i];
  return NULL;
}

static EsSparseMatrix *
make_of (const char *name, const char *text, GCancellable *cancellable, GError **error)
{
  const Maker *maker = find_maker (text);

  return maker->make (name, strchr (text, ':') + 1, cancellable, error);
}

gboolean
es_sparse_matrix_is_made_name (const char *text)
{
  return text != NULL && find_maker (text) != NULL;
}

/* Of what was made: names may say the same in several ways. */
static char *
identify (EsSparseMatrix *self, const char *text)
{
  g_autofree char *all = g_strdup_printf ("eigenscope matrix %d %s %zu", VERSION, text,
                                          es_sparse_matrix_get_n_nonzeros (self));

  return g_compute_checksum_for_string (G_CHECKSUM_SHA256, all, -1);
}

EsDataset *
es_sparse_matrix_make (const char *text, GCancellable *cancellable, GError **error)
{
  g_autofree char *shown = text != NULL ? es_text_show (text) : NULL, *identity = NULL;
  EsSparseMatrix *self;

  g_return_val_if_fail (text != NULL, NULL);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  if (find_maker (text) == NULL)
    {
      _es_made_refuse (shown, error,
                       _("expected poisson2d, poisson3d, random, banded, power, example or like, a colon, and what it "
                         "is of"));
      return NULL;
    }
  self = make_of (shown, text, cancellable, error);
  if (self == NULL)
    return NULL;
  identity = identify (self, text);
  self->made = g_strdup (text);
  _es_dataset_set_file (ES_DATASET (self), NULL, text);
  _es_dataset_set_identity (ES_DATASET (self), identity);
  return ES_DATASET (self);
}
