import { FileDown } from "lucide-react";
import Link from "next/link";
import { getTranslations } from "next-intl/server";
import { getContext } from "@/app/context";
import { BatchForm } from "@/app/dashboard/refunds/batch/batch-form";
import { pageTitle } from "@/app/language/page-title";
import { requirePerson } from "@/app/session";
import { PageHead } from "@/components/dashboard/frame/page-head";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { Notice } from "@/components/ui/notice";
import type { RefundRow } from "@/db/queries/refunds/refund-list";
import { listPayableRefunds } from "@/db/queries/refunds/refund-payment";
import { displayAddress } from "@/lib/domain/addresses/address";
import { mayChange } from "@/lib/domain/keys/role";
import { displayMicro } from "@/lib/domain/money";
import { findNetwork, networkTitle } from "@/lib/domain/networks";
import { FAMILY_BATCHES, MAX_IN_FILE } from "@/lib/domain/refunds/batch";
import { mayBePaid, paymentMark } from "@/lib/domain/refunds/payment";

export const generateMetadata = pageTitle("refundBatch");

const LIST = "/dashboard/refunds";

export default async function RefundBatchPage() {
  const person = await requirePerson();
  const { pool, now } = getContext();
  const t = await getTranslations("refundPages");
  const refunds = await listPayableRefunds(pool.db, person.merchantId, MAX_IN_FILE);
  const groups = [...Map.groupBy(refunds, ({ network }) => network ?? "")];
  return (
    <>
      <PageHead back={{ href: LIST, text: t("title") }} title={t("batch.title")} hint={t("batch.hint")} />
      {refunds.length === MAX_IN_FILE ? (
        <Notice tone="info">{t("batch.more", { max: String(MAX_IN_FILE) })}</Notice>
      ) : null}
      {refunds.length === 0 ? (
        <Card isFlush>
          <EmptyState
            Icon={FileDown}
            title={t("batch.none")}
            action={
              <Button asChild>
                <Link href={LIST}>{t("batch.back")}</Link>
              </Button>
            }
          >
            <p>{t("batch.noneHint")}</p>
          </EmptyState>
        </Card>
      ) : (
        <div className="grid grid-cols-1 gap-4">
          {groups.map(([id, some]) => (
            <NetworkBatch key={id} id={id} refunds={some} mayWrite={mayChange(person.role)} now={now()} />
          ))}
        </div>
      )}
    </>
  );
}

interface NetworkBatchProps {
  /** The id of the network. */
  id: string;
  refunds: readonly RefundRow[];
  mayWrite: boolean;
  now: Date;
}

function NetworkBatch({ id, refunds, mayWrite, now }: NetworkBatchProps) {
  const network = findNetwork(id);
  if (!network) return null;
  const rows = refunds.map((refund) => ({
    id: refund.id,
    mark: paymentMark(refund),
    amount: `${displayMicro(refund.microUnits)} ${refund.currency}`,
    address: displayAddress(network.family, refund.address ?? ""),
    order: refund.mchOrderId,
    isRecorded: mayBePaid(refund),
    walletAt: (refund.walletSentAt ?? refund.walletStartedAt)?.toISOString() ?? null,
    exportedAt: refund.exportedAt?.toISOString() ?? null,
  }));
  const { family, name } = network;
  return (
    <Card title={networkTitle(network)}>
      <BatchForm
        network={{ id, family, name }}
        kinds={mayWrite ? FAMILY_BATCHES[family] : []}
        rows={rows}
        now={now.toISOString()}
      />
    </Card>
  );
}
