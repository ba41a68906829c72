import { connect, createServer, type Server, type Socket } from "node:net";
import { sql } from "drizzle-orm";
import { afterEach, expect, test } from "vitest";
import { type DbPool, openDb } from "@/db/client";
import { openDriver } from "@/db/servers";
import { isDatabaseAway } from "@/db/unavailable";
import { useTestDb } from "@/testing/database/clone";

const testDb = useTestDb();
const ends: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** A proxy between a process and its server that simulates network failures. */
interface Wire {
  url: string;
  /** Ends each connection like an exiting server process ("fin"), or like a machine that was restarted ("reset"). */
  cut(how: "fin" | "reset"): void;
  /** Drops all traffic from now on without closing a connection, like a machine that disappeared. */
  swallow(): void;
  /** Forwards new connections from now on, or closes them immediately. */
  accept(how: "pass" | "close"): void;
}

async function startWire(): Promise<Wire> {
  const { hostname, port } = new URL(testDb.url);
  const pairs = new Set<[Socket, Socket]>();
  let accepts: "pass" | "close" = "pass";
  const server: Server = createServer((client) => {
    client.on("error", () => {});
    if (accepts === "close") return void client.end();
    const behind = connect(Number(port), hostname);
    behind.on("error", () => {});
    const pair: [Socket, Socket] = [client, behind];
    pairs.add(pair);
    client.pipe(behind).pipe(client);
    for (const side of pair) side.on("close", () => pairs.delete(pair));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  ends.push(() => {
    for (const pair of pairs) for (const side of pair) side.destroy();
    server.close();
  });
  const address = server.address();
  const url = new URL(testDb.url);
  url.host = `127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
  return {
    url: url.href,
    cut: (how) => {
      for (const [client, behind] of pairs) {
        behind.destroy();
        if (how === "fin") client.end();
        else client.resetAndDestroy();
      }
    },
    swallow: () => {
      for (const [client, behind] of pairs) {
        client.unpipe(behind);
        behind.unpipe(client);
        client.resume();
      }
    },
    accept: (how) => {
      accepts = how;
    },
  };
}

function open(url: string, max: number): DbPool {
  const pool = openDb(url, { work: "api", max, applicationName: "lost-connections" });
  ends.push(() => pool.close());
  return pool;
}

const killSessions = () =>
  testDb.pool.db.execute(sql`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'lost-connections' and datname = current_database()`);

test.each(["a killed session", "fin", "reset"] as const)(
  "a transaction that loses its connection (%s) fails, and its place in the pool serves on",
  async (how) => {
    const wire = await startWire();
    const { db } = open(wire.url, 1);
    for (let round = 0; round < 5; round++) {
      const lost = db.transaction(async (tx) => {
        await tx.execute(sql`select 1`);
        const asked = tx.execute(sql`select pg_sleep(60)`).then();
        asked.catch(() => {}); // The promise is awaited below.
        await sleeping();
        if (how === "a killed session") await killSessions();
        else wire.cut(how);
        await asked;
      });
      await expect(lost.catch((error) => isDatabaseAway(error))).resolves.toBe(true);
      for (const tag of ["one", "two"]) expect(await db.execute(sql`select ${tag}::text as tag`)).toEqual([{ tag }]);
    }
  },
);

test("a lost transaction cannot affect another transaction of its pool slot", async () => {
  await testDb.owner.db.execute(sql`create table who_wrote (name text)`);
  const { db } = open(testDb.url, 1);
  const [isLost, lose] = turn();
  const lost = db.transaction(async (tx) => {
    await tx.execute(sql`insert into who_wrote values ('lost, before')`);
    await killSessions();
    await isLost;
    await tx.execute(sql`insert into who_wrote values ('lost, after')`);
  });
  lost.catch(() => {});
  await expect(lost).rejects.toThrow();
  await expect(
    db.transaction(async (tx) => {
      await tx.execute(sql`insert into who_wrote values ('the other')`);
      lose();
      await new Promise((resolve) => setImmediate(resolve));
      await tx.execute(sql`select 1`);
      return "written";
    }),
  ).resolves.toBe("written");
  const rows = await testDb.pool.db.execute(sql`select name from who_wrote`);
  expect(rows).toEqual([{ name: "the other" }]);
});

test("after any number of cut connections each query gets its own result, and every pool slot works", async () => {
  const wire = await startWire();
  const max = 4;
  const { db } = open(wire.url, max);
  let answered = 0;
  let failed = 0;
  let isOver = false;
  const ask = async (who: number) => {
    for (let number = 0; !isOver; number++) {
      const tag = `${who}.${number}`;
      const asking =
        number % 2
          ? db.execute(sql`select ${tag}::text as tag`)
          : db.transaction(async (tx) => {
              await tx.execute(sql`select 1`);
              return tx.execute(sql`select ${tag}::text as tag`);
            });
      const received = await asking.catch((error: unknown) => {
        expect(isDatabaseAway(error)).toBe(true);
        failed += 1;
      });
      if (!received) continue;
      expect(received).toEqual([{ tag }]);
      answered += 1;
    }
  };
  const asking = Array.from({ length: 3 * max }, (_, who) => ask(who));
  for (let cuts = 0; cuts < 60; cuts++) {
    const wasAnswered = answered;
    const wasFailed = failed;
    await until(() => answered > wasAnswered + (cuts % 7));
    wire.cut(cuts % 3 ? "reset" : "fin");
    await until(() => failed > wasFailed);
  }
  isOver = true;
  await Promise.all(asking);
  const positions = await Promise.all(
    Array.from({ length: max }, () => db.execute(sql`select pg_backend_pid() as pid, pg_sleep(0.2)`)),
  );
  expect(new Set(positions.map(([row]) => row?.["pid"])).size).toBe(max);
});

test("a server that vanished during a query is abandoned after a timeout, and the query runs on a new connection", async () => {
  const wire = await startWire();
  const sql = openDriver(wire.url, { max: 1, answer_timeout: 0.5, onnotice: () => {} });
  ends.push(() => sql.end());
  expect(await sql`select pg_sleep(0.1), 1 as one`).toMatchObject([{ one: 1 }]);
  const answering = sql`select 2 as two from pg_sleep(0.1)`.execute();
  wire.swallow();
  await expect(answering.catch((error) => isDatabaseAway(error))).resolves.toBe(true);
  expect(await sql`select 3 as three`).toEqual([{ three: 3 }]);
});

test("a server that closes each new connection without a word is away, and is found again", async () => {
  const wire = await startWire();
  const { db } = open(wire.url, 1);
  wire.accept("close");
  for (let asked = 0; asked < 3; asked++)
    await expect(db.execute(sql`select 1`).catch((error) => isDatabaseAway(error))).resolves.toBe(true);
  wire.accept("pass");
  expect(await db.execute(sql`select 1 as one`)).toEqual([{ one: 1 }]);
});

test("every channel is listened to again after the server was away for some time", async () => {
  const wire = await startWire();
  const { sql: driver } = open(wire.url, 1);
  const received = new Set<string>();
  const channels = ["first", "second", "third"];
  for (const channel of channels) await driver.listen(channel, () => void received.add(channel));
  wire.accept("close");
  wire.cut("fin");
  for (let asked = 0; asked < 5; asked++)
    await expect(driver`select 1`.catch((error) => isDatabaseAway(error))).resolves.toBe(true);
  wire.accept("pass");
  while (received.size < channels.length)
    for (const channel of channels) await testDb.pool.db.execute(sql`select pg_notify(${channel}, '')`);
});

function turn(): [Promise<void>, () => void] {
  let go = () => {};
  const waits = new Promise<void>((resolve) => {
    go = resolve;
  });
  return [waits, go];
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}

/** Waits until the pool's statement is sleeping in the server. */
async function sleeping(): Promise<void> {
  for (;;) {
    const rows = await testDb.pool.db.execute(sql`select 1 from pg_stat_activity
      where application_name = 'lost-connections' and datname = current_database() and wait_event = 'PgSleep'`);
    if (rows.length > 0) return;
  }
}
