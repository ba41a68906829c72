import { Wallet } from "lucide-react";
import type { Metadata } from "next";
import { getContext } from "@/app/context";
import { AddAddress } from "@/app/dashboard/settings/addresses/add-address";
import { AddAddressList } from "@/app/dashboard/settings/addresses/add-address-list";
import { AddressActions } from "@/app/dashboard/settings/addresses/address-actions";
import { requirePerson } from "@/app/session";
import { type AddressRow, AddressTable } from "@/components/dashboard/address-table";
import { PageHead } from "@/components/dashboard/page-head";
import { PoolPanel } from "@/components/dashboard/pool-panel";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { shorten } from "@/components/ui/identifier";
import { Notice } from "@/components/ui/notice";
import { displayAddress } from "@/lib/domain/address";
import { poolsOf } from "@/lib/domain/address-load";
import { getNetwork, networkTitle } from "@/lib/domain/networks";
import { mayChange } from "@/lib/domain/role";
import { listCheckedAddresses } from "@/lib/merchants/addresses";

export const metadata: Metadata = { title: "Receiving addresses" };

export default async function AddressesPage() {
  const person = await requirePerson();
  const { env, pool, now } = getContext();
  const addresses = await listCheckedAddresses(pool.db, env, person.merchantId);
  const canChange = mayChange(person.role);
  const networks = [...env.rpcUrls.keys()].map((id) => ({ id, title: networkTitle(getNetwork(id)) }));
  const rows = addresses.map((address) => ({
    ...address,
    shown: displayAddress(getNetwork(address.network).family, address.address),
  }));
  const actionsFor = ({ shown, pausedAt, ...address }: AddressRow) =>
    canChange ? (
      <AddressActions
        address={{
          id: address.id,
          short: shorten(shown),
          label: address.label,
          isPaused: pausedAt !== null,
          isTampered: address.isTampered,
        }}
      />
    ) : null;
  return (
    <>
      <PageHead
        title="Receiving addresses"
        hint="Payers send straight to these addresses of your own wallets. More addresses take more orders of one price at once."
        action={
          canChange ? (
            <div className="flex flex-wrap gap-2">
              <AddAddressList networks={networks} />
              <AddAddress networks={networks} />
            </div>
          ) : null
        }
      />
      {rows.some((row) => row.isTampered) ? (
        <div className="mb-4">
          <Notice tone="bad" isAlert>
            An address below was changed in the database, not here. No order uses it. Find out who has access to the
            database, then remove the address and add the right one.
          </Notice>
        </div>
      ) : null}
      <PoolPanel pools={poolsOf(addresses, now())} />
      <Card isFlush>
        {rows.length > 0 ? (
          <AddressTable addresses={rows} now={now()} actionsFor={actionsFor} />
        ) : (
          <EmptyState Icon={Wallet} title="No receiving address yet">
            <p>Add an address of your wallet for each network you want to be paid on.</p>
          </EmptyState>
        )}
      </Card>
    </>
  );
}
