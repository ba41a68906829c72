import { refTo } from "@/lib/domain/api/open-api";
import { NO_RULES, type RequestRules, type RuledField, textField } from "@/lib/domain/fields/field";
import type { Schema } from "@/lib/domain/fields/json-schema";
import { seen } from "@/lib/domain/fields/json-value";
import { choice } from "@/lib/domain/fields/values";
import { allNetworks, CURRENCIES, type Currency, findNetwork, isOffered, type Network } from "@/lib/domain/networks";
import { type Problem, problem } from "@/lib/domain/problems/problem";

const ANY_CURRENCY = choice(CURRENCIES, (given) => given.toUpperCase());

/** A token. */
export const CURRENCY: RuledField<Currency> = {
  ...ANY_CURRENCY,
  schema: { ...ANY_CURRENCY.schema, description: "The currency, case-insensitive." },
};

/** An enabled network. */
export const OFFERED_NETWORK = textField(networkRule, refTo("OfferedNetwork"), (given, rules) => {
  const network = findNetwork(given);
  if (network && rules.rpcUrls.has(network.id)) return { value: network };
  const params = { given: seen(given), rule: networkRule(rules) };
  return { problem: network ? problem("network_switched_off", params) : problem("field_unknown_value", params) };
});

/** Any network: orders of a disabled network are retained and must remain searchable. */
export const KNOWN_NETWORK = textField(problem("rule_network"), refTo("KnownNetwork"), (given) => {
  const network = findNetwork(given);
  return network
    ? { value: network }
    : { problem: problem("field_unknown_value", { given: seen(given), rule: networkRule(NO_RULES) }) };
});

function networkRule({ rpcUrls }: RequestRules): Problem {
  const offered = allNetworks().filter((network) => rpcUrls.has(network.id) && isOffered(network));
  return problem("rule_one_of", { values: offered.map(({ id }) => id).join(", ") });
}

/** Returns the schemas of networks by name: networks that are valid in an order, and all known networks. */
export function networkSchemas(all: readonly Network[], offered: readonly Network[]): Record<string, Schema> {
  const named = (networks: readonly Network[], description: string): Schema => ({
    description: `${description} Case-insensitive; aliases such as \`erc20\` are accepted.`,
    enum: networks.flatMap(({ id, aliases }) => [id, ...aliases]),
  });
  return {
    OfferedNetwork: named(offered, "An enabled network."),
    KnownNetwork: named(all, "A network."),
    Network: { description: "A network.", enum: all.map(({ id }) => id) },
  };
}

/**
 * Returns the schema of the currencies per network.
 * @param mayChoose true if the payer may choose both
 */
export function offeredPairs(offered: readonly Network[], mayChoose: boolean): Schema {
  const nothing = mayChoose ? [null, ""] : [];
  const pairs = offered.map(({ id, aliases, tokens }) => ({
    names: [id, ...aliases],
    currencies: CURRENCIES.filter((currency) => tokens.some((token) => token.currency === currency && !token.isOff)),
  }));
  const groups = Map.groupBy(pairs, ({ currencies }) => currencies.join(" and "));
  const schemas = [...groups.values()].map((group) => ({
    properties: {
      network: { enum: [...group.flatMap(({ names }) => names), ...nothing] },
      currency: { enum: [...(group[0]?.currencies ?? []), ...nothing] },
    },
  }));
  return { anyOf: schemas };
}
