import type { Schema } from "@/lib/domain/fields/json-schema";
import { type JsonObject, seen } from "@/lib/domain/fields/json-value";
import { type FieldError, fieldError, type Problem, problem } from "@/lib/domain/problems/problem";

/** The value that was read, or the problem with it. */
export type Reading<T> = { value: T } | { problem: Problem };

/** The settings that determine which values a request may contain. */
export interface RequestRules {
  /** The enabled networks by id. */
  readonly rpcUrls: ReadonlyMap<string, unknown>;
  readonly callbackAllowCidrs: readonly string[];
}

export const NO_RULES: RequestRules = { rpcUrls: new Map(), callbackAllowCidrs: [] };

/**
 * A function that reads one value.
 * @param body the whole request, for fields that depend on each other
 */
export type Reader<T> = (given: unknown, rules: RequestRules, body: JsonObject) => Reading<T>;

/** The rule for a value: the parameter `rule` of a problem. It is a function if it depends on settings. */
export type Rule = Problem | ((rules: RequestRules) => Problem);

/** A field of an API request: its reader, and its schema in the API document. */
export interface Field<T> {
  readonly schema: Schema;
  /** True if every request without the field is rejected. */
  readonly isRequired?: true;
  readonly read: Reader<T>;
}

/** A field with the rule for its values. */
export interface RuledField<T> extends Field<T> {
  readonly rule: Rule;
}

/** The values that the fields' readers return. */
export type ValuesOf<Fields> = {
  -readonly [Name in keyof Fields]: Fields[Name] extends { readonly read: Reader<infer T> } ? T : never;
};

/** The fields of one API request, and the schema of its body, which is derived from them. */
export interface RequestShape<Fields> {
  readonly fields: Fields;
  readonly schema: Schema;
}

/** The schema of an omitted field: null and an empty string are equivalent. */
export const NOTHING: Schema = { enum: [null, ""], description: "Same as omitted." };

/** Returns the schema of a value that may be omitted. */
export function orNothing(schema: Schema): Schema {
  const isChoice = schema.anyOf !== undefined && Object.keys(schema).length === 1;
  return { anyOf: [...(isChoice ? (schema.anyOf ?? []) : [schema]), NOTHING] };
}

/**
 * Defines a request. Unknown fields of its body are ignored.
 * @param together the part of the schema that covers several fields together
 */
export function requestOf<Fields extends Readonly<Record<string, Field<unknown>>>>(
  fields: Fields,
  together: Pick<Schema, "anyOf" | "oneOf"> = {},
): RequestShape<Fields> {
  const entries = Object.entries(fields);
  const required = entries.filter(([, field]) => field.isRequired).map(([name]) => name);
  const properties = Object.fromEntries(entries.map(([name, { schema }]) => [name, schema]));
  const schema: Schema = { type: "object", properties, ...together };
  return { fields, schema: required.length > 0 ? { ...schema, required } : schema };
}

/** Returns a reader of several fields of one object, which reports the problems of all fields together. */
export function fieldsReader<Fields extends Readonly<Record<string, { readonly read: Reader<unknown> }>>>(
  fields: Fields,
): (body: JsonObject, rules: RequestRules) => { values: ValuesOf<Fields> } | { errors: FieldError[] } {
  const all = Object.entries(fields);
  return (body, rules) => {
    const errors: FieldError[] = [];
    const values: Record<string, unknown> = {};
    for (const [name, { read }] of all) {
      const reading = read(Object.hasOwn(body, name) ? body[name] : undefined, rules, body);
      if ("value" in reading) values[name] = reading.value;
      else errors.push(fieldError(name, reading.problem));
    }
    return errors.length > 0 ? { errors } : { values: values as ValuesOf<Fields> };
  };
}

/** Returns a field that every request must have. */
export function required<T>({ rule, schema, read }: RuledField<T>, described: Schema = {}): Field<T> {
  return {
    schema: { ...schema, ...described },
    isRequired: true,
    read: requiredReader(rule, read),
  };
}

/** Returns a reader of a required value. */
export function requiredReader<T>(rule: Rule, read: Reader<T>): Reader<T> {
  return (given, rules, body) =>
    isAbsent(given) ? { problem: problem("field_missing", { rule: ruleOf(rule, rules) }) } : read(given, rules, body);
}

/** Returns a field that may be omitted, null or an empty string. */
export function optional<T>(field: Field<T>, described: Schema): Field<T | null>;
export function optional<T>(field: Field<T>, described: Schema, usual: T & (string | number)): Field<T>;
export function optional<T>(
  { schema, read }: Field<T>,
  described: Schema,
  usual: (T & (string | number)) | null = null,
): Field<T | null> {
  return {
    schema: { ...orNothing(schema), ...described, ...(usual !== null && { default: usual }) },
    read: (given, rules, body) => (isAbsent(given) || given === "" ? { value: usual } : read(given, rules, body)),
  };
}

/** Returns a string field that `read` parses. */
export function textField<T>(
  rule: Rule,
  schema: Schema,
  read: (given: string, rules: RequestRules) => Reading<T>,
): RuledField<T> {
  return {
    rule,
    schema,
    read: (given, rules) =>
      typeof given === "string"
        ? read(given, rules)
        : { problem: problem("field_not_text", { given: seen(given), rule: ruleOf(rule, rules) }) },
  };
}

/** Returns a field whose value is computed from another field's value. */
export function mapField<From, To>({ schema, read }: Field<From>, convert: (value: From) => To): Field<To> {
  return {
    schema,
    read: (given, rules, body) => {
      const reading = read(given, rules, body);
      return "value" in reading ? { value: convert(reading.value) } : reading;
    },
  };
}

/** Returns true if a field is present with a value other than null and an empty string. */
export function isGiven(body: JsonObject, field: string): boolean {
  return Object.hasOwn(body, field) && !isAbsent(body[field]) && body[field] !== "";
}

function isAbsent(given: unknown): boolean {
  return given === undefined || given === null;
}

function ruleOf(rule: Rule, rules: RequestRules): Problem {
  return typeof rule === "function" ? rule(rules) : rule;
}
