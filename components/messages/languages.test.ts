import { createTranslator } from "next-intl";
import { describe, expect, test } from "vitest";
import { en } from "@/components/messages/en";
import { LANGUAGES, type LanguageId, languageFor } from "@/components/messages/languages";
import { zh } from "@/components/messages/zh";

type Branch = { readonly [key: string]: string | Branch };

const OTHERS: readonly [LanguageId, Branch][] = [["zh", zh]];
const texts = (branch: Branch, path = ""): [string, string][] =>
  Object.entries(branch).flatMap(([key, value]) =>
    typeof value === "string" ? [[path + key, value] as [string, string]] : texts(value, `${path + key}.`),
  );
/** Returns the placeholders and tags of a message. A translation must contain exactly the same ones. */
function placeholders(text: string): string[] {
  const names = [...text.matchAll(/<(\w+)>/g)].map(([tag]) => tag);
  let depth = 0;
  // Braces within braces are the branches of a plural or select. Braces within a branch are values again.
  for (const [token, name = ""] of text.matchAll(/\{\s*(\w*)|\}/g)) {
    if (token === "}") depth -= 1;
    else if (depth++ % 2 === 0) names.push(name);
  }
  return [...new Set(names)].toSorted();
}

test("every language is in the switch once, by its own name and as Intl knows it", () => {
  const tags = LANGUAGES.map(({ tag }) => tag);
  expect(Intl.getCanonicalLocales(tags)).toEqual(tags);
  expect(Intl.DateTimeFormat.supportedLocalesOf(tags)).toEqual(tags);
  expect(LANGUAGES.map(({ id }) => id)).toEqual(["en", ...OTHERS.map(([id]) => id)]);
  expect(new Set(LANGUAGES.map(({ name }) => name)).size).toBe(LANGUAGES.length);
});

test("a user's choice precedes the browser's languages, and English is last", () => {
  expect(languageFor("zh", "en-GB,en;q=0.9")).toBe("zh");
  expect(languageFor("xx", "zh-CN,zh;q=0.9,en;q=0.8")).toBe("zh");
  expect(languageFor(undefined, "fr-CH, fr;q=0.9, zh;q=0.3, en;q=0.8")).toBe("en");
  expect(languageFor(undefined, "zh;q=0, *;q=0.5")).toBe("en");
  expect(languageFor(undefined, null)).toBe("en");
});

describe.each(OTHERS)("%s", (_, translation) => {
  const english = new Map(texts(en));

  test("has every message of English and no other, none of them empty", () => {
    expect(texts(translation).map(([key]) => key)).toEqual([...english.keys()]);
    for (const [key, text] of texts(translation)) expect(text.trim(), key).not.toBe("");
  });

  test("has every key of English, and no others", () => {
    for (const [key, text] of texts(translation))
      expect(placeholders(text), key).toEqual(placeholders(english.get(key) ?? ""));
  });
});

test.each([["en", en], ...OTHERS] as [LanguageId, Branch][])(
  "%s: every message can be read by ICU",
  (locale, messages) => {
    const t = createTranslator<Branch>({ locale, messages, onError: (error) => expect.fail(error.message) });
    for (const [key, text] of texts(messages)) {
      const given = Object.fromEntries(
        placeholders(text).map((name) => [name.replace(/[<>]/g, ""), name.startsWith("<") ? () => "x" : 2]),
      );
      const rendered = String((t.markup as (key: string, values: object) => string)(key, given));
      expect(rendered, key).not.toMatch(/undefined|NaN|\{/);
    }
  },
);
