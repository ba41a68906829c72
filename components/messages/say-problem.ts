import type { LanguageId } from "@/components/messages/languages";

type Problems = Readonly<Record<string, string>>;

/** Languages other than English, which stories speak; fetched when there is something to say. */
const LOADERS: Readonly<Record<Exclude<LanguageId, "en">, () => Promise<Problems>>> = {
  zh: async () => (await import("@/components/messages/zh/problems")).problems,
};

/** A sentence that a story answered in English, as a person reads it; in English where their language has no words for it. */
export async function sayProblem(language: LanguageId, sentence: string): Promise<string> {
  if (language === "en") return sentence;
  const problems = await LOADERS[language]().catch(() => ({}));
  return translateProblem(problems, sentence);
}

/** What is wrong with fields, each as a person reads it. */
export function sayProblems<T extends { message: string }>(language: LanguageId, errors: readonly T[]): Promise<T[]> {
  return Promise.all(errors.map(async (error) => ({ ...error, message: await sayProblem(language, error.message) })));
}

/** Finds the sentence by its English pattern; of several that fit, the one with the fewest open characters. */
export function translateProblem(problems: Problems, sentence: string): string {
  const exact = Object.hasOwn(problems, sentence) ? problems[sentence] : undefined;
  if (exact !== undefined) return exact;
  const byFixed = Object.keys(problems)
    .filter((pattern) => pattern.includes("{"))
    .toSorted((one, other) => fixedLength(other) - fixedLength(one));
  for (const pattern of byFixed) {
    const values = matcherOf(pattern).exec(sentence)?.groups;
    if (values) return fill(problems, problems[pattern] ?? sentence, values);
  }
  return sentence;
}

const HOLE = /\{(\w+)\}/g;
const fixedLength = (pattern: string) => pattern.replace(HOLE, "").length;

function matcherOf(pattern: string): RegExp {
  const escaped = pattern
    .split(HOLE)
    .map((part, at) => (at % 2 === 1 ? `(?<${part}>.*?)` : part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")));
  return new RegExp(`^${escaped.join("")}$`, "s");
}

/** What stands in a hole may be a sentence too, and is shorter than the one around it. */
function fill(problems: Problems, text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(HOLE, (_, name: string) => translateProblem(problems, values[name] ?? ""));
}
