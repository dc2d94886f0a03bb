// Programs in Go that tests run as real peers: installed once, in a pinned version, into the cache folder.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { root } from "./bootstrap.mjs";

const modules = {
  caddy: "github.com/caddyserver/caddy/v2/cmd/caddy@v2.11.9",
  helm: "helm.sh/helm/v4/cmd/helm@v4.3.2",
  "stripe-mock": "github.com/stripe/stripe-mock@v0.203.0",
  versitygw: "github.com/versity/versitygw/cmd/versitygw@v1.8.0",
};

/** Path of a program, whether or not it is installed. */
export function goProgram(name) {
  return join(folderOf(name), name);
}

/** Installs the missing ones of these programs, if Go is on the path; returns those that are still missing. */
export function installGo(names) {
  const wanted = names.filter((name) => !existsSync(goProgram(name)));
  if (wanted.length > 0 && spawnSync("go", ["version"]).status !== 0) return wanted;
  for (const name of wanted) {
    console.log(`Installing ${modules[name]}`);
    const env = { ...process.env, GOBIN: folderOf(name) };
    spawnSync("go", ["install", modules[name]], { stdio: ["ignore", "inherit", "inherit"], env });
  }
  return wanted.filter((name) => !existsSync(goProgram(name)));
}

function folderOf(name) {
  return join(root, ".cache/go", modules[name].split("@").at(-1), name);
}
