/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-section.h"

#include "base/es-text-show.h"

struct _EsSection
{
  GtkWidget  parent_instance;

  /* children */
  GtkWidget *button;
  GtkWidget *arrow;
  GtkWidget *detail;
  GtkWidget *revealer;
  GtkWidget *stack;
  GtkWidget *placeholder;

  char      *id;
  gboolean   expanded;
};

enum { PROP_0, PROP_EXPANDED, N_PROPS };
static GParamSpec *properties[N_PROPS];

G_DEFINE_TYPE (EsSection, es_section, GTK_TYPE_WIDGET)

static void
update (EsSection *self)
{
  gtk_revealer_set_reveal_child (GTK_REVEALER (self->revealer), self->expanded);
  gtk_image_set_from_icon_name (GTK_IMAGE (self->arrow),
                                self->expanded ? "pan-down-symbolic" : "pan-end-symbolic");
  gtk_accessible_update_state (GTK_ACCESSIBLE (self->button), GTK_ACCESSIBLE_STATE_EXPANDED, self->expanded,
                               -1);
}

static void
on_clicked (EsSection *self)
{
  es_section_set_expanded (self, !self->expanded);
}

GtkWidget *
es_section_new (const char *id, const char *title, GtkWidget *child)
{
  EsSection *self = g_object_new (ES_TYPE_SECTION, NULL);
  GtkWidget *heading = gtk_label_new (title);
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  self->id = g_strdup (id);
  gtk_widget_add_css_class (heading, "caption-heading");
  gtk_label_set_xalign (GTK_LABEL (heading), 0);
  gtk_box_append (GTK_BOX (row), self->arrow);
  gtk_box_append (GTK_BOX (row), heading);
  gtk_box_append (GTK_BOX (row), self->detail);
  gtk_button_set_child (GTK_BUTTON (self->button), row);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->button), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
  gtk_stack_add_named (GTK_STACK (self->stack), child, "child");
  gtk_stack_set_visible_child (GTK_STACK (self->stack), child);
  return GTK_WIDGET (self);
}

const char *
es_section_get_id (EsSection *self)
{
  g_return_val_if_fail (ES_IS_SECTION (self), NULL);
  return self->id;
}

void
es_section_set_detail (EsSection *self, const char *detail)
{
  g_return_if_fail (ES_IS_SECTION (self));
  gtk_label_set_text (GTK_LABEL (self->detail), detail != NULL ? detail : "");
}

void
es_section_set_placeholder (EsSection *self, const char *sentence)
{
  g_return_if_fail (ES_IS_SECTION (self));

  if (sentence != NULL)
    {
      g_autofree char *shown = es_text_show_lines (sentence);

      gtk_label_set_text (GTK_LABEL (self->placeholder), shown);
    }
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), sentence != NULL ? "placeholder" : "child");
}

void
es_section_set_expanded (EsSection *self, gboolean expanded)
{
  g_return_if_fail (ES_IS_SECTION (self));

  expanded = !!expanded;
  if (self->expanded == expanded)
    return;
  self->expanded = expanded;
  update (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_EXPANDED]);
}

gboolean
es_section_get_expanded (EsSection *self)
{
  g_return_val_if_fail (ES_IS_SECTION (self), FALSE);
  return self->expanded;
}

static void
es_section_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id == PROP_EXPANDED)
    g_value_set_boolean (value, ES_SECTION (object)->expanded);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
es_section_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  if (id == PROP_EXPANDED)
    es_section_set_expanded (ES_SECTION (object), g_value_get_boolean (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
es_section_dispose (GObject *object)
{
  EsSection *self = ES_SECTION (object);

  g_clear_pointer (&self->button, gtk_widget_unparent);
  g_clear_pointer (&self->revealer, gtk_widget_unparent);
  G_OBJECT_CLASS (es_section_parent_class)->dispose (object);
}

static void
es_section_finalize (GObject *object)
{
  g_free (ES_SECTION (object)->id);
  G_OBJECT_CLASS (es_section_parent_class)->finalize (object);
}

static void
es_section_class_init (EsSectionClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->get_property = es_section_get_property;
  object_class->set_property = es_section_set_property;
  object_class->dispose = es_section_dispose;
  object_class->finalize = es_section_finalize;

  properties[PROP_EXPANDED] = g_param_spec_boolean ("expanded", NULL, NULL, TRUE,
                                                    G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY
                                                    | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  gtk_widget_class_set_css_name (widget_class, "section");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BOX_LAYOUT);
}

static void
es_section_init (EsSection *self)
{
  GtkLayoutManager *layout = gtk_widget_get_layout_manager (GTK_WIDGET (self));

  gtk_orientable_set_orientation (GTK_ORIENTABLE (layout), GTK_ORIENTATION_VERTICAL);
  self->expanded = TRUE;

  self->arrow = gtk_image_new_from_icon_name ("pan-down-symbolic");
  self->detail = gtk_label_new ("");
  gtk_label_set_ellipsize (GTK_LABEL (self->detail), PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (GTK_LABEL (self->detail), 1);
  gtk_widget_set_hexpand (self->detail, TRUE);
  gtk_widget_add_css_class (self->detail, "caption");
  gtk_widget_add_css_class (self->detail, "dim-label");
  gtk_widget_add_css_class (self->detail, "numeric");

  self->button = gtk_button_new ();
  gtk_widget_add_css_class (self->button, "flat");
  gtk_widget_add_css_class (self->button, "section-heading");
  g_signal_connect_object (self->button, "clicked", G_CALLBACK (on_clicked), self, G_CONNECT_SWAPPED);
  gtk_widget_set_parent (self->button, GTK_WIDGET (self));

  self->placeholder = gtk_label_new (NULL);
  gtk_label_set_wrap (GTK_LABEL (self->placeholder), TRUE);
  gtk_label_set_xalign (GTK_LABEL (self->placeholder), 0);
  gtk_widget_set_valign (self->placeholder, GTK_ALIGN_START);
  gtk_widget_add_css_class (self->placeholder, "dim-label");
  gtk_widget_add_css_class (self->placeholder, "section-placeholder");

  self->stack = gtk_stack_new ();
  gtk_stack_set_vhomogeneous (GTK_STACK (self->stack), FALSE);
  gtk_stack_add_named (GTK_STACK (self->stack), self->placeholder, "placeholder");

  self->revealer = gtk_revealer_new ();
  gtk_revealer_set_transition_type (GTK_REVEALER (self->revealer), GTK_REVEALER_TRANSITION_TYPE_SLIDE_DOWN);
  gtk_revealer_set_child (GTK_REVEALER (self->revealer), self->stack);
  gtk_widget_set_parent (self->revealer, GTK_WIDGET (self));
  update (self);
}
