import { TextField } from "@/components/ui/field";

/** The field that asks a signed-in person for the password again. */
export function PasswordAgain({ error }: { error: string | undefined }) {
  return (
    <TextField
      label="Your password"
      name="password"
      type="password"
      autoComplete="current-password"
      hint="Asked again, so that nobody else at this screen can do it."
      error={error}
    />
  );
}
