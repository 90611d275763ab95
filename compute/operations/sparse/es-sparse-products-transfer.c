/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * Vectors to a card and back (sparse.md 1.3): from pageable and from page-locked memory, and in several streams, each
 * with a product of its own. The published model: without streams T = T_exec + T_transfer, with them
 * T = T_exec + T_transfer / streams.
 */

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "es-sparse-products-private.h"

#define MOST_STREAMS 4
#define REPEATS 7

/* What one stream has. */
typedef struct
{
  EskStream        *stream;
  EskSparseProduct *product;
  EsBuffer         *x, *y;
  guint8           *host;      /* x, then y */
  gboolean          locked;
} Lane;

typedef struct
{
  EsSparseProducts *all;
  gsize             x_bytes, y_bytes;
  guint             n;
  Lane              lanes[MOST_STREAMS];
} Transfers;

static void
lane_clear (Transfers *self, Lane *lane)
{
  EsSparseProducts *all = self->all;

  if (lane->stream != NULL)
    {
      all->hotspots->device->wait (lane->stream);
      if (lane->product != NULL)
        all->hotspots->sparse->product_free (lane->stream, lane->product);
      es_device_give_stream (all->device, lane->stream);
    }
  g_clear_pointer (&lane->x, es_buffer_unref);
  g_clear_pointer (&lane->y, es_buffer_unref);
  if (lane->locked && lane->host != NULL)
    es_staging_give (all->device, lane->host, self->x_bytes + self->y_bytes);
  else
    g_free (lane->host);
  memset (lane, 0, sizeof *lane);
}

/* FALSE: there is no memory for it. */
static gboolean
lane_new (Transfers *self, EskSparseFormat format, gboolean locked, Lane *lane)
{
  EsSparseProducts *all = self->all;

  lane->locked = locked;
  lane->stream = es_device_take_stream (all->device);
  lane->x = es_buffer_new (all->device, MAX (self->x_bytes, 1), NULL);
  lane->y = es_buffer_new (all->device, MAX (self->y_bytes, 1), NULL);
  lane->host = locked ? es_staging_take (all->device, self->x_bytes + self->y_bytes)
                      : g_try_malloc (self->x_bytes + self->y_bytes);
  if (lane->stream == NULL || lane->x == NULL || lane->y == NULL || lane->host == NULL
      || all->hotspots->sparse->product_new (lane->stream, &all->csr, format, &all->options, all->stored_limit,
                                             &lane->product, NULL) != ESK_OK)
    return FALSE;
  memcpy (lane->host, all->host_x, self->x_bytes);
  memset (lane->host + self->x_bytes, 0, self->y_bytes);
  return TRUE;
}

/* Each lane once: what is asked for of it, and then the wait for all. Seconds of one; negative: an error. */
static double
turn (Transfers *self, gboolean transfers, gboolean multiplies, GError **error)
{
  EsSparseProducts *all = self->all;
  const EskDeviceHotspots *device = all->hotspots->device;
  const gint64 begin = g_get_monotonic_time ();
  int code = ESK_OK;

  for (guint l = 0; l < self->n && code == ESK_OK; l++)
    {
      Lane *lane = &self->lanes[l];

      if (transfers)
        code = device->upload (lane->stream, es_buffer_get_data (lane->x), lane->host, self->x_bytes);
      if (code == ESK_OK && multiplies)
        code = all->hotspots->sparse->multiply (lane->stream, lane->product, 1, es_buffer_get_data (lane->x), 0,
                                                es_buffer_get_data (lane->y));
      if (code == ESK_OK && transfers)
        code = device->download (lane->stream, lane->host + self->x_bytes, self->y_bytes, es_buffer_get_data (lane->y),
                                 self->y_bytes, self->y_bytes, 1);
    }
  for (guint l = 0; l < self->n; l++)
    {
      const int waited = device->wait (self->lanes[l].stream);

      code = code == ESK_OK ? waited : code;
    }
  if (!es_device_check (all->device, self->lanes[0].stream, code, "sparse products", error))
    return -1;
  return 1e-6 * (double) (g_get_monotonic_time () - begin) / self->n;
}

static gboolean
median_turn (Transfers *self, gboolean transfers, gboolean multiplies, double *seconds, GError **error)
{
  double samples[REPEATS];
  EsMeasured measured;

  for (guint r = 0; r <= REPEATS; r++)
    {
      const double sample = turn (self, transfers, multiplies, error);

      if (sample < 0 || es_job_is_cancelled (self->all->job, error))
        return FALSE;
      /* The first does not count. */
      if (r > 0)
        samples[r - 1] = sample;
    }
  es_measured_of (samples, REPEATS, &measured);
  *seconds = measured.median;
  return TRUE;
}

/* TRUE and nothing added: there was no memory for so many. */
static gboolean
measure (Transfers *self, EskSparseFormat format, gboolean locked, guint streams, GError **error)
{
  EsSparseTransfer found = { .locked = locked, .streams = streams };
  const EsSparseTransfer *alone = NULL;
  gboolean done = TRUE, there = TRUE;

  for (self->n = 0; there && self->n < streams; self->n++)
    there = lane_new (self, format, locked, &self->lanes[self->n]);
  if (there)
    done = median_turn (self, TRUE, FALSE, &found.transfer, error)
           && median_turn (self, FALSE, TRUE, &found.product, error)
           && median_turn (self, TRUE, TRUE, &found.together, error);
  for (guint l = 0; l < self->n; l++)
    lane_clear (self, &self->lanes[l]);
  if (!there || !done)
    return done;
  /* The model's parts are those of one stream. */
  for (guint i = 0; i < self->all->n_transfers; i++)
    if (self->all->transfers[i].locked == locked && self->all->transfers[i].streams == 1)
      alone = &self->all->transfers[i];
  if (alone == NULL)
    alone = &found;
  found.model = alone->product + alone->transfer / streams;
  self->all->transfers[self->all->n_transfers++] = found;
  return TRUE;
}

gboolean
es_sparse_products_transfer (EsSparseProducts *self, EskSparseFormat format, GError **error)
{
  const gsize size = esk_type_size (self->csr.type);
  Transfers transfers = { .all = self, .x_bytes = self->csr.columns * size, .y_bytes = self->csr.rows * size };

  if (transfers.x_bytes == 0 || transfers.y_bytes == 0)
    return TRUE;
  es_job_begin_stage (self->job, "transfers", _("Vectors to the card and back"), 0.1);
  return measure (&transfers, format, FALSE, 1, error) && measure (&transfers, format, TRUE, 1, error)
         && measure (&transfers, format, TRUE, 2, error) && measure (&transfers, format, TRUE, 4, error);
}
