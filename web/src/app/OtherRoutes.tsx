import { type ReactNode, Suspense, useEffect } from "react";
import { roles } from "@fava/wire/people.ts";
import { type PageName, pageText } from "#features/pages/page-texts.ts";
import { goTo } from "#lib/address.ts";
import { currentLanguage } from "#lib/i18n.ts";
import { closeOverlay, openOverlay } from "#lib/overlays.ts";
import { type Session, useSession } from "#lib/session.ts";
import { lazyWithTimeout } from "#ui/lazy-with-timeout.ts";
import { HomeRoute } from "./HomeRoute.tsx";
import { WaitingFrame } from "./WaitingFrame.tsx";

const LegalPage = lazyWithTimeout(() => import("#features/pages/LegalPage.tsx").then((part) => part.LegalPage));
const AboutPage = lazyWithTimeout(() => import("#features/pages/AboutPage.tsx").then((part) => part.AboutPage));
const NotFound = lazyWithTimeout(() => import("#features/pages/NotFound.tsx").then((part) => part.NotFound));
const ChargeReturnPage = lazyWithTimeout(() =>
  import("#features/shop/ChargeReturnPage.tsx").then((part) => part.ChargeReturnPage),
);
const AdminPage = lazyWithTimeout(() => import("#features/admin/AdminPage.tsx").then((part) => part.AdminPage));
const PageFrame = lazyWithTimeout(() => import("#features/pages/PageFrame.tsx").then((part) => part.PageFrame));
const AppealPage = lazyWithTimeout(() => import("#features/appeal/AppealPage.tsx").then((part) => part.AppealPage));
const TransparencyPage = lazyWithTimeout(() =>
  import("#features/pages/TransparencyPage.tsx").then((part) => part.TransparencyPage),
);
const SafetyPage = lazyWithTimeout(() => import("#features/pages/SafetyPage.tsx").then((part) => part.SafetyPage));
const NoticePage = lazyWithTimeout(() => import("#features/pages/NoticePage.tsx").then((part) => part.NoticePage));
const DeskPage = lazyWithTimeout(() => import("#features/desk/DeskPage.tsx").then((part) => part.DeskPage));

/** The tabs of the desk, each with its own path. */
const deskTabs = {
  "/reportReview": "reports",
  "/avatarAudit": "avatars",
  "/photoReview": "photos",
  "/reportReview/appeals": "appeals",
  "/reportReview/texts": "texts",
  "/reportReview/notices": "notices",
  "/reportReview/figures": "figures",
  "/reportReview/shift": "shift",
} as const;

/** The tabs of administrators, each with its own path. */
const adminTabs = { "/admin": "site", "/admin/live": "live", "/admin/figures": "figures" } as const;

type DeskPath = keyof typeof deskTabs;

interface OpenPage {
  page: ReactNode;
  part: { preload: () => Promise<void> };
  /** The long text of the page, besides the catalogs. */
  text?: PageName;
}

/** The public pages with their components, which are loaded before the first rendering. */
const openPages = {
  "/privacyPolicy": { page: <LegalPage document="privacy" />, part: LegalPage, text: "privacy" },
  "/userAgreement": { page: <LegalPage document="terms" />, part: LegalPage, text: "terms" },
  "/communityRules": { page: <LegalPage document="rules" />, part: LegalPage, text: "rules" },
  "/aboutUs": { page: <AboutPage />, part: AboutPage, text: "about" },
  "/safety": { page: <SafetyPage />, part: SafetyPage, text: "safety" },
  "/notice": { page: <NoticePage />, part: NoticePage },
  "/accessibility": { page: <LegalPage document="accessibility" />, part: LegalPage, text: "accessibility" },
  "/transparency": { page: <TransparencyPage />, part: TransparencyPage },
  "/404": { page: <NotFound />, part: NotFound },
} as const satisfies Record<string, OpenPage>;

/** The routes of the specification except for the home screen. Those inside `RequireRole` are for moderators. */
export function OtherRoutes({ pathname }: { pathname: string }): ReactNode {
  if (pathname in openPages) return openPages[pathname as keyof typeof openPages].page;
  if (pathname in deskTabs) {
    return (
      <RequireRole role={roles.moderator} home={<HomeRoute />} part={DeskPage}>
        <DeskPage tab={deskTabs[pathname as DeskPath]} />
      </RequireRole>
    );
  }
  switch (pathname) {
    case "/admin":
    case "/admin/live":
    case "/admin/figures":
      return (
        <RequireRole role={roles.administrator} home={<HomeRoute />} part={AdminPage}>
          <AdminPage tab={adminTabs[pathname]} />
        </RequireRole>
      );
    case "/appeal":
      return (
        <PageFrame bare noStart>
          <AppealPage />
        </PageFrame>
      );
    case "/chargeReturn":
      return <ChargeReturnPage />;
    default:
      return <Navigate to="/404" />;
  }
}

/** Loads the component of a public page, with its text. @throws ChunkLoadError */
export async function preloadPart(pathname: string): Promise<void> {
  if (!(pathname in openPages)) return;
  const { part, text }: OpenPage = openPages[pathname as keyof typeof openPages];
  await Promise.all([part.preload(), text && pageText(text, currentLanguage())]);
}

interface RequireRoleProps {
  role: number;
  home: ReactNode;
  /** The lazy component among `children`, which is loaded while the server sends the role. */
  part: { preload: () => Promise<void> };
  children: ReactNode;
}

/** Guards a protected route; `home` is shown behind the login dialog for visitors. */
export function RequireRole(props: RequireRoleProps): ReactNode {
  const session = useSession();
  const verdict = guardRoute(session, props.role);
  useEffect(() => {
    if (verdict === "sign-in") void openOverlay("login");
    else closeOverlay("login");
  }, [verdict]);
  const { part } = props;
  useEffect(() => {
    // After a failure `lazyWithTimeout` loads the component again when it is shown.
    if (verdict === "wait") part.preload().catch(() => undefined);
  }, [verdict, part]);
  switch (verdict) {
    case "sign-in":
      return props.home;
    case "wait":
      return <WaitingFrame />;
    case "not-found":
      return <Navigate to="/404" />;
    case "enter":
      return <Suspense fallback={<WaitingFrame />}>{props.children}</Suspense>;
  }
}

export function Navigate({ to }: { to: string }): null {
  useEffect(() => goTo(to, { replace: true }), [to]);
  return null;
}

/** sign-in: the login dialog over home. wait: the server has not sent the role yet. */
export type GuardVerdict = "sign-in" | "wait" | "not-found" | "enter";

/**
 * The access to a protected route (rules GUARD-1, GUARD-2): without a session the login dialog opens; a role that is
 * too low sees the page for unknown paths, which reveals nothing. The role comes from the server, never from the
 * storage.
 */
export function guardRoute(session: Session, role: number): GuardVerdict {
  switch (session.status) {
    case "anonymous":
    case "kicked":
    case "banned":
      return "sign-in";
    case "signing-in":
    case "restoring":
      return "wait";
    case "signed-in":
      return session.user.role >= role ? "enter" : "not-found";
  }
}
