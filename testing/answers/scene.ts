import type { EndpointsOptions } from "@/lib/chains/endpoints/endpoint-call";
import type { FieldType } from "@/testing/answers/damages";
import type { Call, ScriptedNodes } from "@/testing/answers/scripted-node";

/** A field that is used: what it should be, and the damages that are no harm, for a reason that is given. */
export interface Field {
  type: FieldType;
  /** Damages that make a statement which could be true: a lie, of which only another endpoint tells. */
  lies?: readonly string[];
  /** Damage → why nothing is wrong with it. */
  harmless?: Readonly<Record<string, string>>;
  /** The only endpoint's damage is told, and what is read does without the answer. */
  isDispensable?: boolean;
}

/** The fields of one call's answer that are used, by their paths; those that are not listed must be harmless. */
export type Fields = Readonly<Record<string, FieldType | Field>>;

/** What is asked of a source; each can be asked again. */
export type Questions = Readonly<Record<string, () => Promise<unknown>>>;

/** One way to read a family's chain: a recorded chain on which somebody was paid, and what of its answers is used. */
export interface Scene {
  nodes: ScriptedNodes;
  bad: string;
  good: string;
  /** Asks a new source that has learned nothing yet. */
  questions(options: EndpointsOptions): Questions;
  /** Questions about what is not there, of which endpoints say so. */
  absent: readonly string[];
  /** Which kind of call it is. */
  kindOf(call: Call): string;
  /** By kind of call. */
  fields: Readonly<Record<string, Fields>>;
  stop(): Promise<void>;
}
