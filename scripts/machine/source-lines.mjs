const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const VALUE = new Map([...DIGITS].map((digit, value) => [digit, value]));
const CONTINUES = 32;

/**
 * Reduces the mappings of a source map (ECMA-426) to the first position of each line. Once a process writes a stack trace, Node keeps every
 * mapping of its program in memory: with all columns, these are 45 MB for the web process.
 * @param {string} mappings @returns {string}
 */
export function keepLines(mappings) {
  // A position has a column, which starts at zero in each line, and a source, a line and a column there, which continue from the previous one.
  const read = [0, 0, 0, 0];
  const written = [0, 0, 0, 0];
  return mappings
    .split(";")
    .map((line) => {
      read[0] = 0;
      written[0] = 0;
      let first = "";
      for (const segment of line.split(",")) {
        const fields = decode(segment);
        for (let index = 0; index < read.length; index++) read[index] += fields[index] ?? 0;
        if (first || fields.length < read.length) continue;
        first = read.map((value, index) => encode(value - written[index])).join("");
        for (let index = 0; index < read.length; index++) written[index] = read[index];
      }
      return first;
    })
    .join(";");
}

function decode(segment) {
  const fields = [];
  let value = 0;
  let shift = 0;
  for (const digit of segment) {
    const bits = VALUE.get(digit) ?? 0;
    value += (bits & (CONTINUES - 1)) << shift;
    shift += 5;
    if (bits & CONTINUES) continue;
    fields.push(value & 1 ? -(value >> 1) : value >> 1);
    value = 0;
    shift = 0;
  }
  return fields;
}

function encode(value) {
  let rest = value < 0 ? (-value << 1) | 1 : value << 1;
  let text = "";
  do {
    const bits = rest & (CONTINUES - 1);
    rest >>>= 5;
    text += DIGITS[rest > 0 ? bits | CONTINUES : bits];
  } while (rest > 0);
  return text;
}
