import type { LanguageId } from "@/components/messages/languages";
import { type FieldError, type Problem, type Sentences, writeProblem } from "@/lib/domain/problems/problem";

/** The sentences of each language, fetched when there is a problem to show. */
const LOADERS: Readonly<Record<LanguageId, () => Promise<Sentences>>> = {
  en: loadEnglish,
  zh: async () => ({ ...(await loadEnglish()), ...(await import("@/components/messages/zh/problems")).problems }),
};

async function loadEnglish(): Promise<Sentences> {
  return (await import("@/lib/domain/problems/english")).english;
}

/** An error of a form's field with its sentence. */
export interface FieldMessage {
  field: string;
  message: string;
}

/** Writes a problem in a language; its code stands in where the sentences cannot be fetched. */
export async function problemMessage(language: LanguageId, problem: Problem): Promise<string> {
  const sentences = await LOADERS[language]().catch(() => null);
  return sentences ? writeProblem(sentences, problem) : problem.code;
}

/** The same for a problem that there may not be. */
export async function messageOrNull(language: LanguageId, problem: Problem | null): Promise<string | null> {
  return problem === null ? null : problemMessage(language, problem);
}

/** Writes the errors of fields in a language; those that have their sentence already keep it. */
export function problemMessages(
  language: LanguageId,
  errors: readonly (FieldError | FieldMessage)[],
): Promise<FieldMessage[]> {
  return Promise.all(
    errors.map(async (error) =>
      "message" in error ? error : { field: error.field, message: await problemMessage(language, error) },
    ),
  );
}
