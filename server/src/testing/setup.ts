import { afterAll } from "vitest";
import { leftovers } from "./leftovers.ts";

afterAll(async () => {
  const errors: unknown[] = [];
  for (const leftover of leftovers.splice(0).toReversed()) {
    try {
      await leftover[Symbol.asyncDispose]();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, errors.map(String).join("; "));
});
