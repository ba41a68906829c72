import { createTranslator } from "next-intl";
import { expect, test } from "vitest";
import { problems as es } from "@/components/messages/es/problems";
import { problemMessage, problemMessages } from "@/components/messages/problem-message";
import { problems as ru } from "@/components/messages/ru/problems";
import { problems as zh } from "@/components/messages/zh/problems";
import { english } from "@/lib/domain/problems/english";
import { fieldError, problem } from "@/lib/domain/problems/problem";

const SENTENCES: Readonly<Record<string, string>> = english;
const TRANSLATIONS: readonly [string, Readonly<Record<string, string>>][] = Object.entries({ zh, es, ru });
const namesIn = (sentence: string) => [...new Set([...sentence.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))];

test.each(TRANSLATIONS)("%s: every sentence is translated and shows every parameter of the English one", (_, text) => {
  for (const [code, sentence] of Object.entries(text)) {
    const expected = namesIn(SENTENCES[code] ?? "").filter((name) => name !== "field");
    expect(namesIn(sentence).toSorted(), code).toEqual(expected.toSorted());
    if (code !== "fields_invalid") expect(sentence, code).not.toBe(SENTENCES[code]);
  }
});

test("every sentence can be read by ICU, so that a language may use its plurals", () => {
  for (const [code, sentence] of [SENTENCES, zh, es, ru].flatMap((table) => Object.entries(table))) {
    const values = Object.fromEntries(namesIn(sentence).map((name) => [name, "x"]));
    const onError = (error: Error) => expect.fail(`${code}: ${error.message}`);
    const t = createTranslator({ locale: "en", messages: { sentence: escaped(sentence) }, onError });
    expect(t("sentence", values), code).toBe(sentence.replace(/\{\w+\}/g, "x"));
  }
});

/** Escapes a sentence for ICU, because placeholders such as <base64 …> would be parsed as tags. */
const escaped = (sentence: string) => sentence.replaceAll("'", "''").replaceAll("<", "'<'").replaceAll(">", "'>'");

test("every code is lower-case words joined by underscores", () => {
  for (const code of Object.keys(SENTENCES)) expect(code).toMatch(/^[a-z]+(_[a-z0-9]+)+$/);
});

test("a problem is written with its parameters, and with the problems that it contains", async () => {
  const wait = problem("code_attempts_exceeded", { minutes: 4 });
  expect(await problemMessage("en", wait)).toBe("Too many wrong codes. Try again in 4 min");
  expect(await problemMessage("zh", wait)).toBe("验证码错误次数过多，请在 4 分钟后重试");
  expect(await problemMessage("es", wait)).toBe("Demasiados códigos incorrectos. Inténtalo de nuevo en 4 min");
  expect(await problemMessage("ru", wait)).toBe("Слишком много неверных кодов. Повторите через 4 мин");
  const rate = problem("rate_missing", { currency: "USDT", fiat: "EUR", reason: problem("rate_stale") });
  expect(await problemMessage("zh", rate)).toContain("没有汇率来源给出新的汇率");
  expect(await problemMessage("zh", problem("email_malformed", { given: "a (b) $& {given}" }))).toBe(
    "“a (b) $& {given}”不是电子邮箱",
  );
});

test("the errors of fields get their sentences; one that has its sentence keeps it", async () => {
  const errors = [fieldError("email", problem("email_missing")), { field: "", message: "Stopped" }];
  expect(await problemMessages("zh", errors)).toEqual([
    { field: "email", message: "请输入电子邮箱" },
    { field: "", message: "Stopped" },
  ]);
  const long = fieldError("checkout.redirectURL", problem("url_too_long", { max: 9 }));
  expect(await problemMessages("en", [long])).toEqual([
    { field: "checkout.redirectURL", message: "redirectURL is longer than 9 characters" },
  ]);
});
