import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ledgerMutants } from "./ledger.ts";
import { matcherMutants } from "./matcher.ts";
import { meterMutants } from "./meter.ts";
import { moderationMutants } from "./moderation.ts";
import type { Mutant } from "./mutant.ts";
import { roomMutants } from "./room.ts";
import { searchMutants } from "./search.ts";

/** Every line that is broken on purpose. */
export const mutants: readonly Mutant[] = [
  ...ledgerMutants,
  ...meterMutants,
  ...matcherMutants,
  ...roomMutants,
  ...moderationMutants,
  ...searchMutants,
];

/** Why a mutant cannot be tried. */
export function problemsOf({ file, find, replace, tests }: Mutant, root: string): string[] {
  const path = join(root, file);
  if (!existsSync(path)) return [`${file} is gone`];
  const times = readFileSync(path, "utf8").split(find).length - 1;
  return [
    ...(times === 1 ? [] : [`${file} has ${times} times, and should have once: ${find}`]),
    ...(find === replace ? [`nothing is broken in ${file}: ${find}`] : []),
    ...tests.filter((test) => !existsSync(join(root, test))).map((test) => `${test} is gone`),
  ];
}
