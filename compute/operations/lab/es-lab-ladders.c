/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The eight ladders as operations and experiments. */

#include <glib/gi18n-lib.h>

#include "base/es-error.h"
#include "es-lab-ladder-private.h"
#include "ladder/es-ladder-words-internal.h"

/* ---- parameters ---- */

static gboolean
check_strategies (const char *text, GError **error)
{
  g_auto (GStrv) words = es_strategies_split (text);

  for (guint i = 0; words[i] != NULL; i++)
    if (es_strategy_find (words[i]) == NULL)
      {
        g_autoptr (GString) known = g_string_new (NULL);

        for (guint k = 0; k < es_strategies_get_n (); k++)
          g_string_append_printf (known, "%s%s", k > 0 ? ", " : "", es_strategies_get (k)->id);
        g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER, _("There is no strategy “%s”; there are %s."),
                     words[i], known->str);
        return FALSE;
      }
  return TRUE;
}

static const EsParamChoice scenes[] = {
  { "default", N_("By the device") },
  { "d1", "D1, 614 × 512" }, { "d2", "D2, 614 × 1087" }, { "d3", "D3, 753 × 1924" }, { "d4", "D4, 781 × 6955" },
  { "custom", N_("As given") }, { .id = NULL },
};
static const EsParamChoice arrays_of_fourier[] = {
  { "default", N_("By the device") }, { "128", "128" }, { "256", "256" }, { "512", "512" }, { "1024", "1024" },
  { "2048", "2048" }, { "custom", N_("As given") }, { .id = NULL },
};
static const EsParamChoice arrays_of_beams[] = {
  { "default", N_("By the device") }, { "512", "512" }, { "1024", "1024" }, { "2048", "2048" },
  { "custom", N_("As given") }, { .id = NULL },
};
static const EsParamChoice arrays_of_azimuth[] = {
  { "default", N_("By the device") }, { "1024", "1024" }, { "2048", "2048" }, { "custom", N_("As given") },
  { .id = NULL },
};

#define SIZE(list) \
  { .key = "size", .label = N_("Size"), \
    .help = N_("Of the work: what suits the device, one that has been published, or numbers of your own. Larger ones " \
               "take longer, and rungs that would take too long are left out."), \
    .type = ES_PARAM_CHOICE, .choices = list }
#define NUMBER(name, title, says, most, usual) \
  { .key = name, .label = title, .help = says, .type = ES_PARAM_INT, .minimum = 1, .maximum = most, \
    .default_value = usual, .visible_if = "size=custom" }
#define WIDTH NUMBER ("width", N_("Width"), N_("Pixels of a row."), 20000, 256)
#define HEIGHT NUMBER ("height", N_("Height"), N_("Rows of the image."), 20000, 256)
#define BANDS NUMBER ("bands", N_("Bands"), N_("Bands of the image."), 1024, 224)
#define ROWS(most) NUMBER ("rows", N_("Components"), N_("Rows of the basis, or vectors."), most, 27)
#define ELEMENTS(usual) NUMBER ("elements", N_("Elements"), N_("Hydrophones of the array."), 16384, usual)
#define ANGLES(usual) NUMBER ("angles", N_("Angles"), N_("Directions of beams."), 3600, usual)
#define RANGES NUMBER ("ranges", N_("Ranges"), N_("Distances of beams, far away being one of them."), 32, 8)
#define BINS(usual) NUMBER ("bins", N_("Bins"), N_("Frequencies that are wanted."), 16384, usual)
#define SAMPLES NUMBER ("samples", N_("Samples"), N_("Of a block of one element."), 65536, 8192)

#define REST \
  ES_LAB_PARAM_REPEATS, \
  { .key = "seconds", .label = N_("Seconds a rung"), \
    .help = N_("What would take longer is measured fewer times; a rung that takes longer once is left out, and says " \
               "so."), \
    .type = ES_PARAM_FLOAT, .maximum = 60, .digits = 1, .unit = N_("s"), .zero_label = N_("Automatic"), \
    .advanced = TRUE }, \
  { .key = "off", .label = N_("Strategies off"), \
    .help = N_("Rungs that apply one of these are left out: “G_3, S_5”. What is compared is then the nearest rung " \
               "below that is left."), \
    .type = ES_PARAM_TEXT, .zero_label = N_("None"), .check = check_strategies }, \
  { .key = "rungs", .label = N_("Rungs"), \
    .help = N_("The rungs that are climbed, by their names: “v0, v4, production”."), \
    .type = ES_PARAM_TEXT, .zero_label = N_("All") }, \
  { .key = "threads", .label = N_("Threads"), \
    .help = N_("Of a processor: how many are used at most. Of a card: of a block, where a rung leaves that open."), \
    .type = ES_PARAM_INT, .maximum = 1024, .zero_label = N_("Automatic"), .advanced = TRUE }

static const EsParamSpec covariance_params[] = { SIZE (scenes), WIDTH, HEIGHT, BANDS, REST, { .type = ES_PARAM_END } };
static const EsParamSpec transform_params[] = { SIZE (scenes), WIDTH, HEIGHT, BANDS, ROWS (512), REST,
                                                { .type = ES_PARAM_END } };
static const EsParamSpec ica_params[] = { SIZE (scenes), WIDTH, HEIGHT, ROWS (256), REST, { .type = ES_PARAM_END } };
static const EsParamSpec noise_params[] = { SIZE (scenes), WIDTH, HEIGHT, BANDS, REST, { .type = ES_PARAM_END } };
static const EsParamSpec fourier_params[] = { SIZE (arrays_of_fourier), ELEMENTS (512), SAMPLES, BINS (493), REST,
                                              { .type = ES_PARAM_END } };
static const EsParamSpec beams_params[] = { SIZE (arrays_of_beams), ELEMENTS (1024), ANGLES (160), RANGES, BINS (166),
                                            REST, { .type = ES_PARAM_END } };
static const EsParamSpec jacobi_params[] = {
  SIZE (arrays_of_beams), ELEMENTS (512),
  { .key = "samples", .label = N_("Snapshots"),
    .help = N_("What the matrix is made of. One, as it seems to have been published, needs a single sweep of "
               "rotations; as many as there are elements, several."),
    .type = ES_PARAM_INT, .maximum = 65536, .zero_label = N_("One"), .visible_if = "size=custom" },
  { .key = "sweep", .label = N_("Sweep threads"),
    .help = N_("The first rung is climbed with 64 to 1024 threads a block, too, as it was published."),
    .type = ES_PARAM_BOOL, .default_value = TRUE },
  REST, { .type = ES_PARAM_END }
};
static const EsParamSpec azimuth_params[] = { SIZE (arrays_of_azimuth), ELEMENTS (1024), ANGLES (180), REST,
                                              { .type = ES_PARAM_END } };

/* ---- what they are ---- */

#define LADDER(name, NAME, name_id, of_params, its_short_title, its_summary) \
  const EsOperation es_operation_ladder_##name = { \
    .id = name_id, .title = ES_LADDER_##NAME##_TITLE, .short_title = its_short_title, .summary = its_summary, \
    .version = 1, .takes = ES_DATASET_DEVICE, .params = of_params, .plan = es_lab_ladder_plan, \
    .run = es_lab_ladder_run, \
  }; \
  const EsExperiment es_experiment_ladder_##name = { \
    .operation = &es_operation_ladder_##name, .group = ES_EXPERIMENTS_LADDERS, \
    .question = ES_LADDER_##NAME##_QUESTION, .how = ES_LADDER_##NAME##_HOW, .predict = ES_LADDER_##NAME##_PREDICT, \
    .kinds = ES_EXPERIMENT_ON_CPU | ES_EXPERIMENT_ON_GPU, \
  };

LADDER (covariance, COVARIANCE, "ladder-covariance", covariance_params, N_("Covariance"),
        N_("The sums of a covariance matrix one way after the other, from the definition to what the program does, "
           "with the changed lines, times, and what each step brought then and now."))
LADDER (transform, TRANSFORM, "ladder-transform", transform_params, N_("Transform"),
        N_("The product of a basis and an image one way after the other, from the definition to what the program "
           "does."))
LADDER (ica, ICA, "ladder-ica", ica_params, N_("ICA step"),
        N_("One step of FastICA one way after the other, from a kernel for each part to what the program does."))
LADDER (noise, NOISE, "ladder-noise", noise_params, N_("Noise"),
        N_("The noise of an image by its neighbourhoods one way after the other, from a sorted median to what the "
           "program does."))
LADDER (fourier, FOURIER, "ladder-fourier", fourier_params, N_("Fourier"),
        N_("The spectra of an array one way after the other, from the definition to one plan for all elements."))
LADDER (beams, BEAMS, "ladder-beams", beams_params, N_("Beams"),
        N_("Conventional beams of an array one way after the other, from sines of every element to what the program "
           "does."))
LADDER (jacobi, JACOBI, "ladder-jacobi", jacobi_params, N_("Jacobi"),
        N_("Eigenvalues by Jacobi's rotations one way after the other, and by the threads of a block."))
LADDER (azimuth, AZIMUTH, "ladder-azimuth", azimuth_params, N_("Azimuth spectrum"),
        N_("The azimuth spectrum of MVDR by eigenvectors one way after the other, up to a product of matrices."))
