import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { openDb } from "@/db/client";
import { isDatabaseAway } from "@/db/unavailable";
import { useTestDb } from "@/testing/database/clone";

const testDb = useTestDb();
const CONNECTIONS = 3;
const beside = (...hosts: string[]) => {
  const { host } = new URL(testDb.url);
  return testDb.url.replace(`@${host}/`, `@${[...hosts, host].join(",")}/`);
};
const open = (url: string) => openDb(url, { work: "api", max: CONNECTIONS });

test("the server that accepts writes is found at any position of the list", async () => {
  const pool = open(beside("127.0.0.1:1", "no-such-host.invalid:5432"));
  const asked = Array.from({ length: 4 * CONNECTIONS }, () =>
    pool.db.execute(sql`select pg_is_in_recovery() as standby`),
  );
  for (const rows of await Promise.all(asked)) expect(rows[0]).toEqual({ standby: false });
  await pool.close();
});

test("a channel is received again after its connection was cut", async () => {
  const pool = open(beside("127.0.0.1:1"));
  const received: string[] = [];
  let listens = 0;
  let reported = () => {};
  const again = () =>
    new Promise<void>((resolve) => {
      reported = resolve;
    });
  await pool.sql.listen(
    "servers_test",
    (payload) => received.push(payload) && reported(),
    () => {
      listens += 1;
      reported();
    },
  );
  const back = again();
  await testDb.pool.db.execute(sql`select pg_terminate_backend(pid) from pg_stat_activity
    where query like 'listen "servers_test"%' and pid <> pg_backend_pid()`);
  await back;
  expect(listens).toBe(2);
  const payload = again();
  await testDb.pool.db.execute(sql`select pg_notify('servers_test', 'news')`);
  await payload;
  expect(received).toEqual(["news"]);
  await pool.close();
});

test("where none takes writes, each question fails as of a database that is away, and takes no place of the pool with it", async () => {
  const pool = open("postgres://unknown@127.0.0.1:1,127.0.0.1:9/none");
  for (let asked = 0; asked < 3 * CONNECTIONS; asked++) {
    const error = await pool.sql`select 1`.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: "NO_PRIMARY",
      message: "None of the database servers accepts writes: 127.0.0.1:1 (ECONNREFUSED), 127.0.0.1:9 (ECONNREFUSED)",
    });
    expect(isDatabaseAway(error)).toBe(true);
  }
  await pool.close();
});
