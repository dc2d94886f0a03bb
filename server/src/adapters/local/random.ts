import { randomBytes, randomInt } from "node:crypto";
import type { Random } from "#ports/random.ts";

export const systemRandom: Random = {
  bytes: (byteCount) => randomBytes(byteCount),
  integer: (min, max) => randomInt(min, max + 1),
};
