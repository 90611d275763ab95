/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-value-slider.h"

#include <math.h>

#include "es-wheel.h"

#define LEAST_WIDTH 54          /* of the slider, pixels; it takes what its row has left */

struct _EsValueSlider
{
  GtkWidget      parent_instance;

  GtkWidget     *box;
  GtkWidget     *label, *scale;
  GtkLabel      *reading;
  GtkAdjustment *adjustment;   /* places in the list */

  double        *values;
  guint          n;
  double         value;
  gboolean       syncing;
};

enum { PROP_0, PROP_VALUE, N_PROPS };
static GParamSpec *properties[N_PROPS];

G_DEFINE_FINAL_TYPE (EsValueSlider, es_value_slider, GTK_TYPE_WIDGET)

/* Between two of the list in proportion. */
static double
place_of (EsValueSlider *self, double value)
{
  for (guint i = 0; i + 1 < self->n; i++)
    if (value < self->values[i + 1])
      return i + MAX ((value - self->values[i]) / (self->values[i + 1] - self->values[i]), 0);
  return self->n - 1;
}

static void
show_value (EsValueSlider *self)
{
  self->syncing = TRUE;
  gtk_adjustment_set_value (self->adjustment, place_of (self, self->value));
  self->syncing = FALSE;
}

static void
take_value (EsValueSlider *self, double value)
{
  if (value == self->value)
    return;
  self->value = value;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_VALUE]);
}

static void
on_moved (EsValueSlider *self)
{
  const double place = gtk_adjustment_get_value (self->adjustment);

  if (!self->syncing)
    take_value (self, self->values[(guint) CLAMP (floor (place + 0.5), 0, self->n - 1)]);
}

/* An arrow key from between two goes to the next one, and never past it. */
static gboolean
on_change_value (GtkRange *range, GtkScrollType scroll, double value, EsValueSlider *self)
{
  const double place = gtk_adjustment_get_value (self->adjustment);

  if (scroll == GTK_SCROLL_STEP_FORWARD || scroll == GTK_SCROLL_STEP_RIGHT || scroll == GTK_SCROLL_STEP_UP)
    value = floor (place + 1e-9) + 1;
  else if (scroll == GTK_SCROLL_STEP_BACKWARD || scroll == GTK_SCROLL_STEP_LEFT || scroll == GTK_SCROLL_STEP_DOWN)
    value = ceil (place - 1e-9) - 1;
  gtk_adjustment_set_value (self->adjustment, floor (CLAMP (value, 0, self->n - 1) + 0.5));
  return TRUE;
}

static void
es_value_slider_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id == PROP_VALUE)
    g_value_set_double (value, ES_VALUE_SLIDER (object)->value);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
es_value_slider_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  if (id == PROP_VALUE)
    es_value_slider_set_value (ES_VALUE_SLIDER (object), g_value_get_double (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
es_value_slider_dispose (GObject *object)
{
  g_clear_pointer (&ES_VALUE_SLIDER (object)->box, gtk_widget_unparent);
  G_OBJECT_CLASS (es_value_slider_parent_class)->dispose (object);
}

static void
es_value_slider_finalize (GObject *object)
{
  g_free (ES_VALUE_SLIDER (object)->values);
  G_OBJECT_CLASS (es_value_slider_parent_class)->finalize (object);
}

static void
es_value_slider_class_init (EsValueSliderClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->get_property = es_value_slider_get_property;
  object_class->set_property = es_value_slider_set_property;
  object_class->dispose = es_value_slider_dispose;
  object_class->finalize = es_value_slider_finalize;
  properties[PROP_VALUE] = g_param_spec_double ("value", NULL, NULL, -G_MAXDOUBLE, G_MAXDOUBLE, 0,
                                                G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
  gtk_widget_class_set_css_name (widget_class, "valueslider");
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
}

static void
es_value_slider_init (EsValueSlider *self)
{
  self->box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  self->label = gtk_label_new (NULL);
  self->reading = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_xalign (self->reading, 0);
  gtk_widget_add_css_class (GTK_WIDGET (self->reading), "numeric");
}

GtkWidget *
es_value_slider_new (const char *label, const char *longest, const double *values, guint n)
{
  EsValueSlider *self;

  g_return_val_if_fail (values != NULL && n >= 2, NULL);

  self = g_object_new (ES_TYPE_VALUE_SLIDER, NULL);
  self->values = g_memdup2 (values, n * sizeof *values);
  self->n = n;
  self->value = values[0];
  self->adjustment = gtk_adjustment_new (0, 0, n - 1, 1, 1, 0);
  self->scale = gtk_scale_new (GTK_ORIENTATION_HORIZONTAL, self->adjustment);
  gtk_scale_set_draw_value (GTK_SCALE (self->scale), FALSE);
  gtk_widget_set_size_request (self->scale, LEAST_WIDTH, -1);
  gtk_widget_set_hexpand (self->scale, TRUE);
  gtk_widget_set_hexpand (GTK_WIDGET (self), TRUE);
  es_ignore_wheel (self->scale);
  gtk_label_set_text_with_mnemonic (GTK_LABEL (self->label), label);
  gtk_label_set_mnemonic_widget (GTK_LABEL (self->label), self->scale);
  gtk_label_set_width_chars (self->reading, (int) g_utf8_strlen (longest, -1));
  gtk_box_append (GTK_BOX (self->box), self->label);
  gtk_box_append (GTK_BOX (self->box), self->scale);
  gtk_box_append (GTK_BOX (self->box), GTK_WIDGET (self->reading));
  gtk_accessible_update_relation (GTK_ACCESSIBLE (self->scale), GTK_ACCESSIBLE_RELATION_LABELLED_BY, self->label, NULL,
                                  -1);
  g_signal_connect_object (self->adjustment, "value-changed", G_CALLBACK (on_moved), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->scale, "change-value", G_CALLBACK (on_change_value), self, 0);
  return GTK_WIDGET (self);
}

double
es_value_slider_get_value (EsValueSlider *self)
{
  g_return_val_if_fail (ES_IS_VALUE_SLIDER (self), NAN);
  return self->value;
}

void
es_value_slider_set_value (EsValueSlider *self, double value)
{
  g_return_if_fail (ES_IS_VALUE_SLIDER (self));
  take_value (self, value);
  show_value (self);
}

void
es_value_slider_set_reading (EsValueSlider *self, const char *reading)
{
  g_return_if_fail (ES_IS_VALUE_SLIDER (self));
  if (g_strcmp0 (reading, gtk_label_get_label (self->reading)) == 0)
    return;
  gtk_label_set_label (self->reading, reading);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->scale), GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, reading, -1);
}

const char *
es_value_slider_get_reading (EsValueSlider *self)
{
  g_return_val_if_fail (ES_IS_VALUE_SLIDER (self), NULL);
  return gtk_label_get_label (self->reading);
}

void
es_value_slider_move (EsValueSlider *self, guint i)
{
  g_return_if_fail (ES_IS_VALUE_SLIDER (self) && i < self->n);
  gtk_adjustment_set_value (self->adjustment, i);
}
