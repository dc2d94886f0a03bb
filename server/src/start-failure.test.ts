import { createServer } from "node:net";
import { expect, test } from "vitest";
import { ConfigError } from "./config.ts";
import { startFailure } from "./start-message.ts";

test("names a used port, and how to choose another", async () => {
  await using first = createServer();
  await new Promise<void>((resolve) => first.listen(0, "127.0.0.1", resolve));
  const address = first.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const second = createServer();
  const refused = await new Promise<unknown>((resolve) => {
    second.once("error", resolve);
    second.listen(port, "127.0.0.1");
  });
  const told = startFailure(refused);
  expect(told).toContain(`port ${port} is taken`);
  expect(told).toContain("PORT=3001 npm start");
  expect(told).not.toContain("\n");
});

test("prints one sentence for a wrong setting, and the stack of an unexpected error", () => {
  expect(startFailure(new ConfigError(["PORT is not a number"]))).toMatch(
    /^Fava cannot start: .*PORT is not a number/s,
  );
  expect(startFailure(new Error("unforeseen"))).toMatch(/unforeseen\n\s+at /);
});
