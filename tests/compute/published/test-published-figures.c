/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The figures of data/published agree with each other to the rounding of the print, so that one that is typed wrongly
 * is found: sums, quotients, shares, sizes. Where a mark tells what other figures give, they do. */

#include <math.h>
#include <string.h>

#include "published/es-published-private.h"

static EsPublishedTable *
find (const char *id)
{
  guint i;

  if (!es_published_find (id, &i))
    g_error ("no table “%s”", id);
  return _es_published_table (i);
}

static const EsPublishedHead *
head (GPtrArray *heads, guint i)
{
  return g_ptr_array_index (heads, i);
}

/* A figure, and half a unit of its last digit. */
typedef struct
{
  double value, half;
} Figure;

static Figure
at (const EsPublishedTable *table, guint r, guint c)
{
  const EsPublishedHead *row = head (table->rows, r);
  const int digits = row->digits >= 0 ? row->digits : head (table->columns, c)->digits;

  return (Figure) { g_array_index (table->values, double, r * table->columns->len + c), 0.5 * pow (10, -digits) };
}

static Figure
figure (const EsPublishedTable *table, const char *row, const char *column)
{
  guint r, c;

  if (_es_published_find_head (table->rows, row, &r) == NULL
      || _es_published_find_head (table->columns, column, &c) == NULL)
    g_error ("table “%s” has no “%s”, “%s”", table->id, row, column);
  return at (table, r, c);
}

/* What a mark says that other figures give at a place. NAN: nothing. */
static double
recomputed (const EsPublishedTable *table, const char *row, const char *column)
{
  for (guint m = 0; m < table->marks->len; m++)
    {
      const EsPublishedNote *note = g_ptr_array_index (table->marks, m);

      if (!isnan (note->value) && g_strv_contains ((const char *const *) note->rows, row)
          && g_strv_contains ((const char *const *) note->columns, column))
        return note->value;
    }
  return NAN;
}

static void
check_between (const EsPublishedTable *table, const char *row, const char *column, Figure printed, double least,
               double most)
{
  if (printed.value < least - printed.half * 1.001 || printed.value > most + printed.half * 1.001)
    g_error ("table “%s”, “%s”, “%s”: %g is not within %g and %g", table->id, row, column, printed.value, least, most);
}

/* printed = scale * a / b */
static void
check_quotient (const EsPublishedTable *table, guint r, guint c, double scale, Figure a, Figure b)
{
  const char *row = head (table->rows, r)->id, *column = head (table->columns, c)->id;
  const Figure printed = at (table, r, c);
  const double other = recomputed (table, row, column);

  if (isnan (a.value) || isnan (b.value))
    g_error ("table “%s”, “%s”, “%s” is of figures that are missing", table->id, row, column);
  check_between (table, row, column, printed, scale * (a.value - a.half) / (b.value + b.half),
                 scale * (a.value + a.half) / (b.value - b.half));
  if (!isnan (other))
    check_between (table, row, column, (Figure) { other, printed.half }, scale * a.value / b.value,
                   scale * a.value / b.value);
}

/* Speed-ups of one table against a column of another, in the same rows. */
static guint
check_speed_ups (const char *id, const char *times, const char *base)
{
  const EsPublishedTable *table = find (id), *of = find (times);
  guint checked = 0;

  for (guint r = 0; r < table->rows->len; r++)
    for (guint c = 0; c < table->columns->len; c++)
      if (!isnan (at (table, r, c).value))
        {
          const char *row = head (table->rows, r)->id;

          check_quotient (table, r, c, 1, figure (of, row, base), figure (of, row, head (table->columns, c)->id));
          checked++;
        }
  return checked;
}

static void
test_speed_ups (void)
{
  g_assert_cmpuint (check_speed_ups ("msc-pca-computing-speed-ups", "msc-pca-computing", "Serial"), ==, 28);
  g_assert_cmpuint (check_speed_ups ("msc-pca-total-speed-ups", "msc-pca-totals", "Serial"), ==, 34);
  g_assert_cmpuint (check_speed_ups ("msc-fastica-computing-speed-ups", "msc-fastica-computing", "Serial"), ==, 28);
  g_assert_cmpuint (check_speed_ups ("msc-fastica-total-speed-ups", "msc-fastica-totals", "Serial"), ==, 34);
  g_assert_cmpuint (check_speed_ups ("msc-fastica-whitening-speed-ups", "msc-fastica-whitening", "Serial"), ==, 7);
  g_assert_cmpuint (check_speed_ups ("msc-fastica-iteration-speed-ups", "msc-fastica-iteration", "Serial"), ==, 7);
  g_assert_cmpuint (check_speed_ups ("msc-fastica-components-speed-ups", "msc-fastica-components", "Serial"), ==, 7);
}

/* Quotients beside the times that they are of. */
static void
test_quotients (void)
{
  static const struct { const char *table, *column, *over, *under; } each[] = {
    { "phd-5.3", "V0/V4", "V0", "V4" },
    { "phd-5.4", "V0/V2", "V0", "V2" },
    { "phd-5.5", "V0/V5", "V0", "V5" },
    { "phd-5.6", "V0/V3", "V0", "V3" },
    { "phd-6.12", "V0/V2", "V0", "V2" },
    { "phd-6.4", "Speed-up", "Serial", "1 GPU" },
    { "phd-6.5", "Speed-up", "Serial", "1 GPU" },
    { "phd-6.6", "Speed-up", "Serial", "1 GPU" },
    { "phd-6.7", "Speed-up", "Serial", "1 GPU" },
    { "phd-6.8", "Speed-up", "Serial", "1 GPU" },
    { "matrices-4.1", "Speed-up", "CSR, a warp a row (NVIDIA)", "Vertical aligned blocks (VAB)" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (each); i++)
    {
      const EsPublishedTable *table = find (each[i].table);
      guint c;

      g_assert_nonnull (_es_published_find_head (table->columns, each[i].column, &c));
      for (guint r = 0; r < table->rows->len; r++)
        check_quotient (table, r, c, 1, figure (table, head (table->rows, r)->id, each[i].over),
                        figure (table, head (table->rows, r)->id, each[i].under));
    }
}

/* Of tables whose rows are programs. */
static void
test_programs (void)
{
  const EsPublishedTable *table = find ("phd-6.15-speed-ups"), *times = find ("phd-6.15"), *two = find ("phd-two-gpus");
  static const char *const scenes[] = { "D2", "D3", "D4" };

  for (guint r = 0; r < table->rows->len; r++)
    for (guint c = 0; c < table->columns->len; c++)
      check_quotient (table, r, c, 1, figure (times, "Serial", head (table->columns, c)->id),
                      figure (times, head (table->rows, r)->id, head (table->columns, c)->id));
  for (guint s = 0; s < G_N_ELEMENTS (scenes); s++)
    {
      check_quotient (two, 0, s, 1, figure (find ("phd-pca-speed-ups"), "2 GPUs (Gs-PCA)", scenes[s]),
                      figure (find ("phd-pca-speed-ups"), "1 GPU (G-PCA)", scenes[s]));
      check_quotient (two, 1, s, 1, figure (find ("phd-fastica-speed-ups"), "2 GPUs (Gs-FastICA)", scenes[s]),
                      figure (find ("phd-fastica-speed-ups"), "1 GPU (G-FastICA)", scenes[s]));
    }
}

/* Each range is that of a column over the scenes. */
static void
check_range (const char *id, const char *row, const char *times, const char *column)
{
  const EsPublishedTable *table = find (id), *of = find (times);
  double least = INFINITY, most = 0;

  for (guint r = 0; r < of->rows->len; r++)
    {
      const char *scene = head (of->rows, r)->id;
      const double quotient = figure (of, scene, "Serial").value / figure (of, scene, column).value;

      least = isnan (quotient) ? least : MIN (least, quotient);
      most = isnan (quotient) ? most : MAX (most, quotient);
    }
  check_between (table, row, "Least", figure (table, row, "Least"), least, least);
  check_between (table, row, "Most", figure (table, row, "Most"), most, most);
}

static void
test_ranges (void)
{
  static const char *const options[][2] = {
    { "-O1", "PCA, fused, -O1" }, { "-O2", "PCA, fused, -O2" }, { "-O3", "PCA, fused, -O3" }
  };
  const EsPublishedTable *gains = find ("msc-pca-step-gains"), *steps = find ("msc-pca-steps");
  guint c;

  check_range ("msc-covariance-speed-ups", "MPI 16", "msc-covariance", "MPI 16");
  check_range ("msc-covariance-speed-ups", "OpenMP 16", "msc-covariance", "OpenMP 16");
  check_range ("msc-covariance-speed-ups", "1 GPU", "msc-covariance", "CUDA II-3");
  check_range ("msc-covariance-speed-ups", "MPI, 2 GPUs", "msc-covariance", "MPI, 2 GPUs");
  check_range ("msc-covariance-speed-ups", "OpenMP, 2 GPUs", "msc-covariance", "OpenMP, 2 GPUs");
  check_range ("msc-transform-speed-ups", "1 GPU", "msc-transform", "1 GPU");
  check_range ("msc-transform-speed-ups", "MPI, 2 GPUs", "msc-transform", "MPI, 2 GPUs");

  for (guint r = 0; r < gains->rows->len; r++)
    for (guint o = 0; o < G_N_ELEMENTS (options); o++)
      check_quotient (gains, r, o, 1, figure (steps, "PCA, original", head (gains->rows, r)->id),
                      figure (steps, options[o][1], head (gains->rows, r)->id));
  g_assert_nonnull (_es_published_find_head (steps->columns, "Gain over the original", &c));
  for (guint r = 0; r < steps->rows->len; r++)
    check_quotient (steps, r, c, 1, figure (steps, "PCA, original", "Total"),
                    figure (steps, head (steps->rows, r)->id, "Total"));
}

/* The steps make up the total: of PCA but for the selection, which is not among them. */
static void
check_sum (const char *id, const char *total, double more)
{
  const EsPublishedTable *table = find (id);
  guint last;

  g_assert_nonnull (_es_published_find_head (table->columns, total, &last));
  for (guint r = 0; r < table->rows->len; r++)
    {
      double sum = 0, half = at (table, r, last).half;

      for (guint c = 0; c < last; c++)
        {
          sum += at (table, r, c).value;
          half += at (table, r, c).half;
        }
      check_between (table, head (table->rows, r)->id, total, at (table, r, last), sum - half, sum + half + more);
    }
}

static void
check_shares (const char *id)
{
  const EsPublishedTable *table = find (id);
  Figure sum = { 0, 0 };
  double shares = 0;

  for (guint r = 0; r < table->rows->len; r++)
    {
      sum.value += at (table, r, 0).value;
      shares += at (table, r, 1).value;
    }
  for (guint r = 0; r < table->rows->len; r++)
    check_quotient (table, r, 1, 100, at (table, r, 0), sum);
  g_assert_cmpfloat (fabs (shares - 100), <=, 0.005 * table->rows->len);
}

static void
test_sums (void)
{
  const EsPublishedTable *shares = find ("msc-fastica-shares"), *steps = find ("msc-fastica-steps");
  const EsPublishedTable *input = find ("msc-input"), *output = find ("msc-output");
  const EsPublishedTable *without = find ("msc-pca-computing"), *with = find ("msc-pca-totals");

  check_sum ("msc-pca-steps", "Total", 0.9);
  check_sum ("msc-fastica-steps", "Total", 0);
  check_sum ("msc-fastica-options", "Total", 0);
  check_shares ("phd-pca-steps");
  check_shares ("phd-fastica-steps");
  for (guint r = 0; r < shares->rows->len; r++)
    for (guint c = 0; c < shares->columns->len; c++)
      check_quotient (shares, r, c, 100, figure (steps, head (shares->rows, r)->id, head (shares->columns, c)->id),
                      figure (steps, head (shares->rows, r)->id, "Total"));
  /* In milliseconds elsewhere. */
  for (guint r = 0; r < steps->rows->len; r++)
    {
      static const char *const hot[][2] = {
        { "Whitening", "msc-fastica-whitening" }, { "Iteration", "msc-fastica-iteration" },
        { "Components", "msc-fastica-components" }
      };
      const char *scene = head (steps->rows, r)->id;

      for (guint i = 0; i < G_N_ELEMENTS (hot); i++)
        {
          const double seconds = figure (find (hot[i][1]), scene, "Serial").value / 1000;

          check_between (steps, scene, hot[i][0], figure (steps, scene, hot[i][0]), seconds - 0.005, seconds + 0.005);
        }
    }
  /* With input and output, where all three are printed. */
  for (guint r = 0; r < with->rows->len; r++)
    {
      static const char *const programs[][3] = {
        { "Serial", "Serial", "Serial" }, { "MPI and OpenMP, 2 GPUs", "MPI, 2 GPUs", "MPI + OpenMP" }
      };
      const char *scene = head (with->rows, r)->id;

      for (guint i = 0; i < G_N_ELEMENTS (programs); i++)
        {
          const double sum = figure (without, scene, programs[i][1]).value
                             + figure (input, scene, programs[i][2]).value / 1000
                             + figure (output, scene, programs[i][2]).value / 1000;

          if (!isnan (sum))
            check_between (with, scene, programs[i][0], figure (with, scene, programs[i][0]), sum - 0.01, sum + 0.01);
        }
    }
}

static void
test_sizes (void)
{
  const EsPublishedTable *scenes = find ("scenes");
  static const char *const kinds[] = { "phd-4.5-model", "phd-4.5-run" };

  for (guint r = 0; r < scenes->rows->len; r++)
    {
      const char *scene = head (scenes->rows, r)->id;
      const double pixels = figure (scenes, scene, "Pixels").value;

      g_assert_cmpfloat (figure (scenes, scene, "Width").value * figure (scenes, scene, "Height").value, ==, pixels);
      check_between (scenes, scene, "As int16", figure (scenes, scene, "As int16"), pixels * 448 / 1048576,
                     pixels * 448 / 1048576);
      check_between (scenes, scene, "As uint8", figure (scenes, scene, "As uint8"), pixels * 224 / 1048576,
                     pixels * 224 / 1048576);
    }
  /* Iterations are told twice. */
  for (guint r = 0; r < scenes->rows->len; r++)
    g_assert_cmpfloat (figure (find ("msc-fastica-iteration"), head (scenes->rows, r)->id, "Iterations (number)").value,
                       ==, figure (find ("fastica-iterations"), head (scenes->rows, r)->id,
                                   "Master's thesis 2013").value);
  for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
    {
      const EsPublishedTable *table = find (kinds[k]);

      for (guint r = 0; r < table->rows->len; r++)
        {
          const Figure bytes = at (table, r, 0);
          const char *row = head (table->rows, r)->id;
          guint copy, all;

          g_assert_nonnull (_es_published_find_head (table->columns, "Pageable, copy", &copy));
          check_quotient (table, r, copy, 1e3 / 1073741824.0, bytes, at (table, r, 1));
          g_assert_nonnull (_es_published_find_head (table->columns, "Page-locked, copy", &copy));
          check_quotient (table, r, copy, 1e3 / 1073741824.0, bytes, at (table, r, copy - 1));
          g_assert_nonnull (_es_published_find_head (table->columns, "Page-locked, all", &all));
          const double sum = figure (table, row, "Registering").value + figure (table, row, "Unregistering").value
                             + at (table, r, copy).value;
          check_between (table, row, "Page-locked, all", at (table, r, all), sum - 0.0015, sum + 0.0015);
        }
    }
}

/* The serial program is its transforms and the rest of it; a bin is about the hundredth part of that. */
static void
test_beams (void)
{
  const EsPublishedTable *programs = find ("phd-6.15"), *serial = find ("phd-6.9"), *steps = find ("phd-6.10");
  double ms;

  for (guint c = 0; c < programs->columns->len; c++)
    {
      double a_bin = 0;

      g_assert_cmpfloat_with_epsilon (at (programs, 0, c).value, at (serial, 0, c).value + at (serial, 1, c).value,
                                      0.006);
      for (guint r = 0; r < steps->rows->len; r++)
        a_bin += at (steps, r, c).value;
      g_assert_cmpfloat_with_epsilon (100 * a_bin / at (serial, 1, c).value, 1, 0.1);
      /* Every parallel program is faster. */
      for (guint r = 1; r < programs->rows->len; r++)
        g_assert_cmpfloat (at (programs, r, c).value, <, at (programs, 0, c).value);
    }
  /* A minute is sixty blocks, a bin of one GPU its two kernels. */
  g_assert_cmpfloat_with_epsilon (60 * figure (find ("phd-6.6"), "8000 Hz", "1 GPU").value / 1000,
                                  figure (find ("phd-6.8"), "512", "1 GPU").value, 0.006);
  ms = figure (find ("phd-6.12"), "1024", "V2").value + figure (find ("phd-6.13"), "V3", "1024").value;
  g_assert_cmpfloat_with_epsilon (figure (programs, "1 GPU (G-MVDR)", "1024").value / 100, ms, 0.1);
  /* What was chosen is what the kernels took. */
  g_assert_cmpfloat_with_epsilon (figure (find ("phd-6.11"), "1024", "128").value,
                                  figure (find ("phd-6.12"), "1024", "V0").value, 0.08);
  g_assert_cmpfloat_with_epsilon (figure (find ("phd-6.13"), "V0", "1024").value
                                  / figure (find ("phd-6.13"), "V3", "1024").value, 9.7, 0.05);
  g_assert_cmpfloat_with_epsilon (figure (find ("phd-6.14"), "V3", "2048").value
                                  / figure (find ("phd-6.14"), "V6", "2048").value, 1.31, 0.005);
  g_assert_cmpfloat_with_epsilon (figure (find ("phd-6.3"), "V0", "1024").value
                                  / figure (find ("phd-6.3"), "V3", "1024").value, 3.0, 0.05);
}

/* What of it is said in the text, but for what is marked. */
static void
test_gains (void)
{
  static const struct { const char *row, *table, *column; } each[] = {
    { "Covariance", "phd-5.3", "V0/V4" },
    { "Transform", "phd-5.4", "V0/V2" },
    { "FastICA iteration", "phd-5.5", "V0/V5" },
    { "Noise", "phd-5.6", "V0/V3" },
    { "Jacobi's rotations", "phd-6.12", "V0/V2" },
  };
  const EsPublishedTable *gains = find ("phd-ladder-gains");
  static const char column[] = "Gain over the first parallel version";

  for (guint i = 0; i < G_N_ELEMENTS (each); i++)
    {
      const EsPublishedTable *table = find (each[i].table);
      const double other = recomputed (gains, each[i].row, column);
      Figure said = figure (gains, each[i].row, column);
      double most = 0;

      for (guint r = 0; r < table->rows->len; r++)
        most = MAX (most, figure (table, head (table->rows, r)->id, each[i].column).value);
      g_assert_cmpint (!isnan (other), ==, strcmp (each[i].row, "Noise") == 0);
      if (!isnan (other))
        {
          g_assert_cmpfloat (said.value, >, most + 0.5);
          said.value = other;
        }
      check_between (gains, each[i].row, column, said, most * 0.97, most);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/published-figures/speed-ups", test_speed_ups);
  g_test_add_func ("/published-figures/quotients", test_quotients);
  g_test_add_func ("/published-figures/programs", test_programs);
  g_test_add_func ("/published-figures/ranges", test_ranges);
  g_test_add_func ("/published-figures/sums", test_sums);
  g_test_add_func ("/published-figures/sizes", test_sizes);
  g_test_add_func ("/published-figures/beams", test_beams);
  g_test_add_func ("/published-figures/gains", test_gains);
  return g_test_run ();
}
