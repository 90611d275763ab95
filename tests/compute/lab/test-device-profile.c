/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Profiles: what is written comes back, what is shipped is what experiments give, what is wrong is refused. */

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/es-error.h"
#include "es-test-lab.h"
#include "lab/es-device-profile.h"
#include "lab/es-machine-internal.h"
#include "lab/es-profile-table.h"

static char *directory;

static GFile *
file_of (const char *name)
{
  g_autofree char *path = g_build_filename (directory, name, NULL);

  return g_file_new_for_path (path);
}

static EsDeviceProfile *
load_text (const char *text, GError **error)
{
  g_autoptr (GFile) file = file_of ("one.json");

  g_assert_true (g_file_set_contents (g_file_peek_path (file), text, -1, NULL));
  return es_device_profile_load (file, error);
}

#define HEAD "{\"format\":\"eigenscope-device-profile\",\"version\":1,\"machine\":{\"name\":\"a card\"},"
#define FIGURE(rest) HEAD \
  "\"experiments\":{\"lab-latency\":{\"figures\":[{\"group\":\"latency\",\"name\":\"x\"," rest "}]}}}"

static void
test_refused (void)
{
  static const struct { const char *text, *found; } wrong[] = {
    { "", "" }, { "not json", "" }, { "[]", "no JSON object" }, { "{}", "does not say that it is one" },
    { "{\"format\":\"eigenscope-device-profile\"}", "does not say its version" },
    { "{\"format\":\"eigenscope-device-profile\",\"version\":2}", "newer version" },
    { "{\"format\":\"eigenscope-device-profile\",\"version\":1}", "which device" },
    { HEAD "\"experiments\":{}}", "no figures" },
    { FIGURE ("\"value\":1"), "no unit" }, { FIGURE ("\"value\":1,\"unit\":\"\""), "no unit" },
    { FIGURE ("\"value\":1,\"unit\":\"clocks\",\"x\":3"), "no unit" },
    { FIGURE ("\"value\":-1,\"unit\":\"clocks\""), "negative" },
    { FIGURE ("\"value\":1e999,\"unit\":\"clocks\""), "" },
    { FIGURE ("\"value\":null,\"unit\":\"clocks\""), "no number" },
    { FIGURE ("\"value\":\"5\",\"unit\":\"clocks\""), "no number" },
    { FIGURE ("\"value\":1,\"unit\":\"clocks\",\"least\":-2"), "negative" },
    { HEAD "\"experiments\":{\"lab-latency\":{\"figures\":[{\"value\":1,\"unit\":\"s\"}]}}}", "no name" },
    { HEAD "\"experiments\":{\"lab-latency\":{\"figures\":[7]}}}", "" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (load_text (wrong[i].text, &error));
      g_assert_nonnull (error);
      g_test_message ("%s", error->message);
      g_assert_nonnull (strstr (error->message, "one.json"));
      g_assert_nonnull (strstr (error->message, wrong[i].found));
      g_assert_null (strchr (error->message, '\n'));
      g_assert_true (g_str_has_suffix (error->message, "."));
    }
  g_autoptr (GError) error = NULL;
  g_autoptr (EsDeviceProfile) good = load_text (FIGURE ("\"value\":1,\"unit\":\"clocks\""), &error);
  g_assert_no_error (error);
  g_assert_cmpuint (es_device_profile_get_n (good), ==, 1);
}

/* 100 MB, of which nothing is read but that it is too much. */
static void
test_too_large (void)
{
  g_autoptr (GFile) file = file_of ("large.json");
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (g_file_peek_path (file), "{", 1, NULL));
  g_assert_cmpint (truncate (g_file_peek_path (file), 100 << 20), ==, 0);
  g_assert_null (es_device_profile_load (file, &error));
  g_assert_nonnull (error);
  g_test_message ("%s", error->message);
  g_clear_error (&error);
  g_autoptr (GFile) none = file_of ("none.json");
  g_assert_null (es_device_profile_load (none, &error));
  g_assert_nonnull (error);
}

/* Every figure that was published stands where an experiment on the same card puts its own: so that curves lie in one
 * plot. */
static void
test_shipped (void)
{
  static const struct { const char *id, *largest; } runs[] = {
    { "lab-arithmetic", NULL }, { "lab-branches", NULL }, { "lab-latency", NULL }, { "lab-private", NULL },
    { "lab-bandwidth", NULL }, { "lab-host-memory", "1024" }, { "lab-host-access", "4096" }, { "lab-link", "1024" },
    { "lab-registration", "1024" }, { "lab-zero-copy", NULL }, { "lab-mandelbrot", NULL },
  };
  g_autoptr (GPtrArray) shipped = es_device_profiles_shipped ();
  EsDeviceProfile *profile = NULL;

  for (guint i = 0; i < shipped->len; i++)
    if (g_str_equal (es_device_profile_get_name (g_ptr_array_index (shipped, i)), "Tesla K20c"))
      profile = g_ptr_array_index (shipped, i);
  g_assert_nonnull (profile);
  g_assert_cmpstr (es_device_profile_get_source (profile), ==, "published");
  g_assert_cmpstr (es_device_profile_get_date (profile), ==, "2013");
  g_assert_cmpstr (es_device_profile_get_id (profile), ==, "");
  for (guint r = 0; r < G_N_ELEMENTS (runs); r++)
    {
      g_autoptr (EsResult) result = es_test_lab_run (runs[r].id, runs[r].largest != NULL ? "largest" : NULL,
                                                     runs[r].largest, NULL);
      guint compared = 0;

      for (guint i = 0; i < es_device_profile_get_n (profile); i++)
        {
          const EsFigure *figure = es_device_profile_get (profile, i);
          double here;

          if (!g_str_equal (figure->experiment, runs[r].id)
              || (g_str_equal (runs[r].id, "lab-mandelbrot") && figure->x != 1024))
            continue;
          here = es_test_lab_figure (result, figure->group, figure->name, figure->x);
          if (isnan (here))
            g_error ("%s has no %s, %s at %g", runs[r].id, figure->group, figure->name, figure->x);
          /* Table 4.2 beside formulas (4.5) and (4.6): 0.2 %. */
          g_assert_cmpfloat_with_epsilon (here, figure->value, 0.003 * figure->value + 1e-12);
          compared++;
        }
      g_test_message ("%s: %u figures", runs[r].id, compared);
      g_assert_cmpuint (compared, >, 0);
    }
}

static void
test_round (void)
{
  g_autoptr (GPtrArray) results = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GFile) file = file_of ("round.json");
  g_autoptr (GError) error = NULL;

  g_ptr_array_add (results, es_test_lab_run ("lab-banks", NULL));
  g_ptr_array_add (results, es_test_lab_run ("lab-link", NULL));
  g_autoptr (EsDeviceProfile) profile = es_device_profile_new (results);
  g_assert_nonnull (profile);
  g_assert_true (es_device_profile_save (profile, file, &error));
  g_assert_no_error (error);
  g_autoptr (EsDeviceProfile) again = es_device_profile_load (file, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (es_device_profile_get_n (again), ==, es_device_profile_get_n (profile));
  for (guint i = 0; i < es_device_profile_get_n (profile); i++)
    {
      const EsFigure *figure = es_device_profile_get (profile, i);
      const EsFigure *same = es_device_profile_find (again, figure->experiment, figure->group, figure->name, figure->x);

      g_assert_nonnull (same);
      g_assert_cmpstr (same->unit, ==, figure->unit);
      g_assert_cmpuint (same->repeats, ==, figure->repeats);
    }
  const EsFigure *padded = es_device_profile_find (again, "lab-banks", "conflict", "Rows of 33 words", 32);
  g_assert_nonnull (padded);
  g_assert_cmpfloat_with_epsilon (padded->value, 47.69, 1e-9);
  g_assert_null (es_device_profile_find (again, "lab-banks", "conflict", "Rows of 33 words", NAN));
}

/* A machine as it was saved is the one that is here; what its texts have no room for is cut between characters. */
static void
test_machine (void)
{
  g_autoptr (EsMachine) here = es_test_lab_machine ();
  g_autoptr (JsonObject) object = json_object_new (), other = json_object_new ();
  g_autoptr (GString) name = g_string_new (NULL);
  EskLabMachine facts, again;

  es_machine_get_facts (here, &facts);
  g_strlcpy (facts.driver, "580.159.04, CUDA 13.0", sizeof facts.driver);
  g_strlcpy (facts.architecture, "x86-64, AVX-512", sizeof facts.architecture);
  es_machine_facts_to_json (&facts, object);
  g_autoptr (EsMachine) restored = ES_MACHINE (es_machine_restore (object));
  g_assert_cmpstr (es_machine_get_id (restored), ==, "cuda:0");
  g_assert_true (es_machine_is_here (restored));
  g_assert_cmpstr (es_dataset_get_identity (ES_DATASET (restored)), ==, es_dataset_get_identity (ES_DATASET (here)));
  es_machine_get_facts (restored, &again);
  g_assert_cmpstr (again.driver, ==, facts.driver);
  g_assert_cmpstr (again.architecture, ==, facts.architecture);

  /* Under another version of the system it has a little less memory; twice as much is another one. */
  json_object_set_double_member (object, "memory_bytes", 0.99 * (double) facts.memory);
  g_autoptr (EsMachine) less = ES_MACHINE (es_machine_restore (object));
  g_assert_true (es_machine_is_here (less));
  json_object_set_double_member (object, "memory_bytes", 2.0 * (double) facts.memory);
  g_autoptr (EsMachine) more = ES_MACHINE (es_machine_restore (object));
  g_assert_false (es_machine_is_here (more));
  json_object_set_double_member (object, "memory_bytes", (double) facts.memory);
  json_object_set_string_member (object, "name", "Fake card");
  g_autoptr (EsMachine) renamed = ES_MACHINE (es_machine_restore (object));
  g_assert_false (es_machine_is_here (renamed));

  /* 300 bytes where there are 256, of characters of 3. */
  for (guint i = 0; i < 100; i++)
    g_string_append (name, "卡");
  json_object_set_string_member (other, "id", "cuda:0");
  json_object_set_string_member (other, "name", name->str);
  es_machine_facts_from_json (other, &again);
  g_assert_cmpstr (again.id, ==, "cuda:0");
  g_assert_true (g_utf8_validate (again.name, -1, NULL));
  g_assert_cmpint (g_utf8_strlen (again.name, -1), ==, 85);
}

/* Of results that are opened again it has the day on which they were measured, the last of them. */
static void
test_date (void)
{
  g_autoptr (GPtrArray) results = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *today = g_date_time_format (now, "%Y-%m-%d");

  g_ptr_array_add (results, es_test_lab_run ("lab-banks", NULL));
  g_ptr_array_add (results, es_test_lab_run ("lab-stride", NULL));
  g_autoptr (EsDeviceProfile) fresh = es_device_profile_new (results);
  g_assert_cmpstr (es_device_profile_get_date (fresh), >=, today);
  for (guint i = 0; i < results->len; i++)
    json_object_set_string_member (es_result_get_values (g_ptr_array_index (results, i)), "date",
                                   i == 0 ? "2024-02-29" : "2023-12-31");
  g_autoptr (EsDeviceProfile) old = es_device_profile_new (results);
  g_assert_cmpstr (es_device_profile_get_date (old), ==, "2024-02-29");
}

/* The nearest within a hundredth, wherever in the file it stands. */
static void
test_nearest (void)
{
  static const char text[] = HEAD "\"experiments\":{\"lab-link\":{\"figures\":["
    "{\"group\":\"to\",\"name\":\"P\",\"x\":1006,\"x_unit\":\"B\",\"value\":1,\"unit\":\"B/s\"},"
    "{\"group\":\"to\",\"name\":\"P\",\"x\":1000,\"x_unit\":\"B\",\"value\":2,\"unit\":\"B/s\"},"
    "{\"group\":\"to\",\"name\":\"P\",\"value\":3,\"unit\":\"B/s\"},"
    "{\"group\":\"to\",\"name\":\"P\",\"x\":990,\"x_unit\":\"B\",\"value\":4,\"unit\":\"B/s\"},"
    "{\"group\":\"to\",\"name\":\"A\",\"x\":1000,\"x_unit\":\"B\",\"value\":5,\"unit\":\"B/s\"}]}}}";
  static const struct { double x, value; } wanted[] = {
    { 1000, 2 }, { 1002, 2 }, { 1004, 1 }, { 1015, 1 }, { 996, 2 }, { 994, 4 }, { 985, 4 }, { NAN, 3 },
  };
  g_autoptr (EsDeviceProfile) profile = load_text (text, NULL);

  g_assert_nonnull (profile);
  for (guint i = 0; i < G_N_ELEMENTS (wanted); i++)
    g_assert_cmpfloat (es_device_profile_find (profile, "lab-link", "to", "P", wanted[i].x)->value, ==,
                       wanted[i].value);
  g_assert_null (es_device_profile_find (profile, "lab-link", "to", "P", 1020));
  g_assert_null (es_device_profile_find (profile, "lab-link", "to", "P", 975));
  g_assert_null (es_device_profile_find (profile, "lab-link", "to", "A", NAN));
  g_assert_null (es_device_profile_find (profile, "lab-link", "from", "P", 1000));
  g_assert_null (es_device_profile_find (profile, "lab-peer", "to", "P", 1000));
}

/* As many figures as a file may have, each of them looked for: it took minutes. */
static void
test_many (void)
{
  g_autoptr (GString) text = g_string_new (HEAD "\"experiments\":{\"lab-link\":{\"figures\":[");
  const guint n = 100000;
  gint64 begin;

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%s{\"group\":\"g\",\"name\":\"name %06u\",\"value\":%u,\"unit\":\"s\"}",
                            i > 0 ? "," : "", i * 7919 % n, i);
  g_string_append (text, "]}}}");
  g_autoptr (EsDeviceProfile) profile = load_text (text->str, NULL);
  g_assert_nonnull (profile);
  begin = g_get_monotonic_time ();
  for (guint i = 0; i < n; i++)
    {
      const EsFigure *figure = es_device_profile_get (profile, i);

      g_assert_true (es_device_profile_find (profile, "lab-link", "g", figure->name, NAN) == figure);
    }
  g_assert_cmpint (g_get_monotonic_time () - begin, <, 10 * G_USEC_PER_SEC);
}

/* Of a figure that no profile has, a latency below that of the empty loop, the others are not lost. */
static void
test_wrong_figure (void)
{
  g_autoptr (GPtrArray) results = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GFile) file = file_of ("round.json");
  g_autoptr (GError) error = NULL;

  g_setenv ("ES_RECORDED_LAB", "below", TRUE);
  g_ptr_array_add (results, es_test_lab_run ("lab-arithmetic", NULL));
  g_unsetenv ("ES_RECORDED_LAB");
  g_autoptr (EsDeviceProfile) profile = es_device_profile_new (results);
  g_assert_nonnull (profile);
  g_assert_null (es_device_profile_find (profile, "lab-arithmetic", "latency", "float32 add", NAN));
  g_assert_nonnull (es_device_profile_find (profile, "lab-arithmetic", "latency", "float32 divide", NAN));
  g_assert_nonnull (es_device_profile_find (profile, "lab-arithmetic", "latency", "float64 multiply", NAN));
  g_assert_true (es_device_profile_save (profile, file, &error));
  g_autoptr (EsDeviceProfile) again = es_device_profile_load (file, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (es_device_profile_get_n (again), ==, es_device_profile_get_n (profile));
}

static guint
row_of (EsTable *table, const char *what)
{
  for (guint r = 0; r < es_table_get_n_rows (table); r++)
    if (g_str_equal (es_table_get_text (table, r, 0), what))
      return r;
  g_error ("no row “%s”", what);
}

static void
assert_cells (EsTable *table, const char *what, const char *cells)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint c = 1; c < es_table_get_n_columns (table); c++)
    g_string_append_printf (text, c > 1 ? " %s" : "%s", es_table_get_text (table, row_of (table, what), c));
  g_assert_cmpstr (text->str, ==, cells);
}

/* An H100 of which sweeps have a single size, and the K20c. */
static GPtrArray *
few_sizes (void)
{
  g_autofree char *path = g_build_filename (g_getenv ("ES_RECORDED_PROFILES"), "h100-probes.json", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  GPtrArray *profiles = es_device_profiles_shipped ();
  EsDeviceProfile *h100 = es_device_profile_load (file, &error);

  g_assert_no_error (error);
  for (guint i = profiles->len; i > 0; i--)
    if (strcmp (es_device_profile_get_name (g_ptr_array_index (profiles, i - 1)), "Tesla K20c") != 0)
      g_ptr_array_remove_index (profiles, i - 1);
  g_ptr_array_insert (profiles, 0, h100);
  return profiles;
}

/* What no curve shows: single figures, and of the H100's sweeps the only size. */
static void
test_tables (void)
{
  g_autoptr (GPtrArray) results = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) shipped = few_sizes ();
  g_autoptr (GPtrArray) nobody = g_ptr_array_new ();

  g_ptr_array_add (results, es_test_lab_run ("lab-arithmetic", NULL));
  g_ptr_array_add (results, es_test_lab_run ("lab-host-access", NULL));
  g_ptr_array_add (results, es_test_lab_run ("lab-overlap", NULL));
  g_autoptr (EsDeviceProfile) own = es_device_profile_new (results);
  g_auto (GStrv) arithmetic = es_profile_table_groups (own, "lab-arithmetic", shipped);
  g_auto (GStrv) access = es_profile_table_groups (own, "lab-host-access", shipped);
  g_auto (GStrv) overlap = es_profile_table_groups (own, "lab-overlap", shipped);
  g_auto (GStrv) none = es_profile_table_groups (own, "lab-arithmetic", nobody);

  /* The K20c's rates were not published; nobody's overlap is known. */
  g_assert_cmpuint (g_strv_length (arithmetic), ==, 2);
  g_assert_cmpuint (g_strv_length (access), ==, 2);
  g_assert_cmpuint (g_strv_length (overlap), ==, 0);
  g_assert_cmpuint (g_strv_length (none), ==, 0);
  g_assert_null (es_profile_table_new (own, "lab-overlap", "parts", "-", shipped));
  g_assert_null (es_profile_table_new (own, "lab-arithmetic", "latency", "-", nobody));

  /* The H100 is installed before the K20c; the recorded card is one. */
  g_autoptr (EsTable) latency = es_profile_table_new (own, "lab-arithmetic", "latency", "Latency", shipped);
  g_assert_cmpstr (es_layer_get_name (ES_LAYER (latency)), ==, "latency");
  g_assert_cmpuint (es_table_get_n_columns (latency), ==, 6);
  g_assert_cmpstr (es_table_get_column_title (latency, 2), ==, "NVIDIA H100 80GB HBM3");
  g_assert_cmpstr (es_table_get_column_title (latency, 5), ==, "times Tesla K20c");
  g_assert_cmpstr (es_table_get_column_unit (latency, 4), ==, "clocks");
  assert_cells (latency, "uint32 add", "9 4 2.25 9 1");
  assert_cells (latency, "float64 divide", "90 111 0.811 90 1");
  /* What one of them does not have, and what this machine does not. */
  assert_cells (latency, "float16 add", "– 8 – – –");
  g_autoptr (EsTable) rate = es_profile_table_new (own, "lab-arithmetic", "rate", "Rate", shipped);
  g_assert_cmpuint (es_table_get_n_columns (rate), ==, 4);

  /* 7.64 and 8.39 GiB/s at 64 MiB; only the H100 has a single size. */
  g_autoptr (EsTable) one = es_profile_table_new (own, "lab-host-access", "one-thread", "One", shipped);
  g_assert_cmpuint (es_table_get_n_columns (one), ==, 4);
  g_assert_cmpuint (es_table_get_n_rows (one), ==, 12);
  assert_cells (one, "Pageable, write, 64.0\302\240MiB", "8.203e+09 6.724e+09 1.22");
  assert_cells (one, "Large pages, read, 64.0\302\240MiB", "– 1.428e+10 –");
}

/* What a file says of a machine is told whole; only what is longer than anything there is room for is cut. */
static void
test_facts (void)
{
  static const char *const whole = "Intel(R) Xeon(R) Platinum 8480CL CPU @ 2.00GHz, 56 cores";
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GString) ends = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  const char *name = NULL, *told = NULL, *memory = NULL, *cache = NULL;

  while (ends->len < 1000)
    g_string_append (ends, "é");
  g_string_append_printf (text, "{\"format\":\"eigenscope-device-profile\",\"version\":1,\"machine\":{\"name\":\"%s\","
                          "\"driver\":\"%s\",\"memory_bytes\":25282732032,\"l2_bytes\":1310720},\"experiments\":{"
                          "\"lab-latency\":{\"figures\":[{\"group\":\"latency\",\"name\":\"x\",\"value\":1,"
                          "\"unit\":\"clocks\"}]}}}", whole, ends->str);
  g_autoptr (EsDeviceProfile) profile = load_text (text->str, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < es_device_profile_get_n_facts (profile); i++)
    {
      const char *title, *value = es_device_profile_get_fact (profile, i, &title);

      name = g_str_equal (title, "Name") ? value : name;
      told = g_str_equal (title, "Driver") ? value : told;
      memory = g_str_equal (title, "Memory") ? value : memory;
      cache = g_str_equal (title, "Second-level cache") ? value : cache;
    }
  g_assert_cmpstr (name, ==, whole);
  g_assert_nonnull (told);
  g_assert_true (g_utf8_validate (told, -1, NULL) && g_str_has_prefix (ends->str, told));
  g_assert_cmpuint (strlen (told), >, 40);
  /* Memory as everywhere, caches as they are made. */
  g_assert_true (g_str_has_prefix (memory, "25.3") && g_str_has_suffix (memory, "GB"));
  g_assert_cmpstr (cache, ==, "1.25 MiB");
}

/* Without figures it is no profile. */
static void
test_empty (void)
{
  g_autoptr (GPtrArray) results = g_ptr_array_new_with_free_func (g_object_unref);

  g_setenv ("ES_RECORDED_LAB", "none", TRUE);
  g_ptr_array_add (results, es_test_lab_run ("lab-banks", NULL));
  g_assert_null (es_device_profile_new (results));
  g_unsetenv ("ES_RECORDED_LAB");
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  g_unsetenv ("ES_RECORDED_LAB");
  directory = g_dir_make_tmp ("eigenscope-profile-XXXXXX", NULL);
  g_test_add_func ("/device-profile/refused", test_refused);
  g_test_add_func ("/device-profile/too-large", test_too_large);
  g_test_add_func ("/device-profile/shipped", test_shipped);
  g_test_add_func ("/device-profile/round", test_round);
  g_test_add_func ("/device-profile/machine", test_machine);
  g_test_add_func ("/device-profile/date", test_date);
  g_test_add_func ("/device-profile/nearest", test_nearest);
  g_test_add_func ("/device-profile/many", test_many);
  g_test_add_func ("/device-profile/wrong-figure", test_wrong_figure);
  g_test_add_func ("/device-profile/tables", test_tables);
  g_test_add_func ("/device-profile/facts", test_facts);
  g_test_add_func ("/device-profile/empty", test_empty);
  status = g_test_run ();
  for (guint i = 0; i < 3; i++)
    {
      g_autofree char *path = g_build_filename (directory, ((const char *[]) { "one.json", "large.json", "round.json"
                                                })[i], NULL);
      g_remove (path);
    }
  g_rmdir (directory);
  g_free (directory);
  return status;
}
