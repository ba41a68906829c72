import Link from "next/link";
import { useTranslations } from "next-intl";
import { Fact, Facts } from "@/components/dashboard/frame/facts";
import { Identifier } from "@/components/ui/identifier";
import { Time } from "@/components/ui/time";
import { addressUrl, displayAddress, displayTxId, linkUnless, transactionUrl } from "@/lib/domain/addresses/address";
import { displayMicro } from "@/lib/domain/money";
import { type Currency, getNetwork, networkTitle } from "@/lib/domain/networks";
import { toMicro } from "@/lib/domain/refunds/amounts";
import type { Refund } from "@/lib/domain/refunds/refund";

/** The first payment of the customer. `address` is its sender, in canonical form. */
interface Payment {
  network: string;
  currency: Currency;
  address: string;
  baseUnits: bigint;
}

interface RefundFactsProps {
  refund: Refund;
  mchOrderId: string | null;
  payment: Payment | null;
  claimUrl: string;
  isSandbox: boolean;
  now: Date;
}

/** Renders the details of a refund. */
export function RefundFacts({ refund, mchOrderId, payment, claimUrl, isSandbox, now }: RefundFactsProps) {
  const t = useTranslations("refundPages");
  const { id, orderId, transferId, mchRefundId, price, reason, email, expiresAt } = refund;
  const times = [
    ["requested", refund.createdAt],
    ["claimedAt", refund.claimedAt],
    ["approvedAt", refund.approvedAt],
    ["sentAt", refund.sentAt],
    ["completedAt", refund.completedAt],
    ["endedAt", refund.endedAt],
  ] as const;
  return (
    <Facts>
      <Fact name={t("order")}>
        {orderId === null ? (
          <Link href={`/dashboard/transfers/${transferId}`} className="hover:underline">
            {t("ofTransfer")}
          </Link>
        ) : (
          <Link href={`/dashboard/orders/${orderId}`} className="hover:underline">
            {mchOrderId ?? orderId}
          </Link>
        )}
      </Fact>
      {payment ? <PaymentFacts payment={payment} isSandbox={isSandbox} /> : null}
      {price ? (
        <Fact name={t("price")}>
          {price.amount} {price.fiat}
        </Fact>
      ) : null}
      {reason ? <Fact name={t("reason")}>{reason}</Fact> : null}
      {email ? <Fact name={t("email")}>{email}</Fact> : null}
      <Destination refund={refund} isSandbox={isSandbox} />
      <FreezeFact refund={refund} now={now} />
      <Fact name={t("claimLink")}>
        <Identifier text={claimUrl} what={t("claimLink")} href={claimUrl} />
      </Fact>
      {refund.status === "requested" ? (
        <Fact name={t("expiresAt")}>
          <Time at={expiresAt.toISOString()} now={now.toISOString()} />
        </Fact>
      ) : null}
      {times.map(([name, at]) =>
        at === null ? null : (
          <Fact key={name} name={t(name)}>
            <Time at={at.toISOString()} now={now.toISOString()} hasExact />
          </Fact>
        ),
      )}
      <Fact name={t("id")}>
        <Identifier text={id} what={t("id")} />
      </Fact>
      {mchRefundId ? <Fact name={t("number")}>{mchRefundId}</Fact> : null}
    </Facts>
  );
}

/** Renders the customer's payment, with which the merchant compares the claim. */
function PaymentFacts({ payment, isSandbox }: { payment: Payment; isSandbox: boolean }) {
  const t = useTranslations("refundPages");
  const network = getNetwork(payment.network);
  const address = displayAddress(network.family, payment.address);
  const amount = displayMicro(toMicro(payment.network, payment.currency, payment.baseUnits));
  return (
    <>
      <Fact name={t("payment")}>
        {amount} {payment.currency}, {networkTitle(network)}
      </Fact>
      <Fact name={t("paidFrom")}>
        <Identifier
          text={address}
          what={t("paidFrom")}
          href={linkUnless(isSandbox, addressUrl(network, payment.address))}
        />
      </Fact>
    </>
  );
}

/** Renders the network and the address of a claim, and the transaction that pays it. */
function Destination({
  refund: { network: id, address, txId },
  isSandbox,
}: Pick<RefundFactsProps, "refund" | "isSandbox">) {
  const t = useTranslations("refundPages");
  if (id === null || address === null) return null;
  const network = getNetwork(id);
  return (
    <>
      <Fact name={t("network")}>{networkTitle(network)}</Fact>
      <Fact name={t("address")}>
        <Identifier
          text={displayAddress(network.family, address)}
          what={t("address")}
          href={linkUnless(isSandbox, addressUrl(network, address))}
        />
      </Fact>
      {txId === null ? null : (
        <Fact name={t("transaction")}>
          <Identifier
            text={displayTxId(network.family, txId)}
            what={t("transaction")}
            isShort
            href={linkUnless(isSandbox, transactionUrl(network, txId))}
          />
        </Fact>
      )}
    </>
  );
}

/** Renders the result of the last check of the address against the freeze list of the token. */
function FreezeFact({
  refund: { address, freezeState, freezeCheckedAt },
  now,
}: Pick<RefundFactsProps, "refund" | "now">) {
  const t = useTranslations("refundPages");
  if (address === null) return null;
  return (
    <Fact name={t("freeze.title")}>
      {t(`freeze.${freezeState ?? "pending"}`)}
      {freezeCheckedAt === null ? null : (
        <span className="block text-ink-soft text-xs">
          <Time at={freezeCheckedAt.toISOString()} now={now.toISOString()} />
        </span>
      )}
    </Fact>
  );
}
