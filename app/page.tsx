import { redirect } from "next/navigation";
import { getContext } from "@/app/context";
import { currentPerson } from "@/app/session";
import { hasUsers } from "@/db/queries/people/users";

export default async function FrontDoor(): Promise<never> {
  if (await currentPerson()) redirect("/dashboard");
  redirect((await hasUsers(getContext().pool.db)) ? "/login" : "/register");
}
