import type { Db } from "@/db/client";
import { insertAuditEvent } from "@/db/queries/merchants/audit-events";
import { type AuditLine, readAllAuditEvents } from "@/db/queries/merchants/audit-list";
import type { AuditFilter } from "@/lib/domain/audit/audit";
import type { Cell, FileForm } from "@/lib/domain/reports";
import type { RequestOrigin } from "@/lib/domain/users/request-origin";
import { streamFile } from "@/lib/reports/file-stream";

/** The labels of an entry in the language of the file's reader. */
export interface AuditTexts {
  actionText: string;
  details: string;
  from: string;
}

const HEAD = ["id", "at", "who", "action", "what", "details", "from", "trade_id"];

/**
 * Returns the entries of a shop's audit log that match a filter, newest first, as a file that is read from the database while it is sent.
 * @returns the bytes; canceling the stream stops reading
 */
export function exportAudit(
  db: Db,
  merchantId: string,
  { filter, toTexts }: { filter: AuditFilter; toTexts: (line: AuditLine) => AuditTexts },
  form: FileForm,
): ReadableStream<Uint8Array> {
  const rows = toRows(readAllAuditEvents(db, merchantId, filter), toTexts);
  return streamFile([{ name: "Audit log", head: HEAD, rows }], form);
}

async function* toRows(
  lines: AsyncIterable<readonly AuditLine[]>,
  toTexts: (line: AuditLine) => AuditTexts,
): AsyncGenerator<Cell[][]> {
  for await (const some of lines)
    yield some.map((line) => {
      const { actionText, details, from } = toTexts(line);
      return [line.id, line.at, line.by ?? "service", line.action, actionText, details, from, line.orderId];
    });
}

/** A downloaded list, with the filter as in the URL. */
export interface Download {
  merchantId: string;
  userId: string;
  from?: RequestOrigin | undefined;
  /** The name of the list. */
  file: string;
  filter: string;
}

/** Records a download, before the first byte is sent. */
export async function recordDownload(db: Db, { file, filter, ...who }: Download, now: Date): Promise<void> {
  await insertAuditEvent(db, { ...who, action: "file.downloaded", detail: { file, filter } }, now);
}
