import type { EndpointsOptions } from "@/lib/chains/endpoints/endpoint-call";
import type { FieldType } from "@/testing/answers/damages";
import type { Call, ScriptedNodes } from "@/testing/answers/scripted-node";

/** A field that is used: what it should be, and the damages that are no harm, for a reason that is given. */
export interface Field {
  type: FieldType;
  /** Damages that give a plausible false response, which only another endpoint can disprove. */
  falsifications?: readonly string[];
  /** Damage → why nothing is wrong with it. */
  harmless?: Readonly<Record<string, string>>;
  /** True if the damage of a sole endpoint is reported and reading continues without the response. */
  isDispensable?: boolean;
}

/** The fields of one call's answer that are used, by their paths; those that are not listed must be harmless. */
export type Fields = Readonly<Record<string, FieldType | Field>>;

/** The queries to a source; each can be repeated. */
export type Questions = Readonly<Record<string, () => Promise<unknown>>>;

/** A way of reading a family's chain: a recorded chain with a payment, and the fields of its responses that are used. */
export interface Scene {
  nodes: ScriptedNodes;
  bad: string;
  good: string;
  /** Asks a new source that has learned nothing yet. */
  questions(options: EndpointsOptions): Questions;
  /** Questions about what is not there, of which endpoints say so. */
  absent: readonly string[];
  /** Returns the kind of a call. */
  kindOf(call: Call): string;
  /** The fields by kind of call. */
  fields: Readonly<Record<string, Fields>>;
  stop(): Promise<void>;
}
