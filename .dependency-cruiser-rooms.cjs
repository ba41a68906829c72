const floors = require("./.dependency-cruiser.cjs");

/** No two folders of the house need each other. Tests and what stands outside may look at any room, so they are left out. */
module.exports = {
  forbidden: [
    {
      name: "no-cycles-between-rooms",
      severity: "error",
      scope: "folder",
      from: { path: "^(lib|db|app|components|workers)/" },
      to: { circular: true },
    },
  ],
  options: {
    ...floors.options,
    exclude: { path: `${floors.options.exclude.path}|\\.test\\.tsx?$|^(testing|sandbox|bench|chaos|e2e|scripts)/` },
  },
};
