/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* How long the program takes from its start to what somebody waits for: perf-start [--runs=N] [--json] [--shots=FOLDER]
 * PROGRAM [FILE]. It is run N times each, in turn, with GSK's own choice of a renderer and with cairo's, without a file
 * and with it; settings, data and what Eigenscope caches are fresh for each run, what libraries cache (fonts, shaders)
 * is there from the second run on, as it is for everybody but the first time. The program writes stamps
 * (ES_TRACE_START), and the screen itself is looked at whenever a frame has been drawn: a window counts as shown with
 * the first frame, and a picture with the first after which the screen is as it stays: no more than one pixel of a
 * thousand differs from what is there two seconds later. To be run by tests/run-graphical.sh, so that it is on a
 * display of its own. */

#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <gio/gio.h>
#include <gio/gunixinputstream.h>
#include <glib-unix.h>
#include <glib/gstdio.h>
#include <locale.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <gdk-pixbuf/gdk-pixbuf.h>

#define STAMPS_FD    3
#define SETTLE_US    (2 * G_USEC_PER_SEC)
#define LONGEST_US   (60 * G_USEC_PER_SEC)
#define MOST_FRAMES  400
#define SAME         0.999      /* of the window's pixels */

/* ms from the start of the process; NAN: it has not come to that. */
enum { AT_MAIN, AT_STARTUP, AT_WINDOW, AT_PRESENTED, AT_MAPPED, AT_FRAME, AT_OPENED, AT_PLANES, AT_PICTURE, AT_STILL,
       N_PHASES };
/* The same again: what the main thread has had of a processor by then. */
#define N_VALUES (2 * N_PHASES)

static const char *const names[N_PHASES] = {
  "main", "startup", "window", "presented", "mapped", "first frame", "file open", "planes read", "picture drawn",
  "screen complete"
};
static const char *const stamps[N_PHASES] = {
  "main", "startup", "window", "presented", "mapped", "frame", "opened", "planes", NULL, NULL
};

typedef struct
{
  double  at, busy;             /* ms */
  guint8 *pixels;               /* of the whole screen; NULL: the same as before */
} Frame;

typedef struct
{
  Display    *display;
  int         width, height;
  const char *program, *file, *shots;
  char       *folder;           /* of one run after the other */
} Perf;

/* ---- the screen ---- */

static guint8 *
grab (Perf *perf)
{
  XImage *image = XGetImage (perf->display, DefaultRootWindow (perf->display), 0, 0, (unsigned) perf->width,
                             (unsigned) perf->height, AllPlanes, ZPixmap);
  const gsize n = (gsize) perf->width * (gsize) perf->height;
  guint8 *pixels;

  if (image == NULL || image->bits_per_pixel != 32)
    g_error ("The screen cannot be read");
  pixels = g_memdup2 (image->data, n * 4);
  XDestroyImage (image);
  return pixels;
}

/* The share of the window's pixels that are the same; what is black in the last picture is the screen beside it. */
static double
compare (const Perf *perf, const guint8 *one, const guint8 *last)
{
  const gsize n = (gsize) perf->width * (gsize) perf->height;
  gsize inside = 0, same = 0;

  for (gsize i = 0; i < n; i++)
    if (last[4 * i] != 0 || last[4 * i + 1] != 0 || last[4 * i + 2] != 0)
      {
        inside++;
        same += memcmp (one + 4 * i, last + 4 * i, 3) == 0;
      }
  return inside > 0 ? (double) same / (double) inside : 0;
}

static guint
count_colours (const Perf *perf, const guint8 *pixels)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  const gsize n = (gsize) perf->width * (gsize) perf->height;

  for (gsize i = 0; i < n; i++)
    g_hash_table_add (seen, GUINT_TO_POINTER (pixels[4 * i] | pixels[4 * i + 1] << 8 | pixels[4 * i + 2] << 16));
  return g_hash_table_size (seen);
}

static void
save (const Perf *perf, const guint8 *pixels, const char *name)
{
  g_autoptr (GdkPixbuf) picture = gdk_pixbuf_new (GDK_COLORSPACE_RGB, FALSE, 8, perf->width, perf->height);
  g_autofree char *path = g_strdup_printf ("%s/%s.png", perf->shots, name);
  g_autoptr (GError) error = NULL;

  for (int y = 0; y < perf->height; y++)
    for (int x = 0; x < perf->width; x++)
      {
        const guint8 *from = pixels + 4 * ((gsize) y * (gsize) perf->width + (gsize) x);
        guint8 *to = gdk_pixbuf_get_pixels (picture) + y * gdk_pixbuf_get_rowstride (picture) + 3 * x;

        for (guint i = 0; i < 3; i++)
          to[i] = from[2 - i];
      }
  g_mkdir_with_parents (perf->shots, 0777);
  if (!gdk_pixbuf_save (picture, path, "png", &error, NULL))
    g_printerr ("%s\n", error->message);
}

/* ---- one run ---- */

static void
remove_tree (const char *path)
{
  g_autoptr (GDir) folder = g_file_test (path, G_FILE_TEST_IS_SYMLINK) ? NULL : g_dir_open (path, 0, NULL);
  const char *name;

  while (folder != NULL && (name = g_dir_read_name (folder)) != NULL)
    {
      g_autofree char *child = g_build_filename (path, name, NULL);

      remove_tree (child);
    }
  g_remove (path);
}

/* Its environment: fresh folders but for what libraries cache. renderer: nullable. */
static char **
make_environment (Perf *perf, const char *renderer)
{
  static const char *const folders[][2] = {
    { "HOME", "home" }, { "XDG_CONFIG_HOME", "config" }, { "XDG_DATA_HOME", "data" }, { "XDG_STATE_HOME", "state" },
  };
  g_autofree char *cache = g_build_filename (perf->folder, "cache", NULL);
  g_autofree char *own = g_build_filename (cache, "eigenscope", NULL);
  g_autofree char *fd = g_strdup_printf ("/dev/fd/%d", STAMPS_FD);
  char **environment = g_get_environ ();

  remove_tree (own);
  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    {
      g_autofree char *path = g_build_filename (perf->folder, folders[i][1], NULL);

      remove_tree (path);
      g_mkdir_with_parents (path, 0700);
      environment = g_environ_setenv (environment, folders[i][0], path, TRUE);
    }
  environment = g_environ_setenv (environment, "XDG_CACHE_HOME", cache, TRUE);
  environment = g_environ_setenv (environment, "ES_TRACE_START", fd, TRUE);
  /* As a person has them. */
  environment = g_environ_unsetenv (environment, "GTK_A11Y");
  environment = g_environ_unsetenv (environment, "G_DEBUG");
  environment = g_environ_unsetenv (environment, "GSK_RENDERER");
  if (renderer != NULL)
    environment = g_environ_setenv (environment, "GSK_RENDERER", renderer, TRUE);
  return environment;
}

static GPid
start (Perf *perf, gboolean with_file, const char *renderer, int *read_end)
{
  const char *arguments[] = { perf->program, with_file ? perf->file : NULL, NULL };
  g_auto (GStrv) environment = make_environment (perf, renderer);
  g_autoptr (GError) error = NULL;
  const int target = STAMPS_FD;
  int ends[2];
  GPid pid;

  if (!g_unix_open_pipe (ends, FD_CLOEXEC, &error)
      || !g_spawn_async_with_pipes_and_fds (NULL, arguments, (const char *const *) environment,
                                            G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL, -1, -1, -1, &ends[1], &target, 1,
                                            &pid, NULL, NULL, NULL, &error))
    g_error ("%s", error->message);
  close (ends[1]);
  *read_end = ends[0];
  return pid;
}

/* Is there anything that it still waits for? */
static gboolean
has_all (const double *at, gboolean with_file)
{
  return at[AT_FRAME] == at[AT_FRAME] && (!with_file || at[AT_PLANES] == at[AT_PLANES]);
}

/* at: N_VALUES. shot: under which name to save the screen; nullable. Returns how many colours the screen had in the
 * end. */
static guint
run (Perf *perf, gboolean with_file, const char *renderer, const char *shot, double *at)
{
  g_autofree Frame *frames = g_new0 (Frame, MOST_FRAMES);
  g_autofree guint8 *last = NULL;
  g_autoptr (GInputStream) raw = NULL;
  g_autoptr (GDataInputStream) stream = NULL;
  int read_end, status;
  const gint64 began = g_get_monotonic_time ();
  const GPid pid = start (perf, with_file, renderer, &read_end);
  gint64 until = began + LONGEST_US;
  guint n = 0, colours;

  for (guint i = 0; i < N_VALUES; i++)
    at[i] = NAN;
  raw = g_unix_input_stream_new (read_end, TRUE);
  stream = g_data_input_stream_new (raw);
  while (g_get_monotonic_time () < until)
    {
      GPollFD waits = { read_end, G_IO_IN, 0 };
      g_autofree char *line = NULL;
      char *space;
      double ms, busy;

      if (g_buffered_input_stream_get_available (G_BUFFERED_INPUT_STREAM (stream)) == 0
          && g_poll (&waits, 1, (int) (MAX (until - g_get_monotonic_time (), 0) / 1000)) <= 0)
        break;
      line = g_data_input_stream_read_line (stream, NULL, NULL, NULL);
      if (line == NULL || (space = strchr (line, ' ')) == NULL)
        break;
      *space = '\0';
      ms = (double) (g_ascii_strtoll (space + 1, &space, 10) - began) * 1e-3;
      busy = (double) g_ascii_strtoll (space, NULL, 10) * 1e-3;
      for (guint i = 0; i < N_PHASES; i++)
        if (g_strcmp0 (stamps[i], line) == 0 && at[i] != at[i])
          {
            at[i] = ms;
            at[N_PHASES + i] = busy;
          }
      if (strcmp (line, "frame") != 0 || !has_all (at, with_file) || n == MOST_FRAMES)
        continue;
      if (n == 0)
        {
          at[AT_PICTURE] = ms;
          at[N_PHASES + AT_PICTURE] = busy;
        }
      frames[n].at = ms;
      frames[n].busy = busy;
      frames[n++].pixels = grab (perf);
      until = MAX (began + LONGEST_US / 60, g_get_monotonic_time () + SETTLE_US);
    }
  last = grab (perf);
  colours = count_colours (perf, last);
  for (guint i = n; i-- > 0 && compare (perf, frames[i].pixels, last) >= SAME;)
    {
      at[AT_STILL] = frames[i].at;
      at[N_PHASES + AT_STILL] = frames[i].busy;
    }
  if (shot != NULL && n > 0)
    {
      g_autofree char *name = g_strconcat (shot, "-at-last", NULL);

      save (perf, frames[0].pixels, shot);
      save (perf, last, name);
    }
  for (guint i = 0; i < n; i++)
    g_free (frames[i].pixels);
  if (!with_file)
    at[AT_PICTURE] = at[N_PHASES + AT_PICTURE] = NAN;
  kill (pid, SIGTERM);
  waitpid (pid, &status, 0);
  g_spawn_close_pid (pid);
  return colours;
}

/* ---- all of them ---- */

static int
compare_doubles (gconstpointer a, gconstpointer b)
{
  const double p = *(const double *) a, q = *(const double *) b;

  return (p > q) - (p < q);
}

/* Of those that there are. */
static double
find_median (GArray *values)
{
  g_array_sort (values, compare_doubles);
  return values->len > 0 ? g_array_index (values, double, values->len / 2) : NAN;
}

typedef struct
{
  const char *renderer;         /* NULL: GSK's own choice */
  gboolean    with_file;
  GArray     *ms[N_VALUES];
  double      first[N_VALUES];  /* with nothing cached */
  guint       colours;
} Case;

static void
measure (Perf *perf, Case *item, guint i)
{
  g_autofree char *shot = g_strdup_printf ("%s-%s", item->with_file ? "file" : "empty",
                                           item->renderer != NULL ? item->renderer : "default");
  double at[N_VALUES];

  item->colours = run (perf, item->with_file, item->renderer, i == 1 && perf->shots != NULL ? shot : NULL, at);
  if (i == 0)
    memcpy (item->first, at, sizeof at);
  for (guint j = 0; j < N_VALUES && i > 0; j++)
    if (at[j] == at[j])
      g_array_append_val (item->ms[j], at[j]);
}

static double
find_least (GArray *values)
{
  g_array_sort (values, compare_doubles);
  return values->len > 0 ? g_array_index (values, double, 0) : NAN;
}

static void
print_value (double value)
{
  if (value == value)
    g_print (" %8.0f", value);
  else
    g_print (" %8s", "–");
}

static void
print_table (Case *cases, guint n)
{
  g_print ("%-18s", "ms from the start");
  for (guint i = 0; i < n; i++)
    g_print (" %8s", cases[i].renderer != NULL ? cases[i].renderer : "default");
  g_print ("\n%-18s", "");
  for (guint i = 0; i < n; i++)
    g_print (" %8s", cases[i].with_file ? "file" : "empty");
  for (guint j = 0; j < N_PHASES; j++)
    {
      g_print ("\n%-18s", names[j]);
      for (guint i = 0; i < n; i++)
        print_value (find_median (cases[i].ms[j]));
    }
  g_print ("\n\n%-18s", "of a processor");
  for (guint j = 0; j < N_PHASES; j++)
    {
      g_print ("\n%-18s", names[j]);
      for (guint i = 0; i < n; i++)
        print_value (find_median (cases[i].ms[N_PHASES + j]));
    }
  g_print ("\n\n%-18s", "least, complete");
  for (guint i = 0; i < n; i++)
    print_value (find_least (cases[i].ms[AT_STILL]));
  g_print ("\n%-18s", "first, complete");
  for (guint i = 0; i < n; i++)
    print_value (cases[i].first[AT_STILL]);
  g_print ("\n%-18s", "colours seen");
  for (guint i = 0; i < n; i++)
    g_print (" %8u", cases[i].colours);
  g_print ("\n");
}

static void
print_json (Case *cases, guint n)
{
  g_print ("{\"window\": [");
  for (guint i = 0; i < n; i++)
    {
      g_print ("%s\n  {\"renderer\": \"%s\", \"file\": %s", i > 0 ? "," : "",
               cases[i].renderer != NULL ? cases[i].renderer : "default", cases[i].with_file ? "true" : "false");
      for (guint j = 0; j < N_PHASES; j++)
        if (cases[i].ms[j]->len > 0)
          g_print (", \"%s\": %.1f", names[j], find_median (cases[i].ms[j]));
      g_print ("}");
    }
  g_print ("\n]}\n");
}

int
main (int argc, char **argv)
{
  Perf perf = { .display = NULL };
  int runs = 11;
  gboolean json = FALSE;
  g_autofree char *shots = NULL;
  g_auto (GStrv) rest = NULL;
  const GOptionEntry options[] = {
    { "runs", 0, 0, G_OPTION_ARG_INT, &runs, "how many are measured of each", "N" },
    { "json", 0, 0, G_OPTION_ARG_NONE, &json, "print JSON", NULL },
    { "shots", 0, 0, G_OPTION_ARG_FILENAME, &shots, "save what the screen showed there", "FOLDER" },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &rest, NULL, NULL },
    { NULL }
  };
  g_autoptr (GOptionContext) context = g_option_context_new ("PROGRAM [FILE]");
  g_autoptr (GError) error = NULL;
  Case cases[4];
  guint n = 0;

  setlocale (LC_ALL, "");
  g_option_context_add_main_entries (context, options, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error) || rest == NULL || runs < 1)
    {
      g_printerr ("%s\n", error != NULL ? error->message : "perf-start [--runs=N] [--json] PROGRAM [FILE]");
      return 2;
    }
  perf.display = XOpenDisplay (NULL);
  if (perf.display == NULL)
    {
      g_printerr ("There is no X display; tests/run-graphical.sh makes one\n");
      return 2;
    }
  perf.width = DisplayWidth (perf.display, DefaultScreen (perf.display));
  perf.height = DisplayHeight (perf.display, DefaultScreen (perf.display));
  perf.program = rest[0];
  perf.file = rest[1];
  perf.shots = shots;
  perf.folder = g_dir_make_tmp ("perf-start-XXXXXX", &error);
  if (perf.folder == NULL)
    g_error ("%s", error->message);
  for (guint i = 0; i < (perf.file != NULL ? 4 : 2); i++)
    {
      cases[n] = (Case) { .renderer = i % 2 == 1 ? "cairo" : NULL, .with_file = i >= 2 };
      for (guint j = 0; j < N_VALUES; j++)
        cases[n].ms[j] = g_array_new (FALSE, FALSE, sizeof (double));
      n++;
    }
  for (int i = 0; i <= runs; i++)
    for (guint j = 0; j < n; j++)
      measure (&perf, &cases[j], (guint) i);
  if (json)
    print_json (cases, n);
  else
    print_table (cases, n);
  remove_tree (perf.folder);
  g_free (perf.folder);
  for (guint i = 0; i < n; i++)
    for (guint j = 0; j < N_VALUES; j++)
      g_array_unref (cases[i].ms[j]);
  XCloseDisplay (perf.display);
  return 0;
}
