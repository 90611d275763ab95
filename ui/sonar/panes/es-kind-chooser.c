/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-kind-chooser.h"

#include <glib/gi18n-lib.h>

#include "sonar/display/es-sonar-source.h"
#include "widgets/es-wheel.h"

struct _EsKindChooser
{
  GtkWidget       parent_instance;

  GtkWidget      *drop_down;
  EsSonarDisplay *display;
  EsSonarSource  *source;        /* the display's */
  EsBeamKind      wanted, shown;
  guint           kinds;         /* that the list has; bits */
  gboolean        updating;
};

enum { CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (EsKindChooser, es_kind_chooser, GTK_TYPE_WIDGET)

const char *
es_beam_kind_name (EsBeamKind kind)
{
  switch (kind)
    {
    case ES_BEAM_CBF:
      return _("CBF");
    case ES_BEAM_MVDR:
      return _("MVDR");
    case ES_BEAM_MUSIC:
    case ES_N_BEAM_KINDS:
      break;
    }
  return _("MUSIC");
}

/* Place in the list and kind: the list has only those there are. */
static EsBeamKind
kind_at (guint kinds, guint position)
{
  for (guint kind = 0; kind < ES_N_BEAM_KINDS; kind++)
    if ((kinds & 1u << kind) && position-- == 0)
      return kind;
  return ES_BEAM_CBF;
}

static guint
position_of (guint kinds, EsBeamKind kind)
{
  guint position = 0;

  for (guint k = 0; k < kind; k++)
    position += (kinds & 1u << k) != 0;
  return position;
}

EsBeamKind
es_kind_chooser_get_kind (EsKindChooser *self)
{
  g_return_val_if_fail (ES_IS_KIND_CHOOSER (self), ES_BEAM_CBF);
  return es_sonar_source_get_kinds (self->source) & 1u << self->wanted ? self->wanted : ES_BEAM_CBF;
}

EsBeamKind
es_kind_chooser_get_wanted (EsKindChooser *self)
{
  g_return_val_if_fail (ES_IS_KIND_CHOOSER (self), ES_BEAM_CBF);
  return self->wanted;
}

static void
update (EsKindChooser *self)
{
  guint kinds = es_sonar_source_get_kinds (self->source) | 1u << ES_BEAM_CBF;
  EsBeamKind kind = es_kind_chooser_get_kind (self);

  self->updating = TRUE;
  if (kinds != self->kinds)
    {
      g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);

      for (guint k = 0; k < ES_N_BEAM_KINDS; k++)
        if (kinds & 1u << k)
          gtk_string_list_append (names, es_beam_kind_name (k));
      gtk_drop_down_set_model (GTK_DROP_DOWN (self->drop_down), G_LIST_MODEL (names));
      self->kinds = kinds;
    }
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->drop_down), position_of (kinds, kind));
  gtk_widget_set_visible (GTK_WIDGET (self), kinds != 1u << ES_BEAM_CBF);
  self->updating = FALSE;
  if (kind == self->shown)
    return;
  self->shown = kind;
  g_signal_emit (self, signals[CHANGED], 0);
}

void
es_kind_chooser_set_kind (EsKindChooser *self, EsBeamKind kind)
{
  g_return_if_fail (ES_IS_KIND_CHOOSER (self));
  g_return_if_fail (kind < ES_N_BEAM_KINDS);

  self->wanted = kind;
  update (self);
}

static void
on_selected (EsKindChooser *self)
{
  guint position = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->drop_down));

  if (!self->updating && position != GTK_INVALID_LIST_POSITION)
    es_kind_chooser_set_kind (self, kind_at (self->kinds, position));
}

static void
on_changed (EsKindChooser *self, guint change)
{
  if (change & ES_SONAR_CHANGE_HISTORY)
    update (self);
}

GtkWidget *
es_kind_chooser_new (EsSonarDisplay *display, EsBeamKind kind)
{
  EsKindChooser *self;

  g_return_val_if_fail (ES_IS_SONAR_DISPLAY (display), NULL);

  self = g_object_new (ES_TYPE_KIND_CHOOSER, NULL);
  self->display = g_object_ref (display);
  self->source = es_sonar_display_get_source (display);
  self->wanted = kind;
  self->shown = es_kind_chooser_get_kind (self);
  g_signal_connect_object (display, "changed", G_CALLBACK (on_changed), self, G_CONNECT_SWAPPED);
  update (self);
  return GTK_WIDGET (self);
}

static void
es_kind_chooser_dispose (GObject *object)
{
  EsKindChooser *self = ES_KIND_CHOOSER (object);

  self->updating = TRUE;
  g_clear_pointer (&self->drop_down, gtk_widget_unparent);
  g_clear_object (&self->display);
  G_OBJECT_CLASS (es_kind_chooser_parent_class)->dispose (object);
}

static void
es_kind_chooser_class_init (EsKindChooserClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = es_kind_chooser_dispose;
  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 0);
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "kindchooser");
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static void
es_kind_chooser_init (EsKindChooser *self)
{
  const char *words = _("Which beams are shown here");

  self->drop_down = gtk_drop_down_new (NULL, NULL);
  gtk_widget_set_valign (self->drop_down, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (self->drop_down, words);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->drop_down), GTK_ACCESSIBLE_PROPERTY_LABEL, words, -1);
  es_keep_focus (self->drop_down);
  gtk_widget_set_parent (self->drop_down, GTK_WIDGET (self));
  g_signal_connect_object (self->drop_down, "notify::selected", G_CALLBACK (on_selected), self, G_CONNECT_SWAPPED);
}
