import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ChainError } from "@/lib/chains/endpoints/source";
import { changeAt, LEFT_OUT, leavesOf, waysOf } from "@/testing/answers/damages";
import type { Field, Fields, Scene } from "@/testing/answers/scene";
import type { Damage } from "@/testing/answers/scripted-node";

/** The message for data that a node does not have; it contains no field name. */
const NOT_THERE = /does not (know|have)/;
/** The message for a missing transaction, which does not count as damage if the transaction was forged. */
const ABSENT = /^getTransaction: this node does not have the requested data$/;
/** The message for a method that the endpoints of a scenario do not support. It does not count as damage. */
const UNABLE = /the method is not supported/;
/** The kinds of damage for unused fields: a sample is sufficient. */
const SOME_WAYS = ["missing", "an object", "a word"];
/** The time limit of a test: there are hundreds of rows with about ten calls each. */
const TIMEOUT_MS = 600_000;
const TRY_AGAIN_MS = 1_000;
const A_WHILE_MS = 120_000;

/** A damaged field of a response. */
interface Row {
  kind: string;
  path: readonly string[];
  way: string;
  change: (value: unknown) => unknown;
  field: Field;
}

interface EndpointError {
  endpoint: string;
  message: string;
}

/** The outcome of a query: its response or its error. */
type Outcome = { answer: unknown } | { error: unknown };

/** Defines the tests of every way to read a family. Call it once in a test file. */
export function testAnswers(scenes: Readonly<Record<string, () => Promise<Scene>>>): void {
  describe.each(Object.entries(scenes))("%s", (_name, start) => testScene(start));
}

/** A scenario with the correct results of its queries, and the kinds of calls that each query makes. */
interface World {
  scene: Scene;
  right: Readonly<Record<string, unknown>>;
  asks: ReadonlyMap<string, ReadonlySet<string>>;
}

function testScene(start: () => Promise<Scene>): void {
  let world: World;
  const promise = (text: string, rows: (world: World) => Promise<Row[]>, check: typeof checkSingle) =>
    test(text, async () => expect(await failingRows(world, await rows(world), check)).toEqual([]), TIMEOUT_MS);

  beforeAll(async () => {
    world = await control(await start());
  });
  afterAll(() => world.scene.stop());

  test("undamaged data are read correctly in any order of endpoints, and no error is reported", async () => {
    const { scene, right } = world;
    for (const urls of ordersOf(scene)) {
      for (const name of Object.keys(right)) {
        const { outcome, endpointErrors } = await askWith(scene, urls, name);
        expect([outcome, endpointErrors]).toEqual([{ answer: right[name] }, []]);
      }
    }
  });

  const used = async ({ scene }: World) => usedRows(scene);
  promise(
    "a damaged field is reported for its endpoint, and the correct response of the other endpoint is used",
    used,
    checkBeside,
  );
  promise("of the only endpoint nothing damaged is believed, and all is right once it answers well", used, checkSingle);
  const unused = ({ scene }: World) => unusedRows(scene);
  promise("a damaged unused field is ignored, or reported like any other", unused, checkUnused);
}

/** Returns descriptions of all rows with a wrong result. */
async function failingRows(world: World, rows: readonly Row[], check: typeof checkSingle): Promise<string[]> {
  if (rows.length === 0) throw new Error("a table without rows promises nothing");
  const invalid: string[] = [];
  for (const row of rows) {
    const problem = await check(world, row);
    if (problem)
      invalid.push(`${row.kind} ${row.path.join(".") || "(all of it)"} ${row.way}: ${problem.slice(0, 300)}`);
  }
  return invalid;
}

/** Checks the damaged endpoint as the first of two endpoints. If no damaged response is returned, checks it as the second one. */
async function checkBeside({ scene, right, asks }: World, row: Row): Promise<string | null> {
  let reached = 0;
  const endpointErrors: EndpointError[] = [];
  for (const urls of ordersOf(scene).slice(0, 2)) {
    if (reached > 0) break;
    for (const name of questionsOf(asks, row)) {
      const asked = await askWith(scene, urls, name, row);
      reached += asked.reached;
      endpointErrors.push(...asked.endpointErrors.filter(({ endpoint }) => endpoint === asked.bad));
      if (!equal(asked.outcome, right[name])) return `${name}, ${urls[0]}: ${show(asked.outcome)}`;
    }
  }
  if (reached === 0) return "never reached";
  if (isHarmless(row)) return endpointErrors.length > 0 ? `reported: ${endpointErrors[0]?.message}` : null;
  return isReported(row, endpointErrors) || isOpinion(row)
    ? null
    : `not reported with a message: ${JSON.stringify(endpointErrors.slice(0, 3))}`;
}

async function checkSingle({ scene, right, asks }: World, row: Row): Promise<string | null> {
  const missed: string[] = [];
  for (const name of questionsOf(asks, row)) {
    const asked = await askWith(scene, [scene.bad], name, row);
    if (equal(asked.outcome, right[name])) continue;
    missed.push(name);
    const invalid = describeForgery(row, asked.outcome, right[name]);
    if (invalid) return `${name}: ${invalid}`;
    const healed = await asked.heal();
    if (!equal(healed, right[name])) return `${name} once it is well: ${show(healed)}`;
  }
  return missed.length > 0 === !isHarmless(row) ? null : `no answer to: ${missed.join() || "nothing"}`;
}

async function checkUnused({ scene, right, asks }: World, row: Row): Promise<string | null> {
  const [name = ""] = questionsOf(asks, row);
  const single = await askWith(scene, [scene.bad], name, row);
  if (single.reached === 0) return "never reached";
  if (single.endpointErrors.length === 0) return equal(single.outcome, right[name]) ? null : show(single.outcome);
  const { outcome } = await askWith(scene, [scene.bad, scene.good], name, row);
  return equal(outcome, right[name]) ? null : show(outcome);
}

function questionsOf(asks: World["asks"], { kind }: Row): string[] {
  return [...asks].flatMap(([name, kinds]) => (kinds.has(kind) ? [name] : []));
}

const ordersOf = ({ bad, good }: Scene) => [[bad, good], [good, bad], [bad]];

/**
 * Records the responses of a scenario: every query is sent to both endpoints in every order. From then on, only recorded responses are
 * returned.
 */
async function control(scene: Scene): Promise<World> {
  const right: Record<string, unknown> = {};
  const asks = new Map<string, Set<string>>();
  const names = Object.keys(scene.questions({ urls: [scene.bad], now: () => new Date() }));
  for (const urls of ordersOf(scene)) {
    for (const name of names) {
      scene.nodes.calls = [];
      right[name] = await scene.questions({ urls, now: () => new Date() })[name]?.();
      const kinds = scene.nodes.calls.map((call) => scene.kindOf(call));
      asks.set(name, new Set([...(asks.get(name) ?? []), ...kinds]));
    }
  }
  scene.nodes.play();
  return { scene, right, asks };
}

/** Sends one query to a new source, and repeats it a little later if it fails and there is a second endpoint. */
async function askWith(scene: Scene, urls: readonly string[], name: string, row?: Row) {
  let clock = Date.now();
  let reached = 0;
  const reported: EndpointError[] = [];
  const source = scene.questions({
    urls,
    now: () => new Date(clock),
    onEndpointError: (endpointError) => reported.push(endpointError),
  });
  const ask = (): Promise<Outcome> =>
    Promise.resolve(source[name]?.()).then(
      (answer) => ({ answer }),
      (error: unknown) => ({ error }),
    );
  const damage: Damage = (call, response) => {
    if (!row || scene.kindOf(call) !== row.kind || !("result" in response)) return response;
    const result = changeAt(response.result, row.path, (value) => {
      reached += 1;
      return row.change(value);
    });
    return { result: result === LEFT_OUT ? undefined : result };
  };
  scene.nodes.damage = row && damage;
  let outcome = await ask();
  if (urls.length > 1 && "error" in outcome) {
    clock += TRY_AGAIN_MS;
    outcome = await ask();
  }
  // The response of a single endpoint is accepted after the other one has not responded for a while.
  if (isWaiting(outcome)) {
    clock += A_WHILE_MS;
    outcome = await ask();
  }
  scene.nodes.damage = undefined;
  const heal = () => {
    clock += A_WHILE_MS;
    return ask();
  };
  const { host } = new URL(scene.bad);
  const isAbsent = scene.absent.includes(name);
  const endpointErrors = reported.filter(({ message }) => !UNABLE.test(message) && !(isAbsent && ABSENT.test(message)));
  return { outcome, endpointErrors, reached, heal, bad: urls[0] === scene.bad ? host : `${host} (2)` };
}

function isWaiting(outcome: Outcome): boolean {
  return "answer" in outcome && (outcome.answer as { kind?: unknown } | null)?.kind === "waiting";
}

function fieldOf(field: Fields[string]): Field {
  return typeof field === "string" ? { type: field } : field;
}

function usedRows({ fields }: Scene): Row[] {
  return Object.entries(fields).flatMap(([kind, paths]) =>
    Object.entries(paths).flatMap(([path, spec]) => {
      const field = fieldOf(spec);
      return rowsOf(kind, path, field, Object.entries(waysOf(field.type)));
    }),
  );
}

/**
 * Returns one row for each kind of damage to a field. Rows that remove an element of a list are left out, because a shorter list is a
 * different valid response, not a damaged field.
 */
function rowsOf(kind: string, path: string, field: Field, ways: [string, Row["change"]][]): Row[] {
  const isElement = /(^|\.)\d+$/.test(path);
  return ways
    .filter(([way]) => !(isElement && way === "missing") && field.falsifications?.includes(way) !== true)
    .map(([way, change]) => ({ kind, path: keysOf(path), way, change, field }));
}

/** Returns a row for every field of a recorded response that is not listed as used. */
async function unusedRows(scene: Scene): Promise<Row[]> {
  const leaves = new Map<string, Set<string>>();
  scene.nodes.damage = (call, response) => {
    const kind = scene.kindOf(call);
    const found = "result" in response ? leavesOf(response.result) : [];
    leaves.set(kind, new Set([...(leaves.get(kind) ?? []), ...found]));
    return response;
  };
  const questions = scene.questions({ urls: [scene.bad], now: () => new Date() });
  for (const ask of Object.values(questions)) await ask();
  scene.nodes.damage = undefined;
  const ways = Object.entries(waysOf("text")).filter(([way]) => SOME_WAYS.includes(way));
  const harmless = Object.fromEntries(SOME_WAYS.map((way) => [way, "not used"]));
  return Object.entries(scene.fields).flatMap(([kind, used]) =>
    [...(leaves.get(kind) ?? [])]
      .filter((path) => !(path in used))
      .flatMap((path) => rowsOf(kind, path, { type: "text", harmless }, ways)),
  );
}

const keysOf = (path: string) => (path === "" ? [] : path.split("."));

function isHarmless({ field, way }: Row): boolean {
  return field.harmless?.[way] !== undefined;
}

/**
 * Returns true for a missing transaction. The endpoint that does not have it may be correct, so the response counts against no endpoint.
 */
function isOpinion({ kind, path, way }: Row): boolean {
  return kind === "getTransaction" && path.length === 0 && way === "null";
}

/** Returns true if the errors name the method and, for a field, its name or that of its parent. */
function isReported({ path }: Row, endpointErrors: readonly EndpointError[]): boolean {
  const names = path.filter((key) => !/^\d+$/.test(key));
  return endpointErrors.some(({ message }) => {
    if (!/\b(eth_|get|decimals|wallet)/.test(message)) return false;
    return (
      names.length === 0 || NOT_THERE.test(message) || [...names, "decimals"].some((name) => message.includes(name))
    );
  });
}

/** Returns a description of an outcome that is neither a chain error, nor an empty result, nor a reported problem; null otherwise. */
function describeForgery({ field, path, way }: Row, outcome: Outcome, right: unknown): string | null {
  if ("error" in outcome) return outcome.error instanceof ChainError ? null : `threw ${String(outcome.error)}`;
  const { answer } = outcome;
  const isUnclear = equal({ answer }, { kind: "unclear" });
  const isWithout = field.isDispensable && equal({ answer }, { ...(right as object), finalizedHeight: null });
  const isNotThere = answer === null && path.length === 0 && way === "null";
  const isProblem = typeof answer === "string";
  return isUnclear || isWithout || isNotThere || isProblem ? null : `invented ${show(outcome)}`;
}

function equal(outcome: Outcome, expected: unknown): boolean {
  return "answer" in outcome && show(outcome) === show({ answer: expected });
}

function show(outcome: Outcome): string {
  if ("error" in outcome) return String(outcome.error);
  return (
    JSON.stringify(outcome.answer, (_key, value: unknown) => (typeof value === "bigint" ? `${value}n` : value)) ?? ""
  );
}
