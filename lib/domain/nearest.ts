/** Returns the known word that is most similar to a mistyped word; null if none is similar. */
export function nearest(candidate: string, known: readonly string[]): string | null {
  const [best] = known
    .map((name) => ({ name, edits: edits(candidate.toLowerCase(), name.toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits);
  return best && best.edits <= Math.max(1, best.name.length / 3) ? best.name : null;
}

/** Returns the number of characters to insert, delete or change until two words are equal (Levenshtein). */
function edits(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (const [index, email] of [...left].entries()) {
    const next = [index + 1];
    for (let at = 0; at < right.length; at++) {
      const change = (row[at] ?? 0) + (email === right[at] ? 0 : 1);
      next.push(Math.min(change, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
