import { useTranslations } from "next-intl";
import { Notice } from "@/components/ui/notice";
import { getNetwork } from "@/lib/domain/networks";
import type { Refund } from "@/lib/domain/refunds/refund";

interface Findings {
  payer: { network: string; address: string } | null;
  isKnown: boolean;
  sameAddress: number;
}

/** Renders what the merchant should check before the approval of a claim. */
export function ClaimWarnings({ refund, findings }: { refund: Refund; findings: Findings }) {
  const t = useTranslations("refundPages");
  const { network, address } = refund;
  const { payer, isKnown, sameAddress } = findings;
  if (network === null || address === null) return null;
  const isOtherNetwork = payer !== null && payer.network !== network;
  const isPayer = payer?.address === address;
  const warnings = [
    ...(isOtherNetwork
      ? [t("otherNetwork", { claimed: getNetwork(network).name, paid: getNetwork(payer.network).name })]
      : []),
    ...(payer !== null && !isPayer ? [t("otherAddress")] : []),
    ...(isKnown ? [] : [t("firstSeen")]),
    ...(sameAddress > 0 ? [t("sameAddress", { count: sameAddress })] : []),
  ];
  if (isPayer && !isOtherNetwork && sameAddress === 0) return <Notice tone="good">{t("isPayer")}</Notice>;
  return (
    <Notice tone="warn">
      <ul className="grid list-disc gap-1 ps-4">
        {warnings.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </Notice>
  );
}
