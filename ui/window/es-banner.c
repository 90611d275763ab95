/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-banner.h"

#include "base/es-text-show.h"
#include "widgets/es-wheel.h"

struct _EsBanner
{
  GtkWidget    parent_instance;

  /* Template widgets. */
  GtkWidget   *revealer;
  GtkLabel    *label;
  GtkWidget   *details_button;
  GtkLabel    *details;
  GtkButton   *action;

  GHashTable  *dismissed;        /* texts */
  char        *dismiss_action;   /* nullable */
  GVariant    *dismiss_target;
};

G_DEFINE_FINAL_TYPE (EsBanner, es_banner, GTK_TYPE_WIDGET)

static void
dismiss (GtkWidget *widget, const char *action, GVariant *parameter)
{
  EsBanner *self = ES_BANNER (widget);

  g_hash_table_add (self->dismissed, g_strdup (gtk_label_get_label (self->label)));
  gtk_revealer_set_reveal_child (GTK_REVEALER (self->revealer), FALSE);
  /* It may take the banner away. */
  if (self->dismiss_action != NULL)
    {
      g_autoptr (EsBanner) keep = g_object_ref (self);

      gtk_widget_activate_action_variant (widget, self->dismiss_action, self->dismiss_target);
    }
}

static void
es_banner_dispose (GObject *object)
{
  EsBanner *self = ES_BANNER (object);

  g_clear_pointer (&self->revealer, gtk_widget_unparent);
  g_clear_pointer (&self->dismissed, g_hash_table_unref);
  g_clear_pointer (&self->dismiss_action, g_free);
  g_clear_pointer (&self->dismiss_target, g_variant_unref);
  G_OBJECT_CLASS (es_banner_parent_class)->dispose (object);
}

static void
es_banner_class_init (EsBannerClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = es_banner_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, "/org/eigenscope/Eigenscope/ui/es-banner.ui");
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_bind_template_child (widget_class, EsBanner, revealer);
  gtk_widget_class_bind_template_child (widget_class, EsBanner, label);
  gtk_widget_class_bind_template_child (widget_class, EsBanner, details_button);
  gtk_widget_class_bind_template_child (widget_class, EsBanner, details);
  gtk_widget_class_bind_template_child (widget_class, EsBanner, action);
  gtk_widget_class_install_action (widget_class, "banner.dismiss", NULL, dismiss);
}

static void
es_banner_init (EsBanner *self)
{
  self->dismissed = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  gtk_widget_init_template (GTK_WIDGET (self));
  es_keep_figures (self->label);
}

void
es_banner_set_text (EsBanner *self, const char *text)
{
  g_autofree char *shown = es_text_show_lines (text);
  gboolean show;

  g_return_if_fail (ES_IS_BANNER (self));

  show = shown != NULL && *shown != '\0' && !g_hash_table_contains (self->dismissed, shown);
  /* The old words stay while the banner folds away. */
  if (show)
    {
      gtk_label_set_label (self->label, shown);
      /* Long names in it must not take the place of the picture: what does not fit is there in full. */
      es_set_tooltip (GTK_WIDGET (self->label), shown);
    }
  gtk_revealer_set_reveal_child (GTK_REVEALER (self->revealer), show);
}

void
es_banner_set_details (EsBanner *self, const char *details)
{
  g_return_if_fail (ES_IS_BANNER (self));

  gtk_label_set_label (self->details, details != NULL ? details : "");
  gtk_widget_set_visible (self->details_button, details != NULL && details[0] != '\0');
}

void
es_banner_show_again (EsBanner *self)
{
  g_return_if_fail (ES_IS_BANNER (self));

  g_hash_table_remove (self->dismissed, gtk_label_get_label (self->label));
  gtk_revealer_set_reveal_child (GTK_REVEALER (self->revealer), TRUE);
}

void
es_banner_set_action (EsBanner *self, const char *label, const char *action, GVariant *target)
{
  g_return_if_fail (ES_IS_BANNER (self));

  gtk_button_set_label (self->action, label);
  gtk_actionable_set_action_target_value (GTK_ACTIONABLE (self->action), target);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->action), action);
  gtk_widget_set_visible (GTK_WIDGET (self->action), TRUE);
}

void
es_banner_set_dismiss_action (EsBanner *self, const char *action, GVariant *target)
{
  g_return_if_fail (ES_IS_BANNER (self));

  g_free (self->dismiss_action);
  g_clear_pointer (&self->dismiss_target, g_variant_unref);
  self->dismiss_action = g_strdup (action);
  self->dismiss_target = g_variant_ref_sink (target);
}

const char *
es_banner_get_text (EsBanner *self)
{
  g_return_val_if_fail (ES_IS_BANNER (self), NULL);
  return gtk_revealer_get_reveal_child (GTK_REVEALER (self->revealer)) ? gtk_label_get_label (self->label) : NULL;
}
