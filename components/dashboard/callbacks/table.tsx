import Link from "next/link";
import { useTranslations } from "next-intl";
import { CallbackStateBadge } from "@/components/dashboard/frame/states";
import { Cell, rowLook, Table } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import type { UnsignedReason } from "@/lib/domain/callbacks/unsigned";
import type { NamedTarget } from "@/lib/domain/credit-target";

export interface CallbackRow {
  id: string;
  /** The order or deposit address to which the event belongs. */
  target: NamedTarget;
  type: string;
  url: string;
  status: "pending" | "delivered" | "failed";
  attempts: number;
  /** The number of completed attempts since the callback was last resent. */
  seriesAttempts: number;
  nextAttemptAt: Date | null;
  /** The reason why the callback cannot be signed; null if it can. */
  unsignedReason: UnsignedReason | null;
  lastHttpStatus: number | null;
  /** The duration of the last attempt; null before the first. */
  durationMs: number | null;
  /** The reason why the last attempt got no response, as a message. */
  error: string | null;
  createdAt: Date;
}

interface CallbackTableProps {
  callbacks: readonly CallbackRow[];
  now: Date;
  /** The ids of rows that no longer match the list's filter. */
  gone?: ReadonlySet<string>;
}

/** Renders callbacks, one per row. */
export function CallbackTable({ callbacks, now, gone }: CallbackTableProps) {
  const t = useTranslations("callbacks");
  const live = useTranslations("live");
  const head = [
    { text: t("event") },
    { text: t("status") },
    { text: t("to"), className: "hidden md:table-cell" },
    { text: t("attempts"), isRight: true, className: "hidden sm:table-cell" },
    { text: t("answer"), isRight: true, className: "hidden sm:table-cell" },
    { text: t("created"), isRight: true, className: "hidden lg:table-cell" },
  ];
  const time = (at: Date) => <Time at={at.toISOString()} now={now.toISOString()} />;
  return (
    <Table caption={t("title")} head={head}>
      {callbacks.map((callback) => (
        <tr key={callback.id} {...rowLook(gone?.has(callback.id), live("gone"))}>
          <Cell className="max-w-44 sm:max-w-64">
            <Link
              href={`/dashboard/callbacks/${callback.id}`}
              className="block truncate font-medium leading-6 hover:underline"
              title={t("open")}
            >
              {callback.type}
            </Link>
            <Subject {...callback} />
          </Cell>
          <Cell>
            <CallbackStateBadge {...callback} />
            {callback.unsignedReason ? (
              <span className="block text-ink-soft text-xs">{t(`unsigned.${callback.unsignedReason}`)}</span>
            ) : callback.nextAttemptAt ? (
              <span className="block text-ink-soft text-xs">
                {t("next")} {time(callback.nextAttemptAt)}
              </span>
            ) : null}
          </Cell>
          <Cell className="hidden max-w-56 truncate md:table-cell">
            <span title={callback.url}>{URL.parse(callback.url)?.host ?? callback.url}</span>
          </Cell>
          <Cell isRight className="hidden sm:table-cell">
            {callback.attempts}
          </Cell>
          <Cell isRight className="hidden sm:table-cell">
            <LastAnswer {...callback} />
          </Cell>
          <Cell isRight className="hidden text-ink-soft lg:table-cell">
            {time(callback.createdAt)}
          </Cell>
        </tr>
      ))}
    </Table>
  );
}

/** Renders the order or the deposit customer that a callback refers to. */
function Subject({ target }: CallbackRow) {
  if (target.kind !== "order")
    return <span className="block truncate text-ink-soft text-xs leading-6">{target.reference}</span>;
  return (
    <Link
      href={`/dashboard/orders/${target.id}`}
      className="block truncate text-ink-soft text-xs leading-6 hover:underline"
    >
      {target.reference}
    </Link>
  );
}

/** Renders the status of the last response, and its duration. */
function LastAnswer({ attempts, lastHttpStatus, durationMs, error }: CallbackRow) {
  const t = useTranslations("callbacks");
  if (attempts === 0) return <span className="text-ink-soft">–</span>;
  return (
    <>
      <span title={error ?? undefined}>{lastHttpStatus ?? t("noAnswer")}</span>
      {durationMs === null ? null : <span className="block text-ink-soft text-xs">{durationMs} ms</span>}
    </>
  );
}
