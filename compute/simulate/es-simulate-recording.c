/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-simulate-recording-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "array/es-array.h"
#include "base/es-error.h"
#include "base/es-file-internal.h"
#include "base/es-text-internal.h"
#include "calibration/es-calibration.h"
#include "navigation/es-navigation.h"
#include "saving/es-inputs-internal.h"
#include "writers/es-companion-internal.h"

/* Elements that a thread makes at a time: what they make stays in its cache, and goes out in lines. */
#define TILE_ELEMENTS 16
/* Stored samples of a chunk; frames of one, a multiple of what every format likes. */
#define CHUNK_BYTES (64 << 20)
#define CHUNK_GRAIN 2048
#define CHUNK_MOST (8 * CHUNK_GRAIN)
#define MOST_THREADS 16
/* Frames between two points where the delays of moving sources are evaluated, and seconds that they may err. */
#define LONGEST_SEGMENT 64
#define LARGEST_ERROR 1e-7
#define AMBIENT_NONE -200

static const EsParamChoice type_choices[] = {
  { .id = "int16", .label = N_("16-bit signed") },
  { .id = "float32", .label = N_("32-bit floating point") },
  { .id = NULL }
};

static const EsParamChoice format_choices[] = {
  { .id = "auto", .label = N_("By the file's name") },
  { .id = "wav", .label = N_("WAV (RF64 above 4 GB)") },
  { .id = "w64", .label = N_("Sony Wave64") },
  { .id = "rf64", .label = N_("RF64") },
  { .id = "h5", .label = N_("HDF5 (Acoular)") },
  { .id = "sio", .label = N_("Scripps SIO") },
  { .id = "raw", .label = N_("Raw, interleaved, little endian") },
  { .id = NULL }
};

static const EsParamChoice spectrum_choices[] = {
  { .id = "white", .label = N_("White") },
  { .id = "sea", .label = N_("Sea: −5 dB an octave above 20 Hz") },
  { .id = NULL }
};

/* A file may not be there yet when the parameter is written down. */
static gboolean
check_array (const char *text, GError **error)
{
  g_autoptr (EsArray) array = NULL;
  g_autoptr (GError) local_error = NULL;

  if (g_ascii_strncasecmp (text, "line:", 5) != 0 || (array = es_array_parse (text, &local_error)) != NULL)
    return TRUE;
  g_set_error_literal (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER, local_error->message);
  return FALSE;
}

const EsParamSpec es_simulate_recording_params[] = {
  { .key = "array", .label = N_("Array"),
    .help = N_("A line of elements, line:ELEMENTS,SPACING[,AZIMUTH], or a file with their positions."),
    .type = ES_PARAM_TEXT, .default_text = "line:64,1.5", .check = check_array },
  { .key = "rate", .label = N_("Sampling rate"),
    .help = N_("Samples a second of every element."),
    .type = ES_PARAM_INT, .unit = N_("Hz"), .minimum = 1, .maximum = 1e7, .step = 1000, .default_value = 8000 },
  { .key = "seconds", .label = N_("Length"),
    .help = N_("How long the recording is."),
    .type = ES_PARAM_FLOAT, .unit = N_("s"),
    .minimum = 1e-3, .maximum = 1e7, .step = 10, .digits = 3, .default_value = 60 },
  { .key = "sound-speed", .label = N_("Sound speed"),
    .help = N_("The speed of sound; 0 takes the array's own."),
    .type = ES_PARAM_FLOAT, .unit = N_("m/s"),
    .maximum = 20000, .step = 1, .digits = 1, .zero_label = N_("The array's") },
  { .key = "type", .label = N_("Sample type"),
    .help = N_("How a sample is stored. Integers are scaled so that nothing is clipped; the gains of the array beside "
               "the recording undo it."),
    .type = ES_PARAM_CHOICE, .choices = type_choices },
  { .key = "format", .label = N_("Format"),
    .help = N_("The file's format. Sound files hold up to 1,024 channels, the others more."),
    .type = ES_PARAM_CHOICE, .choices = format_choices },
  { .key = "sources", .label = N_("Sources"),
    .help = N_("What is heard, divided by semicolons: KIND,BEARING,LEVEL,FREQUENCY and then what else is to be told. "
               "Kinds are tone (a frequency; harmonics=), noise and propeller (LOW:HIGH; shaft= turns a second, "
               "blades=). Bearings are degrees, levels dB of the mean square; range= in metres, elevation= and rate= "
               "in degrees and degrees a minute, 0 and far otherwise; copy= the number of an earlier source whose "
               "signal it has, as another path of it."),
    .type = ES_PARAM_TEXT,
    .default_text = "noise,123,0,300:440;tone,60,-10,60;propeller,30,-3,200:1000,shaft=2,blades=5,rate=-4,range=400",
    .check = es_simulate_check_sources },
  { .key = "ambient", .label = N_("Ambient noise"),
    .help = N_("The level of the noise that each element hears for itself, as dB of its mean square; -200 is none."),
    .type = ES_PARAM_FLOAT, .unit = N_("dB"), .group = ES_PARAM_GROUP_THRESHOLDS,
    .minimum = AMBIENT_NONE, .maximum = 300, .step = 1, .digits = 1, .default_value = -10 },
  { .key = "ambient-spectrum", .label = N_("Its spectrum"),
    .help = N_("How ambient noise is spread over frequencies."),
    .type = ES_PARAM_CHOICE, .group = ES_PARAM_GROUP_THRESHOLDS, .choices = spectrum_choices },
  { .key = "seed", .label = N_("Seed"),
    .help = N_("Another number makes another recording; the same number, the same bytes."),
    .type = ES_PARAM_INT, .maximum = G_MAXUINT32, .default_value = 1 },
  { .type = ES_PARAM_END },
};

/* One run. */
typedef struct
{
  EsRecordingScene  scene;
  EsSimulateFormat  format;
  EsSourceChunk    *chunks;        /* one a source */
  gsize             chunk_frames;
  guint8           *samples;       /* of a chunk, as stored */

  /* The chunk that is being made */
  guint64           first;
  gsize             n;
  gint              next;          /* source or tile; atomic */
  gint              failed;        /* atomic: no memory */
  gboolean          tiles;         /* which of the two */

  GCancellable     *cancellable;
  EsInputs         *array_file;    /* nullable */
} Run;

static void
run_clear (Run *run)
{
  for (guint i = 0; run->chunks != NULL && i < run->scene.sources->len; i++)
    {
      g_free (run->chunks[i].samples);
      g_free (run->chunks[i].even);
      g_free (run->chunks[i].odd);
      g_free (run->chunks[i].places);
    }
  g_free (run->chunks);
  g_free (run->samples);
  g_clear_pointer (&run->array_file, es_inputs_release);
  g_clear_pointer (&run->scene.array, es_array_unref);
  g_clear_pointer (&run->scene.sources, g_array_unref);
  g_free (run->scene.kernel);
  g_free (run->scene.fade);
  g_free (run->scene.ambient_fade);
  g_free (run->scene.ambient_deviations);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Run, run_clear)

/* ---- preparation ---- */

static gboolean
refuse (GError **error, char *message)
{
  g_set_error_literal (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER, message);
  g_free (message);
  return FALSE;
}

static gboolean
check_sources (const EsRecordingScene *scene, GError **error)
{
  for (guint i = 0; i < scene->sources->len; i++)
    {
      const EsSource *s = &g_array_index (scene->sources, EsSource, i);
      const double highest = s->kind == ES_SOURCE_TONE ? s->low * s->harmonics : s->high;
      if (highest > scene->rate / 2)
        return refuse (error,
                       g_strdup_printf (_("Source %u reaches %.6g Hz, above %.6g Hz, half of the sampling rate."),
                                               i + 1, highest, scene->rate / 2));
    }
  return TRUE;
}

/* Delays that are linear between points err by at most an eighth of their second derivative times the square of a
 * segment, and that derivative is about the transit time times the square of the rate. */
static void
choose_segment (EsRecordingScene *scene)
{
  double fastest = 0;

  for (guint i = 0; i < scene->sources->len; i++)
    fastest = MAX (fastest, fabs (g_array_index (scene->sources, EsSource, i).bearing_rate) * G_PI / 180 / 60);
  scene->segment = LONGEST_SEGMENT;
  while (scene->segment > 1
         && scene->farthest / scene->sound_speed * pow (fastest * scene->segment / scene->rate, 2) > LARGEST_ERROR)
    scene->segment /= 2;
}

/* Integers: what is loudest in the scene becomes 32767, whatever the elements' gains are. */
static void
choose_scale (EsRecordingScene *scene)
{
  double least = INFINITY;
  const double peak = es_sources_peak (scene->sources, scene->ambient);

  scene->scale = 1;
  for (guint k = 0; k < scene->n_elements; k++)
    if (!scene->elements[k].dead && scene->elements[k].gain != 0)
      least = MIN (least, fabs (scene->elements[k].gain));
  if (scene->type == ES_SIMULATE_SAMPLES_INT16 && peak > 0 && isfinite (least))
    scene->scale = 32767 / peak * least;
}

static gboolean
prepare_scene (EsRecordingScene *scene, EsParams *params, GError **error)
{
  const double told = es_params_get_float (params, "sound-speed"), ambient = es_params_get_float (params, "ambient");
  g_autoptr (GError) local_error = NULL;

  scene->array = es_array_parse (es_params_get_text (params, "array"), error);
  if (scene->array == NULL
      || !es_sources_parse (es_params_get_text (params, "sources"), &scene->sources, error))
    return FALSE;
  if (told != 0 && told < 10)
    return refuse (error, g_strdup_printf (_("The parameter “%s” cannot be “%g”: expected %s."), "sound-speed", told,
                                           _("metres a second, about 1500 in water")));
  scene->elements = es_array_get_elements (scene->array);
  scene->n_elements = es_array_get_n_elements (scene->array);
  es_array_get_origin_place (scene->array, scene->origin);
  for (guint k = 0; k < scene->n_elements; k++)
    if (!scene->elements[k].dead)
      {
        const EsElement *e = &scene->elements[k];
        const double x = e->x - scene->origin[0], y = e->y - scene->origin[1], z = e->z - scene->origin[2];
        scene->channels = MAX (scene->channels, e->channel + 1);
        scene->farthest = MAX (scene->farthest, sqrt (x * x + y * y + z * z));
      }
  if (scene->channels == 0 || scene->channels > 65536)
    return refuse (error, g_strdup_printf (_("A recording of %u channels cannot be simulated: expected 1 to 65,536."),
                                           scene->channels));

  scene->rate = es_params_get_int (params, "rate");
  scene->sound_speed = told != 0 ? told : es_array_get_sound_speed (scene->array);
  const double frames = rint (es_params_get_float (params, "seconds") * scene->rate);
  if (frames < 1)
    return refuse (error, g_strdup (_("The recording would have no sample: expected a longer one, or a higher rate.")));
  if (scene->farthest / scene->sound_speed * scene->rate > 1 << 27)
    return refuse (error, g_strdup_printf (_("Sound takes %.6g s to the end of the array, too long for a simulation at "
                                             "%.6g Hz."), scene->farthest / scene->sound_speed, scene->rate));
  scene->frames = (guint64) frames;
  scene->seed = es_params_get_int (params, "seed");
  scene->type = es_params_get_choice (params, "type");
  scene->ambient = ambient > AMBIENT_NONE ? pow (10, ambient / 20) : 0;
  scene->ambient_white = es_params_get_choice (params, "ambient-spectrum") == 0;
  choose_scale (scene);
  choose_segment (scene);

  /* About a second: bands are as sharp as one hertz. */
  scene->transform = 1024;
  while (scene->transform < 2 * scene->rate && scene->transform < 1 << 20)
    scene->transform *= 2;
  es_simulate_prepare_signals (scene);
  return check_sources (scene, error);
}

static gboolean
no_memory (GError **error)
{
  g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY, _("There is no memory to simulate this recording."));
  return FALSE;
}

static gboolean
allocate (Run *run, GError **error)
{
  const EsRecordingScene *scene = &run->scene;
  const gsize frame_bytes = scene->channels * (scene->type == ES_SIMULATE_SAMPLES_INT16 ? 2 : 4);
  const gsize grains = CLAMP (CHUNK_BYTES / (frame_bytes * CHUNK_GRAIN), 1, CHUNK_MOST / CHUNK_GRAIN);

  run->chunk_frames = MIN (grains * CHUNK_GRAIN, (scene->frames + CHUNK_GRAIN - 1) / CHUNK_GRAIN * CHUNK_GRAIN);
  run->samples = g_try_malloc (run->chunk_frames * frame_bytes);
  run->chunks = g_new0 (EsSourceChunk, MAX (scene->sources->len, 1));
  for (guint i = 0; i < scene->sources->len; i++)
    {
      const EsSource *source = &g_array_index (scene->sources, EsSource, i);
      EsSourceChunk *chunk = &run->chunks[i];
      const gsize late = (gsize) ceil (2 * scene->farthest / scene->sound_speed * scene->rate);

      chunk->places = g_new (EsSourcePlace, run->chunk_frames / scene->segment + 2);
      if (source->kind == ES_SOURCE_TONE)
        continue;
      chunk->n = 2 * (run->chunk_frames + late + 2 * ES_SIMULATE_TAPS);
      chunk->samples = g_try_new (float, chunk->n);
      chunk->even = g_try_new (float, chunk->n / 2);
      chunk->odd = g_try_new (float, chunk->n / 2);
      if (chunk->samples == NULL || chunk->even == NULL || chunk->odd == NULL)
        return no_memory (error);
    }
  return run->samples != NULL || no_memory (error);
}

/* ---- a chunk ---- */

static void
make_source (Run *run, guint i)
{
  const EsRecordingScene *scene = &run->scene;
  const EsSource *source = &g_array_index (scene->sources, EsSource, i);
  EsSourceChunk *chunk = &run->chunks[i];
  const gint64 late = (gint64) ceil (2 * scene->farthest / scene->sound_speed * scene->rate);

  for (gsize p = 0; p * scene->segment <= run->chunk_frames; p++)
    chunk->places[p] = es_source_place (scene->array, source,
                                        (run->first + p * scene->segment) / scene->rate);
  chunk->first = 2 * (gint64) run->first - (late + late % 2) - 2 * ES_SIMULATE_TAPS;
  if (!es_source_make_signal (scene, i, chunk))
    g_atomic_int_set (&run->failed, 1);
}

static void
store_tile (Run *run, guint first_element, guint n_elements, const float *tile)
{
  const EsRecordingScene *scene = &run->scene;

  for (guint k = 0; k < n_elements; k++)
    {
      const EsElement *element = &scene->elements[first_element + k];
      const float *line = tile + (gsize) k * run->chunk_frames;
      const float scale = element->gain != 0 ? scene->scale / element->gain : 0;

      if (element->dead)
        continue;
      if (scene->type == ES_SIMULATE_SAMPLES_FLOAT32)
        for (gsize i = 0; i < run->n; i++)
          ((float *) run->samples)[i * scene->channels + element->channel] = line[i] * scale;
      else
        for (gsize i = 0; i < run->n; i++)
          ((gint16 *) run->samples)[i * scene->channels + element->channel] =
            (gint16) CLAMP (rintf (line[i] * scale), -32767, 32767);
    }
}

static void
make_tile (Run *run, guint number, EskFft *fft, float *work, float *tile)
{
  const EsRecordingScene *scene = &run->scene;
  const guint first = number * TILE_ELEMENTS, n = MIN (TILE_ELEMENTS, scene->n_elements - first);

  for (guint k = 0; k < n; k++)
    {
      float *line = tile + (gsize) k * run->chunk_frames;
      if (scene->elements[first + k].dead)
        continue;
      memset (line, 0, run->n * sizeof (float));
      for (guint i = 0; i < scene->sources->len; i++)
        es_source_add (scene, i, &run->chunks[i], first + k, run->first, run->n, line);
      if (scene->ambient > 0)
        es_ambient_add (scene, fft, work, first + k, run->first, run->n, line);
    }
  store_tile (run, first, n, tile);
}

static guint
count_tasks (const Run *run)
{
  return run->tiles ? (run->scene.n_elements + TILE_ELEMENTS - 1) / TILE_ELEMENTS : run->scene.sources->len;
}

static gpointer
work_main (gpointer data)
{
  Run *run = data;
  const guint count = count_tasks (run);
  const guint lines = MIN (TILE_ELEMENTS, run->scene.n_elements);
  g_autofree float *tile = NULL, *work = NULL;
  EskFft *fft = NULL;

  if (run->tiles)
    {
      tile = g_try_new (float, run->chunk_frames * lines);
      work = g_try_new (float, ES_SIMULATE_AMBIENT_WORK);
      fft = esk_fft_new (ES_SIMULATE_AMBIENT);
      if (tile == NULL || work == NULL || fft == NULL)
        g_atomic_int_set (&run->failed, 1);
    }
  while (!g_atomic_int_get (&run->failed) && !g_cancellable_is_cancelled (run->cancellable))
    {
      const guint number = g_atomic_int_add (&run->next, 1);
      if (number >= count)
        break;
      if (run->tiles)
        make_tile (run, number, fft, work, tile);
      else
        make_source (run, number);
    }
  esk_fft_free (fft);
  return NULL;
}

/* All sources, or all elements, by all threads. */
static void
share_work (Run *run, gboolean tiles)
{
  GThread *threads[MOST_THREADS] = { NULL };
  guint n;

  run->tiles = tiles;
  run->next = 0;
  n = MIN (MIN (g_get_num_processors (), MOST_THREADS), count_tasks (run));
  /* This thread is one of them; where no other can be had, it does it all. */
  for (guint i = 1; i < n; i++)
    threads[i] = g_thread_try_new ("simulate", work_main, run, NULL);
  work_main (run);
  for (guint i = 1; i < n; i++)
    if (threads[i] != NULL)
      g_thread_join (threads[i]);
}

static gboolean
make_recording (Run *run, EsRecordingWriter *writer, void (*progress) (double fraction, gpointer data), gpointer data,
                GError **error)
{
  const EsRecordingScene *scene = &run->scene;

  /* Channels without a living element stay silent. */
  memset (run->samples, 0, run->chunk_frames * scene->channels * (scene->type == ES_SIMULATE_SAMPLES_INT16 ? 2 : 4));
  for (run->first = 0; run->first < scene->frames; run->first += run->n)
    {
      run->n = MIN (run->chunk_frames, scene->frames - run->first);
      share_work (run, FALSE);
      share_work (run, TRUE);
      if (g_cancellable_set_error_if_cancelled (run->cancellable, error))
        return FALSE;
      if (run->failed)
        return no_memory (error);
      if (!es_recording_writer_add (writer, run->samples, run->n, error))
        return FALSE;
      if (progress != NULL)
        progress ((double) (run->first + run->n) / scene->frames, data);
    }
  return TRUE;
}

/* ---- the files ---- */

static gboolean
write_text (EsOutputs *outputs, const char *path, const char *text, GError **error)
{
  const EsOutput *output = es_outputs_add (outputs, path, FALSE, error);

  return output != NULL && es_file_write (output->fd, output->path, text, strlen (text), error);
}

/* The file that tells where the elements are is read, and stays; NULL: there is none. */
static EsInputs *
hold_array (EsParams *params)
{
  g_autoptr (GFile) file = es_array_find_file (es_params_get_text (params, "array"));

  return file != NULL ? es_inputs_hold ((GFile *[]) { file, NULL }) : NULL;
}

/* Somebody else's recording stays, and what is told of it is not told of this one. */
static gboolean
check_files (GFile *target, const char *path, const char *sidecar, const char *truth, GError **error)
{
  const char *const paths[] = { path, sidecar, truth, NULL };

  if (!es_simulate_check_inputs (paths, error))
    return FALSE;
  if (es_companion_is_agreed (target))
    return TRUE;

  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFile) calibration = es_calibration_sidecar_of (file), navigation = es_navigation_sidecar_of (file);
  return es_companion_check (path, sidecar, NULL, error) && es_companion_check (path, truth, NULL, error)
         && es_simulate_check_earlier (paths, truth, ES_RECORDING_TRUTH_HEAD, error)
         && es_simulate_check_beside (path, calibration, error) && es_simulate_check_beside (path, navigation, error);
}

gboolean
es_simulate_recording (GFile *target, EsParams *params, void (*progress) (double fraction, gpointer data),
                       gpointer data, GCancellable *cancellable, GError **error)
{
  g_auto (Run) run = { .cancellable = cancellable };
  g_autoptr (EsOutputs) outputs = es_outputs_new ();
  g_autofree char *path = es_output_local_path (target, error);
  EsRecordingScene *scene = &run.scene;

  run.array_file = hold_array (params);
  if (path == NULL || g_cancellable_set_error_if_cancelled (cancellable, error)
      || !prepare_scene (scene, params, error))
    return FALSE;
  run.format = es_params_get_choice (params, "format");
  if (!es_recording_format_settle (path, &run.format, error)
      || !es_recording_writer_check (run.format, scene->channels, scene->type, scene->frames, path, error)
      || !es_simulate_check_space (path, scene->frames * scene->channels
                                         * (scene->type == ES_SIMULATE_SAMPLES_INT16 ? 2 : 4), error)
      || !allocate (&run, error))
    return FALSE;

  g_autoptr (GFile) file = g_file_new_for_path (path), sidecar = es_array_sidecar_of (file);
  g_autofree char *sidecar_path = g_file_get_path (sidecar), *truth = es_recording_truth_path (path);
  if (!check_files (target, path, sidecar_path, truth, error))
    return FALSE;

  g_autoptr (EsRecordingWriter) writer =
    es_recording_writer_new (outputs, path, run.format, scene->channels, scene->rate, scene->type, scene->frames,
                             error);
  if (writer == NULL || !make_recording (&run, writer, progress, data, error)
      || !es_recording_writer_finish (writer, error))
    return FALSE;

  g_autoptr (EsArray) array = es_recording_scene_make_array (scene, error);
  g_autofree char *json = array != NULL ? es_array_to_json (array) : NULL;
  g_autoptr (GString) truths = es_recording_scene_tell_truth (scene);
  return json != NULL && write_text (outputs, sidecar_path, json, error)
         && write_text (outputs, truth, truths->str, error)
         && es_outputs_commit (outputs, error);
}
