import { redirect } from "next/navigation";
import { getContext } from "@/app/context";
import { currentPerson } from "@/app/session";
import { isSetUp } from "@/lib/users/register";

export default async function HomePage(): Promise<never> {
  if (await currentPerson()) redirect("/dashboard");
  redirect((await isSetUp(getContext().pool.db)) ? "/login" : "/register");
}
