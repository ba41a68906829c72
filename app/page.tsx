import { redirect } from "next/navigation";
import { getAllCells } from "@/app/context";
import { currentPerson } from "@/app/session";
import { isSetUp } from "@/lib/users/cells/come-in";

export default async function FrontDoor(): Promise<never> {
  if (await currentPerson()) redirect("/dashboard");
  redirect((await isSetUp(getAllCells())) ? "/login" : "/register");
}
