// `node tools/build-server.mjs`: installs and builds what is missing, and links the server as `server/current/main.js`,
// for containers and units that start it without npm.
import { rmSync, symlinkSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { prepare, root, serverProgram } from "./lib/bootstrap.mjs";

if (!prepare()) process.exit(1);

const current = join(root, "server/current");
rmSync(current, { force: true });
symlinkSync(relative(dirname(current), dirname(serverProgram())), current);
