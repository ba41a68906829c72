import { and, eq, gt, inArray, lt, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { machineReports, operatorAlerts, operatorMessages } from "@/db/schema";
import type { MachineReport } from "@/lib/domain/operating/conditions";

/** The age of a report in milliseconds after which a machine is no longer monitored: it may be gone. */
const REPORT_MS = 600_000;

const FORGOTTEN_MS = 86_400_000;

/** Stores the report of this machine, and deletes machines that have reported nothing for a day. */
export async function writeReport(db: Db, machine: string, report: MachineReport, now: Date): Promise<void> {
  const values = { machine, report, reportedAt: now };
  await db.insert(machineReports).values(values).onConflictDoUpdate({ target: machineReports.machine, set: values });
  await db.delete(machineReports).where(lt(machineReports.reportedAt, new Date(now.getTime() - FORGOTTEN_MS)));
}

/** Returns the reports that the installation's machines stored within the last ten minutes. */
export async function listReports(db: Db, now: Date): Promise<(MachineReport & { machine: string })[]> {
  const rows = await db
    .select()
    .from(machineReports)
    .where(gt(machineReports.reportedAt, new Date(now.getTime() - REPORT_MS)))
    .orderBy(machineReports.machine);
  return rows.map(({ machine, report }) => ({ ...report, machine }));
}

/**
 * Claims the next evaluation of the alert conditions.
 * @returns false if a process claimed it less than `everyMs` ago
 */
export async function takeRound(db: Db, everyMs: number, now: Date): Promise<boolean> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const rows = await db.execute(sql`
    insert into operator_rounds as r (name, evaluated_at) values ('alerts', ${at})
    on conflict (name) do update set evaluated_at = excluded.evaluated_at
      where r.evaluated_at <= ${at} - make_interval(secs => ${everyMs / 1_000}) or r.evaluated_at > ${at} + interval '1 hour'
    returning 1`);
  return rows.length > 0;
}

export type StoredAlert = typeof operatorAlerts.$inferSelect;
type AlertKey = Pick<StoredAlert, "condition" | "subject">;

/** Returns all alerts, locked until the transaction ends, so that one process at a time changes them. */
export async function lockAlerts(db: Db): Promise<StoredAlert[]> {
  await db.execute(sql`lock table operator_alerts in share row exclusive mode`);
  return db.select().from(operatorAlerts);
}

export async function writeAlert(db: Db, alert: StoredAlert): Promise<void> {
  const { condition, subject } = operatorAlerts;
  await db
    .insert(operatorAlerts)
    .values(alert)
    .onConflictDoUpdate({ target: [condition, subject], set: alert });
}

export async function deleteAlert(db: Db, { condition, subject }: AlertKey): Promise<void> {
  await db
    .delete(operatorAlerts)
    .where(and(eq(operatorAlerts.condition, condition), eq(operatorAlerts.subject, subject)));
}

export type OperatorMessage = typeof operatorMessages.$inferSelect;

export async function insertMessages(db: Db, messages: readonly OperatorMessage[]): Promise<void> {
  if (messages.length > 0) await db.insert(operatorMessages).values([...messages]);
}

/** Claims the oldest due message of each transport until a given time. No other process sends it before then. */
export async function claimMessages(
  db: Db,
  ways: readonly OperatorMessage["way"][],
  until: Date,
  now: Date,
): Promise<OperatorMessage[]> {
  if (ways.length === 0) return [];
  const list = sql`array[${sql.join(
    ways.map((way) => sql`${way}::text`),
    sql`, `,
  )}]`;
  return db
    .update(operatorMessages)
    .set({ dueAt: until, attempts: sql`${operatorMessages.attempts} + 1` })
    .where(
      sql`${operatorMessages.id} in (
        select claimed.id from unnest(${list}) as way cross join lateral (
          select m.id, m.due_at from operator_messages m where m.way = way.way order by m.created_at, m.id limit 1
          for update skip locked) claimed
        where claimed.due_at <= ${now.toISOString()}::timestamptz)`,
    )
    .returning();
}

export async function deleteMessage(db: Db, id: string): Promise<void> {
  await db.delete(operatorMessages).where(eq(operatorMessages.id, id));
}

/** Schedules a message for another attempt, if this claim still holds. */
export async function postponeMessage(db: Db, { id, dueAt }: OperatorMessage, until: Date): Promise<void> {
  await db
    .update(operatorMessages)
    .set({ dueAt: until })
    .where(and(eq(operatorMessages.id, id), eq(operatorMessages.dueAt, dueAt)));
}

/** Deletes messages that could not be sent for too long, and messages to channels that are no longer configured. */
export async function deleteMessages(
  db: Db,
  { before, ways }: { before: Date; ways: readonly OperatorMessage["way"][] },
): Promise<number> {
  const old = await db.delete(operatorMessages).where(lt(operatorMessages.createdAt, before)).returning();
  const others = (["email", "telegram"] as const).filter((way) => !ways.includes(way));
  if (others.length > 0) await db.delete(operatorMessages).where(inArray(operatorMessages.way, [...others]));
  return old.length;
}
