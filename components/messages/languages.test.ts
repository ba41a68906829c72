import { createTranslator } from "next-intl";
import { describe, expect, test } from "vitest";
import { MESSAGES } from "@/components/messages/all";
import { en } from "@/components/messages/en";
import { LANGUAGES, type LanguageId, languageFor } from "@/components/messages/languages";

type Branch = { readonly [key: string]: string | Branch };

const ALL = Object.entries(MESSAGES) as [LanguageId, Branch][];
const OTHERS = ALL.filter(([id]) => id !== "en");
/** Names that are the same in every language. */
const SAME: readonly string[] = ["CSV", "XLSX", "URL", "ID", "Telegram", "Ctrl K", "Plugin v1", "TRON (m/44'/195'/0')"];
/** Names and words that one language spells as English does. */
const COGNATES: Readonly<Partial<Record<LanguageId, readonly string[]>>> = {
  zh: ["CSV（Excel）", "Webhook", "TRON（m/44'/195'/0'）"],
  es: [
    ...["Callback", "Callbacks", "Error", "Host", "Manual", "Plugins", "Tokens", "Webhook", "webhook", "no"],
    "{unit, select, hours {{hours} h {minutes} min} minutes {{minutes} min {seconds} s} other {{seconds} s}}",
  ],
};
/** A pattern for the script of a language that is not written in Latin. */
const SCRIPTS: Readonly<Partial<Record<LanguageId, RegExp>>> = { zh: /\p{Script=Han}/u, ru: /\p{Script=Cyrillic}/u };
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
  expect(LANGUAGES.map(({ id }) => id)).toEqual(ALL.map(([id]) => id));
  expect(new Set(LANGUAGES.map(({ name }) => name)).size).toBe(LANGUAGES.length);
});

test("a user's choice precedes the browser's languages, and English is last", () => {
  expect(languageFor("zh", "en-GB,en;q=0.9")).toBe("zh");
  expect(languageFor("xx", "zh-CN,zh;q=0.9,en;q=0.8")).toBe("zh");
  expect(languageFor(undefined, "es-419,es;q=0.9,en;q=0.8")).toBe("es");
  expect(languageFor(undefined, "uk-UA, ru-UA;q=0.8, en;q=0.5")).toBe("ru");
  expect(languageFor(undefined, "fr-CH, fr;q=0.9, zh;q=0.3, en;q=0.8")).toBe("en");
  expect(languageFor(undefined, "zh;q=0, *;q=0.5")).toBe("en");
  expect(languageFor(undefined, null)).toBe("en");
});

/** Returns the plurals of a message: the texts of their branches, by category or exact number. */
function plurals(text: string): ReadonlyMap<string, string>[] {
  return [...text.matchAll(/\{\w+, plural,/g)].map(({ index, 0: head }) => {
    const branches = new Map<string, string>();
    let depth = 0;
    for (let at = index + head.length; ; ) {
      const [whole, name] = /^\s*([\w=]+)\s*\{/.exec(text.slice(at)) ?? [];
      if (!whole || !name) return branches;
      const start = at + whole.length;
      for (at = start, depth = 1; depth > 0; at++) depth += text[at] === "{" ? 1 : text[at] === "}" ? -1 : 0;
      branches.set(name, text.slice(start, at - 1));
    }
  });
}

test.each(ALL)("%s: a plural that shows its number has a form for every number", (id, messages) => {
  const rules = new Intl.PluralRules(id);
  for (const [key, text] of texts(messages))
    for (const branches of plurals(text)) {
      if (![...branches.values()].some((branch) => branch.includes("#"))) continue;
      for (let number = 0; number <= 101; number++)
        expect(branches.has(`=${number}`) || branches.has(rules.select(number)), `${key}: ${number}`).toBe(true);
    }
});

describe.each(OTHERS)("%s", (id, translation) => {
  const english = new Map(texts(en));

  test("has every message of English and no other, none of them empty", () => {
    expect(texts(translation).map(([key]) => key)).toEqual([...english.keys()]);
    for (const [key, text] of texts(translation)) expect(text.trim(), key).not.toBe("");
  });

  test("has no English message", () => {
    for (const [key, text] of texts(translation)) {
      const hasWords = /\p{L}{2}/u.test(text.replace(/\{\w+\}/g, ""));
      if (!hasWords || SAME.includes(text) || COGNATES[id]?.includes(text)) continue;
      expect(text, key).not.toBe(english.get(key));
      expect(text, key).toMatch(SCRIPTS[id] ?? /\p{L}/u);
    }
  });

  test("has every key of English, and no others", () => {
    for (const [key, text] of texts(translation))
      expect(placeholders(text), key).toEqual(placeholders(english.get(key) ?? ""));
  });
});

test.each(ALL)("%s: every message can be read by ICU", (locale, messages) => {
  const t = createTranslator<Branch>({ locale, messages, onError: (error) => expect.fail(error.message) });
  for (const [key, text] of texts(messages)) {
    for (const number of [0, 1, 2, 5, 21]) {
      const given = Object.fromEntries(
        placeholders(text).map((name) => [name.replace(/[<>]/g, ""), name.startsWith("<") ? () => "x" : number]),
      );
      const rendered = String((t.markup as (key: string, values: object) => string)(key, given));
      expect(rendered, key).not.toMatch(/undefined|NaN|\{/);
    }
  }
});
