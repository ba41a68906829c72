import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { CallbackStateBadge } from "@/components/dashboard/frame/states";
import { Badge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/copy-button";
import { Identifier } from "@/components/ui/identifier";
import { Time } from "@/components/ui/time";
import type { UnsignedReason } from "@/lib/domain/callbacks/unsigned";

interface Attempt {
  number: number;
  startedAt: Date;
  durationMs: number;
  dnsMs: number | null;
  connectMs: number | null;
  tlsMs: number | null;
  firstByteMs: number | null;
  /** The IP address of the connection. */
  peer: string | null;
  httpStatus: number | null;
  error: string | null;
  answer: string | null;
}

export interface CallbackFacts {
  id: string;
  type: string;
  url: string;
  body: string;
  status: "pending" | "delivered" | "failed";
  attempts: number;
  /** The number of completed attempts since the callback was last resent. */
  seriesAttempts: number;
  nextAttemptAt: Date | null;
  /** The reason why the callback cannot be signed; null if it can. */
  unsignedReason: UnsignedReason | null;
  /** The attempts, newest first. */
  tries: readonly Attempt[];
}

interface CallbackPanelProps {
  /** The callback; null if none is enqueued. */
  callback: CallbackFacts | null;
  notifyUrl: string | null;
  now: Date;
  /** The button that resends the callback. */
  resend: ReactNode;
}

/** Renders the callback of an order, with each response from the merchant's server. */
export function CallbackPanel({ callback, notifyUrl, now, resend }: CallbackPanelProps) {
  const t = useTranslations("callback");
  const ofList = useTranslations("callbacks");
  if (!callback)
    return (
      <Card title={t("title")}>
        <p className="text-ink-soft">
          {notifyUrl ? `${t("sentLater")} ` : t("noUrl")}
          {notifyUrl ? <span className="break-all font-mono text-[0.8125rem] text-ink">{notifyUrl}</span> : null}
        </p>
      </Card>
    );
  const title = (
    <span className="flex flex-wrap items-center gap-2">
      {t("title")} <code className="font-mono font-normal text-[0.8125rem] text-ink-soft">{callback.type}</code>
      <CallbackStateBadge {...callback} />
    </span>
  );
  return (
    <Card title={title} action={resend}>
      <div className="grid gap-3">
        <div className="grid gap-1">
          <Identifier text={callback.url} what={t("url")} />
          <Identifier text={callback.id} what={t("event")} className="text-ink-soft" />
        </div>
        {callback.unsignedReason ? <p>{ofList(`unsigned.${callback.unsignedReason}`)}</p> : null}
        {callback.nextAttemptAt ? (
          <p className="text-ink-soft">
            {t("next")} <Time at={callback.nextAttemptAt.toISOString()} now={now.toISOString()} />
          </p>
        ) : null}
        <Attempts callback={callback} now={now} />
        <details className="group">
          <summary className="w-fit rounded font-medium text-ink-soft hover:text-ink">{t("body")}</summary>
          <div className="mt-2">
            <CodeBlock text={callback.body} what={t("bodyWhat")} />
          </div>
        </details>
      </div>
    </Card>
  );
}

const PAGE_LENGTH = 5;

function Attempts({ callback: { tries, attempts }, now }: { callback: CallbackFacts; now: Date }) {
  const t = useTranslations("callback");
  if (tries.length === 0) return <p className="text-ink-soft">{t("notTried")}</p>;
  const rest = tries.slice(PAGE_LENGTH);
  return (
    <>
      <AttemptList tries={tries.slice(0, PAGE_LENGTH)} now={now} />
      {rest.length > 0 ? (
        <details>
          <summary className="w-fit rounded font-medium text-ink-soft hover:text-ink">
            {t("earlier", { count: rest.length })}
          </summary>
          <div className="mt-2 grid gap-2">
            <AttemptList tries={rest} now={now} />
            {attempts > tries.length ? (
              <p className="text-ink-soft">{t("newest", { shown: tries.length, all: attempts })}</p>
            ) : null}
          </div>
        </details>
      ) : null}
    </>
  );
}

function AttemptList({ tries, now }: { tries: readonly Attempt[]; now: Date }) {
  const t = useTranslations("callback");
  return (
    <ol className="divide-y divide-line rounded-lg border border-line">
      {tries.map((attempt) => (
        <li key={attempt.number} className="grid gap-1.5 px-3 py-2.5">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1 tabular-nums">
            <span className="w-8 text-ink-soft">#{attempt.number}</span>
            <Badge tone={attempt.httpStatus === 200 ? "good" : "bad"}>
              {attempt.httpStatus === null ? t("noAnswer") : `HTTP ${attempt.httpStatus}`}
            </Badge>
            <span className="text-ink-soft">{attempt.durationMs} ms</span>
            <span className="ml-auto text-ink-soft">
              <Time at={attempt.startedAt.toISOString()} now={now.toISOString()} />
            </span>
          </div>
          <AttemptStages attempt={attempt} />
          {attempt.error ? <p className="break-words text-bad">{attempt.error}</p> : null}
          {attempt.answer ? (
            <pre className="max-h-40 overflow-auto whitespace-pre-wrap break-all rounded bg-sunken px-2 py-1.5 font-mono text-xs">
              {attempt.answer}
            </pre>
          ) : null}
        </li>
      ))}
    </ol>
  );
}

/** Renders the address of an attempt's connection, and the duration of its stages. */
function AttemptStages({ attempt: { peer, dnsMs, connectMs, tlsMs, firstByteMs } }: { attempt: Attempt }) {
  const t = useTranslations("callback");
  const isKept = peer !== null && connectMs === null;
  const stages = [
    { name: "DNS", ms: dnsMs },
    { name: t("connect"), ms: connectMs },
    { name: "TLS", ms: tlsMs },
    { name: t("firstByte"), ms: firstByteMs },
  ].flatMap(({ name, ms }) => (ms === null ? [] : [`${name} ${ms} ms`]));
  if (isKept) stages.splice(-1, 0, t("kept"));
  if (peer === null && stages.length === 0) return null;
  return (
    <p className="text-ink-soft text-xs tabular-nums">
      {peer ? <span className="font-mono">{peer}</span> : null}
      {peer && stages.length > 0 ? " · " : null}
      {stages.join(" · ")}
    </p>
  );
}
