/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * The figures of docs/measurements.md: whole processes, timed from outside, medians of several runs. What they are
 * beside other programs, tests/perf/bench-peers.py measures by the same command lines (--commands).
 */

#include <cblas.h>
#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/es-order.h"
#include "es-batch-bench.h"

typedef struct
{
  char        *directory, *self;
  int          repeats;
  gboolean     json;
  JsonBuilder *builder;
} BenchRun;

static double
median (double *values, int n)
{
  qsort (values, n, sizeof (double), es_compare_doubles);
  return n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

static void
warm_cache (const char *path)
{
  g_autofree char *buffer = g_malloc (1 << 20);
  int fd = open (path, O_RDONLY | O_CLOEXEC);

  if (fd < 0)
    return;
  while (read (fd, buffer, 1 << 20) > 0)
    ;
  close (fd);
}

static void
begin_bench (BenchRun *run, const char *name)
{
  json_builder_begin_object (run->builder);
  json_builder_set_member_name (run->builder, "name");
  json_builder_add_string_value (run->builder, name);
}

static void
add_double (BenchRun *run, const char *name, double value)
{
  json_builder_set_member_name (run->builder, name);
  json_builder_add_double_value (run->builder, value);
}

/* The steps of the last run, from its result.json. */
static void
add_stages (BenchRun *run, const char *output)
{
  g_autofree char *path = g_build_filename (output, "result.json", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (JsonNode) node = es_json_load (file, NULL, NULL);
  JsonObject *root;

  if (node == NULL)
    return;
  root = json_node_get_object (node);
  json_builder_set_member_name (run->builder, "stages");
  json_builder_add_value (run->builder, json_node_copy (json_object_get_member (root, "stages")));
  JsonObject *values = json_object_get_object_member (root, "values");
  if (json_object_has_member (values, "components"))
    add_double (run, "components", json_object_get_int_member (values, "components"));
  if (json_object_has_member (values, "real_time_factor"))
    add_double (run, "real_time_factor", json_object_get_double_member (values, "real_time_factor"));
  if (json_object_has_member (values, "adaptive_block_ms"))
    {
      const double ms = json_object_get_double_member (values, "adaptive_block_ms");
      add_double (run, "adaptive_block_ms", ms);
      if (!run->json)
        g_print ("  %-18s %9.1f ms  %s\n", _("a block"), ms, json_object_get_string_member (values, "method"));
    }
  /* Of an iteration, how many steps it took: times of different numbers of steps are no times of the same work. */
  if (json_object_has_member (values, "steps"))
    {
      json_builder_set_member_name (run->builder, "steps");
      json_builder_add_value (run->builder, json_node_copy (json_object_get_member (values, "steps")));
    }
}

static void
remove_output (const char *output)
{
  g_autoptr (GDir) dir = g_dir_open (output, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (output, name, NULL);
      g_unlink (path);
    }
  g_rmdir (output);
}

static gboolean
make_sample (BenchRun *run, const EsBench *bench, const char *path)
{
  if (es_bench_make_sample (bench, run->self, path, run->json))
    return TRUE;
  g_printerr (_("The sample %s could not be made.\n"), path);
  return FALSE;
}

static gboolean
run_bench (BenchRun *run, const EsBench *bench)
{
  g_autofree char *path = es_bench_sample (bench, run->directory);
  /* One of its own: all that is in it goes afterwards. */
  g_autofree char *output = g_build_filename (run->directory, "out-XXXXXX", NULL);
  g_autofree double *ms = g_new0 (double, run->repeats);
  g_autofree char **argv = es_bench_command (bench, run->self, path, output);
  double peak = 0, middle;

  if (!make_sample (run, bench, path))
    return FALSE;
  if (g_mkdtemp (output) == NULL)
    {
      g_printerr (_("The folder “%s” could not be made: %s."), output, g_strerror (errno));
      g_printerr ("\n");
      return FALSE;
    }
  warm_cache (path);
  for (int i = 0; i < run->repeats; i++)
    {
      double peak_mb;
      if (!es_bench_time_process (argv, &ms[i], &peak_mb))
        {
          remove_output (output);
          return FALSE;
        }
      peak = MAX (peak, peak_mb);
    }
  middle = median (ms, run->repeats);

  begin_bench (run, bench->name);
  add_double (run, "median_ms", middle);
  add_double (run, "fastest_ms", ms[0]);
  add_double (run, "slowest_ms", ms[run->repeats - 1]);
  add_double (run, "peak_mb", peak);
  if (bench->elements > 0)
    add_double (run, "process_real_time_factor", 1e3 * bench->seconds / middle);
  if (!run->json)
    g_print ("%-20s %9.0f ms  %6.0f MB\n", bench->name, middle, peak);
  add_stages (run, output);
  remove_output (output);
  json_builder_end_object (run->builder);
  return TRUE;
}

/* What a process costs before it does anything: its help, and what it says of an ENVI cube. */
static gboolean
bench_start (BenchRun *run)
{
  const EsBench *bench = es_bench_find ("pca-bsq");
  g_autofree char *path = es_bench_sample (bench, run->directory);
  char *help[] = { run->self, (char *) "--help", NULL };
  char *info[] = { run->self, (char *) "info", path, NULL };
  const int repeats = 4 * run->repeats;
  g_autofree double *helps = g_new0 (double, repeats);
  g_autofree double *infos = g_new0 (double, repeats);
  double peak = 0, most = 0;

  if (!make_sample (run, bench, path))
    return FALSE;
  for (int i = 0; i < repeats; i++)
    {
      if (!es_bench_time_process (help, &helps[i], &peak) || !es_bench_time_process (info, &infos[i], &peak))
        return FALSE;
      most = MAX (most, peak);
    }

  begin_bench (run, "start");
  add_double (run, "help_ms", median (helps, repeats));
  add_double (run, "info_ms", median (infos, repeats));
  add_double (run, "peak_mb", most);
  json_builder_end_object (run->builder);
  if (!run->json)
    g_print ("%-20s --help %.1f ms, info %.1f ms\n", "start", median (helps, repeats), median (infos, repeats));
  return TRUE;
}

/* One SSYRK and one SGEMM of the shape of the covariance and the projection, with all threads: what a library makes of
 * the bare product on this machine, without reading and converting. */
static void
bench_blas (BenchRun *run)
{
  const int bands = 224, pixels = 614 * 512, rows = 27;
  g_autofree float *a = g_new (float, (gsize) bands * pixels);
  g_autofree float *c = g_new0 (float, bands * bands);
  g_autofree float *y = g_new (float, (gsize) rows * pixels);
  g_autofree double *syrk = g_new0 (double, run->repeats);
  g_autofree double *gemm = g_new0 (double, run->repeats);

  for (gsize i = 0; i < (gsize) bands * pixels; i++)
    a[i] = (i * 7919 % 1021) / 1021.0f;
  openblas_set_num_threads (es_device_get_lanes (es_device_get_cpu ()));
  for (int i = 0; i < run->repeats; i++)
    {
      gint64 start = g_get_monotonic_time ();
      cblas_ssyrk (CblasRowMajor, CblasLower, CblasNoTrans, bands, pixels, 1, a, pixels, 0, c, bands);
      gint64 between = g_get_monotonic_time ();
      cblas_sgemm (CblasRowMajor, CblasNoTrans, CblasNoTrans, rows, pixels, bands, 1, c, bands, a, pixels,
                   0, y, pixels);
      syrk[i] = (between - start) * 1e-3;
      gemm[i] = (g_get_monotonic_time () - between) * 1e-3;
    }

  begin_bench (run, "blas-614x512x224");
  add_double (run, "ssyrk_ms", median (syrk, run->repeats));
  add_double (run, "sgemm_27_ms", median (gemm, run->repeats));
  json_builder_end_object (run->builder);
  if (!run->json)
    g_print ("%-20s SSYRK %.0f ms, SGEMM (27) %.0f ms\n", "blas-614x512x224", median (syrk, run->repeats),
             median (gemm, run->repeats));
}

static gboolean
wanted (char **names, const char *name)
{
  return names[0] == NULL || g_strv_contains ((const char * const *) names, name);
}

/* What runs each bench, for those who run it beside other programs: name, sample, command line, with "%output" where
 * the folder for the results goes. */
static gboolean
list_commands (BenchRun *run, char **names)
{
  guint n;
  const EsBench *benches = es_bench_list (&n);

  json_builder_begin_array (run->builder);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *path = NULL;
      g_autofree char **argv = NULL;

      if (!wanted (names, benches[i].name))
        continue;
      path = es_bench_sample (&benches[i], run->directory);
      if (!make_sample (run, &benches[i], path))
        return FALSE;
      argv = es_bench_command (&benches[i], run->self, path, "%output");
      begin_bench (run, benches[i].name);
      json_builder_set_member_name (run->builder, "sample");
      json_builder_add_string_value (run->builder, path);
      json_builder_set_member_name (run->builder, "command");
      json_builder_begin_array (run->builder);
      for (guint j = 0; argv[j] != NULL; j++)
        json_builder_add_string_value (run->builder, argv[j]);
      json_builder_end_array (run->builder);
      json_builder_end_object (run->builder);
    }
  json_builder_end_array (run->builder);
  return TRUE;
}

static void
add_machine (BenchRun *run)
{
  EsDevice *cpu = es_device_get_cpu ();
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();
  g_autofree char *date = g_date_time_format (now, "%Y-%m-%d");
  struct utsname system;

  uname (&system);
  json_builder_set_member_name (run->builder, "date");
  json_builder_add_string_value (run->builder, date);
  json_builder_set_member_name (run->builder, "machine");
  json_builder_begin_object (run->builder);
  json_builder_set_member_name (run->builder, "processor");
  json_builder_add_string_value (run->builder, es_device_get_name (cpu));
  json_builder_set_member_name (run->builder, "detail");
  json_builder_add_string_value (run->builder, es_device_get_detail (cpu));
  json_builder_set_member_name (run->builder, "threads");
  json_builder_add_int_value (run->builder, es_device_get_lanes (cpu));
  json_builder_set_member_name (run->builder, "system");
  json_builder_add_string_value (run->builder, system.sysname);
  json_builder_end_object (run->builder);
  if (!run->json)
    g_print ("%s, %s\n", es_device_get_name (cpu), es_device_get_detail (cpu));
}

static gboolean
measure (BenchRun *run, char **names)
{
  guint n;
  const EsBench *benches = es_bench_list (&n);
  gboolean done = TRUE;

  json_builder_begin_object (run->builder);
  add_machine (run);
  json_builder_set_member_name (run->builder, "repeats");
  json_builder_add_int_value (run->builder, run->repeats);
  json_builder_set_member_name (run->builder, "benches");
  json_builder_begin_array (run->builder);
  for (guint i = 0; done && i < n; i++)
    if (wanted (names, benches[i].name))
      done = run_bench (run, &benches[i]);
  if (done && wanted (names, "start"))
    done = bench_start (run);
  if (done && wanted (names, "blas"))
    bench_blas (run);
  json_builder_end_array (run->builder);
  json_builder_end_object (run->builder);
  return done;
}

/* What it does, and what there is. Transfer full. */
static char *
describe (void)
{
  g_autoptr (GString) names = g_string_new (NULL);
  guint n;
  const EsBench *benches = es_bench_list (&n);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (names, "%s%s", i % 6 == 0 ? "\n  " : " ", benches[i].name);
  return g_strdup_printf (_("bench [NAME ...]: measures this machine; medians. Without a name everything, which takes "
                            "some minutes and 6 GB of samples in the folder; they stay there.\n\nNames:%s\n"
                            "  blas start"),
                          names->str);
}

int
es_batch_bench (int argc, char **argv)
{
  g_autofree char *summary = describe ();
  BenchRun run = { .repeats = 5 };
  gboolean commands = FALSE, done;
  GOptionEntry entries[] = {
    { "json", 0, 0, G_OPTION_ARG_NONE, &run.json, N_("Print JSON"), NULL },
    { "directory", 0, 0, G_OPTION_ARG_FILENAME, &run.directory, N_("Where sample cubes are kept"), N_("DIR") },
    { "repeats", 0, 0, G_OPTION_ARG_INT, &run.repeats, N_("Runs a bench"), N_("N") },
    { "commands", 0, 0, G_OPTION_ARG_NONE, &commands, N_("Make the samples and print the command lines, as JSON"),
      NULL },
    G_OPTION_ENTRY_NULL
  };

  if (!es_batch_parse_options (entries, summary, &argc, &argv))
    return ES_EXIT_USAGE;
  if (run.repeats < 1)
    return es_batch_usage (_("--repeats takes a positive number"));
  for (int i = 1; i < argc; i++)
    if (strcmp (argv[i], "blas") != 0 && strcmp (argv[i], "start") != 0 && es_bench_find (argv[i]) == NULL)
      return es_batch_usage (_("there is no bench “%s”"), argv[i]);

  if (run.directory == NULL)
    run.directory = g_build_filename (g_get_user_cache_dir (), "eigenscope", "bench", NULL);
  g_mkdir_with_parents (run.directory, 0777);
  run.self = g_file_read_link ("/proc/self/exe", NULL);
  run.builder = json_builder_new ();
  run.json |= commands;
  done = commands ? list_commands (&run, argv + 1) : measure (&run, argv + 1);
  if (run.json && done)
    es_batch_print_json (json_builder_get_root (run.builder));
  g_object_unref (run.builder);
  g_free (run.directory);
  g_free (run.self);
  return done ? ES_EXIT_DONE : ES_EXIT_DATA;
}
