/** No folder of the house needs another that, by whatever way, needs it: what both need stands below both. */
module.exports = {
  forbidden: [
    {
      name: "no-folder-cycles",
      severity: "error",
      scope: "folder",
      from: { path: "^(lib|db|app|components|workers)/" },
      to: { circular: true },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "(^|/)(\\.next|\\.build|\\.data|node_modules)/|\\.test\\.|^testing/" },
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
  },
};
