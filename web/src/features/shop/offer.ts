import type { PayType, PriceList } from "@fava/wire/gateway.ts";
import { exactBeansMax, exactBeansMin, packBeansShownMax, priceListCountryDefault } from "@fava/wire/limits.ts";
import { exactPriceMinor } from "@fava/wire/exact-price.ts";
import { typedDigits } from "#lib/digits.ts";
import type { HeapSize } from "#ui/BeanHeap.tsx";
import { isPayable, type Purchase } from "./gateway.ts";

export interface OfferedPack {
  readonly id: number;
  readonly golds: number;
  readonly price_minor: number;
}

/** The packs and payment methods on offer. */
export interface Offer {
  /** In the server's order. */
  readonly packs: readonly OfferedPack[];
  readonly methods: readonly PayType[];
  readonly currencyCode: string;
}

/**
 * The packs of a country; an empty list is requested again with country 18 (rules BEANS-10, BEANS-11). Rejects as
 * `fetchList` does.
 */
export async function loadOffer(
  countryId: number,
  fetchList: (countryId: number) => Promise<PriceList>,
): Promise<Offer> {
  const own = offerOf(await fetchList(countryId));
  if (own.packs.length > 0 || countryId === priceListCountryDefault) return own;
  return offerOf(await fetchList(priceListCountryDefault));
}

function offerOf(list: PriceList): Offer {
  return {
    packs: list.list.filter((pack) => pack.golds < packBeansShownMax),
    methods: list.paytype_list.filter(isPayable),
    currencyCode: list.currency_code,
  };
}

/** The smallest pack, whose rate applies to an exact number of beans. */
function smallestPack(offer: Offer): OfferedPack | undefined {
  return offer.packs.toSorted((a, b) => a.golds - b.golds)[0];
}

/** The two packs of the low-beans dialog, the cheaper one first. */
export function largestPacks(offer: Offer): readonly OfferedPack[] {
  return offer.packs.toSorted((a, b) => a.golds - b.golds).slice(-2);
}

export function purchaseOfPack(offer: Offer, pack: OfferedPack): Purchase {
  return { packId: pack.id, beans: pack.golds, priceMinor: pack.price_minor, currencyCode: offer.currencyCode };
}

/** An exact number of beans at the smallest pack's rate, as the server computes it; undefined without any pack. */
export function purchaseOfBeans(offer: Offer, beans: number): Purchase | undefined {
  const pack = smallestPack(offer);
  if (!pack) return undefined;
  const { currencyCode } = offer;
  const rate = { golds: BigInt(pack.golds), priceMinor: BigInt(pack.price_minor), currencyCode };
  return { packId: 0, beans, priceMinor: Number(exactPriceMinor(BigInt(beans), rate)), currencyCode };
}

/** From these numbers of beans on, the heap is middle or large. */
const heapSteps = { middle: 150_000, large: 600_000 } as const;

/** The heap that is drawn for a purchase, the same in the shop and during and after the payment. */
export function heapOf(beans: number): HeapSize {
  if (beans >= heapSteps.large) return "large";
  return beans >= heapSteps.middle ? "middle" : "small";
}

/** The packs as the shop lists them. */
export function cheapestFirst(offer: Offer): readonly OfferedPack[] {
  return offer.packs.toSorted((a, b) => a.price_minor - b.price_minor);
}

const digitsMax = String(exactBeansMax).length;

/** The typed digits of a number of beans. */
export function typedBeans(text: string): string {
  return typedDigits(text, digitsMax);
}

/** The number that the digits mean; null if that number of beans cannot be bought. */
export function exactBeans(digits: string): number | null {
  const beans = Number(digits);
  return digits !== "" && beans >= exactBeansMin && beans <= exactBeansMax ? beans : null;
}

/** Whether more digits cannot make it valid, so that the page says so. */
export function isOutOfRange(digits: string): boolean {
  return digits !== "" && exactBeans(digits) === null && digits.length >= String(exactBeansMin).length;
}
