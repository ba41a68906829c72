import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect, test, vi } from "vitest";
import { createHtmlPages } from "@/lib/http/html-pages";

const asking = (headers: Record<string, string> = {}) => ({ header: (name: string) => headers[name] ?? null });
const BR = asking({ "accept-encoding": "gzip, deflate, br" });
const pageOf = (html: string) => () => ({ html, policy: "default-src 'none'" });
const text = (body: string | Uint8Array) => Buffer.from(body).toString();
const unbr = (body: string | Uint8Array) => brotliDecompressSync(Buffer.from(body)).toString();

test("a page is rendered once per encoding, with any number of concurrent or later requests", async () => {
  const pages = createHtmlPages();
  const make = vi.fn(pageOf("<p>one</p>"));
  const answers = await Promise.all(Array.from({ length: 20 }, () => pages.answer(BR, "one", make)));
  answers.push(await pages.answer(BR, "one", make));
  expect(answers.map(({ body }) => unbr(body))).toEqual(answers.map(() => "<p>one</p>"));
  expect(make).toHaveBeenCalledTimes(1);

  const gzip = await pages.answer(asking({ "accept-encoding": "br;q=0, gzip" }), "one", make);
  const plain = await pages.answer(asking(), "one", make);
  expect([gzip.headers["content-encoding"], plain.headers["content-encoding"]]).toEqual(["gzip", undefined]);
  expect([gunzipSync(Buffer.from(gzip.body)).toString(), text(plain.body)]).toEqual(["<p>one</p>", "<p>one</p>"]);
  expect(make).toHaveBeenCalledTimes(3);
});

test("pages with different names are never mixed up, have their own policy, and are not stored by caches", async () => {
  const pages = createHtmlPages();
  const names = Array.from({ length: 50 }, (_, index) => `order ${index}`);
  for (const round of [1, 2]) {
    const make = (name: string) => () => ({ html: `<p>${name}</p>`, policy: `policy of ${name}` });
    const answers = await Promise.all(names.map((name) => pages.answer(BR, name, make(name))));
    expect(round && answers.map(({ body }) => unbr(body))).toEqual(names.map((name) => `<p>${name}</p>`));
    expect(answers.map(({ headers }) => headers["content-security-policy"])).toEqual(
      names.map((name) => `policy of ${name}`),
    );
    for (const { headers } of answers) expect(headers["cache-control"]).toBe("no-store");
  }
});

test("304: a cached page is not sent again; another page has another tag, and a refusal has none", async () => {
  const pages = createHtmlPages();
  const first = await pages.answer(BR, "one", pageOf("1"), { headers: { "server-timing": "now;dur=1" } });
  const tag = first.headers["etag"] ?? "";
  expect(tag).toMatch(/^W\/"[\w-]{16}"$/);
  const known = asking({ "accept-encoding": "br", "if-none-match": `"x", ${tag}` });
  const second = await pages.answer(known, "one", pageOf("1"), { headers: { "server-timing": "now;dur=2" } });
  expect(second).toMatchObject({ status: 304, body: "", headers: { etag: tag, "server-timing": "now;dur=2" } });
  expect((await pages.answer(known, "two", pageOf("2"))).status).toBe(200);
  const refused = await pages.answer(known, "one", pageOf("1"), { status: 404 });
  expect(refused.status).toBe(404);
  expect(refused.headers).not.toHaveProperty("etag");
});

test("headers of one response are not sent with others", async () => {
  const pages = createHtmlPages();
  await pages.answer(BR, "one", pageOf("1"), { status: 429, headers: { "retry-after": "5" } });
  expect((await pages.answer(BR, "one", pageOf("1"))).headers).not.toHaveProperty("retry-after");
});

test("memory is bounded: the least recently used page is rendered again", async () => {
  const pages = createHtmlPages(10 * 3_000);
  const make = vi.fn(pageOf("x".repeat(1_500)));
  for (let index = 0; index < 100; index++) {
    await pages.answer(asking(), `page ${index}`, make);
    await pages.answer(asking(), "page 0", make);
  }
  expect(make).toHaveBeenCalledTimes(100);
  await pages.answer(asking(), "page 99", make);
  expect(make).toHaveBeenCalledTimes(100);
  await pages.answer(asking(), "page 50", make);
  expect(make).toHaveBeenCalledTimes(101);
});

test("a page that cannot be kept is answered all the same", async () => {
  const pages = createHtmlPages(100);
  const make = vi.fn(pageOf("x".repeat(1_500)));
  for (let times = 0; times < 2; times++) expect((await pages.answer(asking(), "one", make)).status).toBe(200);
  expect(make).toHaveBeenCalledTimes(2);
});

test("when rendering fails, all waiting requests fail, and the next one retries", async () => {
  const pages = createHtmlPages();
  const fail = vi.fn(() => {
    throw new Error("no such panel");
  });
  const waiting = [pages.answer(BR, "one", fail), pages.answer(BR, "one", fail)];
  for (const { status } of await Promise.allSettled(waiting)) expect(status).toBe("rejected");
  expect(fail).toHaveBeenCalledTimes(1);
  expect(unbr((await pages.answer(BR, "one", pageOf("1"))).body)).toBe("1");
});
