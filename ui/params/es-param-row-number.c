/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Rows of numbers: how they are shown, typed and dragged. */

#include "es-param-row-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "widgets/es-wheel.h"

static gboolean
is_percent (const EsParamSpec *spec)
{
  return spec->type == ES_PARAM_FLOAT && g_strcmp0 (spec->unit, "%") == 0;
}

/* Tolerances and the like, over many powers of ten: the scale is one of logarithms. */
gboolean
es_param_row_is_logarithmic (const EsParamSpec *spec)
{
  return spec->type == ES_PARAM_FLOAT && spec->minimum > 0 && spec->maximum / spec->minimum >= 1e4;
}

/* What the adjustment holds: per cent where the unit is "%", else the value or its logarithm. */
static double
to_shown (const EsParamSpec *spec, double value)
{
  if (is_percent (spec))
    return 100 * value;
  return es_param_row_is_logarithmic (spec) ? log10 (value) : value;
}

static double
from_shown (const EsParamSpec *spec, double shown)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  if (is_percent (spec))
    return shown / 100;
  if (!es_param_row_is_logarithmic (spec))
    return shown;
  /* Two digits, so that a dragged value is one that a person would write. */
  g_ascii_formatd (text, sizeof text, "%.1e", pow (10, shown));
  return g_ascii_strtod (text, NULL);
}

static char *
format_number (EsParamRow *self, double shown)
{
  const EsParamSpec *spec = self->spec;
  g_autofree char *number = NULL;

  if (es_param_row_is_logarithmic (spec))
    number = g_strdup_printf ("%.3g", from_shown (spec, shown));
  else if (shown == 0 && spec->zero_label != NULL)
    return g_strdup (_(spec->zero_label));
  else
    number = g_strdup_printf ("%.*f", spec->type == ES_PARAM_INT ? 0 : spec->digits, shown);
  if (spec->unit == NULL || spec->unit[0] == '\0')
    return g_steal_pointer (&number);
  /* TRANSLATORS: a number and its unit: "99 %", "40 dB" */
  return g_strdup_printf (_("%s %s"), number, _(spec->unit));
}

static gboolean
on_spin_output (GtkSpinButton *spin, EsParamRow *self)
{
  g_autofree char *text = format_number (self, gtk_adjustment_get_value (self->adjustment));

  if (strcmp (text, gtk_editable_get_text (GTK_EDITABLE (spin))) != 0)
    gtk_editable_set_text (GTK_EDITABLE (spin), text);
  return TRUE;
}

static int
on_spin_input (GtkSpinButton *spin, double *value, EsParamRow *self)
{
  g_autofree char *text = g_strstrip (g_strdup (gtk_editable_get_text (GTK_EDITABLE (spin))));
  char *end = NULL;

  if (self->spec->zero_label != NULL && g_utf8_collate (text, _(self->spec->zero_label)) == 0)
    {
      *value = 0;
      return TRUE;
    }
  /* A comma is a point to those who type one. */
  *value = g_strtod (g_strdelimit (text, ",", '.'), &end);
  /* An input error would become the minimum; the value that was there is better. */
  if (end == text || !isfinite (*value) || (es_param_row_is_logarithmic (self->spec) && *value <= 0))
    *value = gtk_adjustment_get_value (self->adjustment);
  else if (es_param_row_is_logarithmic (self->spec))
    *value = log10 (*value);
  return TRUE;
}

static void
on_number_changed (EsParamRow *self)
{
  if (!self->syncing)
    es_params_set_value (self->params, self->spec->key,
                         from_shown (self->spec, gtk_adjustment_get_value (self->adjustment)));
}

GtkWidget *
es_param_row_make_number (EsParamRow *self)
{
  const EsParamSpec *spec = self->spec;
  int digits = spec->type == ES_PARAM_INT ? 0 : spec->digits;
  double step = spec->step > 0 ? spec->step * (is_percent (spec) ? 100 : 1)
                               : (spec->type == ES_PARAM_INT ? 1 : pow (10, -digits));
  g_autofree char *widest = NULL;
  GtkWidget *spin;

  if (es_param_row_is_logarithmic (spec))
    {
      /* A power of ten a step; the digits are of the logarithm. */
      step = 1;
      digits = 6;
    }
  self->adjustment = g_object_ref_sink (gtk_adjustment_new (to_shown (spec, spec->default_value),
                                                            to_shown (spec, spec->minimum),
                                                            to_shown (spec, spec->maximum), step,
                                                            es_param_row_is_logarithmic (spec) ? step : 10 * step, 0));
  spin = gtk_spin_button_new (self->adjustment, step, digits);
  es_ignore_wheel (spin);
  widest = format_number (self, to_shown (spec, spec->maximum));
  gtk_editable_set_width_chars (GTK_EDITABLE (spin),
                                CLAMP (MAX (g_utf8_strlen (widest, -1),
                                            spec->zero_label ? g_utf8_strlen (_(spec->zero_label), -1) : 0), 5, 12));
  gtk_editable_set_max_width_chars (GTK_EDITABLE (spin), 12);
  gtk_editable_set_alignment (GTK_EDITABLE (spin), 1);
  gtk_widget_add_css_class (spin, "numeric");
  g_signal_connect_object (spin, "output", G_CALLBACK (on_spin_output), self, 0);
  g_signal_connect_object (spin, "input", G_CALLBACK (on_spin_input), self, 0);
  g_signal_connect_object (self->adjustment, "value-changed", G_CALLBACK (on_number_changed), self,
                           G_CONNECT_SWAPPED);
  /* It has written its first text before anybody could tell it how. */
  on_spin_output (GTK_SPIN_BUTTON (spin), self);
  return spin;
}

gboolean
es_param_row_is_wide (const EsParamSpec *spec)
{
  return spec->zero_label != NULL && spec->step > 0 && (spec->maximum - spec->minimum) / spec->step > 5000;
}

void
es_param_row_show_number (EsParamRow *self)
{
  const double value = es_params_get_value (self->params, self->spec->key);

  gtk_adjustment_set_value (self->adjustment, to_shown (self->spec, value));
}
