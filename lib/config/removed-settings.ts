/** The settings of cells, which this release removed (docs/adr/0028). */
const CELL_SETTING = /^(?:CELLS|NEW_MERCHANTS_CELL|CELL_\w\w_DATABASE_(?:OWNER_)?URL)$/;

/** Returns a problem for each setting that is given but was removed, so that a process does not start with a setting that it ignores. */
export function removedSettings(given: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(given)
    .filter((name) => CELL_SETTING.test(name))
    .map(
      (name) =>
        `${name} was removed: an installation has one database, set by DATABASE_URL. Remove the setting. If your shops are in several cells, do not update until each cell is a separate installation (docs/scaling.md, "From cells to installations")`,
    );
}
