/* SPDX-License-Identifier: MIT */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/**
 * TauTestTarget:
 * @api: the protocol
 * @model: id of the model that is asked
 * @images: whether it takes pictures
 * @mark: (nullable): stands in all reasoning that this model wrote, and in no other
 *
 * For whom a request is.
 */
typedef struct
{
  const char *api;
  const char *model;
  gboolean    images;
  const char *mark;
} TauTestTarget;

char *tau_test_check_request (const TauTestTarget *target, JsonNode *body);

/* For the protocols' own files. */
typedef struct
{
  const TauTestTarget *target;
  GHashTable          *ids;     /* set: ids of calls and items so far */
  GHashTable          *open;    /* set: ids of calls that wait for their result */
  char                *fault;   /* nullable: the first */
} TauTestCheck;

gboolean tau_test_check_fail      (TauTestCheck *self, const char *format, ...) G_GNUC_PRINTF (2, 3);
gboolean tau_test_check_text      (TauTestCheck *self, JsonNode *node, const char *path, const char *what);
gboolean tau_test_check_name      (TauTestCheck *self, const char *name);
gboolean tau_test_check_id        (TauTestCheck *self, const char *id, const char *pattern);
gboolean tau_test_check_arguments (TauTestCheck *self, const char *json);
gboolean tau_test_check_own       (TauTestCheck *self, const char *text, const char *what);
gboolean tau_test_check_call      (TauTestCheck *self, const char *id);
gboolean tau_test_check_result    (TauTestCheck *self, const char *id);
gboolean tau_test_check_all_done  (TauTestCheck *self);
gboolean tau_test_check_data_url  (TauTestCheck *self, const char *url);

void     tau_test_check_anthropic (TauTestCheck *self, JsonNode *body);
void     tau_test_check_chat      (TauTestCheck *self, JsonNode *body);
void     tau_test_check_responses (TauTestCheck *self, JsonNode *body);
void     tau_test_check_google    (TauTestCheck *self, JsonNode *body);

G_END_DECLS
