import { useTranslations } from "next-intl";
import { useState } from "react";
import { Choice, SelectField } from "@/components/ui/form/field";

/** A network that is enabled. */
export interface NetworkChoice {
  id: string;
  title: string;
  /** A note about the issuers of the network's tokens; null if there is none. */
  note: string | null;
}

interface NetworkFieldProps {
  networks: readonly NetworkChoice[];
  error: string | undefined;
}

/** Renders the field for the network of an address. */
export function NetworkField({ networks, error }: NetworkFieldProps) {
  const t = useTranslations("addresses");
  const [chosen, setChosen] = useState(networks[0]?.id);
  const options = networks.map(({ id, title }) => ({ value: id, text: title }));
  const note = networks.find(({ id }) => id === chosen)?.note;
  return (
    <SelectField
      label={t("network")}
      name="network"
      options={options}
      error={error}
      hint={note}
      onChange={(event) => setChosen(event.target.value)}
    />
  );
}

type Kind = "shared" | "dedicated";

/** Renders the field for the kind of an address, which determines how payments to it are identified. The usual kind comes first. */
export function KindField({ first }: { first: Kind }) {
  const t = useTranslations("addresses");
  const kinds: Kind[] = first === "shared" ? ["shared", "dedicated"] : ["dedicated", "shared"];
  return (
    <fieldset className="grid gap-2.5">
      <legend className="mb-1.5 font-medium">{t("kinds")}</legend>
      {kinds.map((kind) => (
        <Choice
          key={kind}
          type="radio"
          name="kind"
          value={kind}
          defaultChecked={kind === first}
          label={t(kind)}
          hint={t(`${kind}Hint`)}
        />
      ))}
    </fieldset>
  );
}
