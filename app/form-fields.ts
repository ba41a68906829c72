/** A text of a form; "" when it is missing or a file. */
export function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}

/** What a form answers when one field is wrong; the field "" stands for the form itself. */
export function wrong(field: string, message: string): { errors: { field: string; message: string }[] } {
  return { errors: [{ field, message }] };
}
