import { expect, test, vi } from "vitest";
import type { PriceList } from "@fava/wire/gateway.ts";
import { card, listOf } from "#testing/shop-world.ts";
import {
  exactBeans,
  isOutOfRange,
  largestPacks,
  loadOffer,
  heapOf,
  purchaseOfBeans,
  purchaseOfPack,
  typedBeans,
} from "./offer.ts";

const full = listOf([
  [1, 1_030_000, 99_999],
  [9, 5_000_000, 400_000],
  [5, 101_000, 9_999],
  [6, 10_000, 999],
]);
const empty = listOf([]);
const asks = (...lists: PriceList[]) => {
  const fetchList = vi.fn<(countryId: number) => Promise<PriceList>>();
  for (const list of lists) fetchList.mockResolvedValueOnce(list);
  return fetchList;
};

test("[BEANS-10] keeps the packs in the server's order, without those of 5,000,000 beans and more", async () => {
  const offer = await loadOffer(5, asks(full));
  expect(offer.packs.map(({ id }) => id)).toEqual([1, 5, 6]);
});

test("[BEANS-11] requests an empty list again with country 18", async () => {
  const fetchList = asks(empty, full);
  expect((await loadOffer(5, fetchList)).packs).toHaveLength(3);
  expect(fetchList.mock.calls).toEqual([[5], [18]]);
});

test("[BEANS-11] does not request the list of country 18 twice, and accepts an empty one", async () => {
  const own = asks(empty);
  expect((await loadOffer(18, own)).packs).toEqual([]);
  expect(own).toHaveBeenCalledTimes(1);
  expect((await loadOffer(5, asks(empty, empty))).packs).toEqual([]);
});

test("does not offer a method whose channel this page does not know", async () => {
  const list = { ...full, paytype_list: [card, { ...card, id: "new", channel_type: 77 }] };
  expect((await loadOffer(5, asks(list))).methods).toEqual([card]);
});

test("charges an exact amount at the smallest pack's rate, rounded up to a minor unit", async () => {
  const offer = await loadOffer(5, asks(full));
  const price = (beans: number) => purchaseOfBeans(offer, beans)?.priceMinor;
  expect(price(10_000)).toBe(999);
  expect(price(1_600)).toBe(160);
  expect(price(3_201)).toBe(320);
  expect(price(100_000)).toBe(9_990);
  expect(purchaseOfBeans(offer, 3_200)).toMatchObject({ packId: 0, beans: 3_200, currencyCode: "USD" });
});

test("charges an exact amount that providers accept in its currency", async () => {
  const rupiah = { ...listOf([[6, 10_000, 16_500_000]]), currency_code: "IDR" };
  const offer = await loadOffer(5, asks(rupiah));
  expect(purchaseOfBeans(offer, 1_601)).toMatchObject({ priceMinor: 2_641_700, currencyCode: "IDR" });
});

test("accepts 1,600 to 100,000 beans, in the digits of the user's keyboard", () => {
  expect(["1599", "1600", "100000", "100001", ""].map(exactBeans)).toEqual([null, 1_600, 100_000, null, null]);
  expect(typedBeans("٣٬٢٠٠")).toBe("3200");
  expect(typedBeans("۳۲۰۰ x")).toBe("3200");
  expect(typedBeans("12345678")).toBe("123456");
  expect(["1", "159", "1599", "100001"].map(isOutOfRange)).toEqual([false, false, true, true]);
});

test("shows the two largest packs in the low-beans dialog, the cheaper one first", async () => {
  const offer = await loadOffer(
    5,
    asks(
      listOf([
        [6, 10_000, 999],
        ...([
          [5, 101_000, 9_999],
          [1, 1_030_000, 99_999],
        ] as const),
      ]),
    ),
  );
  expect(largestPacks(offer).map(({ id }) => id)).toEqual([5, 1]);
});

test("draws a larger purchase as a larger pile, of one to six beans", () => {
  const packs = [10_000, 101_000, 203_000, 510_000, 770_000, 1_030_000];
  expect(packs.map(heapOf)).toEqual(["small", "small", "middle", "middle", "large", "large"]);
  expect([1, 1_600, 4_999_999].map(heapOf)).toEqual(["small", "small", "large"]);
});

test("buys a pack for its own price", async () => {
  const offer = await loadOffer(5, asks(listOf([[1, 1, 1]])));
  const [first] = offer.packs;
  expect(first && purchaseOfPack(offer, first)).toMatchObject({ packId: 1, beans: 1, priceMinor: 1 });
});
