import type postgres from "postgres";
import type { Db } from "@/db/client";
import { recordStatements } from "@/testing/database/record-statements";

interface PlanNode {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  Plans?: PlanNode[];
}

export interface PlanFacts {
  /** The tables that the statements scan completely because no index matches. */
  scanned: string[];
  /** The indexes that the statements use. */
  indexes: string[];
}

/**
 * Runs a query function once and explains every statement that it sent, with a prohibitive cost for sequential scans: if a table is
 * scanned nevertheless, it has no index for that statement.
 */
export async function explain(sql: postgres.Sql, run: (db: Db) => Promise<unknown>): Promise<PlanFacts> {
  const { db, sent } = recordStatements(sql);
  await run(db);
  const facts: PlanFacts = { scanned: [], indexes: [] };
  await sql.begin(async (tx) => {
    await tx`set local enable_seqscan = off`;
    for (const { query, params } of sent.filter((statement) => !/^\s*set local/i.test(statement.query))) {
      const [row] = await tx.unsafe(`explain (format json) ${query}`, params as never[]);
      if (!row) throw new Error(`PostgreSQL explained nothing for: ${query}`);
      for (const { Plan } of row["QUERY PLAN"] as { Plan: PlanNode }[]) collect(Plan, facts);
    }
  });
  return facts;
}

function collect(node: PlanNode, facts: PlanFacts): void {
  if (node["Node Type"] === "Seq Scan" && node["Relation Name"]) facts.scanned.push(node["Relation Name"]);
  if (node["Index Name"]) facts.indexes.push(node["Index Name"]);
  for (const child of node.Plans ?? []) collect(child, facts);
}
