import { useTranslations } from "next-intl";
import { Notice } from "@/components/ui/notice";
import type { Contradiction } from "@/lib/domain/transfers/transfer";

interface Disputed {
  status: string;
  contradiction: Contradiction | null;
}

/** Renders the conflicting results of endpoints for a transfer, with advice for the user. Renders nothing if there is no contradiction. */
export function ContradictionNotice({ transfers }: { transfers: readonly Disputed[] }) {
  const t = useTranslations("transfers");
  const disputed = transfers.flatMap(({ status, contradiction }) =>
    status === "seen" && contradiction ? [contradiction] : [],
  );
  const [first] = disputed;
  if (!first) return null;
  return (
    <Notice tone="warn">
      <p>{t("contradiction")}</p>
      <ul className="my-1.5 list-disc pl-5">
        {first.said.map(({ endpoint, says }) => (
          <li key={endpoint}>
            <span className="font-mono">{endpoint}</span> {says}.
          </li>
        ))}
      </ul>
      <p>{t("contradictionAdvice")}</p>
    </Notice>
  );
}
