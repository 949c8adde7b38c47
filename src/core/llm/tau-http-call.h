/* SPDX-License-Identifier: MIT */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/**
 * TauHttpHeaderFunc:
 * @name: header name
 * @value: its value
 * @user_data: what was given with the function
 */
typedef void (*TauHttpHeaderFunc) (const char *name, const char *value, gpointer user_data);

/* What an encoder makes of a request: where to send what. Owned by one holder; no I/O. */
typedef struct _TauHttpCall TauHttpCall;

TauHttpCall *tau_http_call_new            (const char *url);
void         tau_http_call_free           (TauHttpCall *self);
const char  *tau_http_call_get_url        (TauHttpCall *self);
JsonNode    *tau_http_call_get_body       (TauHttpCall *self);   /* nullable: then it is a GET */
void         tau_http_call_take_body      (TauHttpCall *self, JsonNode *body);
void         tau_http_call_set_header     (TauHttpCall *self, const char *name, const char *value /* nullable: removes */);
void         tau_http_call_apply_headers  (TauHttpCall *self, JsonNode *headers /* nullable object */);
const char  *tau_http_call_get_header     (TauHttpCall *self, const char *name);   /* nullable */
void         tau_http_call_foreach_header (TauHttpCall *self, TauHttpHeaderFunc func, gpointer user_data);

char        *tau_http_url_join            (const char *base, const char *path);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TauHttpCall, tau_http_call_free)

G_END_DECLS
