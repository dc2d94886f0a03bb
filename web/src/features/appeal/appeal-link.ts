/**
 * The appeal token of a ban in the address of `/appeal`. It stands behind `#`, which browsers keep to themselves: it
 * reaches no server log and no other page.
 */
const tokenShape = /^#(\d{1,18}\.\d{1,15}\.[\w-]{43})$/;

export function appealAddress(token: string): string {
  return `/appeal#${token}`;
}

/** The token in the part of an address behind `#`, or null. */
export function tokenIn(hash: string): string | null {
  return tokenShape.exec(hash)?.[1] ?? null;
}
