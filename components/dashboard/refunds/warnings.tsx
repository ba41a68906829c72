import { useTranslations } from "next-intl";
import { Notice } from "@/components/ui/notice";
import { getNetwork } from "@/lib/domain/networks";
import { isOnFreezeList } from "@/lib/domain/refunds/freeze";
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
    ...(isOnFreezeList(refund) || refund.freezeState === "notListed"
      ? []
      : [t("freeze.uncheckedWarning", { currency: refund.currency })]),
    ...(isOtherNetwork
      ? [t("otherNetwork", { claimed: getNetwork(network).name, paid: getNetwork(payer.network).name })]
      : []),
    ...(payer !== null && !isPayer ? [t("otherAddress")] : []),
    ...(isKnown ? [] : [t("firstSeen")]),
    ...(sameAddress > 0 ? [t("sameAddress", { count: sameAddress })] : []),
  ];
  return (
    <>
      {isOnFreezeList(refund) ? <ListedWarning refund={refund} /> : null}
      {isPayer && !isOtherNetwork && sameAddress === 0 ? <Notice tone="good">{t("isPayer")}</Notice> : null}
      {warnings.length > 0 ? (
        <Notice tone="warn">
          <ul className="grid list-disc gap-1 ps-4">
            {warnings.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </Notice>
      ) : null}
    </>
  );
}

/** Renders the warning that the token contract blocks the address of a refund. */
export function ListedWarning({ refund: { network, currency } }: { refund: Refund }) {
  const t = useTranslations("refundPages");
  return <Notice tone="bad">{t("freeze.listedWarning", { currency, network: getNetwork(network ?? "").name })}</Notice>;
}
