/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-fuzz.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "array/es-array.h"
#include "base/es-error.h"
#include "libraries/es-gdal-internal.h"
#include "readers/es-open.h"

#define MARK "=== "

static char *folder;

/* GLib ends a program by a trap for debuggers, which libFuzzer does not know: the input would be lost. */
static void
on_trap (int number)
{
  abort ();
}

/* Of the leak sanitizer, where it is there. */
extern void __lsan_disable (void) __attribute__ ((weak));
extern void __lsan_enable (void) __attribute__ ((weak));

/* What GDAL keeps once and for all is no leak of the file that was the first to need it. */
static void
prepare_gdal (void)
{
  if (__lsan_disable != NULL)
    __lsan_disable ();
  es_gdal_prepare (NULL, NULL);
  if (__lsan_enable != NULL)
    __lsan_enable ();
}

static void
remove_folder (void)
{
  g_autoptr (GDir) directory = g_dir_open (folder, 0, NULL);
  const char *name;

  while (directory != NULL && (name = g_dir_read_name (directory)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      g_remove (path);
    }
  g_rmdir (folder);
}

const char *
es_fuzz_folder (void)
{
  if (folder == NULL)
    {
      /* ./dev fuzz says where, and clears up behind what crashed. */
      const gboolean told = g_getenv ("TMPDIR") != NULL || !g_file_test ("/dev/shm", G_FILE_TEST_IS_DIR);

      folder = g_build_filename (told ? g_get_tmp_dir () : "/dev/shm", "eigenscope-fuzz-XXXXXX", NULL);
      if (g_mkdtemp (folder) == NULL)
        g_error ("%s cannot be made: %s", folder, g_strerror (errno));
      atexit (remove_folder);
      /* A broken promise to a library is a finding like any other. */
      g_log_set_always_fatal (G_LOG_FATAL_MASK | G_LOG_LEVEL_CRITICAL);
      signal (SIGTRAP, on_trap);
      prepare_gdal ();
    }
  return folder;
}

char *
es_fuzz_write (const char *name, const void *bytes, gsize length)
{
  char *path = g_build_filename (es_fuzz_folder (), name, NULL);
  int fd = open (path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  gsize done = 0;

  while (fd >= 0 && done < length)
    {
      ssize_t n = write (fd, (const char *) bytes + done, length - done);

      if (n < 0)
        break;
      done += (gsize) n;
    }
  if (fd < 0 || done < length || close (fd) != 0)
    g_error ("%s cannot be written: %s", path, g_strerror (errno));
  return path;
}

void
es_fuzz_check_error (const GError *error)
{
  g_assert_nonnull (error);
  if (error->domain != ES_DATA_ERROR && error->domain != ES_COMPUTE_ERROR)
    g_error ("An error of %s: %s", g_quark_to_string (error->domain), error->message);
  g_assert_cmpuint (strlen (error->message), >, 12);
  if (!g_utf8_validate (error->message, -1, NULL))
    g_error ("A message that is not UTF-8: %s", error->message);
}

void
es_fuzz_load_array (const char *name, const void *bytes, gsize length)
{
  g_autofree char *path = es_fuzz_write (name, bytes, length);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  g_autoptr (EsArray) array = es_array_load (file, NULL, &error);

  if (array == NULL)
    {
      es_fuzz_check_error (error);
      return;
    }
  g_assert_no_error (error);
  g_assert_cmpuint (es_array_get_n_elements (array), >, 0);

  g_autofree char *json = es_array_to_json (array), *words = es_array_describe (array);
  g_autoptr (EsArray) again = es_array_from_json (json, &error);
  g_assert_no_error (error);
  g_assert_true (es_array_equal (array, again));
  g_assert_true (g_utf8_validate (words, -1, NULL));
  for (const char * const *note = es_array_get_notes (array); note != NULL && *note != NULL; note++)
    g_assert_true (g_utf8_validate (*note, -1, NULL));
  g_auto (GStrv) warnings = es_array_check (array, 3, 400, NULL, 0, 0.1);
}

EsDataset *
es_fuzz_cube (void)
{
  static EsDataset *cube;

  if (cube == NULL)
    {
      static const char header[] = "ENVI\nsamples = 6\nlines = 5\nbands = 4\ndata type = 1\ninterleave = bsq\n"
                                   "wavelength units = nm\nwavelength = {450, 550, 650, 800}\n";
      g_autoptr (GError) error = NULL;
      g_autoptr (GFile) file = NULL;
      guint8 samples[6 * 5 * 4];

      for (guint i = 0; i < sizeof samples; i++)
        samples[i] = (guint8) (i * 7 + i / 30);
      g_free (es_fuzz_write ("cube.hdr", header, strlen (header)));
      g_autofree char *path = es_fuzz_write ("cube.img", samples, sizeof samples);
      file = g_file_new_for_path (path);
      cube = es_dataset_open (file, NULL, NULL, &error);
      g_assert_no_error (error);
    }
  return cube;
}

const char *
es_fuzz_recording (void)
{
  static char *path;

  if (path == NULL)
    {
      /* PCM of 16 bits. */
      static const guint8 head[44] =
        "RIFF\xd4\x04\0\0WAVEfmt \x10\0\0\0\1\0\3\0\xe8\3\0\0\x70\x17\0\0\6\0\x10\0" "data\xb0\4\0\0";
      guint8 bytes[sizeof head + 200 * 3 * 2];

      memcpy (bytes, head, sizeof head);
      for (guint i = 0; i < sizeof bytes - sizeof head; i++)
        bytes[sizeof head + i] = (guint8) (i * i + 3 * i);
      path = es_fuzz_write ("recording.wav", bytes, sizeof bytes);
    }
  return path;
}

/* The line that begins here, without its end, and what follows it. */
static const char *
line_end (const char *at, const char *end)
{
  const char *stop = memchr (at, '\n', (gsize) (end - at));

  return stop != NULL ? stop : end;
}

static gboolean
read_mark (const char *at, const char *end, EsFuzzPart *part)
{
  const char *stop = line_end (at, end);
  const gsize mark = strlen (MARK);
  gsize n;

  if ((gsize) (stop - at) <= mark || memcmp (at, MARK, mark) != 0)
    return FALSE;
  at += mark;
  n = MIN ((gsize) (stop - at), sizeof part->name - 1);
  for (gsize i = 0; i < n; i++)
    part->name[i] = g_ascii_isalnum (at[i]) || at[i] == '-' || at[i] == '.' ? at[i] : '-';
  part->name[n] = '\0';
  /* No file of that name, and no way out. */
  if (part->name[0] == '.')
    part->name[0] = '-';
  return TRUE;
}

gboolean
es_fuzz_next_part (const char **at, const char *end, EsFuzzPart *part)
{
  const char *p = *at;

  if (p >= end)
    return FALSE;
  part->name[0] = '\0';
  if (read_mark (p, end, part))
    p = MIN (line_end (p, end) + 1, end);
  part->bytes = p;
  while (p < end)
    {
      EsFuzzPart next;

      if (read_mark (p, end, &next))
        break;
      p = MIN (line_end (p, end) + 1, end);
    }
  part->length = (gsize) (p - part->bytes);
  *at = p;
  return TRUE;
}
