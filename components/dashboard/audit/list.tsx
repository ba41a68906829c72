import Link from "next/link";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { lineWriter } from "@/components/dashboard/audit/line-texts";
import { Time } from "@/components/ui/time";
import { type AuditAction, auditFilter, SERVICE } from "@/lib/domain/audit/audit";

interface AuditRow {
  id: string;
  action: AuditAction;
  detail: Record<string, unknown>;
  orderId: string | null;
  userId: string | null;
  by: string | null;
  at: Date;
}

interface AuditListProps {
  path: string;
  lines: readonly AuditRow[];
  now: Date;
}

/** Renders the audit log, newest first: each action with its details, user, origin and time. */
export function AuditList({ path, lines, now }: AuditListProps) {
  const t = useTranslations("audit");
  const write = lineWriter(t, useTranslations("auditActions"));
  return (
    <ol aria-label={t("title")} className="divide-y divide-line">
      {lines.map((line) => {
        const { actionText, from, facts } = write(line);
        return (
          <li key={line.id} className="grid gap-x-6 gap-y-1 px-4 py-3 sm:grid-cols-[1fr_minmax(0,16rem)] sm:px-5">
            <div className="min-w-0">
              <p className="font-medium">{actionText}</p>
              <dl className="flex flex-wrap gap-x-3 text-[0.8125rem] text-ink-soft">
                {line.orderId ? (
                  <Fact label={t("order")}>
                    <Link href={`/dashboard/orders/${line.orderId}`} className="font-mono underline">
                      {line.orderId}
                    </Link>
                  </Fact>
                ) : null}
                {facts.map(({ name, label, value }) => (
                  <Fact key={name} label={label}>
                    {value}
                  </Fact>
                ))}
              </dl>
            </div>
            <div className="min-w-0 text-[0.8125rem] text-ink-soft sm:text-right">
              <Link
                href={path + auditFilter.write({ who: line.userId ?? SERVICE })}
                className="break-words hover:underline"
              >
                {line.by ?? t("service")}
              </Link>
              <p className="break-words">
                <Time at={line.at.toISOString()} now={now.toISOString()} />
                {from ? ` · ${from}` : null}
              </p>
            </div>
          </li>
        );
      })}
    </ol>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex min-w-0 gap-1">
      <dt className="shrink-0 after:content-[':']">{label}</dt>
      <dd className="min-w-0 break-all text-ink">{children}</dd>
    </div>
  );
}
