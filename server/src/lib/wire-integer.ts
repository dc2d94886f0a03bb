/**
 * Beans or minor units as the wire carries them; the one way out of `bigint` (`tools/money.ts` refuses others).
 *
 * @throws RangeError where a number cannot hold it exactly: no limit of the product allows that.
 */
export function wireInteger(amount: bigint): number {
  const integer = Number(amount);
  if (!Number.isSafeInteger(integer)) throw new RangeError("an amount is too large for the wire");
  return integer;
}
