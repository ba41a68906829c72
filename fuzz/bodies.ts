import type { Random } from "@/chaos/plan/random";

/** A request body and its defect. */
export interface Body {
  name: string;
  bytes: Uint8Array;
}

type Fields = Readonly<Record<string, string>>;
type Spoil = (fields: Fields, random: Random) => string | Uint8Array;

const MEBIBYTE = 1024 * 1024;
/** The JSON texts that may replace a value. */
const VALUES = [
  ...["null", "true", "false", "0", "-0", "-1", "1e400", "-1e400", "1e-400", "1E+2", "0.0000001", "1.0000001"],
  ...["9007199254740993", "1000000000.000001", "123456789012345678901234567890", "0x10", "NaN", "Infinity", "01", "+1"],
  ...['""', '" "', '"\\u0000"', '"\\ud800"', '"\\udc00\\ud800"', '"\\uFEFF"', '"١٢٣"', '"１２"', '"1e400"', '"-0"'],
  ...["[]", "{}", "[[[]]]", '{"toString":1}', '{"__proto__":{"isAdmin":true}}', '"__proto__"', '"constructor"'],
  ...['"javascript:alert(1)"', '"http://[::1"', '"http://169.254.169.254/"', '"\'; drop table orders; --"'],
  ...['"<script>alert(1)</script>"', '"%00"', '"..\\\\..\\\\"', '"\\r\\nX-Injected: 1"', '"\\u202e"'],
];

const text = (fields: Fields) =>
  `{${Object.entries(fields)
    .map(([name, value]) => `${JSON.stringify(name)}:${value}`)
    .join(",")}}`;

const randomBytes = (random: Random, max: number) =>
  Uint8Array.from({ length: random.int(0, max) }, () => random.int(0, 255));

/** The variants of JSON bodies. */
const SPOILS: Readonly<Record<string, Spoil>> = {
  "as it should be": text,
  "random bytes": (_fields, random) => randomBytes(random, 400),
  "no body": () => "",
  "a value of another kind": (fields, random) => text({ ...fields, [aField(fields, random)]: random.pick(VALUES) }),
  "several values of another kind": (fields, random) =>
    text(Object.fromEntries(Object.keys(fields).map((name) => [name, random.pick(VALUES)]))),
  "a field is missing": (fields, random) => {
    const without = aField(fields, random);
    return text(Object.fromEntries(Object.entries(fields).filter(([name]) => name !== without)));
  },
  "the same key twice": (fields, random) =>
    text(fields).replace("{", `{${JSON.stringify(aField(fields, random))}:${random.pick(VALUES)},`),
  "keys of the language": (fields, random) =>
    text({ ...fields, [random.pick(["__proto__", "constructor", "toString", "hasOwnProperty", "then"])]: '{"x":1}' }),
  "a long text": (fields, random) =>
    text({
      ...fields,
      [aField(fields, random)]: `"${random.pick(["a", "😀", "\\u0041"]).repeat(random.int(1, 9_000))}"`,
    }),
  "not UTF-8": (fields, random) => {
    const bytes = Buffer.from(text(fields));
    for (let times = random.int(1, 4); times > 0; times--)
      bytes[random.int(0, bytes.length - 1)] = random.int(128, 255);
    return bytes;
  },
  "a byte is another": (fields, random) => {
    const bytes = Buffer.from(text(fields));
    bytes[random.int(0, bytes.length - 1)] = random.int(0, 127);
    return bytes;
  },
  "cut off": (fields, random) => text(fields).slice(0, random.int(0, text(fields).length - 1)),
  "UTF-16": (fields) => Buffer.from(`\ufeff${text(fields)}`, "utf16le"),
  "a byte order mark": (fields) => `\ufeff${text(fields)}`,
  "something after the end": (fields, random) =>
    text(fields) + random.pick(["}", "\0", "null", text(fields), "//", "\n\n"]),
  "no object": (_fields, random) => random.pick([...VALUES, '["a"]', '"a"', "undefined", "<xml/>", "a=1&b=2"]),
};

const MANY_KEYS = `${Array.from({ length: 4_000 }, (_, at) => `,"k${at}":1`).join("")}}`;

/** The variants that are a hundred times more expensive to read. */
const DEAR: Readonly<Record<string, Spoil>> = {
  "nested deeply": (fields, random) => {
    const depth = random.pick([100, 1_000, 10_000, 30_000]);
    const [open, close] = random.pick([
      ["[", "]"],
      ['{"a":', "}"],
    ]) as [string, string];
    return text({ ...fields, [aField(fields, random)]: open.repeat(depth) + close.repeat(random.pick([depth, 0])) });
  },
  "a number of many digits": (fields, random) =>
    text({ ...fields, [aField(fields, random)]: "9".repeat(random.int(1, 50_000)) }),
  "many keys": (fields) => text(fields).replace(/}$/, MANY_KEYS),
};

/** The variants that are more expensive than all others together. */
const LARGE: Readonly<Record<string, Spoil>> = {
  "just too large": (fields) => text({ ...fields, extra: `"${"x".repeat(64 * 1024)}"` }),
  "ten megabytes": (fields) => text({ ...fields, extra: `"${"x".repeat(10 * MEBIBYTE)}"` }),
};

/** Returns a form body as a browser encodes it. */
const form = (fields: Fields) =>
  new URLSearchParams(Object.entries(fields).map(([name, json]) => [name, plainText(json)])).toString();

/** Returns the form value of a JSON text. */
function plainText(json: string): string {
  return json.startsWith('"') && json.endsWith('"') && json.length > 1 ? json.slice(1, -1) : json;
}

const STRANGE_PAIRS = [
  "%",
  "%zz=1",
  "=",
  "&&&",
  "a",
  "%ff=%fe",
  "%00=%00",
  "__proto__=1",
  "method[]=x",
  "method[a]=1",
  "+=+",
];

/** The variants of form bodies. */
const FORM_SPOILS: Readonly<Record<string, Spoil>> = {
  "as it should be": form,
  "random bytes": (_fields, random) => randomBytes(random, 400),
  "no body": () => "",
  "a value of another kind": (fields, random) => form({ ...fields, [aField(fields, random)]: random.pick(VALUES) }),
  "a field is missing": (fields, random) => {
    const without = aField(fields, random);
    return form(Object.fromEntries(Object.entries(fields).filter(([name]) => name !== without)));
  },
  "the same key twice": (fields, random) =>
    `${form(fields)}&${encodeURIComponent(aField(fields, random))}=${encodeURIComponent(random.pick(VALUES))}`,
  "strange pairs": (fields, random) => `${form(fields)}&${random.pick(STRANGE_PAIRS)}`,
  "not percent-encoded": (fields, random) => `${aField(fields, random)}=${random.pick(VALUES)}`,
  "a long text": (fields, random) =>
    form({ ...fields, [aField(fields, random)]: `"${"😀".repeat(random.int(1, 4_000))}"` }),
  "a byte is another": (fields, random) => {
    const bytes = Buffer.from(form(fields));
    bytes[random.int(0, bytes.length - 1)] = random.int(0, 255);
    return bytes;
  },
  "JSON instead": text,
  "parts instead": (fields) =>
    `--x\r\nContent-Disposition: form-data; name="method"\r\n\r\n${Object.values(fields)[0]}\r\n--x--\r\n`,
};

const kindsOf = (...namespaces: Readonly<Record<string, Spoil>>[]) =>
  namespaces.flatMap((namespace) => Object.keys(namespace));

/** The names of all body variants, except the rare ones. */
export const BODY_KINDS = [
  ...kindsOf(SPOILS, DEAR).map((name) => `JSON: ${name}`),
  ...kindsOf(FORM_SPOILS).map((name) => `form: ${name}`),
];

/** Returns a hostile body that is built from valid fields, each as JSON text. */
export function hostileBody(fields: Fields, isForm: boolean, random: Random): Body {
  const kind = random.weighted({ cheap: 960, dear: 38, large: 2 });
  const cheap = isForm ? FORM_SPOILS : SPOILS;
  const kinds = { cheap, dear: DEAR, large: LARGE }[kind];
  const name = random.pick(Object.keys(kinds));
  const made = kinds[name]?.(fields, random) ?? "";
  const isWritten = isForm && kind === "cheap" ? "form" : "JSON";
  return { name: `${isWritten}: ${name}`, bytes: typeof made === "string" ? Buffer.from(made) : made };
}

function aField(fields: Fields, random: Random): string {
  return random.pick(Object.keys(fields));
}
