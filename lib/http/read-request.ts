import {
  fieldsReader,
  type Reader,
  type RequestRules,
  type RequestShape,
  type ValuesOf,
} from "@/lib/domain/fields/field";
import type { JsonObject } from "@/lib/domain/fields/json-value";
import { invalidFields } from "@/lib/errors";

type Fields = Readonly<Record<string, { readonly read: Reader<unknown> }>>;

/** Returns a reader of a request's body. It throws an AppError 10001 that lists the problems of all fields. */
export function requestReader<Shape extends Fields>({
  fields,
}: RequestShape<Shape>): (body: JsonObject, rules: RequestRules) => ValuesOf<Shape> {
  const readFields = fieldsReader(fields);
  return (body, rules) => {
    const read = readFields(body, rules);
    if ("values" in read) return read.values;
    throw invalidFields(read.errors);
  };
}
