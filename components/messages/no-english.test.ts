import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { CLIENT_NAMESPACES } from "@/components/messages/client-namespaces";

const ROOT = path.resolve(import.meta.dirname, "../..");
const FILES = globSync(
  ["app/*.tsx", "app/dashboard/**/*.tsx", "app/(auth)/**/*.tsx", "components/{dashboard,ui}/**/*.tsx"],
  {
    cwd: ROOT,
  },
);
/** The names and symbols that are the same in every language. */
const SAME = ["Stablegate", "HTTP", "DNS", "TLS", "ms", "XXXX-XXXX-XXXX", "%s · Stablegate", "EUR"];
/** A pattern for addresses that show the expected format of an input. */
const EXAMPLE = /^(https:\/\/|help@)[\w./-]+$/;
/** The attributes whose values users read or screen readers announce. */
const SPOKEN = ["aria-label", "title", "placeholder", "label", "hint", "name", "what", "text", "caption"];
const read = (file: string) => readFileSync(path.join(ROOT, file), "utf8");
/**
 * Returns true if a string is visible to users. The name of a form field is one lower-case word; a visible string has an upper-case
 * character or a space.
 */
const isUserVisible = (text: string, attribute = "") =>
  /\p{L}{2}/u.test(text) &&
  !SAME.includes(text.trim()) &&
  !EXAMPLE.test(text) &&
  (attribute !== "name" || /[A-Z ]/.test(text)) &&
  !(attribute === "name" && /^[a-z]+[A-Z]\w*$/.test(text));

/** Returns the strings that a file's JSX contains as literals instead of taking them from the messages. */
function englishOf(file: string, source: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isJsxText(node) && isUserVisible(node.text)) found.push(node.text.trim());
    if (ts.isJsxAttribute(node) && SPOKEN.includes(node.name.getText()))
      found.push(...written(node.initializer, node.name.getText()));
    if (ts.isJsxExpression(node) && !ts.isJsxAttribute(node.parent)) found.push(...written(node, ""));
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX));
  return found;
}

/** Returns the strings of an attribute or child: literals, or the branches of a condition. */
function written(node: ts.Node | undefined, attribute: string): string[] {
  if (!node) return [];
  if (ts.isStringLiteralLike(node)) return isUserVisible(node.text, attribute) ? [node.text] : [];
  if (ts.isTemplateExpression(node))
    return isUserVisible(node.head.text + node.templateSpans.map(({ literal }) => literal.text).join(" "))
      ? [node.getText()]
      : [];
  if (ts.isJsxExpression(node)) return written(node.expression, attribute);
  if (ts.isConditionalExpression(node))
    return [...written(node.whenTrue, attribute), ...written(node.whenFalse, attribute)];
  return [];
}

test("no page of the back office has texts outside the message tables", () => {
  expect(FILES.length).toBeGreaterThan(60);
  const found = FILES.flatMap((file) => englishOf(file, read(file)).map((text) => `${file}: ${text}`));
  expect(found).toEqual([]);
});

test("texts in a page are found: text, an accessible attribute, a branch of a condition", () => {
  const page = 'const a = <p title="Two words" data-x="No">Some text {isIt ? "Yes it is" : t("no")} {ok}</p>;';
  expect(englishOf("a.tsx", page).toSorted()).toEqual(["Some text", "Two words", "Yes it is"].toSorted());
});

/** Returns `seen`, extended by a browser file and all files that it imports. */
function closure(file: string, seen: Set<string>): Set<string> {
  if (seen.has(file)) return seen;
  const source = read(file);
  seen.add(file);
  for (const [, name = ""] of source.matchAll(/from "@\/((?:app|components)\/[^"]+)"/g)) {
    const next = [`${name}.tsx`, `${name}.ts`].find((one) =>
      globSync(one.replace(/[[\]()]/g, "?"), { cwd: ROOT }).includes(one),
    );
    if (next && !read(next).startsWith('"use server"')) closure(next, seen);
  }
  return seen;
}

test.each([
  ["auth", "app/(auth)/"],
  ["dashboard", "app/dashboard/|components/dashboard/"],
] as const)("every room that scripts of %s ask for travels to the browser", (part, cursor) => {
  const scripts = FILES.filter(
    (file) =>
      new RegExp(`^(${cursor})`.replace("(auth)", "\\(auth\\)")).test(file) && read(file).startsWith('"use client"'),
  );
  const files = scripts.reduce((seen, file) => closure(file, seen), new Set<string>());
  const namespaces = [...files].flatMap((file) =>
    [...read(file).matchAll(/useTranslations\("(\w+)"\)/g)].map(([, namespace]) => namespace),
  );
  expect(scripts.length).toBeGreaterThan(2);
  expect(CLIENT_NAMESPACES[part]).toEqual(expect.arrayContaining([...new Set(namespaces)]));
});
