import fc from "fast-check";
import { closingViolations } from "@/testing/properties/closing-phase";
import type { Command } from "@/testing/properties/command";
import { commandList } from "@/testing/properties/command-list";
import { findViolations } from "@/testing/properties/invariants";
import { perform } from "@/testing/properties/perform";
import { describeCommand, type PropertyDb, World } from "@/testing/properties/world";

/** The time that passes with each command. */
const COMMAND_MS = 1_000;
/** The number of commands in a list: enough for amounts to be released and used again, and few enough to shrink. */
const COMMANDS_PER_LIST = 150;

const REPORT_EVERY = 10_000;

export interface PropertyRun {
  seed: number;
  /** The number of commands in total. */
  commands: number;
  /** The path of a failure that was printed before; runs only that list. */
  path?: string | undefined;
  /** True to stop at the first failing list without shrinking it. */
  isUnshrunk?: boolean | undefined;
  /** Receives progress messages. */
  report?: ((line: string) => void) | undefined;
}

/** A violation of one or more invariants, with all earlier steps. */
class Violation extends Error {
  override readonly name = "Violation";
  /** True if the closing phase found the violation. */
  readonly isClosing: boolean;

  constructor(violations: readonly string[], world: World, isClosing: boolean) {
    super([...violations, "", ...world.history].join("\n"));
    this.isClosing = isClosing;
  }
}

/**
 * Runs a list of commands in a new `World`.
 * @throws Violation if an invariant is broken or a use case throws
 */
async function runList(property: PropertyDb, commands: readonly Command[], hasClosing: boolean): Promise<void> {
  const world = await World.create(property);
  try {
    for (const command of commands) await step(world, command);
    if (!hasClosing) return;
    world.history.push("          closing phase");
    const violations = await closingViolations(world);
    if (violations.length > 0) throw new Violation(violations, world, true);
  } catch (error) {
    if (error instanceof Violation) throw error;
    throw new Violation([error instanceof Error ? (error.stack ?? error.message) : String(error)], world, false);
  }
}

async function step(world: World, command: Command): Promise<void> {
  world.pass(COMMAND_MS);
  world.history.push(`${new Date(world.nowMs).toISOString().slice(11, 19)}  ${describeCommand(command)}`);
  const { outcome, isStored } = await perform(world, command);
  if (outcome === null) world.history.pop();
  else if (outcome !== "") world.history.push(`            ${outcome}`);
  if (!isStored) return;
  const before = await world.refresh();
  const violations = [
    ...world.violations.splice(0),
    ...findViolations(world, command.do === "restore" ? world.snapshot : before),
  ];
  if (violations.length > 0) throw new Violation(violations, world, false);
}

/**
 * Runs the lists of commands of a seed.
 * @throws Error with the seed, the path and the smallest list that fails
 */
export async function runProperty(
  property: PropertyDb,
  { seed, commands, path, isUnshrunk = false, report }: PropertyRun,
): Promise<void> {
  const lists = Math.ceil(commands / COMMANDS_PER_LIST);
  let done = 0;
  let isShrinking = false;
  let hasClosing = true;
  const check = fc.asyncProperty(commandList(COMMANDS_PER_LIST), async (list) => {
    try {
      await runList(property, list, hasClosing);
    } catch (error) {
      if (!isShrinking) report?.(`A list fails; looking for the smallest list.\n${firstLine(error)}`);
      // A failure before the closing phase is shrunk without the closing phase, which takes the longest.
      if (!isShrinking && error instanceof Violation) hasClosing = error.isClosing;
      isShrinking = true;
      throw error;
    }
    if (isShrinking) return;
    done += list.length;
    if (done % REPORT_EVERY < list.length) report?.(`${done} commands`);
  });
  const result = await fc.check(check, { seed, numRuns: lists, endOnFailure: isUnshrunk, ...(path && { path }) });
  if (!result.failed) return;
  const { counterexample, counterexamplePath, errorInstance, numRuns } = result;
  const list = counterexample?.[0] ?? [];
  throw new Error(
    [
      `A list of commands breaks an invariant (list ${numRuns} of seed ${seed}).`,
      `Repeat it: npm run property -- --seed ${seed} --path ${counterexamplePath}`,
      `The smallest list that fails has ${list.length} commands:`,
      ...list.map((command) => `  ${JSON.stringify(command)}`),
      "",
      errorInstance instanceof Error ? errorInstance.message : String(errorInstance),
    ].join("\n"),
  );
}

const firstLine = (error: unknown) => (error instanceof Error ? error.message : String(error)).split("\n")[0];
