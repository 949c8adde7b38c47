/* SPDX-License-Identifier: MIT */
#include "core/markdown/tau-md-entity.h"

#include <string.h>

/* HTML's character references. Of the 2,231 names only those that people and models write in prose are known;
 * any other name stays as it was written, which is no loss to a reader. */

typedef struct
{
  const char *name;
  gunichar    character;
} Entity;

static const Entity entities[] = {
  { "amp", '&' },          { "lt", '<' },           { "gt", '>' },           { "quot", '"' },         { "apos", '\'' },
  { "nbsp", 0xa0 },        { "iexcl", 0xa1 },       { "cent", 0xa2 },        { "pound", 0xa3 },       { "yen", 0xa5 },
  { "sect", 0xa7 },        { "copy", 0xa9 },        { "laquo", 0xab },       { "not", 0xac },         { "shy", 0xad },
  { "reg", 0xae },         { "deg", 0xb0 },         { "plusmn", 0xb1 },      { "sup2", 0xb2 },        { "sup3", 0xb3 },
  { "micro", 0xb5 },       { "para", 0xb6 },        { "middot", 0xb7 },      { "raquo", 0xbb },       { "frac14", 0xbc },
  { "frac12", 0xbd },      { "frac34", 0xbe },      { "iquest", 0xbf },      { "times", 0xd7 },       { "divide", 0xf7 },
  { "auml", 0xe4 },        { "ouml", 0xf6 },        { "uuml", 0xfc },        { "Auml", 0xc4 },        { "Ouml", 0xd6 },
  { "Uuml", 0xdc },        { "szlig", 0xdf },       { "eacute", 0xe9 },      { "egrave", 0xe8 },      { "agrave", 0xe0 },
  { "ccedil", 0xe7 },      { "alpha", 0x3b1 },      { "beta", 0x3b2 },       { "gamma", 0x3b3 },      { "delta", 0x3b4 },
  { "lambda", 0x3bb },     { "mu", 0x3bc },         { "pi", 0x3c0 },         { "sigma", 0x3c3 },      { "Omega", 0x3a9 },
  { "ensp", 0x2002 },      { "emsp", 0x2003 },      { "thinsp", 0x2009 },    { "ndash", 0x2013 },     { "mdash", 0x2014 },
  { "lsquo", 0x2018 },     { "rsquo", 0x2019 },     { "sbquo", 0x201a },     { "ldquo", 0x201c },     { "rdquo", 0x201d },
  { "bdquo", 0x201e },     { "dagger", 0x2020 },    { "bull", 0x2022 },      { "hellip", 0x2026 },    { "prime", 0x2032 },
  { "lsaquo", 0x2039 },    { "rsaquo", 0x203a },    { "euro", 0x20ac },      { "trade", 0x2122 },     { "larr", 0x2190 },
  { "uarr", 0x2191 },      { "rarr", 0x2192 },      { "darr", 0x2193 },      { "harr", 0x2194 },      { "rArr", 0x21d2 },
  { "hArr", 0x21d4 },      { "forall", 0x2200 },    { "exist", 0x2203 },     { "empty", 0x2205 },     { "isin", 0x2208 },
  { "sum", 0x2211 },       { "minus", 0x2212 },     { "radic", 0x221a },     { "infin", 0x221e },     { "and", 0x2227 },
  { "or", 0x2228 },        { "cap", 0x2229 },       { "cup", 0x222a },       { "ne", 0x2260 },        { "equiv", 0x2261 },
  { "le", 0x2264 },        { "ge", 0x2265 },        { "check", 0x2713 },
};

static gunichar
parse_number (const char *digits,
              gsize       length)
{
  gboolean hex = length > 0 && (digits[0] == 'x' || digits[0] == 'X');
  guint64 value = 0;

  for (gsize i = hex ? 1 : 0; i < length && value <= 0x10ffff; i++)
    value = value * (hex ? 16 : 10) + (guint) g_ascii_xdigit_value (digits[i]);
  return value > 0 && value <= 0x10ffff && g_unichar_validate (value) ? (gunichar) value : 0xfffd;
}

static gunichar
look_up (const char *name,
         gsize       length)
{
  for (gsize i = 0; i < G_N_ELEMENTS (entities); i++)
    if (strlen (entities[i].name) == length && memcmp (entities[i].name, name, length) == 0)
      return entities[i].character;
  return 0;
}

/**
 * tau_md_entity_append:
 * @target: gets the character
 * @entity: a reference as written, from & to ;
 * @length: bytes of @entity
 *
 * Appends the character that @entity means, or @entity itself if it is not known.
 */
void
tau_md_entity_append (GString    *target,
                      const char *entity,
                      gsize       length)
{
  gunichar character;

  if (length < 3)
    character = 0;
  else if (entity[1] == '#')
    character = parse_number (entity + 2, length - 3);
  else
    character = look_up (entity + 1, length - 2);

  if (character)
    g_string_append_unichar (target, character);
  else
    g_string_append_len (target, entity, length);
}
