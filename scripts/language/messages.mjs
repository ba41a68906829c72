import ts from "typescript";

/**
 * A text of a program with at least three words: a string, a template or a text of JSX. `line` counts from 1.
 * @typedef {{ file: string, line: number, text: string }} Message
 */

/** Returns the texts of a TypeScript or JavaScript file that people may read. Placeholders are "…"; SQL and style sheets are left out. @returns {Message[]} */
export function messagesIn({ path: file, text }) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found = [];
  const visit = (node) => {
    if (ts.isTaggedTemplateExpression(node) || ts.isImportDeclaration(node)) return;
    const read = textOf(node);
    if (read !== null && isSentence(read))
      found.push({ file, line: source.getLineAndCharacterOfPosition(node.getStart()).line + 1, text: read.trim() });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function textOf(node) {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isJsxText(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return null;
  return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join("…");
}

function isSentence(text) {
  return text.trim().split(/\s+/).length >= 3 && !/[{;]\s*$|\bselect\b.*\bfrom\b|:root\{/is.test(text);
}
