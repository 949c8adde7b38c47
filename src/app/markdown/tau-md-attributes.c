/* SPDX-License-Identifier: MIT */
#include "app/markdown/tau-md-attributes.h"

/* How the marked parts of a text look: spans to Pango attributes. Colours come from the style sheet by name. */

static void
add (PangoAttrList   *list,
     PangoAttribute  *attribute,
     const TauMdSpan *span)
{
  attribute->start_index = span->start;
  attribute->end_index = span->end;
  pango_attr_list_insert (list, attribute);
}

static void
add_colour (PangoAttrList   *list,
            const TauMdSpan *span,
            GtkWidget       *widget,
            const char      *name,
            gboolean         background)
{
  GdkRGBA colour;
  guint16 red, green, blue;

  if (!gtk_style_context_lookup_color (gtk_widget_get_style_context (widget), name, &colour))
    return;

  red = (guint16) (colour.red * 65535);
  green = (guint16) (colour.green * 65535);
  blue = (guint16) (colour.blue * 65535);
  if (background)
    {
      add (list, pango_attr_background_new (red, green, blue), span);
      add (list, pango_attr_background_alpha_new ((guint16) (colour.alpha * 65535)), span);
    }
  else
    {
      add (list, pango_attr_foreground_new (red, green, blue), span);
    }
}

static void
add_span (PangoAttrList   *list,
          const TauMdSpan *span,
          GtkWidget       *widget)
{
  switch (span->kind)
    {
    case TAU_MD_SPAN_EMPHASIS:
      add (list, pango_attr_style_new (PANGO_STYLE_ITALIC), span);
      break;
    case TAU_MD_SPAN_STRONG:
      add (list, pango_attr_weight_new (PANGO_WEIGHT_BOLD), span);
      break;
    case TAU_MD_SPAN_STRIKE:
      add (list, pango_attr_strikethrough_new (TRUE), span);
      break;
    case TAU_MD_SPAN_CODE:
      add (list, pango_attr_family_new ("Monospace"), span);
      add (list, pango_attr_scale_new (0.95), span);
      add_colour (list, span, widget, "tau_inline_code_bg", TRUE);
      break;
    case TAU_MD_SPAN_LINK:
    case TAU_MD_SPAN_IMAGE:
      add_colour (list, span, widget, "accent_color", FALSE);
      add (list, pango_attr_underline_new (PANGO_UNDERLINE_SINGLE), span);
      break;
    default:
      g_assert_not_reached ();
    }
}

/* Characters without a width that turn the direction of a text round or hide in it. Joiners are none of them: many
 * scripts and pictograms need those. */
static gboolean
is_hidden (gunichar character)
{
  return character == 0x00ad || character == 0x061c || character == 0x180e || character == 0x200b ||
         (character >= 0x200e && character <= 0x200f) || (character >= 0x202a && character <= 0x202e) ||
         (character >= 0x2060 && character <= 0x206f) || character == 0xfeff;
}

/**
 * tau_md_attributes_show_hidden:
 * @list: attributes of a layout
 * @text: its text, valid UTF-8
 * @length: bytes of @text
 *
 * Makes characters visible by which a text may look like another one.
 *
 * Returns: whether there are any
 */
gboolean
tau_md_attributes_show_hidden (PangoAttrList *list,
                               const char    *text,
                               gsize          length)
{
  gboolean found = FALSE;

  for (const char *at = text; at < text + length; at = g_utf8_next_char (at))
    {
      PangoAttribute *attribute;

      if ((guchar) *at < 0xc2 || !is_hidden (g_utf8_get_char (at)))
        continue;
      attribute = pango_attr_show_new (PANGO_SHOW_IGNORABLES);
      attribute->start_index = (guint) (at - text);
      attribute->end_index = (guint) (g_utf8_next_char (at) - text);
      pango_attr_list_insert (list, attribute);
      found = TRUE;
    }
  return found;
}

/**
 * tau_md_attributes_new:
 * @text: a text with marked parts
 * @widget: where it is shown; gives the colours
 *
 * Returns: (transfer full): attributes for a layout of the text
 */
PangoAttrList *
tau_md_attributes_new (TauMdInline *text,
                       GtkWidget   *widget)
{
  PangoAttrList *list = pango_attr_list_new ();

  for (guint i = 0; i < tau_md_inline_get_n_spans (text); i++)
    add_span (list, tau_md_inline_get_span (text, i), widget);
  tau_md_attributes_show_hidden (list, tau_md_inline_get_text (text), tau_md_inline_get_length (text));
  return list;
}

/**
 * tau_md_attributes_link_at:
 * @text: a text with marked parts
 * @index: a byte in it
 *
 * Returns: (nullable): the address of the link or image there
 */
const char *
tau_md_attributes_link_at (TauMdInline *text,
                           gsize        index)
{
  for (guint i = 0; i < tau_md_inline_get_n_spans (text); i++)
    {
      const TauMdSpan *span = tau_md_inline_get_span (text, i);

      if (span->address && index >= span->start && index < span->end)
        return span->address;
    }
  return NULL;
}
