import { ID } from "@/lib/domain/api/limits";
import { refTo } from "@/lib/domain/api/open-api";
import type { DepositArrivalData, DepositStatusData } from "@/lib/domain/deposits/deposit-view";
import type { DepositAddressData, DepositData } from "@/lib/domain/deposits/deposit-wire";
import type { Schema } from "@/lib/domain/fields/json-schema";
import { CURRENCIES } from "@/lib/domain/networks";
import { count, countOrNull, list, money, object, text, textOrNull, url } from "@/lib/http/openapi/shapes";

const ARRIVAL = object<DepositArrivalData>("A transfer to it.", {
  network: refTo("Network"),
  currency: { enum: CURRENCIES, description: "The token that came." },
  amount: text("How much came: an exact decimal."),
  tx_hash: text("Its transaction."),
  state: {
    enum: ["seen", "confirming", "confirmed", "reversed"],
    description: "`seen`: in the newest block only; `reversed`: confirmed, then removed by a reorg.",
  },
  confirmations: count("How many it has, at most as many as it needs."),
  required_confirmations: count("How many it needs."),
  seen_at: count("When it was first seen, in Unix seconds."),
});

/** What is said of deposits, by name. */
export const DEPOSIT_SCHEMAS: Readonly<Record<string, Schema>> = {
  DepositAddress: object<DepositAddressData>("An address that stays with a customer.", {
    deposit_address_id: { type: "string", pattern: ID, description: "Its id." },
    customer_ref: text("As asked."),
    network: refTo("Network"),
    currencies: list({ enum: CURRENCIES }, "What counts there."),
    address: text("Where the customer pays."),
    deposit_url: url("A page for the customer that shows the address, and what came there."),
    created_at: count("When the customer got it, in Unix seconds."),
  }),
  Deposit: object<DepositData>("A transfer to a customer's address that is final, or was until a reorg removed it.", {
    deposit_id: { type: "string", pattern: ID, description: "Its id: credit each once." },
    deposit_address_id: { type: "string", pattern: ID, description: "Of the address." },
    customer_ref: text("Whose address it is."),
    network: refTo("Network"),
    currency: { enum: CURRENCIES, description: "The token that came." },
    amount: money("How much came."),
    status: {
      enum: ["confirmed", "reversed"],
      description:
        "`reversed`: a reorg deeper than the confirmations removed it. It is `confirmed` again when the chain includes it again and it is final.",
    },
    address: text("Where it came."),
    from_address: text("Who sent it; an exchange sends from an address of its own."),
    tx_hash: text("Its transaction."),
    confirmations: count("How many it had when it was final."),
    seen_at: count("When it was first seen, in Unix seconds."),
    confirmed_at: count("When it was final, in Unix seconds."),
    reversed_at: countOrNull("When a reorg removed it, in Unix seconds; null while it is confirmed."),
    explorer_url: url("Where people can look at it."),
  }),
  DepositList: object<{ deposits: unknown; next_cursor: unknown }>("A page of deposits.", {
    deposits: list(refTo("Deposit"), "Newest first."),
    next_cursor: textOrNull("The `cursor` of the next page; null after the last."),
  }),
  DepositStatus: object<DepositStatusData>("What came to a deposit address, as its page shows it.", {
    deposit_address_id: { type: "string", pattern: ID, description: "Its id." },
    version: count("It only ever rises."),
    tag: text("Names everything that the page shows: another tag means that there is something new to show."),
    state: {
      enum: ["open", "closed", "broken"],
      description: "`closed`: paused or removed; `broken`: it does not fit its seal. Nobody may send there then.",
    },
    transfers: list(ARRIVAL, "The newest twenty, newest first."),
  }),
};
