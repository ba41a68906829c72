import type { Messages } from "@/components/pay/messages/en";
import type { PageContext } from "@/components/pay/page-context";
import { shorten } from "@/lib/domain/addresses/address";
import type { ChoiceView } from "@/lib/domain/checkout/choice";
import type { PageView } from "@/lib/domain/checkout/refresh";
import type { CheckoutView, SeenTransfer } from "@/lib/domain/checkout/view";
import type { WalletData } from "@/lib/domain/checkout/wallet-request";
import { differenceText, displayAmount } from "@/lib/domain/money";

export interface Wording {
  title: string;
  lead: string;
  /** Further steps, one paragraph each. */
  next: string[];
}

/** Returns the text of the page in each state: the status and the next step. */
export function wording(view: PageView, page: PageContext): Wording {
  return "options" in view ? choiceWording(view, page) : orderWording(view, page);
}

/** Returns the page's messages for paying with a wallet. */
export function walletTexts({ amounts, currency, network }: CheckoutView, t: Messages): WalletData["words"] {
  const amount = `${amounts.remaining} ${currency}`;
  const unsent = (text: string) => `${text} ${t.walletNothing}`;
  return {
    choose: t.walletChoose,
    connect: t.walletConnect,
    confirm: t.walletConfirm(amount, network.title),
    sent: t.walletSent(network.name),
    rejected: unsent(t.walletRejected),
    busy: t.walletBusy,
    network: unsent(t.walletNetwork(network.name)),
    account: unsent(t.walletAccount(network.name)),
    funds: unsent(t.walletFunds(amount)),
    changed: unsent(t.walletChanged),
    again: t.walletAgain,
    away: unsent(t.walletAway),
    unready: unsent(t.walletFailed),
    failed: `${t.walletFailed} ${t.walletLook}`,
  };
}

function choiceWording(view: ChoiceView, { t }: PageContext): Wording {
  const { state, merchantName: merchant, asked, shown, options } = view;
  switch (state) {
    case "choosing":
      if (shown) return { title: t.switchTitle, lead: t.switchLead(shown.amount, shown.network), next: [] };
      if (options.length === 0) return { title: t.closedTitle, lead: t.chooseNone(merchant), next: [t.otherWay] };
      return { title: t.chooseTitle, lead: t.chooseLead(merchant, askedText(asked, t)), next: [] };
    case "expired":
      return { title: t.expiredTitle, lead: t.chooseExpiredLead, next: [t.expiredAgain(merchant)] };
    case "cancelled":
      return { title: t.cancelledTitle, lead: t.chooseCancelledLead(merchant), next: [] };
  }
}

function orderWording(view: CheckoutView, page: PageContext): Wording {
  const { t } = page;
  const { merchantName: merchant, network } = view;
  const arrived = `${view.amounts.arrived} ${view.currency}`;
  const due = `${view.amounts.due} ${view.currency}`;
  const toWording = (title: string, lead: string, next: string[] = []): Wording => ({ title, lead, next });
  switch (view.state) {
    case "waiting":
      return toWording(t.waitingTitle(view.currency, network.title), t.waitingStatus);
    case "underpaid":
      return toWording(t.underpaidTitle(view.currency, network.title), t.underpaidLead(arrived, due));
    case "partial":
      return toWording(t.partialTitle, t.partialLead(merchant, arrived, due), contactStep(view, t));
    case "elsewhere":
      return elsewhere(view, page);
    case "otherAmount":
      return otherAmount(view, page);
    case "checking":
      return toWording(t.checkingTitle, t.checkingLead(network.name));
    case "seen":
      return toWording(t.seenTitle, t.seenLead(arrived, view.progress?.network ?? network.name));
    case "confirming":
      return toWording(t.confirmingTitle, t.confirmingLead(arrived, view.progress?.network ?? network.name));
    case "late":
      return toWording(t.lateTitle, t.lateLead(arrived));
    case "paid":
      if (!view.hasArrived) return toWording(t.paidTitle, t.paidByHandLead(merchant, due));
      return toWording(t.paidTitle, view.isLate ? t.paidLateLead(merchant, arrived) : t.paidLead(merchant, arrived), [
        ...paidOn(view, t),
        ...(view.isLate ? contactStep(view, t) : []),
      ]);
    case "overpaid":
      return toWording(t.overpaidTitle, t.overpaidLead(merchant, arrived, `${view.amounts.surplus} ${view.currency}`), [
        ...paidOn(view, t),
        ...contactStep(view, t),
      ]);
    case "expired":
      return toWording(t.expiredTitle, view.hasArrived ? t.expiredPartLead(arrived, due) : t.expiredLead, [
        ...expiredSteps(view, page),
        view.hasArrived ? partStep(view, t) : t.expiredAgain(merchant),
      ]);
    case "cancelled":
      return toWording(t.cancelledTitle, t.cancelledLead(merchant), [sentStep(view, t)]);
  }
}

/** Returns the payment method that was used, if several were offered. */
function paidOn({ otherOffers, network }: CheckoutView, t: Messages): string[] {
  return otherOffers.length > 0 ? [t.paidOn(network.title)] : [];
}

function elsewhere(view: CheckoutView, { t }: PageContext): Wording {
  const { misdirected, merchantName: merchant } = view;
  const isAccepted = misdirected.every(({ lookAlike }) => lookAlike === null);
  return {
    title: elsewhereTitle(view, t),
    lead: misdirected.map((misdirected) => misdirectedLead(misdirected, view, t)).join(" "),
    next: [
      isAccepted ? t.elsewhereSeen(merchant) : t.lookAlikeSeen(merchant),
      askStep(view, t),
      t.elsewhereAgain(merchant),
    ],
  };
}

function otherAmount(view: CheckoutView, { t }: PageContext): Wording {
  const { lookup, merchantName: merchant } = view;
  const answer = lookup?.answer;
  if (answer?.kind !== "amount") throw new Error("The state otherAmount has no lookup of another amount");
  const text = (amount: string) => `${amount} ${answer.currency}`;
  const lead = answer.isShort ? t.otherAmountShort : t.otherAmountOver;
  return {
    title: t.otherAmountTitle,
    lead: lead(text(answer.arrived), text(answer.due), text(displayAmount(differenceText(answer.arrived, answer.due)))),
    next: [t.elsewhereAgain(merchant), t.elsewhereSeen(merchant), askStep(view, t)],
  };
}

function elsewhereTitle({ misdirected, network }: CheckoutView, t: Messages): string {
  if (misdirected.some(({ lookAlike }) => lookAlike !== null)) return t.lookAlikeTitle;
  const isOnNetwork = misdirected.every((misdirected) => misdirected.network.name === network.name);
  return isOnNetwork ? t.elsewhereCurrencyTitle : t.elsewhereNetworkTitle;
}

/** Returns the amount of an order with a choice, in the page's language: "10.5 USDT or USDC". */
export function askedText(asked: string, t: Messages): string {
  return new Intl.ListFormat(t.lang, { type: "disjunction" }).format(asked.split(" or "));
}

/** Returns the name of a token in the page's language, such as "bridged USDT". Other names are returned unchanged. */
export function tokenText(name: string, t: Messages): string {
  const [kind, currency = ""] = name.split(" ");
  if (kind === "bridged") return t.bridged(currency);
  return kind === "discontinued" ? t.discontinued(currency) : name;
}

function misdirectedLead(misdirected: SeenTransfer, { currency, network }: CheckoutView, t: Messages): string {
  const arrived = `${misdirected.amount} ${tokenText(misdirected.tokenName, t)}`;
  const { lookAlike } = misdirected;
  if (lookAlike === null) return t.elsewhereLead(arrived, misdirected.network.title, currency, network.title);
  return t.lookAlikeLead(arrived, misdirected.network.title, lookAlike.symbol, shorten(lookAlike.contract), currency);
}

function expiredSteps(view: CheckoutView, { t }: PageContext): string[] {
  return [view.watchedHours === null ? sentStep(view, t) : t.expiredWatched(view.watchedHours)];
}

/** The merchant, with the page or address where payers get help, if any. */
type Contactable = Pick<CheckoutView, "merchantName"> & { brand: Pick<CheckoutView["brand"], "supportUrl"> };

/** Returns the offer to answer questions; empty if the merchant gave no contact. The link is at the end of the page. */
export function contactStep({ brand, merchantName }: Contactable, t: Messages): string[] {
  return brand.supportUrl === null ? [] : [t.contactAsk(merchantName)];
}

/** Returns what to do about a payment that the merchant has to decide about. */
function askStep({ brand, merchantName }: Contactable, t: Messages): string {
  return brand.supportUrl === null ? t.keepId(merchantName) : t.elsewhereContact(merchantName);
}

/** Returns what to do if a payment was already sent and is no longer detected. */
function sentStep({ brand, merchantName }: Contactable, t: Messages): string {
  return brand.supportUrl === null ? t.sentKeepId : t.expiredUnwatched(merchantName);
}

/** Returns what to do about a partial payment of an expired order. */
function partStep({ brand, merchantName }: Contactable, t: Messages): string {
  return brand.supportUrl === null ? t.paymentSeen(merchantName) : t.expiredPartAgain(merchantName);
}

/** Returns a duration in everyday language, rounded so that it does not promise more than a chain can guarantee. */
export function durationText(seconds: number, t: Messages): string {
  if (seconds < 10) return t.almostThere;
  if (seconds < 55) return t.aboutSeconds(Math.ceil(seconds / 10) * 10);
  return t.aboutMinutes(Math.max(1, Math.round(seconds / 60)));
}
