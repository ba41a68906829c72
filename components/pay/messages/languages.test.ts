import { describe, expect, test } from "vitest";
import { en, type Messages } from "@/components/pay/messages/en";
import { chooseLanguage, LANGUAGES } from "@/components/pay/messages/languages";

const names = LANGUAGES.map(({ lang }) => lang);
const allKeys = Object.keys(en) as (keyof Messages)[];
/** The messages with counts. A language may spell out a count. */
const COUNTING = ["timeLeftSpoken", "aboutSeconds", "aboutMinutes", "expiredWatched", "confirmations"];
/** The names and words that are the same in several languages. */
const SAME = ["dir", "poweredBy", "pageTitle"];
const COGNATES: Record<string, readonly string[]> = {
  fr: ["transaction"],
  de: ["qrWallet"],
  it: ["qrWallet"],
  id: ["subject"],
  es: [],
};

const ask = (t: Messages, key: string, values: readonly (string | number)[]): string =>
  (t[key as keyof Messages] as unknown as (...values: readonly (string | number)[]) => string)(...values);
const marksOf = (key: keyof Messages) =>
  Array.from({ length: (en[key] as { length: number }).length }, (_, index) => `<${"abcdefgh"[index]}>`);
const textOf = (t: Messages, key: keyof Messages): string => {
  const message = t[key];
  if (typeof message === "function") return ask(t, key, COUNTING.includes(key) ? [5, 12] : marksOf(key));
  return typeof message === "string" ? message : JSON.stringify(message);
};

test("there are twenty languages, each once, by its own name and as Intl knows it", () => {
  expect(names).toHaveLength(20);
  expect(new Set(names).size).toBe(20);
  expect(new Set(LANGUAGES.map(({ name }) => name)).size).toBe(20);
  expect(Intl.getCanonicalLocales(names)).toEqual(names);
  expect(Intl.PluralRules.supportedLocalesOf(names)).toEqual(names);
  expect(Intl.NumberFormat.supportedLocalesOf(names)).toEqual(names);
  expect(Intl.DateTimeFormat.supportedLocalesOf(names)).toEqual(names);
  expect(LANGUAGES.filter(({ dir }) => dir === "rtl").map(({ lang }) => lang)).toEqual(["ar", "fa", "he"]);
});

describe.each(LANGUAGES.map((t) => [t.lang, t] as const))("%s", (lang, t) => {
  test("has every message, none of them empty, and none that is not asked for", () => {
    expect(Object.keys(t).toSorted()).toEqual(allKeys.toSorted());
    expect(Object.keys(t.chooseProblem).toSorted()).toEqual(Object.keys(en.chooseProblem).toSorted());
    for (const text of Object.values(t.chooseProblem)) expect(text.trim()).not.toBe("");
    for (const key of allKeys) {
      expect(textOf(t, key).trim(), key).not.toBe("");
      expect(textOf(t, key), key).not.toMatch(/undefined|NaN|\[object/);
    }
  });

  test("has all values that are put into a sentence", () => {
    for (const key of allKeys.filter((one) => typeof en[one] === "function" && !COUNTING.includes(one)))
      for (const mark of marksOf(key)) expect(textOf(t, key), key).toContain(mark);
    for (const key of COUNTING) expect(ask(t, key, [7, 12]), key).toContain("7");
    expect(t.confirmations(7, 12)).toContain("12");
  });

  test("counts in Latin digits, as they must be typed, and in every form of its plural", () => {
    for (const count of [0, 1, 2, 3, 5, 11, 21, 100])
      for (const key of COUNTING) expect(ask(t, key, [count, count]), key).not.toMatch(/(?![0-9])\p{Nd}|undefined/u);
  });

  test("emphasises the same parts as English", () => {
    for (const key of allKeys) {
      const stars = (messages: Messages) => textOf(messages, key).split("**").length;
      expect(stars(t), key).toBe(stars(en));
    }
  });

  test.skipIf(lang === "en")("has no sentence left in English", () => {
    const same = allKeys.filter((key) => textOf(t, key).replace(/[\u2068\u2069]/g, "") === textOf(en, key));
    expect(same.filter((key) => !SAME.includes(key) && !COGNATES[lang]?.includes(key))).toEqual([]);
  });
});

test.each([
  // [?lang, order's locale, Accept-Language, served]
  [null, null, null, "en"],
  [null, null, "", "en"],
  [null, null, "de-CH, de;q=0.9, en;q=0.8", "de"],
  [null, null, "nl, fr;q=0.5, it;q=0.7", "it"],
  [null, null, "nl-BE", "en"],
  [null, null, "zh-TW", "zh-Hant"],
  [null, null, "zh-HK, zh;q=0.9", "zh-Hant"],
  [null, null, "zh-Hant-CN", "zh-Hant"],
  [null, null, "zh-Hans-HK", "zh-Hans"],
  [null, null, "zh-SG", "zh-Hans"],
  [null, null, "zh", "zh-Hans"],
  [null, null, "yue", "zh-Hant"],
  [null, null, "pt", "pt-BR"],
  [null, null, "pt-PT", "pt-BR"],
  [null, null, "iw", "he"],
  [null, null, "in", "id"],
  [null, null, "DE-at", "de"],
  [null, null, "de;q=0, fr;q=0.1", "fr"],
  [null, null, "de;q=0", "en"],
  [null, null, "*", "en"],
  [null, null, "en;q=0, *;q=0.5", names[1]],
  [null, null, "de;q=2, fr;q=x, it;q=0.2", "it"],
  [null, null, "ru ; q=0.3 ,uk; Q=0.4", "uk"],
  [null, null, "constructor, __proto__;q=0.9, -, ;;q=, ja;q=0.1", "ja"],
  [null, "ar-EG", "de", "ar"],
  [null, "zh-CN", "de", "zh-Hans"],
  [null, "nl", "de", "de"],
  [null, "zz", null, "en"],
  ["ko", "ar", "de", "ko"],
  ["PT_br", null, "de", "pt-BR"],
  ["<script>", "ar", "de", "ar"],
  ["", null, "de", "de"],
])("?lang=%s, an order's locale %s and a browser's %s make %s", (chosen, locale, accepted, lang) => {
  expect(chooseLanguage({ chosen, locale, accepted }).lang).toBe(lang);
});

test("an amount keeps its currency behind it, and a name turns nothing around it", () => {
  const arabic = chooseLanguage({ chosen: "ar" }).exactNote("49.9901 USDT");
  expect(arabic).toContain("\u206849.9901 USDT\u2069");
  const shop = chooseLanguage({}).footer("متجر\u202e");
  expect(shop).toContain("\u2068متجر\u2069");
  expect(chooseLanguage({}).footer("Shop\u202e")).toBe(en.footer("Shop"));
});

test.each([
  [["de", "fr"], { chosen: "es", locale: "fr" }, "fr"],
  [["de", "fr"], { chosen: "de", locale: "fr" }, "de"],
  [["de", "fr"], { accepted: "es, fr;q=0.5, de;q=0.4" }, "fr"],
  [["de", "fr"], { accepted: "*, de;q=0" }, "fr"],
  [["de", "fr"], { accepted: "es" }, "fr"],
  [["de", "en"], { accepted: "es" }, "en"],
  [["xx"], { accepted: "es" }, "es"],
  [[], { accepted: "es" }, "es"],
])("a shop that offers %j, asked %j, is shown in %s", (offered, preferences, lang) => {
  expect(chooseLanguage(preferences, offered).lang).toBe(lang);
});
