import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import pixelmatch from "pixelmatch";
import { PNG } from "pngjs";
import { galleryPage, type Picture } from "./gallery-page.ts";
import { prepare } from "./lib/bootstrap.mjs";

/**
 * `npm run gallery`: pictures of every screen and state, in English in both sizes and themes and in Arabic, and a page
 * that shows them. A picture that differs from the accepted one comes first, beside the old one. `--accept` accepts the
 * current pictures; other words choose scenes by their names (docs/testing.md).
 */
const root = join(import.meta.dirname, "..");
const folder = join(root, ".cache/gallery");
const [now, accepted, difference] = ["now", "accepted", "difference"].map((name) => join(folder, name)) as [
  string,
  string,
  string,
];

/** How far a pixel's colour may be off, from 0 to 1: the edges of letters and of moving pictures vary slightly. */
const pixelThreshold = 0.15;
/** Share of all pixels of a picture. */
const differingShareMax = 0.0005;

const wanted = process.argv.slice(2).filter((word) => word !== "--accept");
if (!prepare()) process.exit(1);
rmSync(difference, { recursive: true, force: true });
if (wanted.length === 0) rmSync(now, { recursive: true, force: true });
mkdirSync(now, { recursive: true });
mkdirSync(difference, { recursive: true });
const { status } = spawnSync(
  process.execPath,
  [
    "node_modules/@playwright/test/cli.js",
    "test",
    "--project=gallery",
    "--workers=2",
    "--reporter=dot",
    ...(wanted.length > 0 ? [`--grep=${wanted.join(" ")}`] : []),
  ],
  { cwd: root, stdio: ["ignore", "inherit", "inherit"], env: { ...process.env, GALLERY_PICTURES: now } },
);
const pictures = readdirSync(now).toSorted().map(judge);
const page = join(folder, "index.html");
writeFileSync(page, galleryPage(pictures));
if (process.argv.includes("--accept")) cpSync(now, accepted, { recursive: true });
const changed = pictures.filter(({ verdict }) => verdict === "changed").length;
const added = pictures.filter(({ verdict }) => verdict === "new").length;
console.log(`${pictures.length} pictures, ${changed} changed, ${added} new: ${pathToFileURL(page).href}`);
process.exitCode = status ?? 1;

function judge(file: string): Picture {
  const before = join(accepted, file);
  if (!existsSync(before)) return { file, verdict: "new" };
  const [old, present] = [readPicture(before), readPicture(join(now, file))];
  if (old.width !== present.width || old.height !== present.height) return { file, verdict: "changed" };
  const { width, height } = old;
  const shown = new PNG({ width, height });
  const differing = pixelmatch(old.data, present.data, shown.data, width, height, { threshold: pixelThreshold });
  if (differing <= width * height * differingShareMax) return { file, verdict: "same" };
  writeFileSync(join(difference, file), PNG.sync.write(shown));
  return { file, verdict: "changed" };
}

function readPicture(file: string): PNG {
  return PNG.sync.read(readFileSync(file));
}
