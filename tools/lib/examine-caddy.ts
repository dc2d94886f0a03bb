import { doubt, fine, type Finding, harm } from "./finding.ts";
import { type Run, runProgram } from "./run-program.ts";

/** The oldest version that reads deploy/Caddyfile, with `CADDY_SERIES=2.6`. */
const minorMin = 6;
/** The first version with every option of deploy/Caddyfile. */
const minorWhole = 7;

/** Whether the Caddy of this machine reads deploy/Caddyfile; nothing without Caddy. */
export async function examineCaddy(run: Run = runProgram): Promise<readonly Finding[]> {
  const [, major = "", minor = ""] = /(\d+)\.(\d+)/.exec((await run("caddy", ["version"])) ?? "") ?? [];
  if (major === "") return [];
  const name = `Caddy ${major}.${minor}`;
  if (Number(major) > 2 || Number(minor) >= minorWhole) return [fine(`Proxy: ${name} reads deploy/Caddyfile.`)];
  if (Number(major) < 2 || Number(minor) < minorMin)
    return [harm(`Proxy: ${name} is too old for deploy/Caddyfile. Install 2.${minorWhole} or newer, or use HAProxy.`)];
  const environment = (await run("systemctl", ["show", "--property=Environment", "caddy.service"])) ?? "";
  return [
    environment.includes("CADDY_SERIES=2.6")
      ? fine(`Proxy: ${name} reads deploy/Caddyfile with CADDY_SERIES=2.6.`)
      : doubt(`Proxy: ${name} reads deploy/Caddyfile only with CADDY_SERIES=2.6 in its environment.`),
  ];
}
