import { expect, test } from "vitest";
import { referencePage } from "@/components/docs/document";
import { listPages, objectsIn, searchEntries, slugOf } from "@/components/docs/reference";
import { openApiDocument } from "@/lib/http/openapi/document";
import { TEST_ENV } from "@/testing/web";

const document = openApiDocument(TEST_ENV, "1.2.3");
const htmlOf = (slug: string) => referencePage(document, slug)?.html ?? "";

test("every operation has a page with its path, its fields and its examples", () => {
  for (const [path, item] of Object.entries(document.paths)) {
    for (const operation of Object.values(item)) {
      const html = htmlOf(slugOf(operation.operationId));
      expect(html, path).toContain(`<code>${path}</code>`);
      const { schema } = operation.requestBody?.content["application/json"] ?? { schema: {} };
      for (const { fields } of objectsIn(document, schema))
        for (const [name] of fields) expect(html, path).toContain(`id="request-${name}"`);
      expect(html).toContain('data-lang="curl"');
    }
  }
});

test("titles are those of the field, and each page is in the menu", () => {
  const titles = listPages(document).map(({ title }) => title);
  expect(titles).toEqual(
    expect.arrayContaining([
      "Authentication",
      "Errors",
      "Webhooks",
      "Create an order",
      "Retrieve an order",
      "List payment methods",
    ]),
  );
  for (const { slug, title } of listPages(document)) {
    const html = htmlOf(slug);
    expect(html).toMatch(/^<!doctype html>/);
    expect(html.match(/aria-current="page">/g)).toHaveLength(1);
    expect(htmlOf("")).toContain(title);
  }
});

test("every code of errors and every event has an anchor, and so has each entry of the search", () => {
  for (const { url, title } of searchEntries(document)) {
    const { pathname, hash } = new URL(url, "https://pay.example.com");
    const html = htmlOf(pathname.replace(/^\/docs\/?/, ""));
    expect(html, title).not.toBe("");
    if (hash) expect(html, url).toContain(`id="${decodeURIComponent(hash.slice(1))}"`);
  }
});

test("objects within objects are collapsed", () => {
  const html = htmlOf("retrieve-order");
  expect(html).toContain("Fields of Transfer (");
  expect(html.split("<details").length).toBeGreaterThan(2);
  expect(html).not.toContain("<details open");
});

test("an unknown page does not exist", () => {
  expect(referencePage(document, "no-such-page")).toBeNull();
});
