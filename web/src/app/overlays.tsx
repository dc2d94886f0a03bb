import type { ComponentType } from "react";
import type { OverlayName } from "#lib/overlays.ts";
import { lazyWithTimeout } from "#ui/lazy-with-timeout.ts";

type OverlayLoader = () => Promise<ComponentType>;

/** What each overlay name shows. Every dialog is loaded when it is first opened. One line adds one. */
const loaders: Readonly<Partial<Record<OverlayName, OverlayLoader>>> = {
  login: () => import("#features/session/LoginSheet.tsx").then((part) => part.LoginSheet),
  contact: () => import("#features/session/ContactSheet.tsx").then((part) => part.ContactSheet),
  kicked: () => import("#features/session/SessionEndSheets.tsx").then((part) => part.KickedSheet),
  banned: () => import("#features/session/SessionEndSheets.tsx").then((part) => part.BannedSheet),
  birthday: () => import("#features/profile/BirthdaySheet.tsx").then((part) => part.BirthdaySheet),
  gender: () => import("#features/profile/GenderSheet.tsx").then((part) => part.GenderSheet),
  "age-restriction": () => import("#features/profile/AgeRestrictionSheet.tsx").then((part) => part.AgeRestrictionSheet),
  rules: () => import("#features/match/RulesSheet.tsx").then((part) => part.RulesSheet),
  preferences: () => import("#features/match/PreferencesSheet.tsx").then((part) => part.PreferencesSheet),
  balance: () => import("#features/match/BalanceSheet.tsx").then((part) => part.BalanceSheet),
  permission: () => import("#features/device/PermissionSheet.tsx").then((part) => part.PermissionSheet),
  "device-tips": () => import("#features/device/DeviceTipsSheet.tsx").then((part) => part.DeviceTipsSheet),
  "no-profiles": () => import("#features/match/NoProfilesSheet.tsx").then((part) => part.NoProfilesSheet),
  "low-beans": () => import("#features/match/NotEnoughBeansSheet.tsx").then((part) => part.NotEnoughBeansSheet),
};

export const overlays: Readonly<Partial<Record<OverlayName, ComponentType>>> = Object.fromEntries(
  Object.entries(loaders).map(([name, load]) => [name, lazyWithTimeout(load)]),
);

/** Fetches the dialogs that a first visit most likely needs while the browser has nothing else to do. */
export function preloadOverlays(): () => void {
  const preload = () => {
    // A failure is no news: the dialog is loaded again when it is opened.
    void loaders.login?.().catch(() => undefined);
  };
  if (typeof requestIdleCallback === "undefined") {
    const timer = setTimeout(preload, 2_000);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(preload, { timeout: 5_000 });
  return () => cancelIdleCallback(handle);
}
