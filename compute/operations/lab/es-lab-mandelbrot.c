/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* A picture that is written to the host while it is computed: gpu-lab.md, section 15, (2); system 16. */

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "es-lab-experiments-internal.h"
#include "es-lab-operations-internal.h"
#include "base/es-error.h"

#define N_VARIANTS 6
/* The picture is the same each time, and some of the ways are very slow. */
#define USUAL_REPEATS 4

static const struct { const char *name, *how; double bytes; } variants[N_VARIANTS] = {
  { "cuda", N_("Computed on the card, then copied"), 3 },
  { "cuda2", N_("In bands on several streams"), 3 },
  { "zerocopy1", N_("To the host, three members one by one"), 3 },
  { "zerocopy2", N_("To the host, three arrays of bytes"), 3 },
  { "zerocopy3", N_("To the host, structures of three bytes"), 3 },
  { "zerocopy4", N_("To the host, structures of four bytes"), 4 },
};

enum { CUDA, CUDA2, ZEROCOPY1, ZEROCOPY2, ZEROCOPY3, ZEROCOPY4 };

static const EsParamSpec params[] = {
  { .key = "size", .label = N_("Size"),
    .help = N_("Rows and columns of the picture. Three-byte structures take minutes at large sizes."),
    .type = ES_PARAM_INT, .unit = N_("pixels"), .minimum = 64, .maximum = 8192, .step = 64, .default_value = 1024 },
  { .key = "streams", .label = N_("Streams"),
    .help = N_("Into how many bands the picture is cut where their copies overlap with computing."),
    .type = ES_PARAM_INT, .minimum = 1, .maximum = 16, .default_value = 4 },
  { .key = "x", .label = N_("Centre, real part"),
    .help = N_("The number in the middle of the picture: its real part."),
    .type = ES_PARAM_FLOAT, .minimum = -4, .maximum = 4, .default_value = -0.5, .digits = 6, .step = 0.01 },
  { .key = "y", .label = N_("Centre, imaginary part"),
    .help = N_("The number in the middle of the picture: its imaginary part."),
    .type = ES_PARAM_FLOAT, .minimum = -4, .maximum = 4, .digits = 6, .step = 0.01 },
  { .key = "width", .label = N_("Width"),
    .help = N_("How much of the plane of numbers the picture spans."),
    .type = ES_PARAM_FLOAT, .minimum = 1e-9, .maximum = 8, .default_value = 3, .digits = 9, .step = 0.1 },
  ES_LAB_PARAM_REPEATS,
  { .type = ES_PARAM_END }
};

static const EsFindingsGroup times = {
  "times", NULL, NULL, "pixels", N_("Time"), "s", FALSE,
};

typedef struct
{
  double  seconds[N_VARIANTS];             /* NAN: this machine has no such thing */
  guint64 differing[N_VARIANTS];           /* pixels, from the first picture */
  guint8 *pictures[2];                     /* the first one, and the one that is compared with it */
} Pictures;

static guint64
count_differing (const guint8 *a, const guint8 *b, guint64 pixels)
{
  guint64 n = 0;

  for (guint64 i = 0; i < pixels; i++)
    n += memcmp (a + 3 * i, b + 3 * i, 3) != 0;
  return n;
}

/* Planes of the picture, which is BGR. */
static gboolean
add_picture (EsExperimentRun *run, const guint8 *picture, guint size, GError **error)
{
  static const char *const titles[] = { N_("Red"), N_("Green"), N_("Blue") };
  const gsize pixels = (gsize) size * size;
  g_autofree float *planes = g_try_new (float, 3 * pixels);
  EsImageStack *stack = es_image_stack_new ("picture", _("Picture"), size, size, 3, 0, NULL, error);

  if (stack == NULL)
    return FALSE;
  if (planes == NULL)
    {
      g_object_unref (stack);
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY, _("There is not enough memory for a picture of "
                                                                       "%u x %u."), size, size);
      return FALSE;
    }
  for (guint plane = 0; plane < 3; plane++)
    {
      es_image_stack_set_plane (stack, plane, g_dgettext (GETTEXT_PACKAGE, titles[plane]), NAN);
      for (gsize i = 0; i < pixels; i++)
        planes[plane * pixels + i] = picture[3 * i + 2 - plane];
    }
  if (!es_image_stack_write (stack, 0, 0, size, size, planes, pixels, error))
    {
      g_object_unref (stack);
      return FALSE;
    }
  es_result_add_layer (run->result, ES_LAYER (stack));
  return TRUE;
}

static void
add_table (EsExperimentRun *run, const Pictures *pictures, guint size)
{
  EsTable *table = es_table_new ("variants", _("Variants"));

  es_table_add_column (table, _("Variant"), NULL, -1);
  es_table_add_column (table, _("How"), NULL, -1);
  es_table_add_column (table, _("Time"), "ms", 3);
  es_table_add_column (table, _("To the host"), "GB/s", 3);
  es_table_add_column (table, _("Times the first"), NULL, 2);
  es_table_add_column (table, _("Pixels that differ"), NULL, 0);
  for (guint v = 0; v < N_VARIANTS; v++)
    {
      const double ms = pictures->seconds[v] * 1e3, ratio = pictures->seconds[v] / pictures->seconds[CUDA];
      const double rate = variants[v].bytes * size * (double) size / pictures->seconds[v] * 1e-9;
      const double differing = (double) pictures->differing[v];

      if (!isnan (ms))
        es_table_add_row (table, (gconstpointer[]) { variants[v].name, g_dgettext (GETTEXT_PACKAGE, variants[v].how),
                                                     &ms, &rate, &ratio, &differing });
    }
  es_result_add_layer (run->result, ES_LAYER (table));
}

static void
judge (EsExperimentRun *run, const Pictures *pictures)
{
  const double *seconds = pictures->seconds;
  const double narrow = fmax (seconds[ZEROCOPY1], seconds[ZEROCOPY3]), wide = seconds[ZEROCOPY4];
  guint compared = 0, differing = 0;

  es_experiment_say (run, ES_VERDICT_TELLS, NULL, _("The picture takes %.2f ms."), seconds[CUDA] * 1e3);
  for (guint v = 1; v < N_VARIANTS; v++)
    {
      compared += !isnan (seconds[v]);
      differing += pictures->differing[v] > 0;
    }
  if (compared > 0)
    es_experiment_say (run, differing == 0 ? ES_VERDICT_YES : ES_VERDICT_NO,
                       _("Every byte of every picture is that of the first variant."),
                       differing == 0 ? _("All variants give the same picture.")
                                      : _("The pictures of some variants differ."));
  if (!isnan (narrow) && !isnan (wide))
    {
      es_experiment_say (run, narrow > 2 * wide ? ES_VERDICT_YES : ES_VERDICT_NO,
                         _("Three-byte structures more than twice as slow as four-byte ones: they are not written over "
                           "the link."), _("Three-byte structures written to the host take %.1f times as long as "
                                       "four-byte ones."), narrow / wide);
      es_verdict_add_number (run->verdict, _("Three bytes"), narrow, "s");
      es_verdict_add_number (run->verdict, _("Four bytes"), wide, "s");
    }
  if (!isnan (wide))
    {
      es_experiment_say (run, wide < seconds[CUDA] ? ES_VERDICT_YES : ES_VERDICT_NO,
                         _("Four-byte structures written in place quicker than computing first and copying then: the "
                           "transfer overlaps by itself."),
                         _("Written in place by four bytes it takes %.2f of the time of computing first and copying "
                           "then, in bands on streams %.2f of it."), wide / seconds[CUDA],
                         seconds[CUDA2] / seconds[CUDA]);
      for (guint v = 0; v < N_VARIANTS; v++)
        if (!isnan (seconds[v]))
          es_verdict_add_number (run->verdict, variants[v].name, seconds[v], "s");
      es_experiment_mean (run, _("Components come to the host in bands by page-locked buffers, float32 and whole "
                                 "words, never structures of three bytes; pictures go from the card to the screen "
                                 "without the host."));
    }
}

static gboolean
measure_all (EsExperimentRun *run, Pictures *pictures, guint size, GError **error)
{
  g_autofree EskProbeResult *raw = g_new0 (EskProbeResult, 1);
  EsMeasured measured;
  gboolean has;

  es_findings_open (run->findings, &times);
  for (guint v = 0; v < N_VARIANTS; v++)
    {
      const EskProbe probe = { .kind = ESK_PROBE_MANDELBROT, .variant = v, .stride = size, .repeats = USUAL_REPEATS,
                               .ways = (guint32) es_params_get_int (run->params, "streams"),
                               .view = { es_params_get_float (run->params, "x"), es_params_get_float (run->params, "y"),
                                         es_params_get_float (run->params, "width") } };

      pictures->seconds[v] = NAN;
      raw->picture = pictures->pictures[v > 0];
      if (!es_experiment_probe_raw (run, &probe, variants[v].name, size, &measured, raw, &has, error))
        return FALSE;
      if (!has)
        continue;
      pictures->seconds[v] = measured.median;
      if (v > 0)
        pictures->differing[v] = count_differing (pictures->pictures[0], pictures->pictures[1], (guint64) size * size);
    }
  return TRUE;
}

static gboolean
measure (EsExperimentRun *run, GError **error)
{
  const guint size = (guint) es_params_get_int (run->params, "size");
  g_autofree guint8 *memory = g_try_malloc0 (6 * (gsize) size * size);
  Pictures pictures = { .pictures = { memory, memory + 3 * (gsize) size * size } };

  if (memory == NULL)
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY, _("There is not enough memory for a picture of "
                                                                       "%u x %u."), size, size);
      return FALSE;
    }
  if (!measure_all (run, &pictures, size, error))
    return FALSE;
  if (isnan (pictures.seconds[CUDA]))
    return TRUE;
  /* A processor has nowhere to write it but to its memory. */
  if (!run->is_cpu)
    add_table (run, &pictures, size);
  judge (run, &pictures);
  return add_picture (run, pictures.pictures[0], size, error);
}

static guint
probes_of (gboolean is_cpu, EsParams *values)
{
  return is_cpu ? 1 : N_VARIANTS;
}

ES_LAB_DEFINE_OPERATION (es_operation_lab_mandelbrot, measure, probes_of)

const EsOperation es_operation_lab_mandelbrot = {
  .id = "lab-mandelbrot",
  .title = N_("Zero copy: a Mandelbrot set"),
  .short_title = N_("Mandelbrot set"),
  .summary = N_("A picture computed on the card and brought to the host in six ways; structures of three bytes are "
                "ruinous over the link, four-byte ones overlap by themselves."),
  .version = 1,
  .takes = ES_DATASET_DEVICE,
  .params = params,
  .plan = plan,
  .run = run,
};

static const EskProbe example = { .kind = ESK_PROBE_MANDELBROT, .variant = 5, .stride = 1024 };

const EsExperiment es_experiment_mandelbrot = {
  .operation = &es_operation_lab_mandelbrot,
  .group = ES_EXPERIMENTS_LINK,
  .question = N_("Can a card write its result to the host while it computes, and in which form?"),
  .how = N_("Z ← Z² + c is repeated until |Z| > 2, 255 times at most; the count is the colour. The picture is "
            "computed on the card and copied; computed in bands, one being copied while the next is computed; or "
            "written to page-locked memory of the host by the kernel itself, in structures of three bytes, three "
            "arrays of bytes, or structures of four bytes."),
  .predict = N_("Which layout will be slowest when a kernel writes to the host: single bytes, three-byte or "
                "four-byte structures?"),
  .cpu_question = N_("How long does a picture take whose pixels do not all cost the same?"),
  .cpu_predict = N_("How many times as long does a picture take that is all within the set? Zoom in and see."),
  .example = &example,
  .in_profile = FALSE,
  .groups = ES_LAB_GROUPS (&times),
  .kinds = ES_EXPERIMENT_ON_CPU | ES_EXPERIMENT_ON_GPU,
};
