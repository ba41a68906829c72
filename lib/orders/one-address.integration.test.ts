import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { receivingAddresses } from "@/db/schema";
import { addAddress } from "@/lib/merchants/addresses";
import { seedMerchant, seedPerson, TEST_APP_SECRET } from "@/testing/database/seed";

import {
  addReceivingAddresses,
  addresses,
  create,
  db,
  merchant,
  open,
  owner,
  pass,
  start,
  useHoldingShop,
} from "@/testing/holding-shop";

useHoldingShop();

describe("one family, one address", () => {
  test("a dedicated one serves one live order over all networks of the family", async () => {
    await open("dedicated");
    const first = await create("ethereum", 0);
    await expect(create("bsc", 1)).rejects.toMatchObject({ code: 10006 });
    await expect(create("ethereum", 1)).rejects.toMatchObject({ code: 10006 });
    await pass(213);
    expect((await create("bsc", 240)).quote.address).toBe(first.quote.address);
  });

  test("many concurrent orders on both networks never share a dedicated one", async () => {
    await open("dedicated");
    for (let index = 0; index < 4; index++) await addReceivingAddresses("dedicated");
    const wanted = Array.from({ length: 16 }, (_, index) => create(index % 2 ? "bsc" : "ethereum", 0));
    const answers = await Promise.allSettled(wanted);
    const made = answers.flatMap((answer) => (answer.status === "fulfilled" ? [answer.value.quote.address] : []));
    expect(new Set(made).size).toBe(made.length);
    expect(made).toHaveLength(5);
  });

  test("many concurrent orders of one price on both networks never share a public amount", async () => {
    const wanted = Array.from({ length: 60 }, (_, index) => create(index % 2 ? "bsc" : "ethereum", 0));
    const made = await Promise.all(wanted);
    const amounts = made.map(({ network, quote }) => quote.baseUnits / (network === "bsc" ? 10n ** 12n : 1n));
    expect(new Set(amounts).size).toBe(60);
  });

  test("belongs to one merchant and has one kind on all networks of the family, also when two add it concurrently", async () => {
    const stranger = await seedMerchant(db(), start);
    const add = (merchantId: string, network: string, address: string, kind: "shared" | "dedicated" = "shared") =>
      addAddress(
        db(),
        { appSecret: TEST_APP_SECRET },
        { merchantId, userId: owner.userId, network, address, kind, label: "" },
        start,
      );
    const { address } = addresses.ethereum;
    expect(await add(stranger.id, "polygon", address)).toMatchObject({ errors: [{ field: "address" }] });
    expect(await add(merchant.id, "polygon", address, "dedicated")).toMatchObject({
      errors: [{ code: "address_kind_differs", params: { kind: { code: "address_kind_shared" } } }],
    });
    expect(await add(merchant.id, "polygon", address)).toMatchObject({ address });
    const fresh = `0x${"ab12".repeat(10)}`;
    const both = await Promise.all([
      add(merchant.id, "ethereum", fresh),
      seedPerson(db(), { merchantId: stranger.id, userId: "their-user" }, start).then(() =>
        addAddress(
          db(),
          { appSecret: TEST_APP_SECRET },
          {
            merchantId: stranger.id,
            userId: "their-user",
            network: "bsc",
            address: fresh,
            kind: "shared",
            label: "",
          },
          start,
        ),
      ),
    ]);
    expect(both.filter((answer) => "id" in answer)).toHaveLength(1);
    const rows = await db().select().from(receivingAddresses).where(eq(receivingAddresses.address, fresh));
    expect(new Set(rows.map(({ merchantId }) => merchantId)).size).toBe(1);
  });
});
