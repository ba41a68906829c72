import { useTranslations } from "next-intl";
import { CURRENCIES, type NetworkName } from "@/lib/domain/networks";

/** The class names of a filter's controls. */
export const FILTER_CONTROL =
  "h-9 rounded-lg border border-line-strong/60 bg-surface px-2.5 shadow-xs hover:border-line-strong";

interface FilterPickProps {
  name: string;
  label: string;
  /** The label of the option that does not restrict the list. */
  any: string;
  value: string | undefined;
  children: readonly { value: string; text: string }[];
}

interface CurrencyPicksProps {
  filter: { network?: string | undefined; currency?: string | undefined };
  networks: readonly NetworkName[];
}

/** Renders the network and currency choices of a list's filter. */
export function CurrencyPicks({ filter, networks }: CurrencyPicksProps) {
  const t = useTranslations("filters");
  return (
    <>
      <FilterPick name="network" label={t("network")} any={t("anyNetwork")} value={filter.network}>
        {networks.map(({ id, name }) => ({ value: id, text: name }))}
      </FilterPick>
      <FilterPick name="currency" label={t("currency")} any={t("anyCurrency")} value={filter.currency}>
        {CURRENCIES.map((currency) => ({ value: currency, text: currency }))}
      </FilterPick>
    </>
  );
}

/** Renders one choice of a filter. A selection submits the form. */
export function FilterPick({ name, label, any, value, children }: FilterPickProps) {
  return (
    <select
      name={name}
      aria-label={label}
      defaultValue={value ?? ""}
      onChange={(event) => event.currentTarget.form?.requestSubmit()}
      className={`${FILTER_CONTROL} min-w-0 max-w-full truncate pr-7 sm:max-w-48`}
    >
      <option value="">{any}</option>
      {children.map((option) => (
        <option key={option.value} value={option.value}>
          {option.text}
        </option>
      ))}
    </select>
  );
}

interface FilterFieldProps {
  name: string;
  label: string;
  value: string | undefined;
  /** The type of value: a day in UTC, or an amount. */
  kind: "day" | "amount";
}

/** Renders a text field of a filter, with its label above it. */
export function FilterField({ name, label, value, kind }: FilterFieldProps) {
  return (
    <label className="grid min-w-0 gap-1 text-ink-soft text-xs">
      {label}
      <input
        name={name}
        type={kind === "day" ? "date" : "text"}
        {...(kind === "amount" && {
          inputMode: "decimal",
          pattern: "[0-9]{1,15}(\\.[0-9]{1,6})?",
          placeholder: "0.00",
        })}
        defaultValue={value}
        className={`${FILTER_CONTROL} w-full min-w-0 text-ink text-sm tabular-nums sm:w-40`}
      />
    </label>
  );
}
