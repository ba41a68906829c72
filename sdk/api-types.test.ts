import path from "node:path";
import { expect, test } from "vitest";
import { allNetworks } from "@/lib/domain/networks";
import { openApiDocument } from "@/lib/http/openapi/document";
import { typesOfDocument } from "@/testing/sdk/types-of-document";

test("the types of the SDK are those of the OpenAPI document", async () => {
  const rpcUrls = new Map(allNetworks().map(({ id }) => [id, ["https://node.example"]]));
  const document = openApiDocument({ publicUrl: "https://pay.example.com", rpcUrls }, "0.0.0");
  await expect(typesOfDocument(document)).toMatchFileSnapshot(path.resolve("sdk/src/api.ts"));
});
