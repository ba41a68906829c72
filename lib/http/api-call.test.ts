import fc from "fast-check";
import { expect, test } from "vitest";
import { JsonNumber, JsonSource } from "@/lib/domain/fields/json-value";
import { parseJsonObject } from "@/lib/http/api-call";

const read = (text: string) => parseJsonObject(Buffer.from(text));
const kept = (text: string) => {
  const { metadata } = read(text);
  return metadata instanceof JsonSource ? metadata.text : metadata;
};

test.each([
  ['{"metadata":{}}', "{}"],
  [
    '{ "a" : "}", "metadata" :  { "b" : [1.50, {"c":"\\"}"}] , "é":"\\u00e9" } , "z":{"metadata":{"no":1}} }',
    '{ "b" : [1.50, {"c":"\\"}"}] , "é":"\\u00e9" }',
  ],
  ['{"list":[{"metadata":{"no":1}}],"meta\\u0064ata":{"n":1e400}}', '{"n":1e400}'],
])("metadata of %s is kept unchanged", (body, text) => {
  expect(kept(body)).toBe(text);
});

test("metadata is extracted to the character, in any surroundings", () => {
  const spaces = fc.constantFrom("", " ", "\n\t");
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue(), spaces, spaces, (metadata, other, a, b) => {
      const text = JSON.stringify(metadata);
      const around = `{"other":${JSON.stringify(other)}${a},${b}"metadata"${b}:${a}${text}${b},"after":${JSON.stringify(other)}}`;
      expect(kept(around)).toBe(text);
    }),
  );
});

test("a value that is not an object stays unchanged", () => {
  expect(kept('{"metadata":"{}"}')).toBe("{}");
  expect(kept('{"metadata":null}')).toBeNull();
  expect(kept('{"metadata":[{}]}')).toHaveLength(1);
});

test.each(["[]", " [\n] "])("an empty array counts as an empty object: %j", (body) => {
  expect(read(body)).toEqual({});
});

test.each(["[{}]", "[null]", '["a"]', "[[]]"])("an array with entries is refused: %s", (body) => {
  expect(() => read(body)).toThrow("The request body is a non-empty array; it must be a JSON object");
});

test("duplicate metadata is not kept", () => {
  expect(() => kept('{"metadata":{"a":1},"metadata":{"b":1}}')).toThrow("metadata occurs twice");
  expect(() => kept('{"metadata":5,"x":{"y":{}},"meta\\u0064ata":{"b":1}}')).toThrow("metadata occurs twice");
});

test("a request with a field twice is refused, because readers disagree about which one counts", () => {
  expect(() => read('{"amount":1,"amount":100}')).toThrow("amount occurs twice; send it once");
  expect(() => read('{"amount":1,"am\\u006funt":100}')).toThrow("amount occurs twice");
  expect(Object.keys(read('{"amount":1,"other":{"amount":2},"text":"\\"amount\\":"}'))).toEqual([
    "amount",
    "other",
    "text",
  ]);
});

test("numbers keep their text, whether or not the object has objects in it", () => {
  const spaces = fc.constantFrom("", " ", "\n\t ");
  const number = fc.constantFrom("0", "-0", "12.50", "1e400", "-3.0E+2", "9007199254740993.000000000000000001");
  const scalar = fc.oneof(
    number.map((text) => ({ text, value: new JsonNumber(text) as unknown })),
    fc
      .oneof(fc.string(), fc.boolean(), fc.constant(null), fc.constantFrom('"', "\\", ':"', '"a":1', '","a":"'))
      .map((value) => ({
        text: JSON.stringify(value),
        value: value as unknown,
      })),
  );
  const keys = fc.oneof(fc.string(), fc.constantFrom("a", "b", "constructor", "__proto__", ":", '"', "\\", "0"));
  const fields = fc.uniqueArray(fc.record({ key: keys, scalar }), { selector: ({ key }) => key });
  fc.assert(
    fc.property(fields, fc.boolean(), spaces, spaces, (list, isNested, a, b) => {
      const all = isNested
        ? [...list, { key: "…", scalar: { text: '{"n":[1.0]}', value: { n: [new JsonNumber("1.0")] } } }]
        : list;
      const text = `${a}{${all.map(({ key, scalar: { text } }) => `${a}${JSON.stringify(key)}${b}:${a}${text}${b}`).join(",")}}${b}`;
      const wanted = all.map(({ key, scalar: { value } }) => ({ key, value }));
      expect(
        Object.entries(read(text))
          .map(([key, value]) => ({ key, value }))
          .toSorted(byKey),
      ).toEqual(wanted.toSorted(byKey));
    }),
  );
});

const byKey = (one: { key: string }, other: { key: string }) => (one.key < other.key ? -1 : 1);

test("a field twice is found, whatever its two values look like", () => {
  const value = fc.constantFrom("1", '"x"', '":"', '":1,"', "null", "true", '{"a":1}', '[":"]', '"\\""', "-1.5");
  fc.assert(
    fc.property(value, value, value, (one, two, between) => {
      expect(() => read(`{"b":0,"a":${one},"c":${between},"a":${two}}`)).toThrow("a occurs twice");
    }),
  );
});

test.each([
  ['{"a":1,"b":{"a":2},"c":[{"a":3},{"a":4}]}', null],
  ['{"a":1,"\\u0061":2}', "a"],
  ['{"x":[{"y":{"__proto__":1,"__proto__":2}}]}', "__proto__"],
  ['{"a":"b","b":"a","c":"a"}', null],
])("a key that one object has twice is found: %s", (text, key) => {
  expect(new JsonSource(text).repeatedKey()).toBe(key);
});
