import type { Translate } from "@/components/messages/translate";
import { type AuditAction, type AuditFact, type FactName, factsOf } from "@/lib/domain/audit/audit";
import { findNetwork } from "@/lib/domain/networks";

interface Line {
  action: AuditAction;
  detail: Record<string, unknown>;
}

/** The translated text of a line of the audit log: the action, its origin, and further facts. */
export interface LineTexts {
  actionText: string;
  from: string;
  facts: { name: FactName; label: string; value: string }[];
}

const ORIGIN: readonly FactName[] = ["ip", "browser"];

/** Returns a function that describes lines of the audit log in the reader's language. */
export function lineWriter(t: Translate<"audit">, actionText: Translate<"auditActions">): (line: Line) => LineTexts {
  return ({ action, detail }) => {
    const facts = factsOf(action, detail);
    return {
      actionText: actionText.has(action) ? actionText(action) : action,
      from: facts.flatMap(({ name, value }) => (ORIGIN.includes(name) ? [value] : [])).join(" · "),
      facts: facts
        .filter(({ name }) => !ORIGIN.includes(name))
        .map((fact) => ({ name: fact.name, label: t(`fact.${fact.name}`), value: textFor(fact, t) })),
    };
  };
}

function textFor({ name, value, before }: AuditFact, t: Translate<"audit">): string {
  const textOf = (text: string) => messageOf(name, text, t) || t("nothing");
  return before === undefined ? textOf(value) : t("changed", { before: textOf(before), after: textOf(value) });
}

/** Returns the name of a network, the translation of a coded value, or user input unchanged. */
function messageOf(name: FactName, text: string, t: Translate<"audit">): string {
  if (name === "network") return findNetwork(text)?.name ?? text;
  if (!WORDS.includes(name)) return text;
  const key = `value.${text}` as Parameters<typeof t.has>[0];
  return t.has(key) ? (t as (of: typeof key) => string)(key) : text;
}

const WORDS: readonly FactName[] = [
  "status",
  "role",
  "kind",
  "cause",
  "by",
  "file",
  "way",
  "mustSign",
  "isForPlugin",
  "isForAgents",
  "takesKeyInUrl",
  "expiration",
  "factorsRemoved",
];
