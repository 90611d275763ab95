/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The sides of a cube as textures. */

#include "es-faces-paint.h"

#include <math.h>
#include <string.h>

/* Cut off at both ends of the values of a band on the sides. */
#define CUT 0.02

void
es_faces_read_clear (EsFacesRead *read)
{
  for (guint i = 0; i < 4; i++)
    g_clear_pointer (&read->sides[i], es_cube_face_unref);
  for (guint i = 0; i < 2; i++)
    for (guint k = 0; k < 3; k++)
      g_clear_pointer (&read->ends[i][k], g_bytes_unref);
  for (guint i = 0; i < 2; i++)
    g_clear_object (&read->end_of[i]);
}

void
es_faces_read_copy (EsFacesRead *to, const EsFacesRead *from)
{
  *to = *from;
  for (guint i = 0; i < 4; i++)
    if (to->sides[i] != NULL)
      es_cube_face_ref (to->sides[i]);
  for (guint i = 0; i < 2; i++)
    for (guint k = 0; k < 3; k++)
      if (to->ends[i][k] != NULL)
        g_bytes_ref (to->ends[i][k]);
  for (guint i = 0; i < 2; i++)
    if (to->end_of[i] != NULL)
      g_object_ref (to->end_of[i]);
}

void
es_faces_request_free (gpointer data)
{
  EsFacesRequest *request = data;

  g_object_unref (request->cube);
  es_band_order_unref (request->order);
  g_clear_object (&request->top.source);
  for (guint i = 0; i < 3; i++)
    g_free (request->top.statistics[i]);
  es_faces_read_clear (&request->read);
  g_free (request);
}

void
es_faces_answer_free (gpointer data)
{
  EsFacesAnswer *answer = data;

  for (guint i = 0; i < ES_N_FACES; i++)
    g_clear_object (&answer->faces[i]);
  es_faces_read_clear (&answer->read);
  g_free (answer);
}

/* ---- colours ---- */

/* What is missing: a checker that is none of the colours, as in every picture. */
static void
put_missing (guint8 *pixel, guint x, guint y)
{
  const guint8 shade = (x / 4 + y / 4) % 2 ? 0x38 : 0x2e;

  pixel[0] = pixel[1] = pixel[2] = shade;
  pixel[3] = 255;
}

static void
put_mapped (guint8 *pixel, double share, const guint8 *map)
{
  memcpy (pixel, map + 4 * (guint) CLAMP (share * 255 + 0.5, 0, 255), 3);
  pixel[3] = 255;
}

/* Takes the pixels. Renderers go smoothly from one to the next; a few large ones are squares all the same, if they are
 * many small ones. */
static GdkTexture *
make_texture (guint8 *pixels, guint width, guint height)
{
  const guint wide = MAX (1, ES_FACES_SIDE / width), high = MAX (1, ES_FACES_SIDE / height);
  const gsize stride = (gsize) width * wide * 4;
  g_autoptr (GBytes) bytes = NULL;

  if (wide > 1 || high > 1)
    {
      guint8 *large = g_malloc (stride * height * high);

      for (guint y = 0; y < height; y++)
        {
          guint32 *row = (guint32 *) (gpointer) (large + stride * y * high);
          const guint32 *from = (const guint32 *) (gconstpointer) (pixels + (gsize) y * width * 4);

          for (guint x = 0; x < width; x++)
            for (guint i = 0; i < wide; i++)
              row[x * wide + i] = from[x];
          for (guint i = 1; i < high; i++)
            memcpy (large + stride * (y * high + i), row, stride);
        }
      g_free (pixels);
      pixels = large;
    }
  bytes = g_bytes_new_take (pixels, stride * height * high);
  return gdk_memory_texture_new ((int) (width * wide), (int) (height * high), GDK_MEMORY_R8G8B8A8, bytes, stride);
}

/* ---- the sides ---- */

/* Which columns of a side are left. */
static void
find_columns (const EsCubeFace *face, const EsFacesCut *cut, guint *from, guint *n)
{
  const guint64 *range = face->row ? cut->x : cut->y;

  *from = (guint) MIN (range[0] / face->step, face->columns - 1);
  *n = (guint) MIN ((range[1] + face->step - 1) / face->step, face->columns) - *from;
  *n = MAX (*n, 1);
}

/* Where the colours of each band begin and end, of what is left of it on the sides that are seen. */
static double *
find_ends (const EsFacesRequest *request, EsCubeFace * const *sides)
{
  const guint n = request->order->n;
  double *ends = g_new (double, 2 * n);
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (float));
  g_autofree EsPlaneStatistics *statistics = g_new (EsPlaneStatistics, 1);

  for (guint band = 0; band < n; band++)
    {
      if (request->each)
        g_array_set_size (values, 0);
      for (guint i = 0; i < 4; i++)
        if (sides[i] != NULL && request->wanted[i])
          {
            guint from, columns;

            find_columns (sides[i], &request->cut, &from, &columns);
            g_array_append_vals (values, sides[i]->values + (gsize) band * sides[i]->columns + from, columns);
          }
      if (!request->each)
        continue;
      es_plane_statistics_compute (statistics, (const float *) values->data, values->len);
      ends[2 * band] = es_plane_statistics_quantile (statistics, CUT);
      ends[2 * band + 1] = es_plane_statistics_quantile (statistics, 1 - CUT);
    }
  if (!request->each)
    {
      es_plane_statistics_compute (statistics, (const float *) values->data, values->len);
      for (guint band = 0; band < n; band++)
        {
          ends[2 * band] = es_plane_statistics_quantile (statistics, CUT);
          ends[2 * band + 1] = es_plane_statistics_quantile (statistics, 1 - CUT);
        }
    }
  return ends;
}

static GdkTexture *
paint_side (const EsFacesRequest *request, const EsCubeFace *face, const double *ends)
{
  const guint8 *map = es_colormap_entries (request->colormap);
  const guint rows = request->cut.band[1] - request->cut.band[0];
  guint from, columns;
  guint8 *pixels;

  find_columns (face, &request->cut, &from, &columns);
  pixels = g_malloc ((gsize) rows * columns * 4);
  for (guint y = 0; y < rows; y++)
    {
      const guint band = request->cut.band[0] + y;
      const double low = ends[2 * band], range = ends[2 * band + 1] - low;
      const float *values = face->values + (gsize) band * face->columns + from;

      for (guint x = 0; x < columns; x++)
        {
          guint8 *pixel = pixels + ((gsize) y * columns + x) * 4;

          if (isnan (values[x]))
            put_missing (pixel, x, y);
          else
            put_mapped (pixel, range > 0 ? (values[x] - low) / range : 0.5, map);
        }
    }
  return make_texture (pixels, columns, rows);
}

/* ---- top and bottom ---- */

/* The 256 steps of a picture. */
static guint
find_shade (const float thresholds[ES_STRETCH_STEPS], float value)
{
  guint low = 0, high = ES_STRETCH_STEPS;

  while (low < high)
    {
      const guint middle = (low + high) / 2;

      if (thresholds[middle] <= value)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

typedef struct
{
  guint         n;
  const float  *planes[3];
  float         thresholds[3][ES_STRETCH_STEPS];
  gboolean      inverted[3];
  const guint8 *map;
  guint         width, height;   /* of the planes */
} Painting;

static void
set_stretch (Painting *painting, guint i, EsStretch curve, double low, double high, const EsPlaneStatistics *statistics)
{
  painting->inverted[i] = low > high;
  if (low > high)
    {
      const double other = low;

      low = high, high = other;
    }
  /* A step has no two ends. */
  if (!(low < high))
    high = low + MAX (fabs (low), 1) * 1e-6;
  es_stretch_fill (es_stretch_counts (curve) && statistics == NULL ? ES_STRETCH_LINEAR : curve, low, high, statistics,
                   painting->thresholds[i]);
}

static GdkTexture *
paint_end (const EsFacesRequest *request, const Painting *painting, guint step)
{
  const guint left = (guint) MIN (request->cut.x[0] / step, painting->width - 1);
  const guint top = (guint) MIN (request->cut.y[0] / step, painting->height - 1);
  const guint right = (guint) MIN ((request->cut.x[1] + step - 1) / step, painting->width);
  const guint bottom = (guint) MIN ((request->cut.y[1] + step - 1) / step, painting->height);
  const guint width = MAX (right, left + 1) - left, height = MAX (bottom, top + 1) - top;
  guint8 *pixels = g_malloc ((gsize) width * height * 4);

  for (guint y = 0; y < height; y++)
    for (guint x = 0; x < width; x++)
      {
        const gsize at = (gsize) (top + y) * painting->width + left + x;
        guint8 *pixel = pixels + ((gsize) y * width + x) * 4;
        guint shades[3] = { 0 };
        gboolean missing = FALSE;

        for (guint i = 0; i < painting->n; i++)
          {
            const float value = painting->planes[i][at];

            missing = missing || isnan (value);
            shades[i] = find_shade (painting->thresholds[i], value);
            if (painting->inverted[i])
              shades[i] = 255 - shades[i];
          }
        if (missing)
          put_missing (pixel, x, y);
        else if (painting->n == 1)
          {
            memcpy (pixel, painting->map + 4 * shades[0], 3);
            pixel[3] = 255;
          }
        else
          {
            for (guint i = 0; i < 3; i++)
              pixel[i] = (guint8) shades[i];
            pixel[3] = 255;
          }
      }
  return make_texture (pixels, width, height);
}

static gboolean
is_read (const EsFacesRead *read, guint which, EsPlaneSource *source, guint n, const guint *planes)
{
  return read->end_of[which] != NULL && read->end_n[which] == n
         && es_plane_source_get_data (read->end_of[which]) == es_plane_source_get_data (source)
         && memcmp (read->end_planes[which], planes, n * sizeof *planes) == 0;
}

/* which: 0 the top, 1 the bottom. At the uncut top is the picture, anywhere else the band that lies there. */
static gboolean
read_end (const EsFacesRequest *request, EsFacesAnswer *answer, guint which, GCancellable *cancellable, GError **error)
{
  const EsFacesTop *top = &request->top;
  const gboolean picture = which == 0 && request->cut.band[0] == 0 && top->source != NULL;
  const guint band = request->order->bands[which == 0 ? request->cut.band[0] : request->cut.band[1] - 1];
  g_autoptr (EsPlaneSource) source = picture ? g_object_ref (top->source)
                                             : es_plane_source_new_for_cube (request->cube);
  const guint n = picture ? top->n : 1, *planes = picture ? top->planes : &band;
  const guint step = es_plane_source_get_step_for (source, ES_FACES_SIDE);
  Painting painting = { .n = n, .map = es_colormap_entries (picture ? top->colormap : request->colormap) };
  EsFacesRead *read = &answer->read;

  if (!is_read (read, which, source, n, planes))
    {
      g_clear_object (&read->end_of[which]);
      for (guint i = 0; i < 3; i++)
        g_clear_pointer (&read->ends[which][i], g_bytes_unref);
      for (guint i = 0; i < n; i++)
        if ((read->ends[which][i] = es_plane_source_read (source, planes[i], step, cancellable, error)) == NULL)
          return FALSE;
      read->end_of[which] = g_object_ref (source);
      read->end_n[which] = n;
      memcpy (read->end_planes[which], planes, n * sizeof *planes);
    }
  painting.width = (es_plane_source_get_width (source) + step - 1) / step;
  painting.height = (es_plane_source_get_height (source) + step - 1) / step;
  for (guint i = 0; i < n; i++)
    {
      painting.planes[i] = g_bytes_get_data (read->ends[which][i], NULL);
      if (picture)
        set_stretch (&painting, i, top->curve, top->low[i], top->high[i], top->statistics[i]);
      else
        {
          g_autofree EsPlaneStatistics *statistics = g_new (EsPlaneStatistics, 1);

          es_plane_statistics_compute (statistics, painting.planes[0], (guint64) painting.width * painting.height);
          set_stretch (&painting, 0, ES_STRETCH_LINEAR, es_plane_statistics_quantile (statistics, CUT),
                       es_plane_statistics_quantile (statistics, 1 - CUT), NULL);
        }
    }
  answer->faces[which == 0 ? ES_FACE_TOP : ES_FACE_BOTTOM] = paint_end (request, &painting, step);
  answer->step[which == 0 ? ES_FACE_TOP : ES_FACE_BOTTOM] = step;
  return TRUE;
}

/* ---- all of them ---- */

gpointer
es_faces_paint (gpointer data, GCancellable *cancellable, GError **error)
{
  const EsFacesRequest *request = data;
  const guint64 at[4] = { request->cut.x[0], request->cut.x[1] - 1, request->cut.y[0], request->cut.y[1] - 1 };
  EsFacesAnswer *answer = g_new0 (EsFacesAnswer, 1);
  g_autofree double *ends = NULL;

  answer->cut = request->cut;
  es_faces_read_copy (&answer->read, &request->read);
  for (EsFace face = ES_FACE_LEFT; face <= ES_FACE_FRONT; face++)
    {
      EsCubeFace **side = &answer->read.sides[face];

      if (!request->wanted[face] || (*side != NULL && (*side)->at == at[face] && (*side)->rows == request->order->n))
        continue;
      g_clear_pointer (side, es_cube_face_unref);
      *side = es_cube_read_face (request->cube, request->order, face >= ES_FACE_BACK, at[face], ES_FACES_SIDE,
                                 cancellable, error);
      if (*side == NULL)
        {
          es_faces_answer_free (answer);
          return NULL;
        }
    }
  ends = find_ends (request, answer->read.sides);
  for (EsFace face = ES_FACE_LEFT; face <= ES_FACE_FRONT; face++)
    if (request->wanted[face])
      {
        answer->faces[face] = paint_side (request, answer->read.sides[face], ends);
        answer->step[face] = answer->read.sides[face]->step;
      }
  for (guint i = 0; i < 2; i++)
    if (request->wanted[i == 0 ? ES_FACE_TOP : ES_FACE_BOTTOM] && !read_end (request, answer, i, cancellable, error))
      {
        es_faces_answer_free (answer);
        return NULL;
      }
  return answer;
}
