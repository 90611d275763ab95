/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "device/es-buffer-internal.h"
#include "es-component-numbers.h"
#include "es-layer-internal.h"
#include "es-store-internal.h"

G_BEGIN_DECLS

/* A stack's planes where GPUs have made them, and what of them has come to the host: es-image-stack-device.c. */
typedef struct _EsStackStore EsStackStore;

struct _EsImageStack
{
  EsLayer       parent_instance;

  guint64       width, height; /* of the samples */
  guint64       frame_width, frame_height, left, top;    /* es_image_stack_set_frame (); width 0: none */
  guint         planes;
  gsize         plane_pixels;
  struct
  {
    char   *title;
    double  share;
    EsComponentNumbers *numbers;       /* under the lock; NULL: not computed yet */
  }            *plane;
  char         *unit;
  gboolean      is_signed;
  EsImageHint   hint;
  double       *wavelengths;   /* nm, one a plane; NULL: the planes are no bands */

  /* One of the three. */
  EsStackRead   compute;
  EsStackReadRows compute_rows;
  gpointer      compute_data;
  GDestroyNotify compute_destroy;
  EsStore      *samples;
  float        *memory;        /* of samples, where they are not in a file */
  EsStackFormat format;        /* of the file of samples */
  guint64       start;         /* bytes of samples before the first plane */
  guint64       pitch;         /* from plane to plane */
  guint64       row_pitch;     /* from row to row; of BIP a row has all planes */
  EsStackStore *store;

  /* What has been written: columns of every row. NULL: nobody keeps count, all rows count as written. */
  GMutex        lock;
  guint32      *written;
  guint64       complete_rows;
  int           complete;      /* atomic: all of them */
};

/* The stack without a place for its samples. ES_DATA_ERROR_SIZE. */
EsImageStack *es_image_stack_new_bare (const char *name, const char *title, guint64 width, guint64 height,
                                       guint planes, GError **error);
/* As es_image_stack_read () and es_image_stack_read_rows (), of a stack in a frame: es-image-stack-frame.c. */
gboolean      es_image_stack_read_framed (EsImageStack *self, guint plane, guint64 x, guint64 y, guint64 width,
                                       guint64 height, guint step, float *out, GError **error);
gboolean      es_image_stack_read_framed_rows (EsImageStack *self, guint64 y, guint64 height, float *out,
                                       GError **error);
/* The same of the samples alone. */
gboolean      es_image_stack_read_samples (EsImageStack *self, guint plane, guint64 x, guint64 y, guint64 width,
                                       guint64 height, guint step, float *out, GError **error);
/* Whether the window is inside of all_width x all_height. ES_DATA_ERROR_SIZE. */
gboolean      es_image_stack_check_window (EsImageStack *self, guint64 all_width, guint64 all_height, guint64 x,
                                       guint64 y, guint64 width, guint64 height, GError **error);
/* Bytes of all planes. */
gsize         es_image_stack_get_bytes (EsImageStack *self);

/* A path's ending, its layout. */
EsStackFormat es_stack_format_of_path (const char *path);
/* A place for the samples: in memory, or in a file (es_image_stack_new ()). es-image-stack-place.c. */
gboolean      es_image_stack_find_place (EsImageStack *self, const char *path, GError **error);
/* Samples of a plane in rows y ... y + height - 1 from column x on, one row behind the other. */
gboolean      es_image_stack_take     (EsImageStack *self, guint plane, guint64 x, guint64 y, guint64 width,
                                       guint64 height, float *out, GError **error);
/* The same of all planes, to the file, whose layout is by rows or by pixels. */
gboolean      es_image_stack_put_together (EsImageStack *self, guint64 x, guint64 y, guint64 width, guint64 height,
                                       const float *values, gsize plane_stride, GError **error);

void          es_stack_store_free (EsStackStore *self);
/* As es_image_stack_read (), of a window that is inside; rows that are not written yet hold anything. */
gboolean      es_stack_store_read (EsImageStack *stack, guint plane, guint64 x, guint64 y, guint64 width,
                                   guint64 height, guint step, float *out, GError **error);
/* The plane on the host, brought there where it is not yet; NULL where that fails. */
const float  *es_stack_store_peek (EsImageStack *stack, guint plane);
/* The plane where it is on the host already; else NULL. */
const float  *es_stack_store_get_host (EsImageStack *stack, guint plane);

G_END_DECLS
