import { expect, test } from "vitest";
import { GET } from "@/app/embed.js/route";

const ask = (headers: Record<string, string> = {}) =>
  GET(new Request("http://localhost/embed.js", { headers }), { params: Promise.resolve({}) });

test("200: any shop may load it, and has a new one within an hour", async () => {
  const answer = await ask();
  expect(answer.status).toBe(200);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    "content-type": "text/javascript; charset=utf-8",
    "cache-control": "public, max-age=3600",
    "cross-origin-resource-policy": "cross-origin",
    "x-content-type-options": "nosniff",
  });
  expect(await answer.text()).toContain("data-stablegate");
});

test("304: it is not sent again while it is the same", async () => {
  const etag = (await ask()).headers.get("etag") ?? "";
  expect((await ask({ "if-none-match": etag })).status).toBe(304);
});
