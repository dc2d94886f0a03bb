import { type ComponentType, type ReactNode, Suspense, useEffect } from "react";
import { closeOverlay, type OverlayName, useOverlays } from "#lib/overlays.ts";
import { PartBoundary } from "#ui/PartBoundary.tsx";
import { type LazyPart, lazyWithTimeout } from "#ui/lazy-with-timeout.ts";
import { SheetLife } from "#ui/sheet-life.ts";

/**
 * The open dialogs, the later ones over the earlier. It stands ready before there is any. One that does not come is closed,
 * as if the person had done it, and can be opened again.
 */
export function OverlayStack(): ReactNode {
  const open = useOverlays();
  // What a visitor most likely needs first.
  useEffect(() => preload("login"), []);
  useEffect(() => preloadFollowing(open.map(({ name }) => name)), [open]);
  return open.map((overlay) => {
    const Overlay = overlays[overlay.name];
    return (
      Overlay && (
        <SheetLife key={overlay.id} value={overlay.open}>
          <PartBoundary onMissing={() => closeOverlay(overlay.name)}>
            <Suspense fallback={null}>
              <Overlay />
            </Suspense>
          </PartBoundary>
        </SheetLife>
      )
    );
  });
}

type OverlayLoader = () => Promise<ComponentType>;

/** What each overlay name shows. Every dialog is loaded when it is first opened. One line adds one. */
const loaders: Readonly<Partial<Record<OverlayName, OverlayLoader>>> = {
  login: () => import("#features/session/LoginSheet.tsx").then((part) => part.LoginSheet),
  contact: () => import("#features/session/ContactSheet.tsx").then((part) => part.ContactSheet),
  kicked: () => import("#features/session/KickedSheet.tsx").then((part) => part.KickedSheet),
  banned: () => import("#features/session/BannedSheet.tsx").then((part) => part.BannedSheet),
  "come-back": () => import("#features/session/ComeBackSheet.tsx").then((part) => part.ComeBackSheet),
  "complete-profile": () =>
    import("#features/profile/CompleteProfileSheet.tsx").then((part) => part.CompleteProfileSheet),
  "age-restriction": () => import("#features/profile/AgeRestrictionSheet.tsx").then((part) => part.AgeRestrictionSheet),
  rules: () => import("#features/match/RulesSheet.tsx").then((part) => part.RulesSheet),
  preferences: () => import("#features/match/PreferencesSheet.tsx").then((part) => part.PreferencesSheet),
  language: () => import("#features/home/LanguageSheet.tsx").then((part) => part.LanguageSheet),
  permission: () => import("#features/device/PermissionCover.tsx").then((part) => part.PermissionCover),
  "device-tips": () => import("#features/device/DeviceTipsSheet.tsx").then((part) => part.DeviceTipsSheet),
  devices: () => import("#features/device/DevicesSheet.tsx").then((part) => part.DevicesSheet),
  "no-profiles": () => import("#features/match/NoProfilesSheet.tsx").then((part) => part.NoProfilesSheet),
  "low-beans": () => import("#features/match/NotEnoughBeansSheet.tsx").then((part) => part.NotEnoughBeansSheet),
  shop: () => import("#features/shop/ShopSheet.tsx").then((part) => part.ShopSheet),
  payment: () => import("#features/shop/PaymentSheet.tsx").then((part) => part.PaymentSheet),
  "top-up": () => import("#features/shop/TopUpSheet.tsx").then((part) => part.TopUpSheet),
  "ran-out": () => import("#features/call/meter/RanOutSheet.tsx").then((part) => part.RanOutSheet),
  "return-call": () => import("#features/call/return/ReturnSheet.tsx").then((part) => part.ReturnSheet),
  "take-over": () => import("#features/call/return/TakeOverSheet.tsx").then((part) => part.TakeOverSheet),
  unchecked: () => import("#features/call/screens/UncheckedSheet.tsx").then((part) => part.UncheckedSheet),
  paused: () => import("#features/call/screens/PausedSheet.tsx").then((part) => part.PausedSheet),
  ring: () => import("#features/rings/RingSheet.tsx").then((part) => part.RingSheet),
  "not-taken": () => import("#features/rings/NotTakenSheet.tsx").then((part) => part.NotTakenSheet),
  statement: () => import("#features/beans/StatementSheet.tsx").then((part) => part.StatementSheet),
  withdraw: () => import("#features/beans/WithdrawSheet.tsx").then((part) => part.WithdrawSheet),
  receipt: () => import("#features/beans/ReceiptSheet.tsx").then((part) => part.ReceiptSheet),
  messages: () => import("#app/MessagesOverlay.tsx").then((part) => part.MessagesOverlay),
  people: () => import("#features/people/PeopleSheet.tsx").then((part) => part.PeopleSheet),
  find: () => import("#features/people/FindSheet.tsx").then((part) => part.FindSheet),
  "other-profile": () => import("#features/people/OtherProfileSheet.tsx").then((part) => part.OtherProfileSheet),
  report: () => import("#features/people/ReportSheet.tsx").then((part) => part.ReportSheet),
  refused: () => import("#features/people/RefusedSheet.tsx").then((part) => part.RefusedSheet),
  profile: () => import("#features/profile/ProfileSheet.tsx").then((part) => part.ProfileSheet),
  account: () => import("#features/account/AccountSheet.tsx").then((part) => part.AccountSheet),
  "delete-account": () => import("#features/account/DeleteAccountSheet.tsx").then((part) => part.DeleteAccountSheet),
  notify: () => import("#features/notifications/NotifySheet.tsx").then((part) => part.NotifySheet),
  cap: () => import("#features/beans/CapSheet.tsx").then((part) => part.CapSheet),
};

export const overlays: Readonly<Partial<Record<OverlayName, LazyPart<object>>>> = Object.fromEntries(
  Object.entries(loaders).map(([name, load]) => [name, lazyWithTimeout(load)]),
);

/** Which dialogs a first visit most likely needs next: loaded while the one before stands open, they follow at once. */
const following: Readonly<Partial<Record<OverlayName, readonly OverlayName[]>>> = {
  login: ["complete-profile"],
  "complete-profile": ["permission", "rules"],
  permission: ["device-tips", "rules"],
};

/** Fetches what may follow the open dialogs. */
export function preloadFollowing(open: readonly OverlayName[]): void {
  for (const name of open) for (const next of following[name] ?? []) preload(next);
}

/** Fetches a dialog before it is opened. */
function preload(name: OverlayName): void {
  // A failure is no news: the dialog is loaded again when it is opened.
  overlays[name]?.preload().catch(() => undefined);
}
