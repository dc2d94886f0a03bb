import { serveProduct } from "/work/main/bench/served-product.ts";
import { mkdtempSync, rmSync } from "node:fs";
const d = mkdtempSync("/tmp/fava-st-");
const prog = process.env.PROF
  ? ["--cpu-prof", "--cpu-prof-dir=/tmp/prof2", "--import", "tsx", "server/src/main.ts"]
  : undefined;
for (let i = 0; i < 3; i++) {
  await using p = await serveProduct({ dataDirectory: d, ...(prog && { program: prog }) });
  console.log(i, p.readyMs.toFixed(0), (await import("/work/main/bench/process-tree.ts")).cpuUse(p.pid));
}
rmSync(d, { recursive: true });
