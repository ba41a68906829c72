import { Wallet } from "lucide-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { getContext } from "@/app/context";
import type { KeyFamily } from "@/app/dashboard/settings/addresses/add-key";
import { AddressActions } from "@/app/dashboard/settings/addresses/address-actions";
import { ChangeConfirmations } from "@/app/dashboard/settings/addresses/change-confirmations";
import { KeyActions } from "@/app/dashboard/settings/addresses/key-actions";
import { AddButton, type AddTerms, PayWayCards } from "@/app/dashboard/settings/addresses/pay-ways";
import { pageTitle } from "@/app/language/page-title";
import { requirePerson } from "@/app/session";
import { ConfirmationPanel } from "@/components/dashboard/addresses/confirmation-panel";
import { fieldHint, typedWait } from "@/components/dashboard/addresses/confirmation-text";
import { KeyPanel } from "@/components/dashboard/addresses/key-panel";
import { PoolPanel } from "@/components/dashboard/addresses/pool-panel";
import { type AddressRow, AddressTable } from "@/components/dashboard/addresses/table";
import { issuerText, TokenPanel } from "@/components/dashboard/addresses/token-panel";
import { Pager } from "@/components/dashboard/frame/list-ends";
import { PageHead } from "@/components/dashboard/frame/page-head";
import { TreasuryPanel } from "@/components/dashboard/receivers/treasury-panel";
import type { Translate } from "@/components/messages/translate";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { Notice } from "@/components/ui/notice";
import { listPooledAddresses } from "@/db/queries/merchants/address-settings";
import { listSources } from "@/db/queries/merchants/address-sources";
import { displayAddress, shorten } from "@/lib/domain/addresses/address";
import { DEFAULT_MAX_DERIVED } from "@/lib/domain/addresses/address-forms";
import { poolsOf } from "@/lib/domain/addresses/load";
import { mayChange } from "@/lib/domain/keys/role";
import { parseListCursor, type SearchParams, writeListCursor } from "@/lib/domain/list-cursor";
import { getNetwork, isOffered, type Network, networkTitle } from "@/lib/domain/networks";
import type { ConfirmationSetting } from "@/lib/domain/networks/finality";
import { findUnverifiedAddresses, listCheckedAddresses } from "@/lib/merchants/addresses";
import { listConfirmationSettings } from "@/lib/merchants/confirmations";

export const generateMetadata = pageTitle("addresses");

const PATH = "/dashboard/settings/addresses";
const PAGE_SIZE = 50;

type Source = Awaited<ReturnType<typeof listSources>>[number];

export default async function AddressesPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const person = await requirePerson();
  const [t, receivers] = await Promise.all([getTranslations("addresses"), getTranslations("receivers")]);
  const { env, pool, now } = getContext();
  const cursor = parseListCursor(await searchParams);
  const [page, unverified, pooled, sources, confirmations] = await Promise.all([
    listCheckedAddresses(pool.db, env, person.merchantId, cursor, PAGE_SIZE),
    findUnverifiedAddresses(pool.db, env, person.merchantId),
    listPooledAddresses(pool.db, person.merchantId),
    listSources(pool.db, person.merchantId),
    listConfirmationSettings(pool.db, person.merchantId),
  ]);
  const canChange = mayChange(person.role);
  const terms = canChange ? termsOf([...env.rpcUrls.keys()].map(getNetwork).filter(isOffered)) : null;
  const isNew = page.rows.length === 0 && cursor === null && sources.length === 0;
  const sourceActions = canChange ? await actionsForSources() : () => null;
  const table = { now: now(), isSandbox: env.isSandbox, actionsFor: canChange ? actionsFor : () => null };
  return (
    <>
      <PageHead title={t("title")} hint={t("hint")} action={terms ? <AddButton {...terms} /> : null} />
      {unverified.count > 0 ? (
        <IntegrityPanel count={unverified.count}>
          <AddressTable addresses={unverified.rows.map(shownOf)} {...table} />
        </IntegrityPanel>
      ) : null}
      {sources.length > 0 ? (
        <p className="mb-4">
          <Button asChild>
            <Link href={`${PATH}/sweeping`}>{receivers("sweeping.link")}</Link>
          </Button>
        </p>
      ) : null}
      <KeyPanel keys={sources.filter(({ kind }) => kind === "xpub")} actionFor={sourceActions} />
      <TreasuryPanel treasuries={sources.filter(({ kind }) => kind === "receiver")} actionFor={sourceActions} />
      <PoolPanel pools={poolsOf(pooled, now())} />
      {isNew && terms ? (
        <PayWayCards {...terms} />
      ) : (
        <AddressList page={page}>
          {page.rows.length > 0 ? <AddressTable addresses={page.rows.map(shownOf)} {...table} /> : null}
        </AddressList>
      )}
      <TokenPanel networks={confirmations.map(({ network }) => network)} isSandbox={env.isSandbox} />
      <ConfirmationPanel
        settings={confirmations}
        actionFor={canChange ? changeOf(await getTranslations("confirmations")) : () => null}
      />
    </>
  );
}

function termsOf(offered: readonly Network[]): AddTerms {
  return { networks: offered.map(choiceOf), families: familiesOf(offered), defaultMax: DEFAULT_MAX_DERIVED };
}

interface AddressListProps {
  page: Pick<Awaited<ReturnType<typeof listCheckedAddresses>>, "newer" | "older">;
  /** The table of the page's addresses; null if it has none. */
  children: ReactNode;
}

function AddressList({ page, children }: AddressListProps) {
  return (
    <Card isFlush>
      {children ? (
        <>
          {children}
          <Pager
            newer={page.newer && PATH + writeListCursor(page.newer)}
            older={page.older && PATH + writeListCursor(page.older)}
          />
        </>
      ) : (
        <NoAddresses />
      )}
    </Card>
  );
}

function NoAddresses() {
  const t = useTranslations("addresses");
  return (
    <EmptyState Icon={Wallet} title={t("empty")}>
      <p>{t("emptyHint")}</p>
    </EmptyState>
  );
}

/** Renders the addresses whose MAC does not match, with `children` as their table. */
function IntegrityPanel({ count, children }: { count: number; children: ReactNode }) {
  const t = useTranslations("addresses");
  return (
    <Card title={t("tampered")} isFlush className="mb-4">
      <div className="px-4 pb-4 sm:px-5">
        <Notice tone="bad" isAlert>
          {t("tamperedHint", { count })}
        </Notice>
      </div>
      {children}
    </Card>
  );
}

function choiceOf(network: Network) {
  return { id: network.id, title: networkTitle(network), note: issuerText(network) };
}

/** Returns the chain families whose addresses can be derived from a public key. */
function familiesOf(networks: readonly Network[]): KeyFamily[] {
  const of = (family: KeyFamily["family"]) => networks.filter((network) => network.family === family).map(choiceOf);
  const all = (["evm", "tron"] as const).map((family) => ({ family, networks: of(family) }));
  return all.filter((one) => one.networks.length > 0);
}

async function actionsForSources() {
  const [t, receivers] = await Promise.all([getTranslations("addresses"), getTranslations("receivers")]);
  return ({ id, label, max, kind }: Source) => (
    <KeyActions publicKey={{ id, name: label || (kind === "xpub" ? t("unnamedKey") : receivers("unnamed")), max }} />
  );
}

/** Adds the address in the form that wallets show. */
function shownOf<T extends { network: string; address: string }>(address: T) {
  return { ...address, shown: displayAddress(getNetwork(address.network).family, address.address) };
}

function actionsFor({ id, shown, label, pausedAt, hasInvalidMac }: AddressRow) {
  return <AddressActions address={{ id, label, short: shorten(shown), isPaused: pausedAt !== null, hasInvalidMac }} />;
}

const changeOf = (t: Translate<"confirmations">) => (setting: ConfirmationSetting) => {
  const { network } = setting;
  const name = getNetwork(network).name;
  return <ChangeConfirmations {...{ network, name }} typed={typedWait(setting)} hint={fieldHint(setting, t)} />;
};
