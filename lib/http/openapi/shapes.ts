import type { Schema } from "@/lib/domain/fields/json-schema";

/** A schema for every member of a response's type, and for no other. */
export type Shape<T> = { readonly [Member in keyof Required<T>]: Schema };

/**
 * Returns the schema of an object of this type.
 * @param absent the members that may be omitted
 */
export function object<T>(
  description: string,
  properties: Shape<T>,
  absent: readonly (keyof T & string)[] = [],
): Schema {
  const required = Object.keys(properties).filter((name) => !absent.some((one) => one === name));
  return { description, type: "object", required, properties };
}

/** Functions that return the schema of each kind of member. */
export const list = (items: Schema, description: string): Schema => ({ description, type: "array", items });
export const text = (description: string): Schema => ({ type: "string", description });
export const textOrNull = (description: string): Schema => ({ type: ["string", "null"], description });
export const count = (description: string): Schema => ({ type: "integer", minimum: 0, description });
export const countOrNull = (description: string): Schema => ({ type: ["integer", "null"], minimum: 0, description });
export const url = (description: string): Schema => ({ type: "string", format: "uri", description });
export const urlOrNull = (description: string): Schema => ({ type: ["string", "null"], format: "uri", description });
export const decimalNumber = (description: string): Schema => ({ type: "number", minimum: 0, description });
