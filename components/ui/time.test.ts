import { expect, test } from "vitest";
import { absolute, relative } from "@/components/ui/time";

test.each([
  ["en", "5m ago", "in 2h"],
  ["zh", "5分钟前", "2小时后"],
  ["es", "hace 5 min", "dentro de 2 h"],
  ["ru", "5 мин. назад", "через 2 ч"],
])("%s: a relative time says whether it is past or future", (locale, past, future) => {
  const plain = (text: string | null) => text?.replace(/\s/g, " ");
  expect(plain(relative(-5 * 60_000, locale))).toBe(past);
  expect(plain(relative(2 * 3_600_000, locale))).toBe(future);
  expect(relative(-2_000, locale)).toBeNull();
  expect(relative(7 * 86_400_000 - 5_000, locale)).toBe(relative(7 * 86_400_000, locale));
});

test.each([
  ["en", "Mar 1, 2026, 10:00:00 UTC"],
  ["zh", "2026年3月1日 10:00:00 UTC"],
  ["es", "1 mar 2026, 10:00:00 UTC"],
  ["ru", "1 мар. 2026 г., 10:00:00 UTC"],
])("%s: an exact time is in UTC and in the order of the language", (locale, expected) => {
  expect(absolute("2026-03-01T10:00:00Z", locale).replace(/\s/g, " ")).toBe(expected);
});
