import { useTranslations } from "next-intl";
import { Notice } from "@/components/ui/notice";
import { Time } from "@/components/ui/time";

interface PausedOriginsProps {
  origins: readonly { origin: string; failures: number; pausedUntil: Date | null; waiting: number }[];
  now: Date;
}

/** Renders the origins whose deliveries are paused because they accept no callbacks, with advice. */
export function PausedOrigins({ origins, now }: PausedOriginsProps) {
  const t = useTranslations("callbacks");
  return origins.map(({ origin, failures, pausedUntil, waiting }) => (
    <div key={origin} className="mb-4">
      <Notice tone="warn">
        <p>
          {t.rich("paused", { origin: () => <code className="font-mono text-[0.8125rem]">{origin}</code>, failures })}{" "}
          {t("waiting", { count: waiting })}{" "}
          {pausedUntil && pausedUntil > now ? (
            <>
              {t("nextProbe")} <Time at={pausedUntil.toISOString()} now={now.toISOString()} />
            </>
          ) : null}
        </p>
        <p className="mt-1">{t("pausedAdvice")}</p>
      </Notice>
    </div>
  ));
}
