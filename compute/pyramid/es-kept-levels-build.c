/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-kept-levels-private.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/es-error.h"
#include "cube/es-cube-internal.h"
#include "saving/es-durable.h"
#include "saving/es-output-internal.h"

/* Samples of a band that are read at once; of files in blocks, as many rows as blocks have, up to the second. */
#define PORTION       (1024 * 1024)
#define LARGE_PORTION (32 * 1024 * 1024)
/* What a disk is left. */
#define SPARE         ((guint64) 256 << 20)
#define HOLD_STEP     (10 * 1000)      /* us */

/* One level as it grows: the row that is being gathered. */
typedef struct
{
  guint64  width, row;         /* row: the next that is written */
  guint    gathered, wanted;   /* rows of the level below */
  double  *sums;
  guint32 *counts;
  float   *means;
  guint64  start;              /* in the file */
} Level;

typedef struct
{
  guint           band;
  const EsOutput *output;
  EsLevelsHeader  header;
  guint           n_levels;
  Level          *levels;      /* from the first that is kept on */
} BandBuild;

static void
band_build_free (gpointer data)
{
  BandBuild *self = data;

  for (guint i = 0; i < self->n_levels; i++)
    {
      g_free (self->levels[i].sums);
      g_free (self->levels[i].counts);
      g_free (self->levels[i].means);
    }
  g_free (self->levels);
  g_free (self);
}

static gboolean
fail (EsCube *cube, int code, GError **error)
{
  g_autofree char *folder = _es_kept_levels_folder (), *shown = g_filename_display_name (folder);

  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_WRITE,
               _("Smaller copies of “%s” cannot be kept in “%s”: %s. It is shown without them."),
               es_dataset_get_name (ES_DATASET (cube)), shown, g_strerror (code));
  return FALSE;
}

static gboolean
write_at (EsCube *cube, int fd, const void *data, gsize bytes, guint64 offset, GError **error)
{
  while (bytes > 0)
    {
      const gssize n = pwrite (fd, data, bytes, (off_t) offset);

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        return fail (cube, n < 0 ? errno : EIO, error);
      data = (const guint8 *) data + n;
      bytes -= (gsize) n;
      offset += (guint64) n;
    }
  return TRUE;
}

/* ---- the arithmetic: sums in float64 and counts go from level to level: each is of all pixels below it ---- */

static gboolean finish_row (EsCube *cube, BandBuild *build, guint i, GError **error);

static gboolean
gather (EsCube *cube, BandBuild *build, guint i, GError **error)
{
  Level *level = &build->levels[i];

  level->gathered++;
  return level->gathered < level->wanted || finish_row (cube, build, i, error);
}

static gboolean
add_to_next (EsCube *cube, BandBuild *build, guint i, GError **error)
{
  const Level *level = &build->levels[i];
  Level *next = &build->levels[i + 1];

  for (guint64 x = 0; x < level->width; x++)
    {
      next->sums[x / 2] += level->sums[x];
      next->counts[x / 2] += level->counts[x];
    }
  return gather (cube, build, i + 1, error);
}

static gboolean
finish_row (EsCube *cube, BandBuild *build, guint i, GError **error)
{
  Level *level = &build->levels[i];

  for (guint64 x = 0; x < level->width; x++)
    level->means[x] = level->counts[x] > 0 ? (float) (level->sums[x] / level->counts[x]) : NAN;
  if (!write_at (cube, build->output->fd, level->means, level->width * sizeof (float),
                 level->start + level->row * level->width * sizeof (float), error)
      || (i + 1 < build->n_levels && !add_to_next (cube, build, i, error)))
    return FALSE;
  memset (level->sums, 0, level->width * sizeof *level->sums);
  memset (level->counts, 0, level->width * sizeof *level->counts);
  level->gathered = 0;
  level->row++;
  return TRUE;
}

static gboolean
add_pixels (EsCube *cube, BandBuild *build, const float *row, guint64 width, GError **error)
{
  Level *level = &build->levels[0];
  const guint shift = build->header.first;

  for (guint64 x = 0; x < width; x++)
    if (!isnan (row[x]))
      {
        level->sums[x >> shift] += row[x];
        level->counts[x >> shift]++;
      }
  return gather (cube, build, 0, error);
}

/* Rows at the lower edge that are fewer than a cell has. */
static gboolean
finish_all (EsCube *cube, BandBuild *build, GError **error)
{
  for (guint i = 0; i < build->n_levels; i++)
    if (build->levels[i].gathered > 0 && !finish_row (cube, build, i, error))
      return FALSE;
  return TRUE;
}

/* ---- the files ---- */

static BandBuild *
band_build_new (EsCube *cube, guint band, guint last, EsOutputs *outputs, GError **error)
{
  g_autofree char *key = _es_kept_levels_key (cube, band);
  g_autofree char *path = key != NULL ? _es_kept_levels_path (key) : NULL;
  BandBuild *self;
  guint64 end = 0;
  int code;

  if (path == NULL)
    {
      fail (cube, ENOENT, error);
      return NULL;
    }
  self = g_new0 (BandBuild, 1);
  self->band = band;
  _es_levels_header_init (&self->header, key, cube, last);
  self->n_levels = last + 1 - self->header.first;
  self->levels = g_new0 (Level, self->n_levels);
  for (guint i = 0; i < self->n_levels; i++)
    {
      Level *level = &self->levels[i];

      level->width = es_level_length (self->header.width, self->header.first + i);
      level->wanted = i == 0 ? 1u << self->header.first : 2;
      level->sums = g_new0 (double, level->width);
      level->counts = g_new0 (guint32, level->width);
      level->means = g_new (float, level->width);
      _es_levels_find_start (&self->header, self->header.first + i, &level->start);
    }
  _es_levels_find_start (&self->header, last + 1, &end);
  self->output = es_outputs_add (outputs, path, FALSE, error);
  /* All blocks, so that a full disk is found before the work. */
  if (self->output != NULL && (code = posix_fallocate (self->output->fd, 0, (off_t) end)) != 0)
    {
      fail (cube, code, error);
      self->output = NULL;
    }
  if (self->output == NULL || !write_at (cube, self->output->fd, &self->header, sizeof self->header, 0, error))
    {
      band_build_free (self);
      return NULL;
    }
  return self;
}

static guint64
rows_at_once (EsCube *cube)
{
  const guint64 width = es_cube_get_width (cube);
  guint64 block_width, block_height;

  es_cube_get_block (cube, &block_width, &block_height);
  if (block_height > 1 && block_height <= LARGE_PORTION / width)
    return MAX (PORTION / width / block_height, 1) * block_height;
  return MAX (PORTION / width, 1);
}

static gboolean
build_all (EsCube *cube, GPtrArray *builds, EsLevelsHold hold, gpointer data, GCancellable *cancellable, GError **error)
{
  const guint64 width = es_cube_get_width (cube), height = es_cube_get_height (cube), rows = rows_at_once (cube);
  g_autofree float *pixels = g_try_malloc_n (rows * width, sizeof (float));

  if (pixels == NULL)
    return fail (cube, ENOMEM, error);
  for (guint64 y = 0; y < height; y += rows)
    {
      const guint64 n = MIN (rows, height - y);

      while (hold != NULL && hold (data) && !g_cancellable_is_cancelled (cancellable))
        g_usleep (HOLD_STEP);
      for (guint i = 0; i < builds->len; i++)
        {
          BandBuild *build = g_ptr_array_index (builds, i);

          if (!es_cube_read_band (cube, build->band, 0, y, width, n, 1, pixels, cancellable, error))
            return FALSE;
          for (guint64 row = 0; row < n; row++)
            if (!add_pixels (cube, build, pixels + row * width, width, error))
              return FALSE;
        }
    }
  for (guint i = 0; i < builds->len; i++)
    if (!finish_all (cube, g_ptr_array_index (builds, i), error))
      return FALSE;
  return TRUE;
}

/* Room for so many bytes, and something to spare. */
static gboolean
check_room (EsCube *cube, const char *folder, guint64 bytes, GError **error)
{
  struct statvfs status;

  if (statvfs (folder, &status) != 0)
    return TRUE;
  return (guint64) status.f_bavail * status.f_frsize >= bytes + SPARE || fail (cube, ENOSPC, error);
}

static gboolean
build_missing (EsCube *cube, GArray *bands, guint last, GPtrArray *builds, EsLevelsHold hold, gpointer data,
               GCancellable *cancellable, GError **error)
{
  g_autoptr (EsOutputs) outputs = es_outputs_new ();
  g_autofree char *written = NULL;

  for (guint i = 0; i < bands->len; i++)
    {
      BandBuild *build = band_build_new (cube, g_array_index (bands, guint, i), last, outputs, error);

      if (build == NULL)
        return FALSE;
      g_ptr_array_add (builds, build);
    }
  if (!build_all (cube, builds, hold, data, cancellable, error))
    return FALSE;
  /* What was read is of two contents, and of neither's name. */
  for (guint i = 0; i < builds->len; i++)
    {
      const BandBuild *build = g_ptr_array_index (builds, i);
      g_autofree char *key = _es_kept_levels_key (cube, build->band);

      if (g_strcmp0 (key, build->header.key) != 0)
        return fail (cube, ESTALE, error);
    }
  return es_outputs_commit (outputs, error);
}

gboolean
es_kept_levels_build (EsCube *cube, guint n, const guint *bands, guint last, guint64 budget, EsLevelsHold hold,
                      gpointer data, GCancellable *cancellable, GError **error)
{
  g_autofree char *folder = _es_kept_levels_folder ();
  g_autoptr (GPtrArray) builds = g_ptr_array_new_with_free_func (band_build_free);
  g_autoptr (GArray) missing = g_array_new (FALSE, FALSE, sizeof (guint));
  EsLevelsHeader header;
  guint64 bytes;

  g_return_val_if_fail (ES_IS_CUBE (cube) && last > 0 && last <= 15, FALSE);

  for (guint i = 0; i < n; i++)
    {
      gboolean twice = FALSE;

      for (guint k = 0; k < i; k++)
        twice = twice || bands[k] == bands[i];
      if (!twice && !es_kept_levels_have (cube, bands[i], last))
        g_array_append_val (missing, bands[i]);
    }
  if (missing->len == 0 || es_dataset_get_file (ES_DATASET (cube)) == NULL)
    return TRUE;
  _es_levels_header_init (&header, "", cube, last);
  if (!_es_levels_find_start (&header, last + 1, &bytes) || !g_uint64_checked_mul (&bytes, bytes, missing->len)
      || bytes > budget / 2)
    return TRUE;
  if (g_mkdir_with_parents (folder, 0700) != 0 && !g_file_test (folder, G_FILE_TEST_IS_DIR))
    return es_durable_make_folder (folder, NULL, error);
  es_kept_levels_limit (budget - bytes);
  return check_room (cube, folder, bytes, error)
         && build_missing (cube, missing, last, builds, hold, data, cancellable, error);
}
