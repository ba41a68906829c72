import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { sayProblem, sayProblems, translateProblem } from "@/components/messages/say-problem";
import { problems } from "@/components/messages/zh/problems";

const ROOT = path.resolve(import.meta.dirname, "../..");
/** Where what a person of the back office is answered is written; the API's own sentences are not among it. */
const FILES = globSync(
  [
    "lib/{users,merchants,ledger}/**/*.ts",
    "lib/orders/{cancel-order,create-checkout,create-order,mark-order-paid}.ts",
    "lib/{rates/count-price,callbacks/send-test-event,integrations/plugin-settings}.ts",
    "lib/domain/{addresses,checkout,keys,orders}/*.ts",
    "lib/domain/{networks/finality,callbacks/address-rule,rates/setting}.ts",
    "app/{session,confirm-change}.ts",
    "app/{dashboard,(auth)}/**/*actions.ts",
  ],
  { cwd: ROOT },
).filter((file) => !/\.(integration\.)?test\.ts$/.test(file));
/** What is written there for others: the command line, records, and what a wallet signs, which is the same in every language. */
const FOR_OTHERS = [
  /^Nobody has the e-mail address "/,
  /^This is a test\./,
  /^APP_SECRET is /,
  /^7 makes a block about/,
  /^7 Watching goes by/,
  /^(The account whose first address|The shop "7" at 7 may|This moves no money)/,
];

/** Sentences that a file holds, with "7" wherever something is put in; what is thrown and what is asked of the database aside. */
function sentencesOf(source: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isThrowStatement(node) && /new (Range)?Error\(/.test(node.getText())) return;
    if (ts.isTaggedTemplateExpression(node) || ts.isImportDeclaration(node)) return;
    const text = textOf(node);
    if (text !== null && /^["{]?[A-Z7]/.test(text) && /\w[,:]? [a-z]+ [a-z]/.test(text)) found.push(text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile("a.ts", source, ts.ScriptTarget.Latest, true));
  return found.filter((text) => !FOR_OTHERS.some((one) => one.test(text)));
}

function textOf(node: ts.Node): string | null {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return null;
  return node.head.text + node.templateSpans.map(({ literal }) => `7${literal.text}`).join("");
}

test("whatever a story answers to a person can be said in every language", () => {
  const sentences = FILES.flatMap((file) => sentencesOf(readFileSync(path.join(ROOT, file), "utf8")));
  expect(sentences.length).toBeGreaterThan(100);
  expect(sentences.filter((sentence) => !/\p{Script=Han}/u.test(translateProblem(problems, sentence)))).toEqual([]);
});

test("what is put into a sentence stays in it, in every language", () => {
  const holes = (text: string) => [...new Set(text.match(/\{\w+\}/g))].toSorted();
  const left = ["{where}", "{rule}"];
  for (const [english, said] of Object.entries(problems))
    expect(holes(said), english).toEqual(holes(english).filter((hole) => said.includes(hole) || !left.includes(hole)));
});

test("a sentence is found by its pattern, with what differs in it and what that says", async () => {
  expect(await sayProblem("zh", "Too many wrong codes. Try again in 4 min")).toBe(
    "验证码错误次数过多，请在 4 分钟后重试",
  );
  const inside =
    "There is no rate of USDT in EUR: no source of rates has given a fresh one; ask again, or set a fixed rate in the back office under Settings → Prices";
  expect(await sayProblem("zh", inside)).toContain("没有汇率来源给出新的汇率");
  expect(await sayProblem("zh", '"a (b) $& c" is not an e-mail address')).toBe("“a (b) $& c”不是电子邮箱");
});

test("English readers read what was answered, and so does everybody where no words are known", async () => {
  const errors = [{ field: "email", message: "Enter your e-mail address" }];
  expect(await sayProblems("en", errors)).toEqual(errors);
  expect(await sayProblems("zh", errors)).toEqual([{ field: "email", message: "请输入电子邮箱" }]);
  expect(await sayProblem("zh", "Something new")).toBe("Something new");
});
