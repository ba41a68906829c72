import path from "node:path";
import { expect, test } from "vitest";
import { allNetworks } from "@/lib/domain/networks";
import { openApiDocument } from "@/lib/http/openapi/document";
import { pythonTypes } from "@/testing/sdk/python-types";
import { typescriptTypes } from "@/testing/sdk/typescript-types";

const rpcUrls = new Map(allNetworks().map(({ id }) => [id, ["https://node.example"]]));
const document = openApiDocument({ publicUrl: "https://pay.example.com", rpcUrls }, "0.0.0");

test.each([
  { file: "sdk/src/api.ts", generate: typescriptTypes },
  { file: "sdk/python/src/stablegate/types.py", generate: pythonTypes },
])("$file has the types of the OpenAPI document", async ({ file, generate }) => {
  await expect(generate(document)).toMatchFileSnapshot(path.resolve(file));
});
