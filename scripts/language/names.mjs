import ts from "typescript";

/**
 * A declared name of a source file. `line` counts from 1.
 * @typedef {{ file: string, line: number, text: string }} Name
 */

/**
 * Returns the names that a TypeScript or JavaScript file declares: of functions, types, values, parameters and properties.
 * @returns {Name[]}
 */
export function namesIn({ path: file, text }) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found = [];
  const visit = (node) => {
    const { name } = node;
    const isName = name && (ts.isIdentifier(name) || ts.isPrivateIdentifier(name));
    if (isName && DECLARES.some((declares) => declares(node)))
      found.push({ file, line: source.getLineAndCharacterOfPosition(name.getStart()).line + 1, text: name.text });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const DECLARES = [
  ts.isFunctionDeclaration,
  ts.isClassDeclaration,
  ts.isInterfaceDeclaration,
  ts.isTypeAliasDeclaration,
  ts.isVariableDeclaration,
  ts.isParameter,
  ts.isBindingElement,
  ts.isPropertyDeclaration,
  ts.isPropertySignature,
  ts.isMethodDeclaration,
  ts.isMethodSignature,
];

/** Words that names do not contain; docs/glossary.md has the terms of the field. */
const UNUSUAL = new Set(
  (
    "nobody somebody everybody whoever tell tells told telling say says said saying hear hears heard news owe owes owed owing " +
    "seal seals sealed genuine tampered most least letter letters wrong wrongs drowsy asleep awake loose trouble troubles lie lies " +
    "liar invented invention inventions deed deeds maker misgiven stray truth judge judged dialects anew begun shall door doors " +
    "room rooms house story stories hinge loneliness"
  ).split(" "),
);

/** Returns the first unusual word of a name in camel case, Pascal case or capitals; null if it has none. */
export function unusualPartOf({ text }) {
  const parts = text.split(/[^a-zA-Z0-9]+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/);
  return parts.find((part) => UNUSUAL.has(part.toLowerCase())) ?? null;
}
