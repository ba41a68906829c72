import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { getContext } from "@/app/context";
import { DecideRefund, type Decision } from "@/app/dashboard/refunds/[refundId]/decide-refund";
import { PayRefund } from "@/app/dashboard/refunds/[refundId]/pay-refund";
import { PayWithWallet } from "@/app/dashboard/refunds/[refundId]/pay-with-wallet";
import { pageTitle } from "@/app/language/page-title";
import { requirePerson } from "@/app/session";
import { PageHead } from "@/components/dashboard/frame/page-head";
import { RefundFacts } from "@/components/dashboard/refunds/facts";
import { PaymentRecord } from "@/components/dashboard/refunds/payment-record";
import { RefundState } from "@/components/dashboard/refunds/state";
import { RefundTransfers } from "@/components/dashboard/refunds/transfers";
import { ClaimWarnings, ListedWarning } from "@/components/dashboard/refunds/warnings";
import { Card } from "@/components/ui/card";
import { Notice } from "@/components/ui/notice";
import { Refresher } from "@/components/ui/refresher";
import { findClaimFindings } from "@/db/queries/refunds/refund-page";
import { findRefund, listOrderNumbers } from "@/db/queries/refunds/refund-requests";
import { listTransfersOfRefund } from "@/db/queries/refunds/refund-transfers";
import { displayAddress } from "@/lib/domain/addresses/address";
import { walletUri } from "@/lib/domain/checkout/payment-uri";
import { mayChange } from "@/lib/domain/keys/role";
import { displayMicro, formatMicro } from "@/lib/domain/money";
import { getNetwork, getToken, networkTitle } from "@/lib/domain/networks";
import { fromMicro } from "@/lib/domain/refunds/amounts";
import { isOnFreezeList } from "@/lib/domain/refunds/freeze";
import { mayBePaid, paymentMark } from "@/lib/domain/refunds/payment";
import { isOpenRefund, type Refund, type RefundStatus } from "@/lib/domain/refunds/refund";
import { claimUrl } from "@/lib/domain/refunds/refund-wire";
import { isClaimUnchanged } from "@/lib/merchants/refund-claims";

export const generateMetadata = pageTitle("refund");

const REFRESH_MS = 4_000;

const DECISIONS: Readonly<Record<RefundStatus, readonly Decision[]>> = {
  requested: ["cancel"],
  claimed: ["approve", "reopen", "decline"],
  approved: ["cancel"],
  sent: [],
  completed: [],
  cancelled: [],
  expired: [],
};

export default async function RefundPage({ params }: { params: Promise<{ refundId: string }> }) {
  const person = await requirePerson();
  const { env, pool, now } = getContext();
  const t = await getTranslations("refundPages");
  const { refundId } = await params;
  const refund = await findRefund(pool.db, person.merchantId, { id: refundId });
  if (!refund) notFound();
  const { orderId, status, approvedAt } = refund;
  const [numbers, findings, transfers] = await Promise.all([
    listOrderNumbers(pool.db, person.merchantId, orderId === null ? [] : [orderId]),
    findClaimFindings(pool.db, refund),
    listTransfers(refund),
  ]);
  const decisions = mayChange(person.role) ? DECISIONS[status] : [];
  const isChanged = refund.address !== null && !isClaimUnchanged(env.appSecret, refund);
  const payment = isChanged ? null : paymentOf(refund, person.merchantName);
  const time = now();
  return (
    <>
      {isOpenRefund(status) ? <Refresher everyMs={REFRESH_MS} /> : null}
      <RefundHead refund={refund} decisions={decisions} payment={payment?.text ?? ""} />
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="grid min-w-0 gap-4">
          <Notice tone={status === "completed" ? "good" : "info"}>{t(`next.${status}`)}</Notice>
          {refund.endedReason === null ? null : (
            <Notice tone="info">{t("told", { message: refund.endedReason })}</Notice>
          )}
          {isChanged ? <Notice tone="bad">{t("claimChanged")}</Notice> : null}
          {status === "claimed" ? <ClaimWarnings refund={refund} findings={findings} /> : null}
          {status === "approved" && payment ? (
            <>
              {isOnFreezeList(refund) ? <ListedWarning refund={refund} /> : null}
              <PayRefund {...payment.request}>
                <PaymentRecord refund={refund} isSandbox={env.isSandbox} now={time} />
                {mayChange(person.role) ? <PayWithWallet {...payment.wallet} /> : null}
              </PayRefund>
            </>
          ) : null}
          {approvedAt ? (
            <RefundTransfers refundId={refund.id} transfers={transfers} isSandbox={env.isSandbox} now={time} />
          ) : null}
        </div>
        <Card title={t("details")}>
          <RefundFacts
            refund={refund}
            mchOrderId={numbers.get(orderId ?? "") ?? null}
            payment={findings.payer}
            claimUrl={claimUrl(env.publicUrl, refund.id)}
            isSandbox={env.isSandbox}
            now={time}
          />
        </Card>
      </div>
    </>
  );
}

interface RefundHeadProps {
  refund: Refund;
  decisions: readonly Decision[];
  /** The amount, the network and the address, as the merchant approves them. */
  payment: string;
}

async function RefundHead({ refund, decisions, payment }: RefundHeadProps) {
  const t = await getTranslations("refundPages");
  return (
    <PageHead
      back={{ href: "/dashboard/refunds", text: t("title") }}
      title={
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="tabular-nums">
            {displayMicro(refund.microUnits)} {refund.currency}
          </span>
          <span className="font-normal text-sm tracking-normal">
            <RefundState status={refund.status} />
          </span>
        </span>
      }
      action={
        decisions.length > 0 ? (
          <DecideRefund
            refundId={refund.id}
            payment={payment}
            decisions={decisions}
            listedBy={isOnFreezeList(refund) ? refund.currency : null}
          />
        ) : null
      }
    />
  );
}

async function listTransfers({ id, network, address, approvedAt }: Refund) {
  if (network === null || address === null || approvedAt === null) return [];
  const { family } = getNetwork(network);
  return listTransfersOfRefund(getContext().pool.db, { id, family, address, approvedAt });
}

/** Returns what the merchant pays for a claimed refund; null before the claim. */
function paymentOf(refund: Refund, label: string) {
  const { id, address, microUnits, currency } = refund;
  if (refund.network === null || address === null) return null;
  const network = getNetwork(refund.network);
  const token = getToken(network, currency);
  const units = fromMicro(network.id, currency, microUnits) ?? 0n;
  const request = {
    amount: formatMicro(microUnits),
    currency,
    network: networkTitle(network),
    address: displayAddress(network.family, address),
    uri: walletUri({ network, token, address, units, label }),
  };
  const wallet = {
    refundId: id,
    family: network.family,
    network: network.name,
    payment: `${request.amount} ${currency}`,
    mark: paymentMark(refund),
    isRecorded: mayBePaid(refund),
  };
  return { request, wallet, text: `${request.amount} ${currency} · ${request.network} · ${request.address}` };
}
