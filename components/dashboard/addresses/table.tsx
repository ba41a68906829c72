import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Badge } from "@/components/ui/badge";
import { Identifier } from "@/components/ui/identifier";
import { Cell, Table } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import { addressUrl, linkUnless } from "@/lib/domain/addresses/address";
import { addressLoad } from "@/lib/domain/addresses/load";
import { getNetwork } from "@/lib/domain/networks";

export interface AddressRow {
  id: string;
  network: string;
  /** The address in canonical form. */
  address: string;
  /** The address in the form that wallets show. */
  shown: string;
  kind: "shared" | "dedicated";
  label: string;
  /** The derivation index of the address in its public key; null if it was added individually. */
  sourceIndex: number | null;
  createdAt: Date;
  pausedAt: Date | null;
  /**
   * The number of quotes that currently reserve an amount at the address, and the number of these quotes whose orders are pending or
   * confirming.
   */
  liveQuotes: number;
  openOrders: number;
  availableAt: Date;
  reservedUntil: Date | null;
  /** True if the address MAC does not match. */
  hasInvalidMac: boolean;
}

interface AddressTableProps {
  addresses: readonly AddressRow[];
  now: Date;
  isSandbox: boolean;
  actionsFor(address: AddressRow): ReactNode;
}

/** Renders receiving addresses, one per row. */
export function AddressTable({ addresses, now, isSandbox, actionsFor }: AddressTableProps) {
  const t = useTranslations("addresses");
  const head = [
    { text: t("address") },
    { text: t("network") },
    { text: t("kind") },
    { text: t("state") },
    { text: t("openPayments"), isRight: true },
    { text: t("added"), isRight: true },
    { text: t("actions"), isHidden: true },
  ];
  return (
    <Table caption={t("title")} head={head}>
      {addresses.map((address) => (
        <tr key={address.id}>
          <Cell>
            {address.label ? <span className="block max-w-56 truncate font-medium">{address.label}</span> : null}
            <Identifier
              text={address.shown}
              what={t("address")}
              isShort
              href={linkUnless(isSandbox, addressUrl(getNetwork(address.network), address.address))}
            />
            {address.sourceIndex === null ? null : (
              <span className="block text-ink-soft text-xs">
                {t("derivedAt", { index: String(address.sourceIndex) })}
              </span>
            )}
          </Cell>
          <Cell>{getNetwork(address.network).name}</Cell>
          <Cell>{t(address.kind)}</Cell>
          <Cell>
            <State address={address} now={now} />
          </Cell>
          <Cell isRight>{address.liveQuotes}</Cell>
          <Cell isRight className="text-ink-soft">
            <Time at={address.createdAt.toISOString()} now={now.toISOString()} />
          </Cell>
          <Cell isAction>{actionsFor(address)}</Cell>
        </tr>
      ))}
    </Table>
  );
}

function State({ address, now }: { address: AddressRow; now: Date }) {
  const t = useTranslations("addresses");
  if (address.hasInvalidMac)
    return (
      <Badge tone="bad" hasDot>
        {t("tampered")}
      </Badge>
    );
  if (address.pausedAt)
    return (
      <Badge tone="warn" hasDot>
        {t("paused")}
      </Badge>
    );
  const load = addressLoad(address, now);
  if (load.state === "coolingDown")
    return (
      <span className="inline-flex items-center gap-1.5">
        <Badge tone="neutral" hasDot title={t("coolingDownHint")}>
          {t("coolingDown")}
        </Badge>
        <span className="text-ink-soft text-xs">
          <Time at={load.until.toISOString()} now={now.toISOString()} />
        </span>
      </span>
    );
  if (load.state === "permanent")
    return (
      <Badge tone="info" hasDot title={t("depositHint")}>
        {t("deposit")}
      </Badge>
    );
  const isIdle = address.kind === "dedicated" && load.state === "idle";
  return (
    <Badge tone={isIdle ? "info" : "good"} hasDot>
      {isIdle ? t("idle") : t("inUse")}
    </Badge>
  );
}
