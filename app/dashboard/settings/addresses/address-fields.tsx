import { useState } from "react";
import { Choice, SelectField } from "@/components/ui/form/field";

/** A network that is switched on. */
export interface NetworkChoice {
  id: string;
  title: string;
  /** What to know of its tokens; null when there is nothing. */
  note: string | null;
}

interface NetworkFieldProps {
  networks: readonly NetworkChoice[];
  error: string | undefined;
}

/** On which network an address is. */
export function NetworkField({ networks, error }: NetworkFieldProps) {
  const [chosen, setChosen] = useState(networks[0]?.id);
  const options = networks.map(({ id, title }) => ({ value: id, text: title }));
  const note = networks.find(({ id }) => id === chosen)?.note;
  return (
    <SelectField
      label="Network"
      name="network"
      options={options}
      error={error}
      hint={note}
      onChange={(event) => setChosen(event.target.value)}
    />
  );
}

const KINDS = {
  shared: {
    label: "Shared",
    hint: "Many orders at once, each with its own exact amount, such as 10.0003.",
  },
  dedicated: {
    label: "Dedicated",
    hint: "One order at a time, with a round amount; partial payments add up.",
  },
} as const;

type Kind = keyof typeof KINDS;

/** How payments to an address are told apart; the usual kind comes first. */
export function KindField({ first }: { first: Kind }) {
  const kinds: Kind[] = first === "shared" ? ["shared", "dedicated"] : ["dedicated", "shared"];
  return (
    <fieldset className="grid gap-2.5">
      <legend className="mb-1.5 font-medium">How payments are told apart</legend>
      {kinds.map((kind) => (
        <Choice key={kind} type="radio" name="kind" value={kind} defaultChecked={kind === first} {...KINDS[kind]} />
      ))}
    </fieldset>
  );
}
