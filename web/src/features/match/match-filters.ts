import { createStore, useStore } from "zustand";
import { countryBalanced, countryGlobal, type MatchFilters, type WishedSex } from "@fava/wire/beans.ts";
import { type FilterCountry, readStored, writeStored } from "#lib/storage.ts";

/** The match preferences, stored under filterGender and filterCountry. */
const wishStore = createStore<MatchFilters>()(() => readWish());

export const useMatchFilters = (): MatchFilters => useStore(wishStore);
export const currentMatchFilters = (): MatchFilters => wishStore.getState();

/** Stores the preferences locally; the caller sends the report of type 3. */
export function saveMatchFilters(wish: MatchFilters): void {
  writeStored("filterGender", wish.sex);
  writeStored("filterCountry", toStored(wish.country));
  wishStore.setState(wish);
}

/** Reads the preferences again, after a sign-in or sign-out changed the storage. */
export function reloadMatchFilters(): void {
  wishStore.setState(readWish());
}

function readWish(): MatchFilters {
  const region = readStored("filterCountry");
  return {
    sex: (readStored("filterGender") ?? 0) as WishedSex,
    country: region ? fromStored(region) : countryBalanced,
  };
}

function toStored(country: number): FilterCountry {
  if (country === countryGlobal) return { mode: "global", id: 0 };
  return country === countryBalanced ? { mode: "balanced", id: 0 } : { mode: "country", id: country };
}

function fromStored(region: FilterCountry): number {
  if (region.mode === "global") return countryGlobal;
  // A country without an id is invalid: fall back to the free default.
  return region.mode === "country" && region.id > 0 ? region.id : countryBalanced;
}
