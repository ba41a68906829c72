import { useTranslations } from "next-intl";
import { Card } from "@/components/ui/card";
import { Identifier } from "@/components/ui/identifier";
import { linkUnless, tokenUrl } from "@/lib/domain/addresses/address";
import { getNetwork, type Network, type Token } from "@/lib/domain/networks";

interface TokenPanelProps {
  /** The ids of the networks on which the merchant receives payments. */
  networks: readonly string[];
  isSandbox: boolean;
}

/** Renders the accepted tokens of each network with their issuers, and the look-alikes that are never credited. */
export function TokenPanel({ networks, isSandbox }: TokenPanelProps) {
  const t = useTranslations("addresses");
  if (networks.length === 0) return null;
  return (
    <Card title={t("tokens")} hint={t("tokensHint")} isFlush className="mt-4">
      <ul className="divide-y divide-line border-line border-t">
        {networks.map(getNetwork).map((network) => (
          <li key={network.id} className="grid gap-1 px-4 py-3 sm:px-5">
            <p className="font-medium">{network.name}</p>
            {network.tokens.map((token) => (
              <TokenLine key={token.contract} network={network} token={token} isSandbox={isSandbox} />
            ))}
            <LookAlikes network={network} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function TokenLine({ network, token, isSandbox }: { network: Network; token: Token; isSandbox: boolean }) {
  const t = useTranslations("addresses");
  const { currency, contract, alsoShownAs, issuerNote, isOff } = token;
  return (
    <div className="text-[0.8125rem]">
      <span className="inline-block min-w-11">{currency}</span>{" "}
      <Identifier
        text={contract}
        what={t("contractOf", { currency, network: network.name })}
        isShort
        href={linkUnless(isSandbox, tokenUrl(network, contract))}
      />
      {isOff ? <span className="text-warn"> {t("tokenOff")}</span> : null}
      {alsoShownAs ? <span className="text-ink-soft"> {t("shownAs", { name: alsoShownAs })}</span> : null}
      {issuerNote ? <p className="text-warn">{issuerNote}</p> : null}
    </div>
  );
}

function LookAlikes({ network: { lookAlikes } }: { network: Network }) {
  const t = useTranslations("addresses");
  const watched = lookAlikes.filter(({ isOff }) => !isOff);
  if (watched.length === 0) return null;
  const names = watched.map(({ name, symbol }) => (name.endsWith(symbol) ? name : `${name} (${symbol})`));
  return <p className="text-[0.8125rem] text-ink-soft">{t("lookAlikes", { names: names.join(", ") })}</p>;
}

/** Returns the information about the issuers of a network's tokens that a merchant needs before accepting them; null if there is none. */
export function issuerText({ name, tokens }: Pick<Network, "name" | "tokens">): string | null {
  const notes = tokens.flatMap(({ currency, issuerNote }) => (issuerNote ? [`${currency} is ${issuerNote}`] : []));
  return notes.length > 0 ? `On ${name}, ${notes.join(" ")}` : null;
}
