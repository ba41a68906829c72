import { chmod, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import postgres from "postgres";
import type { TestProject } from "vitest/node";
import { type EmbeddedServer, startEmbedded } from "@/db/embedded";
import { migrate } from "@/db/migrate";

export const TEMPLATE = "stablegate_template";

declare module "vitest" {
  interface ProvidedContext {
    /** URL of the maintenance database of the test server. */
    testServerUrl: string;
  }
}

/** Starts one real PostgreSQL for a test run and migrates the template that test files are cloned from. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(path.join(tmpdir(), "stablegate test-"));
  // The server may run as another OS user, who has to be able to pass through.
  await chmod(folder, 0o755);
  const server = await startServer(folder);
  const sql = postgres(server.databaseUrl("postgres"), { max: 1, onnotice: () => {} });
  await sql`create database ${sql(TEMPLATE)}`;
  await sql.end();
  await migrate(server.databaseUrl(TEMPLATE));
  project.provide("testServerUrl", server.databaseUrl("postgres"));
  return async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
}

/** A port that was free may be taken before the server binds it, so another is tried. */
async function startServer(folder: string, attempt = 1): Promise<EmbeddedServer> {
  const port = await freePort();
  try {
    return await startEmbedded({
      dataDir: path.join(folder, `data-${attempt}`),
      port,
      password: "test",
      isPersistent: false,
      settings: { fsync: "off", synchronous_commit: "off", full_page_writes: "off" },
    });
  } catch (error) {
    if (attempt === 3) throw error;
    return startServer(folder, attempt + 1);
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() =>
        address && typeof address === "object" ? resolve(address.port) : reject(new Error("no port")),
      );
    });
  });
}
