import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { MESSAGES } from "@/components/messages/all";
import { en } from "@/components/messages/en";
import { ACTIONS, actionsOf, auditFilter, FACTS, factsOf } from "@/lib/domain/audit/audit";

const SOURCES = globSync("{app,db,lib,workers}/**/*.{ts,tsx}", {
  exclude: ["**/*.test.ts", "lib/domain/audit/audit.ts"],
}).map((file) => readFileSync(file, "utf8"));
const WRITES = /insertAuditEvents?\(|notePersonEvent\(|recordDownload\(|action/;

/** Returns every string that resembles an action in the code that writes audit entries. */
function written(): Set<string> {
  const lines = SOURCES.filter((source) => /AuditEvent|notePersonEvent|moveRefund/.test(source)).flatMap((source) =>
    source.split("\n").filter((line) => WRITES.test(line) || /\b(?:record|change)\(/.test(line)),
  );
  return new Set(lines.flatMap((line) => [...line.matchAll(/"([a-z_]+\.[a-z_]+)"/g)].map(([, action = ""]) => action)));
}

const textOf = (messages: Record<string, Record<string, string>>, action: string) => {
  const [noun = "", verb = ""] = action.split(".");
  return messages[noun]?.[verb];
};

test("every recorded action has texts in every language, and no text is unused", () => {
  const known: readonly string[] = Object.values(ACTIONS).flat();
  const found = written();
  expect(found.size).toBeGreaterThan(40);
  expect([...found].filter((action) => !known.includes(action))).toEqual([]);
  for (const action of known)
    for (const { auditActions } of Object.values(MESSAGES)) expect(textOf(auditActions, action), action).toMatch(/\S/);
  // Status changes of orders and refunds are recorded under the name of the status.
  const moves = /^(?:order\.(?:pending|confirming|paid|expired|cancelled)|refund\.(?:final|refused|never))$/;
  // Entries that earlier versions recorded stay readable.
  const retired = ["order.made_by_hand"];
  const unused = known.filter((action) => !found.has(action) && !moves.test(action) && !retired.includes(action));
  expect(unused).toEqual([]);
  const translated = Object.entries(en.auditActions).flatMap(([noun, verbs]) =>
    Object.keys(verbs).map((verb) => `${noun}.${verb}`),
  );
  expect(translated.toSorted()).toEqual(known.toSorted());
});

test("a line shows known facts by name, and nothing else", () => {
  const facts = factsOf("api_key.created", { name: "till", secret: "whsec_x", scopes: ["orders:read"], cidrs: [] });
  expect(facts).toEqual([
    { name: "name", value: "till" },
    { name: "scopes", value: "orders:read" },
  ]);
  expect(Object.keys(en.audit.fact).toSorted()).toEqual([...FACTS].toSorted());
});

test("changed values are shown before and after, unchanged ones are not", () => {
  const before = { shownName: "Tea", accent: "#112233" };
  const after = { shownName: "Tea House", accent: "#112233" };
  expect(factsOf("checkout.changed", { before, after })).toEqual([
    { name: "shownName", value: "Tea House", before: "Tea" },
  ]);
  expect(factsOf("checkout.changed", { before: null, after: before })[0]).toEqual({
    name: "shownName",
    value: "Tea",
    before: "",
  });
  expect(factsOf("confirmations.changed", { network: "ethereum", before: 12, after: "600 s" })).toEqual([
    { name: "network", value: "ethereum" },
    { name: "value", value: "600 s", before: "12" },
  ]);
  expect(factsOf("member.role_changed", { from: "viewer", to: "admin" })).toEqual([
    { name: "role", value: "admin", before: "viewer" },
  ]);
});

test("the origin of a sign-in is a network address, not a blockchain", () => {
  const facts = factsOf("session.started", { network: "192.0.2.9", browser: "Firefox" });
  expect(facts.map(({ name }) => name)).toEqual(["browser", "ip"]);
});

test("the filter lives in the URL; an action of another group, a day that is none and an unknown word are nothing", () => {
  const filter = auditFilter.parse({
    q: " 0abc ",
    who: "service",
    group: "keys",
    action: "api_key.revoked",
    from: "2026-11-01",
  });
  expect(auditFilter.parse(Object.fromEntries(new URLSearchParams(auditFilter.write(filter))))).toEqual(filter);
  expect(auditFilter.parse({ group: "keys", action: "address.added", from: "2026-02-31", who: "x' or 1" })).toEqual({
    group: "keys",
  });
  expect(actionsOf({ group: "files" })).toEqual(["file.downloaded"]);
  expect(actionsOf({})).toBeNull();
});

test("entries of the previous version have the names of today", () => {
  expect(factsOf("order_terms.changed", { before: { leastAmount: "" }, after: { leastAmount: "5" } })).toEqual([
    { name: "minAmount", value: "5", before: "" },
  ]);
});
