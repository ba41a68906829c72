import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { beforeAll, expect, test } from "vitest";

interface Source {
  file: string;
  text: string;
}

let functions: Source[];
let queries: Source[];
let migrations: Source[];

beforeAll(async () => {
  functions = await sources("db/functions", ".sql");
  queries = await sources("db/queries", ".ts");
  migrations = await sources("db/migrations", ".sql");
});

async function sources(folder: string, ending: string): Promise<Source[]> {
  const names = (await readdir(folder, { recursive: true })).filter(
    (name) => name.endsWith(ending) && !/\.test\./.test(name),
  );
  return Promise.all(
    names.map(async (name) => {
      const file = path.join(folder, name);
      const text = (await readFile(file, "utf8")).replace(/^\s*(?:--|\/?\*).*$/gm, "");
      return { file, text };
    }),
  );
}

const filesWith = (all: readonly Source[], message: RegExp) =>
  all.filter(({ text }) => message.test(text)).map(({ file }) => file);

test("the sources are really read", () => {
  expect(functions.length).toBeGreaterThan(5);
  expect(queries.length).toBeGreaterThan(25);
  expect(migrations.length).toBeGreaterThan(0);
});

test("no function sets a parameter for itself", () => {
  expect(filesWith(functions, /\bset\s+plan_cache_mode|\$\$\s*set\s+\w+\s*=|language\s+\w+\s+set\s/i)).toEqual([]);
});

test("no name has a schema prefix", () => {
  expect(filesWith([...functions, ...queries, ...migrations], /"?public"?\./i)).toEqual([]);
});

test("a parameter of a transaction is set by SET LOCAL", () => {
  expect(filesWith([...functions, ...queries], /set_config\s*\(/i)).toEqual([]);
});

test("a statement that writes rows of merchants takes the time of the statement", () => {
  // The file only reads the sessions of the server and writes nothing.
  const exempt = ["db/queries/networks/silent-sessions.ts"];
  const found = filesWith([...functions, ...queries], /clock_timestamp\s*\(/i);
  expect(found.filter((file) => !exempt.includes(file))).toEqual([]);
});

test("only statements that a process itself sends notify, on channels with a name", () => {
  expect(filesWith(functions, /\bnotify\b|pg_notify/i)).toEqual([]);
  const calls = queries.flatMap(({ file, text }) =>
    [...text.matchAll(/pg_notify\((\$\{[^}]*\}|[^,]+),/g)].map(([, channel]) => ({ file, channel: channel?.trim() })),
  );
  expect(calls.length).toBeGreaterThan(0);
  // A prepared statement receives the channel as a parameter, after those of `insert_orders`.
  for (const { channel } of calls) expect(channel).toMatch(/^\$\{[A-Z_]+\}$|^\$3::text$/);
  // A statement that writes must not notify.
  expect(filesWith(queries, /materialized \(select count\(pg_notify/)).toEqual([]);
});

test("a conflict clause reads no other tables, and its CASE is a searched one", () => {
  const clauses = [...functions, ...queries].flatMap(({ file, text }) =>
    [...text.matchAll(/on conflict[^;`]*?do update set([\s\S]*?)(?:returning|;|`)/gi)].map(([, set]) => ({
      file,
      set: set ?? "",
    })),
  );
  expect(clauses.length).toBeGreaterThan(2);
  expect(
    clauses.filter(({ set }) => /\(\s*select\b/i.test(set) || /\bcase\s+(?!when)/i.test(set)).map(({ file }) => file),
  ).toEqual([]);
});

test("no write of a function asks a query from within its expression", () => {
  const writes = functions.flatMap(({ file, text }) =>
    [...text.matchAll(/\bupdate\s+\w+(?:\s+\w+)?\s+set\s([\s\S]*?)(?:\bwhere\b|;)/gi)].map(([, set]) => ({
      file,
      set: set ?? "",
    })),
  );
  expect(writes.length).toBeGreaterThan(1);
  expect(writes.filter(({ set }) => /\(\s*select\b/i.test(set)).map(({ file }) => file)).toEqual([]);
});

test("a recursive query, or a lock on rows, names the merchant; those over all merchants are listed", () => {
  const EXEMPT = {
    // Workers process the callbacks of all merchants.
    "db/queries/callbacks/callbacks.ts": "the queue: origins take turns over all merchants",
    "db/queries/callbacks/origins.ts": "how an origin is, for all merchants",
    "db/queries/orders/order-moves.ts": "moves of a worker's round, by trade_id",
    "db/queries/orders/holds.ts": "holds that have ended, of all merchants",
    "db/queries/transfers/observations.ts": "a network's transfers, of all merchants",
    "db/queries/transfers/matches.ts": "a network's transfers, of all merchants",
    "db/queries/refunds/refund-transfers.ts": "a network's transfers, of all merchants",
    "db/queries/networks/cursors.ts": "global: cursors and leases",
    "db/functions/take-tokens.sql": "global: limits",
    "db/queries/merchants/rate-limits.ts": "global: limits",
    "db/queries/merchants/request-ids.ts": "global: ids of signed requests",
    "db/queries/callbacks/signing-keys.ts": "global: the installation's own keys",
    "db/queries/users/factors.ts": "global: a person's ways in, whatever the shop",
    "db/queries/users/memberships.ts": "global: who belongs to which shop",
    "db/queries/notifications/account-emails.ts": "global: mails to people themselves, whatever the shop",
    "db/queries/notifications/facts.ts": "global: the cursor of what was looked at",
    "db/queries/operating/alerts.ts": "global: alerts to the operator",
    "db/queries/operating/outcomes.ts": "global: counters of the installation",
    "db/queries/orders/retention.ts": "old rows of all merchants",
  };
  const found = [...functions, ...queries].filter(({ text }) => {
    const statements = text.split(/;\s*\n|`\s*[);,]/);
    return statements.some(
      (one) => /with recursive|for (?:no key )?update|\.for\("update"/i.test(one) && !/merchant_?id|isOf\(/i.test(one),
    );
  });
  expect(found.map(({ file }) => file).filter((file) => !(file in EXEMPT))).toEqual([]);
});
