/** @jsxImportSource hono/jsx */
import { pageHref } from "@/components/pay/href";
import type { Messages } from "@/components/pay/messages/en";
import type { PageContext } from "@/components/pay/page-context";
import { Fact, FactList, Reference } from "@/components/pay/panels/facts";
import { Outcome } from "@/components/pay/panels/outcome-panel";
import { SourcePicker } from "@/components/pay/panels/source-panel";
import { Countdown, MoreTime } from "@/components/pay/parts/countdown";
import { NetworkBadge } from "@/components/pay/parts/network-badge";
import { Rich } from "@/components/pay/parts/rich";
import { askedText, durationText, wording } from "@/components/pay/wording";
import type { ChoiceView } from "@/lib/domain/checkout/choice";
import { groupOptions, type OptionGroup, type RankedOption } from "@/lib/domain/checkout/recommend";

interface PanelProps {
  view: ChoiceView;
  page: PageContext;
}

/** Renders the payment methods that the payer can choose from, or the outcome if it is too late to choose. */
export function ChoicePanel({ view, page }: PanelProps) {
  if (view.state !== "choosing") return <Over view={view} page={page} />;
  return (
    <>
      <Picker view={view} page={page} />
      <MoreTime view={view} page={page} />
    </>
  );
}

function Picker({ view, page }: PanelProps) {
  const { t, problem } = page;
  const { title, lead, next } = wording(view, page);
  const isClosed = view.options.length === 0 && view.shown === null;
  return (
    <form class="choice" method="post" action={pageHref(view.tradeId, page)}>
      <div class="bar">
        {!isClosed && (
          <p class="status">
            <span class="pulse" />
            {view.shown ? t.switchStatus : t.chooseStatus}
          </p>
        )}
        <Countdown view={view} page={page} />
      </div>
      <h1>{title}</h1>
      {problem && (
        <p class="problem" role="alert">
          {t.chooseProblem[problem]}
        </p>
      )}
      <p class="lead">
        <Rich text={lead} />
      </p>
      {next.map((step) => (
        <p key={step} class="lead">
          {step}
        </p>
      ))}
      {view.subject && (
        <p class="hint">
          {t.subject}: <bdi>{view.subject}</bdi>
        </p>
      )}
      {view.options.length > 0 && (
        <>
          <Methods view={view} page={page} />
          <p class="hint">{t.chooseNote}</p>
          <button class="button" type="submit">
            {t.choose}
          </button>
        </>
      )}
      {view.shown && (
        <p class="aside">
          <a id="back" href={pageHref(view.tradeId, page)}>
            {t.switchBack}
          </a>
        </p>
      )}
    </form>
  );
}

/** Renders the question where the money is, and the methods by currency. */
function Methods({ view, page }: PanelProps) {
  const { t, from = null } = page;
  const groups = groupOptions(view.options, from);
  const checked = preselected(groups, page);
  return (
    <>
      <SourcePicker tradeId={view.tradeId} page={page} step={view.shown ? { choose: "1" } : {}} />
      {groups.map(({ currency, options }) => (
        <fieldset key={currency} class="options">
          <legend>
            <span class="spoken">{t.chooseLegend}: </span>
            {currency}
          </legend>
          {options.map((option) => (
            <Option key={option.value} option={option} isChecked={option === checked} page={page} />
          ))}
        </fieldset>
      ))}
    </>
  );
}

/** Returns the option that is selected initially: the current or only one, or the recommended one of the payer's exchange; if any. */
function preselected(groups: readonly OptionGroup[], { from }: PageContext): RankedOption | undefined {
  const options = groups.flatMap(({ options }) => options);
  const isExchange = from?.kind === "exchange" && from.exchange !== null;
  const [only] = options.length === 1 ? options : [];
  return only ?? options.find(({ isShown }) => isShown) ?? options.find((one) => isExchange && one.isRecommended);
}

interface OptionProps {
  option: RankedOption;
  isChecked: boolean;
  page: PageContext;
}

function Option({ option, isChecked, page }: OptionProps) {
  const { t } = page;
  const { value, network, quoted, isShown, isRecommended } = option;
  return (
    <label class="option">
      <input
        type="radio"
        name="method"
        id={`method-${value.replace(":", "-")}`}
        value={value}
        checked={isChecked}
        required
      />
      <span>
        <span class="method">
          <NetworkBadge network={network} />
          <bdi>{amountOf(option, t)}</bdi>
        </span>
        {isRecommended && <small class="had">{t.chooseRecommended}</small>}
        {quoted && <small class="had">{isShown ? t.chooseShown : t.chooseQuoted(quoted)}</small>}
        <ExchangeTerms option={option} page={page} />
        <small>{[t.chooseTime(durationText(option.seconds, t)), ...feeOf(option, t)].join(" · ")}</small>
      </span>
    </label>
  );
}

/** Renders the exchange's own name of the network, or the reason why the payer's exchange may not send the payment. */
function ExchangeTerms({ option, page }: Pick<OptionProps, "option" | "page">) {
  const { t, from } = page;
  if (from?.kind !== "exchange" || from.exchange === null) return null;
  const { name } = from.exchange;
  const { withdrawal, currency } = option;
  if (withdrawal === null) return <small class="caution">{t.exchangeUnlisted(name, currency)}</small>;
  return (
    <>
      <small>
        {t.exchangeNetwork(name)}: <bdi>{withdrawal.name}</bdi>
      </small>
      {option.isTooSmall && (
        <small class="caution">
          <Rich text={t.exchangeTooSmall(name, `${withdrawal.minimum} ${currency}`)} />
        </small>
      )}
    </>
  );
}

/** Returns the amount that the payer would pay; "" if it is unknown or shown as selected before. */
function amountOf({ amount, currency, quoted }: RankedOption, t: Messages): string {
  if (quoted !== null || amount === null) return "";
  const text = `${amount.decimal} ${currency}`;
  return amount.isEstimate ? t.chooseAmount(text) : text;
}

/** Returns the fee that the payer pays: the exchange's, or the network's. */
function feeOf({ withdrawal, fee, currency }: RankedOption, t: Messages): string[] {
  if (withdrawal) return withdrawal.fee === null ? [] : [t.exchangeFee(`${withdrawal.fee} ${currency}`)];
  if (!fee) return [];
  return [fee.from === null ? t.chooseFeeUnder(fee.to) : t.chooseFeeAbout(fee.from, fee.to)];
}

function Over({ view, page }: PanelProps) {
  const { t } = page;
  return (
    <Outcome view={view} page={page}>
      <FactList t={t}>
        <Fact name={t.merchant}>{view.merchantName}</Fact>
        {view.subject && <Fact name={t.subject}>{view.subject}</Fact>}
        <Fact name={t.amountOrdered}>{askedText(view.asked, t)}</Fact>
        <Reference tradeId={view.tradeId} t={t} />
      </FactList>
    </Outcome>
  );
}
