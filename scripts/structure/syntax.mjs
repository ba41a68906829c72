import ts from "typescript";

/**
 * A place in the code. `line` counts from 1; `size` is a number of lines, where the measure has one.
 * @typedef {{ file: string, line: number, text: string, size?: number }} Finding
 */

/** Returns all functions with a body: declarations, methods, arrow functions. `size` counts the lines of the body with its braces. */
export function functionsIn(file) {
  return visit(file, (node, at) => {
    if (!ts.isFunctionLike(node) || !node.body) return null;
    const size = at(node.body.end).line - at(node.body.getStart()).line + 1;
    return { text: functionName(node), size };
  });
}

/** Returns the spreads of an object literal into another object literal: `{ ...{ a, b } }`. */
export function literalSpreadsIn(file) {
  return visit(file, (node) =>
    ts.isSpreadAssignment(node) && ts.isObjectLiteralExpression(node.expression) ? { text: node.getText() } : null,
  );
}

/** Returns the declarations of several variables from an array literal: `const [a, b] = [x, y]`. */
export function tupleDeclarationsIn(file) {
  return visit(file, (node) =>
    ts.isVariableDeclaration(node) &&
    ts.isArrayBindingPattern(node.name) &&
    node.initializer &&
    ts.isArrayLiteralExpression(node.initializer)
      ? { text: node.getText() }
      : null,
  );
}

const PROBLEM_BUILDERS = new Set(["wrong", "fieldError", "AppError"]);
const PROBLEM_FIELDS = new Set(["problem"]);

/** Returns the arguments and properties that put an English sentence into a problem. */
export function problemSentencesIn(file) {
  return visit(file, (node) => {
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
      const isBuilder = PROBLEM_BUILDERS.has(node.expression.getText());
      return isBuilder && node.arguments?.some(isSentence) ? { text: node.getText() } : null;
    }
    const isField = ts.isPropertyAssignment(node) && PROBLEM_FIELDS.has(node.name.getText());
    return isField && isSentence(node.initializer) ? { text: node.getText() } : null;
  });
}

function isSentence(node) {
  if (ts.isParenthesizedExpression(node)) return isSentence(node.expression);
  if (ts.isConditionalExpression(node)) return isSentence(node.whenTrue) || isSentence(node.whenFalse);
  return (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) && /\S [a-z$]/.test(node.getText());
}

/** Returns the module names that a file imports, re-exports or loads with `import()`. */
export function importsOf({ text }) {
  return ts.preProcessFile(text).importedFiles.map(({ fileName }) => fileName);
}

function functionName(node) {
  return node.name?.getText() ?? node.parent?.name?.getText() ?? "(unnamed)";
}

/** Returns the findings of `find` for all syntax nodes of a file, with their lines. */
function visit(file, find) {
  const kind = file.path.endsWith(".tsx") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile(file.path, file.text, ts.ScriptTarget.Latest, true, kind);
  const at = (position) => source.getLineAndCharacterOfPosition(position);
  const findings = [];
  const look = (node) => {
    const found = find(node, at);
    if (found) findings.push({ file: file.path, line: at(node.getStart()).line + 1, ...found });
    ts.forEachChild(node, look);
  };
  look(source);
  return findings;
}
