"use client";

import { Download } from "lucide-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { useRef } from "react";
import { toast } from "sonner";
import { writeBatchFile } from "@/app/dashboard/refunds/actions";
import { Button } from "@/components/ui/button";
import { Choice, TextField } from "@/components/ui/form/field";
import { Form } from "@/components/ui/form/form";
import { useForm } from "@/components/ui/form/form-state";
import { Identifier } from "@/components/ui/identifier";
import { Time } from "@/components/ui/time";
import { shorten } from "@/lib/domain/addresses/address";
import type { Family } from "@/lib/domain/networks";
import type { BatchFile, BatchKind } from "@/lib/domain/refunds/batch";

interface BatchRow {
  id: string;
  /** The recorded payments that the page shows. */
  mark: string;
  /** The amount with its currency, and the address in display form. */
  amount: string;
  address: string;
  /** The merchant's number of the order; null for an unmatched transfer. */
  order: string | null;
  /** True if a payment is recorded, so that the refund is not selected. */
  isRecorded: boolean;
  /** ISO 8601; null if no wallet was asked, or the refund is in no file. */
  walletAt: string | null;
  exportedAt: string | null;
}

interface BatchFormProps {
  network: { id: string; family: Family; name: string };
  /** The files that can be downloaded; none for read-only users. */
  kinds: readonly BatchKind[];
  rows: readonly BatchRow[];
  /** The server's time, in ISO 8601. */
  now: string;
}

/** Renders the approved refunds of a network, from which the merchant selects those for a file. */
export function BatchForm({ network, kinds, rows, now }: BatchFormProps) {
  const t = useTranslations("refundPages");
  const kind = useRef<HTMLInputElement>(null);
  const form = useForm(writeBatchFile, (file: BatchFile) => {
    save(file);
    toast.success(t("batch.done"));
  });
  const needsAddress = kinds.includes("plan");
  return (
    <Form form={form}>
      <input type="hidden" name="network" value={network.id} />
      <input type="hidden" name="kind" ref={kind} />
      <ul className="grid grid-cols-1 gap-3">
        {rows.map((row) => (
          <RefundLine key={`${row.id} ${row.mark}`} row={row} canSelect={kinds.length > 0} now={now} />
        ))}
      </ul>
      {kinds.length > 0 && rows.some(({ isRecorded }) => isRecorded) ? (
        <Choice type="checkbox" name="isAgain" value="yes" label={t("batch.again")} hint={t("batch.againHint")} />
      ) : null}
      {needsAddress ? (
        <TextField
          label={t("batch.from")}
          name="from"
          autoComplete="off"
          spellCheck={false}
          isMono
          hint={`${t("batch.fromHint", { network: network.name })} ${t(network.family === "solana" ? "batch.solanaHint" : "batch.tronHint")}`}
          error={form.errorOf("from")}
        />
      ) : null}
      <div className="flex flex-wrap gap-2">
        {kinds.map((one) => (
          <Button
            key={one}
            type="submit"
            isBusy={form.isBusy}
            onClick={() => {
              if (kind.current) kind.current.value = one;
            }}
          >
            <Download aria-hidden /> {t(`batch.${one}`)}
          </Button>
        ))}
      </div>
    </Form>
  );
}

function RefundLine({ row, canSelect, now }: { row: BatchRow; canSelect: boolean; now: string }) {
  const t = useTranslations("refundPages");
  const { id, mark, amount, address, order, isRecorded, walletAt, exportedAt } = row;
  const timeOf = (at: string) => () => <Time at={at} now={now} />;
  return (
    <li className="flex gap-2.5 border-line border-t pt-3 first:border-t-0 first:pt-0">
      {canSelect ? (
        <input
          type="checkbox"
          name="refund"
          value={`${id} ${mark}`}
          defaultChecked={!isRecorded}
          aria-label={t("batch.select", { amount, address: shorten(address) })}
          className="mt-0.5 size-4 shrink-0 accent-accent"
        />
      ) : null}
      <div className="grid min-w-0 gap-0.5">
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Link href={`/dashboard/refunds/${id}`} className="font-medium tabular-nums hover:underline">
            {amount}
          </Link>
          <Identifier text={address} what={t("address")} isShort />
        </span>
        <span className="truncate text-[0.8125rem] text-ink-soft">{order ?? t("ofTransfer")}</span>
        {walletAt ? (
          <span className="text-[0.8125rem] text-warn">{t.rich("batch.wallet", { time: timeOf(walletAt) })}</span>
        ) : null}
        {exportedAt ? (
          <span className="text-[0.8125rem] text-warn">{t.rich("batch.since", { time: timeOf(exportedAt) })}</span>
        ) : null}
      </div>
    </li>
  );
}

function save({ name, type, text }: BatchFile): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
