/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-component-numbers.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/es-error.h"
#include "es-image-stack-private.h"

/* Samples that are looked at between two questions whether to stop. */
#define STRIP_SAMPLES ((guint64) 1 << 20)

/* Of pairs of neighbours in one direction; values less the mean. */
typedef struct
{
  double product, first, second, first_square, second_square, count;
} Pairs;

typedef struct
{
  EsComponentNumbers *numbers;
  double              moments[5];      /* sums of powers about the mean */
  double              bin_scale;
  Pairs               right, lower;
  float              *row_above;
  gboolean            has_row_above;
} Second;

typedef void (*RowFunc) (const float *row, guint64 width, gpointer data);

/* Every row of the plane, from above to below. */
static gboolean
for_rows (EsImageStack *stack, guint plane, RowFunc row_func, gpointer data, GCancellable *cancellable, GError **error)
{
  const guint64 width = es_image_stack_get_width (stack), height = es_image_stack_get_height (stack);
  const guint64 strip = CLAMP (STRIP_SAMPLES / width, 1, height);
  const float *whole = es_image_stack_get_host (stack, plane);
  g_autofree float *buffer = whole == NULL ? g_try_new (float, strip * width) : NULL;

  if (whole == NULL && buffer == NULL)
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY,
                   _("There is not enough memory to look at the layer “%s”."), es_layer_get_title (ES_LAYER (stack)));
      return FALSE;
    }
  for (guint64 y = 0; y < height; y += strip)
    {
      const guint64 rows = MIN (strip, height - y);
      const float *values = whole != NULL ? whole + y * width : buffer;

      if (g_cancellable_set_error_if_cancelled (cancellable, error)
          || (whole == NULL && !es_image_stack_read (stack, plane, 0, y, width, rows, 1, buffer, error)))
        return FALSE;
      for (guint64 row = 0; row < rows; row++)
        row_func (values + row * width, width, data);
    }
  return TRUE;
}

typedef struct
{
  double  shift, sum;          /* of the values less the first one */
  float   minimum, maximum;
  guint64 count;
} First;

static void
first_row (const float *row, guint64 width, gpointer data)
{
  First *first = data;
  double sum = 0;

  for (guint64 x = 0; x < width; x++)
    {
      if (!isfinite (row[x]))
        continue;
      if (first->count++ == 0)
        {
          first->shift = row[x];
          first->minimum = first->maximum = row[x];
        }
      sum += row[x] - first->shift;
      first->minimum = MIN (first->minimum, row[x]);
      first->maximum = MAX (first->maximum, row[x]);
    }
  first->sum += sum;
}

static void
add_pair (Pairs *pairs, double a, double b)
{
  pairs->product += a * b;
  pairs->first += a;
  pairs->second += b;
  pairs->first_square += a * a;
  pairs->second_square += b * b;
  pairs->count++;
}

static void
second_row (const float *row, guint64 width, gpointer data)
{
  Second *second = data;
  EsComponentNumbers *numbers = second->numbers;
  double sums[5] = { 0 };

  for (guint64 x = 0; x < width; x++)
    {
      if (!isfinite (row[x]))
        continue;
      const double value = row[x] - numbers->mean, square = value * value;
      const int bin = (int) ((row[x] - numbers->minimum) * second->bin_scale);

      sums[1] += value;
      sums[2] += square;
      sums[3] += square * value;
      sums[4] += square * square;
      numbers->histogram[CLAMP (bin, 0, ES_COMPONENT_BINS - 1)]++;
      if (x + 1 < width && isfinite (row[x + 1]))
        add_pair (&second->right, value, row[x + 1] - numbers->mean);
      if (second->has_row_above && isfinite (second->row_above[x]))
        add_pair (&second->lower, second->row_above[x] - numbers->mean, value);
    }
  for (guint i = 1; i < 5; i++)
    second->moments[i] += sums[i];
  for (guint64 x = 0; x < width; x++)
    second->row_above[x] = row[x];
  second->has_row_above = TRUE;
}

/* NAN where there are no pairs or they do not vary. */
static double
correlation_of (const Pairs *pairs)
{
  const double n = pairs->count;
  const double first = pairs->first_square - pairs->first * pairs->first / n;
  const double second = pairs->second_square - pairs->second * pairs->second / n;

  if (n < 2 || !(first > 0) || !(second > 0))
    return NAN;
  return CLAMP ((pairs->product - pairs->first * pairs->second / n) / sqrt (first * second), -1, 1);
}

static double
entropy_of (const EsComponentNumbers *numbers)
{
  double entropy = 0;

  for (guint i = 0; i < ES_COMPONENT_BINS; i++)
    if (numbers->histogram[i] > 0)
      {
        const double share = numbers->histogram[i] / (double) numbers->count;
        entropy -= share * log2 (share);
      }
  return entropy > 0 ? entropy : 0;
}

static void
finish (EsComponentNumbers *numbers, const Second *second)
{
  const double n = numbers->count, right = correlation_of (&second->right), lower = correlation_of (&second->lower);
  const double m2 = second->moments[2] / n;

  numbers->deviation = n > 1 ? sqrt (second->moments[2] / (n - 1)) : NAN;
  if (m2 > 0)
    {
      numbers->skewness = second->moments[3] / n / (m2 * sqrt (m2));
      numbers->kurtosis = second->moments[4] / n / (m2 * m2) - 3;
    }
  numbers->entropy = entropy_of (numbers);
  /* An image of one row or column has neighbours in one direction alone. */
  numbers->coherence = isnan (right) ? lower : isnan (lower) ? right : (right + lower) / 2;
}

gboolean
es_component_numbers_compute (EsImageStack *stack, guint plane, EsComponentNumbers *numbers,
                              GCancellable *cancellable, GError **error)
{
  const guint64 width = es_image_stack_get_width (stack);
  First first = { 0 };

  g_return_val_if_fail (plane < es_image_stack_get_planes (stack), FALSE);

  *numbers = (EsComponentNumbers) { .mean = NAN, .deviation = NAN, .minimum = NAN, .maximum = NAN, .skewness = NAN,
                                    .kurtosis = NAN, .entropy = NAN, .coherence = NAN };
  if (!for_rows (stack, plane, first_row, &first, cancellable, error))
    return FALSE;
  numbers->count = first.count;
  if (first.count == 0)
    return TRUE;
  numbers->mean = first.shift + first.sum / first.count;
  numbers->minimum = first.minimum;
  numbers->maximum = first.maximum;

  g_autofree float *row_above = g_new (float, width);
  const double range = numbers->maximum - numbers->minimum;
  Second second = { .numbers = numbers, .row_above = row_above,
                    .bin_scale = range > 0 ? ES_COMPONENT_BINS / range : 0 };
  if (!for_rows (stack, plane, second_row, &second, cancellable, error))
    return FALSE;
  finish (numbers, &second);
  return TRUE;
}

/* ---- kept with the stack ---- */

const EsComponentNumbers *
es_image_stack_get_numbers (EsImageStack *stack, guint plane)
{
  const EsComponentNumbers *numbers;

  g_return_val_if_fail (plane < stack->planes, NULL);
  g_mutex_lock (&stack->lock);
  numbers = stack->plane[plane].numbers;
  g_mutex_unlock (&stack->lock);
  return numbers;
}

static void
keep_numbers (EsImageStack *stack, guint plane, const EsComponentNumbers *numbers)
{
  g_mutex_lock (&stack->lock);
  if (stack->plane[plane].numbers == NULL)
    stack->plane[plane].numbers = g_memdup2 (numbers, sizeof *numbers);
  g_mutex_unlock (&stack->lock);
}

/* ---- in the background ---- */

typedef struct
{
  EsImageStack           *stack;
  EsComponentNumbersTold  told;
  gpointer                told_data;
  GCancellable           *cancellable;
  GMainContext           *context;
} Filling;

/* Those who wait for their turn, which the newest has. */
static GMutex fillings_lock;
static GCond fillings_turn;
static GList *fillings;
static gboolean plane_in_work;

static void
filling_free (gpointer data)
{
  Filling *self = data;

  g_object_unref (self->stack);
  g_clear_object (&self->cancellable);
  g_main_context_unref (self->context);
  g_free (self);
}

typedef struct
{
  EsImageStack           *stack;
  guint                   plane;
  EsComponentNumbersTold  told;
  gpointer                told_data;
  GCancellable           *cancellable;
} Telling;

static gboolean
tell_idle (gpointer data)
{
  Telling *telling = data;

  /* Whoever has cancelled may be gone. */
  if (!g_cancellable_is_cancelled (telling->cancellable))
    telling->told (telling->stack, telling->plane, telling->told_data);
  return G_SOURCE_REMOVE;
}

static void
telling_free (gpointer data)
{
  Telling *telling = data;

  g_object_unref (telling->stack);
  g_clear_object (&telling->cancellable);
  g_free (telling);
}

static void
tell (Filling *self, guint plane)
{
  g_autoptr (GSource) source = NULL;
  Telling *telling;

  if (self->told == NULL)
    return;
  telling = g_new (Telling, 1);
  *telling = (Telling) { g_object_ref (self->stack), plane, self->told, self->told_data, NULL };
  g_set_object (&telling->cancellable, self->cancellable);
  source = g_idle_source_new ();
  /* All planes are told of before the end is. */
  g_source_set_priority (source, G_PRIORITY_DEFAULT);
  g_source_set_callback (source, tell_idle, telling, telling_free);
  g_source_attach (source, self->context);
}

static void
fill_thread (GTask *task, gpointer source_object, gpointer data, GCancellable *cancellable)
{
  Filling *self = data;
  GError *error = NULL;

  /* Not before there is a thread: nobody waits for one that waits for a thread itself. */
  g_mutex_lock (&fillings_lock);
  fillings = g_list_prepend (fillings, self);
  g_mutex_unlock (&fillings_lock);

  for (guint plane = 0; error == NULL && plane < es_image_stack_get_planes (self->stack); plane++)
    {
      EsComponentNumbers numbers;

      g_mutex_lock (&fillings_lock);
      while (plane_in_work || fillings->data != self)
        g_cond_wait (&fillings_turn, &fillings_lock);
      plane_in_work = TRUE;
      g_mutex_unlock (&fillings_lock);

      if (es_image_stack_get_numbers (self->stack, plane) != NULL)
        g_cancellable_set_error_if_cancelled (cancellable, &error);
      else if (es_component_numbers_compute (self->stack, plane, &numbers, cancellable, &error))
        keep_numbers (self->stack, plane, &numbers);

      g_mutex_lock (&fillings_lock);
      plane_in_work = FALSE;
      g_cond_broadcast (&fillings_turn);
      g_mutex_unlock (&fillings_lock);
      if (error == NULL)
        tell (self, plane);
    }

  g_mutex_lock (&fillings_lock);
  fillings = g_list_remove (fillings, self);
  g_cond_broadcast (&fillings_turn);
  g_mutex_unlock (&fillings_lock);
  if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_boolean (task, TRUE);
}

void
es_image_stack_fill_numbers_async (EsImageStack *stack, EsComponentNumbersTold told, gpointer told_data,
                                   GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (stack, cancellable, callback, user_data);
  Filling *self;

  g_task_set_source_tag (task, es_image_stack_fill_numbers_async);
  if (!es_image_stack_is_complete (stack))
    {
      g_task_return_new_error (task, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_OPERATION,
                               _("The layer “%s” is not complete yet."), es_layer_get_title (ES_LAYER (stack)));
      return;
    }
  self = g_new0 (Filling, 1);
  self->stack = g_object_ref (stack);
  self->told = told;
  self->told_data = told_data;
  g_set_object (&self->cancellable, cancellable);
  self->context = g_main_context_ref_thread_default ();
  g_task_set_task_data (task, self, filling_free);
  g_task_run_in_thread (task, fill_thread);
}

gboolean
es_image_stack_fill_numbers_finish (EsImageStack *stack, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, stack), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
}
