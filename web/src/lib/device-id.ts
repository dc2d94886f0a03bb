import { randomHex } from "#lib/api/hex.ts";
import { readStored, writeStored } from "#lib/storage.ts";

/** Random id of this browser (`imei`), created on first use. It identifies a device, not a user. */
export function deviceId(): string {
  const known = readStored("imei");
  if (known !== null) return known;
  const made = randomHex(32);
  writeStored("imei", made);
  return made;
}
