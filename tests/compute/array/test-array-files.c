/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Arrays in files: CSV, XML, SigMF, JSON; damaged ones and real ones. */

#include <glib/gstdio.h>
#include <string.h>
#include "es-test-sonar.h"

/* ---- helpers ---- */

static char *folder;

static GFile *
write_file (const char *name, const char *text, gssize length)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GError) error = NULL;

  /* Thousands of them: none needs to outlive a crash of the system. What was longer is not cut by writing over it. */
  g_unlink (path);
  g_assert_true (g_file_set_contents_full (path, text, length, G_FILE_SET_CONTENTS_NONE, 0600, &error));
  g_assert_no_error (error);
  return g_file_new_for_path (path);
}

static EsArray *
load (const char *name, const char *text)
{
  g_autoptr (GFile) file = write_file (name, text, -1);
  g_autoptr (GError) error = NULL;
  EsArray *array = es_array_load (file, NULL, &error);

  g_assert_no_error (error);
  g_assert_nonnull (array);
  return array;
}

/* One sentence that has all of the words. */
static void
assert_refused (const char *name, const char *text, gssize length, ...)
{
  g_autoptr (GFile) file = write_file (name, text, length);
  g_autoptr (GError) error = NULL;
  const char *word;
  va_list words;

  g_assert_null (es_array_load (file, NULL, &error));
  g_assert_nonnull (error);
  g_assert_true (error->domain == ES_DATA_ERROR);
  g_assert_null (strchr (error->message, '\n'));
  g_assert_true (g_str_has_suffix (error->message, "."));
  g_assert_nonnull (strstr (error->message, name));
  va_start (words, length);
  while ((word = va_arg (words, const char *)) != NULL)
    if (strstr (error->message, word) == NULL)
      g_error ("“%s” does not say “%s”", error->message, word);
  va_end (words);
}

static gboolean
has_note (EsArray *array, const char *word)
{
  return es_test_says (es_array_get_notes (array), word);
}

/* ---- CSV ---- */

static void
test_csv (void)
{
  g_autoptr (EsArray) plain = load ("plain.csv", "x,y,z\n0,0,0\n1.5,0,0\n3,0,-1e-1\n");
  g_assert_cmpuint (es_array_get_n_elements (plain), ==, 3);
  es_test_assert_at (plain, 2, 3, 0, -0.1);
  g_assert_null (es_array_get_notes (plain));

  g_autoptr (EsArray) rich = load ("rich.csv", "\xef\xbb\xbf# surveyed\r\n\r\n"
                                   "\"Name\", \"X (mm)\",Y [mm],z_mm,Gain,gain dB,dead\r\n"
                                   "\"the \"\"first\"\", left\nlower\", -250 ,\"100\",0,2,,no\r\n"
                                   "second,250,100,0,,-20,\r\n,0,0,0,,,yes\r\n");
  const EsElement *e = es_array_get_elements (rich);
  g_assert_cmpuint (es_array_get_n_elements (rich), ==, 3);
  g_assert_cmpstr (e[0].name, ==, "the \"first\", left\nlower");
  g_assert_null (e[2].name);
  es_test_assert_at (rich, 0, -0.25, 0.1, 0);
  g_assert_cmpfloat (e[0].gain, ==, 2);
  g_assert_cmpfloat_with_epsilon (e[1].gain, 0.1, 1e-12);
  g_assert_true (e[2].dead);
  g_assert_cmpuint (es_array_get_n_alive (rich), ==, 2);
  g_assert_true (has_note (rich, "mm"));

  g_autoptr (EsArray) comma = load ("comma.csv", "x;y\r0,5;1\r1,5;2\r");
  es_test_assert_at (comma, 1, 1.5, 2, 0);
  g_assert_true (has_note (comma, "no column z"));
  g_autoptr (EsArray) tabs = load ("tabs.csv", "x\ty\tz\n1\t2\t3\n4\t5\t6");
  es_test_assert_at (tabs, 1, 4, 5, 6);
  g_autoptr (EsArray) metres = load ("metres.csv", "X_m,y_m,Z_m\n1,2,3\n");
  es_test_assert_at (metres, 0, 1, 2, 3);
  g_assert_null (es_array_get_notes (metres));

  /* Channels: told, told from 1, told twice, not told. */
  g_autoptr (EsArray) told = load ("told.csv", "channel,x,y,z\n7,0,0,0\n3,1,0,0\n");
  g_assert_cmpuint (es_array_get_elements (told)[0].channel, ==, 7);
  g_autoptr (EsArray) one = load ("one.csv", "ch,x,y,z\n2,0,0,0\n1,1,0,0\n");
  g_assert_cmpuint (es_array_get_elements (one)[0].channel, ==, 1);
  g_assert_true (has_note (one, "from 1"));
  g_autoptr (EsArray) mono = load ("mono.csv", "x,y,z,audio_file_channel,array_channel\n0,0,0,0,1\n1,0,0,0,0\n");
  g_assert_cmpuint (es_array_get_elements (mono)[0].channel, ==, 1);
  g_autoptr (EsArray) many = load ("many.csv", "x,y,z,audio_file_channel,array_channel\n0,0,0,4,1\n1,0,0,2,0\n");
  g_assert_cmpuint (es_array_get_elements (many)[0].channel, ==, 4);

  /* Suspicions. */
  g_autoptr (EsArray) far = load ("far.csv", "x,y,z\n0,0,0\n1150,0,0\n0,860,0\n");
  g_assert_true (has_note (far, "millimetres"));
  g_autoptr (EsArray) feet = load ("feet.csv", "x,y,z\n0,0,0\n4.92126,0,0\n9.84252,0,0\n");
  g_assert_true (has_note (feet, "feet"));
}

/* Channels under the names that they have elsewhere, two rows the wrong way round; and what else columns may say. */
static void
test_csv_titles (void)
{
  static const char *const titles[] = { "Channel No.", "channel number", "audio channel", "Audio Channel", "ch", "Ch.",
                                        "CH #", "hydrophone channel", "Channel_ID", "\"channel\"", "Chan No" };

  for (guint i = 0; i < G_N_ELEMENTS (titles); i++)
    {
      g_autofree char *text = g_strdup_printf ("x,y,z,%s\n0,0,0,1\n1.5,0,0,0\n", titles[i]);
      g_autoptr (EsArray) array = load ("titles.csv", text);

      g_assert_cmpuint (es_array_get_elements (array)[0].channel, ==, 1);
      g_assert_cmpuint (es_array_get_elements (array)[1].channel, ==, 0);
      g_assert_null (es_array_get_notes (array));
    }
  assert_refused ("a.csv", "x,y,z,which channel\n0,0,0,1\n1,0,0,0\n", -1, "which channel", "audio_file_channel", NULL);
  assert_refused ("a.csv", "x,y,z,ch,channel\n0,0,0,1,0\n", -1, "“ch”", "“channel”", NULL);
  g_autoptr (EsArray) named = load ("named.csv", "x,y,z,channel name,serial,,note\n0,0,0,bow,7,,\n1,0,0,stern,8,,\n");
  g_assert_cmpstr (es_array_get_elements (named)[1].name, ==, "stern");
  g_assert_true (has_note (named, "not used: “serial”, “note”."));

  g_autoptr (EsArray) told = load ("told.csv", "x,y,depth_cm,polarity,gain,sensitivity_db\n"
                                   "0,0,1000,1,2,-180\n100,0,1200,-1,3,-190\n200,0,1200,Reversed,,-180\n"
                                   "300,0,1300,+,,-180\n");
  es_test_assert_at (told, 1, 1, 0, -12);
  g_assert_cmpfloat (es_array_get_elements (told)[0].gain, ==, 2);
  g_assert_cmpfloat (es_array_get_elements (told)[1].gain, ==, -3);
  g_assert_cmpfloat (es_array_get_elements (told)[2].gain, ==, -1);
  g_assert_cmpfloat (es_array_get_elements (told)[3].gain, ==, 1);
  g_assert_true (has_note (told, "depth_cm"));
  g_assert_true (has_note (told, "sensitivity_db"));
  g_assert_false (has_note (told, "no column z"));
  assert_refused ("a.csv", "x,y,z,polarity\n0,0,0,odd\n", -1, "row 2", "odd", "polarity", NULL);
  g_autoptr (EsArray) both = load ("both.csv", "x,y,z,depth_ft\n0,0,-1,3\n1,0,-1,3\n");
  es_test_assert_at (both, 1, 1, 0, -1);
  g_assert_true (has_note (both, "not used: “depth_ft”."));
  assert_refused ("a.csv", "x,y,depth_ft\n0,0,3\n", -1, "depth_ft", "metres", NULL);
}

/* Every row is one metre further than the one before, its number as given; the living ones must hear `channels`. */
static void
assert_channels (const char *numbers, const char *dead, const char *channels, const char *noted, const char *doubted)
{
  g_auto (GStrv) number = g_strsplit (numbers, ",", -1), channel = g_strsplit (channels, ",", -1);
  g_autoptr (GString) text = g_string_new ("x,y,z,Channel,dead\n");

  for (guint k = 0; number[k] != NULL; k++)
    g_string_append_printf (text, "%u,0,0,%s,%s\n", k, number[k], dead[k] == 'x' ? "yes" : "no");
  g_autoptr (EsArray) array = load ("channels.csv", text->str);
  const EsElement *elements = es_array_get_elements (array);
  g_assert_cmpuint (es_array_get_n_elements (array), ==, g_strv_length (number));
  for (guint k = 0; number[k] != NULL; k++)
    if (!elements[k].dead)
      g_assert_cmpuint (elements[k].channel, ==, g_ascii_strtoull (channel[k], NULL, 10));
    else
      g_assert_cmpuint (elements[k].channel, <, 100);
  g_assert_cmpint (has_note (array, "from 1"), ==, noted != NULL);
  if (doubted == NULL)
    g_assert_null (es_array_get_doubt (array, g_strv_length (number)));
  else
    g_assert_nonnull (strstr (es_array_get_doubt (array, 100), doubted));

  /* The first of what a person should know, also of copies. */
  g_autoptr (EsArray) slow = es_array_with_sound_speed (array, 1400);
  g_auto (GStrv) warnings = es_array_check (slow, 100, 0, NULL, 0, 0);
  if (es_array_get_doubt (array, 100) != NULL)
    g_assert_cmpstr (warnings[0], ==, es_array_get_doubt (array, 100));
  g_assert_cmpint (es_array_get_doubt (array, 100) != NULL, ==, doubted != NULL || noted != NULL);
}

/* A dead row shifts nobody: whether channels count from 0 or 1 is seen in the numbers of all rows. */
static void
test_csv_channels (void)
{
  static const char *const dead[] = { "x---", "-x--", "---x", "----" };

  for (guint i = 0; i < G_N_ELEMENTS (dead); i++)
    {
      assert_channels ("0,1,2,3", dead[i], "0,1,2,3", NULL, NULL);
      assert_channels ("1,2,3,4", dead[i], "0,1,2,3", "from 1", NULL);
      assert_channels ("4,3,2,1", dead[i], "3,2,1,0", "from 1", NULL);
      assert_channels ("3,0,2,1", dead[i], "3,0,2,1", NULL, NULL);
    }

  /* Dead rows without a number, which hides an end of the range or does not. */
  assert_channels (",1,2,3", "x---", "0,1,2,3", NULL, "from 0 was taken");
  assert_channels ("0,,2,3", "-x--", "0,0,2,3", NULL, NULL);
  assert_channels ("0,1,2,-", "---x", "0,1,2,0", NULL, NULL);
  assert_channels (",2,3,4", "x---", "0,1,2,3", NULL, "from 1 was taken");
  assert_channels ("1,-1,3,4", "-x--", "0,0,2,3", "from 1", NULL);
  assert_channels ("1,2,3,n/a", "---x", "0,1,2,0", NULL, "from 1 was taken");
  /* Or with a 0 that stands for none. */
  assert_channels ("1,0,3,4", "-x--", "0,0,2,3", NULL, "from 1 was taken");
  assert_channels ("1,2,3,0", "---x", "0,1,2,0", NULL, "from 1 was taken");
  assert_channels ("2,3,1,0", "---x", "2,3,1,0", NULL, NULL);
  /* Of a recording with a channel more 1 to n may count from 0 as well (assert_channels asks with n, and with 100). */
  assert_channels ("1,2,3,4", "----", "0,1,2,3", "from 1", NULL);
  /* Channels that no row has. */
  assert_channels ("0,1,5", "---", "0,1,5", NULL, NULL);
  assert_channels ("1,2,5", "---", "0,1,4", NULL, "from 1 was taken");
  assert_channels ("7,3", "--", "7,3", NULL, "from 0 was taken");
  assert_refused ("a.csv", "x,y,z,channel,dead\n0,0,0,,no\n", -1, "row 2", "channel", NULL);
}

static void
test_csv_refused (void)
{
  assert_refused ("a.csv", "x_ft,y_ft,z_ft\n0,0,0\n", -1, "x_ft", "metres", "0.3048", NULL);
  assert_refused ("a.csv", "X (feet),y,z\n0,0,0\n", -1, "feet", NULL);
  assert_refused ("a.csv", "x (mm),y (cm),z\n0,0,0\n", -1, "mm", "cm", NULL);
  assert_refused ("a.csv", "x,y,z\n0,0,0\n\n1,abc,0\n", -1, "row 4", "abc", "“y”", NULL);
  assert_refused ("a.csv", "x,y,z\n0,0,0\n1,2\n", -1, "row 3", "“z”", NULL);
  assert_refused ("a.csv", "x,y,z\r\n0,0,0\r\n\"1\",inf,0\r\n", -1, "row 3", "inf", NULL);
  assert_refused ("a.csv", "x,y,z\n0,0,nan\n", -1, "nan", NULL);
  assert_refused ("a.csv", "x,y,z,channel\n0,0,0,-1\n", -1, "row 2", "-1", NULL);
  assert_refused ("a.csv", "x,y,z,channel\n0,0,0,1.5\n", -1, "1.5", NULL);
  assert_refused ("a.csv", "x,y,z,channel\n0,0,0,0\n1,0,0,0\n", -1, "1 and 2", "channel 0", NULL);
  assert_refused ("a.csv", "x,y,z,dead\n0,0,0,perhaps\n", -1, "perhaps", NULL);
  assert_refused ("a.csv", "x,y,z\n1,2,3\n4,5,6\n1,2,3\n", -1, "1 and 3", "one place", NULL);
  assert_refused ("a.csv", "x,x,z\n1,2,3\n", -1, "“x”", NULL);
  assert_refused ("a.csv", "1,2,3\n4,5,6\n", -1, "header", "1, 2, 3", NULL);
  assert_refused ("a.csv", "x,y,z\n", -1, "no element", NULL);
  assert_refused ("a.csv", "", -1, "empty", NULL);
  assert_refused ("a.csv", "x,y,z\n1\0,2,3\n", 14, "no text", NULL);
  assert_refused ("a.csv", "x,y,z\n1e300,0,0\n", -1, "1e+300", NULL);
  g_autofree char *wide = g_strnfill (100000, ',');
  g_autofree char *header = g_strconcat ("x,y,z", wide, "\n0,0,0\n", NULL);
  g_autofree char *row = g_strconcat ("x,y,z\n0,0,0\n1,0,0", wide, "\n", NULL);
  assert_refused ("a.csv", header, -1, "row 1", "1000 columns", NULL);
  assert_refused ("a.csv", row, -1, "row 3", "1000 columns", NULL);
}

/* ---- XML, SigMF, JSON ---- */

static void
test_xml (void)
{
  g_autoptr (EsArray) array = load ("a.xml",
    "<?xml version=\"1.1\" encoding=\"utf-8\"?><!-- six --><MicArray name=\"xav6\">\n"
    "  <pos Name=\"Point 1\" x=\"-0.5\" y=\"0.25\" z=\"1e-1\"/>\n  <pos x=' 2 ' y='3' z='4'></pos>\n</MicArray>\n");
  g_assert_cmpuint (es_array_get_n_elements (array), ==, 2);
  es_test_assert_at (array, 0, -0.5, 0.25, 0.1);
  es_test_assert_at (array, 1, 2, 3, 4);
  g_assert_cmpstr (es_array_get_elements (array)[0].name, ==, "Point 1");

  assert_refused ("b.xml", "<MicArray>\n<pos x='1' y='2'/></MicArray>", -1, "line 2", "“z”", NULL);
  assert_refused ("b.xml", "<MicArray>\n\n<pos x='1' y='2' z='far'/></MicArray>", -1, "line 3", "far", NULL);
  assert_refused ("b.xml", "<MicArray><pos x='1' y='2' z='nan'/></MicArray>", -1, "nan", NULL);
  assert_refused ("b.xml", "<MicArray></MicArray>", -1, "without elements", NULL);
  assert_refused ("b.xml", "<svg/>", -1, "no array", NULL);
  assert_refused ("b.xml", "<MicArray><pos x='1' y='2' z='3'/>", -1, "not valid XML", NULL);
}

static void
test_sigmf (void)
{
  g_autoptr (EsArray) old = load ("a.sigmf-meta",
    "{\"global\":{\"spatial:num_elements\":4},\"captures\":[{\"core:sample_start\":0},"
    "{\"spatial:element_geometry\":[[0,0.3,0],[0,0.1,0],[0,-0.1,0],[0,-0.3,0]]}]}");
  g_assert_cmpuint (es_array_get_n_elements (old), ==, 4);
  g_assert_true (es_array_is_uniform (old));
  es_test_assert_at (old, 3, 0, -0.3, 0);

  g_autoptr (EsArray) collection = load ("a.sigmf-collection",
    "{\"collection\":{\"spatial:element_geometry\":[{\"point\":[1,0.3,0]},{\"unknown\":true},{\"point\":[2,0,5]}]}}");
  g_assert_cmpuint (es_array_get_n_alive (collection), ==, 2);
  g_assert_true (es_array_get_elements (collection)[1].dead);
  g_assert_true (has_note (collection, "no known place"));

  assert_refused ("b.json", "{\"captures\":[{\"spatial:element_geometry\":[[0,0.3]]}]}", -1, "point 1", NULL);
  assert_refused ("b.json", "{\"captures\":[{\"spatial:element_geometry\":[[0,0,0],[0,\"a\",0]]}]}", -1, "point 2",
                  NULL);
  assert_refused ("b.json", "{\"captures\":[]}", -1, "without an array", NULL);
  assert_refused ("b.json", "{\"captures\":[{\"spatial:element_geometry\":[]}]}", -1, "0 elements", NULL);
  assert_refused ("b.json", "[1,2]", -1, "no object", NULL);
  assert_refused ("b.json", "{\"captures\"", -1, "not valid JSON", NULL);
}

static void
test_json (void)
{
  g_autoptr (GError) error = NULL;
  EsElement e[4] = {
    { .x = 0.1, .y = -1e-10, .z = 1 / 3.0, .channel = 3, .gain = 0.5, .name = (char *) "“é”\n\\" },
    { .x = 1e7, .y = 2, .z = 3, .channel = 0, .gain = 1, .dead = TRUE },
    { .x = 1e7, .y = 2, .z = 3, .channel = 0, .gain = -1 },
    { .x = 4, .y = 5, .z = 6, .channel = 65000, .gain = 1e-300 },
  };
  g_autoptr (EsArray) made = es_array_new (e, 4, &error);
  g_assert_no_error (error);
  g_autoptr (EsArray) array = es_array_with_sound_speed (made, 1484.25);

  g_autofree char *json = es_array_to_json (array);
  g_autoptr (EsArray) read = es_array_from_json (json, &error);
  g_assert_no_error (error);
  g_assert_true (es_array_equal (array, read));
  g_autofree char *again = es_array_to_json (read);
  g_assert_cmpstr (json, ==, again);

  g_autofree char *path = g_build_filename (folder, "a b.wav", NULL);
  g_autoptr (GFile) recording = g_file_new_for_path (path), sidecar = es_array_sidecar_of (recording);
  g_autofree char *name = g_file_get_basename (sidecar);
  g_assert_cmpstr (name, ==, "a b.wav.array.json");
  g_assert_true (es_array_save (array, sidecar, &error));
  g_assert_true (es_array_save (array, sidecar, &error));
  g_assert_no_error (error);
  g_autoptr (EsArray) loaded = es_array_load (sidecar, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (es_array_equal (array, loaded));
  g_assert_true (g_file_delete (sidecar, NULL, NULL));

  g_autoptr (GFile) nowhere = g_file_new_for_path ("/nowhere/at/all.json");
  g_assert_false (es_array_save (array, nowhere, &error));
  g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_WRITE);
  g_clear_error (&error);
  g_assert_null (es_array_load (nowhere, NULL, &error));
  g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_OPEN);

  assert_refused ("c.json", "{\"eigenscope-array\":2,\"elements\":[]}", -1, "version 2", NULL);
  assert_refused ("c.json", "{\"eigenscope-array\":1}", -1, "elements", NULL);
  assert_refused ("c.json", "{\"eigenscope-array\":1,\"elements\":[{\"x\":1}]}", -1, "element 1", NULL);
  assert_refused ("c.json", "{\"eigenscope-array\":1,\"elements\":[7]}", -1, "element 1", NULL);
  assert_refused ("c.json", "{\"eigenscope-array\":1,\"sound-speed\":0,\"elements\":[{\"x\":1,\"y\":1}]}", -1,
                  "sound speed", NULL);
  assert_refused ("c.json", "{\"eigenscope-array\":1,\"elements\":[{\"x\":1,\"y\":2,\"channel\":\"a\"}]}", -1,
                  "channel", NULL);
  g_autofree char *deep = g_strnfill (100000, '[');
  assert_refused ("c.json", deep, -1, "64 deep", NULL);
  assert_refused ("c.json", "{\"eigenscope-array\":1,\"elements\":[{\"x\":1,\"y\":2,\"y\":3}]}", -1, "twice", NULL);
}

typedef struct
{
  gboolean  over;
  EsArray  *array;
  GError   *error;
} Loaded;

static void
on_loaded (GObject *source, GAsyncResult *result, gpointer data)
{
  Loaded *loaded = data;

  loaded->array = es_array_load_finish (result, &loaded->error);
  loaded->over = TRUE;
}

static Loaded
load_in_background (GFile *file, GCancellable *cancellable, gboolean cancel)
{
  Loaded loaded = { 0 };

  es_array_load_async (file, cancellable, on_loaded, &loaded);
  g_assert_false (loaded.over);
  if (cancel)
    g_cancellable_cancel (cancellable);
  while (!loaded.over)
    g_main_context_iteration (NULL, TRUE);
  return loaded;
}

static void
test_background (void)
{
  g_autoptr (GFile) good = write_file ("good.csv", "name,x,y,z\na\033[2J\342\200\256<b>,0,0,0\nb,1.5,0,0\n", -1);
  g_autoptr (GFile) bad = write_file ("bad.csv", "apples,pears\n1,2\n", -1);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  Loaded loaded = load_in_background (good, cancellable, FALSE);

  g_assert_no_error (loaded.error);
  g_assert_cmpuint (es_array_get_n_elements (loaded.array), ==, 2);
  g_assert_cmpstr (es_array_get_elements (loaded.array)[0].name, ==, "a\033[2J\342\200\256<b>");
  g_clear_pointer (&loaded.array, es_array_unref);

  loaded = load_in_background (bad, cancellable, FALSE);
  g_assert_null (loaded.array);
  g_assert_error (loaded.error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT);
  g_assert_nonnull (strstr (loaded.error->message, "“bad.csv”"));
  g_clear_error (&loaded.error);

  loaded = load_in_background (good, cancellable, TRUE);
  g_assert_null (loaded.array);
  g_assert_error (loaded.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&loaded.error);
}

/* Garbage is refused, never worse. */
static void
test_fuzz (void)
{
  static const char *const seeds[] = {
    "name,x (mm),y,z,channel,gain_db,dead\n\"a\",1,2,3,0,1,no\nb,2,3,4,1,0,yes\n",
    "<?xml version='1.0'?><MicArray name='a'><pos Name='p' x='1' y='2' z='3'/></MicArray>",
    "{\"eigenscope-array\":1,\"sound-speed\":1500,"
    "\"elements\":[{\"x\":1,\"y\":2,\"z\":3,\"channel\":0,\"dead\":true}]}",
    "{\"captures\":[{\"spatial:element_geometry\":[[0,0.3,0],{\"point\":[1,2,3]},{\"unknown\":true}]}]}",
  };
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);

  for (guint i = 0; i < 4000; i++)
    {
      g_autofree char *text = g_strdup (seeds[i % G_N_ELEMENTS (seeds)]);
      const gsize length = strlen (text);
      const guint changes = g_rand_int_range (rand, 1, 6);
      for (guint c = 0; c < changes; c++)
        text[g_rand_int_range (rand, 0, length)] = g_rand_int_range (rand, 0, 4) == 0
          ? g_rand_int_range (rand, -128, 128) : "0123456789,;\"\n{}[]<>/-.ex"[g_rand_int_range (rand, 0, 26)];

      g_autoptr (GFile) file = write_file ("fuzz", text, g_rand_int_range (rand, 0, length + 1));
      g_autoptr (GError) error = NULL;
      g_autoptr (EsArray) array = es_array_load (file, NULL, &error);
      g_assert_true ((array == NULL) == (error != NULL));
      if (array != NULL)
        {
          g_autofree char *description = es_array_describe (array);
          g_assert_true (g_utf8_validate (description, -1, NULL));
        }
    }
}

/* ---- advice ---- */

/* The six hydrophones: as CSV with Windows' paths and useless channels, and as Acoular's XML. */
static void
test_real (void)
{
  const char *data = g_getenv ("ES_TEST_DATA");
  g_autofree char *csv = g_build_filename (data != NULL ? data : "", "hydrophones", "hydrophones_config_07-HI.csv",
                                           NULL);
  g_autofree char *xml = g_build_filename (data != NULL ? data : "", "hydrophones", "xav6.xml", NULL);
  g_autoptr (GError) error = NULL;

  if (data == NULL || !g_file_test (csv, G_FILE_TEST_EXISTS))
    {
      g_test_skip ("ES_TEST_DATA has no hydrophones");
      return;
    }
  g_autoptr (EsArray) a = es_array_parse (csv, &error);
  g_assert_no_error (error);
  g_autoptr (EsArray) b = es_array_parse (xml, &error);
  g_assert_no_error (error);
  g_assert_true (es_array_equal (a, b));
  g_assert_false (es_array_is_line (a));
  es_test_assert_at (a, 3, 0.028, 0, -0.002);
  for (guint k = 0; k < 6; k++)
    g_assert_cmpuint (es_array_get_elements (a)[k].channel, ==, k);
  g_assert_nonnull (strstr (es_array_get_notes (a)[0], "data_path"));
  g_assert_nonnull (strstr (es_array_get_notes (a)[0], "file_name_root"));
  g_assert_null (strstr (es_array_get_notes (a)[0], "channel"));
}

/* What others have written into the file stays when it is written again: of the whole, and of elements. */
static void
test_comments (void)
{
  g_autofree char *path = g_build_filename (folder, "commented.wav.array.json", NULL), *text = NULL;
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (path, "{ \"eigenscope-array\": 1, \"comment\": \"surveyed in May\",\n"
                                      "  \"sound-speed\": 1490, \"elements\": [\n"
                                      "  { \"x\": 0, \"y\": 0, \"channel\": 4, \"serial\": \"TC-99\" },\n"
                                      "  { \"x\": 1, \"y\": 0, \"channel\": 0, \"serial\": \"TC-98\" } ] }", -1,
                                      NULL));
  g_autoptr (EsArray) array = es_array_parse ("line:4,1.5", &error);
  g_assert_no_error (error);
  g_assert_true (es_array_save (array, file, &error));
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_nonnull (strstr (text, "surveyed in May"));
  g_assert_nonnull (strstr (text, "TC-98"));
  /* Of channels that are no element any more nothing is said, nor what is not told any more. */
  g_assert_null (strstr (text, "TC-99"));
  g_assert_null (strstr (text, "1490"));
  g_autoptr (EsArray) again = es_array_load (file, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (es_array_get_n_elements (again), ==, 4);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  /* In memory where there is such a place: a busy disk takes milliseconds for each of thousands of files. */
  char in_memory[] = "/dev/shm/eigenscope-array-XXXXXX";
  folder = g_mkdtemp (in_memory) != NULL ? g_strdup (in_memory) : g_dir_make_tmp ("eigenscope-array-XXXXXX", NULL);
  g_test_add_func ("/array/csv", test_csv);
  g_test_add_func ("/array/csv-titles", test_csv_titles);
  g_test_add_func ("/array/csv-channels", test_csv_channels);
  g_test_add_func ("/array/csv-refused", test_csv_refused);
  g_test_add_func ("/array/xml", test_xml);
  g_test_add_func ("/array/sigmf", test_sigmf);
  g_test_add_func ("/array/json", test_json);
  g_test_add_func ("/array/comments", test_comments);
  g_test_add_func ("/array/background", test_background);
  g_test_add_func ("/array/fuzz", test_fuzz);
  g_test_add_func ("/array/real", test_real);
  int status = g_test_run ();

  es_test_remove_folder (folder);
  return status;
}
