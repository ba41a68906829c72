import { expect, test } from "vitest";
import { EnvError, isSetting, readDatabaseUrl, readEnv } from "@/lib/config/env";
import { removedSettings } from "@/lib/config/removed-settings";

const DATABASE_URL = "postgres://stablegate@127.0.0.1/stablegate";

test.each(["CELLS", "NEW_MERCHANTS_CELL", "CELL_01_DATABASE_URL", "CELL_zz_DATABASE_OWNER_URL"])(
  "%s is reported at startup with what to do, and is not a setting",
  (name) => {
    const [problem, ...others] = removedSettings({ DATABASE_URL, [name]: "00" });
    expect(others).toEqual([]);
    expect(problem).toMatch(new RegExp(`^${name} was removed: .*DATABASE_URL.*docs/scaling\\.md`));
    expect(isSetting(name, [])).toBe(false);
    for (const read of [readEnv, readDatabaseUrl]) {
      const start = () => read({ DATABASE_URL, [name]: "00" });
      expect(start).toThrow(EnvError);
      expect(start).toThrow(`${name} was removed`);
    }
  },
);

test("a removed setting that is empty, and names that look like one, are not reported", () => {
  expect(removedSettings({ DATABASE_URL, CELL_1_DATABASE_URL: "x", CELLS_OF_MINE: "x" })).toEqual([]);
  expect(readDatabaseUrl({ DATABASE_URL, CELLS: " " })).toBe(DATABASE_URL);
});
