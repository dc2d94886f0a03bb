import type { ReactNode } from "react";
import { readStored } from "#lib/storage.ts";

/** Keeps the place of the row of people while it is loaded, if there was one the last time. */
export function HomePeoplePlace(): ReactNode {
  return readStored("homePeople") === 1 && <div style={{ blockSize: "88px" }} aria-hidden="true" />;
}
