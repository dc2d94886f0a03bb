import { type ComponentType, type ReactNode, useEffect } from "react";
import { ContactSheet } from "#features/session/ContactSheet.tsx";
import { LoginSheet } from "#features/session/LoginSheet.tsx";
import { closeOverlay, type OverlayName, useOverlays } from "#lib/overlays.ts";
import { whenIdle } from "#lib/when-idle.ts";
import { LoadedPart } from "#ui/LoadedPart.tsx";
import { type LazyPart, lazyWithTimeout } from "#ui/lazy-with-timeout.ts";
import { SheetLife } from "#ui/sheet-life.ts";

/**
 * The open dialogs, the later ones over the earlier. Loaded before the first one opens. A dialog that fails to load is
 * closed, as if by the user, and can be opened again.
 */
export function OverlayStack(): ReactNode {
  const open = useOverlays();
  useEffect(() => whenIdle(() => preloadFollowing(open.map(({ name }) => name))), [open]);
  return open.map(({ name, id, open: isOpen }) => (
    <SheetLife key={id} value={isOpen}>
      <Dialog name={name} />
    </SheetLife>
  ));
}

function Dialog({ name }: { name: OverlayName }): ReactNode {
  // The dialog that a visitor most likely opens first, and the contact view in it, are part of this chunk.
  if (name === "login") return <LoginSheet />;
  if (name === "contact") return <ContactSheet />;
  const part = overlays[name];
  return part && <LoadedPart part={part} onMissing={() => closeOverlay(name)} />;
}

type OverlayLoader = () => Promise<ComponentType>;

/** The component of each overlay name. Each dialog is loaded when it first opens. */
const loaders: Readonly<Partial<Record<OverlayName, OverlayLoader>>> = {
  kicked: () => import("#features/session/KickedSheet.tsx").then((part) => part.KickedSheet),
  banned: () => import("#features/session/BannedSheet.tsx").then((part) => part.BannedSheet),
  "restore-account": () => import("#features/session/RestoreAccountSheet.tsx").then((part) => part.RestoreAccountSheet),
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
  "age-check": () => import("#features/account/AgeSheet.tsx").then((part) => part.AgeSheet),
  ring: () => import("#features/rings/RingSheet.tsx").then((part) => part.RingSheet),
  "not-taken": () => import("#features/rings/UnansweredSheet.tsx").then((part) => part.UnansweredSheet),
  invite: () => import("#features/rings/InviteSheet.tsx").then((part) => part.InviteSheet),
  invited: () => import("#features/rings/InvitedSheet.tsx").then((part) => part.InvitedSheet),
  invitation: () => import("#app/InvitationSheet.tsx").then((part) => part.InvitationSheet),
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

/**
 * The dialogs that most likely follow on a first visit: loaded while the one before is open, so that they appear at
 * once.
 */
const following: Readonly<Partial<Record<OverlayName, readonly OverlayName[]>>> = {
  login: ["complete-profile"],
  "complete-profile": ["permission", "rules"],
  permission: ["device-tips", "rules"],
};

/** Loads the dialogs that may follow the open ones. */
export function preloadFollowing(open: readonly OverlayName[]): void {
  for (const name of open) for (const next of following[name] ?? []) preload(next);
}

/** Loads a dialog before it opens. */
function preload(name: OverlayName): void {
  // After a failure the dialog is loaded again when it opens.
  overlays[name]?.preload().catch(() => undefined);
}
