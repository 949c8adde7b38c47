/* SPDX-License-Identifier: MIT */
#include "app/markdown/tau-highlighter.h"

#include <adwaita.h>
#include <gtksourceview/gtksource.h>
#include <string.h>

/* One hidden GtkSourceBuffer for each language is the engine: text goes in, attributes for each line come out. A
 * view for each block would cost five times as much. The buffer remembers whose text it holds, so that a block that
 * grows only pays for its new lines. */

typedef struct
{
  GtkSourceBuffer *buffer;
  gconstpointer    owner;    /* compared, never followed */
  GString         *text;     /* what the buffer holds */
  gboolean         dark;
} Engine;

static GHashTable *engines;   /* language id → Engine */

static const struct
{
  const char *name;
  const char *id;
} aliases[] = {
  { "bash", "sh" },       { "shell", "sh" },        { "zsh", "sh" },         { "console", "sh" },     { "python", "python3" },
  { "py", "python3" },    { "javascript", "js" },   { "node", "js" },        { "ts", "typescript" },  { "tsx", "typescript-jsx" },
  { "jsx", "jsx" },       { "c++", "cpp" },         { "cc", "cpp" },         { "h", "chdr" },         { "hpp", "cpphdr" },
  { "rs", "rust" },       { "golang", "go" },       { "yml", "yaml" },       { "md", "markdown" },    { "htm", "html" },
  { "rb", "ruby" },       { "kt", "kotlin" },       { "cs", "c-sharp" },     { "csharp", "c-sharp" }, { "jsonc", "json" },
  { "patch", "diff" },    { "make", "makefile" },   { "docker", "dockerfile" }, { "svg", "xml" },     { "scss", "scss" },
};

/**
 * tau_highlighter_find_language:
 * @name: what stands behind a fence
 *
 * Returns: (nullable): the id of the language that @name means, if it is known
 */
const char *
tau_highlighter_find_language (const char *name)
{
  GtkSourceLanguageManager *manager = gtk_source_language_manager_get_default ();
  g_autofree char *lower = g_ascii_strdown (name, -1);
  GtkSourceLanguage *language;

  for (gsize i = 0; i < G_N_ELEMENTS (aliases); i++)
    if (g_str_equal (aliases[i].name, lower))
      return aliases[i].id;
  language = *lower ? gtk_source_language_manager_get_language (manager, lower) : NULL;
  return language ? gtk_source_language_get_id (language) : NULL;
}

/**
 * tau_highlighter_guess_language:
 * @path: a file's name
 *
 * Returns: (nullable): the id of the language that such a file is written in
 */
const char *
tau_highlighter_guess_language (const char *path)
{
  GtkSourceLanguageManager *manager = gtk_source_language_manager_get_default ();
  GtkSourceLanguage *language = gtk_source_language_manager_guess_language (manager, path, NULL);

  return language ? gtk_source_language_get_id (language) : NULL;
}

/**
 * tau_highlighter_is_warm:
 * @language: its id
 *
 * Loading a language takes up to 100 ms; that must not fall into a frame.
 *
 * Returns: whether the language is loaded
 */
gboolean
tau_highlighter_is_warm (const char *language)
{
  return engines && g_hash_table_contains (engines, language);
}

static void
engine_free (gpointer data)
{
  Engine *engine = data;

  g_object_unref (engine->buffer);
  g_string_free (engine->text, TRUE);
  g_free (engine);
}

static void
apply_scheme (Engine *engine)
{
  GtkSourceStyleSchemeManager *manager = gtk_source_style_scheme_manager_get_default ();

  engine->dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  gtk_source_buffer_set_style_scheme (engine->buffer, gtk_source_style_scheme_manager_get_scheme (
                                                        manager, engine->dark ? "Adwaita-dark" : "Adwaita"));
}

static Engine *
get_engine (const char *language)
{
  GtkSourceLanguageManager *manager = gtk_source_language_manager_get_default ();
  Engine *engine;

  if (!engines)
    engines = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, engine_free);
  engine = g_hash_table_lookup (engines, language);
  if (!engine)
    {
      engine = g_new0 (Engine, 1);
      engine->buffer = gtk_source_buffer_new_with_language (
        gtk_source_language_manager_get_language (manager, language));
      engine->text = g_string_new (NULL);
      gtk_source_buffer_set_highlight_matching_brackets (engine->buffer, FALSE);
      gtk_text_buffer_set_enable_undo (GTK_TEXT_BUFFER (engine->buffer), FALSE);
      apply_scheme (engine);
      g_hash_table_insert (engines, g_strdup (language), engine);
    }
  if (engine->dark != adw_style_manager_get_dark (adw_style_manager_get_default ()))
    apply_scheme (engine);
  return engine;
}

static void
load_text (Engine       *engine,
           gconstpointer owner,
           const char   *text,
           gsize         length)
{
  GtkTextBuffer *buffer = GTK_TEXT_BUFFER (engine->buffer);
  gsize held = engine->text->len;

  if (engine->owner == owner && length >= held && memcmp (text, engine->text->str, held) == 0)
    {
      GtkTextIter end;

      gtk_text_buffer_get_end_iter (buffer, &end);
      gtk_text_buffer_insert (buffer, &end, text + held, (int) (length - held));
      g_string_append_len (engine->text, text + held, length - held);
      return;
    }
  engine->owner = owner;
  gtk_text_buffer_set_text (buffer, text, (int) length);
  g_string_truncate (engine->text, 0);
  g_string_append_len (engine->text, text, length);
}

static void
insert (PangoAttrList  *list,
        PangoAttribute *attribute,
        guint           start,
        guint           end)
{
  attribute->start_index = start;
  attribute->end_index = end;
  pango_attr_list_change (list, attribute);
}

static void
add_tag (PangoAttrList *list,
         GtkTextTag    *tag,
         guint          start,
         guint          end)
{
  gboolean has_colour, has_weight, has_style, has_underline;
  g_autoptr(GdkRGBA) colour = NULL;
  int weight;
  PangoStyle style;
  PangoUnderline underline;

  g_object_get (tag, "foreground-set", &has_colour, "foreground-rgba", &colour, "weight-set", &has_weight,
                "weight", &weight, "style-set", &has_style, "style", &style, "underline-set", &has_underline,
                "underline", &underline, NULL);
  if (has_colour && colour)
    insert (list, pango_attr_foreground_new ((guint16) (colour->red * 65535), (guint16) (colour->green * 65535),
                                             (guint16) (colour->blue * 65535)), start, end);
  if (has_weight)
    insert (list, pango_attr_weight_new (weight), start, end);
  if (has_style)
    insert (list, pango_attr_style_new (style), start, end);
  if (has_underline)
    insert (list, pango_attr_underline_new (underline), start, end);
}

static PangoAttrList *
read_line (GtkTextBuffer *buffer,
           guint          number)
{
  GtkTextIter iter, line_end;
  PangoAttrList *list = NULL;

  gtk_text_buffer_get_iter_at_line (buffer, &iter, (int) number);
  line_end = iter;
  if (!gtk_text_iter_ends_line (&line_end))
    gtk_text_iter_forward_to_line_end (&line_end);

  while (gtk_text_iter_compare (&iter, &line_end) < 0)
    {
      GtkTextIter next = iter;
      GSList *tags = gtk_text_iter_get_tags (&iter);

      if (!gtk_text_iter_forward_to_tag_toggle (&next, NULL) || gtk_text_iter_compare (&next, &line_end) > 0)
        next = line_end;
      if (tags && !list)
        list = pango_attr_list_new ();
      for (GSList *tag = tags; tag; tag = tag->next)
        add_tag (list, tag->data, (guint) gtk_text_iter_get_line_index (&iter),
                 (guint) gtk_text_iter_get_line_index (&next));
      g_slist_free (tags);
      iter = next;
    }
  return list;
}

/**
 * tau_highlighter_run:
 * @owner: whose text this is: a text that grows is recognised by it
 * @language: id of the language
 * @text: the code, valid UTF-8
 * @length: bytes of @text
 * @first_line: first line whose attributes are wanted
 * @lines: (element-type PangoAttrList) (inout): gets the attributes of each line from @first_line on, %NULL for plain ones
 *
 * Colours code for the present light or dark style.
 */
void
tau_highlighter_run (gconstpointer  owner,
                     const char    *language,
                     const char    *text,
                     gsize          length,
                     guint          first_line,
                     GPtrArray     *lines)
{
  Engine *engine = get_engine (language);
  GtkTextBuffer *buffer = GTK_TEXT_BUFFER (engine->buffer);
  GtkTextIter start, end;
  guint n_lines;

  load_text (engine, owner, text, length);
  gtk_text_buffer_get_iter_at_line (buffer, &start, (int) first_line);
  gtk_text_buffer_get_end_iter (buffer, &end);
  gtk_source_buffer_ensure_highlight (engine->buffer, &start, &end);

  n_lines = (guint) gtk_text_buffer_get_line_count (buffer);
  g_ptr_array_set_size (lines, (int) MIN (first_line, n_lines));
  for (guint i = first_line; i < n_lines; i++)
    g_ptr_array_add (lines, read_line (buffer, i));
}
