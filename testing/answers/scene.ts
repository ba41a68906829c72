import type { EndpointsOptions } from "@/lib/chains/endpoints/endpoint-call";
import type { FieldType } from "@/testing/answers/damages";
import type { Call, ScriptedNodes } from "@/testing/answers/scripted-node";

/** A used field: its type, and the kinds of damage that are harmless, with the reason. */
export interface Field {
  type: FieldType;
  /** The kinds of damage that produce a plausible false response, which only a different endpoint can disprove. */
  falsifications?: readonly string[];
  /** The harmless kinds of damage, each with the reason. */
  harmless?: Readonly<Record<string, string>>;
  /** True if a damaged response of a single endpoint is reported and reading continues without it. */
  isDispensable?: boolean;
}

/** The used fields of one call's response, by path; damage to all other fields must be harmless. */
export type Fields = Readonly<Record<string, FieldType | Field>>;

/** The queries to a source; each can be repeated. */
export type Questions = Readonly<Record<string, () => Promise<unknown>>>;

/** A scenario for one way of reading a family's chain: a recorded chain with a payment, and the fields of its responses that are used. */
export interface Scene {
  nodes: ScriptedNodes;
  bad: string;
  good: string;
  /** Returns the queries to a new source that has no cached state. */
  questions(options: EndpointsOptions): Questions;
  /** The names of the queries for data that does not exist, which endpoints report as missing. */
  absent: readonly string[];
  /** Returns the kind of a call. */
  kindOf(call: Call): string;
  /** The used fields by kind of call. */
  fields: Readonly<Record<string, Fields>>;
  stop(): Promise<void>;
}
