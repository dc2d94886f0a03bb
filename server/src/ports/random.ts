/** Source of unpredictable identifiers; tests use a seeded one. */
export interface Random {
  bytes(byteCount: number): Buffer;
  /** Uniform integer, both ends included. */
  integer(min: number, max: number): number;
}

/** A random identifier of `byteCount` bytes, as base64url. */
export function randomId(random: Random, byteCount = 16): string {
  return random.bytes(byteCount).toString("base64url");
}
