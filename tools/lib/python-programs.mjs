// Programs in Python that tests run as real peers: installed once, in a pinned version, into the cache folder.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { root } from "./bootstrap.mjs";

const versions = { "kubernetes-validate": "1.37.0", "podman-compose": "1.6.0", schemathesis: "4.32.5" };

/** Path of a program, whether or not it is installed. */
export function pythonProgram(name) {
  return join(folderOf(name), "bin", name);
}

/** Installs the missing ones of these programs, if Python is on the path; returns those that are still missing. */
export function installPython(names) {
  const options = { stdio: ["ignore", "inherit", "inherit"] };
  for (const name of names.filter((one) => !existsSync(pythonProgram(one)))) {
    console.log(`Installing ${name} ${versions[name]}`);
    const { status } = spawnSync("python3", ["-m", "venv", folderOf(name)], options);
    if (status === 0)
      spawnSync(join(folderOf(name), "bin/pip"), ["install", "--quiet", `${name}==${versions[name]}`], options);
  }
  return names.filter((name) => !existsSync(pythonProgram(name)));
}

function folderOf(name) {
  return join(root, ".cache/python", `${name}-${versions[name]}`);
}
