// `npm run docs`: the documents as a site with search, in `docs/site/dist`. A dead link fails. With `-- --serve` it is
// served afterwards. The builder is installed into `docs/site`, so that the product's packages stay few.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { npm, root } from "./lib/bootstrap.mjs";

const site = join(root, "docs/site");
const builder = join(site, "node_modules/vitepress/bin/vitepress.js");

if (!existsSync(builder)) {
  console.log("Installing the builder of the documents");
  const words = ["install", "--no-save", "--prefix", site, "--ignore-scripts", "--no-audit", "--no-fund"];
  if (npm(...words).status !== 0) {
    console.error("The builder of the documents could not be installed: see npm's message above.");
    process.exit(1);
  }
}
copyPages();
const isServed = process.argv.includes("--serve");
process.exitCode = run("build") || (isServed ? run("preview") : 0);

/** Documents and their pictures, where the builder finds its own packages above them. */
function copyPages() {
  const pages = join(site, "pages");
  rmSync(pages, { recursive: true, force: true });
  const own = readdirSync(root).filter((name) => name.endsWith(".md"));
  const docs = readdirSync(join(root, "docs"), { recursive: true })
    .map((name) => join("docs", name))
    .filter((name) => !name.startsWith(join("docs", "site")) && /\.(?:md|png|svg)$/.test(name));
  for (const name of [...own, ...docs]) {
    mkdirSync(dirname(join(pages, name)), { recursive: true });
    cpSync(join(root, name), join(pages, name));
  }
}

function run(command) {
  return spawnSync(process.execPath, [builder, command, site], { cwd: site, stdio: "inherit" }).status ?? 1;
}
