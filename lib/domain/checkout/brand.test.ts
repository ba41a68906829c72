import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type BrandForm, parentOrigin, readBrand } from "@/lib/domain/checkout/brand";
import { accentOf, contrast, MIN_CONTRAST, parseHex } from "@/lib/domain/checkout/colour";
import { inEnglish } from "@/lib/domain/problems/in-english";

const EMPTY: BrandForm = { shownName: "", accent: "", supportUrl: "", frameParents: "", languages: "", logoUrl: "" };
const read = (form: Partial<BrandForm>) => readBrand({ ...EMPTY, ...form });
const problemOf = (form: Partial<BrandForm>) => {
  const answer = read(form);
  return "errors" in answer ? answer.errors.map((error) => `${error.field}: ${inEnglish(error)}`).join("; ") : null;
};

describe("an accent colour", () => {
  const anyHex = fc.integer({ min: 0, max: 0xffffff }).map((number) => `#${number.toString(16).padStart(6, "0")}`);

  test("contrast is that of WCAG's own examples", () => {
    expect(contrast("#000000", "#ffffff")).toBe(21);
    expect(contrast("#777777", "#ffffff")).toBeCloseTo(4.48, 2);
    expect(contrast("#ffffff", "#767676")).toBeCloseTo(4.54, 2);
  });

  test("is readable in both themes, as a link, as a button and under a pointer, or it is refused", () => {
    fc.assert(
      fc.property(anyHex, (colour) => {
        const accent = accentOf(colour);
        if ("problem" in accent) return contrast(colour, "#f4f5f7") < MIN_CONTRAST;
        const pairs: [string, string][] = [
          [accent.light.fill, "#f4f5f7"],
          [accent.light.fill, "#ffffff"],
          [accent.dark.fill, "#1a2029"],
          [accent.dark.fill, "#0b0e13"],
          ...[accent.light, accent.dark].flatMap(({ fill, hover, text }): [string, string][] => [
            [text, fill],
            [text, hover],
          ]),
        ];
        return pairs.every(([one, other]) => contrast(one, other) >= MIN_CONTRAST);
      }),
    );
  });

  test("the proposed value of a refusal is valid", () => {
    fc.assert(
      fc.property(anyHex, (colour) => {
        const accent = accentOf(colour);
        if (!("problem" in accent)) return true;
        const proposed = /such as (#[0-9a-f]{6}) /.exec(inEnglish(accent.problem))?.[1] ?? "";
        return !("problem" in accentOf(proposed));
      }),
    );
  });

  test("is reported with the problem and what would be right", () => {
    expect(problemOf({ accent: "#ffe600" })).toBe(
      "accent: #ffe600 is too light to read on the light page: its contrast is 1.1:1, and 4.5:1 is required. A darker shade such as #7a7212 works",
    );
    expect(problemOf({ accent: "red; }" })).toMatch(/^accent: "red; }" is not a color/);
    expect([parseHex("#ABC"), parseHex(" 0b7a4b ")]).toEqual(["#aabbcc", "#0b7a4b"]);
  });
});

test("nothing typed is nothing set", () => {
  expect(read({ shownName: "  " })).toEqual({
    shownName: null,
    accent: null,
    supportUrl: null,
    frameParents: [],
    languages: [],
    logoUrl: null,
  });
});

test("a support link is a page or a mailbox, and nothing that runs", () => {
  expect(read({ supportUrl: "help@shop.example" })).toMatchObject({ supportUrl: "mailto:help@shop.example" });
  expect(read({ supportUrl: "mailto:help@shop.example" })).toMatchObject({ supportUrl: "mailto:help@shop.example" });
  expect(read({ supportUrl: "https://shop.example/help?a=1" })).toMatchObject({
    supportUrl: "https://shop.example/help?a=1",
  });
  for (const bad of [
    ...["javascript:alert(1)", "data:text/html,x", "http://shop.example/", "https://a:b@shop.example/", "help"],
    ...["mailto:a@b.example?bcc=c@d.example", "mailto:a@b.example,c@d.example", "//shop.example", "a@b"],
  ])
    expect(problemOf({ supportUrl: bad })).toMatch(/^supportUrl: Enter a page such as/);
});

test("a site that may show pages is an origin alone: https, or this machine", () => {
  expect(
    read({ frameParents: "https://Shop.example/\nhttps://shop.example:8443, http://localhost:3000" }),
  ).toMatchObject({
    frameParents: ["https://shop.example", "https://shop.example:8443", "http://localhost:3000"],
  });
  for (const bad of [
    ...["*", "https://*.shop.example", "'self'", "https:", "http://shop.example", "https://shop.example/pay", "null"],
    ...[
      "https://shop.example?x",
      "https://shop.example;script-src *",
      "https://a@shop.example",
      "file:///",
      "https://[::1]",
    ],
  ])
    expect(parentOrigin(bad)).toBeNull();
  expect(problemOf({ frameParents: "https://a.example b.example" })).toMatch(
    /^frameParents: "b.example" is not an origin/,
  );
  expect(problemOf({ frameParents: Array.from({ length: 11 }, (_, i) => `https://s${i}.example`).join(" ") })).toBe(
    "frameParents: Enter at most 10 origins",
  );
});

test("no text makes an origin that could leave its place in a policy", () => {
  fc.assert(
    fc.property(fc.constantFrom("", "https://", "https://a.example"), fc.string(), (start, rest) => {
      const origin = parentOrigin(start + rest);
      return origin === null || /^https?:\/\/[^\s;,'"/]+$/.test(origin);
    }),
  );
});

test("a name has no line breaks and nothing that turns text around", () => {
  for (const shownName of ["a\nb", "shop\u202eexe", "a\u0000"])
    expect(problemOf({ shownName })).toMatch(/^shownName: Use no line breaks/);
  expect(problemOf({ shownName: "x".repeat(61) })).toBe("shownName: Use at most 60 characters");
  expect(read({ shownName: " Café 喫茶 " })).toMatchObject({ shownName: "Café 喫茶" });
});

test("all invalid fields are reported together", () => {
  const answer = read({ accent: "x", supportUrl: "x", logoUrl: "x" });
  expect("errors" in answer && answer.errors.map(({ field }) => field)).toEqual(["accent", "supportUrl", "logoUrl"]);
});

test("languages are tags, each once", () => {
  expect(read({ languages: "de zh-Hans pt-BR de" })).toMatchObject({ languages: ["de", "zh-Hans", "pt-BR"] });
  expect(problemOf({ languages: "de <b>" })).toBe(
    'languages: "<b>" is not a language tag. Enter one such as en or zh-Hans',
  );
});
