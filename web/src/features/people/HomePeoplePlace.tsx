import type { ReactNode } from "react";
import { readStored } from "#lib/storage.ts";

/** Keeps the place of the row of people while it is loaded, or of the button where there was no row the last time. */
export function HomePeoplePlace(): ReactNode {
  return <div style={{ blockSize: readStored("homePeople") === 1 ? "88px" : "44px" }} aria-hidden="true" />;
}
