import { useTranslations } from "next-intl";
import { CURRENCIES, type NetworkName } from "@/lib/domain/networks";

/** How the controls of a filter look. */
export const FILTER_CONTROL =
  "h-9 rounded-lg border border-line-strong/60 bg-surface px-2.5 shadow-xs hover:border-line-strong";

interface FilterPickProps {
  name: string;
  label: string;
  /** Says that nothing is picked. */
  any: string;
  value: string | undefined;
  children: readonly { value: string; text: string }[];
}

interface MoneyPicksProps {
  filter: { network?: string | undefined; currency?: string | undefined };
  networks: readonly NetworkName[];
}

/** The choices of whatever is about money on a network. */
export function MoneyPicks({ filter, networks }: MoneyPicksProps) {
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

/** One choice of a filter; picking sends the form. */
export function FilterPick({ name, label, any, value, children }: FilterPickProps) {
  return (
    <select
      name={name}
      aria-label={label}
      defaultValue={value ?? ""}
      onChange={(event) => event.currentTarget.form?.requestSubmit()}
      className={`${FILTER_CONTROL} min-w-0 max-w-full truncate pr-7 sm:max-w-40`}
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
