import type { english } from "@/lib/domain/problems/english";

/** The code of a problem. Programs compare codes, and the sentences of each language are keyed by code. */
export type ProblemCode = keyof typeof english;

/** A parameter of a problem: a value as it is shown, or a problem that the sentence contains. */
export type ProblemParam = string | number | Problem | readonly FieldError[];

/** A problem as code and parameters, without a sentence. */
export interface Problem<Code extends ProblemCode = ProblemCode> {
  readonly code: Code;
  readonly params: Readonly<Record<string, ProblemParam>>;
}

/** A problem with one field of a request or form; the field "" stands for the form itself. */
export interface FieldError extends Problem {
  readonly field: string;
}

/** The sentence of every problem in one language. */
export type Sentences = Readonly<Record<ProblemCode, string>>;

type NamesIn<Sentence extends string> = Sentence extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

/**
 * The parameters of a problem, as named in its English sentence. The field's name is not a parameter, because it belongs to the field
 * error.
 */
export type ParamsOf<Code extends ProblemCode> = Readonly<
  Record<Exclude<NamesIn<(typeof english)[Code]>, "field">, ProblemParam>
>;

/** The parameters as arguments; no argument if the sentence has no parameters. */
type ParamArguments<Code extends ProblemCode> =
  Exclude<NamesIn<(typeof english)[Code]>, "field"> extends never ? [] : [params: ParamsOf<Code>];

/** Returns a problem with this code and its parameters. */
export function problem<Code extends ProblemCode>(code: Code, ...[params]: ParamArguments<Code>): Problem<Code> {
  return { code, params: params ?? {} };
}

/** Returns a problem as the error of a field. */
export function fieldError(field: string, { code, params }: Problem): FieldError {
  return { field, code, params };
}

/** Returns the result of a form with one invalid field. */
export function refuse(field: string, invalid: Problem): { errors: FieldError[] } {
  return { errors: [fieldError(field, invalid)] };
}

const PLACEHOLDER = /\{(\w+)\}/g;

/**
 * Writes a problem as a sentence. The sentence of a field error names the last part of its field: "redirectURL" of "checkout.redirectURL".
 * A parameter named `field` replaces this name.
 */
export function writeProblem(sentences: Sentences, invalid: Problem | FieldError): string {
  const write = (_: string, name: string): string => {
    const param = invalid.params[name] ?? (name === "field" ? fieldName(invalid) : "");
    if (typeof param !== "object") return String(param);
    return "code" in param
      ? writeProblem(sentences, param)
      : param.map((error) => writeProblem(sentences, error)).join("; ");
  };
  return sentences[invalid.code].replace(PLACEHOLDER, write).trim();
}

function fieldName(invalid: Problem | FieldError): string {
  return "field" in invalid ? (invalid.field.split(".").at(-1) ?? "") : "";
}
