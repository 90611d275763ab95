/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "es-gl-device-internal.h"
#include "es-render-resources.h"
#include "es-uploader-internal.h"

static GHashTable *devices;    /* GdkDisplay -> EsGlDevice, neither owned */

static GLuint
compile (GLenum type, const char *name, gboolean use_es, GError **error)
{
  g_autofree char *path = g_strconcat ("/org/eigenscope/render/", name, NULL);
  g_autoptr (GBytes) body = g_resource_lookup_data (es_render_get_resource (), path, 0, error);
  const char *sources[2] = {
    use_es ? "#version 300 es\n"
             "precision highp float;\n"
             "precision highp int;\n"
             "precision highp sampler2D;\n"
             "precision highp isampler2D;\n"
             "precision highp usampler2D;\n"
           : "#version 330 core\n",
    NULL,
  };
  GLint compiled = GL_FALSE;

  if (body == NULL)
    return 0;
  sources[1] = g_bytes_get_data (body, NULL);

  GLuint shader = glCreateShader (type);
  glShaderSource (shader, 2, sources, (GLint[]) { -1, (GLint) g_bytes_get_size (body) });
  glCompileShader (shader);
  glGetShaderiv (shader, GL_COMPILE_STATUS, &compiled);
  if (!compiled)
    {
      char log[512] = "";

      glGetShaderInfoLog (shader, sizeof log, NULL, log);
      g_set_error (error, ES_RENDER_ERROR, ES_RENDER_ERROR_DEVICE, "%s does not compile: %s", name, log);
      glDeleteShader (shader);
      return 0;
    }
  return shader;
}

/* 0: it failed. */
static GLuint
link_program (EsGlDevice *self, const char *fragment_name, GError **error)
{
  gboolean use_es = gdk_gl_context_get_use_es (self->context);
  GLuint vertex = compile (GL_VERTEX_SHADER, "picture.vert", use_es, error);
  GLuint fragment = vertex != 0 ? compile (GL_FRAGMENT_SHADER, fragment_name, use_es, error) : 0;
  GLuint program = 0;
  GLint linked = GL_FALSE;

  if (fragment != 0)
    {
      program = glCreateProgram ();
      glAttachShader (program, vertex);
      glAttachShader (program, fragment);
      glLinkProgram (program);
      glGetProgramiv (program, GL_LINK_STATUS, &linked);
      if (!linked)
        {
          char log[512] = "";

          glGetProgramInfoLog (program, sizeof log, NULL, log);
          g_set_error (error, ES_RENDER_ERROR, ES_RENDER_ERROR_DEVICE, "the program does not link: %s", log);
          glDeleteProgram (program);
          program = 0;
        }
    }
  glDeleteShader (vertex);
  glDeleteShader (fragment);
  return program;
}

GLuint
es_gl_texture_new (void)
{
  GLuint texture = 0;

  glGenTextures (1, &texture);
  glBindTexture (GL_TEXTURE_2D, texture);
  glTexParameteri (GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri (GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glTexParameteri (GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri (GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  return texture;
}

/* Mesa's rasterisers, and what Windows and the BSDs have in their place. */
static gboolean
is_software (void)
{
  static const char *const names[] = { "llvmpipe", "softpipe", "swrast", "software", "swiftshader", "gdi generic" };
  const char *renderer = (const char *) glGetString (GL_RENDERER);
  g_autofree char *lower = g_ascii_strdown (renderer != NULL ? renderer : "", -1);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (strstr (lower, names[i]) != NULL)
      return TRUE;
  return FALSE;
}

static gboolean
prepare (EsGlDevice *self, GError **error)
{
  /* By their units. */
  static const char *const samplers[] = { "plane0", "plane1", "plane2", "columns", "rows", "entries", "thresholds" };
  int major = 0, minor = 0;
  gboolean use_es = gdk_gl_context_get_use_es (self->context);

  gdk_gl_context_get_version (self->context, &major, &minor);
  if (use_es ? major < 3 : major * 10 + minor < 33)
    {
      g_set_error (error, ES_RENDER_ERROR, ES_RENDER_ERROR_DEVICE, "OpenGL%s %d.%d found, 3.3 (or ES 3.0) needed",
                   use_es ? " ES" : "", major, minor);
      return FALSE;
    }
  self->program = link_program (self, "picture.frag", error);
  if (self->program == 0)
    return FALSE;

  self->software = is_software ();
  glGetIntegerv (GL_MAX_TEXTURE_SIZE, &self->max_texture_size);
  glGenVertexArrays (1, &self->vertex_array);
  glGenFramebuffers (1, &self->framebuffer);
  glGenBuffers (1, &self->pixel_buffer);
  self->columns = es_gl_texture_new ();
  self->rows = es_gl_texture_new ();
  self->entries = es_gl_texture_new ();
  self->thresholds = es_gl_texture_new ();

  glUseProgram (self->program);
  for (guint i = 0; i < G_N_ELEMENTS (samplers); i++)
    glUniform1i (glGetUniformLocation (self->program, samplers[i]), i);
  self->at_n_planes = glGetUniformLocation (self->program, "n_planes");
  self->at_n_taps = glGetUniformLocation (self->program, "n_taps");
  self->at_low = glGetUniformLocation (self->program, "low");
  self->at_scale = glGetUniformLocation (self->program, "scale");
  self->at_curve = glGetUniformLocation (self->program, "curve");
  self->at_n_entries = glGetUniformLocation (self->program, "n_entries");

  GLenum code = glGetError ();
  if (code != GL_NO_ERROR)
    {
      g_set_error (error, ES_RENDER_ERROR, ES_RENDER_ERROR_DEVICE, "OpenGL error 0x%x while setting up", code);
      return FALSE;
    }
  return TRUE;
}

gboolean
es_gl_device_prepare_heat (EsGlDevice *self, GError **error)
{
  static const char *const samplers[] = { "values", "columns", "rows", "places", "entries" };
  EsGlHeat *heat = &self->heat;

  if (heat->program != 0)
    return TRUE;
  heat->program = link_program (self, "heatmap.frag", error);
  if (heat->program == 0)
    return FALSE;
  glUseProgram (heat->program);
  for (guint i = 0; i < G_N_ELEMENTS (samplers); i++)
    glUniform1i (glGetUniformLocation (heat->program, samplers[i]), i);
  heat->at_by_place = glGetUniformLocation (heat->program, "by_place");
  heat->at_awaiting = glGetUniformLocation (heat->program, "awaiting");
  heat->at_ring = glGetUniformLocation (heat->program, "ring");
  heat->at_offset = glGetUniformLocation (heat->program, "offset");
  heat->at_low = glGetUniformLocation (heat->program, "low");
  heat->at_scale = glGetUniformLocation (heat->program, "scale");
  return TRUE;
}

/* NVIDIA's driver gives the version that is asked for and no more, and GDK asks for 3.2. Where 3.3 is refused GDK may
 * have OpenGL ES, which is told apart afterwards. */
static GdkGLContext *
make_context (GdkDisplay *display, GError **error)
{
  g_autoptr (GdkGLContext) context = gdk_display_create_gl_context (display, error);

  if (context == NULL)
    return NULL;
  gdk_gl_context_set_required_version (context, 3, 3);
  if (gdk_gl_context_realize (context, NULL))
    return g_steal_pointer (&context);

  g_object_unref (context);
  context = gdk_display_create_gl_context (display, error);
  return context != NULL && gdk_gl_context_realize (context, error) ? g_steal_pointer (&context) : NULL;
}

EsGlDevice *
es_gl_device_get (GdkDisplay *display, GError **error)
{
  EsGlDevice *self = devices != NULL ? g_hash_table_lookup (devices, display) : NULL;

  if (self != NULL)
    return es_gl_device_ref (self);

  g_autoptr (GdkGLContext) context = make_context (display, error);
  if (context == NULL)
    return NULL;

  self = g_new0 (EsGlDevice, 1);
  self->ref_count = 1;
  self->context = g_steal_pointer (&context);

  GdkGLContext *previous = es_gl_device_enter (self);
  gboolean ready = prepare (self, error);
  es_gl_device_leave (self, previous);
  if (!ready)
    {
      es_gl_device_unref (self);
      return NULL;
    }

  if (devices == NULL)
    devices = g_hash_table_new (NULL, NULL);
  g_hash_table_insert (devices, display, self);
  return self;
}

EsGlDevice *
es_gl_device_ref (EsGlDevice *self)
{
  self->ref_count++;
  return self;
}

void
es_gl_device_unref (EsGlDevice *self)
{
  if (--self->ref_count > 0)
    return;

  GdkDisplay *display = gdk_gl_context_get_display (self->context);
  if (devices != NULL && g_hash_table_lookup (devices, display) == self)
    g_hash_table_remove (devices, display);

  GdkGLContext *previous = es_gl_device_enter (self);
  glDeleteTextures (4, (GLuint[]) { self->columns, self->rows, self->entries, self->thresholds });
  glDeleteBuffers (1, &self->pixel_buffer);
  glDeleteFramebuffers (1, &self->framebuffer);
  glDeleteVertexArrays (1, &self->vertex_array);
  glDeleteProgram (self->program);
  glDeleteProgram (self->heat.program);
  es_gl_device_leave (self, previous);
  g_object_unref (self->context);
  g_free (self);
}

GdkGLContext *
es_gl_device_enter (EsGlDevice *self)
{
  GdkGLContext *previous = gdk_gl_context_get_current ();

  if (previous != NULL)
    g_object_ref (previous);
  gdk_gl_context_make_current (self->context);
  return previous;
}

void
es_gl_device_leave (EsGlDevice *self, GdkGLContext *previous)
{
  if (previous == NULL)
    {
      gdk_gl_context_clear_current ();
      return;
    }
  gdk_gl_context_make_current (previous);
  g_object_unref (previous);
}
