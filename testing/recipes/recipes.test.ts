import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readRecipe } from "@/testing/recipes/recipe";

const MAX_LINES = 60;
const pages = readdirSync("docs/recipes").filter((file) => file !== "README.md");
const names = pages.map((file) => file.replace(/\.md$/, ""));
/** A line of a comment, or of an import, in one of the languages of the recipes. */
const NOT_COUNTED = /^\s*(?:\/\/|\/\*|#|"""|import\b|from .* import\b|use [\w\\]+;|package\b|namespace\b|<\?php$)/;

/** Returns the lines of code, without blank lines, comments and imports. */
function codeLines(text: string): string[] {
  // The list of a Go import, and of a JavaScript import on several lines.
  const body = text.replace(/^import \([\s\S]*?^\)$/m, "").replaceAll(/^import \{[^}]*\} from .*$/gm, "");
  return body.split("\n").filter((line) => line.trim() !== "" && !NOT_COUNTED.test(line));
}

test("the counter of lines counts code only", () => {
  const go = 'package main\n\nimport (\n\t"fmt"\n)\n\n// main prints.\nfunc main() {\n\tfmt.Println()\n}\n';
  expect(codeLines(go)).toEqual(["func main() {", "\tfmt.Println()", "}"]);
  expect(codeLines('import {\n  a,\n} from "b";\n/** A. */\nconst c = a;\n')).toEqual(["const c = a;"]);
});

test.each(names)("%s: at most 60 lines of code", (name) => {
  const files = [...readRecipe(name).values()];
  expect(files.length).toBeGreaterThan(0);
  const lines = files.flatMap(codeLines);
  expect(lines.length).toBeLessThanOrEqual(MAX_LINES);
  expect(lines.filter((line) => line.length > 120)).toEqual([]);
});

test("the index lists each recipe, and a test runs each", () => {
  const index = readFileSync("docs/recipes/README.md", "utf8");
  const tests = readFileSync("testing/recipes/recipes.integration.test.ts", "utf8");
  expect(names).toHaveLength(8);
  for (const name of names) {
    expect(index).toContain(`](${name}.md)`);
    expect(tests).toMatch(new RegExp(`write(?:Node)?Recipe\\("${name}"`));
  }
});
