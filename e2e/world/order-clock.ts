import postgres from "postgres";
import type { Announcement } from "@/sandbox/announcement";

/** Expires an order immediately. */
export async function letTimeRunOut(sandbox: Announcement, tradeId: string): Promise<void> {
  const sql = postgres(sandbox.database_url, { max: 1 });
  await sql`update orders set created_at = created_at - interval '1 day', expires_at = now() where id = ${tradeId}`;
  await sql.end();
}
