// Starts a program as a child of the server. It ignores signals, since Ctrl-C reaches every process of the terminal
// while the server still needs answers; it exits when the server disconnects. It runs compiled JavaScript if the server
// does, else TypeScript.
const [, , program] = process.argv;

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => undefined);
process.once("disconnect", () => process.exit());
process.setSourceMapsEnabled(true);
if (program.endsWith(".ts")) (await import("tsx/esm/api")).register();
await import(program);
