/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * TauTestKey:
 *
 * Keys by the codes that X servers of Linux give them ("evdev", layout us).
 */
typedef enum
{
  TAU_TEST_KEY_NONE = 0,
  TAU_TEST_KEY_ESCAPE = 9,
  TAU_TEST_KEY_TAB = 23,
  TAU_TEST_KEY_T = 28,
  TAU_TEST_KEY_P = 33,
  TAU_TEST_KEY_RETURN = 36,
  TAU_TEST_KEY_CONTROL = 37,
  TAU_TEST_KEY_A = 38,
  TAU_TEST_KEY_D = 40,
  TAU_TEST_KEY_SHIFT = 50,
  TAU_TEST_KEY_B = 56,
  TAU_TEST_KEY_ALT = 64,
  TAU_TEST_KEY_UP = 111,
  TAU_TEST_KEY_RIGHT = 114,
  TAU_TEST_KEY_DOWN = 116,
  TAU_TEST_KEY_F2 = 68,
  TAU_TEST_KEY_F10 = 76,
  TAU_TEST_KEY_DELETE = 119,
  TAU_TEST_KEY_MENU = 135,
} TauTestKey;

void tau_test_keys_press (TauTestKey modifier, TauTestKey key);

G_END_DECLS
