import { describe } from "vitest";
import type { ContractSection, FamilyDriver } from "@/testing/chains/contract/driver";
import { testFinality } from "@/testing/chains/contract/finality";
import { testForgeries } from "@/testing/chains/contract/forgeries";
import { testGaps } from "@/testing/chains/contract/gaps";
import { testIdentity } from "@/testing/chains/contract/identity";
import { testOutcomes } from "@/testing/chains/contract/outcomes";
import { testQuorum } from "@/testing/chains/contract/quorum";
import { testReorgs } from "@/testing/chains/contract/reorgs";
import { testResponses } from "@/testing/chains/contract/responses";
import { testTimes } from "@/testing/chains/contract/times";
import { testTransfers } from "@/testing/chains/contract/transfers";
import { useFaultyEndpoints } from "@/testing/faults/endpoint-faults";

/** The contract of a chain family, in sections. docs/chain-families.md describes how to test a new family. */
const FAMILY_CONTRACT: readonly ContractSection[] = [
  testTransfers,
  testReorgs,
  testIdentity,
  testGaps,
  testFinality,
  testForgeries,
  testQuorum,
  testTimes,
  testOutcomes,
  testResponses,
];

/** Runs the contract, or some sections of it, against a family's local node and against its scripted nodes. */
export function testFamily(driver: FamilyDriver, sections: readonly ContractSection[] = FAMILY_CONTRACT): void {
  const { maxAccounts, goesOn = false } = driver;
  const reading = { goesOn, ...(maxAccounts === undefined ? {} : { maxAccounts }) };
  describe.each([
    { nodes: "its local node", start: driver.startLocal },
    { nodes: "scripted nodes", start: driver.startScripted },
  ])("against $nodes", ({ start }) => {
    const endpoints = useFaultyEndpoints(start, reading);
    for (const testSection of sections) testSection(endpoints, driver);
  });
}
