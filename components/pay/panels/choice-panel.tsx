/** @jsxImportSource hono/jsx */
import type { Messages } from "@/components/pay/messages/en";
import type { PageContext } from "@/components/pay/page-context";
import { Fact, FactList, Reference } from "@/components/pay/panels/facts";
import { Outcome } from "@/components/pay/panels/outcome-panel";
import { Countdown, MoreTime } from "@/components/pay/parts/countdown";
import { NetworkBadge } from "@/components/pay/parts/network-badge";
import { Rich } from "@/components/pay/parts/rich";
import { askedText, durationText, wording } from "@/components/pay/wording";
import type { ChoiceOption, ChoiceView } from "@/lib/domain/checkout/choice";

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
      <MoreTime view={view} t={page.t} />
    </>
  );
}

function Picker({ view, page }: PanelProps) {
  const { t, problem } = page;
  const { title, lead, next } = wording(view, page);
  const isClosed = view.options.length === 0 && view.shown === null;
  return (
    <form class="choice" method="post" action={`/pay/${view.tradeId}?lang=${t.lang}`}>
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
          <fieldset class="options">
            <legend class="spoken">{t.chooseLegend}</legend>
            {view.options.map((option) => (
              <Option key={option.value} option={option} isOnly={view.options.length === 1} t={t} />
            ))}
          </fieldset>
          <p class="hint">{t.chooseNote}</p>
          <button class="button" type="submit">
            {t.choose}
          </button>
        </>
      )}
      {view.shown && (
        <p class="aside">
          <a id="back" href={`/pay/${view.tradeId}?lang=${t.lang}`}>
            {t.switchBack}
          </a>
        </p>
      )}
    </form>
  );
}

function Option({ option, isOnly, t }: { option: ChoiceOption; isOnly: boolean; t: Messages }) {
  const { value, currency, network, seconds, fee, quoted, isShown } = option;
  const cost = [
    t.chooseTime(durationText(seconds, t)),
    ...(fee ? [fee.from === null ? t.chooseFeeUnder(fee.to) : t.chooseFeeAbout(fee.from, fee.to)] : []),
  ];
  return (
    <label class="option">
      <input
        type="radio"
        name="method"
        id={`method-${value.replace(":", "-")}`}
        value={value}
        checked={isOnly || isShown}
        required
      />
      <span>
        <strong>{currency}</strong> <NetworkBadge network={network} />
        {quoted && <small class="had">{isShown ? t.chooseShown : t.chooseQuoted(quoted)}</small>}
        <small>{cost.join(" · ")}</small>
      </span>
    </label>
  );
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
