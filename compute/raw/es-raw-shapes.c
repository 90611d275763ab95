/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * Which shapes a file may have. Its samples are an array of three axes, whichever of them is the spectral one; where
 * the lengths of the two fastest are right, samples one step apart along the next axis are alike, and less alike those
 * that are a few samples beside them: a wrong length shears the picture.
 */

#include "es-raw-content-private.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/es-error.h"

#define MOST_TYPES     3
#define MOST_FASTEST   14
#define MOST_ARRAYS    24
#define MOST_SHAPES    12
#define LEAST_SIDE     4
#define MOST_DIVISORS  4096
/* Of a plane by itself, which has no third axis to be judged by. */
#define ALONE          0.15

/* Headers of instruments and programs that have no name. */
static const guint64 offsets[] = { 0, 512, 1024, 2048, 4096, 128, 256, 32768 };

static const guint common_bands[] = { 4, 8, 12, 13, 48, 64, 72, 80, 102, 103, 128, 144, 145, 150, 155, 156, 162, 191,
                                      198, 200, 204, 210, 220, 224, 239, 240, 242, 256, 270, 272, 274, 285, 288, 425,
                                      432, 448 };
static const guint common_widths[] = { 145, 256, 307, 320, 340, 384, 512, 598, 610, 614, 640, 677, 700, 750, 800, 900,
                                       1000, 1024, 1242, 1280, 1392, 1600, 2000, 2048, 2184, 3600 };

typedef struct
{
  guint64      lengths[3];     /* the fastest first */
  double       score;
  guint64      offset;
  EsRawNumbers numbers;
} Array;

typedef struct
{
  const EsRawContent *content;
  const EsRawShape   *told;
  EsRawFields         fields;
  EsRawNumbers        numbers;
  EsRawLags          *lags;
  guint64             offset, n;      /* samples from there on */
  GArray             *divisors;       /* of n; of guint64, ascending */
  GArray             *arrays;         /* found; of Array */
} Search;

/* ---- lags ---- */

/* How much more alike samples are at a lag than a few steps beside it: 0 no more, 1 quite. */
static double
get_sharpness (EsRawLags *lags, guint64 lag, guint64 step)
{
  static const guint steps[] = { 1, 2, 4, 8 };
  const double at = es_raw_lags_get (lags, lag);
  double sum = 0;
  guint n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    for (int side = -1; side <= 1; side += 2)
      {
        const guint64 away = steps[i] * step;
        double beside;

        if (side < 0 && away >= lag)
          continue;
        beside = es_raw_lags_get (lags, side < 0 ? lag - away : lag + away);
        if (isnan (beside))
          continue;
        /* Not where it is most alike: somewhere on the way there. */
        if (i == 0 && beside < 0.92 * at)
          return 0;
        sum += beside;
        n++;
      }
  if (isnan (at) || n == 0 || !(sum > 0))
    return 0;
  return CLAMP (1 - at / (sum / n), 0, 1);
}

/* A lag by itself and against those of which it is a multiple: twice the right one is alike, too. */
static double
judge_lag (Search *self, guint64 lag, guint64 step)
{
  const double sharpness = get_sharpness (self->lags, lag, step), at = es_raw_lags_get (self->lags, lag);
  double factor = 1;

  if (sharpness <= 0 || isnan (at))
    return 0;
  for (guint i = 0; i < self->divisors->len && factor > 0.3; i++)
    {
      const guint64 part = g_array_index (self->divisors, guint64, i);

      if (part >= lag)
        break;
      if (lag % part != 0 || part % step != 0 || part < step * LEAST_SIDE)
        continue;
      if (es_raw_lags_get (self->lags, part) <= at * 1.05 && get_sharpness (self->lags, part, step) >= 0.6 * sharpness)
        factor = 0.3;
    }
  return sharpness * factor * (1 - CLAMP (at, 0, 1) / 2);
}

/* ---- arrays ---- */

static int
compare_arrays (gconstpointer a, gconstpointer b)
{
  const Array *x = a, *y = b;

  return x->score > y->score ? -1 : x->score < y->score;
}

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  const guint64 x = *(const guint64 *) a, y = *(const guint64 *) b;

  return x < y ? -1 : x > y;
}

/* All of a number of samples; none where it has too many. */
static GArray *
find_divisors (guint64 n)
{
  GArray *divisors = g_array_new (FALSE, FALSE, sizeof (guint64));
  guint64 rest = n, one = 1;

  g_array_append_val (divisors, one);
  for (guint64 prime = 2; prime * prime <= rest && prime < 10000000 && divisors->len < MOST_DIVISORS; prime++)
    {
      const guint before = divisors->len;
      guint64 power = 1;

      while (rest % prime == 0)
        {
          rest /= prime;
          power *= prime;
          for (guint i = 0; i < before; i++)
            {
              const guint64 product = g_array_index (divisors, guint64, i) * power;
              g_array_append_val (divisors, product);
            }
        }
    }
  if (rest > 1)
    {
      const guint before = divisors->len;

      for (guint i = 0; i < before; i++)
        {
          const guint64 product = g_array_index (divisors, guint64, i) * rest;
          g_array_append_val (divisors, product);
        }
    }
  g_array_sort (divisors, compare_numbers);
  return divisors;
}

/* What a person has told of the three lengths, with this axis as the spectral one: 0 where nothing. */
static void
get_told (const Search *self, EsInterleave interleave, guint64 told[3])
{
  const guint64 width = self->fields & ES_RAW_WIDTH ? self->told->width : 0;
  const guint64 height = self->fields & ES_RAW_HEIGHT ? self->told->height : 0;
  const guint64 bands = self->fields & ES_RAW_BANDS ? self->told->bands : 0;

  told[0] = interleave == ES_INTERLEAVE_BIP ? bands : width;
  told[1] = interleave == ES_INTERLEAVE_BIL ? bands : interleave == ES_INTERLEAVE_BIP ? width : height;
  told[2] = interleave == ES_INTERLEAVE_BSQ ? bands : height;
}

/* axis: which alone is looked at; 3: all of them. */
static gboolean
is_allowed (const Search *self, const guint64 lengths[3], guint axis)
{
  for (guint i = ES_INTERLEAVE_BSQ; i <= ES_INTERLEAVE_BIP; i++)
    {
      guint64 told[3];
      gboolean fits = TRUE;

      if ((self->fields & ES_RAW_INTERLEAVE) != 0 && self->told->interleave != i)
        continue;
      get_told (self, i, told);
      for (guint a = 0; a < 3; a++)
        if (axis == 3 || axis == a)
          fits = fits && (told[a] == 0 || told[a] == lengths[a]);
      if (fits)
        return TRUE;
    }
  return FALSE;
}

/* The fastest axis: the lags at which samples are most alike again. */
static GArray *
find_fastest (Search *self)
{
  GArray *found = g_array_new (FALSE, FALSE, sizeof (Array));
  const guint64 most = MIN (self->n, 1 << 20);

  for (guint i = 0; i < self->divisors->len; i++)
    {
      Array array = { .lengths = { g_array_index (self->divisors, guint64, i), 1, 1 } };

      if (array.lengths[0] > most || !is_allowed (self, array.lengths, 0))
        continue;
      if (array.lengths[0] < LEAST_SIDE && !(self->fields & (ES_RAW_BANDS | ES_RAW_WIDTH)))
        continue;
      array.score = judge_lag (self, array.lengths[0], 1);
      g_array_append_val (found, array);
    }
  g_array_sort (found, compare_arrays);
  if (found->len > MOST_FASTEST)
    g_array_set_size (found, MOST_FASTEST);
  return found;
}

/* The second one, for one fastest: where samples are alike again, and less a few steps of the first beside. */
static void
find_second (Search *self, const Array *fastest)
{
  const guint64 first = fastest->lengths[0], rest = self->n / first;

  for (guint i = 0; i < self->divisors->len; i++)
    {
      const guint64 second = g_array_index (self->divisors, guint64, i);
      Array array = { .lengths = { first, second, 0 }, .offset = self->offset, .numbers = self->numbers };

      if (second > rest)
        break;
      if (rest % second != 0)
        continue;
      array.lengths[2] = rest / second;
      if ((second < LEAST_SIDE && second != rest && self->fields == 0)
          || (array.lengths[2] > 1 && array.lengths[2] < 2) || !is_allowed (self, array.lengths, 3))
        continue;
      array.score = fastest->score + (second == rest ? ALONE * fastest->score
                                                     : judge_lag (self, first * second, first));
      array.score *= self->numbers.weight * (self->offset > 0 ? 0.75 : 1);
      g_array_append_val (self->arrays, array);
    }
}

/* ---- shapes ---- */

static double
is_common (guint64 number, const guint *list, guint n)
{
  for (guint i = 0; i < n; i++)
    if (list[i] == number)
      return TRUE;
  return FALSE;
}

static EsRawShape
make_shape (const Array *array, EsInterleave interleave)
{
  const guint64 *n = array->lengths;
  EsRawShape shape = {
    .offset = array->offset, .type = esk_type_name (array->numbers.type), .interleave = interleave,
    .big_endian = array->numbers.big_endian,
  };

  shape.width = interleave == ES_INTERLEAVE_BIP ? n[1] : n[0];
  shape.height = interleave == ES_INTERLEAVE_BSQ ? n[1] : n[2];
  shape.bands = interleave == ES_INTERLEAVE_BSQ ? n[2] : interleave == ES_INTERLEAVE_BIL ? n[1] : n[0];
  for (guint i = 0; es_raw_types ()[i] != NULL; i++)
    if (g_str_equal (es_raw_types ()[i], shape.type))
      shape.type = es_raw_types ()[i];
  return shape;
}

/* What sensors have rather than not, where the content says nothing either way. */
static double
weigh_habit (const EsRawShape *shape)
{
  double weight = 1;

  if (is_common (shape->bands, common_bands, G_N_ELEMENTS (common_bands)))
    weight *= 1.15;
  if (is_common (shape->width, common_widths, G_N_ELEMENTS (common_widths)))
    weight *= 1.08;
  if (shape->bands > 2500 || (shape->bands > shape->width * 4 && shape->bands > 500))
    weight *= 0.5;
  if (shape->width < 16 || shape->height < 16)
    weight *= 0.8;
  /* Ribbons of one band are cubes that were not recognised. */
  if (shape->bands == 1 && MAX (shape->width, shape->height) > 12 * MIN (shape->width, shape->height))
    weight *= 0.4;
  return weight;
}

static void
add_shapes (Search *self, const Array *array, GArray *found)
{
  double shares[3] = { 0 }, all;

  es_raw_axes_weigh (self->content, &array->numbers, array->offset, array->lengths, shares);
  all = shares[0] + shares[1] + shares[2] + 1e-6;
  for (guint i = ES_INTERLEAVE_BSQ; i <= ES_INTERLEAVE_BIP; i++)
    {
      const guint spectral = i == ES_INTERLEAVE_BSQ ? 2 : i == ES_INTERLEAVE_BIL ? 1 : 0;
      EsRawShape shape = make_shape (array, i);
      guint64 told[3];
      gboolean fits = TRUE;

      get_told (self, i, told);
      for (guint a = 0; a < 3; a++)
        fits = fits && (told[a] == 0 || told[a] == array->lengths[a]);
      if (!fits || ((self->fields & ES_RAW_INTERLEAVE) != 0 && self->told->interleave != i)
          || shape.bands > 65535 || shape.width > G_MAXINT || shape.height > G_MAXINT
          /* A plane by itself, which is one whichever way. */
          || (shape.bands == 1 && i != ES_INTERLEAVE_BSQ && !(self->fields & ES_RAW_INTERLEAVE))
          || (shape.bands > 1 && array->lengths[2] == 1 && !(self->fields & (ES_RAW_HEIGHT | ES_RAW_WIDTH))))
        continue;
      shape.score = array->score / 2 * weigh_habit (&shape)
                    * (shape.bands == 1 ? 1 : 0.15 + 0.85 * shares[spectral] / all);
      g_array_append_val (found, shape);
    }
}

static void
search (Search *self)
{
  g_autoptr (GArray) divisors = NULL, fastest = NULL;
  const guint64 size = esk_type_size (self->numbers.type), present = self->content->size - self->offset;

  if (present % size != 0 || present == 0)
    return;
  self->n = present / size;
  self->divisors = divisors = find_divisors (self->n);
  fastest = find_fastest (self);
  for (guint i = 0; i < fastest->len && !g_cancellable_is_cancelled (self->content->cancellable); i++)
    find_second (self, &g_array_index (fastest, Array, i));
  self->divisors = NULL;
}

static int
compare_shapes (gconstpointer a, gconstpointer b)
{
  const EsRawShape *x = a, *y = b;

  return x->score > y->score ? -1 : x->score < y->score;
}

GArray *
es_raw_shapes_propose (EsRawRead read, gpointer data, guint64 size, const EsRawShape *told, EsRawFields fields,
                       GCancellable *cancellable)
{
  g_autoptr (GArray) found = g_array_new (FALSE, TRUE, sizeof (EsRawShape)), types = NULL;
  g_autoptr (GArray) arrays = g_array_new (FALSE, FALSE, sizeof (Array));
  EsRawContent content = { .read = read, .data = data, .size = size, .cancellable = cancellable };
  Search self = { .content = &content, .told = told, .fields = fields, .arrays = arrays };

  content.start = fields & ES_RAW_OFFSET ? told->offset : MIN (offsets[4], size / 16 / 8 * 8);
  if (content.start >= size)
    return g_steal_pointer (&found);
  types = es_raw_types_weigh (&content, told, fields);
  for (guint t = 0; t < MIN (types->len, MOST_TYPES); t++)
    {
      g_autoptr (EsRawLags) lags = NULL;

      self.numbers = g_array_index (types, EsRawNumbers, t);
      if (self.numbers.weight < 0.02)
        continue;
      self.lags = lags = es_raw_lags_new (&content, &self.numbers);
      for (guint i = 0; i < G_N_ELEMENTS (offsets) && (i == 0 || !(fields & ES_RAW_OFFSET)); i++)
        {
          self.offset = fields & ES_RAW_OFFSET ? told->offset : offsets[i];
          if (self.offset < size)
            search (&self);
        }
      self.lags = NULL;
    }
  g_array_sort (arrays, compare_arrays);
  for (guint i = 0; i < MIN (arrays->len, MOST_ARRAYS) && !g_cancellable_is_cancelled (cancellable); i++)
    add_shapes (&self, &g_array_index (arrays, Array, i), found);
  g_array_sort (found, compare_shapes);
  if (found->len > MOST_SHAPES)
    g_array_set_size (found, MOST_SHAPES);
  return g_cancellable_is_cancelled (cancellable) ? NULL : g_steal_pointer (&found);
}

/* ---- of a file ---- */

static gboolean
read_file (gpointer data, guint64 offset, gsize n, guint8 *buffer)
{
  const int fd = GPOINTER_TO_INT (data);

  while (n > 0)
    {
      const ssize_t got = pread (fd, buffer, n, (off_t) offset);

      if (got == 0 || (got < 0 && errno != EINTR))
        return FALSE;
      if (got < 0)
        continue;
      buffer += got;
      offset += (guint64) got;
      n -= (gsize) got;
    }
  return TRUE;
}

GArray *
es_raw_shapes_propose_file (GFile *file, const EsRawShape *told, EsRawFields fields, GCancellable *cancellable,
                            GError **error)
{
  g_autofree char *path = g_file_get_path (file), *name = es_error_file_name (file);
  struct stat status;
  GArray *shapes;
  int fd = path != NULL ? open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;

  if (fd < 0 || fstat (fd, &status) != 0 || !S_ISREG (status.st_mode))
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_OPEN, _("“%s” cannot be opened: %s"), name,
                   fd < 0 ? g_strerror (errno) : _("it is no file of samples"));
      if (fd >= 0)
        close (fd);
      return NULL;
    }
  if (status.st_size == 0)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT, _("“%s” is empty"), name);
      close (fd);
      return NULL;
    }
  shapes = es_raw_shapes_propose (read_file, GINT_TO_POINTER (fd), (guint64) status.st_size, told, fields,
                                  cancellable);
  close (fd);
  if (shapes == NULL)
    g_cancellable_set_error_if_cancelled (cancellable, error);
  return shapes;
}
