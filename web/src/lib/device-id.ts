import { randomHex } from "#lib/api/hex.ts";
import { readStored, writeStored } from "#lib/storage.ts";

/** Random id of this browser (`imei`), made on first use. It names a device, never a person, and tells nothing by itself. */
export function deviceId(): string {
  const known = readStored("imei");
  if (known !== null) return known;
  const made = randomHex(32);
  writeStored("imei", made);
  return made;
}
