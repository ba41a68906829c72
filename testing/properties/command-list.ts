import fc from "fast-check";
import { type Command, PHRASES } from "@/testing/properties/command";

/** The arbitrary that generated a command, and its context for shrinking it. */
interface Origin {
  arbitrary: fc.Arbitrary<Command>;
  context: unknown;
}

/** The number of commands that the shrinker removes at a time, and the index from the end at which it continues. */
interface Progress {
  size: number;
  from: number;
}

/**
 * Lists of a fixed number of commands. A failing list shrinks by removing half of it, a quarter and so on down to single commands, and
 * then by simpler commands, because most commands of a failing list have nothing to do with its failure.
 */
class CommandList extends fc.Arbitrary<Command[]> {
  readonly #count: number;

  constructor(count: number) {
    super();
    this.#count = count;
  }

  override generate(random: fc.Random): fc.Value<Command[]> {
    const commands: Command[] = [];
    const origins: Origin[] = [];
    while (commands.length < this.#count) {
      for (const arbitrary of PHRASES[random.nextInt(0, PHRASES.length - 1)] ?? []) {
        const { value, context } = arbitrary.generate(random, undefined);
        commands.push(value);
        origins.push({ arbitrary, context });
      }
    }
    return this.#value(commands.slice(0, this.#count), origins.slice(0, this.#count));
  }

  override canShrinkWithoutContext(_value: unknown): _value is Command[] {
    return false;
  }

  override shrink(value: Command[], context: unknown): fc.Stream<fc.Value<Command[]>> {
    const { origins, progress } = context as Context;
    return fc.stream(this.#shorter(value, origins, progress)).join(fc.stream(this.#simpler(value, origins)));
  }

  *#shorter(value: readonly Command[], origins: readonly Origin[], progress: Progress | null) {
    const start = progress ?? { size: Math.ceil(value.length / 2), from: 0 };
    for (let size = start.size; size >= 1; size = Math.floor(size / 2)) {
      // Starts from the end, because the first attempts remove the commands after the failing one.
      for (let from = size === start.size ? start.from : 0; from < value.length; from += size) {
        const end = value.length - from;
        const begin = Math.max(0, end - size);
        yield this.#value(without(value, begin, end), without(origins, begin, end), { size, from });
      }
    }
  }

  *#simpler(value: readonly Command[], origins: readonly Origin[]) {
    for (const [index, command] of value.entries()) {
      const origin = origins[index];
      if (!origin) continue;
      for (const { value: simpler, context } of origin.arbitrary.shrink(command, origin.context))
        yield this.#value(value.with(index, simpler), origins.with(index, { ...origin, context }), {
          size: 1,
          from: 0,
        });
    }
  }

  #value(commands: Command[], origins: readonly Origin[], progress: Progress | null = null): fc.Value<Command[]> {
    const context: Context = { origins, progress };
    return new fc.Value(commands, context);
  }
}

interface Context {
  origins: readonly Origin[];
  progress: Progress | null;
}

function without<T>(list: readonly T[], begin: number, end: number): T[] {
  return [...list.slice(0, begin), ...list.slice(end)];
}

/** Returns an arbitrary of lists of `count` commands. */
export function commandList(count: number): fc.Arbitrary<Command[]> {
  return new CommandList(count);
}
