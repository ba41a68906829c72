import type { ReactNode } from "react";
import { Badge } from "@/components/ui/badge";
import { Identifier } from "@/components/ui/identifier";
import { Cell, Table } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import { getNetwork } from "@/lib/domain/networks";

export interface AddressRow {
  id: string;
  network: string;
  /** As wallets write it. */
  shown: string;
  kind: "shared" | "dedicated";
  label: string;
  createdAt: Date;
  pausedAt: Date | null;
  /** Quotes that reserve an amount on it now. */
  liveQuotes: number;
  /** Does not fit its seal. */
  isTampered: boolean;
}

const HEAD = [
  { text: "Address" },
  { text: "Network" },
  { text: "Kind" },
  { text: "State" },
  { text: "Open payments", isRight: true },
  { text: "Added", isRight: true },
  { text: "Actions", isHidden: true },
];

interface AddressTableProps {
  addresses: readonly AddressRow[];
  now: Date;
  actionsFor(address: AddressRow): ReactNode;
}

/** Receiving addresses, one a row. */
export function AddressTable({ addresses, now, actionsFor }: AddressTableProps) {
  return (
    <Table caption="Receiving addresses" head={HEAD}>
      {addresses.map((address) => (
        <tr key={address.id}>
          <Cell>
            {address.label ? <span className="block max-w-56 truncate font-medium">{address.label}</span> : null}
            <Identifier
              text={address.shown}
              what="address"
              isShort
              href={getNetwork(address.network).explorer.address.replace("{}", address.shown)}
            />
          </Cell>
          <Cell>{getNetwork(address.network).name}</Cell>
          <Cell>{address.kind === "shared" ? "Shared" : "Dedicated"}</Cell>
          <Cell>
            <State address={address} />
          </Cell>
          <Cell isRight>{address.liveQuotes}</Cell>
          <Cell isRight className="text-ink-soft">
            <Time at={address.createdAt.toISOString()} now={now.toISOString()} />
          </Cell>
          <Cell isRight>{actionsFor(address)}</Cell>
        </tr>
      ))}
    </Table>
  );
}

function State({ address }: { address: AddressRow }) {
  if (address.isTampered)
    return (
      <Badge tone="bad" hasDot>
        Changed from outside
      </Badge>
    );
  return address.pausedAt ? (
    <Badge tone="warn" hasDot>
      Paused
    </Badge>
  ) : (
    <Badge tone="good" hasDot>
      In use
    </Badge>
  );
}
