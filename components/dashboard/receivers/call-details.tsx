import { useTranslations } from "next-intl";
import { CodeBlock } from "@/components/ui/copy-button";

/** A transaction without value that can be sent from any wallet. */
export interface SentCall {
  to: string;
  data: string;
}

/** Renders a transaction in a form that can be entered in any wallet. */
export function CallDetails({ call: { to, data } }: { call: SentCall }) {
  const t = useTranslations("receivers");
  return (
    <details>
      <summary className="cursor-pointer text-[0.8125rem] text-ink-soft hover:text-ink">{t("calldata")}</summary>
      <div className="mt-2 grid gap-2">
        <p className="text-[0.8125rem] text-ink-soft">{t("to")}</p>
        <CodeBlock text={to} what={t("to")} />
        <p className="text-[0.8125rem] text-ink-soft">{t("data")}</p>
        <div className="max-h-48 overflow-y-auto">
          <CodeBlock text={data} what={t("data")} />
        </div>
        <p className="text-[0.8125rem] text-ink-soft">{t("value")}</p>
      </div>
    </details>
  );
}
